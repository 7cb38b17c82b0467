"""Whether things are said to be so, or to be possible or necessary."""

from __future__ import annotations

from ensue.features.comparison import ComparedGraph, Feature, FeatureGroup, PairComparison
from ensue.language.contexts import Modality

_ACTUAL, _POSSIBLE, _NECESSARY = Modality.ACTUAL, Modality.POSSIBLE, Modality.NECESSARY
_NOT_POSSIBLE, _NOT_NECESSARY = Modality.NOT_POSSIBLE, Modality.NOT_NECESSARY
_NOT_ACTUAL = "not-actual"
"""Of a predicate that is denied as a fact; no modality of its own."""

_OPPOSED = frozenset(
    pair
    for one, other in (
        (_POSSIBLE, _NOT_POSSIBLE),
        (_NECESSARY, _NOT_NECESSARY),
        (_NECESSARY, _NOT_POSSIBLE),
        (_ACTUAL, _NOT_POSSIBLE),
    )
    for pair in ((one, other), (other, one))
)
_WEAKER = frozenset(
    (
        (_ACTUAL, _POSSIBLE),
        (_NECESSARY, _POSSIBLE),
        (_NOT_POSSIBLE, _NOT_ACTUAL),
        (_NOT_POSSIBLE, _NOT_NECESSARY),
        (_NOT_ACTUAL, _NOT_NECESSARY),
    )
)
_NON_COMMITTAL = frozenset((_POSSIBLE, _NECESSARY, _NOT_NECESSARY))

FEATURES = (
    Feature(
        "modality.same",
        "Two aligned predicates have the same modality (possible, impossible, necessary, not"
        " necessary, or *would*), and it is not plain fact or its denial.",
        ("Anna may leave.", "Anna might leave."),
    ),
    Feature(
        "modality.weaker",
        "The modality of a predicate of the hypothesis follows from that of its text predicate: it says"
        " possible where the text says fact or necessary, no fact where the text says impossible, or"
        " not necessary where the text says impossible or no fact.",
        ("Anna left.", "Anna could leave."),
    ),
    Feature(
        "modality.stronger",
        "A predicate of the hypothesis says more than its text predicate: anything but the same where"
        " the text says possible, necessary or not necessary, unless it is weaker or opposed; or"
        " impossible where the text says no fact.",
        ("Anna may leave.", "Anna left."),
    ),
    Feature(
        "modality.opposed",
        "One of two aligned predicates is possible, fact or necessary and the other impossible, or one"
        " is necessary and the other not.",
        ("Anna cannot leave.", "Anna can leave."),
    ),
    Feature(
        "modality.main",
        "The hypothesis's main predicate is stronger than or opposed to the one it is aligned with.",
        ("Anna may leave.", "Anna left."),
    ),
)


def measure(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    same = weaker = stronger = opposed = main = False
    for each in pair.predicates:
        text, hypothesis = (
            _modality(pair.text, each.text),
            _modality(pair.hypothesis, each.hypothesis),
        )
        if text == hypothesis:
            same = same or text not in (_ACTUAL, _NOT_ACTUAL)
        elif (text, hypothesis) in _OPPOSED:
            opposed = True
            main = main or each.is_root
        elif (text, hypothesis) in _WEAKER:
            weaker = True
        elif text in _NON_COMMITTAL or (text, hypothesis) == (_NOT_ACTUAL, _NOT_POSSIBLE):
            stronger = True
            main = main or each.is_root
    return same, weaker, stronger, opposed, main


def _modality(side: ComparedGraph, token: int) -> str:
    found = side.contexts.modalities[token]
    return _NOT_ACTUAL if found is _ACTUAL and side.denies(token) else found


GROUP = FeatureGroup("Modality", FEATURES, measure)
