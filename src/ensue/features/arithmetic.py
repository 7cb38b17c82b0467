"""What the numbers and dates of a text make true: a hypothesis said again in the text's own figures.

Where a number of the hypothesis follows from numbers of the text (*over two million* from 2.1 million,
*doubled* from *rose from 40 to 80*, *four years* from *1914 to 1918*, *15 people* from *12 soldiers and
3 civilians*), the text's words are put in its place. What is then judged has no arithmetic left in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from math import inf, isclose

from ensue.features.figures import TIMES, FigureChange, Figures, PlainText, Span
from ensue.language import Sentence
from ensue.language.values import (
    Value,
    ValueAgreement,
    ValueKind,
    agreement,
    figure_follows,
)

_TRUE = frozenset((ValueAgreement.SAME, ValueAgreement.FOLLOWS))
_SUMMED = frozenset((ValueKind.NUMBER, ValueKind.AMOUNT, ValueKind.MEASURE))
_ENDING = frozenset(("end", "close", "finish", "conclude", "stop"))
_BEGINNING = frozenset(("begin", "start", "open"))
_UNTIL = frozenset(("until", "till", "through"))
_EARLIER = frozenset(("before", "previously", "earlier", "originally", "initially"))
_LASTING = frozenset(("last", "take", "run", "for", "be", "go"))
_SECONDS = {"minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0, "year": 31557600.0}
_PEOPLE = frozenset(("people", "person", "man", "woman", "other", "founder", "member", "friend"))
_PLACES = frozenset(("city", "town", "country", "place", "state", "nation", "location"))
_OF_KIND = {"PERSON": _PEOPLE, "GPE": _PLACES, "LOC": _PLACES}
_LISTED = re.compile(r"[\s,;]*(?:and|or|&)?[\s,;]*", re.IGNORECASE)
_AGE = re.compile(r"(?:\b(?:at|by) )?(?:the age of|age|aged)\s*$", re.IGNORECASE)
_OF_COUNT = re.compile(r"(?:^|[.;:,]\s)(?:out )?of (?:the |its |his |her |their )?$", re.IGNORECASE)
_TIME_NUMBER = re.compile(r"\bfor the$", re.IGNORECASE)
_TIMES_OVER = {"once": 1, "twice": 2, "thrice": 3}
_ROUNDED = 0.5
"""Points by which a percentage that is reckoned may differ from the one that is written."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """A stretch of the hypothesis, and what the text has for it."""

    hypothesis: Span
    text: Span
    words: str
    """The text's, which take the place of the hypothesis's."""
    follows: bool = True
    """Whether it follows; else it is excluded by the text."""
    said: str = ""
    """The hypothesis's words."""
    is_date: bool = False

    @property
    def message(self) -> str:
        """What differs, in words."""
        return f"{self.said!r} where the text has {self.words!r}"


@dataclass(frozen=True, slots=True)
class Restatement:
    """A hypothesis in the figures of its text."""

    text: PlainText
    hypothesis: PlainText
    reckonings: tuple[Reckoning, ...]
    """With places in both texts as they were."""

    @property
    def follows(self) -> bool:
        """Whether all that was reckoned follows from the text."""
        return all(each.follows for each in self.reckonings)

    @property
    def is_same(self) -> bool:
        """Whether nothing is left to judge: the text says it in these words."""
        return _words(self.text.text) == _words(self.hypothesis.text)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+(?:[.,]\d+)?|[%$€£°]", text.lower())


def restated(text: Figures, hypothesis: Figures) -> Restatement | None:
    """A hypothesis in the figures of its text; None where it needs no reckoning.

    Args:
        text: Analyzed in plain phrases (`ensue.features.figures`).
        hypothesis: Likewise.
    """
    found: list[Reckoning] = []
    for rule in _RULES:
        for each in rule(text, hypothesis):
            if all(_apart(each.hypothesis, other.hypothesis) for other in found):
                found.append(each)
    is_plain = text.plain.places is None and hypothesis.plain.places is None
    if not found and is_plain:
        return None
    found.sort(key=lambda each: each.hypothesis)
    said = _substituted(hypothesis.plain, found)
    back = tuple(
        replace(
            each,
            hypothesis=hypothesis.plain.original(each.hypothesis),
            text=text.plain.original(each.text),
            said=hypothesis.words(each.hypothesis),
        )
        for each in found
    )
    return Restatement(text.plain, said, back)


