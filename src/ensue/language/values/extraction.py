"""Extraction of a sentence's values in one pass: quantities with their units, dates, times."""

from __future__ import annotations

from ensue.language.analyzer import Sentence
from ensue.language.values.dates import read_date, read_time
from ensue.language.values.numerals import (
    Limit,
    Numeral,
    Unit,
    currency_before,
    interval,
    limit_after,
    limit_before,
    read_numeral,
    read_ordinal,
    read_ratio,
    unit_after,
)
from ensue.language.values.tables import (
    HYPHENS,
    MONTHS,
    ORDINALS,
    SCALES,
    SHARES,
    SIZES,
    SMALL,
    VAGUE,
    WEEKDAYS,
    SentenceTokens,
)
from ensue.language.values.value import Value, ValueKind

# Numbers with what limits and measures them, as values.

Found = tuple[Value | None, int]
"""A value, or None for tokens that look like one and are none, and the token after it."""

_CHANGES = frozenset(
    {"rise", "fall", "increase", "decrease", "grow", "drop", "decline", "cut", "raise", "reduce"}
    | {"climb", "jump", "slip", "plunge", "surge", "lower", "slash", "soar", "swell", "shrink"}
    | {"expand", "slow", "go", "move", "change", "improve", "widen", "narrow", "push", "bring"}
    | {"up", "down", "off"}
)
"""From 5 to 7 after these is no range, but two numbers."""

_CHANGE_WINDOW = 7
_HIGHEST_AGE = 120
_AGED = frozenset(("aged", "age", "ages"))
_QUANTITY_OPENINGS = _AGED | {"from"}
_MERIDIANS = frozenset(("p.m.", "a.m.", "pm", "am"))


def read_quantity(tokens: SentenceTokens, i: int, floor: int) -> Found | None:
    """The number that begins at a token, with its unit; None where there is none."""
    numeral = read_numeral(tokens, i)
    if numeral is None or numeral.first < floor:
        return None
    ratio = _ratio(tokens, numeral)
    if ratio:
        return _value(tokens, ratio, None, None, floor)
    money = currency_before(tokens, numeral.first, floor)
    vague = numeral.low < numeral.high and tokens.words[numeral.last] == "of"  # billions of dollars
    unit = None if money else unit_after(tokens, numeral.last + vague, numeral.low)
    pair = _second(tokens, numeral, unit, money)
    if pair is not None:
        return _range(tokens, numeral, unit, money, pair, floor)
    return _value(tokens, numeral, unit, money, floor)


def _ratio(tokens: SentenceTokens, numeral: Numeral) -> Numeral | None:
    ratio = read_ratio(tokens, numeral)
    if ratio and unit_after(tokens, ratio.last, 0.0) is None:
        return ratio
    return None


def _value(
    tokens: SentenceTokens,
    numeral: Numeral,
    unit: Unit | None,
    money: tuple[str, int] | None,
    floor: int,
) -> Found:
    kind, name, factor, last = _measured(tokens, numeral, unit, money)
    first = money[1] if money else numeral.first
    lasting = kind is ValueKind.MEASURE and SIZES[name][0] == "time"
    limit, approximate, first = limit_before(tokens, first, floor, lasting=lasting)
    after = limit_after(tokens, numeral.last) or limit_after(tokens, last)
    if after:
        limit, last = (after[0] if limit is None else limit), max(last, after[1])
    if name == "" and _is_age(tokens, numeral, first, floor):
        kind, name = ValueKind.MEASURE, "year"
        first -= 1 if tokens.words[first - 1] in _AGED else 0
    low, high = numeral.low * factor, numeral.high * factor
    strict = False
    if low == high:
        low, high, strict = interval(low, limit)
    about = approximate or numeral.approximate or limit is Limit.ABOUT
    return Value(kind, first, last, low, high, about, name, strict), last


def _measured(
    tokens: SentenceTokens, numeral: Numeral, unit: Unit | None, money: tuple[str, int] | None
) -> Unit:
    """The kind, unit, factor and last token of a number."""
    if money:
        return ValueKind.AMOUNT, money[0], 1.0, numeral.last
    if numeral.is_share:
        return _of_share(tokens, numeral, unit)
    if unit is None:
        return ValueKind.NUMBER, "", 1.0, numeral.last
    kind, name, factor, last = unit
    if name == "year":
        old = last + 1 if tokens.words[last] in HYPHENS else last
        if tokens.words[old] in ("old", "olds"):
            last = old + 1
    return kind, name, factor, last


