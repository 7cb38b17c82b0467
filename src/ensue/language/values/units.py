"""What is counted or measured: the unit or currency beside a number."""

from __future__ import annotations

from ensue.language.values.tables import (
    COMPOUND_UNITS,
    CURRENCIES,
    DEGREES,
    MONEY_ONLY,
    NATIONAL,
    PERCENTS,
    SIZES,
    SYMBOLS,
    UNITS,
)
from ensue.language.values.tokens import HYPHENS, Tokens
from ensue.language.values.value import ValueKind

Unit = tuple[ValueKind, str, float, int]
"""Its kind and name, what to multiply by, and the token after it."""


def currency_before(tokens: Tokens, i: int, floor: int) -> tuple[str, int] | None:
    """The currency whose sign ends before a token, and the first token of the sign."""
    at = i - 1
    if at < floor:
        return None
    word = tokens.words[at]
    code = SYMBOLS.get(word)
    if code is None:
        return None
    nation = NATIONAL.get(tokens.words[at - 1]) if word == "$" and at > floor else None
    return (nation, at - 1) if nation else (code, at)


def unit_after(tokens: Tokens, at: int, number: float) -> Unit | None:
    """The unit that begins at a token, past a hyphen: 5 km, 5-km, 5 per cent, 5 U.S. dollars."""
    words = tokens.words
    if words[at] in HYPHENS:
        at += 1
    word = words[at]
    if word in UNITS or word == "m":
        return _measure(tokens, at)
    if word in PERCENTS or (word == "per" and words[at + 1] == "cent"):
        return ValueKind.PERCENT, "percent", 1.0, at + (2 if word == "per" else 1)
    if word in ("percentage", "basis") and words[at + 1] in ("point", "points"):
        return ValueKind.PERCENT, f"{word} point", 1.0, at + 2
    compound = COMPOUND_UNITS.get((word, UNITS.get(words[at + 1], "")))
    if compound:
        return ValueKind.MEASURE, compound, 1.0, at + 2
    return _money(tokens, at, number)


def _measure(tokens: Tokens, at: int) -> Unit:
    words = tokens.words
    name = UNITS.get(words[at], "meter")
    end = at + 1
    if name == "degree" and words[end] in DEGREES:
        return ValueKind.MEASURE, DEGREES[words[end]], 1.0, end + 1
    if words[end] in ("per", "an") and words[end + 1] == "hour" and f"{name} per hour" in SIZES:
        return ValueKind.MEASURE, f"{name} per hour", 1.0, end + 2
    if name == "pound" and tokens.kinds[at] == "MONEY":
        return ValueKind.AMOUNT, "GBP", 1.0, end
    return ValueKind.MEASURE, name, 1.0, end


def _money(tokens: Tokens, at: int, number: float) -> Unit | None:
    words = tokens.words
    word = words[at]
    if word in ("cent", "cents"):
        return ValueKind.AMOUNT, "USD", 0.01, at + 1
    if word == "pence":
        return ValueKind.AMOUNT, "GBP", 0.01, at + 1
    code = CURRENCIES.get(word)
    if code:
        return ValueKind.AMOUNT, code, 1.0, at + 1
    if word in MONEY_ONLY and (tokens.kinds[at] == "MONEY" or number >= 1e6):
        return ValueKind.AMOUNT, MONEY_ONLY[word], 1.0, at + 1
    if word == "pounds":
        return ValueKind.MEASURE, "pound", 1.0, at + 1
    end = at + 1 if word in ("hong", "new") else at
    if words[end] in NATIONAL and words[end + 1] in ("dollar", "dollars"):
        return ValueKind.AMOUNT, NATIONAL[words[end]], 1.0, end + 2
    return None
