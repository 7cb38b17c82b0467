"""Dates, years, decades, centuries and times of the clock, read from tokens.

By hand: dateutil fills what is not said from today's date, and knows no decades.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ensue.language.values.numerals import limit_before, read_ordinal, unit_after
from ensue.language.values.tables import (
    COUNTS,
    ENDS,
    FIGURE_SCALES,
    HYPHENS,
    MONTHS,
    NAMES,
    PARTS,
    SEASONS,
    SYMBOLS,
    WEEKDAYS,
    SentenceTokens,
)
from ensue.language.values.value import Value, ValueKind

# Years, decades and centuries, read from tokens.

_DECADE = re.compile(r"(mid-|['’]?)([0-9]{4}|[0-9]{2})['’]?s")
_SHORT_YEAR = re.compile(r"['’]([0-9]{2})")
FIRST_YEAR, LAST_YEAR = 1000, 2100
_CUES = frozenset(
    {"in", "since", "by", "during", "until", "till", "before", "after", "circa", "through"}
    | {"year", "years", "fiscal", "spring", "summer", "autumn", "fall", "winter"}
    | {"early", "late", "mid", "of", "from", "between", "to", "around", "about", "and"}
)
"""Words before a figure of four digits that make it a year."""
_WEAK_CUES = frozenset(("and", "to", "of", "from", "between", "about", "around"))
_FIRST_IN_NAMES = 1900
_ERAS = {"b.c.": -1, "bc": -1, "bce": -1, "a.d.": 1, "ad": 1, "ce": 1}
_PARTS_BEFORE = PARTS | SEASONS
_PARTS_OF = ENDS | SEASONS
_DISTANT = 9999
_AROUND = 2
"""Years to either side that "around 1990" may mean."""


def is_counting(tokens: SentenceTokens, at: int) -> bool:
    """Whether a number that ends before a token is measured or scaled."""
    return tokens.words[at] in FIGURE_SCALES or unit_after(tokens, at, 0.0) is not None


def year_of(word: str) -> int | None:
    """The year that four figures may be."""
    if len(word) != 4 or not (word.isdecimal() and word.isascii()):
        return None
    return int(word) if FIRST_YEAR <= int(word) <= LAST_YEAR else None


def read_year_range(
    tokens: SentenceTokens, i: int, year: int, floor: int
) -> tuple[Value, int] | None:
    """1994-95; 1990-1995; between 1990 and 1995; from 1990 to 1995."""
    words = tokens.words
    joint, second = words[i + 1], words[i + 2]
    opening = words[i - 1] if i > floor else ""
    said = (joint == "and" and opening == "between") or (
        joint in ("to", "until", "till", "through") and opening == "from"
    )
    if not (said or joint in HYPHENS) or not (second.isdecimal() and second.isascii()):
        return None
    # `1990 to 1995 people` and `1,000 to 1,500 miles` are counts, whatever the figures look like
    if len(second) not in (2, 4) or is_counting(tokens, i + 3) or tokens.tags[i + 3] == "NNS":
        return None
    return years_from(i - 1 if said else i, i + 3, year, second)


def years_from(first: int, last: int, low: int, second: str) -> tuple[Value, int] | None:
    """A range of years, the second with four digits or two."""
    high = int(second) if len(second) == 4 else low // 100 * 100 + int(second)
    if not low < high <= LAST_YEAR:
        return None
    return Value(ValueKind.DATE, first, last, year_low=low, year_high=high), last


def read_year(tokens: SentenceTokens, i: int, year: int, floor: int) -> tuple[Value, int] | None:
    """A figure that is a year by what the analyzer says or by the word before it."""
    before, kind = tokens.words[i - 1], tokens.kinds[i]
    # `$1994` and `1994 miles` are no years; the analyzer's word goes first where it has one, since
    # a figure of four digits alone says nothing
    if kind in COUNTS or before in SYMBOLS or is_counting(tokens, i + 1):
        return None
    if kind not in ("DATE", "EVENT") and (kind or not _is_cued(tokens, i, year)):
        return None
    return _years_with_limit(tokens, i, year, floor)


def _is_cued(tokens: SentenceTokens, i: int, year: int) -> bool:
    """Whether the word before a figure makes it a year: in 1994, Athens 2004."""
    before, plural = tokens.words[i - 1], tokens.tags[i + 1] == "NNS"
    if before in _CUES:
        # `of 1200 workers`: prepositions that stand before numbers as often as before years count
        # only where nothing is counted
        return not (plural and before in _WEAK_CUES)
    # `Athens 2004` is an event of that year; `Flight 1549` shows why only years of our time are
    # taken after a name
    return tokens.tags[i - 1] == "NNP" and not plural and _FIRST_IN_NAMES <= year < LAST_YEAR


def _years_with_limit(tokens: SentenceTokens, i: int, year: int, floor: int) -> tuple[Value, int]:
    """A year with what stands before it: early 2004, since 1994, around 1990."""
    before = tokens.words[i - 1] if i > floor else ""
    low = high = year
    first, part = part_before(tokens, i, floor)
    approximate = bool(part)
    # `since 1994` reaches from that year on: a later year is consistent with it, an earlier one is
    # not. Both ends are closed, as whether 1994 itself is meant is not said
    if before in ("after", "since"):
        first, high = i - 1, _DISTANT
    elif before in ("before", "until", "till", "by"):
        first, low = i - 1, -_DISTANT
    elif before in ("around", "about", "circa"):
        first, low, high, approximate = i - 1, year - _AROUND, year + _AROUND, True
    value = Value(
        ValueKind.DATE,
        first,
        i + 1,
        approximate=approximate,
        year_low=low,
        year_high=high,
        part=part,
    )
    return value, i + 1


def part_before(tokens: SentenceTokens, i: int, floor: int) -> tuple[int, str]:
    """Where a date begins with the part of it that is meant: early, mid-, the summer of."""
    words, at = tokens.words, i - 1
    if at >= floor and words[at] in HYPHENS:
        at -= 1
    elif at > floor and words[at] == "the" and words[at - 1] == "of":
        return _named_part(words, at - 2, floor, _PARTS_OF, i)
    elif at >= floor and words[at] == "of":
        return _named_part(words, at - 1, floor, _PARTS_OF, i)
    return _named_part(words, at, floor, _PARTS_BEFORE, i)


def _named_part(
    words: list[str], at: int, floor: int, names: Mapping[str, str], i: int
) -> tuple[int, str]:
    part = names.get(words[at], "") if at >= floor else ""
    return (at, part) if part else (i, "")


def read_era(tokens: SentenceTokens, i: int, floor: int) -> tuple[Value, int] | None:
    """44 B.C., 70 A.D., AD 70."""
    word = tokens.words[i]
    if not (word.isdecimal() and word.isascii() and len(word) <= 4):
        return None
    sign, first, last = _ERAS.get(tokens.words[i + 1], 0), i, i + 2
    if not sign and i > floor and tokens.forms[i - 1] in ("AD", "A.D."):
        sign, first, last = 1, i - 1, i + 1
    if not sign:
        return None
    year = sign * int(word)
    return Value(ValueKind.DATE, first, last, year_low=year, year_high=year), last


def read_decade(tokens: SentenceTokens, i: int, floor: int) -> tuple[Value, int] | None:
    """The 1990s, the '90s, the mid-1990s; '94."""
    words = tokens.words
    short = _SHORT_YEAR.fullmatch(words[i])
    if short:
        year = _in_full(int(short[1]))
        return Value(ValueKind.DATE, i, i + 1, year_low=year, year_high=year), i + 1
    match = _DECADE.fullmatch(words[i])
    # `in his 30s` is an age, `the 30s` a decade: the article tells them apart, since ages have a
    # possessive
    if not match or (len(match[2]) == 2 and not _is_short_decade(tokens, i, match[1])):
        return None
    year = int(match[2]) if len(match[2]) == 4 else _in_full(int(match[2]))
    if not FIRST_YEAR <= year <= LAST_YEAR or year % 10:
        return None
    first = i - 1 if i > floor and words[i - 1] in ("'", "’", "‘") else i
    start, part = part_before(tokens, first, floor)
    return _span(start, i + 1, year, 10, "mid" if match[1] == "mid-" else part)


def _is_short_decade(tokens: SentenceTokens, i: int, sign: str) -> bool:
    """Whether two digits are a decade: the '90s and the late 90s, but not his late 30s."""
    if sign or tokens.words[i - 1] in ("'", "’", "‘"):
        return True
    at = i - 2 if tokens.words[i - 1] in PARTS else i - 1
    return tokens.words[at] == "the"


