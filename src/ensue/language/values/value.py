"""A value (number, amount, share, date, time), and whether one makes another true."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from math import inf

from ensue.language.values.tables import SIZES

# What is said with figures: a value, and how one stands to another.


class ValueKind(StrEnum):
    """What a value measures."""

    NUMBER = "number"
    AMOUNT = "amount"
    """Of money."""
    PERCENT = "percent"
    MEASURE = "measure"
    """A number with a unit: 5 km, 3 years, 20 degrees."""
    ORDINAL = "ordinal"
    DATE = "date"
    TIME = "time"


class ValueAgreement(StrEnum):
    """How a hypothesis's value stands to a text's."""

    SAME = "same"
    FOLLOWS = "follows"
    """Not equal, but true where the text's is: 25, more than 20."""
    OPEN = "open"
    """May be true or not: more than 20, 25."""
    DIFFERENT = "different"
    """Not true where the text's is: 62, 64."""
    INCOMPARABLE = "incomparable"
    """Of another kind or unit."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value and the tokens that say it."""

    kind: ValueKind
    first: int
    """The first token, with whatever limits the value: of "more than 20", "more"."""
    last: int
    """The token after the last."""
    low: float = 0.0
    """The least that it may be, in units: 27.5e9 for "27.5 billion"; -inf for no limit."""
    high: float = 0.0
    """The most; equal to `low` for an exact number. Dates and times have neither."""
    approximate: bool = False
    """About so much; of dates, somewhere in or around it."""
    unit: str = ""
    """A currency's code, `percent`, `percentage point`, or a unit's name in the singular."""
    strict: bool = False
    """Whether the limits themselves are excluded, as 20 is by "more than 20"."""
    year_low: int | None = None
    """The first year of a date: 1990 for "the 1990s"; negative before Christ."""
    year_high: int | None = None
    """The last year, equal to `year_low` for a date in one year."""
    month: int | None = None
    """From 1."""
    day: int | None = None
    weekday: int | None = None
    """0 for Monday."""
    part: str = ""
    """Of a year or month: early, mid, late, or a season."""
    hour: int | None = None
    """0 to 23."""
    minute: int | None = None
    twelve_hour: bool = False
    """Whether the hour may be in either half of the day: "3:30"."""

    @property
    def year(self) -> int | None:
        """The year of a date that lies in one."""
        return self.year_low if self.year_low == self.year_high else None

    @property
    def is_exact(self) -> bool:
        """Whether it is one number, date or time and not a range, limit or estimate."""
        same_year = self.year_low == self.year_high
        return self.low == self.high and same_year and not self.approximate and not self.twelve_hour

    def without_place(self) -> Value:
        """What is said, wherever it stands: equal to all that say the same."""
        return replace(self, first=0, last=0)


# Whether a value of a text makes a value of a hypothesis true.

_NEAR = 0.1
"""What is this close, as a part of the number, is about as much."""
_FAR = 0.25
"""What is farther away is certainly not about as much."""
_CONVERTED = 0.02
"""How far two numbers in different units may lie apart and still be the same: 5 miles, 8 km."""
_THIRDS = 0.7
"""How far a share without an end, as two thirds, may lie from a percentage: 66, 66.7, 67."""
_ABOUT_MINUTES = 30
_HALF_DAY = 720
_SEASONS = frozenset(("spring", "summer", "autumn", "winter"))


def agreement(text: Value, hypothesis: Value) -> ValueAgreement:
    """How a hypothesis's value stands to a text's.

    Of "more than 20" and 20, neither follows from the other and neither is excluded: writers say
    both of one number. An estimate covers what is within a tenth of it, and excludes what is farther
    than a quarter; "about 27" is taken for 27.
    """
    if text.kind is not hypothesis.kind:
        return ValueAgreement.INCOMPARABLE
    if text.kind is ValueKind.DATE:
        return _of_dates(text, hypothesis)
    if text.kind is ValueKind.TIME:
        return _of_times(text, hypothesis)
    if text.unit == hypothesis.unit:
        return _of_numbers(text, hypothesis, 1.0, 1.0)
    return _of_units(text, hypothesis)


def _of_units(text: Value, hypothesis: Value) -> ValueAgreement:
    """Numbers in two units, which are compared where both measure the same."""
    dimension, size = SIZES.get(text.unit, ("", 1.0))
    other, other_size = SIZES.get(hypothesis.unit, ("", 1.0))
    if not dimension or dimension != other:
        return ValueAgreement.INCOMPARABLE
    return _of_numbers(text, hypothesis, size, other_size)


def _of_numbers(text: Value, hypothesis: Value, size: float, other_size: float) -> ValueAgreement:
    low, high = text.low * size, text.high * size
    other_low, other_high = hypothesis.low * other_size, hypothesis.high * other_size
    slack = _slack(text, hypothesis)
    if _is_close(low, other_low, slack) and _is_close(high, other_high, slack):
        return _of_equals(text, hypothesis)
    if _covers(text, hypothesis, (low, high), (other_low, other_high)):
        return ValueAgreement.FOLLOWS
    if _gap(text, hypothesis, (low, high), (other_low, other_high)) > 0:
        return ValueAgreement.DIFFERENT
    return ValueAgreement.OPEN


