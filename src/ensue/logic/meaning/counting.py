"""Numbers of things as predicates."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ensue.language.values import Value

_PREFIX = "at least "
EXACT = frozenset(("exactly", "exact", "precisely", "precise", "only", "just"))
"""Adverbs, and their adjectives, after which no more are meant."""


def at_least(number: float) -> str:
    """The predicate of so many things or more; of one thing or more nothing need be said."""
    least = math.ceil(number)
    return "" if least <= 1 else f"{_PREFIX}{least}"


def is_exact(words: Sequence[str], number: Value) -> bool:
    """Whether no more are meant: *exactly two*."""
    before = words[max(number.first - 1, 0) : number.last]
    return not EXACT.isdisjoint(before)


def limits(number: Value) -> tuple[float, float]:
    """The least and the most that there may be: 0 and infinity where there is no limit."""
    least, most = max(number.low, 0.0), number.high
    if number.strict:
        least = math.floor(least) + 1 if number.low > 0 else 0.0
        most = math.ceil(most) - 1 if math.isfinite(most) else most
    return least, most