def _apart(one: Span, other: Span) -> bool:
    return one[1] <= other[0] or other[1] <= one[0]


def _substituted(plain: PlainText, reckonings: Sequence[Reckoning]) -> PlainText:
    places = plain.places or tuple((i, i + 1) for i in range(len(plain.text)))
    text, found, at = "", [], 0
    for each in reckonings:
        start, end = each.hypothesis
        words = each.words
        if start == 0 or (not text.strip() and not plain.text[at:start].strip()):
            words = words[:1].upper() + words[1:]
        text += plain.text[at:start] + words
        found += [*places[at:start], *[plain.original(each.hypothesis)] * len(words)]
        at = end
    return PlainText(text + plain.text[at:], (*found, *places[at:]))


# Values that stand in both, said otherwise.


def _same_values(text: Figures, hypothesis: Figures) -> Iterator[Reckoning]:
    """*over two million* where the text has 2.1 million."""
    for value in hypothesis.values:
        here = hypothesis.of(value)
        said = hypothesis.core(value)
        if any(text.core(each) == said for each in text.values):
            continue
        partner = next(
            (each for each in text.values if follows(text, each, hypothesis, value)), None
        )
        if partner is not None:
            there = text.of(partner)
            after = [
                side.text[end : end + 4] for side, (_, end) in ((hypothesis, here), (text, there))
            ]
            if after[0] == " of " and after[1] != " of ":
                here = here[0], here[1] + 3  # *20 percent of households*, *one in five households*
            yield Reckoning(here, there, text.words(there))
        elif (other := _other_bound(text, value)) is not None:
            there = text.of(other)
            yield Reckoning(here, there, text.words(there), follows=False)


def follows(text: Figures, known: Value, hypothesis: Figures, value: Value) -> bool:
    """Whether a value of the hypothesis is true where a value of the text is."""
    if _is_norm(known) and _is_norm(value) and (known.low > -inf) == (value.low > -inf):
        # a limit that is set is this one: *at most 5* is not the rule where at most 4 are allowed
        return agreement(known, value) is ValueAgreement.SAME
    if agreement(known, value) in _TRUE:
        return known.kind is not ValueKind.ORDINAL or known.low == value.low
    if known.kind is not value.kind and "year" in (known.unit, value.unit):
        bare = value if not value.unit else known
        side = hypothesis if bare is value else text
        if bare.unit == "" and bare.kind is ValueKind.NUMBER and side.noun(bare) < 0:
            as_years = replace(bare, kind=ValueKind.MEASURE, unit="year")
            pair = (known, as_years) if bare is value else (as_years, value)
            return agreement(*pair) in _TRUE
    return figure_follows(known, value, text.core(known), hypothesis.core(value))


def _is_norm(value: Value) -> bool:
    """Whether a value is a limit on one side that includes it: at most 5."""
    return (value.low == -inf) != (value.high == inf) and not value.strict


def _other_bound(text: Figures, value: Value) -> Value | None:
    """The text's limit of the same unit where a limit is another one, or lies on the other side."""
    if not _is_norm(value) or value.kind in TIMES:
        return None
    return next(
        (
            each
            for each in text.values
            if _is_norm(each) and (each.kind, each.unit) == (value.kind, value.unit)
        ),
        None,
    )


def _lists(text: Figures, hypothesis: Figures) -> Iterator[Reckoning]:
    """*between 80 and 90 %* where the text lists values that all lie there."""
    for value in hypothesis.values:
        if value.low == value.high or inf in (value.high, -value.low) or value.kind in TIMES:
            continue
        for run in _runs(text):
            measured = [_with_unit(each, run[-1]) for each in run]
            if all(agreement(each, value) in _TRUE for each in measured):
                there = text.span(run[0].first, run[-1].last)
                yield Reckoning(hypothesis.of(value), there, text.words(there))
                break


