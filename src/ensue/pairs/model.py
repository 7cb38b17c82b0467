"""Pair, Verdict and Signature: the values that pass between the rooms."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ensue.files import Finding as Finding, Severity as Severity
from ensue.pairs.labels import Label, View

# A pair, and a verdict on it.


@dataclass(frozen=True, slots=True)
class Pair:
    """A text and a hypothesis, with what is known about them."""

    id: str
    """Unique in its data set."""
    text: str
    """What is given."""
    hypothesis: str
    """What may follow from it."""
    gold: Label | None = None
    """The annotated label, or None where there is none."""
    task: str | None = None
    """The application setting, e.g. `QA`."""
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Whatever else the file says, in values that JSON can hold."""


class Status(StrEnum):
    """How a verdict came about; "could not decide" is an answer of its own."""

    DECIDED = "decided"
    ABSTAINED = "abstained"
    BUDGET_EXHAUSTED = "budget-exhausted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A recognizer's answer for one pair."""

    pair_id: str
    label: Label | None
    """The decision; None unless the status is `decided`."""
    score: float | None = None
    """The recognizer's own number, larger means more entailed."""
    confidence: float | None = None
    """Confidence in the decision, in [0, 1]."""
    status: Status = Status.DECIDED
    reason: str | None = None
    """Why there is no decision; of one that is made in stages, which of them made it and at what cost."""

    def __post_init__(self) -> None:
        if (self.label is not None) != (self.status is Status.DECIDED):
            label = self.label.value if self.label else None
            raise ValueError(f"label {label!r} does not go with status {self.status.value!r}")
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise ValueError(f"confidence {self.confidence!r} is not in [0, 1]")


# The recipe that repeats a number: recognizer, settings, resources, seed, version.


@dataclass(frozen=True, slots=True)
class Signature:
    """What it takes to get the same verdicts again."""

    recognizer: str
    version: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Every setting with its value, in values that JSON can hold."""
    view: View = View.TWO_WAY
    """The labels that the recognizer gives."""
    cutoff: float | None = None
    """A score above it is a yes; None where there is no cutoff."""
    score_range: tuple[float, float] | None = None
    """The smallest and the largest score there can be."""
    tuned_on: Mapping[str, Any] | None = field(default=None, hash=False)
    """What the recognizer was trained on: name, number of pairs, hash."""

    def __str__(self) -> str:
        parts = [self.recognizer, *(f"{k}:{_shown(v)}" for k, v in self.settings.items())]
        if self.cutoff is not None:
            parts.append(f"cutoff:{_shown(self.cutoff)}")
        if self.tuned_on is not None:
            parts.append(f"tuned:{self.tuned_on.get('name', '?')}")
        return "|".join([*parts, f"version:{self.version}"])

    def to_json(self) -> dict[str, Any]:
        """The signature in values that JSON can hold; an infinite cutoff is the text `-inf`."""
        return {
            "recognizer": self.recognizer,
            "version": self.version,
            "settings": dict(self.settings),
            "view": self.view.value,
            "cutoff": number_to_json(self.cutoff),
            "score_range": list(self.score_range) if self.score_range else None,
            "tuned_on": dict(self.tuned_on) if self.tuned_on is not None else None,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Signature:
        """The inverse of `to_json`."""
        score_range = record.get("score_range")
        return cls(
            recognizer=record["recognizer"],
            version=record["version"],
            settings=record.get("settings", {}),
            view=View(record.get("view", View.TWO_WAY)),
            cutoff=number_from_json(record.get("cutoff")),
            score_range=(score_range[0], score_range[1]) if score_range else None,
            tuned_on=record.get("tuned_on"),
        )


def number_to_json(number: float | None) -> float | str | None:
    """A number as strict JSON can hold it: infinities become texts.

    >>> number_to_json(float("-inf")), number_to_json(0.5)
    ('-inf', 0.5)
    """
    if number is not None and math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return number


def number_from_json(value: float | str | None) -> float | None:
    """The inverse of `number_to_json`."""
    return None if value is None else float(value)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(value)  # in full: a rounded cutoff does not repeat the verdicts
    if isinstance(value, list | tuple):
        return ",".join(map(_shown, value))
    return str(value)
