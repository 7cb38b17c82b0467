"""Where a hypothesis says other than its text: a report that no weights have a say in.

Numbers, units, dates, names, negation, modality and quantifiers are compared one by one, out of the
same analysis that the features are measured on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ensue.alignment import Match
from ensue.features.comparison import Comparison, Side
from ensue.language.contexts import Commitment, Embedding, Modality, Quantity, quantity_follows
from ensue.language.graphs import Sort
from ensue.language.values import Agreement, Value, ValueKind, agreement

Span = tuple[int, int]
"""The first character, and the one after the last."""

_TIMES = frozenset((ValueKind.DATE, ValueKind.TIME))
_PLAIN = frozenset((Quantity.NONE, Quantity.THE, Quantity.NUMBER, Quantity.SOME))
_SURE = frozenset((Modality.ACTUAL, Modality.NECESSARY))
_HEDGED = {
    Embedding.BELIEVED: "only believed",
    Embedding.WANTED: "only wanted, planned or tried",
    Embedding.CONDITIONAL: "only so under a condition",
    Embedding.QUESTIONED: "only asked",
    Embedding.MODAL: "only likely or required",
}


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


def mismatches(pair: Comparison) -> list[Mismatch]:
    """All differences of an aligned pair, in the order of the hypothesis."""
    found = [
        *_values(pair),
        *_names(pair),
        *_predicates(pair),
        *_opposites(pair),
        *_quantifiers(pair),
    ]
    return sorted(found, key=lambda each: (each.hypothesis, each.kind, each.text or (-1, -1)))


def _values(pair: Comparison) -> Iterator[Mismatch]:
    graph = pair.text.graph
    known = [value for value in graph.values if value is not None]
    for node, value in enumerate(pair.hypothesis.graph.values):
        if value is None:
            continue
        seen = [(agreement(other, value), other) for other in known]
        if any(each in (Agreement.SAME, Agreement.FOLLOWS) for each, _ in seen):
            continue
        kind = MismatchKind.DATE if value.kind in _TIMES else MismatchKind.NUMBER
        span = _span(pair.hypothesis, value)
        partner = _partner(pair, node, value, [other for each, other in seen if _bears(each)])
        if partner is not None:
            said, other = _words(pair.hypothesis, span), _span(pair.text, partner)
            message = f"{said!r} where the text has {_words(pair.text, other)!r}"
            yield Mismatch(kind, span, other, message)
            continue
        other_unit = _other_unit(value, known)
        if other_unit is not None:
            there = _span(pair.text, other_unit)
            yield Mismatch(
                MismatchKind.UNIT,
                span,
                there,
                f"{_words(pair.hypothesis, span)!r} where the text has"
                f" {_words(pair.text, there)!r}: another unit",
            )
        elif value.kind is not ValueKind.ORDINAL:
            yield Mismatch(
                kind, span, None, f"{_words(pair.hypothesis, span)!r} is not in the text"
            )


def _bears(agreed: Agreement) -> bool:
    return agreed in (Agreement.DIFFERENT, Agreement.OPEN)


def _partner(
    pair: Comparison, node: int, value: Value, others: list[Value]
) -> Value | None:
    """The text's value that a value stands against: the one aligned with it, else the first."""
    target = pair.targets[node]
    aligned = pair.text.graph.values[target] if target >= 0 else None
    if aligned is not None and _bears(agreement(aligned, value)):
        return aligned
    return others[0] if others else None


def _other_unit(value: Value, known: list[Value]) -> Value | None:
    """A value of the text with the same figure and another unit."""
    if value.kind in _TIMES:
        return None
    for other in known:
        if other.kind in _TIMES or other.unit == value.unit:
            continue
        if (other.low, other.high) == (value.low, value.high):
            return other
    return None


