"""The roles of recognizers, the schema of explanations, and settings as dataclasses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from importlib import import_module
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Protocol,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

from numpy.typing import NDArray

from ensue.errors import ArgumentError, SettingError, UnknownNameError, check_list
from ensue.pairs import Pair, Signature, Verdict, verdict_to_json

if TYPE_CHECKING:
    from ensue.language import CallPool

# Why a recognizer judges a pair as it does: one schema for every recognizer.


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
class EvidenceSection:
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
    sections: Sequence[EvidenceSection] = ()

    def section(self, name: str) -> EvidenceSection | None:
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
        face = import_module("ensue.reports.explanation")
        return str(face.explanation_fragment(self))


# The roles: what judges pairs, what can be trained, and what an entry point names.


def checked_pairs(pairs: Sequence[Pair]) -> Sequence[Pair]:
    """The pairs that a recognizer was given.

    Raises:
        ArgumentError: they are none.
    """
    check_list("pairs", pairs, Pair, "a Pair")
    return pairs


def checked_pair(pair: Pair) -> Pair:
    """The pair that a recognizer is to explain.

    Raises:
        ArgumentError: it is none.
    """
    if not isinstance(pair, Pair):
        raise ArgumentError.of("pair", "a Pair", pair)
    return pair


Arrays = Mapping[str, NDArray[Any]]
"""What a trained recognizer has learned, as it is kept in an `.npz` file."""


@runtime_checkable
class Recognizer(Protocol):
    """Anything that judges pairs."""

    @property
    def signature(self) -> Signature:
        """The recipe that repeats the verdicts."""

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict for each pair: same order, same length, deterministic."""

    def explain(self, pair: Pair) -> Explanation:
        """Why this pair is judged as it is."""


@runtime_checkable
class Trainable(Protocol):
    """A recognizer that learns from gold pairs; training gives a new object."""

    @property
    def tunes(self) -> bool:
        """Whether training sets the cutoff."""

    def fit(self, pairs: Sequence[Pair], *, seed: int, name: str = "pairs") -> Recognizer:
        """A recognizer trained on these pairs; `name` is what its signature calls them."""


@runtime_checkable
class Storable(Protocol):
    """A recognizer that can be kept in a directory."""

    @property
    def signature(self) -> Signature:
        """The recipe, with every setting."""

    def arrays(self) -> Arrays:
        """What it has learned beside its signature."""


@runtime_checkable
class Parallel(Protocol):
    """A recognizer that can leave work to a pool; what it says does not depend on that."""

    def with_pool(self, pool: CallPool | None) -> Recognizer:
        """The same recognizer, with a pool for large batches; None for none."""


class RecognizerKind(Protocol):
    """What an entry point of the group `ensue.recognizers` names."""

    @property
    def name(self) -> str:
        """The name on the command line."""

    @property
    def summary(self) -> str:
        """One line for lists."""

    def build(self, settings: Mapping[str, object]) -> Recognizer:
        """A recognizer with these settings, given as values or as text."""

    def restore(self, signature: Signature, arrays: Arrays) -> Recognizer:
        """The recognizer that was kept with this signature and these arrays."""


# Settings as frozen dataclasses, filled from values or from text such as `order=3`.

S = TypeVar("S")

_BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def filled(settings: type[S], given: Mapping[str, object]) -> S:
    """An object of the settings class with the given values, its defaults for the rest.

    Raises:
        UnknownNameError: there is no such setting.
        SettingError: a value is not of the setting's type.
    """
    hints = get_type_hints(settings)
    known = {field.name for field in fields(settings)}  # type: ignore[arg-type]
    values = {}
    for name, value in given.items():
        if name not in known:
            raise UnknownNameError.of("setting", name, known)
        values[name] = _as(hints[name], value, name)
    return settings(**values)


def _as(kind: Any, value: object, name: str) -> object:
    options = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    if value is None and type(None) in options:
        return None
    kind = next(option for option in options if option is not type(None))
    try:
        return _converted(kind, value)
    except (ValueError, TypeError, KeyError):
        raise SettingError(
            "setting-cannot",
            f"setting {name!r} cannot be {value!r}",
            hint=f"it takes {_described(kind)}",
        ) from None


def _converted(kind: Any, value: Any) -> object:
    if get_origin(kind) is tuple:
        parts = value.split(",") if isinstance(value, str) else list(value)
        return tuple(_converted(get_args(kind)[0], part) for part in parts)
    if kind is bool:
        return value if isinstance(value, bool) else _BOOLEANS[str(value).lower()]
    if isinstance(value, bool):
        raise TypeError
    if kind is int and isinstance(value, float):
        raise TypeError
    return kind(value)


def _described(kind: Any) -> str:
    if get_origin(kind) is tuple:
        return f"{_described(get_args(kind)[0])}s, separated by commas"
    if issubclass(kind, StrEnum):
        return "one of " + ", ".join(kind)
    return {bool: "yes or no", int: "a whole number", float: "a number"}.get(kind, "a text")
