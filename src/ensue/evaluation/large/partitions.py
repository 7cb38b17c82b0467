"""Rows on disk, apart by a hash of their id."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ensue.evaluation.large.columns import ID, Columns, empty_batch, text_bytes

if TYPE_CHECKING:
    import pyarrow as pa


class Partitions:
    """The rows of some columns in n files; equal ids are in the same one.

    Args:
        columns: What is written; a column `row` with its number, from 0, is added.
        folder: Where the files are made.
        n: How many.
    """

    def __init__(self, columns: Columns, folder: Path, n: int) -> None:
        import pyarrow as pa

        folder.mkdir()
        self._paths = [folder / str(k) for k in range(n)]
        self._schema: pa.Schema | None = None
        with ExitStack() as stack:
            writers: list[Any] = []
            first = 0
            for batch in columns.read():
                plain = _plain(batch, first)
                if not writers:
                    self._schema = plain.schema
                    sinks = [stack.enter_context(pa.OSFile(str(p), "wb")) for p in self._paths]
                    writers = [
                        stack.enter_context(pa.ipc.new_stream(sink, plain.schema)) for sink in sinks
                    ]
                self._scatter(plain, writers)
                first += len(batch)

    def load(self, k: int) -> pa.RecordBatch:
        """All rows of one partition."""
        import pyarrow as pa

        assert self._schema is not None  # whatever is read has a batch, be it empty
        with pa.OSFile(str(self._paths[k]), "rb") as source, pa.ipc.open_stream(source) as reader:
            table = reader.read_all()
        self._paths[k].unlink()  # it is loaded once
        batches = table.combine_chunks().to_batches()
        return batches[0] if batches else empty_batch(self._schema)

    def _scatter(self, batch: pa.RecordBatch, writers: list[Any]) -> None:
        import pyarrow as pa

        place = _places(batch.column(ID), len(writers))
        order = np.argsort(place, kind="stable")
        indices: Any = pa.array(order)
        apart = batch.take(indices)
        ends = np.cumsum(np.bincount(place, minlength=len(writers)))
        start = 0
        for writer, end in zip(writers, ends.tolist(), strict=True):
            if end > start:
                writer.write_batch(apart.slice(start, end - start))
            start = end


def _places(ids: pa.Array[Any], n: int) -> NDArray[np.int16]:
    from ensue.evaluation.large.hashing import text_hashes

    return (text_hashes(*text_bytes(ids)) % np.uint64(n)).astype(np.int16)


def _plain(batch: pa.RecordBatch, first: int) -> pa.RecordBatch:
    """The same rows without dictionaries, which differ from batch to batch, and with numbers."""
    import pyarrow as pa

    columns: dict[str, Any] = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        kind: Any = column.type
        columns[name] = column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column
    columns["row"] = pa.array(np.arange(first, first + len(batch)))
    return pa.record_batch(list(columns.values()), names=list(columns))
