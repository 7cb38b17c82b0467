"""Numbers in figures and in words with their limits, units and currencies, read from tokens.

By hand: text2num gives strings without their tokens and no "27.5 billion", and quantulum3 takes
milliseconds a sentence.
"""

from __future__ import annotations

import re
from enum import StrEnum
from math import inf
from typing import NamedTuple

from ensue.language.values.tables import (
    COMPOUND_UNITS,
    CURRENCIES,
    DEGREES,
    FIGURE_SCALES,
    HYPHENS,
    MONEY_ONLY,
    MONTHS,
    NATIONAL,
    ORDINALS,
    PERCENTS,
    PLURAL_SHARES,
    SCALES,
    SHARES,
    SIZES,
    SMALL,
    SYMBOLS,
    UNITS,
    VAGUE,
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
    # `more than about 20`: one limit and one estimate, in either order; more than two phrases do
    # not stand before one number
    for _ in range(2):
        found = _phrase_before(tokens.words, first, floor)
        if not found:
            break
        phrase, which = found
        # `sales grew over 5 years` is during them; `lasted over 5 years` is longer than that
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
    # `US $5`: the analyzer cuts the sign off
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
    # `5 pounds` are weight or money; only the analyzer sees which
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
    # words that are currencies among other things, as `won` and `marks` are: a million of them
    # is money
    if word in MONEY_ONLY and (tokens.kinds[at] == "MONEY" or number >= 1e6):
        return ValueKind.AMOUNT, MONEY_ONLY[word], 1.0, at + 1
    if word == "pounds":
        return ValueKind.MEASURE, "pound", 1.0, at + 1
    end = at + 1 if word in ("hong", "new") else at
    if words[end] in NATIONAL and words[end + 1] in ("dollar", "dollars"):
        return ValueKind.AMOUNT, NATIONAL[words[end]], 1.0, end + 2
    return None


# Numbers in figures and in words, read from tokens.

_FIGURE = re.compile(
    r"([-−+~]?)((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})?(?:\.[0-9]{1,15})?)([a-z]*)"
)
_ORDINAL = re.compile(r"([0-9]{1,4})(?:st|nd|rd|th)")
_SHARE = re.compile(r"([1-9])/([2-9]|1[026]|20|25|32|50|64)")
"""Of as many parts as people cut things into; 9/11 is a day."""
_SEVERAL = frozenset(("several", "few", "couple"))
_ARTICLES = frozenset(("a", "an"))
_POINTING = frozenset(
    ("no", "this", "that", "every", "any", "each", "some", "which", "another", "only")
)
_LENGTHS = frozenset(("tall", "long", "high", "wide", "deep", "away", "thick", "above", "below"))
_SHARING = frozenset(("by", "than", "about", "nearly", "almost", "roughly", "over", "around"))
"""Words before a third or a quarter that is a share of something named elsewhere."""
_TENTHS = 10


class Numeral(NamedTuple):
    """A number and its tokens."""

    first: int
    last: int
    low: float
    high: float
    approximate: bool = False
    scale: float = 1.0
    """What it was multiplied by: a million in "2 million"."""
    is_share: bool = False
    """Whether it is a part of a whole, in percent."""
    is_figure: bool = False


def read_numeral(tokens: SentenceTokens, i: int) -> Numeral | None:
    """The number that begins at a token, or with an article before it."""
    word = tokens.words[i]
    if word in SMALL:
        return None if word == "one" and _is_pronoun(tokens, i) else _in_words(tokens, i)
    if word in VAGUE:
        return _vague(tokens, i)
    if word in SCALES or word == "dozen":
        return _scale_alone(tokens, i)
    if word in SHARES:
        return _share_alone(tokens, i)
    return _in_figures(tokens, i)


def read_ordinal(tokens: SentenceTokens, i: int) -> tuple[int, int] | None:
    """The place that is named at a token, and the token after it: 21 for "twenty-first"."""
    word = tokens.words[i]
    if word in ORDINALS:
        return ORDINALS[word], i + 1
    if word[:1].isdigit():
        match = _ORDINAL.fullmatch(word)
        return (int(match[1]), i + 1) if match else None
    tens = SMALL.get(word, 0)
    if tens >= 20:
        at = i + 2 if tokens.words[i + 1] in HYPHENS else i + 1
        units = ORDINALS.get(tokens.words[at], _TENTHS)
        if units < _TENTHS:
            return tens + units, at + 1
    return None


def _is_pronoun(tokens: SentenceTokens, i: int) -> bool:
    """Whether "one" counts nothing: no one, the one who, one of the best, one another."""
    after, before = tokens.words[i + 1], tokens.words[i - 1]
    if after in ("of", "another", "'s", "’s") or before in _POINTING:
        return True
    if tokens.tags[i] not in ("CD", ""):
        return True
    if after in HYPHENS:
        return tokens.words[i + 2] in ("time", "way", "sided", "off", "man", "woman", "on")
    return before == "the" and tokens.tags[i + 1][:1] not in ("N", "J", "C", "H")


def _in_figures(tokens: SentenceTokens, i: int) -> Numeral | None:
    word = tokens.words[i]
    share = _SHARE.fullmatch(word)
    if share and int(share[1]) < int(share[2]) and not _is_day(tokens, i):
        return _share(i, i + 1, int(share[1]), int(share[2]))
    match = _FIGURE.fullmatch(word)
    if not match or not match[2]:
        return None
    sign, digits, ending = match.groups()
    # a number with a zero before it is part of a name, a code or a date
    if digits[0] == "0" and digits[1:2].isdigit():  # 007 and 09 are no numbers
        return None
    scale = FIGURE_SCALES.get(ending, 1e6 if ending == "m" else 0.0) if ending else 1.0
    if not scale:
        return None
    number = float(digits.replace(",", "")) * scale
    last = i + 1
    # `2 000` as in European texts; three numbers in a row of which one is 000 are left alone
    if number < 1000 and digits.isdecimal() and _is_thousands(tokens, last):
        number, last = 1000 * number + int(tokens.words[last]), last + 1
    return _with_rest(
        tokens, i, last, -number if sign in ("-", "−") else number, sign == "~", scale
    )


def _is_day(tokens: SentenceTokens, i: int) -> bool:
    """Whether two numbers between a stroke are of the calendar: the night of 5/6 June."""
    return tokens.kinds[i] == "DATE" or tokens.words[i + 1].rstrip(".") in MONTHS


def _is_thousands(tokens: SentenceTokens, at: int) -> bool:
    """Whether the figures at a token go on with a number before them: 2 000."""
    word = tokens.words[at]
    return len(word) == 3 and word.isdecimal() and word.isascii() and tokens.words[at + 1] != "000"


def _with_rest(
    tokens: SentenceTokens,
    i: int,
    at: int,
    number: float,
    approximate: bool = False,
    scale: float = 1.0,
) -> Numeral:
    """A number in figures with the fraction and the scale after it: 2 1/2 million."""
    number, at = _with_fraction(tokens, at, number)
    words = tokens.words
    while True:
        step = 1 if words[at] in HYPHENS else 0
        factor = FIGURE_SCALES.get(words[at + step], 0.0)
        if not factor and words[at] in ("m", "m.") and _is_million(tokens, i, at):
            factor = 1e6
        if not factor:
            break
        scale, at = scale * factor, at + 1 + step
        number *= factor
    return Numeral(i, at, number, number, approximate, scale, is_figure=True)


def _is_million(tokens: SentenceTokens, i: int, at: int) -> bool:
    """Whether the m after a number is a million and not a meter."""
    if tokens.tags[i - 1] == "$" or tokens.kinds[i] == "MONEY":
        return True
    # `5 m people` counts, `5 m tall` measures
    return tokens.tags[at + 1][:1] in ("N", "J") and tokens.words[at + 1] not in _LENGTHS


def _with_fraction(tokens: SentenceTokens, at: int, number: float) -> tuple[float, int]:
    """A number with the fraction after it: 3 1/2, three and a half."""
    words = tokens.words
    share = _SHARE.fullmatch(words[at]) if words[at][:1].isdigit() else None
    if share:
        return number + int(share[1]) / int(share[2]), at + 1
    if words[at] == "and" and words[at + 1] in ("a", "one") and words[at + 2] in SHARES:
        return number + 1 / SHARES[words[at + 2]], at + 3
    return number, at


def _in_words(tokens: SentenceTokens, i: int) -> Numeral:
    number, at, scale = _spelled(tokens, i)
    share = _share_after(tokens, i, at, number)
    if share:
        return share
    whole, at_fraction = _with_fraction(tokens, at, number)
    if at_fraction == at:
        return Numeral(i, at, number, number, scale=scale)
    return _with_rest(tokens, i, at_fraction, whole)._replace(is_figure=False)


def _spelled(tokens: SentenceTokens, i: int, group: float = 0.0) -> tuple[float, int, float]:
    """A number in words, the token after it, and its last scale; `group` for an article before."""
    words, total, at, scale = tokens.words, 0.0, i, 1.0
    room, limit = (0 if group else 2), inf
    """Digits that may still come in this group, and what the next scale must be under."""
    between = words[i - 1] == "between"
    while True:
        word = words[at]
        small = SMALL.get(word)
        if small is not None:
            # `twenty one` goes on, `one twenty` does not: after a ten there is room for a unit,
            # after a unit for nothing, else `nineteen ninety` would become 109
            needed = 2 if small >= _TENTHS else 1
            if needed > room:
                break
            group, room = group + small, 1 if small >= 20 else 0
        elif word == "hundred" and 0 < group < 100:
            group, room, scale = group * 100, 2, 100.0
        # scales go down within a number: `two million three thousand`; what goes up begins
        # another one
        elif word in SCALES and group and SCALES[word] < limit and word != "hundred":
            limit = scale = SCALES[word]
            total, group, room = total + group * limit, 0.0, 2
        elif word == "dozen" and group:
            return total + group * 12, at + 1, 12.0
        elif not _goes_on(words, at, total, group, room, between):
            break
        at += 1
    return total + group, at, scale


def _goes_on(
    words: list[str], at: int, total: float, group: float, room: int, between: bool
) -> bool:
    """Whether a number in words goes on after a hyphen or an "and"."""
    after = words[at + 1]
    if words[at] in HYPHENS:
        small = SMALL.get(after, 0)
        return (room == 1 and 0 < small < _TENTHS) or (group > 0 and after in SCALES)
    # `two hundred and five` is one number; `twenty and five` and `between two hundred and five
    # hundred` are two
    if words[at] != "and" or between or (group < 100 and not total) or room < 2:
        return False
    return after in SMALL and words[at + 2] not in SCALES


def _share_after(tokens: SentenceTokens, i: int, at: int, number: float) -> Numeral | None:
    """A share whose numerator was read: two-thirds, one in five."""
    # `two thirds`, but not `twenty thirds`: larger numerators are ordinals, as in `the twenty
    # third`
    if not 0 < number < _TENTHS:
        return None
    words = tokens.words
    last = at + 1 if words[at] in HYPHENS else at
    parts = (SHARES if number == 1 else PLURAL_SHARES).get(words[last])
    if parts and number < parts:
        return _share(i, last + 1, number, parts)
    return None


def read_ratio(tokens: SentenceTokens, numeral: Numeral) -> Numeral | None:
    """A share that is said with the whole: one in five, 4 out of 10."""
    words, at = tokens.words, numeral.last
    if words[at] == "out" and words[at + 1] == "of":
        at += 2
    elif words[at] == "in" and 0 < numeral.low < _TENTHS:
        at += 1
    else:
        return None
    whole = read_numeral(tokens, at) if words[at] in SMALL or words[at][:1].isdigit() else None
    if whole is None or numeral.scale != 1 or not 0 < numeral.low < whole.low <= 1000:
        return None
    return _share(numeral.first, whole.last, numeral.low, whole.low)


def _share(first: int, last: int, number: float, parts: float) -> Numeral:
    percent = 100 * number / parts
    return Numeral(first, last, percent, percent, is_share=True)


def _share_alone(tokens: SentenceTokens, i: int) -> Numeral | None:
    """A half, or a third or quarter of something."""
    words = tokens.words
    first = i - 1 if words[i - 1] in _ARTICLES else i
    scaled = _share_of_scale(words, first, i)
    if scaled or words[i] != "half":
        # `a third of the men`, `fell by a third`: shares; `a third man` is one more, and `the first
        # quarter` a part of a year
        is_share = first < i and (words[i + 1] == "of" or words[first - 1] in _SHARING)
        return scaled or (_share(first, i + 1, 1, SHARES[words[i]]) if is_share else None)
    if words[i - 1] in ("in", "the", "other", "and") or tokens.tags[i - 1][:2] == "JJ":
        return None
    if words[i + 1] in HYPHENS or tokens.tags[i + 1] in ("JJ", "VBN", "VBD"):
        return None
    return _share(first, i + 1, 1, 2)


def _share_of_scale(words: list[str], first: int, i: int) -> Numeral | None:
    """Half a million, a quarter million, a quarter of a million."""
    at = i + 2 if words[i + 1] == "of" and words[i + 2] in _ARTICLES else i + 1
    at += 1 if words[at] in _ARTICLES else 0
    if (first == i and words[i] != "half") or (words[at] not in SCALES and words[at] != "dozen"):
        return None
    number = FIGURE_SCALES[words[at]] / SHARES[words[i]]
    return Numeral(first, at + 1, number, number, scale=FIGURE_SCALES[words[at]])


def _scale_alone(tokens: SentenceTokens, i: int) -> Numeral | None:
    """A hundred, a million, a few thousand."""
    words = tokens.words
    before = words[i - 1]
    if before in _SEVERAL:
        return _several(tokens, i)
    if before not in _ARTICLES:
        return None
    if words[i] == "dozen":
        return Numeral(i - 1, i + 1, 12.0, 12.0, scale=12.0)
    number, at, scale = _spelled(tokens, i, 1.0)
    return Numeral(i - 1, at, number, number, scale=scale)


def _several(tokens: SentenceTokens, i: int) -> Numeral:
    """Several of a scale: from two to ten of them, roughly."""
    words, at, scale = tokens.words, i, 1.0
    first = i - 2 if words[i - 2] in _ARTICLES else i - 1
    while words[at] in SCALES or words[at] == "dozen":
        scale *= FIGURE_SCALES[words[at]]
        at += 1
    # `several hundred` is at least two of them, and from ten on one would say a thousand
    return Numeral(first, at, 2 * scale, 10 * scale, True, scale)


def _vague(tokens: SentenceTokens, i: int) -> Numeral | None:
    """Dozens, hundreds of thousands: at least two of them; scores only of something."""
    words = tokens.words
    if words[i] in ("scores", "tens") and words[i + 1] != "of":
        return None
    scale, at = VAGUE[words[i]], i + 1
    while words[at] == "of" and words[at + 1] in VAGUE:
        scale *= VAGUE[words[at + 1]]
        at += 2
    # a plural is two or more; no upper end, since people say `hundreds` of thousands, too
    return Numeral(i, at, 2 * scale, inf, True, scale)