def _of_share(tokens: SentenceTokens, numeral: Numeral, unit: Unit | None) -> Unit:
    """A share of a whole; of one unit it is a number: half an hour, a quarter of a percent."""
    words, at = tokens.words, numeral.last
    at += 1 if words[at] == "of" else 0
    at += 1 if words[at] in ("a", "an") else 0
    found = unit if unit and at == numeral.last else unit_after(tokens, at, 0.0)
    # `half an hour` is a measure of 0.5 hours, `half of the workers` a share of 50 percent; shares
    # are held in percent, hence the division by 100
    one = words[at - 1] in ("a", "an")
    if found and (one or (found[0] is ValueKind.MEASURE and words[at - 1] != "of")):
        return found[0], found[1], found[2] / 100, found[3]
    return ValueKind.PERCENT, "percent", 1.0, numeral.last


def _is_age(tokens: SentenceTokens, numeral: Numeral, first: int, floor: int) -> bool:
    """Whether a plain number says how old somebody is: aged 62; John Locke, 62, said."""
    words, at = tokens.words, first - 1
    if numeral.scale != 1 or not 0 < numeral.low < _HIGHEST_AGE or at < floor:
        return False
    if words[at] in _AGED or (words[at] == "of" and words[at - 1] == "age"):
        return True
    # `John Locke, 62, said`: newspapers set ages between commas behind a name
    if words[at] != "," or words[numeral.last] != "," or not numeral.is_figure:
        return False
    return tokens.kinds[at - 1] in ("PERSON", "") and tokens.tags[at - 1] in ("NNP", "NNPS")


def _second(
    tokens: SentenceTokens, numeral: Numeral, unit: Unit | None, money: tuple[str, int] | None
) -> tuple[Numeral, str] | None:
    """The second number of two that are joined, and what joins them."""
    words = tokens.words
    at = unit[3] if unit else numeral.last
    joint = words[at]
    start = money[1] if money else numeral.first
    if joint == "and":
        if words[start - 1] != "between":
            return None
    elif joint not in HYPHENS and joint not in ("to", "or"):
        return None
    at += 1
    # `$5 to $7`: the sign is said twice
    if money and words[at] == words[numeral.first - 1]:
        at += 1
    word = words[at]
    if not (word[:1].isdigit() or word.isalpha()) or word in ("a", "an"):
        return None
    second = read_numeral(tokens, at)
    if second is None or second.first != at or second.is_share or second.approximate:
        return None
    if joint == "or" and second.low != numeral.low + 1:  # two or three, but not two or ten
        return None
    return second, joint


def _range(
    tokens: SentenceTokens,
    first: Numeral,
    unit: Unit | None,
    money: tuple[str, int] | None,
    pair: tuple[Numeral, str],
    floor: int,
) -> Found:
    """A range of two numbers; no value for a score or the like; the first number otherwise."""
    second, joint = pair
    after = None if money else unit_after(tokens, second.last, second.low)
    low, high = first.low, second.low
    # `5 to 7 million` means 5 million, too; `200 to 1 million` means 200, since nobody would say
    # 200 million in that order
    if second.scale > 1 and first.scale == 1 and low < high / second.scale * 10:
        low *= second.scale
    measured = bool(after or money or second.scale > 1)
    # `9 to 5 p.m.` are hours, which are read elsewhere
    if tokens.words[second.last] in _MERIDIANS:
        return None, second.last + 1
    fits = low < high and (unit is None or (after is not None and after[1] == unit[1]))
    start = money[1] if money else first.first
    opened = joint == "and" or (joint == "to" and tokens.words[start - 1] in _QUANTITY_OPENINGS)
    counted = opened or _is_counted(tokens, second.last, joint)
    # `rose from 5 to 7 percent` is no range: a number that lies between the two was not meant
    if fits and (measured or counted) and not (joint == "to" and _changes(tokens, start)):
        return _ranging(
            tokens, first, second._replace(low=low, high=high), after, money, joint, floor
        )
    # `3-1` is a score and `555-1234` a telephone number: neither is a value, and their halves are
    # not either
    if joint in HYPHENS and not measured:
        return None, _end_of_digits(tokens, second.last)
    return _value(tokens, first, unit or after if fits else unit, money, floor)


