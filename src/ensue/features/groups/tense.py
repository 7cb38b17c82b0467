"""When things are said to happen."""

from __future__ import annotations

from ensue.features.comparison import Feature, FeatureGroup, PairComparison
from ensue.language.contexts import Tense

FEATURES = (
    Feature(
        "tense.same",
        "Two aligned predicates have the same tense: past (also *has left*), present or future.",
        ("Boris left.", "Boris has left."),
    ),
    Feature(
        "tense.different",
        "Two aligned predicates have different tenses; infinitives without one do not count.",
        ("Boris will leave.", "Boris left."),
    ),
)


def measure(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    same = different = False
    for each in pair.predicates:
        text = pair.text.contexts.tenses[each.text]
        hypothesis = pair.hypothesis.contexts.tenses[each.hypothesis]
        if Tense.NONE not in (text, hypothesis):
            same = same or text is hypothesis
            different = different or text is not hypothesis
    return same, different


GROUP = FeatureGroup("Tense", FEATURES, measure)
