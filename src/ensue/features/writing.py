"""Features of a stream of pairs as Parquet, CSV or JSONL, a batch at a time."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress, islice
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from ensue.features.catalog import NAMES
from ensue.features.measuring import TextPair, has_words

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 4096
"""Pairs measured at a time."""

Row = list[Any]
Batch = Sequence["FeaturePair"]


class FileFormat(StrEnum):
    """What a file of features is written as."""

    PARQUET = "parquet"
    CSV = "csv"
    JSONL = "jsonl"


class Direction(StrEnum):
    """Which side is taken for the text."""

    FORWARD = "forward"
    """The text, as it stands."""
    BACKWARD = "backward"
    """The hypothesis: does the text follow from it?"""


@dataclass(frozen=True, slots=True)
class FeaturePair:
    """A pair, with what stands beside its features."""

    id: str
    gold: str | None
    task: str | None
    text: str
    hypothesis: str


class Measuring(Protocol):
    """What gives the features of a batch."""

    def features(self, pairs: Sequence[TextPair]) -> NDArray[np.float64]:
        """A row of features for each pair."""


def columns(directions: Sequence[Direction]) -> list[str]:
    """The names of the columns; the direction is one where there are two."""
    direction = ["direction"] if len(directions) > 1 else []
    return ["id", "gold", "task", *direction, *NAMES]


def write_features(
    file: BinaryIO,
    pairs: Iterable[FeaturePair],
    reader: Measuring,
    *,
    format: FileFormat,
    directions: Sequence[Direction] = (Direction.FORWARD,),
    batch_size: int = BATCH,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Measure pairs and write their features, in constant memory; give the number of pairs.

    Args:
        file: Where the bytes go.
        pairs: What to measure.
        reader: Measures a batch.
        format: What to write.
        directions: A row for each; cells of features are empty where a side has no words.
        batch_size: Pairs measured at a time.
        progress: Is told of each batch how many pairs are done.
    """
    write = _WRITERS[format]
    counted = _Counted(pairs, batch_size, progress)
    write(file, columns(directions), (_rows(batch, reader, directions) for batch in counted))
    return counted.n_pairs


class _Counted:
    """Batches of pairs, counted when they are done with."""

    def __init__(
        self, pairs: Iterable[FeaturePair], size: int, progress: Callable[[int], None] | None
    ) -> None:
        self._pairs, self._size, self._progress = iter(pairs), size, progress
        self.n_pairs = 0

    def __iter__(self) -> Iterator[Batch]:
        while batch := list(islice(self._pairs, self._size)):
            yield batch
            self.n_pairs += len(batch)
            if self._progress:
                self._progress(len(batch))


def _rows(batch: Batch, reader: Measuring, directions: Sequence[Direction]) -> list[Row]:
    asked = [(pair, direction) for pair in batch for direction in directions]
    sides = [
        (pair.text, pair.hypothesis)
        if direction is Direction.FORWARD
        else (pair.hypothesis, pair.text)
        for pair, direction in asked
    ]
    worded = [has_words(text) and has_words(hypothesis) for text, hypothesis in sides]
    rows = iter(reader.features(list(compress(sides, worded))).tolist())
    nothing: Row = [None] * len(NAMES)
    return [
        [
            pair.id,
            pair.gold,
            pair.task,
            *([direction.value] if len(directions) > 1 else []),
            *(next(rows) if has_row else nothing),
        ]
        for (pair, direction), has_row in zip(asked, worded, strict=True)
    ]


def _write_parquet(file: BinaryIO, names: Sequence[str], batches: Iterable[list[Row]]) -> None:
    import pyarrow.parquet as pq

    schema = _schema(names)
    with pq.ParquetWriter(file, schema) as writer:
        for rows in batches:
            writer.write_batch(_record_batch(rows, schema))


def _schema(names: Sequence[str]) -> pa.Schema:
    import pyarrow as pa

    measured = set(NAMES)
    kinds = [pa.float64() if name in measured else pa.string() for name in names]
    return pa.schema(list(zip(names, kinds, strict=True)))


def _record_batch(rows: list[Row], schema: pa.Schema) -> pa.RecordBatch:
    import pyarrow as pa

    made = [
        pa.array(column, field.type)
        for column, field in zip(zip(*rows, strict=True), schema, strict=True)
    ]
    return pa.record_batch(made, schema=schema)


def _write_csv(file: BinaryIO, names: Sequence[str], batches: Iterable[list[Row]]) -> None:
    for number, rows in enumerate(_after_nothing(batches)):
        lines = io.StringIO(newline="")
        writer = csv.writer(lines, lineterminator="\n")
        if number == 0:
            writer.writerow(names)
        writer.writerows([_short(cell) for cell in row] for row in rows)
        file.write(lines.getvalue().encode("utf-8", "backslashreplace"))


def _write_jsonl(file: BinaryIO, names: Sequence[str], batches: Iterable[list[Row]]) -> None:
    for rows in batches:
        for row in rows:
            record = dict(zip(names, map(_short, row), strict=True))
            line = json.dumps(record, ensure_ascii=False) + "\n"
            file.write(line.encode("utf-8", "backslashreplace"))


def _after_nothing(batches: Iterable[list[Row]]) -> Iterator[list[Row]]:
    """The batches after the first, with an empty one before them where there is none at all."""
    found = iter(batches)
    yield next(found, [])
    yield from found


def _short(cell: object) -> object:
    """0 and 1 for 0.0 and 1.0, which most features are."""
    return int(cell) if isinstance(cell, float) and cell in (0.0, 1.0) else cell


_WRITERS: dict[FileFormat, Callable[[BinaryIO, Sequence[str], Iterable[list[Row]]], None]] = {
    FileFormat.PARQUET: _write_parquet,
    FileFormat.CSV: _write_csv,
    FileFormat.JSONL: _write_jsonl,
}
