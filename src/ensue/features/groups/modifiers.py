"""What is added to heads: adjuncts, and appositions."""

from __future__ import annotations

from collections.abc import Iterator

from ensue.alignment import Match
from ensue.features.comparison import ComparedGraph, Feature, FeatureGroup, PairComparison
from ensue.language.contexts import Embedding, Monotonicity
from ensue.language.graphs import Sort

# Adjuncts that only one side has, by the context that they stand in.
#
# To leave an adjunct out is safe where the context is upward monotone ("a big dog barks" to "a dog
# barks"), and to add one where it is downward monotone ("no dog barks" to "no big dog barks").

_RELATIONS = frozenset(("amod", "advmod", "npadvmod", "advcl", "acl", "relcl", "nummod", "tmod"))
_COMPLEMENTS = frozenset(("prep_of", "prep_by"))
_CONTEXTS = (Monotonicity.POSITIVE, Monotonicity.NEGATIVE, Monotonicity.UNIVERSAL)

_ADJUNCTS_FEATURES = (
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


def _measure_adjuncts(pair: PairComparison) -> tuple[float, ...]:
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


ADJUNCTS = FeatureGroup("Adjuncts", _ADJUNCTS_FEATURES, _measure_adjuncts)


# What is said of a thing by an apposition or a form of *be*.

_NOMINAL = frozenset((Sort.NOUN, Sort.NAME))
_TITLE = frozenset(("compound", "nmod"))

_APPOSITION_FEATURES = (
    Feature(
        "apposition.match",
        "The hypothesis says that one thing is another (or is not), by *be* or an apposition, and the"
        " text says so of the aligned two, by *be*, an apposition, a title before a name, or as one"
        " node. Both have support, by more than a related word.",
        ("Anna, a doctor, slept.", "Anna is a doctor."),
    ),
    Feature(
        "apposition.mismatch",
        "The hypothesis says that one thing is another (or is not), and the text, which has both, says"
        " nothing of the kind, or the contrary.",
        ("Anna met a doctor.", "Anna is a doctor."),
    ),
)


def _measure_apposition(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    match = mismatch = False
    said: dict[tuple[int, int], bool] | None = None
    for one, other, denied in _equations(pair.hypothesis):
        if not (_is_found(pair, one) and _is_found(pair, other)):
            continue
        if said is None:
            said = {(first, second): no for first, second, no in _equations(pair.text)}
        if denied is _denied(pair.text, said, pair.targets[one], pair.targets[other]):
            match = True
        else:
            mismatch = True
    return match, mismatch


def _is_found(pair: PairComparison, node: int) -> bool:
    """Whether a node has support, and not by a word that is only related: doctor, lawyer."""
    return pair.is_supported(node) and pair.matches[node] is not Match.RELATED


def _denied(
    side: ComparedGraph, said: dict[tuple[int, int], bool], first: int, second: int
) -> bool | None:
    """Whether the text says that one node is not the other; None where it says neither."""
    if first == second:
        return False
    for each in ((first, second), (second, first)):
        if each in said:
            return said[each]
        if _is_title(side, *each):
            return False
    return None


def _equations(side: ComparedGraph) -> Iterator[tuple[int, int, bool]]:
    """Pairs of nodes of which the one is said to be the other, or denied to be."""
    copulas, sorts = side.graph.copulas, side.graph.sorts
    for governor, dependent, relation in side.edges:
        if relation == "appos":
            yield governor, dependent, False
        elif relation == "nsubj" and copulas[governor] >= 0 and sorts[governor] in _NOMINAL:
            yield governor, dependent, side.denies(copulas[governor])


def _is_title(side: ComparedGraph, name: int, title: int) -> bool:
    """Whether a noun stands before a name as its title: "President Anna Bell"."""
    return side.graph.sorts[name] is Sort.NAME and any(
        other == title and relation in _TITLE for other, relation in side.out[name]
    )


APPOSITION = FeatureGroup("Apposition", _APPOSITION_FEATURES, _measure_apposition)
