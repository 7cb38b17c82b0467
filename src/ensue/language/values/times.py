"""Times of the clock, read from tokens."""

from __future__ import annotations

import re

from ensue.language.values.limits import limit_before
from ensue.language.values.tokens import Tokens
from ensue.language.values.value import Value, ValueKind

_CLOCK = re.compile(r"([0-9]{1,2})[:.]([0-9]{2})([ap]m)?")
_HALVES = {
    "a.m.": 0,
    "am": 0,
    "a.m": 0,
    "p.m.": 12,
    "pm": 12,
    "p.m": 12,
}


def read_time(tokens: Tokens, i: int, floor: int) -> tuple[Value, int] | None:
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
    tokens: Tokens,
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
