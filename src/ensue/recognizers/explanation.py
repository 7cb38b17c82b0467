"""Why a recognizer judges a pair as it does: one schema for every recognizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any

from ensue.pairs import Pair, Signature, Verdict
from ensue.pairs.runs import verdict_to_json


class Side(StrEnum):
    """One of the two sides of a pair."""

    TEXT = "text"
    HYPOTHESIS = "hypothesis"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one side that the recognizer looked at."""

    side: Side
    start: int
    """The first character."""
    end: int
    """The character after the last."""
    kind: str
    """What it is, e.g. `4-gram`."""
    strength: float
    """How much it speaks for entailment, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Link:
    """A span of the hypothesis and the span of the text that answers it."""

    hypothesis: int
    """The number of the span in the explanation's list."""
    text: int
    kind: str


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the arithmetic or of the reasoning."""

    what: str
    how: str
    """The formula with its numbers, e.g. `5 / 7`."""
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Weight:
    """What one feature adds to the score."""

    name: str
    value: float
    weight: float
    contribution: float
    """The weight times the value less the average."""
    average: float = 0.0
    """What the value is measured against: that of the pairs trained on, for some recognizers."""


@dataclass(frozen=True, slots=True)
class Section:
    """A small table of words, for what the other parts of an explanation cannot hold."""

    name: str
    """What programs find it by, e.g. `proof`."""
    title: str
    columns: tuple[str, ...]
    """What stands above each column; empty where there is nothing to say."""
    rows: Sequence[tuple[str, ...]]
    folded: bool = False
    """Whether it is shown only to those who ask for it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a score rests on."""

    spans: Sequence[Span] = ()
    links: Sequence[Link] = ()
    steps: Sequence[Step] = ()
    weights: Sequence[Weight] = ()
    sections: Sequence[Section] = ()

    def section(self, name: str) -> Section | None:
        """The section of a name, if there is one."""
        return next((each for each in self.sections if each.name == name), None)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A verdict with what it rests on."""

    pair: Pair
    verdict: Verdict
    signature: Signature
    evidence: Evidence

    def to_json(self) -> dict[str, Any]:
        """The explanation in values that JSON can hold."""
        return {
            "text": self.pair.text,
            "hypothesis": self.pair.hypothesis,
            "verdict": verdict_to_json(self.verdict),
            "signature": self.signature.to_json(),
            **asdict(self.evidence),
        }

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        # reports build on recognizers and not the other way round: found only when it is shown
        face = import_module("ensue.reports.contents.explanation")
        return str(face.explanation_fragment(self))
