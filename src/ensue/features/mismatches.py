"""Where a hypothesis says other than its text: a report that no weights have a say in.

Numbers, units, dates, names, roles, negation, modality and quantifiers are compared one by one, out of
the same analysis that the features are measured on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ensue.alignment import Match
from ensue.features.comparison import ComparedGraph, Edge, PairComparison, Predicates
from ensue.features.events import EventComparison, find_term, is_symmetric
from ensue.language import ROOT
from ensue.language.contexts import (
    Commitment,
    Embedding,
    Modality,
    Quantity,
    Tense,
    quantity_follows,
)
from ensue.language.graphs import Sort
from ensue.language.values import Value, ValueAgreement, ValueKind, agreement

Span = tuple[int, int]
"""The first character, and the one after the last."""

_TIMES = frozenset((ValueKind.DATE, ValueKind.TIME))
_BORNE_OUT = frozenset((ValueAgreement.SAME, ValueAgreement.FOLLOWS))
_EXPECTED = (Tense.FUTURE, Tense.PAST)
_HEDGED = {
    Embedding.BELIEVED: "only believed",
    Embedding.DENIED: "denied by somebody",
    Embedding.WANTED: "only wanted, planned or tried",
    Embedding.IF_NOT: "only made possible",
    Embedding.CONDITIONAL: "only so under a condition",
    Embedding.QUESTIONED: "only asked",
    Embedding.MODAL: "only likely or required",
}
_MODAL = {
    Modality.POSSIBLE: "only possible",
    Modality.NOT_NECESSARY: "only not necessary",
    Modality.NOT_POSSIBLE: "not possible",
    Modality.HYPOTHETICAL: "only hypothetical",
    Modality.NECESSARY: "only required",
}
_VERBS = frozenset(("VERB", "AUX"))
_TITLES = frozenset(("mr", "mrs", "ms", "dr", "mr.", "mrs.", "ms.", "dr.", "prof.")) | frozenset(
    ("miss", "sir", "lord", "lady", "king", "queen", "prince", "princess", "pope")
)
_ROLES = frozenset(("nsubj", "dobj"))
_ARGUMENTS = _ROLES | {"iobj", "prep_to", "prep_from", "prep_of", "prep_by"}
_ALIKE = frozenset((Match.SAME, Match.SYNONYM))
_REVERSED = {"prep_before": "prep_after", "prep_after": "prep_before"}
_RECIPROCAL = frozenset(("other", "another"))
_NEGATIVE = frozenset((Quantity.NO, Quantity.NOT_ALL))
_WEAKER = {
    Quantity.ALL: frozenset(Quantity) - {Quantity.ALL, Quantity.THE},
    Quantity.MOST: frozenset(Quantity) - {Quantity.ALL, Quantity.MOST, Quantity.THE},
    Quantity.MANY: frozenset((Quantity.SOME, Quantity.FEW, Quantity.NO)),
}
"""The quantities that do not bear out a larger one; of `the dogs`, all may be meant."""


class MismatchKind(StrEnum):
    """In what the two sides differ."""

    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    NAME = "name"
    ROLES = "roles"
    NEGATION = "negation"
    OPPOSITE = "opposite"
    MODALITY = "modality"
    QUANTIFIER = "quantifier"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One difference, with where it is."""

    kind: MismatchKind
    hypothesis: Span
    """Where it is in the hypothesis."""
    text: Span | None
    """Where the text says otherwise; None where it says nothing."""
    message: str


_BORNE_OUT_WHOLE = "borne-out"
DIFFERENCES: tuple[str, ...] = (
    *(f"{how}.{kind.value}" for how, kind in product(("differs", "lacks"), MismatchKind)),
    _BORNE_OUT_WHOLE,
)
"""Names of the numbers that `differences` gives: for each kind of mismatch whether the text says
otherwise, or nothing; and whether its events bear the hypothesis out."""


def differences(pairs: Sequence[PairComparison]) -> NDArray[np.float64]:
    """The mismatch reports of aligned pairs as ones and zeros: a row for each pair."""
    values = np.zeros((len(pairs), len(DIFFERENCES)))
    for row, pair in zip(values, pairs, strict=True):
        events = EventComparison(pair)
        found = find_mismatches(pair, events)
        named = {
            f"{'lacks' if each.text is None else 'differs'}.{each.kind.value}" for each in found
        }
        if not found and events.bears_out():
            named.add(_BORNE_OUT_WHOLE)
        row[:] = [name in named for name in DIFFERENCES]
    return values