def _in_full(year: int) -> int:
    # `'94` is of the last century, `'04` of this one; texts of this field were written about 2005,
    # when nobody meant 1904
    return year + (1900 if year >= 20 else 2000)


def read_century(tokens: SentenceTokens, i: int, floor: int) -> tuple[Value, int] | None:
    """The 19th century, the twentieth century: from 1801 to 1900."""
    ordinal = read_ordinal(tokens, i)
    if ordinal is None:
        return None
    number, at = ordinal
    at += 1 if tokens.words[at] in HYPHENS else 0
    if tokens.words[at] not in ("century", "centuries") or number > 21:
        return None
    era = _ERAS.get(tokens.words[at + 1], 0)
    # there is no year 0: the 1st century begins with 1, the 1st before Christ with -100
    year = -100 * number if era < 0 else 100 * (number - 1) + 1
    start, part = part_before(tokens, i, floor)
    return _span(start, at + 1 + bool(era), year, 100, part)


def _span(first: int, last: int, year: int, length: int, part: str) -> tuple[Value, int]:
    """Several years from one on, or the early, middle or late ones of them."""
    # the thirds overlap: one may call 1993 the early and the mid-1990s, and neither contradicts the
    # other
    begin, end = {"early": (0.0, 0.4), "mid": (0.3, 0.7), "late": (0.6, 1.0)}.get(part, (0.0, 1.0))
    low, high = year + round(begin * length), year + round(end * length) - 1
    value = Value(ValueKind.DATE, first, last, approximate=bool(part), year_low=low, year_high=high)
    return value, last


