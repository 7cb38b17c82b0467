"""How well the hypothesis as a whole is aligned."""

from __future__ import annotations

from ensue.features.comparison import Feature, FeatureGroup, PairComparison
from ensue.language.graphs import Sort

_ESSENTIAL = frozenset((Sort.NAME, Sort.NOUN, Sort.VERB, Sort.VALUE))

FEATURES = (
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


def measure(pair: PairComparison) -> tuple[float, ...]:
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


GROUP = FeatureGroup("Alignment score", FEATURES, measure)
