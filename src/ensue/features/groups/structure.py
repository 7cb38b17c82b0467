"""Whether what is aligned hangs together in the text as it does in the hypothesis.

Where a node of the hypothesis is without support, the text cannot have its edges either, and the
features of unaligned material say so already. So most of these are 0 unless every node has support:
then only the structure can tell.
"""

from __future__ import annotations

from collections.abc import Mapping

from ensue.alignment import EdgeMatch, Match
from ensue.features.comparison import ComparedGraph, Feature, FeatureGroup, PairComparison
from ensue.language.graphs import Sort

_KEPT = frozenset((EdgeMatch.SAME, EdgeMatch.NORMALIZED, EdgeMatch.MERGED))
_ROLE = {"nsubj": "subject", "dobj": "object"}
_NO_ROLE: Mapping[str, str] = {}
_NOUN_ROLE = {"poss": "subject", "prep_by": "subject", "prep_of": "object"}
_NOUN_ROLE_BESIDE_BY = {"poss": "object", "prep_by": "subject", "prep_of": "object"}
"""Of "Troy's destruction by the Greeks", where *by* leaves the possessor no other role."""

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
        "Where every node of the hypothesis has support: the mean, over its edges, of 1 / steps between"
        " the text nodes that the two ends are aligned with; 0 where they are over four steps apart, 1"
        " within one node.",
        ("A dog barks at night.", "A dog barked."),
        is_share=True,
    ),
    Feature(
        "structure.arguments",
        "Every node of the hypothesis has support, there is a subject or object in it, and the text has"
        " all edges to subjects and objects, as in structure.edges.",
        ("Boris was seen by Anna.", "Anna saw Boris."),
    ),
    Feature(
        "structure.swapped",
        "A subject of the hypothesis is aligned with an object in the text, or an object with a"
        " subject, of the aligned predicate. Where that is a noun for a verb, what is after *by* is its"
        " subject, after *of* its object; who possesses it its subject, beside *by* its object. Not where the"
        " hypothesis's predicate is what the text's entails or causes, as *die* is of *kill*.",
        ("Boris saw Anna.", "Anna saw Boris."),
    ),
    Feature(
        "structure.displaced",
        "Every node of the hypothesis has support, but a subject or object of one of its predicates is"
        " neither in the text, where something else that is no pronoun has its place.",
        ("Anna sleeps while Boris reads.", "Boris sleeps."),
    ),
)


def measure(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    matches, lengths = pair.alignment.edge_matches, pair.alignment.path_lengths.tolist()
    n_edges = len(matches) if pair.is_covered else 0
    arguments = [i for i, (_, _, relation) in enumerate(pair.hypothesis.edges) if relation in _ROLE]
    swapped = displaced = False
    known: dict[int, dict[int, set[str]]] = {}
    for i in arguments:
        governor, dependent, relation = pair.hypothesis.edges[i]
        is_same_deed = pair.matches[governor] is not Match.ENTAILED  # who is killed dies
        if pair.is_supported(governor) and pair.is_supported(dependent) and is_same_deed:
            if governor not in known:
                known[governor] = _roles_at(pair, governor)
            there = known[governor]
            own = there.get(pair.targets[dependent], set())
            swapped = swapped or (bool(own) and _ROLE[relation] not in own)
            if not own and matches[i] not in _KEPT:
                displaced = displaced or _is_taken(pair.text, there, _ROLE[relation])
    return (
        sum(match in _KEPT for match in matches) / n_edges if n_edges else 0.0,
        sum(_nearness(length) for length in lengths) / n_edges if n_edges else 0.0,
        pair.is_covered and bool(arguments) and all(matches[i] in _KEPT for i in arguments),
        swapped,
        pair.is_covered and displaced,
    )


def _nearness(length: int) -> float:
    return 0.0 if length < 0 else 1 / max(length, 1)


def _roles_at(pair: PairComparison, predicate: int) -> dict[int, set[str]]:
    """The roles that nodes of the text have to what a predicate of the hypothesis is aligned with."""
    is_verb = pair.hypothesis.graph.sorts[predicate] is Sort.VERB
    return _roles(pair.text, pair.targets[predicate], _NOUN_ROLE if is_verb else _NO_ROLE)


def _roles(side: ComparedGraph, predicate: int, of_nouns: Mapping[str, str]) -> dict[int, set[str]]:
    """The roles that nodes have to a predicate of the text, verb or noun."""
    edges = side.out[predicate]
    if side.graph.sorts[predicate] is Sort.VERB:
        of_nouns = _NO_ROLE
    elif of_nouns and any(relation == "prep_by" for _, relation in edges):
        of_nouns = _NOUN_ROLE_BESIDE_BY
    found: dict[int, set[str]] = {}
    for other, relation in edges:
        role = _ROLE.get(relation) or of_nouns.get(relation)
        if role:
            found.setdefault(_counted(side, other), set()).add(role)
    return found


def _counted(side: ComparedGraph, node: int) -> int:
    """The noun of which a quantity is meant, "most of the dogs"; any other node itself."""
    token, heads = side.graph.heads[node], side.graph.heads
    for other, relation in side.out[node]:
        if relation == "prep_of" and side.contexts.quantifiers[heads[other]] == token:
            return other
    return node


def _is_taken(side: ComparedGraph, roles: dict[int, set[str]], role: str) -> bool:
    """Whether something other than a pronoun has a role."""
    return any(
        role in each and side.graph.sorts[node] is not Sort.PRONOUN for node, each in roles.items()
    )


GROUP = FeatureGroup("Structural match", FEATURES, measure)
