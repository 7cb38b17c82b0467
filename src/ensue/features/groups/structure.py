"""Whether what is aligned hangs together in the text as it does in the hypothesis.

Where a node of the hypothesis is without support, the text cannot have its edges either, and the
features of unaligned material say so already. So most of these are 0 unless every node has support:
then only the structure can tell.
"""

from __future__ import annotations

from ensue.alignment import EdgeMatch
from ensue.features.comparison import Comparison, Side
from ensue.features.model import Feature, FeatureGroup
from ensue.language.graphs import Sort

_KEPT = frozenset((EdgeMatch.SAME, EdgeMatch.NORMALIZED, EdgeMatch.MERGED))
_ROLE = {"nsubj": "subject", "dobj": "object"}
_NOUN_ROLE = {"poss": "subject", "prep_by": "subject", "prep_of": "object"}

FEATURES = (
    Feature(
        "structure.edges",
        "Where every node of the hypothesis has support: the share of its edges that the text has"
        " between the aligned nodes, by the same relation, by one that says the same, or within one"
        " node.",
        ("A dog barks at night.", "A dog barked."),
        is_share=True,
    ),
    Feature(
        "structure.nearness",
        "Where every node of the hypothesis has support: the mean of 1 / steps between the text nodes that the two ends of each edge are aligned"
        " with; 0 where they are not connected, 1 within one node.",
        ("A dog barks at night.", "A dog barked."),
        is_share=True,
    ),
    Feature(
        "structure.arguments",
        "Every node of the hypothesis has support, and all subjects and objects of its predicates are"
        " those of the aligned text nodes; there is one at least.",
        ("Boris was seen by Anna.", "Anna saw Boris."),
    ),
    Feature(
        "structure.swapped",
        "A subject of the hypothesis is aligned with an object in the text, or an object with a"
        " subject, of the aligned predicate; of a noun, who is after *by* or possesses it is a"
        " subject, and what is after *of* an object.",
        ("Boris saw Anna.", "Anna saw Boris."),
    ),
    Feature(
        "structure.displaced",
        "Every node of the hypothesis has support, but in the text a predicate has another subject or"
        " object than in the hypothesis, which is no pronoun.",
        ("Anna sings while Boris reads.", "Boris sings."),
    ),
)


def measure(pair: Comparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    matches, lengths = pair.alignment.edge_matches, pair.alignment.path_lengths.tolist()
    n_edges = len(matches) if pair.is_covered else 0
    arguments = [i for i, (_, _, relation) in enumerate(pair.hypothesis.edges) if relation in _ROLE]
    swapped = displaced = False
    for i in arguments:
        governor, dependent, relation = pair.hypothesis.edges[i]
        if pair.is_supported(governor) and pair.is_supported(dependent):
            there = _roles(pair.text, pair.targets[governor])
            own = there.get(pair.targets[dependent], set())
            swapped = swapped or (bool(own) and _ROLE[relation] not in own)
            displaced = displaced or (not own and _is_taken(pair.text, there, _ROLE[relation]))
    return (
        sum(match in _KEPT for match in matches) / n_edges if n_edges else 0.0,
        sum(_nearness(length) for length in lengths) / n_edges if n_edges else 0.0,
        pair.is_covered and bool(arguments) and all(matches[i] in _KEPT for i in arguments),
        swapped,
        pair.is_covered and displaced,
    )


def _nearness(length: int) -> float:
    return 0.0 if length < 0 else 1 / max(length, 1)


def _roles(side: Side, predicate: int) -> dict[int, set[str]]:
    """The roles that nodes have to a predicate of the text, verb or noun."""
    is_noun = side.graph.sorts[predicate] is not Sort.VERB
    found: dict[int, set[str]] = {}
    for other, relation in side.out[predicate]:
        role = _ROLE.get(relation) or (_NOUN_ROLE.get(relation) if is_noun else None)
        if role:
            found.setdefault(other, set()).add(role)
    return found


def _is_taken(side: Side, roles: dict[int, set[str]], role: str) -> bool:
    """Whether something other than a pronoun has a role."""
    return any(
        role in each and side.graph.sorts[node] is not Sort.PRONOUN
        for node, each in roles.items()
    )


GROUP = FeatureGroup("Structural match", FEATURES, measure)
