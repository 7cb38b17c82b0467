"""Negation on one side, on both, and words of opposite meaning."""

from __future__ import annotations

from ensue.alignment import Match
from ensue.features.comparison import Feature, FeatureGroup, PairComparison
from ensue.language.graphs import Sort

_NOMINAL = frozenset((Sort.NOUN, Sort.NAME))

FEATURES = (
    Feature(
        "polarity.text-negated",
        "The text denies a predicate (by *not*, *never*, *no*, *without*, or by what embeds it, as"
        " *fail* and *it is not the case that* do) that the hypothesis does not deny. Two denials"
        " that cancel each other are none.",
        ("Boris did not leave.", "Boris left."),
    ),
    Feature(
        "polarity.hypothesis-negated",
        "The hypothesis denies a predicate that the text does not deny.",
        ("Boris left.", "Boris did not leave."),
    ),
    Feature(
        "polarity.both-negated",
        "Both deny a predicate.",
        ("Boris never left.", "Boris did not leave."),
    ),
    Feature(
        "polarity.noun",
        "One of two aligned nouns or names stands in a negated clause or phrase and the other does"
        " not.",
        ("Boris left without a coat.", "Boris left with a coat."),
    ),
    Feature(
        "polarity.antonym",
        "Two aligned words are of opposite meaning, and neither or both of them denied.",
        ("The price rose.", "The price fell."),
    ),
)


def measure(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    denied = {
        (pair.text.denies(each.text), pair.hypothesis.denies(each.hypothesis))
        for each in pair.predicates
    }
    return (
        (True, False) in denied,
        (False, True) in denied,
        (True, True) in denied,
        *_of_words(pair),
    )


def _of_words(pair: PairComparison) -> tuple[bool, bool]:
    """Whether nouns differ in polarity, and whether words are opposed."""
    in_text, in_hypothesis = pair.text.contexts.polarity, pair.hypothesis.contexts.polarity
    noun = antonym = False
    for node, target in enumerate(pair.targets):
        if target < 0:
            continue
        if pair.matches[node] is Match.ANTONYM:
            text, hypothesis = pair.text.predicate(target), pair.hypothesis.predicate(node)
            antonym = antonym or pair.text.denies(text) is pair.hypothesis.denies(hypothesis)
        elif pair.hypothesis.graph.sorts[node] in _NOMINAL:
            text, hypothesis = pair.text.predicate(target), pair.hypothesis.predicate(node)
            noun = noun or in_text[text] is not in_hypothesis[hypothesis]
    return noun, antonym


GROUP = FeatureGroup("Polarity", FEATURES, measure)