def _runs(text: Figures) -> Iterator[list[Value]]:
    """Values that are listed one after the other: 85 %, 86 % and 89.4 %."""
    run: list[Value] = []
    for before, after in pairwise(text.values):
        between = text.text[
            text.span(before.first, before.last)[1] : text.span(after.first, after.last)[0]
        ]
        if between.strip() and _LISTED.fullmatch(between):
            run = [*run, after] if run and run[-1] is before else [before, after]
        elif run:
            yield run
            run = []
    if run:
        yield run


def _with_unit(value: Value, last: Value) -> Value:
    """A value of a list with the unit that stands behind the last one."""
    bare = value.kind is ValueKind.NUMBER and last.kind is not ValueKind.NUMBER
    return replace(value, kind=last.kind, unit=last.unit) if bare else value


# Totals: of what is counted in the text, and of lists.


def _totals(text: Figures, hypothesis: Figures) -> Iterator[Reckoning]:
    """*15 people* where the text has 12 soldiers and 3 civilians."""
    groups = list(_groups(text))
    for value in hypothesis.values:
        if value.kind not in _SUMMED:
            continue
        if any(follows(text, each, hypothesis, value) for each in text.values):
            continue
        last = max(value.last, hypothesis.noun(value) + 1)
        for numbers, there in groups:
            total = _total(numbers)
            if total is not None and agreement(total, value) in _TRUE:
                said = set(_words(text.words(there)))
                while last < len(hypothesis.forms) and hypothesis.forms[last] in said:
                    last += 1  # *100 bikes in May and June*
                yield Reckoning(hypothesis.span(value.first, last), there, text.words(there))
                break


def _total(numbers: Sequence[Value]) -> Value | None:
    """The sum of numbers of one unit; None where they have several, or limits."""
    first = numbers[0]
    if any(
        (each.kind, each.unit) != (first.kind, first.unit) or not each.is_exact for each in numbers
    ):
        return None
    total = sum(each.low for each in numbers)
    return replace(first, low=total, high=total)


def _groups(text: Figures) -> Iterator[tuple[list[Value], Span]]:
    """Things that are counted and joined by *and*, with where they stand."""
    sentence = text.sentence
    heads = sentence.heads.tolist()
    counts = {max(text.noun(each), each.last - 1): each for each in text.values}
    for value in text.values:
        token = max(text.noun(value), value.last - 1)
        if value.kind in TIMES or value.kind is ValueKind.ORDINAL:
            continue
        chain, last = [value], token
        while (following := _conjunct(sentence, heads, last)) >= 0:
            last = following
            other = counts.get(following) or _single(text, following)
            if other is None:
                break
            chain.append(other)
        if len(chain) > 1:
            yield chain, text.span(value.first, _phrase_end(text, last + 1))
    summed = [each for each in text.values if each.kind in _SUMMED]
    for one, other in pairwise(summed):
        between = range(one.last, other.first)
        joins = [i for i in between if text.forms[i] == "and"]
        if joins and not any(text.sentence.parts[i] in ("VERB", "AUX") for i in between):
            yield [one, other], text.span(one.first, _phrase_end(text, other.last))


def _phrase_end(text: Figures, at: int) -> int:
    """Where a noun's prepositional phrases end: of *60 in June*, after *June*."""
    while at < len(text.forms) and text.sentence.parts[at] in (
        "ADP",
        "DET",
        "NOUN",
        "PROPN",
        "ADJ",
    ):
        at += 1
    return at


def _conjunct(sentence: Sentence, heads: Sequence[int], token: int) -> int:
    """What is joined to a token by *and* or a comma; -1 for nothing."""
    return next(
        (
            i
            for i in range(token + 1, len(heads))
            if heads[i] == token and sentence.relations[i] in ("conj", "appos")
        ),
        -1,
    )


