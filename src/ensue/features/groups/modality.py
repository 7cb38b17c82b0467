"""Whether things are said to be so, or to be possible or necessary."""

from __future__ import annotations

from ensue.features.comparison import Comparison
from ensue.features.model import Feature, FeatureGroup
from ensue.language.contexts import Modality

_DENIED = frozenset((Modality.NOT_POSSIBLE,))
_OPPOSED = frozenset(
    frozenset(each)
    for each in (
        (Modality.POSSIBLE, Modality.NOT_POSSIBLE),
        (Modality.NECESSARY, Modality.NOT_NECESSARY),
        (Modality.NECESSARY, Modality.NOT_POSSIBLE),
        (Modality.ACTUAL, Modality.NOT_POSSIBLE),
    )
)
_WEAKER = frozenset(
    (
        (Modality.ACTUAL, Modality.POSSIBLE),
        (Modality.NECESSARY, Modality.POSSIBLE),
        (Modality.NOT_POSSIBLE, Modality.NOT_NECESSARY),
    )
)
_NON_COMMITTAL = frozenset((Modality.POSSIBLE, Modality.NECESSARY, Modality.NOT_NECESSARY))

FEATURES = (
    Feature(
        "modality.same",
        "Two aligned predicates have the same modality, and it is not plain fact.",
        ("Anna may leave.", "Anna might leave."),
    ),
    Feature(
        "modality.weaker",
        "The hypothesis says possible where the text says fact or necessary, which follows.",
        ("Anna left.", "Anna could leave."),
    ),
    Feature(
        "modality.stronger",
        "The hypothesis says fact or necessary where the text says possible, or fact where it says"
        " necessary.",
        ("Anna may leave.", "Anna left."),
    ),
    Feature(
        "modality.opposed",
        "One of two aligned predicates is possible or fact and the other impossible, or one is"
        " necessary and the other need not be.",
        ("Anna cannot leave.", "Anna can leave."),
    ),
    Feature(
        "modality.main",
        "The hypothesis's main predicate is stronger than or opposed to the one it is aligned with.",
        ("Anna may leave.", "Anna left."),
    ),
)


def measure(pair: Comparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    same = weaker = stronger = opposed = main = False
    for each in pair.predicates:
        text = pair.text.contexts.modalities[each.text]
        hypothesis = pair.hypothesis.contexts.modalities[each.hypothesis]
        if text is hypothesis:
            same = same or text is not Modality.ACTUAL
        elif frozenset((text, hypothesis)) in _OPPOSED:
            opposed = True
            main = main or each.is_root
        elif (text, hypothesis) in _WEAKER:
            weaker = True
        elif text in _NON_COMMITTAL:
            stronger = True
            main = main or each.is_root
    return same, weaker, stronger, opposed, main


GROUP = FeatureGroup("Modality", FEATURES, measure)
