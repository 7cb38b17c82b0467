"""Whether what is aligned hangs together in the text as it does in the hypothesis."""

from __future__ import annotations

from ensue.alignment import EdgeMatch
from ensue.features.comparison import Comparison
from ensue.features.model import Feature, FeatureGroup

_KEPT = frozenset((EdgeMatch.SAME, EdgeMatch.NORMALIZED, EdgeMatch.MERGED))
_ARGUMENTS = frozenset(("nsubj", "dobj", "iobj"))

FEATURES = (
    Feature(
        "structure.edges",
        "The share of the hypothesis's edges that the text has between the aligned nodes, by the same"
        " relation, by one that says the same, or within one node.",
        ("A dog barks at night.", "A dog barked."),
        is_share=True,
    ),
    Feature(
        "structure.nearness",
        "The mean of 1 / steps between the text nodes that the two ends of each edge are aligned"
        " with; 0 where they are not connected, 1 within one node.",
        ("A dog barks at night.", "A dog barked."),
        is_share=True,
    ),
    Feature(
        "structure.arguments",
        "All subjects and objects of the hypothesis's predicates are that of the aligned text nodes,"
        " and there is one.",
        ("Boris was seen by Anna.", "Anna saw Boris."),
    ),
    Feature(
        "structure.swapped",
        "A subject of the hypothesis is aligned with an object in the text, or an object with a"
        " subject, of the aligned predicate.",
        ("Boris saw Anna.", "Anna saw Boris."),
    ),
    Feature(
        "structure.scattered",
        "A predicate of the hypothesis and one of its subjects or objects are both aligned, but not"
        " with nodes that are connected within four steps.",
        ("Anna sings and reads, and the old man with the dog said that Boris left.", "Boris sings."),
    ),
)


def measure(pair: Comparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    matches, lengths = pair.alignment.edge_matches, pair.alignment.path_lengths.tolist()
    n_edges = len(matches)
    arguments = [
        i for i, (_, _, relation) in enumerate(pair.hypothesis.edges) if relation in _ARGUMENTS
    ]
    return (
        sum(match in _KEPT for match in matches) / n_edges if n_edges else 0.0,
        sum(_nearness(length) for length in lengths) / n_edges if n_edges else 0.0,
        bool(arguments) and all(matches[i] in _KEPT for i in arguments),
        any(_is_swapped(pair, i) for i in arguments),
        any(_is_scattered(pair, i, lengths[i]) for i in arguments),
    )


def _nearness(length: int) -> float:
    return 0.0 if length < 0 else 1 / max(length, 1)


def _is_swapped(pair: Comparison, edge: int) -> bool:
    governor, dependent, relation = pair.hypothesis.edges[edge]
    predicate, argument = pair.targets[governor], pair.targets[dependent]
    if predicate < 0 or argument < 0:
        return False
    there = {each for other, each in pair.text.out[predicate] if other == argument}
    other = {"nsubj": "dobj", "dobj": "nsubj"}.get(relation)
    return other in there and relation not in there


def _is_scattered(pair: Comparison, edge: int, length: int) -> bool:
    governor, dependent, _ = pair.hypothesis.edges[edge]
    return length < 0 and pair.is_supported(governor) and pair.is_supported(dependent)


GROUP = FeatureGroup("Structural match", FEATURES, measure)
