"""What a verdict on the features rests on: links by kind, marks, and contributions."""

from __future__ import annotations

from collections.abc import Iterator

from ensue.features import Comparison
from ensue.language.contexts import Contexts, Modality, Quantity
from ensue.language.graphs import Graph
from ensue.language.values import ValueKind
from ensue.recognizers.explanation import Link, Side, Span

_TIMES = frozenset((ValueKind.DATE, ValueKind.TIME))
_UNMARKED = frozenset((Quantity.NONE, Quantity.THE, Quantity.NUMBER))
_ARTICLES = frozenset(("a", "an"))


def linked(pair: Comparison) -> tuple[list[Span], list[Link]]:
    """The aligned nodes of both sides as spans with links, and the others of the hypothesis."""
    spans: list[Span] = []
    links: list[Link] = []
    text, hypothesis = pair.text.graph, pair.hypothesis.graph
    for node, (target, match) in enumerate(zip(pair.targets, pair.matches, strict=True)):
        if target < 0:
            spans.append(Span(Side.HYPOTHESIS, *hypothesis.span(node), "unaligned", 0.0))
            continue
        similarity = pair.similarities[node]
        spans.append(Span(Side.HYPOTHESIS, *hypothesis.span(node), match.value, similarity))
        spans.append(Span(Side.TEXT, *text.span(target), match.value, similarity))
        links.append(Link(len(spans) - 2, len(spans) - 1, match.value))
    return spans, links


def marks(pair: Comparison) -> list[Span]:
    """Negations, quantifiers, modals, embedding words, numbers and dates on both sides."""
    return [
        *_marks(Side.TEXT, pair.text.graph),
        *_marks(Side.HYPOTHESIS, pair.hypothesis.graph),
    ]


def _marks(side: Side, graph: Graph) -> Iterator[Span]:
    sentence, contexts = graph.sentence, graph.contexts
    starts, ends = sentence.starts.tolist(), sentence.ends.tolist()
    for token, kind in sorted(_marked_tokens(contexts)):
        if kind == "quantifier" and sentence.lemmas[token].lower() in _ARTICLES:
            continue  # every other noun has one
        yield Span(side, starts[token], ends[token], kind, 0.0)
    for value in graph.values:
        if value is not None:
            kind = "date" if value.kind in _TIMES else "number"
            yield Span(side, starts[value.first], ends[value.last - 1], kind, 0.0)


def _marked_tokens(contexts: Contexts) -> set[tuple[int, str]]:
    negators = {token for many in contexts.negators for token in many}
    found = {(token, "negation") for token in negators}
    for token, quantity in zip(contexts.quantifiers, contexts.quantities, strict=True):
        if token >= 0 and token not in negators and quantity not in _UNMARKED:
            found.add((token, "quantifier"))
    for token, modality in zip(contexts.modals, contexts.modalities, strict=True):
        if token >= 0 and modality is not Modality.ACTUAL:
            found.add((token, "modal"))
    for token in contexts.embedders:
        if token >= 0 and not any((token, kind) in found for kind in ("negation", "modal")):
            found.add((token, "embedding"))
    return found
