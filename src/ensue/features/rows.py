"""Features of pairs as rows of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ensue.features.catalog import NAMES
from ensue.features.extraction import TextPair, has_words
from ensue.files import OutputRow, RowFormat, row_bytes, short_number


class PairDirection(StrEnum):
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

    def sides(self, direction: PairDirection) -> TextPair:
        """The text and the hypothesis, or the other way round."""
        if direction is PairDirection.FORWARD:
            return self.text, self.hypothesis
        return self.hypothesis, self.text


class FeatureSource(Protocol):
    """What gives the features of a batch."""

    def features(self, pairs: Sequence[TextPair]) -> NDArray[np.float64]:
        """A row of features for each pair."""


def columns(directions: Sequence[PairDirection]) -> list[str]:
    """The names of the columns; the direction is one where there are two."""
    direction = ["direction"] if len(directions) > 1 else []
    return ["id", "gold", "task", *direction, *NAMES]


def feature_rows(
    pairs: Sequence[FeaturePair], reader: FeatureSource, directions: Sequence[PairDirection]
) -> list[list[OutputRow]]:
    """Measure pairs: for each pair a row in each direction.

    Cells of features are empty where a side has no words.
    """
    sides = [pair.sides(direction) for pair in pairs for direction in directions]
    worded = [has_words(text) and has_words(hypothesis) for text, hypothesis in sides]
    measured = iter(reader.features(list(compress(sides, worded))).tolist())
    found = iter([next(measured) if has_row else None for has_row in worded])
    return [
        [_row(pair, direction, next(found), directions) for direction in directions]
        for pair in pairs
    ]


def empty_rows(pair: FeaturePair, directions: Sequence[PairDirection]) -> list[OutputRow]:
    """The rows of a pair that could not be measured."""
    return [_row(pair, direction, None, directions) for direction in directions]


def is_measured(row: OutputRow) -> bool:
    """Whether a row has features."""
    return row[-1] is not None


def feature_bytes(
    rows: Sequence[OutputRow], directions: Sequence[PairDirection], format: RowFormat
) -> bytes:
    """Rows as part of a file, without its head."""
    return row_bytes(columns(directions), list(rows), format=format, numbers=set(NAMES))


def _row(
    pair: FeaturePair,
    direction: PairDirection,
    features: OutputRow | None,
    directions: Sequence[PairDirection],
) -> OutputRow:
    named = [direction.value] if len(directions) > 1 else []
    return [
        pair.id,
        pair.gold,
        pair.task,
        *named,
        *map(short_number, features or [None] * len(NAMES)),
    ]
