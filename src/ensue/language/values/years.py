"""Years, decades and centuries, read from tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ensue.language.values.numerals import read_ordinal
from ensue.language.values.tables import ENDS, FIGURE_SCALES, PARTS, SEASONS, SYMBOLS
from ensue.language.values.tokens import COUNTS, HYPHENS, Tokens
from ensue.language.values.units import unit_after
from ensue.language.values.value import Value, ValueKind

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


def is_counting(tokens: Tokens, at: int) -> bool:
    """Whether a number that ends before a token is measured or scaled."""
    return tokens.words[at] in FIGURE_SCALES or unit_after(tokens, at, 0.0) is not None


def year_of(word: str) -> int | None:
    """The year that four figures may be."""
    if len(word) != 4 or not (word.isdecimal() and word.isascii()):
        return None
    return int(word) if FIRST_YEAR <= int(word) <= LAST_YEAR else None


def read_year_range(tokens: Tokens, i: int, year: int, floor: int) -> tuple[Value, int] | None:
    """1994-95; 1990-1995; between 1990 and 1995; from 1990 to 1995."""
    words = tokens.words
    joint, second = words[i + 1], words[i + 2]
    opening = words[i - 1] if i > floor else ""
    said = (joint == "and" and opening == "between") or (
        joint in ("to", "until", "till", "through") and opening == "from"
    )
    if not (said or joint in HYPHENS) or not (second.isdecimal() and second.isascii()):
        return None
    if len(second) not in (2, 4) or is_counting(tokens, i + 3) or tokens.tags[i + 3] == "NNS":
        return None
    return years_from(i - 1 if said else i, i + 3, year, second)


def years_from(first: int, last: int, low: int, second: str) -> tuple[Value, int] | None:
    """A range of years, the second with four digits or two."""
    high = int(second) if len(second) == 4 else low // 100 * 100 + int(second)
    if not low < high <= LAST_YEAR:
        return None
    return Value(ValueKind.DATE, first, last, year_low=low, year_high=high), last


def read_year(tokens: Tokens, i: int, year: int, floor: int) -> tuple[Value, int] | None:
    """A figure that is a year by what the analyzer says or by the word before it."""
    before, kind = tokens.words[i - 1], tokens.kinds[i]
    if kind in COUNTS or before in SYMBOLS or is_counting(tokens, i + 1):
        return None
    if kind not in ("DATE", "EVENT") and (kind or not _is_cued(tokens, i, year)):
        return None
    return _years_with_limit(tokens, i, year, floor)


def _is_cued(tokens: Tokens, i: int, year: int) -> bool:
    """Whether the word before a figure makes it a year: in 1994, Athens 2004."""
    before, plural = tokens.words[i - 1], tokens.tags[i + 1] == "NNS"
    if before in _CUES:
        return not (plural and before in _WEAK_CUES)
    return tokens.tags[i - 1] == "NNP" and not plural and _FIRST_IN_NAMES <= year < LAST_YEAR


def _years_with_limit(tokens: Tokens, i: int, year: int, floor: int) -> tuple[Value, int]:
    """A year with what stands before it: early 2004, since 1994, around 1990."""
    before = tokens.words[i - 1] if i > floor else ""
    low = high = year
    first, part = part_before(tokens, i, floor)
    approximate = bool(part)
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


def part_before(tokens: Tokens, i: int, floor: int) -> tuple[int, str]:
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


def read_era(tokens: Tokens, i: int, floor: int) -> tuple[Value, int] | None:
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


def read_decade(tokens: Tokens, i: int, floor: int) -> tuple[Value, int] | None:
    """The 1990s, the '90s, the mid-1990s; '94."""
    words = tokens.words
    short = _SHORT_YEAR.fullmatch(words[i])
    if short:
        year = _in_full(int(short[1]))
        return Value(ValueKind.DATE, i, i + 1, year_low=year, year_high=year), i + 1
    match = _DECADE.fullmatch(words[i])
    if not match or (len(match[2]) == 2 and not _is_short_decade(tokens, i, match[1])):
        return None
    year = int(match[2]) if len(match[2]) == 4 else _in_full(int(match[2]))
    if not FIRST_YEAR <= year <= LAST_YEAR or year % 10:
        return None
    first = i - 1 if i > floor and words[i - 1] in ("'", "’", "‘") else i
    start, part = part_before(tokens, first, floor)
    return _span(start, i + 1, year, 10, "mid" if match[1] == "mid-" else part)


def _is_short_decade(tokens: Tokens, i: int, sign: str) -> bool:
    """Whether two digits are a decade: the '90s and the late 90s, but not his late 30s."""
    if sign or tokens.words[i - 1] in ("'", "’", "‘"):
        return True
    at = i - 2 if tokens.words[i - 1] in PARTS else i - 1
    return tokens.words[at] == "the"


def _in_full(year: int) -> int:
    return year + (1900 if year >= 20 else 2000)


def read_century(tokens: Tokens, i: int, floor: int) -> tuple[Value, int] | None:
    """The 19th century, the twentieth century: from 1801 to 1900."""
    ordinal = read_ordinal(tokens, i)
    if ordinal is None:
        return None
    number, at = ordinal
    at += 1 if tokens.words[at] in HYPHENS else 0
    if tokens.words[at] not in ("century", "centuries") or number > 21:
        return None
    era = _ERAS.get(tokens.words[at + 1], 0)
    year = -100 * number if era < 0 else 100 * (number - 1) + 1
    start, part = part_before(tokens, i, floor)
    return _span(start, at + 1 + bool(era), year, 100, part)


def _span(first: int, last: int, year: int, length: int, part: str) -> tuple[Value, int]:
    """Several years from one on, or the early, middle or late ones of them."""
    begin, end = {"early": (0.0, 0.4), "mid": (0.3, 0.7), "late": (0.6, 1.0)}.get(part, (0.0, 1.0))
    low, high = year + round(begin * length), year + round(end * length) - 1
    value = Value(ValueKind.DATE, first, last, approximate=bool(part), year_low=low, year_high=high)
    return value, last
