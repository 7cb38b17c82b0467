"""What is said of a thing by an apposition or a form of *be*."""

from __future__ import annotations

from collections.abc import Iterator

from ensue.features.comparison import Comparison, Side
from ensue.features.model import Feature, FeatureGroup
from ensue.language.graphs import Sort

_NOMINAL = frozenset((Sort.NOUN, Sort.NAME))
_TITLE = frozenset(("compound", "nmod"))

FEATURES = (
    Feature(
        "apposition.match",
        "The hypothesis says that one thing is another, by *be* or an apposition, and the text says"
        " so of the aligned two, by *be*, an apposition or a title before a name.",
        ("Anna, a doctor, sings.", "Anna is a doctor."),
    ),
    Feature(
        "apposition.mismatch",
        "The hypothesis says that one thing is another, and the text, which has both, does not.",
        ("Anna met a doctor.", "Anna is a doctor."),
    ),
)


def measure(pair: Comparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    said = set(_equations(pair.text))
    match = mismatch = False
    for one, other in _equations(pair.hypothesis):
        if not (pair.is_supported(one) and pair.is_supported(other)):
            continue
        first, second = pair.targets[one], pair.targets[other]
        if first == second or not said.isdisjoint(((first, second), (second, first))):
            match = True
        elif _is_title(pair.text, first, second) or _is_title(pair.text, second, first):
            match = True
        else:
            mismatch = True
    return match, mismatch


def _equations(side: Side) -> Iterator[tuple[int, int]]:
    """Pairs of nodes of which the one is said to be the other."""
    sorts = side.graph.sorts
    for governor, dependent, relation in side.edges:
        if relation == "appos" or (
            relation == "nsubj"
            and side.graph.copulas[governor] >= 0
            and sorts[governor] in _NOMINAL
        ):
            yield governor, dependent


def _is_title(side: Side, name: int, title: int) -> bool:
    """Whether a noun stands before a name as its title: "President Anna Bell"."""
    return side.graph.sorts[name] is Sort.NAME and any(
        other == title and relation in _TITLE for other, relation in side.out[name]
    )


GROUP = FeatureGroup("Apposition", FEATURES, measure)
