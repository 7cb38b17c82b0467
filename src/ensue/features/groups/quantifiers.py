"""Of how many things something is said."""

from __future__ import annotations

from ensue.features.comparison import ComparedGraph, Feature, FeatureGroup, PairComparison
from ensue.language.contexts import Monotonicity, Quantity, quantity_follows

_PLAIN = frozenset((Quantity.NONE, Quantity.THE, Quantity.NUMBER))
_SOME = frozenset((Quantity.NONE, Quantity.SOME))

FEATURES = (
    Feature(
        "quantifiers.same",
        "Two aligned nouns have quantifiers of the same class: all, most, many, some (also *a*,"
        " *several*), few, no, not all. Beside *no*, another"
        " is read with its clause's negation: *not have a car* is *have no car*. The, numbers"
        " and no quantifier count only against another.",
        ("All guests arrived.", "Every guest arrived."),
    ),
    Feature(
        "quantifiers.weaker",
        "The quantifier of a noun of the hypothesis is another than that of its text noun, and follows"
        " from it: most from all, some from many, no quantifier from *a*, not all from no.",
        ("All guests arrived.", "Some guests arrived."),
    ),
    Feature(
        "quantifiers.stronger",
        "The quantifier of a noun of the hypothesis neither follows from that of its text noun nor is"
        " excluded by it: all from some, most or the; few from some.",
        ("Some guests arrived.", "All guests arrived."),
    ),
    Feature(
        "quantifiers.opposed",
        "The quantifiers of two aligned nouns exclude each other: no and any that affirms, few and"
        " many, most or all, not all and all.",
        ("No guests arrived.", "Some guests arrived."),
    ),
)


def measure(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    same = weaker = stronger = opposed = False
    for node, target in enumerate(pair.targets):
        if target < 0:
            continue
        here, there = pair.hypothesis.graph.heads[node], pair.text.graph.heads[target]
        text = pair.text.contexts.quantities[there]
        hypothesis = pair.hypothesis.contexts.quantities[here]
        if text in _PLAIN and hypothesis in _PLAIN:
            continue
        if text is Quantity.NO:
            hypothesis = _denied(pair.hypothesis, here)
        elif hypothesis is Quantity.NO:
            text = _denied(pair.text, there)
        if text is hypothesis:
            same = True
            continue
        follows = quantity_follows(text, hypothesis)
        weaker = weaker or follows is True
        stronger = stronger or follows is None
        opposed = opposed or follows is False
    return same, weaker, stronger, opposed


def _denied(side: ComparedGraph, token: int) -> Quantity:
    """The quantity of a noun, read with the negation of its clause so that *no* compares with it.

    Who has not a car has no car; where some guests did not arrive, not all did.
    """
    quantity = side.contexts.quantities[token]
    if side.contexts.polarity[token]:
        return quantity
    if quantity in _SOME:
        inside = side.contexts.monotonicity[token] is Monotonicity.NEGATIVE
        return Quantity.NO if inside else Quantity.NOT_ALL
    return Quantity.NOT_ALL if quantity is Quantity.ALL else quantity


GROUP = FeatureGroup("Quantifiers", FEATURES, measure)