def _slack(text: Value, hypothesis: Value) -> float:
    """How far apart, as a part of the larger, two equal numbers may lie."""
    if text.unit != hypothesis.unit:
        return _CONVERTED
    if text.kind is ValueKind.PERCENT and (_is_endless(text.low) or _is_endless(hypothesis.low)):
        # `two thirds` is 66.67 percent, of which writers make 66, 66.7 or 67: a distance in points,
        # given back as a part of the number
        return _THIRDS / max(abs(text.low), abs(hypothesis.low), 1.0)
    return 1e-9


def _is_endless(percent: float) -> bool:
    """Whether a percentage has more decimals than anybody writes, as a third has."""
    return percent not in (inf, -inf) and abs(percent - round(percent, 3)) > 1e-9


def _is_close(one: float, other: float, slack: float) -> bool:
    if one == other:
        return True
    size = max(abs(one), abs(other))
    return size < inf and abs(one - other) <= slack * size


def _of_equals(text: Value, hypothesis: Value) -> ValueAgreement:
    """Two values with the same limits, of which one may be an estimate or exclude its limit."""
    if text.approximate != hypothesis.approximate:
        return ValueAgreement.FOLLOWS  # people read "about 30" as 30, and the reverse
    if text.strict != hypothesis.strict:
        # `more than 20` makes `at least 20` true; from `at least 20` it does not follow that it is
        # more
        return ValueAgreement.FOLLOWS if text.strict else ValueAgreement.OPEN
    return ValueAgreement.SAME


def _covers(
    text: Value, hypothesis: Value, one: tuple[float, float], other: tuple[float, float]
) -> bool:
    """Whether all that a text's number may be is within what the hypothesis's may."""
    low, high = one
    # `about 27` is inside `more than 20`, but not inside `more than 26`: what it may be must all be
    # within
    if text.approximate and not hypothesis.approximate:
        low, high = _widened(low, high, _NEAR)
    other_low, other_high = _widened(*other, _NEAR) if hypothesis.approximate else other
    touching = low == other_low > -inf or high == other_high < inf
    # 20 is not `more than 20`
    if touching and hypothesis.strict and not text.strict:
        return False
    return other_low <= low and high <= other_high


def _gap(
    text: Value, hypothesis: Value, one: tuple[float, float], other: tuple[float, float]
) -> float:
    """How far apart two numbers are at least."""
    # to be different, two estimates must be apart even when read generously, hence the wider limit
    # than for being the same
    low, high = _widened(*one, _FAR) if text.approximate else one
    other_low, other_high = _widened(*other, _FAR) if hypothesis.approximate else other
    return max(other_low - high, low - other_high)


def _widened(low: float, high: float, part: float) -> tuple[float, float]:
    return low - part * abs(low), high + part * abs(high)


def _of_dates(text: Value, hypothesis: Value) -> ValueAgreement:
    fields = (
        _of_years(text, hypothesis),
        _of_fields(text.month, hypothesis.month),
        _of_fields(text.day, hypothesis.day),
        _of_weekdays(text, hypothesis),
        _of_parts(text.part, hypothesis.part),
    )
    return _weakest(fields)


def _weakest(fields: Iterable[ValueAgreement]) -> ValueAgreement:
    """What several fields come to: one that differs decides, then one that is open."""
    found = set(fields)
    for each in (ValueAgreement.DIFFERENT, ValueAgreement.OPEN, ValueAgreement.FOLLOWS):
        if each in found:
            return each
    return ValueAgreement.SAME


def _of_fields(text: int | None, hypothesis: int | None) -> ValueAgreement:
    if text == hypothesis:
        return ValueAgreement.SAME
    # `on 5 May 1994` makes `in 1994` true, not the other way round; nothing is known of a field
    # that is left out
    if hypothesis is None:
        return ValueAgreement.FOLLOWS
    return ValueAgreement.OPEN if text is None else ValueAgreement.DIFFERENT


def _of_years(text: Value, hypothesis: Value) -> ValueAgreement:
    low, high, other_low, other_high = (
        text.year_low,
        text.year_high,
        hypothesis.year_low,
        hypothesis.year_high,
    )
    if low is None or high is None or other_low is None or other_high is None:
        return _of_fields(low, other_low)
    if high < other_low or other_high < low:
        return ValueAgreement.DIFFERENT
    if (low, high) == (other_low, other_high):
        return ValueAgreement.SAME
    return (
        ValueAgreement.FOLLOWS if other_low <= low and high <= other_high else ValueAgreement.OPEN
    )


