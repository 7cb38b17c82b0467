"""Where a hypothesis says other than its text: a report that no weights have a say in.

Numbers, units, dates, names, negation, modality and quantifiers are compared one by one, out of the
same analysis that the features are measured on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ensue.alignment import Match
from ensue.features.comparison import ComparedGraph, Edge, PairComparison, Predicates
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
_ALIKE = frozenset((Match.SAME, Match.SYNONYM))
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


def find_mismatches(pair: PairComparison) -> list[Mismatch]:
    """All differences of an aligned pair, in the order of the hypothesis."""
    denied = list(_denials(pair))
    found = [
        *_values(pair),
        *_names(pair),
        *denied,
        *_hedges(pair),
        *_opposites(pair),
        *_quantifiers(pair, is_denied=bool(denied)),
    ]
    return sorted(found, key=lambda each: (each.hypothesis, each.kind, each.text or (-1, -1)))


def _values(pair: PairComparison) -> Iterator[Mismatch]:
    known = [value for value in pair.text.graph.values if value is not None]
    for node, value in enumerate(pair.hypothesis.graph.values):
        if value is None:
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

    Where 12 people were killed and 20 injured, 20 is in the text, and yet 20 were not killed.
    """
    values = pair.text.graph.values
    for governor, relation in pair.hypothesis.into[node]:
        for place in _places(pair, governor):
            there = [values[end] for end, other in pair.text.out[place] if other == relation]
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


def _names(pair: PairComparison) -> Iterator[Mismatch]:
    graph = pair.hypothesis.graph
    for node in pair.nodes(Sort.NAME):
        name = graph.lemmas[node]
        if pair.matches[node] not in (Match.NONE, Match.PRONOUN):
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
        there = [end for deed in deeds for end, other in text.out[deed] if other == relation]
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


def _clauses(pair: PairComparison) -> Iterator[Predicates]:
    """Aligned predicates that are said of something on both sides: no nouns, no rising costs."""
    for each in pair.predicates:
        if _is_said(pair.hypothesis, each.hypothesis) and _is_said(pair.text, each.text):
            yield each


def _is_said(side: ComparedGraph, token: int) -> bool:
    sentence = side.graph.sentence
    if sentence.parts[token] in _VERBS:
        return sentence.relations[token] != "amod"
    return sentence.relations[token] == ROOT


def _denials(pair: PairComparison) -> Iterator[Mismatch]:
    opposite = {
        pair.hypothesis.predicate(node)
        for node, match in enumerate(pair.matches)
        if match is Match.ANTONYM
    }
    for each in _clauses(pair):
        if each.hypothesis not in opposite and _is_denied(pair, each):
            spans = _token(pair.hypothesis, each.hypothesis), _token(pair.text, each.text)
            side = "text" if pair.text.denies(each.text) else "hypothesis"
            yield Mismatch(MismatchKind.NEGATION, *spans, f"denied by the {side} only")


def _is_denied(pair: PairComparison, each: Predicates) -> bool:
    """Whether one side denies what the other says."""
    return pair.text.denies(each.text) != pair.hypothesis.denies(each.hypothesis)


def _hedges(pair: PairComparison) -> Iterator[Mismatch]:
    text, hypothesis = pair.text.contexts, pair.hypothesis.contexts
    for each in _clauses(pair):
        if _is_denied(pair, each) or _had_to(pair.text, each.text):
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


def _opposites(pair: PairComparison) -> Iterator[Mismatch]:
    text, hypothesis = pair.text, pair.hypothesis
    quantifiers = set(hypothesis.contexts.quantifiers)
    for node, match in enumerate(pair.matches):
        if match is not Match.ANTONYM or hypothesis.graph.heads[node] in quantifiers:
            continue
        target = pair.targets[node]
        here, there = hypothesis.predicate(node), text.predicate(target)
        if hypothesis.contexts.polarity[here] == text.contexts.polarity[there]:
            spans = hypothesis.graph.span(node), text.graph.span(target)
            yield _differing(pair, MismatchKind.OPPOSITE, *spans)


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
