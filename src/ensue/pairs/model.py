"""Labels, Pair, Verdict and Signature: the values that pass between the rooms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from numbers import Integral, Real
from shlex import quote
from typing import Any

from ensue.errors import ArgumentError, LabelError, UnknownNameError
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
    "entails": Label.ENTAILMENT,
    "neutral": Label.UNKNOWN,
    "supports": Label.ENTAILMENT,
    "refutes": Label.CONTRADICTION,
    "not enough info": Label.UNKNOWN,
    "true": Label.ENTAILMENT,
    "false": Label.NOT_ENTAILMENT,
    "yes": Label.ENTAILMENT,
    "no": Label.NOT_ENTAILMENT,
}
"""What names mean where no format says otherwise."""


_NUMBERS: LabelTable = {
    "0": Label.ENTAILMENT,
    "1": Label.UNKNOWN,
    "2": Label.CONTRADICTION,
    "-1": None,
}
_WORDS: LabelTable = {
    "entailment": Label.ENTAILMENT,
    "neutral": Label.UNKNOWN,
    "contradiction": Label.CONTRADICTION,
    "-": None,
}
_TWO_WAY: LabelTable = {
    "entailment": Label.ENTAILMENT,
    "not_entailment": Label.NOT_ENTAILMENT,
    "-1": None,
}
LETTERS: LabelTable = {"e": Label.ENTAILMENT, "n": Label.UNKNOWN, "c": Label.CONTRADICTION}
"""ANLI's own files."""
SCITAIL_LABELS: LabelTable = {
    "entails": Label.ENTAILMENT,
    "entailment": Label.ENTAILMENT,
    "neutral": Label.NOT_ENTAILMENT,
}
"""SciTail has two labels; its `neutral` is whatever is not entailed."""

PRESETS: Mapping[str, LabelTable] = {
    "hf": {**_WORDS, **_NUMBERS},
    "snli": {**_WORDS, **_NUMBERS},
    "mnli": {**_WORDS, **_NUMBERS},
    "anli": {**_WORDS, **_NUMBERS, **LETTERS},
    "glue": {**_TWO_WAY, "0": Label.ENTAILMENT, "1": Label.NOT_ENTAILMENT},
    "wnli": {**_TWO_WAY, "0": Label.NOT_ENTAILMENT, "1": Label.ENTAILMENT},
    "scitail": SCITAIL_LABELS,
}
"""What the labels of well-known data mean, by the names that `--label` takes."""


