"""Modifiers of numbers: limits and estimates, units and currencies."""

from __future__ import annotations

from enum import StrEnum
from math import inf

from ensue.language.values.tables import (
    COMPOUND_UNITS,
    CURRENCIES,
    DEGREES,
    HYPHENS,
    MONEY_ONLY,
    NATIONAL,
    PERCENTS,
    SIZES,
    SYMBOLS,
    UNITS,
    SentenceTokens,
)
from ensue.language.values.value import ValueKind

# Words that make a number a limit or an estimate: more than, up to, about, or so.


class Limit(StrEnum):
    """What is said of a number."""

    OVER = "over"
    LEAST = "least"
    MOST = "most"
    UNDER = "under"
    ABOUT = "about"


_PHRASES = {
    Limit.OVER: "more than, greater than, higher than, larger than, longer than, in excess of, over,"
    " above, beyond, exceeding, upwards of, upward of",
    Limit.LEAST: "at least, minimum of, no less than, no fewer than, not less than, not fewer than",
    Limit.MOST: "up to, at most, no more than, not more than, maximum of, as many as, as much as,"
    " not exceeding",
    Limit.UNDER: "less than, fewer than, lower than, smaller than, shorter than, under, below",
    Limit.ABOUT: "about, around, approximately, approx., approx, roughly, nearly, almost, some, circa,"
    " close to, estimated, virtually, in the region of, ~",
}

_SWALLOWED = frozenset(("just", "slightly", "well", "far", "only", "little", "a", "an"))
"""Words before a limit that belong to it."""

_DURING = ("over",)
_LASTING = frozenset(("for", "well", "just", "of", "is", "was", "lasted", "took", "been"))


def _by_last_word() -> dict[str, list[tuple[tuple[str, ...], Limit]]]:
    """The phrases that end in each word, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], Limit]]] = {}
    for limit, phrases in _PHRASES.items():
        for phrase in phrases.split(", "):
            words = tuple(phrase.split())
            found.setdefault(words[-1], []).append((words, limit))
    return {word: sorted(each, key=lambda one: -len(one[0])) for word, each in found.items()}


_LIMITS = _by_last_word()

_AFTER = {
    "more": Limit.LEAST,
    "higher": Limit.LEAST,
    "over": Limit.LEAST,
    "older": Limit.LEAST,
    "less": Limit.MOST,
    "fewer": Limit.MOST,
    "under": Limit.MOST,
    "younger": Limit.MOST,
    "so": Limit.ABOUT,
}
"""What may follow a number and "or"."""


def limit_before(
    tokens: SentenceTokens, first: int, floor: int, *, lasting: bool = False
) -> tuple[Limit | None, bool, int]:
    """What limits a number that begins at a token, whether it is an estimate, and where that begins.

    Args:
        tokens: The sentence.
        first: Where the number begins.
        floor: The first token that may be used.
        lasting: Whether it is a time; "over 5 years" is then mostly no limit.
    """
    limit: Limit | None = None
    approximate = False
    for _ in range(2):
        found = _phrase_before(tokens.words, first, floor)
        if not found:
            break
        phrase, which = found
        if lasting and phrase == _DURING and tokens.words[first - 2] not in _LASTING:
            break
        if which is Limit.ABOUT:
            approximate = True
        elif limit is None:
            limit = which
        else:
            break
        first -= len(phrase)
    if limit or approximate:
        while first > floor and tokens.words[first - 1] in _SWALLOWED:
            first -= 1
    return limit, approximate, first


def _phrase_before(
    words: list[str], first: int, floor: int
) -> tuple[tuple[str, ...], Limit] | None:
    for phrase, limit in _LIMITS.get(words[first - 1], ()) if first > floor else ():
        start = first - len(phrase)
        if start >= floor and tuple(words[start:first]) == phrase:
            return phrase, limit
    return None


def limit_after(tokens: SentenceTokens, at: int) -> tuple[Limit, int] | None:
    """What limits a number that ends before a token, and the token after that."""
    words = tokens.words
    if words[at] == "or" and words[at + 1] in _AFTER:
        return _AFTER[words[at + 1]], at + 2
    if words[at] == "+":
        return Limit.LEAST, at + 1
    if words[at] in HYPHENS and words[at + 1] == "plus":
        return Limit.LEAST, at + 2
    return None


def interval(number: float, limit: Limit | None) -> tuple[float, float, bool]:
    """The least and most that a limited number may be, and whether the limits are excluded."""
    if limit in (Limit.OVER, Limit.LEAST):
        return number, inf, limit is Limit.OVER
    if limit in (Limit.MOST, Limit.UNDER):
        return -inf, number, limit is Limit.UNDER
    return number, number, False


# What is counted or measured: the unit or currency beside a number.

Unit = tuple[ValueKind, str, float, int]
"""Its kind and name, what to multiply by, and the token after it."""


def currency_before(tokens: SentenceTokens, i: int, floor: int) -> tuple[str, int] | None:
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


def unit_after(tokens: SentenceTokens, at: int, number: float) -> Unit | None:
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


def _measure(tokens: SentenceTokens, at: int) -> Unit:
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


def _money(tokens: SentenceTokens, at: int, number: float) -> Unit | None:
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
