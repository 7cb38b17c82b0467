"""Whether the text commits itself to what the hypothesis says, under its embeddings.

The classes of embedding predicates are those of Nairn, Condoravdi and Karttunen (2006).
"""

from __future__ import annotations

from ensue.features.comparison import Comparison
from ensue.features.model import Feature, FeatureGroup
from ensue.language.contexts import Commitment, Embedding

_DENIED = "false"
_OPEN = {
    Embedding.REPORTED: "reported",
    Embedding.DENIED: _DENIED,
    Embedding.BELIEVED: "believed",
    Embedding.QUESTIONED: "believed",
    Embedding.WANTED: "wanted",
    Embedding.CONDITIONAL: "conditional",
}

FEATURES = (
    Feature(
        "factives.true",
        "The text embeds a predicate that one of the hypothesis is aligned with, and commits itself"
        " to it all the same; the hypothesis asserts it.",
        ("Anna knows that Boris left.", "Boris left."),
    ),
    Feature(
        "factives.false",
        "The text denies by what embeds it, or says that somebody denies, what the hypothesis asserts.",
        ("Boris failed to leave.", "Boris left."),
    ),
    Feature(
        "factives.reported",
        "The text only reports what the hypothesis asserts.",
        ("Anna said that Boris left.", "Boris left."),
    ),
    Feature(
        "factives.believed",
        "In the text what the hypothesis asserts is only believed or asked.",
        ("Anna believes that Boris left.", "Boris left."),
    ),
    Feature(
        "factives.wanted",
        "In the text what the hypothesis asserts is only wanted, planned or tried.",
        ("Boris wants to leave.", "Boris left."),
    ),
    Feature(
        "factives.conditional",
        "In the text what the hypothesis asserts depends on a condition, or is one.",
        ("If Boris leaves, Anna will cry.", "Boris leaves."),
    ),
    Feature(
        "factives.same",
        "Two aligned predicates are embedded in the same way.",
        ("Anna said that Boris left.", "Anna said that Boris left."),
    ),
    Feature(
        "factives.hypothesis",
        "The hypothesis is not committed to a predicate to which the text is.",
        ("Boris left.", "Anna said that Boris left."),
    ),
)


def measure(pair: Comparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    found: set[str] = set()
    for each in pair.predicates:
        text, hypothesis = pair.text.contexts, pair.hypothesis.contexts
        embedding = text.embeddings[each.text]
        said = text.commitments[each.text], hypothesis.commitments[each.hypothesis]
        if embedding is not Embedding.NONE and embedding is hypothesis.embeddings[each.hypothesis]:
            found.add("same")
        elif said == (Commitment.TRUE, Commitment.TRUE):
            found.update(["true"] if embedding is not Embedding.NONE else [])
        elif said == (Commitment.FALSE, Commitment.TRUE):
            found.update([_DENIED] if not text.negators[each.text] else [])
        elif said == (Commitment.OPEN, Commitment.TRUE):
            found.update([_OPEN[embedding]] if embedding in _OPEN else [])
        elif said == (Commitment.TRUE, Commitment.OPEN):
            found.add("hypothesis")
    return tuple(feature.name.partition(".")[2] in found for feature in FEATURES)


GROUP = FeatureGroup("Factives", FEATURES, measure)
