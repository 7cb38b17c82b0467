"""A pair, a verdict on it, and a finding about data: the values that pass between the rooms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ensue.pairs.labels import Label


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


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem in data, reported and not raised."""

    code: str
    """Stable, e.g. `duplicate-id`."""
    severity: Severity
    message: str
    place: str | None = None
    """`file:line`, where there is one place."""
    pair_ids: tuple[str, ...] = ()
    """The pairs that it concerns, at most a few."""
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Numbers behind the message, in values that JSON can hold."""