def find_mismatches(pair: PairComparison, events: EventComparison | None = None) -> list[Mismatch]:
    """All differences of an aligned pair, in the order of the hypothesis.

    Args:
        pair: What is compared.
        events: Its events, where they have been compared already.
    """
    events = events or EventComparison(pair)
    denied = list(_denials(pair, events))
    found = [
        *_values(pair, events),
        *_names(pair, events),
        *_role_changes(pair, events),
        *denied,
        *_hedges(pair, events),
        *_opposites(pair, events),
        *_quantifiers(pair, is_denied=bool(denied) or bool(events.begun)),
    ]
    return sorted(found, key=lambda each: (each.hypothesis, each.kind, each.text or (-1, -1)))


def _values(pair: PairComparison, events: EventComparison) -> Iterator[Mismatch]:
    known = [value for value in pair.text.graph.values if value is not None]
    for node, value in enumerate(pair.hypothesis.graph.values):
        if value is None:
            continue
        if (term := events.term_of(node)) is not None:
            date, agrees = term
            if not agrees:
                yield _value_mismatch(pair, value, pair.text.graph.values[date])
            continue
        other = _rival(pair, node, value)
        if other is None:
            seen = [(agreement(each, value), each) for each in known]
            if any(agreed in _BORNE_OUT for agreed, _ in seen):
                continue
            other = _partner(pair, node, value, [each for agreed, each in seen if _bears(agreed)])
        other = other or _same_figure(value, known)
        if other is not None or value.kind is not ValueKind.ORDINAL:
            yield _value_mismatch(pair, value, other)


def _value_mismatch(pair: PairComparison, value: Value, other: Value | None) -> Mismatch:
    kind = MismatchKind.DATE if value.kind in _TIMES else MismatchKind.NUMBER
    span = _span(pair.hypothesis, value)
    if other is None:
        return Mismatch(kind, span, None, f"{_words(pair.hypothesis, span)!r} is not in the text")
    if kind is MismatchKind.NUMBER and _same_figure(value, [other]):
        kind = MismatchKind.UNIT
    return _differing(pair, kind, span, _span(pair.text, other))


def _rival(pair: PairComparison, node: int, value: Value) -> Value | None:
    """The text's value that stands where this one stands, and excludes it.

    Where 12 people were killed and 20 injured, 20 is in the text, and yet 20 were not killed. One of
    several such places is enough: *around the age of 50, in some around the age of 60*.
    """
    values = pair.text.graph.values
    for governor, relation in pair.hypothesis.into[node]:
        there = [
            values[end]
            for place in _places(pair, governor)
            for end, other in pair.text.out[place]
            if other == relation
        ]
        seen = [(agreement(other, value), other) for other in there if other is not None]
        if seen and all(agreed is ValueAgreement.DIFFERENT for agreed, _ in seen):
            return seen[0][1]
    return None


def _places(pair: PairComparison, node: int) -> list[int]:
    """The text's nodes that stand where a node stands: by what governs them, else as aligned."""
    text, lemmas = pair.text, pair.text.graph.lemmas
    lemma = pair.hypothesis.graph.lemmas[node]
    found = [
        end
        for governor, relation in pair.hypothesis.into[node]
        if pair.is_supported(governor)
        for end, other in text.out[pair.targets[governor]]
        if other == relation and lemmas[end] == lemma
    ]
    return found or ([pair.targets[node]] if pair.is_supported(node) else [])


def _bears(agreed: ValueAgreement) -> bool:
    return agreed in (ValueAgreement.DIFFERENT, ValueAgreement.OPEN)


def _partner(pair: PairComparison, node: int, value: Value, others: list[Value]) -> Value | None:
    """The text's value that a value stands against: the one aligned with it, else the first."""
    target = pair.targets[node]
    aligned = pair.text.graph.values[target] if target >= 0 else None
    if aligned is not None and _bears(agreement(aligned, value)):
        return aligned
    return others[0] if others else None


def _same_figure(value: Value, known: Sequence[Value]) -> Value | None:
    """A value of the text with the same figure and another unit."""
    if value.kind in _TIMES:
        return None
    for other in known:
        if other.kind in _TIMES or other.unit == value.unit:
            continue
        if (other.low, other.high) == (value.low, value.high):
            return other
    return None


