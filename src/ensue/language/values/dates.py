"""Dates, read from tokens.

By hand: dateutil fills what is not said from today's date, and knows no decades.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ensue.language.values.numerals import read_ordinal
from ensue.language.values.tables import MONTHS, WEEKDAYS
from ensue.language.values.tokens import COUNTS, HYPHENS, NAMES, Tokens
from ensue.language.values.value import Value, ValueKind
from ensue.language.values.years import (
    FIRST_YEAR,
    LAST_YEAR,
    is_counting,
    part_before,
    read_century,
    read_decade,
    read_era,
    read_year,
    read_year_range,
    year_of,
    years_from,
)

_NUMERIC = re.compile(r"([0-9]{1,4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,4})")
_YEARS = re.compile(r"([0-9]{4})[-–—/]([0-9]{4}|[0-9]{2})")
_VERBS = frozenset(("MD", "VB", "VBD", "VBP", "VBZ"))


class _Day(NamedTuple):
    """The fields of a date and the token after it."""

    last: int
    year: int | None = None
    month: int | None = None
    day: int | None = None


def read_date(tokens: Tokens, i: int, floor: int) -> tuple[Value, int] | None:
    """The date that begins at a token; None where there is none."""
    word = tokens.words[i]
    name = word.rstrip(".")
    if name in WEEKDAYS:
        return _from_weekday(tokens, i, WEEKDAYS[name])
    found = _month_first(tokens, i) if name in MONTHS else _day_first(tokens, i)
    if found:
        return _dated(tokens, i, floor, found)
    if word[:1].isdigit() or word[:1] in "'’m":
        return _figures(tokens, i, floor)
    return read_century(tokens, i, floor)


def _dated(
    tokens: Tokens, i: int, floor: int, found: _Day, weekday: int | None = None
) -> tuple[Value, int]:
    """The value of a date, with the part of it that is meant: early May."""
    first, part = part_before(tokens, i, floor) if found.day is None else (i, "")
    return (
        Value(
            ValueKind.DATE,
            first,
            found.last,
            approximate=bool(part),
            year_low=found.year,
            year_high=found.year,
            month=found.month,
            day=found.day,
            weekday=weekday,
            part=part,
        ),
        found.last,
    )


def _from_weekday(tokens: Tokens, i: int, weekday: int) -> tuple[Value, int] | None:
    """A day of the week, and the day of the month after it."""
    if not _is_named_day(tokens, i):
        return None
    at = i + 2 if tokens.words[i + 1] == "," else i + 1
    at += 1 if tokens.words[at] == "the" else 0
    month = tokens.words[at].rstrip(".") in MONTHS
    found = (_month_first(tokens, at) if month else _day_first(tokens, at)) or _Day(i + 1)
    if found.day is None and found.last > i + 1:
        found = _Day(i + 1)
    value, last = _dated(tokens, i, i, found, weekday)
    return value, last


def _is_named_day(tokens: Tokens, i: int) -> bool:
    """Whether the word for a month or weekday is one here, and no name or verb."""
    return (
        tokens.forms[i][:1].isupper()
        and tokens.kinds[i] not in NAMES
        and tokens.tags[i] not in _VERBS
    )


def _month_first(tokens: Tokens, i: int) -> _Day | None:
    """May; May 2004; May 15; May 15th, 2004."""
    at, day = i + 1, _day(tokens, i + 1)
    if not _is_named_day(tokens, i) and not (day and tokens.kinds[i] == "EVENT"):
        return None
    month = MONTHS[tokens.words[i].rstrip(".")]
    if day:
        at += 1
        if tokens.words[at] in HYPHENS and _day(tokens, at + 1):  # May 15-17 keeps the month only
            at, day = at + 2, 0
    year, last = _year_after(tokens, at)
    if len(tokens.words[i]) <= 3 and not day and year is None and tokens.kinds[i] != "DATE":
        return None
    return _Day(last, year, month, day or None)


def _day_first(tokens: Tokens, i: int) -> _Day | None:
    """15 May; 15 May 2004; the 15th of May."""
    words = tokens.words
    day = _day(tokens, i, alone=True)
    if not day:
        return None
    at = i + 1
    if words[at] in HYPHENS and _day(tokens, at + 1, alone=True):
        at, day = at + 2, 0
    if words[at] == "of":
        at += 1
    month = MONTHS.get(words[at].rstrip("."))
    if month is None or not _is_named_day(tokens, at):
        return None
    year, last = _year_after(tokens, at + 1)
    return _Day(last, year, month, day or None)


def _day(tokens: Tokens, i: int, *, alone: bool = False) -> int:
    """The day of a month at a token; 0 where there is none, or where something is counted."""
    word = tokens.words[i]
    if word.isdecimal() and word.isascii():
        day = int(word) if len(word) <= 2 else 0
        if day and not alone and (tokens.kinds[i] in COUNTS or is_counting(tokens, i + 1)):
            return 0
    else:
        ordinal = read_ordinal(tokens, i)
        day = ordinal[0] if ordinal and ordinal[1] == i + 1 else 0
    return day if 1 <= day <= 31 else 0


def _year_after(tokens: Tokens, at: int) -> tuple[int | None, int]:
    """The year after a day or month, and the token after it."""
    place = at + 1 if tokens.words[at] in (",", "of") else at
    year = year_of(tokens.words[place])
    if year is None or tokens.kinds[place] in COUNTS or is_counting(tokens, place + 1):
        return None, at
    if place > at and tokens.tags[place + 1] == "NNS" and tokens.kinds[place] != "DATE":
        return None, at
    return year, place + 1


def _figures(tokens: Tokens, i: int, floor: int) -> tuple[Value, int] | None:
    """A date in figures: 1994-09-15, 1990s, 1994-95, 1994."""
    word = tokens.words[i]
    if len(word) == 4:
        year = year_of(word)
        if year is not None:
            found = _iso_apart(tokens, i, year) or read_year_range(tokens, i, year, floor)
            return found or read_year(tokens, i, year, floor)
    found = _numeric(word, i) or read_era(tokens, i, floor) or read_decade(tokens, i, floor)
    return found or read_century(tokens, i, floor)


def _numeric(word: str, i: int) -> tuple[Value, int] | None:
    """All in one token: 1994-09-15; 15/09/1994, where no day may be a month; 1990–1995."""
    match = _NUMERIC.fullmatch(word)
    if match:
        one, two, three = (int(group) for group in match.groups())
        if len(match[1]) == 4:
            return _checked_day(i, i + 1, one, two, three)
        if len(match[3]) != 4 or (one <= 12 and two <= 12 and one != two):
            return None
        return _checked_day(i, i + 1, three, min(one, two), max(one, two))
    years = _YEARS.fullmatch(word)
    return years_from(i, i + 1, int(years[1]), years[2]) if years else None


def _iso_apart(tokens: Tokens, i: int, year: int) -> tuple[Value, int] | None:
    """A date of ISO 8601 whose parts are tokens: 1994 - 09 - 15."""
    words = tokens.words
    if words[i + 1] == "-" == words[i + 3] and len(words[i + 2]) == 2 == len(words[i + 4]):
        month, day = words[i + 2], words[i + 4]
        if (month + day).isdecimal() and (month + day).isascii():
            return _checked_day(i, i + 5, year, int(month), int(day))
    return None


def _checked_day(
    first: int, last: int, year: int, month: int, day: int
) -> tuple[Value, int] | None:
    if not (1 <= month <= 12 and 1 <= day <= 31 and FIRST_YEAR <= year <= LAST_YEAR):
        return None
    value = Value(ValueKind.DATE, first, last, year_low=year, year_high=year, month=month, day=day)
    return value, last