def label_preset(name: str) -> LabelTable:
    """What the labels of well-known data mean.

    >>> label_preset("hf")["2"]
    <Label.CONTRADICTION: 'contradiction'>

    Raises:
        UnknownNameError: nothing is known by that name.
    """
    if name not in PRESETS:
        raise UnknownNameError.of("preset of labels", name, PRESETS)
    return PRESETS[name]


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Names of labels that may mean two things where others stand beside them."""

    names: frozenset[str]
    beside: frozenset[str]
    meanings: tuple[Label, Label]

    def is_in(self, seen: AbstractSet[str]) -> bool:
        """Whether names that were seen are ambiguous together."""
        return not (self.names.isdisjoint(seen) or self.beside.isdisjoint(seen))


class LabelMapper:
    """Map the labels of one file by an explicit table, and notice when the file is ambiguous.

    `NO` is "not entailed" in a 2-way file and "contradicted" in RTE-3's 3-way files. Which of the
    two is never guessed: a `NO` (or `FALSE`) beside an `UNKNOWN` is an error until it is mapped.
    So is `neutral` beside SciTail's `entails`, where it is all that is not entailed.

    Args:
        table: What names mean.
        overrides: What the user says that they mean.
        needed: Whether the labels are needed. Where they are not, one that is not understood means
            nothing and is noted in `unknown`.
    """

    def __init__(
        self,
        table: LabelTable,
        overrides: Mapping[str, Label | None] | None = None,
        *,
        needed: bool = True,
    ) -> None:
        overrides = {name.strip().lower(): label for name, label in (overrides or {}).items()}
        self.table: LabelTable = {**table, **overrides}
        """The names known here, in lower case."""
        self.unknown: list[str] = []
        """Names that were met and are not understood, where that is no error; at most a few."""
        self.needed = needed
        """Whether a label that is not understood is an error."""
        self.ambiguities = tuple(_ambiguities(self.table, overrides)) if needed else ()
        """What does not go together."""
        self.telling = frozenset[str]().union(
            *(each.names | each.beside for each in self.ambiguities)
        )
        """The names, in lower case, that can make a file ambiguous; none where nothing can."""
        self._seen: dict[str, str] = {}

    def are_clear(self, names: Iterable[str]) -> bool:
        """Whether labels of these names go together in one file, whatever their order."""
        seen = {name.strip().lower() for name in names}
        return not any(each.is_in(seen) for each in self.ambiguities)

    def __call__(self, name: str, *, place: str | None = None) -> Label | None:
        """The label of that name, whatever its case.

        Raises:
            LabelError: the table does not have the name, or the file's labels are ambiguous.
        """
        key = name.strip().lower()
        if key not in self.table:
            self._note_unknown(name, place)
            return None
        if key in self.telling:
            self._see(key, name, place)
        return self.table[key]

    def hint(self, names: Iterable[str]) -> str:
        """How to map those of some labels that are not understood."""
        distinct = dict.fromkeys(name.strip() for name in names)
        return label_hint([name for name in distinct if name and name.lower() not in self.table])

    def hinted(self, error: LabelError, names: Iterable[str]) -> LabelError:
        """The error about a label, with the hint that it makes together with others of its file."""
        if error.code == "unknown-label-known":
            error.hint = self.hint(names)
        return error

    def _note_unknown(self, name: str, place: str | None) -> None:
        if not self.needed:
            if name not in self.unknown and len(self.unknown) < MOST_SHOWN:
                self.unknown.append(name)
            return
        known = ", ".join(sorted(self.table))
        raise LabelError(
            "unknown-label-known",
            f"unknown label {name!r}; known here are: {known}",
            place=place,
            hint=self.hint([name]),
        )

    def _see(self, key: str, name: str, place: str | None) -> None:
        self._seen.setdefault(key, name)
        for each in self.ambiguities:
            if each.is_in(self._seen.keys()):
                raise _ambiguous(each, self._seen, place)


MOST_SHOWN = 12
"""Labels that a message names."""
_LETTERED = ("anli", "scitail")


def label_hint(names: Sequence[str]) -> str:
    """How to map labels that no table has, by what these labels are.

    >>> label_hint(["0", "2", "1"])
    '--label hf, where 0 is entailment, 2 contradiction, 1 unknown'
    """
    keys = [name.lower() for name in names]
    two_way = [preset for preset in ("glue", "wnli") if PRESETS[preset].keys() >= set(keys)]
    fitting = [preset for preset in ("hf", *_LETTERED) if PRESETS[preset].keys() >= set(keys)]
    # of three labels, all three are soon seen
    chosen = two_way if {"0", "1"} <= set(keys) and two_way else [*fitting[:1], *two_way]
    if not chosen or not keys:
        shown = [name for name in names[:MOST_SHOWN] if name] or ["NAME"]
        options = " ".join(f"--label {quote(f'{name}=LABEL')}" for name in shown)
        known = ", ".join(label.value for label in Label)
        return f"say what they mean: {options}, where LABEL is one of {known}, none"
    return "; or ".join(f"--label {preset}, where {_meant(preset, keys)}" for preset in chosen)


def _meant(preset: str, keys: Iterable[str]) -> str:
    said = [(key, label.value if (label := PRESETS[preset][key]) else "no gold") for key in keys]
    (key, meaning), *others = said
    return ", ".join([f"{key} is {meaning}", *(f"{key} {meaning}" for key, meaning in others)])


def _ambiguities(table: LabelTable, overrides: Mapping[str, Label | None]) -> Iterator[Ambiguity]:
    fine = frozenset(
        name for name, label in table.items() if label in (Label.CONTRADICTION, Label.UNKNOWN)
    )
    no = frozenset(
        name
        for name in ("no", "false")
        if table.get(name) is Label.NOT_ENTAILMENT and name not in overrides
    )
    if no and fine:
        yield Ambiguity(no, fine, (Label.CONTRADICTION, Label.NOT_ENTAILMENT))
    if table.get("neutral") is Label.UNKNOWN and "entails" in table and "neutral" not in overrides:
        meanings = (Label.UNKNOWN, Label.NOT_ENTAILMENT)
        yield Ambiguity(frozenset({"neutral"}), frozenset({"entails"}), meanings)


def _ambiguous(found: Ambiguity, seen: Mapping[str, str], place: str | None) -> LabelError:
    vague, other = (
        next(name for key, name in seen.items() if key in names)
        for names in (found.names, found.beside)
    )
    one, two = (meaning.value for meaning in found.meanings)
    which = f"--label {vague}={one} or --label {vague}={two}"
    return LabelError(
        "file-mean-contradiction-not-entailment",
        f"{vague!r} and {other!r} in one file: {vague!r} may mean {one} or {two}",
        place=place,
        hint=f"say which: {which}{', as in --label scitail' * ('entails' in found.beside)}",
    )


# A pair, and a verdict on it.


def id_text(value: Any) -> str | None:
    """An id as a text, empty where there is none; None where it is neither a text nor a number.

    >>> id_text(" 7 "), id_text(7), id_text(7.5), id_text(True)
    ('7', '7', '7.5', None)
    """
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    is_finite = isinstance(value, Integral) or math.isfinite(value)
    return str(value) if is_finite else None


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

    def __post_init__(self) -> None:
        # said here, where the mistake is, and not by whatever first reads the pair
        if not (
            self.id.__class__ is str
            and self.text.__class__ is str
            and self.hypothesis.__class__ is str
            and (self.gold is None or self.gold.__class__ is Label)
        ):
            self._check()

    def _check(self) -> None:
        for name in ("text", "hypothesis"):
            if not isinstance(getattr(self, name), str):
                raise ArgumentError.of(name, "a text", getattr(self, name))
        if not isinstance(self.id, str):
            shown = id_text(self.id)
            if not shown:
                raise ArgumentError.of("id", "a text or a number", self.id)
            object.__setattr__(self, "id", shown)
        if self.gold is not None and not isinstance(self.gold, Label):
            raise ArgumentError.of("gold", "a Label or None", self.gold)


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
        if self.label is not None and self.label.__class__ is not Label:
            raise ArgumentError.of("label", "a Label or None", self.label)
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
        """The inverse of `to_json`.

        Raises:
            KeyError: recognizer or version is not there.
            TypeError: a value is of a kind that no signature has.
            ValueError: the view is none, or a text where a number belongs.
        """
        _check_kind(record, Mapping)
        found = cls(
            recognizer=record["recognizer"],
            version=record["version"],
            settings=record.get("settings", {}),
            view=View(record.get("view", View.TWO_WAY)),
            cutoff=number_from_json(record.get("cutoff")),
            score_range=_range_from_json(record.get("score_range")),
            tuned_on=record.get("tuned_on"),
        )
        for name in (found.recognizer, found.version):
            _check_kind(name, str)
        for some in (found.settings, found.tuned_on or {}):
            _check_kind(some, Mapping)
        return found


def _check_kind(value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is not what a signature holds there")


def _range_from_json(ends: Any) -> tuple[float, float] | None:
    if ends is None:
        return None
    low, high = map(number_from_json, ends)
    if low is None or high is None:
        raise ValueError(f"{ends!r} is no range")
    return low, high


def number_to_json(number: float | None) -> float | str | None:
    """A number as strict JSON can hold it: infinities become texts.

    >>> number_to_json(float("-inf")), number_to_json(0.5)
    ('-inf', 0.5)
    """
    if number is not None and math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return number


def number_from_json(value: float | str | None) -> float | None:
    """The inverse of `number_to_json`.

    Raises:
        TypeError: it is no number.
        ValueError: it is none that a float can hold.
    """
    try:
        return None if value is None else float(value)
    except OverflowError:
        raise ValueError("a number is too large") from None


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(value)  # in full: a rounded cutoff does not repeat the verdicts
    if isinstance(value, list | tuple):
        return ",".join(map(_shown, value))
    return str(value)