def _names(pair: PairComparison, events: EventComparison) -> Iterator[Mismatch]:
    graph = pair.hypothesis.graph
    changed = {each.hypothesis for each in events.changes}
    for node in pair.nodes(Sort.NAME):
        name = graph.lemmas[node]
        if pair.matches[node] not in (Match.NONE, Match.PRONOUN):
            if node not in changed:
                yield from _exchanged(pair, node)
            continue
        if name in _TITLES:
            continue
        if _is_within(name, pair.text.graph.sentence.text.lower()):
            continue  # a part of a longer name: Chicago, the Chicago Bulls
        span = graph.span(node)
        # who is meant by a pronoun in its place, the text may say elsewhere
        other = -1 if pair.matches[node] is Match.PRONOUN else _free_name(pair, node)
        if other < 0:
            message = f"{_words(pair.hypothesis, span)!r} is not in the text"
            yield Mismatch(MismatchKind.NAME, span, None, message)
        else:
            yield _differing(pair, MismatchKind.NAME, span, pair.text.graph.span(other))


def _exchanged(pair: PairComparison, node: int) -> Iterator[Mismatch]:
    """The text's names that do, or are done, what this one does, and this one does not.

    Where Denmark defeated Norway, both are in the text, and yet Norway did not defeat Denmark.
    """
    text, target = pair.text, pair.targets[node]
    itself = {target, *(end for end, relation in _around(text, target) if relation == "appos")}
    for governor, relation in pair.hypothesis.into[node]:
        if relation not in _ROLES or pair.matches[governor] not in _ALIKE:
            continue
        deeds = _like(text, pair.targets[governor])
        sides = _ROLES if is_symmetric(pair.hypothesis.graph.lemmas[governor]) else {relation}
        there = [end for deed in deeds for end, other in text.out[deed] if other in sides]
        if there and itself.isdisjoint(there) and all(_is_name(text, end) for end in there):
            spans = pair.hypothesis.graph.span(node), text.graph.span(there[0])
            yield _differing(pair, MismatchKind.NAME, *spans)


def _like(side: ComparedGraph, node: int) -> list[int]:
    """The nodes of the same word; none for one that says too little: who has what."""
    lemma = side.graph.lemmas[node]
    if lemma == "have":
        return []
    return [each for each, other in enumerate(side.graph.lemmas) if other == lemma]


def _around(side: ComparedGraph, node: int) -> list[Edge]:
    return side.out[node] + side.into[node]


def _is_name(side: ComparedGraph, node: int) -> bool:
    return side.graph.sorts[node] is Sort.NAME