def _single(text: Figures, noun: int) -> Value | None:
    """The one of *a daughter*."""
    articles = [i for i in range(max(noun - 2, 0), noun) if text.forms[i] in ("a", "an")]
    if not articles:
        return None
    return Value(ValueKind.NUMBER, articles[0], articles[0] + 1, 1.0, 1.0)


def _counted_lists(text: Figures, hypothesis: Figures) -> Iterator[Reckoning]:
    """*three people* where the text names three."""
    for value in hypothesis.values:
        noun = hypothesis.noun(value)
        if noun < 0 or value.kind is not ValueKind.NUMBER or not value.is_exact:
            continue
        for names, kinds in _named(text):
            if len(names) == value.low and hypothesis.lemmas[noun] in kinds:
                there = text.span(_name_start(text, names[0]), names[-1] + 1)
                yield Reckoning(hypothesis.span(value.first, noun + 1), there, text.words(there))
                break


def _named(text: Figures) -> Iterator[tuple[list[int], frozenset[str]]]:
    """Names that are joined, and what those are whom they name."""
    sentence = text.sentence
    heads = sentence.heads.tolist()
    for token, part in enumerate(sentence.parts):
        if part != "PROPN" or sentence.relations[token] == "conj":
            continue
        chain = [token]
        while (following := _conjunct(sentence, heads, chain[-1])) >= 0:
            chain.append(following)
        if len(chain) > 1 and all(sentence.parts[each] == "PROPN" for each in chain):
            kinds = [_OF_KIND.get(sentence.entities[each][2:]) for each in chain]
            yield chain, next((each for each in kinds if each), frozenset())


def _name_start(text: Figures, head: int) -> int:
    """The first token of a name."""
    while head > 0 and text.sentence.relations[head - 1] == "compound":
        head -= 1
    return head


def _shares(text: Figures, hypothesis: Figures) -> Iterator[Reckoning]:
    """*a quarter* where the text has *of the 200 seats, 50*."""
    for whole, part in pairwise(text.values):
        before = text.text[: text.span(whole.first, whole.last)[0]]
        plain = whole.kind is part.kind is ValueKind.NUMBER and whole.is_exact and part.is_exact
        if not plain or not 0 < part.low <= whole.low or not _OF_COUNT.search(before):
            continue
        percent = 100 * part.low / whole.low
        share = replace(part, kind=ValueKind.PERCENT, unit="percent", low=percent, high=percent)
        for value in hypothesis.values:
            if value.kind is ValueKind.PERCENT:
                here, there = hypothesis.of(value), text.of(part)
                is_near = abs(value.low - percent) <= _ROUNDED and value.is_exact
                if is_near or agreement(share, value) in _TRUE:
                    yield Reckoning(here, there, text.words(there))


def _repeated(text: Figures, hypothesis: Figures) -> Iterator[Reckoning]:
    """*twice* where the text has *for the second time*, *five titles* where it has the fifth."""
    ordinals = [each for each in text.values if each.kind is ValueKind.ORDINAL]
    for each in ordinals:
        start, _ = text.span(each.first, each.last)
        following = text.lemmas[each.last] if each.last < len(text.lemmas) else ""
        if following == "time" and _TIME_NUMBER.search(text.text[:start].rstrip()):
            there = text.span(each.first - 2, each.last + 1)
            for i, form in enumerate(hypothesis.forms):
                if form in _TIMES_OVER:
                    is_same = _TIMES_OVER[form] == each.low
                    yield Reckoning(hypothesis.span(i, i + 1), there, text.words(there), is_same)
        for value in hypothesis.values:
            noun = hypothesis.noun(value)
            is_count = value.kind is ValueKind.NUMBER and noun >= 0 and value.is_exact
            if is_count and (hypothesis.lemmas[noun], value.low) == (following, each.low):
                there = text.span(max(each.first - 1, 0), each.last + 1)
                yield Reckoning(hypothesis.span(value.first, noun + 1), there, text.words(there))


# Changes: from 40 to 80, by half, doubled.


