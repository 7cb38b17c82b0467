"""Columns of pairs or verdicts that are read more than once, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.evaluation.measuring.judged import STATUSES
from ensue.pairs import Label, RunHeader

if TYPE_CHECKING:
    import pyarrow as pa

ID = "id"
"""The column by which gold and runs are brought together; text, never null."""

LABELS = tuple(Label)
"""What the codes of labels stand for; −1 is none."""

NONE = -1
"""The code of no label."""

MISSING_STATUS = len(STATUSES) - 1
"""The code of the status of a pair that a run does not mention."""

ROWS = 131_072
"""How many rows a batch has, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Rows of columns, `id` among them, that can be read again and again."""

    name: str
    """What they are called in messages."""
    n_rows: int
    read: Callable[[], Iterator[pa.RecordBatch]]
    """All rows in order, from the beginning at each call; where there is none, an empty batch."""
    place: Callable[[int], str]
    """Where the i-th row, from 0, stands: `file:line`."""


@dataclass(frozen=True, slots=True, eq=False)
class VerdictColumns(Columns):
    """A run as columns: `id`, `label` and `status` as codes, `score` and `confidence`.

    Codes are int8, indices into `LABELS` and `STATUSES`; numbers are NaN where there is none.
    """

    header: RunHeader | None = field(default=None)
    ranked: bool = False
    """Whether the scores, not the confidences, say how sure entailment is."""


def spooled(
    rows: Iterable[tuple[Any, ...]], schema: pa.Schema, path: Path
) -> tuple[int, Callable[[], Iterator[pa.RecordBatch]]]:
    """Write rows that come once to a file of columns; give their number and how to read them."""
    import pyarrow as pa

    n_rows = 0
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
        for some in _in_batches(rows):
            columns = zip(zip(*some, strict=True), schema.types, strict=True)
            try:
                arrays = [pa.array(column, kind) for column, kind in columns]
            except UnicodeEncodeError as error:
                raise DataError(f"an id is no text that UTF-8 can hold: {error}") from None
            writer.write_batch(pa.record_batch(arrays, schema=schema))
            n_rows += len(some)
    return n_rows, lambda: read_spooled(path)


def read_spooled(path: Path) -> Iterator[pa.RecordBatch]:
    """The batches of a file of columns."""
    import pyarrow as pa

    with pa.OSFile(str(path), "rb") as source, pa.ipc.open_stream(source) as reader:
        yield empty_batch(reader.schema)
        yield from reader


def empty_batch(schema: pa.Schema) -> pa.RecordBatch:
    """No rows, so that what reads none still knows their columns."""
    import pyarrow as pa

    return pa.record_batch([pa.array([], field.type) for field in schema], schema=schema)


def spooled_line(path: Path, i: int) -> int:
    """The line from which the i-th row of a file of columns came, by its column `line`."""
    before = 0
    for batch in read_spooled(path):
        if i < before + len(batch):
            return int(batch.column("line")[i - before].as_py())
        before += len(batch)
    raise IndexError(i)


def text_bytes(texts: pa.Array[Any]) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Where each text begins, and where the last one ends, in the bytes of all of them."""
    _, offsets, content = texts.buffers()
    if len(texts) == 0 or offsets is None:
        return np.zeros(1, np.int32), np.zeros(0, np.uint8)
    starts = np.frombuffer(memoryview(offsets), np.int32)[
        texts.offset : texts.offset + len(texts) + 1
    ]
    return starts, np.frombuffer(memoryview(content or b""), np.uint8)


def cut_alike(
    streams: Sequence[Iterator[pa.RecordBatch]],
) -> Iterator[tuple[pa.RecordBatch, ...]]:
    """Give the batches of several streams cut at the same rows, until the shortest one ends."""
    pending: list[pa.RecordBatch | None] = [None] * len(streams)
    while True:
        for i, stream in enumerate(streams):
            while (held := pending[i]) is None or len(held) == 0:
                batch = next(stream, None)
                if batch is None:
                    return
                pending[i] = batch
        held_all = [each for each in pending if each is not None]
        n = min(map(len, held_all))
        yield tuple(each.slice(0, n) for each in held_all)
        pending = [each.slice(n) for each in held_all]


def _in_batches(rows: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    some: list[tuple[Any, ...]] = []
    for row in rows:
        some.append(row)
        if len(some) == ROWS:
            yield some
            some = []
    if some:
        yield some
