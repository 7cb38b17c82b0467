"""Negation on one side, on both, and words of opposite meaning."""

from __future__ import annotations

from ensue.alignment import Match
from ensue.features.comparison import Comparison
from ensue.features.model import Feature, FeatureGroup
from ensue.language.graphs import Sort

_NOMINAL = frozenset((Sort.NOUN, Sort.NAME))

FEATURES = (
    Feature(
        "polarity.text-negated",
        "The text negates a predicate that the hypothesis affirms.",
        ("Boris did not leave.", "Boris left."),
    ),
    Feature(
        "polarity.hypothesis-negated",
        "The hypothesis negates a predicate that the text affirms.",
        ("Boris left.", "Boris did not leave."),
    ),
    Feature(
        "polarity.both-negated",
        "Both negate a predicate.",
        ("Boris never left.", "Boris did not leave."),
    ),
    Feature(
        "polarity.noun",
        "Aligned nouns differ: one stands under a negation and the other does not.",
        ("Boris left without a coat.", "Boris left with a coat."),
    ),
    Feature(
        "polarity.antonym",
        "Two aligned words are of opposite meaning, and neither or both of them negated.",
        ("The price rose.", "The price fell."),
    ),
)


def measure(pair: Comparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    in_text, in_hypothesis = pair.text.contexts.polarity, pair.hypothesis.contexts.polarity
    seen = {(in_text[each.text], in_hypothesis[each.hypothesis]) for each in pair.predicates}
    noun = antonym = False
    for node, target in enumerate(pair.targets):
        if target < 0:
            continue
        text, hypothesis = pair.text.predicate(target), pair.hypothesis.predicate(node)
        same = in_text[text] == in_hypothesis[hypothesis]
        if pair.matches[node] is Match.ANTONYM:
            antonym = antonym or same
        elif pair.hypothesis.graph.sorts[node] in _NOMINAL:
            noun = noun or not same
    return (False, True) in seen, (True, False) in seen, (False, False) in seen, noun, antonym


GROUP = FeatureGroup("Polarity", FEATURES, measure)