# Dates, read from tokens.

_NUMERIC = re.compile(r"([0-9]{1,4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,4})")
_YEARS = re.compile(r"([0-9]{4})[-–—/]([0-9]{4}|[0-9]{2})")
_VERBS = frozenset(("MD", "VB", "VBD", "VBP", "VBZ"))


class _Day(NamedTuple):
    """The fields of a date and the token after it."""

    last: int
    year: int | None = None
    month: int | None = None
    day: int | None = None


def read_date(tokens: SentenceTokens, i: int, floor: int) -> tuple[Value, int] | None:
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
    tokens: SentenceTokens, i: int, floor: int, found: _Day, weekday: int | None = None
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


def _from_weekday(tokens: SentenceTokens, i: int, weekday: int) -> tuple[Value, int] | None:
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


def _is_named_day(tokens: SentenceTokens, i: int) -> bool:
    """Whether the word for a month or weekday is one here, and no name or verb."""
    return (
        tokens.forms[i][:1].isupper()
        and tokens.kinds[i] not in NAMES
        and tokens.tags[i] not in _VERBS
    )


def _month_first(tokens: SentenceTokens, i: int) -> _Day | None:
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


def _day_first(tokens: SentenceTokens, i: int) -> _Day | None:
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


def _day(tokens: SentenceTokens, i: int, *, alone: bool = False) -> int:
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


def _year_after(tokens: SentenceTokens, at: int) -> tuple[int | None, int]:
    """The year after a day or month, and the token after it."""
    place = at + 1 if tokens.words[at] in (",", "of") else at
    year = year_of(tokens.words[place])
    if year is None or tokens.kinds[place] in COUNTS or is_counting(tokens, place + 1):
        return None, at
    if place > at and tokens.tags[place + 1] == "NNS" and tokens.kinds[place] != "DATE":
        return None, at
    return year, place + 1


def _figures(tokens: SentenceTokens, i: int, floor: int) -> tuple[Value, int] | None:
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


def _iso_apart(tokens: SentenceTokens, i: int, year: int) -> tuple[Value, int] | None:
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


# Times of the clock, read from tokens.

_CLOCK = re.compile(r"([0-9]{1,2})[:.]([0-9]{2})([ap]m)?")
_HALVES = {
    "a.m.": 0,
    "am": 0,
    "a.m": 0,
    "p.m.": 12,
    "pm": 12,
    "p.m": 12,
}


def read_time(tokens: SentenceTokens, i: int, floor: int) -> tuple[Value, int] | None:
    """The time of the clock that begins at a token: 3 p.m., 15:30, noon."""
    word = tokens.words[i]
    if word in ("noon", "midnight"):
        return _at_clock(tokens, i, i + 1, floor, 12 if word == "noon" else 0, 0)
    clock = _CLOCK.fullmatch(word)
    hour, minute = (int(clock[1]), int(clock[2])) if clock else (_hour(word), 0)
    joined = bool(clock and clock[3])
    after = clock[3] if clock and clock[3] else tokens.words[i + 1]
    if not 0 <= hour < 24 or minute > 59:
        return None
    if after in _HALVES and 1 <= hour <= 12:
        last = i + 1 if joined else i + 2
        return _at_clock(tokens, i, last, floor, hour % 12 + _HALVES[after], minute)
    if after in ("o'clock", "o’clock"):
        return _at_clock(tokens, i, i + 2, floor, hour, 0, open_half=1 <= hour <= 12)
    if clock and ":" in word:
        return _at_clock(tokens, i, i + 1, floor, hour, minute, open_half=1 <= hour <= 12)
    return None


def _hour(word: str) -> int:
    return int(word) if len(word) <= 2 and word.isdecimal() and word.isascii() else -1


def _at_clock(
    tokens: SentenceTokens,
    i: int,
    last: int,
    floor: int,
    hour: int,
    minute: int,
    *,
    open_half: bool = False,
) -> tuple[Value, int]:
    _, approximate, first = limit_before(tokens, i, floor)
    value = Value(
        ValueKind.TIME,
        first if approximate else i,
        last,
        approximate=approximate,
        hour=hour,
        minute=minute,
        twelve_hour=open_half,
    )
    return value, last
