"""Segments, outputs, human judgments, preferences and metric scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Translations and what people said of them: segments, outputs, judgments, scores.

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]


class OutputKey(NamedTuple):
    """Which output it is: what one system made of one segment."""

    language_pair: str
    """As in `cs-en`; empty where nothing says it."""
    segment: str
    """The number of the line, from 1, or the id that the data give."""
    system: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A unit of a translation set: references, and what systems wrote."""

    language_pair: str
    id: str
    references: tuple[str, ...]
    """One or more; an empty one says nothing."""
    outputs: Mapping[str, str]
    """By system; a system that has no output for the segment is not there."""
    source: str | None = None

    @property
    def told(self) -> tuple[str, ...]:
        """The references that say something; all of them where none does."""
        return tuple(filter(str.strip, self.references)) or self.references

    def output_keys(self) -> list[OutputKey]:
        """Of the outputs, in their order."""
        return [OutputKey(self.language_pair, self.id, system) for system in self.outputs]


@dataclass(frozen=True, slots=True)
class HumanRanking:
    """One person's order of some outputs of a segment; equal ranks are ties, 1 is best."""

    language_pair: str
    segment: str
    judge: str
    ranks: Mapping[str, int]
    """By system; outputs that were left without a rank are not there."""
    place: str = ""
    """`file:line`."""

    def output_keys(self) -> list[OutputKey]:
        """Of the outputs that were ranked."""
        return [OutputKey(self.language_pair, self.segment, system) for system in self.ranks]


class AssessmentKind(StrEnum):
    """What an absolute score is about."""

    DIRECT = "direct"
    """Direct assessment, usually standardized by judge."""
    ADEQUACY = "adequacy"
    """How much of the meaning is there, from 1 to 5."""
    FLUENCY = "fluency"
    """How good the language is, from 1 to 5."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """One absolute score of one output; larger is better."""

    language_pair: str
    segment: str
    system: str
    judge: str
    """Empty where nothing says who, or where the score is an average."""
    kind: AssessmentKind
    score: float
    place: str = ""

    @property
    def key(self) -> OutputKey:
        """Of the output."""
        return OutputKey(self.language_pair, self.segment, self.system)


@dataclass(frozen=True, slots=True)
class TranslationJudgments:
    """All that people said of a translation set."""

    rankings: tuple[HumanRanking, ...] = ()
    assessments: tuple[Assessment, ...] = ()

    @classmethod
    def joined(cls, parts: Iterable[TranslationJudgments]) -> TranslationJudgments:
        """What people said in several files."""
        some = list(parts)
        return cls(
            tuple(each for part in some for each in part.rankings),
            tuple(each for part in some for each in part.assessments),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """Comparisons of two outputs of a segment, each by one person; ties are among them.

    A ranking of five outputs is ten comparisons.
    """

    outputs: tuple[OutputKey, ...]
    """Those compared, each once."""
    better: Indices
    """For each comparison, the place in `outputs` of the better one; of a tie, the first."""
    worse: Indices
    is_tie: NDArray[np.bool_]
    judges: tuple[str, ...]
    judge: Indices
    """For each comparison, the place in `judges` of who made it."""

    def __len__(self) -> int:
        return len(self.better)

    def chosen(self, which: NDArray[np.bool_] | Indices) -> Preferences:
        """Some of the comparisons; the outputs stay all."""
        return Preferences(
            self.outputs,
            self.better[which],
            self.worse[which],
            self.is_tie[which],
            self.judges,
            self.judge[which],
        )

    def decided(self) -> Preferences:
        """Without the ties."""
        return self.chosen(~self.is_tie)


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """What a metric says of outputs; larger is better, always."""

    name: str
    outputs: tuple[OutputKey, ...]
    values: Numbers
    signature: str = ""
    """The recipe that repeats the scores."""
    probability: Callable[[Numbers, Numbers], Numbers] | None = None
    """How likely outputs with some scores are better than those with others, if it says so."""

    def by_output(self) -> dict[OutputKey, float]:
        """Each output's score."""
        return dict(zip(self.outputs, self.values.tolist(), strict=True))


def language_pairs(outputs: Sequence[OutputKey]) -> list[str]:
    """Those that occur, in the order of their first output."""
    return list(dict.fromkeys(key.language_pair for key in outputs))