def _changed(text: Figures, hypothesis: Figures) -> Iterator[Reckoning]:
    """*doubled* where the text has *rose from 40 to 80 tonnes*."""
    for here in hypothesis.changes:
        for there in text.changes:
            if (said := _agrees(there, here)) is not None:
                spans = hypothesis.span(here.first, here.last), text.span(there.first, there.last)
                if hypothesis.words(spans[0]).lower() != text.words(spans[1]).lower():
                    yield Reckoning(*spans, text.words(spans[1]), said)
                break
    yield from _before_changes(text, hypothesis)


def _agrees(known: FigureChange, change: FigureChange) -> bool | None:
    """Whether one change is another one; None where that cannot be told."""
    if change.before is not None or change.after is not None:
        pairs = [(known.before, change.before), (known.after, change.after)]
        if any(one is None and other is not None for one, other in pairs):
            return None
        return all(other is None or isclose(one or 0.0, other) for one, other in pairs)
    if change.factor is not None and known.factor is not None:
        is_near = abs(known.factor - change.factor) * 100 <= _ROUNDED
        return is_near if known.rises == change.rises else False
    if change.amount is not None and known.amount is not None and change.unit == known.unit:
        return known.rises == change.rises and isclose(change.amount, known.amount)
    return None


def _before_changes(text: Figures, hypothesis: Figures) -> Iterator[Reckoning]:
    """*was 20 euros before* where the text has *was raised by 5 euros to 25 euros*."""
    if _EARLIER.isdisjoint(hypothesis.forms):
        return
    for value in hypothesis.values:
        verb = hypothesis.verb(value.first)
        known = next((each for each in text.changes if each.before is not None), None)
        if known is None or known.before is None or verb < 0 or hypothesis.lemmas[verb] != "be":
            continue
        if known.unit != value.unit or len(known.numbers) < 1:
            continue
        last = value.last + (hypothesis.forms[value.last : value.last + 1] == ["before"])
        start = known.first
        while start > 0 and text.sentence.parts[start - 1] == "AUX":
            start -= 1
        spans = hypothesis.span(verb, last), text.span(start, known.last)
        yield Reckoning(*spans, text.words(spans[1]), isclose(known.before, value.low))


# Periods: from 1914 to 1918, and how long that is.


def _lengths(text: Figures) -> Iterator[tuple[list[Value], Span]]:
    """How long each period is, in several units, with where it stands."""
    for before, after, first, last in text.periods:
        found = []
        if before.kind is ValueKind.TIME:
            minutes = (
                60 * ((after.hour or 0) - (before.hour or 0))
                + (after.minute or 0)
                - (before.minute or 0)
            )
            found.append((minutes / 60 % 24, "hour"))
        elif (days := _days(before, after)) is not None:
            found += [
                (days, "day"),
                (days + 1, "day"),
                (days / 7, "week"),
                ((days + 1) / 7, "week"),
            ]
        elif before.year is not None and after.year is not None:
            found.append((float(after.year - before.year), "year"))
        lengths = [
            Value(ValueKind.MEASURE, before.first, after.last, length, length, False, unit)
            for length, unit in found
        ]
        yield lengths, text.span(first, last)


def _days(before: Value, after: Value) -> float | None:
    """The days between two dates that name one."""
    if None in (before.day, before.month, after.day, after.month):
        return None
    year = after.year or before.year or 2001
    try:
        first = date(before.year or year, before.month or 1, before.day or 1)
        return float((date(year, after.month or 1, after.day or 1) - first).days)
    except ValueError:
        return None


def _lasting(text: Figures, hypothesis: Figures) -> Iterator[Reckoning]:
    """*for eight years* where the text has *from 2001 until 2009*."""
    lengths = list(_lengths(text))
    for value in hypothesis.values:
        if value.unit not in _SECONDS or value.first == 0 or not lengths:
            continue
        if hypothesis.lemmas[value.first - 1] not in _LASTING:
            continue
        first = value.first - (hypothesis.forms[value.first - 1] == "for")
        here = hypothesis.span(first, value.last)
        for some, there in lengths:
            if any(agreement(each, value) in _TRUE for each in some):
                yield Reckoning(here, there, text.words(there))
                break


