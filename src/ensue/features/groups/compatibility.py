"""Whether the places, persons and other names of the hypothesis fit those of the text."""

from __future__ import annotations

from collections.abc import Iterator

from ensue.alignment import Match
from ensue.features.comparison import Feature, FeatureGroup, PairComparison
from ensue.language.graphs import Sort

_PLACES = frozenset(("GPE", "LOC", "FAC"))
_WITHIN = frozenset((Match.PART, Match.SAME, Match.NAME))

FEATURES = (
    Feature(
        "compatibility.place-match",
        "A place that the hypothesis names is aligned with the same in the text, or with one that lies"
        " in it.",
        ("Anna lives in Paris.", "Anna lives in France."),
    ),
    Feature(
        "compatibility.place-mismatch",
        "A place that the hypothesis names has no support, and the text names another that nothing is"
        " aligned with.",
        ("Anna lives in Paris.", "Anna lives in London."),
    ),
    Feature(
        "compatibility.person-mismatch",
        "A person that the hypothesis names has no support, and the text names another that nothing is"
        " aligned with.",
        ("Anna Bell met Boris Stone.", "Anna Bell met Clara Wood."),
    ),
    Feature(
        "compatibility.name-mismatch",
        "A name of the hypothesis that is of no place or person has no support, and the text has"
        " another such that nothing is aligned with.",
        ("Anna works for Siemens.", "Anna works for Toyota."),
    ),
)


def measure(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    lost = {_kind(kind) for node, kind in _names(pair) if not pair.is_supported(node)}
    graph = pair.text.graph
    free = {
        _kind(kind)
        for node, (kind, sort) in enumerate(zip(graph.kinds, graph.sorts, strict=True))
        if sort is Sort.NAME and node not in pair.aligned
    }
    place = any(
        _kind(kind) == "place" and pair.matches[node] in _WITHIN for node, kind in _names(pair)
    )
    both = lost & free
    return place, "place" in both, "person" in both, "other" in both


def _names(pair: PairComparison) -> Iterator[tuple[int, str]]:
    kinds = pair.hypothesis.graph.kinds
    return ((node, kinds[node]) for node in pair.nodes(Sort.NAME))


def _kind(kind: str) -> str:
    if kind in _PLACES:
        return "place"
    return "person" if kind == "PERSON" else "other"


GROUP = FeatureGroup("Compatibility of locations and entities", FEATURES, measure)