def _names(pair: Comparison) -> Iterator[Mismatch]:
    graph, text = pair.hypothesis.graph, pair.text.graph
    for node in pair.nodes(Sort.NAME):
        if pair.matches[node] not in (Match.NONE, Match.PRONOUN):
            continue
        span = graph.span(node)
        said = _words(pair.hypothesis, span)
        other = _free_name(pair, graph.kinds[node]) if graph.kinds[node] else -1
        if other < 0:
            yield Mismatch(MismatchKind.NAME, span, None, f"{said!r} is not in the text")
        else:
            there = text.span(other)
            message = f"{said!r} where the text has {_words(pair.text, there)!r}"
            yield Mismatch(MismatchKind.NAME, span, there, message)


def _free_name(pair: Comparison, kind: str) -> int:
    """A name of the text of this kind that nothing is aligned with; -1 where there is none."""
    for node, other in enumerate(pair.text.graph.kinds):
        if other == kind and node not in pair.aligned:
            return node
    return -1


def _predicates(pair: Comparison) -> Iterator[Mismatch]:
    text, hypothesis = pair.text.contexts, pair.hypothesis.contexts
    for each in pair.predicates:
        here, there = each.hypothesis, each.text
        spans = _token(pair.hypothesis, here), _token(pair.text, there)
        said = text.commitments[there], hypothesis.commitments[here]
        if _is_denied(pair, here, there):
            negated = "the text" if hypothesis.polarity[here] else "the hypothesis"
            yield Mismatch(MismatchKind.NEGATION, *spans, f"denied by {negated} only")
        elif said == (Commitment.OPEN, Commitment.TRUE):
            hedge = _hedge(text.modalities[there], text.embeddings[there])
            if hedge:
                yield Mismatch(MismatchKind.MODALITY, *spans, f"in the text {hedge}")


def _is_denied(pair: Comparison, here: int, there: int) -> bool:
    """Whether one side denies what the other says."""
    text, hypothesis = pair.text.contexts, pair.hypothesis.contexts
    if text.polarity[there] != hypothesis.polarity[here]:
        return True
    said = {text.commitments[there], hypothesis.commitments[here]}
    return said == {Commitment.TRUE, Commitment.FALSE}


def _hedge(modality: Modality, embedding: Embedding) -> str:
    if modality not in _SURE:
        return f"only {modality.value.replace('-', ' ')}"
    if modality is Modality.NECESSARY:
        return "only required"
    return _HEDGED.get(embedding, "")


def _opposites(pair: Comparison) -> Iterator[Mismatch]:
    text, hypothesis = pair.text, pair.hypothesis
    for node, match in enumerate(pair.matches):
        if match is not Match.ANTONYM:
            continue
        target = pair.targets[node]
        here, there = hypothesis.predicate(node), text.predicate(target)
        if hypothesis.contexts.polarity[here] == text.contexts.polarity[there]:
            spans = hypothesis.graph.span(node), text.graph.span(target)
            said = _words(hypothesis, spans[0]), _words(text, spans[1])
            yield Mismatch(MismatchKind.OPPOSITE, *spans, f"{said[0]!r} against {said[1]!r}")


def _quantifiers(pair: Comparison) -> Iterator[Mismatch]:
    text, hypothesis = pair.text, pair.hypothesis
    for node, target in enumerate(pair.targets):
        if target < 0:
            continue
        here, there = hypothesis.graph.heads[node], text.graph.heads[target]
        said = text.contexts.quantities[there], hypothesis.contexts.quantities[here]
        if said[1] in _PLAIN and said[0] in _PLAIN:
            continue
        if said[0] is not said[1] and quantity_follows(*said) is False:
            spans = hypothesis.graph.span(node), text.graph.span(target)
            shown = [each.value or "no quantifier" for each in said]
            message = f"{shown[1]!r} where the text has {shown[0]!r}"
            yield Mismatch(MismatchKind.QUANTIFIER, *spans, message)


def _span(side: Side, value: Value) -> Span:
    sentence = side.graph.sentence
    return int(sentence.starts[value.first]), int(sentence.ends[value.last - 1])


def _token(side: Side, token: int) -> Span:
    sentence = side.graph.sentence
    return int(sentence.starts[token]), int(sentence.ends[token])


def _words(side: Side, span: Span) -> str:
    return side.graph.sentence.text[slice(*span)]