def _is_within(name: str, text: str) -> bool:
    """Whether a text has a name as whole words."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not (text[max(at - 1, 0) : at].isalnum() or text[end : end + 1].isalnum()):
            return True
        at = text.find(name, at + 1)
    return False


def _free_name(pair: PairComparison, node: int) -> int:
    """A name of the text that stands where this one stands, or else is of its kind.

    Nothing is aligned with it; -1 where there is none.
    """
    graph, kind = pair.text.graph, pair.hypothesis.graph.kinds[node]
    names = [each for each in range(len(graph)) if _is_name(pair.text, each)]
    free = [each for each in names if each not in pair.aligned]
    places = {
        end
        for governor, relation in pair.hypothesis.into[node]
        if pair.is_supported(governor)
        for end, other in pair.text.out[pair.targets[governor]]
        if other == relation
    }
    found = [each for each in free if each in places]
    found += [each for each in free if kind and graph.kinds[each] == kind]
    return found[0] if found else -1


def _role_changes(pair: PairComparison, events: EventComparison) -> Iterator[Mismatch]:
    """Those who do something and have it done to them in the text, or the other way round."""
    for each in events.changes:
        here, there = pair.hypothesis.graph.span(each.hypothesis), pair.text.graph.span(each.text)
        name = _words(pair.hypothesis, here)
        message = f"{name!r} is the {each.role}, in the text the {each.other}"
        yield Mismatch(MismatchKind.ROLES, here, there, message)


def _clauses(pair: PairComparison, events: EventComparison) -> Iterator[Predicates]:
    """Aligned predicates that are said of something on both sides: no nouns, no rising costs."""
    turned = [
        Predicates(pair.hypothesis.predicate(node), pair.text.predicate(deed), is_root=False)
        for node, deed in events.turned.items()
    ]
    told = {each.hypothesis for each in turned}
    for each in (*turned, *(each for each in pair.predicates if each.hypothesis not in told)):
        if _is_said(pair.hypothesis, each.hypothesis) and _is_said(pair.text, each.text):
            yield each


def _is_said(side: ComparedGraph, token: int) -> bool:
    sentence = side.graph.sentence
    if sentence.parts[token] in _VERBS:
        return sentence.relations[token] != "amod"
    return sentence.relations[token] == ROOT


def _denials(pair: PairComparison, events: EventComparison) -> Iterator[Mismatch]:
    opposite = {
        pair.hypothesis.predicate(node)
        for node, match in enumerate(pair.matches)
        if match is Match.ANTONYM and node not in events.turned
    }
    begun = _begun(pair, events)
    for each in _clauses(pair, events):
        if each.hypothesis in opposite or each.hypothesis in begun:
            continue
        spans = _token(pair.hypothesis, each.hypothesis), _token(pair.text, each.text)
        if _is_denied(pair, each):
            side = "text" if pair.text.denies(each.text) else "hypothesis"
            yield Mismatch(MismatchKind.NEGATION, *spans, f"denied by the {side} only")
        elif (until := _denied_until(pair, each)) is not None:
            message = f"denied by the text only {_words(pair.text, until)!r}"
            yield Mismatch(MismatchKind.NEGATION, *spans, message)


def _begun(pair: PairComparison, events: EventComparison) -> set[int]:
    """The tokens of predicates that one side denies until a term only."""
    return {pair.hypothesis.predicate(node) for node in (*events.begun, *events.begun_here)}


def _is_denied(pair: PairComparison, each: Predicates) -> bool:
    """Whether one side denies what the other says."""
    return pair.text.denies(each.text) != pair.hypothesis.denies(each.hypothesis)


def _denied_until(pair: PairComparison, each: Predicates) -> Span | None:
    """The term until which the text denies what the hypothesis denies for good."""
    here, there = _node(pair.hypothesis, each.hypothesis), _node(pair.text, each.text)
    if here < 0 or there < 0 or not pair.hypothesis.denies(each.hypothesis):
        return None
    # a hypothesis that says anything of when or where may deny as little as the text
    if any(relation not in _ARGUMENTS for _, relation in pair.hypothesis.out[here]):
        return None
    term = find_term(pair.text, there)
    return pair.text.graph.span(term.node) if term is not None and term.is_exact else None


def _node(side: ComparedGraph, token: int) -> int:
    """The node of a predicate by its token; -1 where there is none."""
    found = (node for node in range(len(side.graph)) if side.predicate(node) == token)
    return next(found, -1)


def _hedges(pair: PairComparison, events: EventComparison) -> Iterator[Mismatch]:
    text, hypothesis = pair.text.contexts, pair.hypothesis.contexts
    begun = _begun(pair, events)
    for each in _clauses(pair, events):
        is_denied = _is_denied(pair, each) and each.hypothesis not in begun
        if is_denied or _had_to(pair.text, each.text):
            continue
        said = text.commitments[each.text], hypothesis.commitments[each.hypothesis]
        hedge = ""
        if said == (Commitment.OPEN, Commitment.TRUE):
            embedding = text.embeddings[each.text]
            hedge = _MODAL.get(text.modalities[each.text], "") or _HEDGED.get(embedding, "")
        elif (text.tenses[each.text], hypothesis.tenses[each.hypothesis]) == _EXPECTED:
            hedge = "only expected"
        if hedge:
            spans = _token(pair.hypothesis, each.hypothesis), _token(pair.text, each.text)
            yield Mismatch(MismatchKind.MODALITY, *spans, f"in the text {hedge}")


def _had_to(side: ComparedGraph, token: int) -> bool:
    """Whether something had to be done, and so was done: they had to leave."""
    contexts, modal = side.contexts, side.contexts.modals[token]
    return (
        modal >= 0
        and contexts.modalities[token] is Modality.NECESSARY
        and contexts.tenses[modal] is Tense.PAST
        and side.graph.sentence.lemmas[modal] == "have"
    )


def _opposites(pair: PairComparison, events: EventComparison) -> Iterator[Mismatch]:
    text, hypothesis = pair.text, pair.hypothesis
    quantifiers = set(hypothesis.contexts.quantifiers)
    changed = {node for each in events.changes for node in (each.predicate, each.hypothesis)}
    for node, match in enumerate(pair.matches):
        if match is not Match.ANTONYM or hypothesis.graph.heads[node] in quantifiers:
            continue
        if node in events.turned or node in changed:
            continue  # not sold, but bought by the other side; or told of the wrong one
        target = pair.targets[node]
        here, there = hypothesis.predicate(node), text.predicate(target)
        if hypothesis.contexts.polarity[here] == text.contexts.polarity[there]:
            spans = hypothesis.graph.span(node), text.graph.span(target)
            yield _differing(pair, MismatchKind.OPPOSITE, *spans)
    yield from _reversals(pair)


def _reversals(pair: PairComparison) -> Iterator[Mismatch]:
    """What is before something where the text has it after; dates are compared as values."""
    text, hypothesis = pair.text, pair.hypothesis
    for governor, node, relation in hypothesis.edges:
        other, target = _REVERSED.get(relation), pair.targets[node]
        there = pair.targets[governor]
        if other is None or there < 0 or hypothesis.graph.values[node] is not None:
            continue
        denied = hypothesis.denies(hypothesis.predicate(governor))
        if (target, other) in text.out[there] and text.denies(text.predicate(there)) == denied:
            spans = _since(hypothesis, node), _since(text, target)
            yield _differing(pair, MismatchKind.OPPOSITE, *spans)


def _since(side: ComparedGraph, node: int) -> Span:
    """A node with the preposition before it."""
    start, end = side.graph.span(node)
    sentence = side.graph.sentence
    head = int(sentence.heads[side.graph.heads[node]])
    return (min(start, _token(side, head)[0]) if head >= 0 else start), end


def _quantifiers(pair: PairComparison, *, is_denied: bool) -> Iterator[Mismatch]:
    """Larger quantities than the text's, and those that it excludes.

    What is none on one side only is left to the negation of the predicate, where that is seen.
    """
    text, hypothesis = pair.text, pair.hypothesis
    for node, target in enumerate(pair.targets):
        if target < 0 or text.graph.sorts[target] is Sort.VERB:
            continue
        here, there = hypothesis.graph.heads[node], text.graph.heads[target]
        had, said = text.contexts.quantities[there], hypothesis.contexts.quantities[here]
        if had is said or (is_denied and not _NEGATIVE.isdisjoint((had, said))):
            continue
        if hypothesis.graph.lemmas[node] in _RECIPROCAL or (
            had is Quantity.NUMBER and _is_counted(hypothesis, node)
        ):
            continue  # `each other`; `all four men`, whose number is compared
        if had in _WEAKER.get(said, ()) or quantity_follows(had, said) is False:
            spans = _quantified(hypothesis, node), _quantified(text, target)
            yield _differing(pair, MismatchKind.QUANTIFIER, *spans)


def _is_counted(side: ComparedGraph, node: int) -> bool:
    return any(side.graph.values[end] is not None for end, _ in side.out[node])


def _quantified(side: ComparedGraph, node: int) -> Span:
    """A node together with the words that say its quantity."""
    head, (start, end) = side.graph.heads[node], side.graph.span(node)
    by = side.contexts.quantifiers[head]
    if by >= 0:
        spans = [_token(side, token) for token in (by, *side.contexts.negators[by])]
        start, end = (
            min(start, *(each for each, _ in spans)),
            max(end, *(each for _, each in spans)),
        )
    return start, end


def _differing(pair: PairComparison, kind: MismatchKind, here: Span, there: Span) -> Mismatch:
    said, had = _words(pair.hypothesis, here), _words(pair.text, there)
    return Mismatch(kind, here, there, f"{said!r} where the text has {had!r}")


def _span(side: ComparedGraph, value: Value) -> Span:
    sentence = side.graph.sentence
    return int(sentence.starts[value.first]), int(sentence.ends[value.last - 1])


def _token(side: ComparedGraph, token: int) -> Span:
    sentence = side.graph.sentence
    return int(sentence.starts[token]), int(sentence.ends[token])


def _words(side: ComparedGraph, span: Span) -> str:
    return side.graph.sentence.text[slice(*span)]
