"""Of how many things something is said."""

from __future__ import annotations

from ensue.features.comparison import Comparison
from ensue.features.model import Feature, FeatureGroup
from ensue.language.contexts import Quantity, quantity_follows

_PLAIN = frozenset((Quantity.NONE, Quantity.THE, Quantity.NUMBER))
_NEGATIVE = frozenset((Quantity.NO, Quantity.FEW))

FEATURES = (
    Feature(
        "quantifiers.same",
        "Two aligned nouns have the same quantifier.",
        ("All dogs bark.", "Every dog barks."),
    ),
    Feature(
        "quantifiers.weaker",
        "The quantifier of a noun of the hypothesis follows from that of its text noun.",
        ("All dogs bark.", "Some dogs bark."),
    ),
    Feature(
        "quantifiers.stronger",
        "The quantifier of a noun of the hypothesis does not follow from that of its text noun.",
        ("Some dogs bark.", "All dogs bark."),
    ),
    Feature(
        "quantifiers.opposed",
        "One of two aligned nouns has *no* or *few*, and the other a quantifier that affirms.",
        ("No dogs bark.", "Some dogs bark."),
    ),
)


def measure(pair: Comparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    same = weaker = stronger = opposed = False
    for node, target in enumerate(pair.targets):
        if target < 0:
            continue
        text = pair.text.contexts.quantities[pair.text.graph.heads[target]]
        hypothesis = pair.hypothesis.contexts.quantities[pair.hypothesis.graph.heads[node]]
        if text in _PLAIN and hypothesis in _PLAIN:
            continue
        if text is hypothesis:
            same = True
        elif (text in _NEGATIVE) != (hypothesis in _NEGATIVE):
            opposed = True
        elif quantity_follows(text, hypothesis):
            weaker = True
        else:
            stronger = True
    return same, weaker, stronger, opposed


GROUP = FeatureGroup("Quantifiers", FEATURES, measure)
