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
from ensue.features.measuring import TextPair, has_words
from ensue.features.rows import FileFormat, Row, row_bytes


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

    def sides(self, direction: Direction) -> TextPair:
        """The text and the hypothesis, or the other way round."""
        if direction is Direction.FORWARD:
            return self.text, self.hypothesis
        return self.hypothesis, self.text


class Measuring(Protocol):
    """What gives the features of a batch."""

    def features(self, pairs: Sequence[TextPair]) -> NDArray[np.float64]:
        """A row of features for each pair."""


def columns(directions: Sequence[Direction]) -> list[str]:
    """The names of the columns; the direction is one where there are two."""
    direction = ["direction"] if len(directions) > 1 else []
    return ["id", "gold", "task", *direction, *NAMES]


def feature_rows(
    pairs: Sequence[FeaturePair], reader: Measuring, directions: Sequence[Direction]
) -> list[list[Row]]:
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


def empty_rows(pair: FeaturePair, directions: Sequence[Direction]) -> list[Row]:
    """The rows of a pair that could not be measured."""
    return [_row(pair, direction, None, directions) for direction in directions]


def is_measured(row: Row) -> bool:
    """Whether a row has features."""
    return row[-1] is not None


def feature_bytes(
    rows: Sequence[Row], directions: Sequence[Direction], format: FileFormat
) -> bytes:
    """Rows as part of a file, without its head."""
    return row_bytes(columns(directions), list(rows), format=format, numbers=set(NAMES))


def _row(
    pair: FeaturePair, direction: Direction, features: Row | None, directions: Sequence[Direction]
) -> Row:
    named = [direction.value] if len(directions) > 1 else []
    return [pair.id, pair.gold, pair.task, *named, *(features or [None] * len(NAMES))]
