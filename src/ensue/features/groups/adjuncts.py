"""Adjuncts that only one side has, by the context that they stand in.

To leave an adjunct out is safe where the context is upward monotone ("a big dog barks" to "a dog
barks"), and to add one where it is downward monotone ("no dog barks" to "no big dog barks").
"""

from __future__ import annotations

from collections.abc import Iterator

from ensue.features.comparison import ComparedGraph, Feature, FeatureGroup, PairComparison
from ensue.language.contexts import Embedding, Monotonicity

_RELATIONS = frozenset(("amod", "advmod", "npadvmod", "advcl", "acl", "relcl", "nummod", "tmod"))
_COMPLEMENTS = frozenset(("prep_of", "prep_by"))
_CONTEXTS = (Monotonicity.POSITIVE, Monotonicity.NEGATIVE, Monotonicity.UNIVERSAL)

FEATURES = (
    Feature(
        "adjuncts.added-positive",
        "A node of the hypothesis that is aligned, in a positive context, has an adjunct (an adjective,"
        " adverb, number, prepositional phrase or clause) without support, and in the text no other"
        " stands in its place. What says whether, how surely, of how many or on what condition"
        " something is so is no adjunct, nor is what follows *of* or *by*.",
        ("A dog barked.", "A dog barked in the garden."),
    ),
    Feature(
        "adjuncts.added-negative",
        "As added-positive, in a negative context, where it is safe to add: under *not*, *no*, *few*"
        " or *if*.",
        ("No dog barked.", "No dog barked in the garden."),
    ),
    Feature(
        "adjuncts.added-universal",
        "As added-positive, of a noun that *all* or *every* ranges over, where it is safe to add.",
        ("Every dog barked.", "Every big dog barked."),
    ),
    Feature(
        "adjuncts.dropped-positive",
        "A text node with which one of the hypothesis is aligned has, in a positive context, an adjunct"
        " that nothing is aligned with, and in the hypothesis no other stands in its place; here it is"
        " safe to drop.",
        ("A dog barked in the garden.", "A dog barked."),
    ),
    Feature(
        "adjuncts.dropped-negative",
        "As dropped-positive, in a negative context, where it is not safe to drop.",
        ("No dog barked in the garden.", "No dog barked."),
    ),
    Feature(
        "adjuncts.dropped-universal",
        "As dropped-positive, of a noun that *all* or *every* ranges over, where it is not safe to"
        " drop.",
        ("Every big dog barked.", "Every dog barked."),
    ),
    Feature(
        "adjuncts.exchanged",
        "An adjunct of the hypothesis without support stands in the place of another of the text that"
        " nothing is aligned with: of aligned nodes, by the same relation.",
        ("A dog barked in the garden.", "A dog barked in the kitchen."),
    ),
)


def measure(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    added: set[Monotonicity] = set()
    dropped: set[Monotonicity] = set()
    exchanged = False
    for node, target in enumerate(pair.targets):
        if target < 0:
            continue
        new = [
            relation
            for adjunct, relation in _adjuncts(pair.hypothesis, node)
            if not pair.is_supported(adjunct)
        ]
        old = [
            relation
            for adjunct, relation in _adjuncts(pair.text, target)
            if adjunct not in pair.aligned
        ]
        shared = set(new) & set(old)
        exchanged = exchanged or bool(shared)
        if any(relation not in shared for relation in new):
            added.add(_context(pair.hypothesis, node))
        if any(relation not in shared for relation in old):
            dropped.add(_context(pair.text, target))
    return (
        *(context in added for context in _CONTEXTS),
        *(context in dropped for context in _CONTEXTS),
        exchanged,
    )


def _adjuncts(side: ComparedGraph, node: int) -> Iterator[tuple[int, str]]:
    for other, relation in side.out[node]:
        if relation in _RELATIONS:
            if not _bears_on(side, node, other, relation):
                yield other, relation
        elif relation.startswith("prep_") and relation not in _COMPLEMENTS:
            yield other, relation


def _bears_on(side: ComparedGraph, node: int, other: int, relation: str) -> bool:
    """Whether a modifier says whether, how surely, of how many or on what condition something is so."""
    contexts = side.contexts
    if relation == "advcl":
        return contexts.embeddings[side.predicate(other)] is Embedding.CONDITIONAL
    if relation not in ("amod", "advmod"):
        return False
    token, word = side.predicate(node), side.graph.heads[other]
    return (
        word == contexts.quantifiers[side.graph.heads[node]]
        or word == contexts.modals[token]
        or word == contexts.embedders[token]
        or word in contexts.negators[token]
    )


def _context(side: ComparedGraph, node: int) -> Monotonicity:
    return side.contexts.monotonicity[side.graph.heads[node]]


GROUP = FeatureGroup("Adjuncts", FEATURES, measure)
