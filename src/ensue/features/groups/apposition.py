"""What is said of a thing by an apposition or a form of *be*."""

from __future__ import annotations

from collections.abc import Iterator

from ensue.alignment import Match
from ensue.features.comparison import ComparedGraph, Feature, FeatureGroup, PairComparison
from ensue.language.graphs import Sort

_NOMINAL = frozenset((Sort.NOUN, Sort.NAME))
_TITLE = frozenset(("compound", "nmod"))

FEATURES = (
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


def measure(pair: PairComparison) -> tuple[float, ...]:
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


GROUP = FeatureGroup("Apposition", FEATURES, measure)
