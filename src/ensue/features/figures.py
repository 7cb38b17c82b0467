"""Figures of one text: in plain phrases, its values, what rises or falls, and from when to when.

*must not exceed 5*, *no more than 5* and *the maximum is 5* become *at most 5*; *an hour and a half*
becomes *1.5 hours*, *came first* and *won* become *was first*. Places in the new text lead back to those
in the old. `ensue.features.arithmetic` compares two such sides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from ensue.language import Sentence
from ensue.language.values import Value, ValueKind, find_values

Span = tuple[int, int]
"""The first character, and the one after the last."""

_WORDS = "one two three four five six seven eight nine ten eleven twelve"
_CARDINALS = {word: number for number, word in enumerate(_WORDS.split(), 1)}
_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINALS = {word: number for number, word in enumerate(_ORDINAL_WORDS.split(), 1)}
_ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|[0-9]+(?:st|nd|rd|th))"
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_FIGURE = rf"(?=(?:[$€£]\s?)?(?:[0-9]|(?:{'|'.join(_CARDINALS)}|twenty|thirty|forty|fifty|an?)\b))"
"""A number comes next."""
_LARGER = "more|longer|faster|higher|larger|greater|bigger|older|heavier|later|deeper|taller|wider"
_SMALLER = "less|fewer|shorter|slower|lower|smaller|younger|lighter|earlier|shallower|narrower"
_MORE = rf"(?:{_LARGER}|thicker|further|farther|hotter|warmer)"
_LESS = rf"(?:{_SMALLER}|thinner|cooler|colder)"
_UNITS = "second|minute|hour|day|week|month|year|decade|century|mile|kilometer|meter|pound"
_NAMED = r"((?:[a-z]+ )?[a-z]+(?: (?:of|for|on|in) (?:[a-z]+ ){0,2}[a-z]+)?)"
"""What a maximum is of: *daily dose*, *weight of a parcel*."""

Replacement = str | Callable[[re.Match[str]], str]


def _half(found: re.Match[str]) -> str:
    number, unit = found.group(1).lower(), found.group(2)
    whole = _CARDINALS.get(number, 1) if not number.isdigit() else int(number)
    return f"{whole}.5 {unit}s"


def _rank(found: re.Match[str]) -> str:
    """*number four* as *was fourth*."""
    number = found.group(1).lower()
    place = int(number) if number.isdigit() else _CARDINALS[number]
    known = {each: word for word, each in _ORDINALS.items()}
    return f"was {known.get(place, f'{place}th')}"


def _ordinal(found: re.Match[str]) -> str:
    known = {each: word for word, each in _ORDINALS.items()}
    return known.get(int(found.group(1)), found.group(0))


def _share(found: re.Match[str]) -> str:
    part, noun = found.group(1).lower(), found.group(2)
    share = "half" if part == "second" else f"a {part}"
    return f"{share} of the {noun}s"


_PASSES: Sequence[Sequence[tuple[str, Replacement]]] = (
    (  # what tokenizers have torn apart
        (r"(?<![0-9,.])(?<!, )([0-9]{1,3}), ([0-9]00)(?![0-9]|,? ?[0-9])", r"\1,\2"),
        (r"(?<=[$€£] )([0-9]{1,3}), ([0-9]{3})(?![0-9]|,? ?[0-9])", r"\1,\2"),
        (rf"(?<![0-9.])([0-9]+)\. ([0-9]+)(?= (?:km|%|percent|million|billion|(?:{_UNITS})s?)\b)", r"\1.\2"),
        (r"([0-9]) - (year|month|week|day|hour|mile) - (old|long)\b", r"\1-\2-\3"),
        (r"-L[RS]B-", "("),
        (r"-R[RS]B-", ")"),
    ),
    (
        (rf"\b(from|between) ([0-9]{{1,2}}) (to|and|until) ([0-9]{{1,2}}) ({_MONTH})\b", r"\1 \2 \5 \3 \4 \5"),
        (rf"\b(an?|one|two|three|four|five|six|[0-9]+) ({_UNITS})s? and a half\b", _half),
        (rf"\b(for|lasts|lasted|takes|took) an? (?=(?:{_UNITS})\b)", r"\1 one "),
        (r"(?<=[0-9]) ?g\b(?!/)", " grams"),
        (rf"\b(?:only|just|merely) (?=[0-9]|(?:{'|'.join(_CARDINALS)}) )", ""),
        (r"\b([0-9]{1,2})(?:st|nd|rd|th)\b", _ordinal),
        (r"\bno (?:shallower|less deep) than ([0-9]\S* [a-z]+)", r"at least \1 deep"),
        (r"\bno (?:deeper) than ([0-9]\S* [a-z]+)", r"at most \1 deep"),
        (r"\bno (?:narrower|less wide) than ([0-9]\S* [a-z]+)", r"at least \1 wide"),
        (r"\bno wider than ([0-9]\S* [a-z]+)", r"at most \1 wide"),
        (r"\bno (?:taller|higher) than ([0-9]\S* (?:meters|feet|cm))", r"at most \1 high"),
        (r"(?<=[a-z]), ([0-9]{2}),(?= [a-z])", r", aged \1,"),
        (r"\bevery (second|third|fourth|fifth|tenth) ([a-z]+)\b", _share),
        (r"\b(?:a|the) majority of\b", "more than half of"),
    ),
    (
        (rf"\b(?:must|may|should|can|shall|does|do)(?: not|n't|n’t) exceed {_FIGURE}", "must be at most "),
        (rf"\b(?:did not|never) (?:exceed|exceeded) {_FIGURE}", "was at most "),
        (rf"\bnever (?:fell|dropped|sank|went) below {_FIGURE}", "was at least "),
        (rf"\bnever (?:rose|climbed|went) above {_FIGURE}", "was at most "),
        (rf"\bmaximum {_NAMED} (?:is|are) {_FIGURE}", r"\1 must be at most "),
        (rf"\bminimum {_NAMED} (?:is|are) {_FIGURE}", r"\1 must be at least "),
        (rf"\b([a-z]+) limit((?: (?:on|in|for|of) (?:[a-z]+ )?[a-z]+)?) (?:is|are) {_FIGURE}", r"\1\2 must be at most "),
        (r"\blowest ([a-z ]{3,40}?)(was|is) (?=at least\b)", r"\1\2 "),
        (r"\bhighest ([a-z ]{3,40}?)(was|is) (?=at most\b)", r"\1\2 "),
        (rf"\b(may|must|should|can|is|are|was|were)(?: not|n't|n’t)( be)? {_MORE} than {_FIGURE}", r"\1\2 at most "),
        (rf"\b(may|must|should|can|is|are|was|were)(?: not|n't|n’t)( be)? {_LESS} than {_FIGURE}", r"\1\2 at least "),
        (rf"\b(?:not exceeding|no {_MORE} than|capped at|limited to|up to|a maximum of) {_FIGURE}", "at most "),
        (rf"\b(?:no {_LESS} than|a minimum of) {_FIGURE}", "at least "),
        (r"\b(?:reached|hit|peaked at|climbed to|rose to|was) (?:number|no\.) ([0-9]{1,2}|" + "|".join(_CARDINALS) + r")\b", _rank),
        (r"(?-i:\b([A-Z]\w+) (finished|came|was|is|ended|placed|ranked) behind ([A-Z]\w+))", r"\3 \2 ahead of \1"),
        (r"\btopped the (charts?|list|table|league|poll|ranking)\b", r"was first in the \1"),
        (rf"\b(?:came|finished|placed|ranked|ended up|arrived) (?:in )?({_ORDINAL})(?: place)?\b", r"was \1"),
        (rf"\b(?:took|claimed|secured|gained) ({_ORDINAL}) place\b", r"was \1"),
        (r"\bwon(?=\.$)", "was first"),
        (r"\b(?:came|finished|placed) (?:in )?last(?: place)?\b", "was last"),
    ),
    (
        (r"\b(age of [a-z ]{2,30}?)(must be |is |was )?(at least |at most |)([0-9]{1,3})\b(?! ?(?:years|%|percent))", r"\1\2\3\4 years"),
    ),
)  # fmt: skip
_COMPILED = [
    [(re.compile(pattern, re.IGNORECASE), new) for pattern, new in each] for each in _PASSES
]
_MARKED = re.compile(
    r"limit|maxim|minim|lowest|highest|never|only|just|merely|[0-9](?:st|nd|rd|th)|exceed|than|cap|up to|below|above|half|behind|age|aged|every|major|number|top"
    r"|came|finish|plac|rank|first|won|last|for an? |takes? an? |[0-9] ?g\b|, [0-9]{2},|from|between|[0-9], [0-9]{3}|[0-9]\. [0-9]|[0-9] - |-[LR][RS]B-",
    re.IGNORECASE,
)
"""What any text has that is put otherwise: most texts are not looked at further."""


@dataclass(frozen=True, slots=True)
class PlainText:
    """A text in plain phrases, and where each of its characters comes from."""

    text: str
    places: tuple[Span, ...] | None = None
    """The stretch of the text as it was for each character; None where nothing was changed."""

    def original(self, span: Span) -> Span:
        """The stretch of the text as it was that a stretch of this one comes from."""
        if self.places is None or span[0] >= span[1]:
            return span
        return self.places[span[0]][0], self.places[span[1] - 1][1]


def plain_text(text: str) -> PlainText:
    """A text with plain phrases for those that bound, measure or rank by a number.

    >>> plain_text("The dose must not exceed 5 mg.").text
    'The dose must be at most 5 mg.'
    """
    if not _MARKED.search(text):
        return PlainText(text)
    found = PlainText(text)
    for each in _COMPILED:
        for pattern, new in each:
            found = _replaced(found, pattern, new)
    return found


def _replaced(known: PlainText, pattern: re.Pattern[str], new: Replacement) -> PlainText:
    matches = list(pattern.finditer(known.text))
    if not matches:
        return known
    before = known.places or tuple((i, i + 1) for i in range(len(known.text)))
    parts: list[str] = []
    places: list[Span] = []
    at = 0
    for found in matches:
        words = found.expand(new) if isinstance(new, str) else new(found)
        start, end = found.span()
        if words[:1].islower() and known.text[start : start + 1].isupper():
            words = words[:1].upper() + words[1:]
        parts += [known.text[at:start], words]
        places += before[at:start]
        whole = (before[start][0], before[end - 1][1]) if end > start else (0, 0)
        places += [whole] * len(words)
        at = end
    parts.append(known.text[at:])
    places += before[at:]
    return PlainText("".join(parts), tuple(places))


# Values, and what stands around them.

_COUNTING = "one two three four five six seven eight nine ten eleven twelve dozen hundred thousand"
_OTHERS = "million billion half third quarter double triple twice first second last decade century"
_FIGURED = re.compile(
    rf"[0-9]|\b(?:{'|'.join([*_COUNTING.split(), *_OTHERS.split()])})", re.IGNORECASE
)


def has_figures(text: str) -> bool:
    """Whether a text may have numbers or dates, by a quick look."""
    return _FIGURED.search(text) is not None


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
    def changes(self) -> list[FigureChange]:
        """What is said to rise or fall, and by how much."""
        return list(_changes(self))

    @cached_property
    def periods(self) -> list[tuple[Value, Value, int, int]]:
        """Two dates or times between which something lasts, with the first token and the one after."""
        return list(_periods(self))


@dataclass(frozen=True, slots=True)
class FigureChange:
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

    def completed(self) -> FigureChange:
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


def _changes(side: Figures) -> Iterator[FigureChange]:
    for i, lemma in enumerate(side.lemmas):
        if side.sentence.parts[i] not in ("VERB", "AUX") and lemma not in _FACTORS:
            continue
        if lemma in _FACTORS and side.sentence.parts[i] in ("VERB", "ADJ", "ADV"):
            factor = _FACTORS[lemma]
            known = FigureChange(i, i + 1, factor > 1, factor=factor)
            yield _read_change(side, known).completed()
        elif lemma in _RISING or lemma in _FALLING:
            known = FigureChange(i, i + 1, lemma in _RISING)
            if (found := _read_change(side, known)).last > i + 1:
                yield found.completed()


def _read_change(side: Figures, known: FigureChange) -> FigureChange:
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
