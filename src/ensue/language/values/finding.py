"""The values of a sentence, found in one pass over its tokens."""

from __future__ import annotations

from ensue.language.analysis import Sentence
from ensue.language.values.dates import read_date
from ensue.language.values.numerals import read_ordinal
from ensue.language.values.quantities import Found, read_quantity
from ensue.language.values.tables import (
    MONTHS,
    ORDINALS,
    SCALES,
    SHARES,
    SMALL,
    VAGUE,
    WEEKDAYS,
)
from ensue.language.values.times import read_time
from ensue.language.values.tokens import Tokens
from ensue.language.values.value import Value, ValueKind

_DATED = frozenset(
    f"{word}{stop}" for word in MONTHS.keys() | WEEKDAYS.keys() for stop in ("", ".")
)
_COUNTED = SMALL.keys() | SCALES.keys() | VAGUE.keys() | SHARES.keys() | {"dozen"}
_WORDS = _DATED | _COUNTED | ORDINALS.keys() | {"noon", "midnight"}
_DIGITS = frozenset("0123456789")
_SIGNS = frozenset("-−+~.'’m")
"""What may stand before the first digit in one token; m begins "mid-1990s"."""
_STREETS = frozenset(("street", "avenue", "st.", "ave."))
_OPENINGS = _DIGITS | _SIGNS


def find_values(sentence: Sentence) -> tuple[Value, ...]:
    """The values that a sentence names, in their order; none share a token.

    Days that are told from today ("yesterday"), figures in names ("Boeing 747"), scores ("3-1") and
    "one" as a pronoun give none. "Dozens" is 24 or more, and so on for all such plurals.
    """
    tokens = Tokens(sentence)
    words = tokens.words
    found: list[Value] = []
    floor = i = 0
    while i < tokens.n:
        word = words[i]
        if word in _WORDS or (word[:1] in _OPENINGS and _has_figure(word)):
            read = _read(tokens, i, floor)
            if read is not None:
                value, i = read
                floor = i
                if value is not None:
                    found.append(value)
                continue
        i += 1
    return tuple(found)


def _has_figure(word: str) -> bool:
    """Whether there is a digit where one must be: at the beginning, after a sign or "mid-"."""
    return word[0] in _DIGITS or word[1:2] in _DIGITS or word[:4] == "mid-"


def _read(tokens: Tokens, i: int, floor: int) -> Found | None:
    """What begins at a token: a time, a date, a place in an order, or a quantity."""
    word = tokens.words[i]
    if word in _DATED:
        return read_date(tokens, i, floor)
    if tokens.is_name(i):
        return _read_year_in_name(tokens, i, floor)
    if word[0] in _DIGITS or word in ("noon", "midnight"):
        time = read_time(tokens, i, floor)
        if time:
            return time
    found: Found | None = read_date(tokens, i, floor)
    if found is None and (word in SHARES or read_ordinal(tokens, i) is None):
        found = read_quantity(tokens, i, floor)
    return found or _read_ordinal(tokens, i)


def _read_year_in_name(tokens: Tokens, i: int, floor: int) -> Found | None:
    """The year of an event with a name: the 2004 Olympics, Athens 2004."""
    return read_date(tokens, i, floor) if tokens.kinds[i] in ("EVENT", "") else None


def _read_ordinal(tokens: Tokens, i: int) -> Found | None:
    ordinal = read_ordinal(tokens, i)
    if ordinal is None or tokens.tags[i] == "RB":
        return None
    number, last = ordinal
    if tokens.words[last] in _STREETS:
        return None
    return Value(ValueKind.ORDINAL, i, last, float(number), float(number)), last
