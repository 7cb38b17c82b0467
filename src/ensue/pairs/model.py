"""Labels, Pair, Verdict and Signature: the values that pass between the rooms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ensue.errors import LabelError
from ensue.files import Finding as Finding, Severity as Severity

# Labels, the views in which two labellings are compared, and the tables that map other names.


class Label(StrEnum):
    """What holds between a text and a hypothesis."""

    ENTAILMENT = "entailment"
    """The hypothesis follows from the text."""
    CONTRADICTION = "contradiction"
    """The hypothesis is false if the text is true."""
    UNKNOWN = "unknown"
    """Neither follows nor is excluded."""
    NOT_ENTAILMENT = "not-entailment"
    """Contradiction or unknown, in 2-way gold and 2-way recognizers."""


class View(StrEnum):
    """The set of labels in which two labellings are compared."""

    TWO_WAY = "2-way"
    THREE_WAY = "3-way"

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels of this view, entailment first."""
        if self is View.TWO_WAY:
            return (Label.ENTAILMENT, Label.NOT_ENTAILMENT)
        return (Label.ENTAILMENT, Label.CONTRADICTION, Label.UNKNOWN)

    @property
    def chance(self) -> float:
        """The accuracy of guessing: 1 over the number of labels."""
        return 1 / len(self.labels)

    def of(self, label: Label) -> Label:
        """The label as this view sees it.

        >>> View.TWO_WAY.of(Label.CONTRADICTION)
        <Label.NOT_ENTAILMENT: 'not-entailment'>
        """
        if self is View.TWO_WAY and label is not Label.ENTAILMENT:
            return Label.NOT_ENTAILMENT
        if self is View.THREE_WAY and label is Label.NOT_ENTAILMENT:
            raise LabelError(
                "not-entailment-no-place-way", "'not-entailment' has no place in a 3-way view"
            )
        return label


def coarser_view(*labellings: Iterable[Label]) -> View:
    """The finest view in which all the labellings can be compared.

    3-way needs a contradiction or an unknown somewhere and a not-entailment nowhere.

    >>> coarser_view([Label.ENTAILMENT, Label.UNKNOWN], [Label.ENTAILMENT])
    <View.THREE_WAY: '3-way'>
    >>> coarser_view([Label.ENTAILMENT, Label.UNKNOWN], [Label.NOT_ENTAILMENT])
    <View.TWO_WAY: '2-way'>
    """
    seen = {label for labelling in labellings for label in labelling}
    fine = Label.CONTRADICTION in seen or Label.UNKNOWN in seen
    return View.THREE_WAY if fine and Label.NOT_ENTAILMENT not in seen else View.TWO_WAY


LabelTable = Mapping[str, Label | None]
"""Names in a file, in lower case, and what they mean; None is "no gold"."""

PLAIN_LABELS: LabelTable = {label.value: label for label in Label} | {
    "not_entailment": Label.NOT_ENTAILMENT,
    "neutral": Label.UNKNOWN,
    "true": Label.ENTAILMENT,
    "false": Label.NOT_ENTAILMENT,
    "yes": Label.ENTAILMENT,
    "no": Label.NOT_ENTAILMENT,
}
"""What names mean where no format says otherwise."""


class LabelMapper:
    """Map the labels of one file by an explicit table, and notice when the file is ambiguous.

    `NO` is "not entailed" in a 2-way file and "contradicted" in RTE-3's 3-way files. Which of the
    two is never guessed: a `NO` (or `FALSE`) beside an `UNKNOWN` is an error until it is mapped.
    """

    def __init__(
        self, table: LabelTable, overrides: Mapping[str, Label | None] | None = None
    ) -> None:
        overrides = {name.strip().lower(): label for name, label in (overrides or {}).items()}
        self.table: LabelTable = {**table, **overrides}
        """The names known here, in lower case."""
        self.vague = frozenset(
            name
            for name in ("no", "false")
            if table.get(name) is Label.NOT_ENTAILMENT and name not in overrides
        )
        """The names that mean something else beside one of `fine`."""
        self.fine = frozenset(
            name
            for name, label in self.table.items()
            if label in (Label.CONTRADICTION, Label.UNKNOWN)
        )
        """The names of what is finer than "not entailed"."""
        self._seen_vague: str | None = None
        self._seen_fine: str | None = None

    @property
    def telling(self) -> frozenset[str]:
        """The names, in lower case, that can make a file ambiguous; none where nothing can."""
        return self.vague | self.fine if self.vague else frozenset()

    def are_clear(self, names: Iterable[str]) -> bool:
        """Whether labels of these names go together in one file, whatever their order."""
        keys = {name.strip().lower() for name in names}
        return not (keys & self.vague and keys & self.fine)

    def __call__(self, name: str, *, place: str | None = None) -> Label | None:
        """The label of that name, whatever its case.

        Raises:
            LabelError: the table does not have the name, or the file's labels are ambiguous.
        """
        key = name.strip().lower()
        if key not in self.table:
            raise LabelError(
                "unknown-label-known",
                f"unknown label {name!r}; known here are: {', '.join(sorted(self.table))}",
                place=place,
                hint=f"map it, e.g. --read label:{name.strip() or 'NAME'}=not-entailment",
            )
        label = self.table[key]
        if key in self.vague:
            self._seen_vague = name
        elif key in self.fine:
            self._seen_fine = name
        if self._seen_vague and self._seen_fine:
            vague = self._seen_vague
            raise LabelError(
                "file-mean-contradiction-not-entailment",
                f"{vague!r} and {self._seen_fine!r} in one file: {vague!r} may mean"
                " contradiction or not-entailment",
                place=place,
                hint=f"say which: --read label:{vague}=contradiction or --read label:{vague}=not-entailment",
            )
        return label


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