def _ends(text: Figures, hypothesis: Figures) -> Iterator[Reckoning]:
    """*ended in 1918* where the text has *lasted from 1914 to 1918*."""
    for value in hypothesis.values:
        verb = hypothesis.verb(value.first)
        if value.kind not in TIMES or verb < 0:
            continue
        is_end = hypothesis.lemmas[verb] in _ENDING
        if not is_end and hypothesis.lemmas[verb] not in _BEGINNING:
            continue
        for known, first, last in _bounds(text, is_end=is_end):
            start = text.verb(first)
            if start < 0:
                continue
            spans = hypothesis.span(verb, value.last), text.span(start, last)
            is_true = agreement(known, value) in _TRUE
            yield Reckoning(*spans, text.words(spans[1]), is_true, is_date=True)
            break


def _bounds(text: Figures, *, is_end: bool) -> Iterator[tuple[Value, int, int]]:
    """The dates and times with which periods end, or begin."""
    for before, after, first, last in text.periods:
        yield (after if is_end else before), first, last
    for value in text.values:
        is_last = value.kind in TIMES and text.forms[value.first - 1] in _UNTIL
        if is_end and is_last and value.first > 0:
            yield value, value.first - 1, value.last


def _ages(text: Figures, hypothesis: Figures) -> Iterator[Reckoning]:
    """*at the age of 40* where the text has somebody born in 1950 and something in 1990."""
    if "born" not in text.forms:
        return
    born = text.forms.index("born")
    years = [each for each in text.values if each.kind is ValueKind.DATE and each.year is not None]
    birth = next((each for each in years if each.first > born), None)
    for value in hypothesis.values:
        before = hypothesis.text[: hypothesis.span(value.first, value.last)[0]]
        age = _AGE.search(before)
        if birth is None or (age is None and value.unit != "year"):
            continue
        for each in years:
            passed = (each.year or 0) - (birth.year or 0)
            if each is not birth and value.low in (passed, passed - 1) and value.is_exact:
                start = age.start() if age else hypothesis.span(value.first, value.last)[0]
                here = start, hypothesis.span(value.first, value.last)[1]
                there = text.of(each)
                yield Reckoning(here, there, text.words(there))
                break


def _superlatives(text: Figures, hypothesis: Figures) -> Iterator[Reckoning]:
    """*the largest city* where the text has *the second largest city*."""
    for i, tag in enumerate(hypothesis.sentence.tags):
        if tag != "JJS":
            continue
        for k, other in enumerate(text.sentence.tags):
            if other != "JJS" or text.lemmas[k] != hypothesis.lemmas[i]:
                continue
            here, there = _ordinal_before(hypothesis, i), _ordinal_before(text, k)
            nouns = hypothesis.sentence.heads[i], text.sentence.heads[k]
            if hypothesis.lemmas[nouns[0]] == text.lemmas[nouns[1]] and here[0] != there[0]:
                spans = hypothesis.span(here[1], i + 1), text.span(there[1], k + 1)
                yield Reckoning(*spans, text.words(spans[1]), follows=False)


def _ordinal_before(side: Figures, token: int) -> tuple[float, int]:
    """The rank that a superlative has, and the token with which it begins."""
    for value in side.values:
        if value.kind is ValueKind.ORDINAL and value.last == token:
            return value.low, value.first
    form = side.forms[token - 1] if token else ""
    ranks = {"second": 2.0, "third": 3.0, "fourth": 4.0, "fifth": 5.0, "2nd": 2.0, "3rd": 3.0}
    return (ranks[form], token - 1) if form in ranks else (1.0, token)


_RULES: Sequence[Callable[[Figures, Figures], Iterator[Reckoning]]] = (
    _superlatives,
    _changed,
    _ends,
    _lasting,
    _ages,
    _repeated,
    _shares,
    _same_values,
    _lists,
    _totals,
    _counted_lists,
)
