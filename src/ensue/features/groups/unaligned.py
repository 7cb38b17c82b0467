"""What of the hypothesis has no counterpart in the text."""

from __future__ import annotations

from ensue.features.comparison import Feature, FeatureGroup, PairComparison
from ensue.language.graphs import Sort

FEATURES = (
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


def measure(pair: PairComparison) -> tuple[float, ...]:
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


GROUP = FeatureGroup("Unaligned material", FEATURES, measure)