def _of_weekdays(text: Value, hypothesis: Value) -> ValueAgreement:
    """Days of the week; a full date has one without saying so."""
    if text.weekday is None and hypothesis.weekday is None:
        return ValueAgreement.SAME
    # `on Thursday, 5 May 1994` and `5 May 1994` are the same day; `on Friday` is another one, as
    # the calendar says
    one = text.weekday if text.weekday is not None else _weekday(text)
    other = hypothesis.weekday if hypothesis.weekday is not None else _weekday(hypothesis)
    if one is None or other is None:
        return _of_fields(text.weekday, hypothesis.weekday)
    return ValueAgreement.SAME if one == other else ValueAgreement.DIFFERENT


def _weekday(value: Value) -> int | None:
    year, month, day = value.year, value.month, value.day
    if year is None or month is None or day is None:
        return None
    try:
        return date(year, month, day).weekday()
    except ValueError:  # there is no such day
        return None


def _of_parts(text: str, hypothesis: str) -> ValueAgreement:
    if text == hypothesis:
        return ValueAgreement.SAME
    if not hypothesis:
        return ValueAgreement.FOLLOWS
    # `early 1994` may or may not be `the winter of 1994`
    if not text or (text in _SEASONS) != (hypothesis in _SEASONS):
        return ValueAgreement.OPEN
    return ValueAgreement.DIFFERENT


def _of_times(text: Value, hypothesis: Value) -> ValueAgreement:
    """Times of the clock, in minutes round the day."""
    either = text.twelve_hour or hypothesis.twelve_hour
    # `3:30` may be of the night or the afternoon, so it agrees with 15:30; times are compared round
    # the clock, 23:50 being near 0:10
    around = _HALF_DAY if either else 2 * _HALF_DAY
    apart = abs(_minutes(text) - _minutes(hypothesis)) % around
    apart = min(apart, around - apart)
    about = text.approximate or hypothesis.approximate
    if apart > (_ABOUT_MINUTES if about else 0):
        return ValueAgreement.DIFFERENT
    if (text.twelve_hour and not hypothesis.twelve_hour) or (
        text.approximate and not hypothesis.approximate
    ):
        return ValueAgreement.OPEN
    same = text.approximate == hypothesis.approximate and text.twelve_hour == hypothesis.twelve_hour
    return ValueAgreement.SAME if same and apart == 0 else ValueAgreement.FOLLOWS


def _minutes(value: Value) -> int:
    return 60 * (value.hour or 0) + (value.minute or 0)


# What follows beyond that: by rounding, between scales of temperature, of parts of a year.

_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
_DEGREES = {"degree Celsius": (1.0, 0.0), "degree Fahrenheit": (5 / 9, -160 / 9)}
_NEAR_DEGREES = 0.6
_ROUNDING = 0.02
"""How far a number may be from what it is rounded to, as a part of it."""
_MONTHS_OF = {
    "early": range(1, 5),
    "mid": range(5, 9),
    "late": range(9, 13),
    "spring": range(3, 7),
    "summer": range(6, 10),
    "autumn": range(9, 13),
    "winter": (12, 1, 2, 3),
}


def figure_follows(text: Value, hypothesis: Value, written: str, said: str) -> bool:
    """Whether a value is true where another one is, by rules for which `agreement` is too strict.

    A figure may be rounded to fewer decimals (3.04 billion, 3 billion); a temperature may be told in
    another scale; a day in July lies in the summer.

    Args:
        text: What is known.
        hypothesis: What is asked.
        written: The words of the one.
        said: The words of the other.
    """
    if text.kind is not hypothesis.kind:
        return False
    if text.kind is ValueKind.DATE:
        return _in_part(text, hypothesis)
    if text.unit in _DEGREES and hypothesis.unit in _DEGREES and text.unit != hypothesis.unit:
        return abs(_celsius(text) - _celsius(hypothesis)) <= _NEAR_DEGREES
    if text.unit != hypothesis.unit or not (text.is_exact and hypothesis.is_exact):
        return False
    return _rounds(written, said) and abs(text.low - hypothesis.low) <= _ROUNDING * abs(text.low)


def _celsius(value: Value) -> float:
    size, shift = _DEGREES[value.unit]
    return value.low * size + shift


def _rounds(written: str, said: str) -> bool:
    """Whether one figure has fewer decimals than another, and is what that rounds to."""
    known, other = _FIGURE.search(written), _FIGURE.search(said)
    if known is None or other is None:
        return False
    decimals = [len(each.group().partition(".")[2]) for each in (known, other)]
    numbers = [float(each.group().replace(",", "")) for each in (known, other)]
    return decimals[1] < decimals[0] and round(numbers[0], decimals[1]) == numbers[1]


def _in_part(text: Value, hypothesis: Value) -> bool:
    """Whether a month lies in a part of a year that is named: July 1936, the summer of 1936."""
    months = _MONTHS_OF.get(hypothesis.part, ())
    is_year = text.year is not None and text.year == hypothesis.year
    return is_year and not text.part and hypothesis.month is None and text.month in months
