"""Features of a stream of pairs, written a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress, islice
from typing import BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from ensue.features.catalog import NAMES
from ensue.features.measuring import TextPair, has_words
from ensue.features.rows import FileFormat, Row, write_rows

BATCH = 4096
"""Pairs measured at a time."""

Batch = Sequence["FeaturePair"]


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
    counted = _Counted(pairs, batch_size, progress)
    batches = (_rows(batch, reader, directions) for batch in counted)
    write_rows(file, columns(directions), batches, format=format, numbers=set(NAMES))
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