def _is_counted(tokens: SentenceTokens, at: int, joint: str) -> bool:
    """Whether several things are counted: 5-7 people, two to three injured surfers."""
    tags = tokens.tags
    if tags[at] in ("NNS", "NNPS"):
        return True
    return joint not in HYPHENS and tags[at] in ("JJ", "VBN", "NN", "NNP") and tags[at + 1] == "NNS"


def _ranging(
    tokens: SentenceTokens,
    first: Numeral,
    both: Numeral,
    unit: Unit | None,
    money: tuple[str, int] | None,
    joint: str,
    floor: int,
) -> Found:
    kind, name, factor, last = _measured(tokens, both, unit, money)
    start = money[1] if money else first.first
    opening = {"and": "between", "to": "from"}.get(joint)
    if opening and start > floor and tokens.words[start - 1] == opening:
        start -= 1
    _, approximate, start = limit_before(tokens, start, floor)
    if name == "" and tokens.words[start - 1] in _AGED and start > floor:
        kind, name, start = ValueKind.MEASURE, "year", start - 1
    low, high = both.low * factor, both.high * factor
    return Value(kind, start, last, low, high, approximate, name), last


def _changes(tokens: SentenceTokens, start: int) -> bool:
    """Whether something is said to change before a token: rose from 5 to 7 percent."""
    begin = max(0, start - _CHANGE_WINDOW)
    return not _CHANGES.isdisjoint(tokens.lemmas[begin:start])


def _end_of_digits(tokens: SentenceTokens, at: int) -> int:
    """Where figures that hyphens join end: 555-123-4567."""
    while tokens.words[at] in HYPHENS and tokens.words[at + 1][:1].isdigit():
        at += 2
    return at


# The values of a sentence, found in one pass over its tokens.

_DATED = frozenset(
    f"{word}{stop}" for word in MONTHS.keys() | WEEKDAYS.keys() for stop in ("", ".")
)
_COUNTED = SMALL.keys() | SCALES.keys() | VAGUE.keys() | SHARES.keys() | {"dozen"}
_WORDS = _DATED | _COUNTED | ORDINALS.keys() | {"noon", "midnight"}
_DIGITS = frozenset("0123456789")
_SIGNS = frozenset("-−+~.'’m")
"""What may stand before the first digit in one token; m begins "mid-1990s"."""
_STREETS = frozenset(("street", "avenue", "st.", "ave."))
_VALUE_OPENINGS = _DIGITS | _SIGNS


def find_values(sentence: Sentence) -> tuple[Value, ...]:
    """The values that a sentence names, in their order; none share a token.

    Days that are told from today ("yesterday"), figures in names ("Boeing 747"), scores ("3-1") and
    "one" as a pronoun give none. "Dozens" is 24 or more, and so on for all such plurals.
    """
    tokens = SentenceTokens(sentence)
    words = tokens.words
    found: list[Value] = []
    floor = i = 0
    while i < tokens.n:
        word = words[i]
        if word in _WORDS or (word[:1] in _VALUE_OPENINGS and _has_figure(word)):
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


def _read(tokens: SentenceTokens, i: int, floor: int) -> Found | None:
    """What begins at a token: a time, a date, a place in an order, or a quantity."""
    word = tokens.words[i]
    # the order matters: `May 5` would be read as a number from its second token on, `5:30` as the
    # number 5
    if word in _DATED:
        return read_date(tokens, i, floor)
    if tokens.is_name(i):
        return _read_year_in_name(tokens, i, floor)
    if word[0] in _DIGITS or word in ("noon", "midnight"):
        time = read_time(tokens, i, floor)
        if time:
            return time
    # dates before quantities: `1994` in `in 1994` is a year, though every year is a number
    found: Found | None = read_date(tokens, i, floor)
    if found is None and (word in SHARES or read_ordinal(tokens, i) is None):
        found = read_quantity(tokens, i, floor)
    return found or _read_ordinal(tokens, i)


def _read_year_in_name(tokens: SentenceTokens, i: int, floor: int) -> Found | None:
    """The year of an event with a name: the 2004 Olympics, Athens 2004."""
    return read_date(tokens, i, floor) if tokens.kinds[i] in ("EVENT", "") else None


def _read_ordinal(tokens: SentenceTokens, i: int) -> Found | None:
    ordinal = read_ordinal(tokens, i)
    if ordinal is None or tokens.tags[i] == "RB":
        return None
    number, last = ordinal
    if tokens.words[last] in _STREETS:
        return None
    return Value(ValueKind.ORDINAL, i, last, float(number), float(number)), last
