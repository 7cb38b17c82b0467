"""Phrases that say what a number bounds, measures or ranks, put into one wording for each meaning.

*must not exceed 5*, *no more than 5* and *the maximum is 5* become *at most 5*; *an hour and a half*
becomes *1.5 hours*, *came first* and *won* become *was first*. Places in the new text lead back to those in the old.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
    r"|came|finish|plac|rank|first|won|last|for an? |takes? an? |[0-9] ?g\b|, [0-9]{2},|from|between",
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
