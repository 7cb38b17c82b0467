"""The semantic relations by which words are aligned; and what the main predicate is aligned with."""

from __future__ import annotations

from ensue.alignment import Match
from ensue.features.comparison import Feature, FeatureGroup, PairComparison

_KINDS = (
    frozenset((Match.SYNONYM, Match.SIMILAR)),
    frozenset((Match.HYPERNYM, Match.ENTAILED, Match.PART)),
    frozenset((Match.HYPONYM,)),
    frozenset((Match.DERIVATION,)),
)

FEATURES = (
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


def measure(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    seen = set(pair.matches)
    return tuple(bool(seen & kinds) for kinds in _KINDS)


GROUP = FeatureGroup("Semantic relations", FEATURES, measure)


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


def measure_root(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    main = pair.hypothesis.main
    if main < 0:
        return False, False
    supported = pair.is_supported(main)
    return not supported, supported and pair.targets[main] in pair.text.roots


ROOT = FeatureGroup("Root", _ROOT_FEATURES, measure_root)
