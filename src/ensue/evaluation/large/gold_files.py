"""The gold of one Parquet file as columns, by its layout, without its texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.evaluation.large.columns import ID, LABELS, NONE, ROWS, text_bytes
from ensue.pairs.files import shown_name
from ensue.pairs.formats.model import ReadOptions, ignore
from ensue.pairs.formats.tables import RowMaker, readable
from ensue.pairs.labels import LabelMapper
from ensue.pairs.opening.remote import is_url, local_name, open_url

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_BLOCK = 1 << 18
_NO_GOLD = -2
"""Stands for a label that means "no gold", until that is told."""

WithoutGold = list[tuple[int, str, str]]
"""Rows of a batch whose labels give no gold: row in the file, from 1, label and id."""


class GoldFile:
    """One Parquet file of gold.

    Args:
        source: A file, or its URL.
        options: What the user says about it.
        tasks: Whether tasks are wanted.

    Raises:
        DataError: it is no Parquet, or has no known layout.
    """

    def __init__(self, source: str, options: ReadOptions, tasks: bool) -> None:
        self.name = shown_name(source)
        self._source = source
        self._options = options
        with _opened(source, []) as table:
            self.n_rows = int(table.metadata.num_rows)
            rows = RowMaker(table.schema_arrow, self.name, options, ignore)
        layout = rows.maker.layout
        self._ids = layout.columns.get("id", ())
        self._gold = layout.columns.get("gold", ())
        self._task = layout.columns.get("task", ()) if tasks else ()
        self._tasks = tasks
        self._table = layout.labels
        self._label_said = rows.label

    def batches(self) -> Iterator[tuple[pa.RecordBatch, int, WithoutGold]]:
        """Yield the columns of some rows, the number of the first, and rows without gold.

        Raises:
            DataError: the file is broken, a row has no id, or a label is not known.
        """
        import pyarrow as pa

        few = [*self._gold, *self._task]
        mapper = LabelMapper(self._table, self._options.labels)
        labels = _Labels(mapper, self._said, self.name)
        names = [ID, "gold", "task"] if self._tasks else [ID, "gold"]
        first = 1
        with _opened(self._source, few) as table:
            for batch in self._read(table, [*self._ids, *few]):
                ids = self._texts_of_ids(batch, first)
                gold, without = self._labels(batch, ids, labels, first)
                columns: list[pa.Array[Any]] = [ids, pa.array(gold)]
                if self._tasks:
                    columns.append(_tasks(batch, self._task))
                yield pa.record_batch(columns, names=names), first, without
                first += len(batch)

    def _read(self, table: pq.ParquetFile, columns: list[str]) -> Iterator[pa.RecordBatch]:
        with readable(self.name):
            # of a file without any of them, the rows are still counted by some column
            some = columns or table.schema_arrow.names[:1]
            yield from table.iter_batches(batch_size=ROWS, columns=some)

    def _said(self, value: Any) -> str:
        return "" if value is None else self._label_said(self._gold[0], value)

    def _texts_of_ids(self, batch: pa.RecordBatch, first: int) -> pa.Array[Any]:
        """The ids of some rows, by the rules of `PairMaker`."""
        import pyarrow as pa

        if not self._ids:
            numbers = range(first, first + len(batch))
            return pa.array([f"{self._options.id_prefix}{n}" for n in numbers], pa.string())
        column = batch.column(self._ids[0])
        if len(self._ids) == 1 and column.null_count == 0:
            if pa.types.is_integer(column.type):
                return column.cast(pa.string())
            if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
                texts = column.cast(pa.string())
                if not _has_loose_ends(texts):
                    return texts
        return self._put_together(batch, first)

    def _put_together(self, batch: pa.RecordBatch, first: int) -> pa.Array[Any]:
        import pyarrow as pa

        columns = [batch.column(name).to_pylist() for name in self._ids]
        ids = []
        for row, cells in enumerate(zip(*columns, strict=True), first):
            parts = ["" if cell is None else str(cell).strip() for cell in cells]
            if not all(parts):
                place = f"{self.name}:{row}"
                raise DataError("a pair has no id", place=place, hint="give each pair its own id")
            ids.append("-".join(parts))
        return pa.array(ids, pa.string())

    def _labels(
        self, batch: pa.RecordBatch, ids: pa.Array[Any], labels: _Labels, first: int
    ) -> tuple[NDArray[np.int8], WithoutGold]:
        if not self._gold:
            return np.full(len(batch), NONE, np.int8), []
        column = batch.column(self._gold[0])
        codes = labels.codes(column, first)
        rows = np.flatnonzero(codes == _NO_GOLD).tolist()
        without = [(first + i, self._said(column[i].as_py()), ids[i].as_py()) for i in rows]
        return np.where(codes == _NO_GOLD, np.int8(NONE), codes), without


class _Labels:
    """Codes of the labels of one file; each distinct label is mapped once."""

    def __init__(self, mapper: LabelMapper, said: Callable[[Any], str], name: str) -> None:
        self._mapper = mapper
        self._said = said
        self._name = name
        self._known: dict[Any, int] = {None: NONE}

    def codes(self, column: Any, first: int) -> NDArray[np.int8]:
        """The code of each label; `_NO_GOLD` where it says that there is none."""
        encoded = column.dictionary_encode()
        values = encoded.dictionary.to_pylist()
        filled = encoded.indices.fill_null(len(values))
        indices: NDArray[np.int32] = filled.to_numpy(zero_copy_only=False)
        if any(value not in self._known for value in values):
            self._learn([*values, None], indices, first)
        # what does not occur here may not be known yet
        table = [self._known.get(value, NONE) for value in (*values, None)]
        return np.array(table, np.int8)[indices]

    def _learn(self, values: Sequence[Any], indices: NDArray[np.int32], first: int) -> None:
        """Map labels that are new, in the order in which they occur."""
        here = np.flatnonzero(np.bincount(indices)).tolist()
        new = [k for k in here if values[k] not in self._known]
        places = {k: int(np.argmax(indices == k)) for k in new}
        for k in sorted(places, key=places.__getitem__):
            said = self._said(values[k])
            if not said.strip():
                self._known[values[k]] = NONE
                continue
            label = self._mapper(said, place=f"{self._name}:{first + places[k]}")
            self._known[values[k]] = _NO_GOLD if label is None else LABELS.index(label)


def n_rows_of(source: str) -> int:
    """How many rows a Parquet file has, by its footer."""
    with _opened(source, []) as table:
        return int(table.metadata.num_rows)


@contextmanager
def _opened(source: str, few: list[str]) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file; the columns with few distinct values come as dictionaries."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = shown_name(source)
    try:
        if is_url(source):
            with open_url(source) as file:
                yield pq.ParquetFile(file, read_dictionary=few, buffer_size=_BLOCK)
        else:
            path = local_name(source)
            with pq.ParquetFile(path, read_dictionary=few, buffer_size=_BLOCK) as table:
                yield table
    except (pa.ArrowException, OSError) as error:
        reason = (str(error).splitlines() or ["?"])[0]
        raise DataError(
            f"not Parquet: {reason}", place=name, hint="is the file complete?"
        ) from None


def _tasks(batch: pa.RecordBatch, held_by: Sequence[str]) -> pa.Array[Any]:
    """The task of each row; null where it has none."""
    import pyarrow as pa

    if not held_by:
        return pa.nulls(len(batch), pa.string())
    encoded: Any = batch.column(held_by[0]).dictionary_encode()
    names = encoded.dictionary.to_pylist()
    texts = [None if name is None or str(name) == "" else str(name) for name in names]
    if texts == names:
        held: pa.Array[Any] = encoded.cast(pa.dictionary(pa.int32(), pa.string()))
        return held
    return pa.array(texts, pa.string()).take(encoded.indices)


def _has_loose_ends(texts: pa.Array[Any]) -> bool:
    """Whether a text is empty, or may have blanks around it."""
    from ensue.evaluation.large.hashing import has_loose_ends

    return bool(has_loose_ends(*text_bytes(texts)))
