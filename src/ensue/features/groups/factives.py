"""Whether the text commits itself to what the hypothesis says, under its embeddings.

The classes of embedding predicates are those of Nairn, Condoravdi and Karttunen (2006).
"""

from __future__ import annotations

from ensue.features.comparison import (
    ComparedGraph,
    Feature,
    FeatureGroup,
    PairComparison,
    Predicates,
)
from ensue.language.contexts import Commitment, Embedding, Modality

_MAIN = frozenset(("ROOT", "conj"))
_OPEN = {
    Embedding.REPORTED: "reported",
    Embedding.DENIED: "false",
    Embedding.BELIEVED: "believed",
    Embedding.QUESTIONED: "believed",
    Embedding.WANTED: "wanted",
    Embedding.CONDITIONAL: "conditional",
}

FEATURES = (
    Feature(
        "factives.true",
        "The text embeds what the hypothesis asserts, and is committed to it: under *know*, *manage*,"
        " *not fail*.",
        ("Anna knows that Boris left.", "Boris left."),
    ),
    Feature(
        "factives.false",
        "The text denies what the hypothesis asserts by what embeds it, or says that somebody denies"
        " it: under *fail*, *not manage*, *prevent*, *it is not the case*, *deny*.",
        ("Boris failed to leave.", "Boris left."),
    ),
    Feature(
        "factives.reported",
        "In the text what the hypothesis asserts is only reported: under *say*, *according to*.",
        ("Anna said that Boris left.", "Boris left."),
    ),
    Feature(
        "factives.believed",
        "In the text what the hypothesis asserts is only believed, asked, or an alternative: under"
        " *think* or *wonder*, in a question, beside *or*.",
        ("Anna believes that Boris left.", "Boris left."),
    ),
    Feature(
        "factives.wanted",
        "In the text what the hypothesis asserts is only wanted, planned, ordered or tried.",
        ("Boris wants to leave.", "Boris left."),
    ),
    Feature(
        "factives.conditional",
        "In the text what the hypothesis asserts depends on a condition, or is one: with *if* or"
        " *unless*.",
        ("If Boris leaves, Anna will cry.", "Boris leaves."),
    ),
    Feature(
        "factives.same",
        "Two aligned predicates are embedded by words of the same class, as *say* and *claim*; then"
        " they switch on no other feature of this group.",
        ("Anna said that Boris left.", "Anna said that Boris left."),
    ),
    Feature(
        "factives.hypothesis",
        "The text asserts a predicate that the hypothesis leaves open, by what embeds it, a modal, a"
        " question or *or*.",
        ("Boris left.", "Anna said that Boris left."),
    ),
)


_STATES = tuple(feature.name.partition(".")[2] for feature in FEATURES)


def measure(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    found = {_state(pair, each) for each in pair.predicates}
    return tuple(state in found for state in _STATES)


def _state(pair: PairComparison, each: Predicates) -> str:
    """Which of the features a predicate of the hypothesis switches on; none: an empty string."""
    text, hypothesis = pair.text.contexts, pair.hypothesis.contexts
    embedding = text.embeddings[each.text]
    if embedding is not Embedding.NONE and embedding is hypothesis.embeddings[each.hypothesis]:
        return "same"
    said = text.commitments[each.text], hypothesis.commitments[each.hypothesis]
    if said == (Commitment.TRUE, Commitment.TRUE):
        return "true" if embedding is not Embedding.NONE else ""
    if said == (Commitment.FALSE, Commitment.TRUE):
        return "false" if not text.negators[each.text] else ""
    if said == (Commitment.OPEN, Commitment.TRUE):
        return "believed" if _is_asked(pair.text, each.text) else _OPEN.get(embedding, "")
    return "hypothesis" if said == (Commitment.TRUE, Commitment.OPEN) else ""


def _is_asked(side: ComparedGraph, token: int) -> bool:
    """Whether an open main clause is so for no other reason than that it is asked or joined by *or*."""
    contexts = side.contexts
    return (
        contexts.embeddings[token] is Embedding.NONE
        and contexts.modalities[token] is Modality.ACTUAL
        and side.graph.sentence.relations[token] in _MAIN
    )


GROUP = FeatureGroup("Factives", FEATURES, measure)
