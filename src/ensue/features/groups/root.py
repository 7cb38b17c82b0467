"""What the main predicate of the hypothesis is aligned with."""

from __future__ import annotations

from ensue.features.comparison import Feature, FeatureGroup, PairComparison

FEATURES = (
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


def measure(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    main = pair.hypothesis.main
    if main < 0:
        return False, False
    supported = pair.is_supported(main)
    return not supported, supported and pair.targets[main] in pair.text.roots


GROUP = FeatureGroup("Root", FEATURES, measure)
