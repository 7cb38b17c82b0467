"""What one text says with figures: its values, what rises or falls, and from when to when.

A side of the comparison that `ensue.features.arithmetic` makes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from ensue.features.phrasing import PlainText, Span
from ensue.language import Sentence
from ensue.language.values import Value, ValueKind, find_values

_UNTIL = frozenset(("to", "until", "till", "through"))
TIMES = frozenset((ValueKind.DATE, ValueKind.TIME))
_PREPOSITIONS = frozenset(("in", "on", "at", "during", "the", "of", "by"))
_RISING = frozenset(
    ("rise", "increase", "grow", "climb", "jump", "raise", "soar", "surge", "expand", "gain", "up")
)
_FALLING = frozenset(
    ("fall", "decrease", "drop", "decline", "cut", "reduce", "shrink", "lower", "slash", "plunge")
)
_FACTORS = {"double": 2.0, "triple": 3.0, "treble": 3.0, "quadruple": 4.0, "halve": 0.5}


class Figures:
    """The values of an analyzed text, with what stands around them."""

    def __init__(self, plain: PlainText, sentence: Sentence) -> None:
        self.plain = plain
        self.sentence = sentence
        self.text = sentence.text

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """In their order."""
        return find_values(self.sentence)

    @cached_property
    def forms(self) -> list[str]:
        """The tokens in lower case."""
        return [each.lower() for each in self.sentence.forms]

    @cached_property
    def lemmas(self) -> list[str]:
        """The lemmas in lower case."""
        return [each.lower() for each in self.sentence.lemmas]

    def span(self, first: int, last: int) -> Span:
        """The characters of the tokens from the first to the one before the last."""
        return int(self.sentence.starts[first]), int(self.sentence.ends[last - 1])

    def words(self, span: Span) -> str:
        """What stands there."""
        return self.text[slice(*span)]

    def of(self, value: Value) -> Span:
        """Where a value stands; of dates with the preposition before them."""
        first = value.first
        while value.kind in TIMES and first > 0 and self.forms[first - 1] in _PREPOSITIONS:
            first -= 1
        return self.span(first, value.last)

    def core(self, value: Value) -> str:
        """The words of a value in lower case."""
        return self.words(self.span(value.first, value.last)).lower()

    def noun(self, value: Value) -> int:
        """The noun that a value counts; -1 where there is none."""
        head = int(self.sentence.heads[value.last - 1])
        is_counted = head >= value.last and self.sentence.tags[head] in ("NNS", "NN", "NNPS")
        return head if is_counted else -1

    def verb(self, at: int) -> int:
        """The verb nearest before a token, or the token itself; -1 where there is none."""
        return next((i for i in range(at, -1, -1) if self.sentence.parts[i] in ("VERB", "AUX")), -1)

    @cached_property
    def changes(self) -> list[Change]:
        """What is said to rise or fall, and by how much."""
        return list(_changes(self))

    @cached_property
    def periods(self) -> list[tuple[Value, Value, int, int]]:
        """Two dates or times between which something lasts, with the first token and the one after."""
        return list(_periods(self))


@dataclass(frozen=True, slots=True)
class Change:
    """What is said of something that rises or falls."""

    first: int
    """The token of its verb."""
    last: int
    """The one after the last."""
    rises: bool
    before: float | None = None
    after: float | None = None
    unit: str = ""
    factor: float | None = None
    """By how much it is multiplied."""
    amount: float | None = None
    """By how much it changes, without a sign."""
    numbers: tuple[Value, ...] = ()

    def completed(self) -> Change:
        """With all that follows from what is known."""
        before, after, factor, amount = self.before, self.after, self.factor, self.amount
        sign = 1 if self.rises else -1
        if after is not None and before is None:
            if factor:
                before = after / factor
            elif amount is not None:
                before = after - sign * amount
        if before is not None and after is not None and before > 0:
            factor, amount = after / before, abs(after - before)
        return replace(self, before=before, after=after, factor=factor, amount=amount)


def _changes(side: Figures) -> Iterator[Change]:
    for i, lemma in enumerate(side.lemmas):
        if side.sentence.parts[i] not in ("VERB", "AUX") and lemma not in _FACTORS:
            continue
        if lemma in _FACTORS and side.sentence.parts[i] in ("VERB", "ADJ", "ADV"):
            factor = _FACTORS[lemma]
            known = Change(i, i + 1, factor > 1, factor=factor)
            yield _read_change(side, known).completed()
        elif lemma in _RISING or lemma in _FALLING:
            known = Change(i, i + 1, lemma in _RISING)
            if (found := _read_change(side, known)).last > i + 1:
                yield found.completed()


def _read_change(side: Figures, known: Change) -> Change:
    """A change with the numbers that follow its verb: from, to and by."""
    at = known.last
    numbers: list[Value] = []
    while at < len(side.forms):
        word = side.forms[at]
        value = next((each for each in side.values if each.first in (at, at + 1)), None)
        if value is None or (value.first == at + 1 and word not in ("from", "to", "by", "the")):
            if side.sentence.tags[at] == "RB" and not numbers:
                at += 1
                continue
            break
        if word == "from" and value.low < value.high:  # read as a range
            known = replace(known, before=value.low, after=value.high, unit=value.unit)
        elif word == "from":
            after = _after_to(side, value)
            known = replace(known, before=value.low, after=after, unit=value.unit)
        elif word == "to":
            known = replace(known, after=value.low, unit=value.unit or known.unit)
        elif word == "by" and value.kind is ValueKind.PERCENT:
            share = value.low / 100 if known.rises else -value.low / 100
            known = replace(known, factor=1 + share)
        elif word == "by":
            known = replace(known, amount=value.low, unit=value.unit)
        else:
            break
        numbers.append(value)
        at = value.last
        noun = side.noun(value)
        if noun == at:
            at += 1
    before, after = known.before, known.after
    if before is not None and after is not None and before * 1000 <= after and after >= 1e6:
        scale = next(each for each in (1e12, 1e9, 1e6) if after >= each)
        known = replace(known, before=before * scale)  # *from 8 to 10 million*
    return replace(known, last=at, numbers=tuple(numbers))


def _after_to(side: Figures, value: Value) -> float | None:
    """The second number of *40 to 80 tonnes* where it was read with the first."""
    for i in range(value.first, value.last - 1):
        if side.forms[i] == "to" and (figure := side.forms[i + 1].replace(",", "")).isdigit():
            return float(figure)
    return None


def _periods(side: Figures) -> Iterator[tuple[Value, Value, int, int]]:
    for value in side.values:
        low, high = value.year_low, value.year_high
        first = value.first - (side.forms[value.first] != "from")
        if value.kind is ValueKind.DATE and None not in (low, high) and side.forms[first] == "from":
            begin, end = (replace(value, year_low=each, year_high=each) for each in (low, high))
            if low != high:
                yield begin, end, first, value.last
    for before, after in pairwise(side.values):
        is_next = before.kind is after.kind and after.first == before.last + 1
        is_joined = is_next and side.forms[after.first - 1] in _UNTIL
        if is_joined and before.kind in TIMES and side.forms[before.first - 1] == "from":
            yield before, after, before.first - 1, after.last
