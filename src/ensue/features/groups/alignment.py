"""How the words of the hypothesis are aligned: how well, what is not, the root, by which relations."""

from __future__ import annotations

from ensue.alignment import Match
from ensue.features.comparison import Feature, FeatureGroup, PairComparison
from ensue.language.graphs import Sort

# How well the hypothesis as a whole is aligned.

_ESSENTIAL = frozenset((Sort.NAME, Sort.NOUN, Sort.VERB, Sort.VALUE))

_ALIGNMENT_FEATURES = (
    Feature(
        "alignment.score",
        "(Σ weight · similarity of the hypothesis's nodes + 0.5 · Σ similarity of its edges) /"
        " (Σ weight + 0.5 · its number of edges): the alignment's score as a share of what the"
        " hypothesis aligned with itself would have. 1 for a hypothesis without nodes.",
        ("A dog barks at night.", "A dog barks."),
        is_share=True,
    ),
    Feature(
        "alignment.coverage",
        "The similarities of the hypothesis's nodes to their text nodes, weighted by rarity:"
        " Σ rarity · similarity / Σ rarity; a node without support counts 0.",
        ("A poodle barks at night.", "A dog barks."),
        is_share=True,
    ),
    Feature(
        "alignment.weakest",
        "The lowest similarity among the hypothesis's names, nouns, verbs and values; 0 where one of"
        " them has no support, or where there are none.",
        ("A dog barks at night.", "A dog barks."),
        is_share=True,
    ),
)


def _measure_alignment(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    return pair.alignment.normalized_score, _coverage(pair), _weakest(pair)


def _coverage(pair: PairComparison) -> float:
    total = sum(pair.rarities)
    covered = sum(
        rarity * similarity
        for node, (rarity, similarity) in enumerate(
            zip(pair.rarities, pair.similarities, strict=True)
        )
        if pair.is_supported(node)
    )
    return covered / total if total else 0.0


def _weakest(pair: PairComparison) -> float:
    return min(
        (
            pair.similarities[node] if pair.is_supported(node) else 0.0
            for node in pair.nodes(*_ESSENTIAL)
        ),
        default=0.0,
    )


ALIGNMENT = FeatureGroup("Alignment score", _ALIGNMENT_FEATURES, _measure_alignment)


# What of the hypothesis has no counterpart in the text.

_UNALIGNED_FEATURES = (
    Feature(
        "unaligned.name",
        "A name of the hypothesis has no support in the text.",
        ("Anna met the mayor.", "Anna met Boris."),
    ),
    Feature(
        "unaligned.noun",
        "A noun of the hypothesis has no support in the text.",
        ("Anna sold a car.", "Anna sold a violin."),
    ),
    Feature(
        "unaligned.verb",
        "A verb of the hypothesis has no support in the text.",
        ("Anna saw the house.", "Anna painted the house."),
    ),
    Feature(
        "unaligned.modifier",
        "An adjective or adverb of the hypothesis has no support in the text.",
        ("Anna bought a car.", "Anna bought a purple car."),
    ),
    Feature(
        "unaligned.value",
        "A number, date or time of the hypothesis has no support in the text.",
        ("Anna bought some cars.", "Anna bought 12 cars."),
    ),
    Feature(
        "unaligned.subject",
        "A subject of the hypothesis's main predicate, of a passive one its agent, has no support in"
        " the text.",
        ("The house was sold.", "A banker sold the house."),
    ),
    Feature(
        "unaligned.object",
        "An object of the hypothesis's main predicate, of a passive one its subject, has no support in"
        " the text.",
        ("Anna drank at noon.", "Anna drank lemonade."),
    ),
    Feature(
        "unaligned.oblique",
        "What a preposition leads to in the hypothesis has no support in the text.",
        ("Anna slept.", "Anna slept in the bathroom."),
    ),
    Feature(
        "unaligned.share",
        "The share of the hypothesis's nodes that have no support in the text.",
        ("Anna slept.", "Anna slept in the bathroom."),
        is_share=True,
    ),
    Feature(
        "unaligned.text",
        "The share of the text's nodes with which no node of the hypothesis is aligned.",
        ("Anna slept in the bathroom.", "Anna slept."),
        is_share=True,
    ),
)


def _measure_unaligned(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    lost = [node for node in pair.nodes() if not pair.is_supported(node)]
    sorts = {pair.hypothesis.graph.sorts[node] for node in lost}
    relations = {
        relation
        for node in lost
        for _, relation in pair.hypothesis.into[node]
        if relation.startswith("prep_")
    }
    n_text = len(pair.text.graph)
    return (
        Sort.NAME in sorts,
        Sort.NOUN in sorts,
        Sort.VERB in sorts,
        Sort.ADJECTIVE in sorts or Sort.ADVERB in sorts,
        Sort.VALUE in sorts,
        _lost_argument(pair, "nsubj"),
        _lost_argument(pair, "dobj"),
        bool(relations),
        pair.unsupported,
        1 - len(pair.aligned) / n_text if n_text else 0.0,
    )


def _lost_argument(pair: PairComparison, relation: str) -> bool:
    main = pair.hypothesis.main
    return main >= 0 and any(
        each == relation and not pair.is_supported(node) for node, each in pair.hypothesis.out[main]
    )


UNALIGNED = FeatureGroup("Unaligned material", _UNALIGNED_FEATURES, _measure_unaligned)


# What the main predicate of the hypothesis is aligned with.

_ROOT_FEATURES = (
    Feature(
        "root.unaligned",
        "The main predicate of the hypothesis has no support in the text.",
        ("Anna saw the house.", "Anna painted the house."),
    ),
    Feature(
        "root.main",
        "The main predicate of the hypothesis has support in a node of the text that hangs on none, as"
        " main predicates do.",
        ("Anna sold the house in May.", "Anna sold the house."),
    ),
)


def _measure_root(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    main = pair.hypothesis.main
    if main < 0:
        return False, False
    supported = pair.is_supported(main)
    return not supported, supported and pair.targets[main] in pair.text.roots


ROOT = FeatureGroup("Root", _ROOT_FEATURES, _measure_root)


# The semantic relations by which words are aligned that are not the same.

_KINDS = (
    frozenset((Match.SYNONYM, Match.SIMILAR)),
    frozenset((Match.HYPERNYM, Match.ENTAILED, Match.PART)),
    frozenset((Match.HYPONYM,)),
    frozenset((Match.DERIVATION,)),
)

_RELATIONS_FEATURES = (
    Feature(
        "relations.synonym",
        "A word of the hypothesis is aligned with a synonym or a similar adjective.",
        ("Anna purchased a car.", "Anna bought a car."),
    ),
    Feature(
        "relations.general",
        "A word of the hypothesis is aligned with one that is more specific (poodle, dog), that"
        " entails or causes it (kill, die), or with a place that lies in it (Paris, France).",
        ("Anna bought a poodle.", "Anna bought a dog."),
    ),
    Feature(
        "relations.specific",
        "A word of the hypothesis is aligned with one that is more general (dog, poodle).",
        ("Anna bought a dog.", "Anna bought a poodle."),
    ),
    Feature(
        "relations.derived",
        "A word of the hypothesis is aligned with one that is derived from it or that it is derived"
        " from (destruction, destroy).",
        ("The destruction of Troy was complete.", "Troy was destroyed."),
    ),
)


def _measure_relations(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    seen = set(pair.matches)
    return tuple(bool(seen & kinds) for kinds in _KINDS)


RELATIONS = FeatureGroup("Semantic relations", _RELATIONS_FEATURES, _measure_relations)
