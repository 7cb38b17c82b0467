"""When things are said to happen: tenses and dates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ensue.features.comparison import Feature, FeatureGroup, PairComparison
from ensue.language.contexts import Tense
from ensue.language.values import Value, ValueAgreement, ValueKind, agreement

# When things are said to happen.

_TENSE_FEATURES = (
    Feature(
        "tense.same",
        "Two aligned predicates have the same tense: past (also *has left*), present or future.",
        ("Boris left.", "Boris has left."),
    ),
    Feature(
        "tense.different",
        "Two aligned predicates have different tenses; infinitives without one do not count.",
        ("Boris will leave.", "Boris left."),
    ),
)


def _measure_tense(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    same = different = False
    for each in pair.predicates:
        text = pair.text.contexts.tenses[each.text]
        hypothesis = pair.hypothesis.contexts.tenses[each.hypothesis]
        if Tense.NONE not in (text, hypothesis):
            same = same or text is hypothesis
            different = different or text is not hypothesis
    return same, different


TENSE = FeatureGroup("Tense", _TENSE_FEATURES, _measure_tense)


# Dates, times and numbers as values.

_TIMES = frozenset((ValueKind.DATE, ValueKind.TIME))
_GOOD = frozenset((ValueAgreement.SAME, ValueAgreement.FOLLOWS))

_DATES_FEATURES = (
    Feature(
        "dates.date-match",
        "A date or time of the hypothesis is in the text or follows from one there, as a year from a"
        " day in it.",
        ("Anna was born on 15 September 1994.", "Anna was born in 1994."),
    ),
    Feature(
        "dates.date-mismatch",
        "A date or time of the hypothesis does not follow from any of the text, and one of them"
        " excludes it.",
        ("Anna was born in 1994.", "Anna was born in 1995."),
    ),
    Feature(
        "dates.date-missing",
        "No date or time of the text bears out or excludes one of the hypothesis: there is none, or it"
        " leaves that open, as a year does the day.",
        ("Anna was born in Rome.", "Anna was born in 1995."),
    ),
    Feature(
        "dates.number-match",
        "A number, amount or percentage of the hypothesis is in the text or follows from one of the"
        " same unit there, as more than 20 from 25.",
        ("Anna has two dogs.", "Anna has 2 dogs."),
    ),
    Feature(
        "dates.number-mismatch",
        "A number, amount or percentage of the hypothesis does not follow from any of the text, and"
        " one of the same unit excludes it.",
        ("The legal age is 62.", "The legal age is 64."),
    ),
    Feature(
        "dates.number-missing",
        "No number, amount or percentage of the text bears out or excludes one of the hypothesis:"
        " there is none of its unit, or it leaves that open, as more than 20 does 25.",
        ("Anna has dogs.", "Anna has 2 dogs."),
    ),
)


def _measure_dates(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    text: dict[ValueKind, list[Value]] = {}
    for value in _distinct(pair.text.graph.values):
        text.setdefault(value.kind, []).append(value)
    dates: set[str] = set()
    numbers: set[str] = set()
    for value in _distinct(pair.hypothesis.graph.values):
        states = dates if value.kind in _TIMES else numbers
        states.add(_state(value, text.get(value.kind, ())))
    return (*_flags(dates), *_flags(numbers))


def _distinct(values: Iterable[Value | None]) -> Iterable[Value]:
    return dict.fromkeys(value.without_place() for value in values if value is not None)


def _state(value: Value, text: Sequence[Value]) -> str:
    """How a value of the hypothesis stands to the best of those of its kind in the text."""
    state = "missing"
    for other in text:
        answer = agreement(other, value)
        if answer in _GOOD:
            return "match"
        if answer is ValueAgreement.DIFFERENT:
            state = "mismatch"
    return state


def _flags(states: set[str]) -> tuple[bool, bool, bool]:
    return "match" in states, "mismatch" in states, "missing" in states


DATES = FeatureGroup("Dates", _DATES_FEATURES, _measure_dates)
