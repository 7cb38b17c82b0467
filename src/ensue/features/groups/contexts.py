"""What stands over the words of each side: modals, embedding verbs, negation, quantifiers."""

from __future__ import annotations

from ensue.alignment import Match
from ensue.features.comparison import (
    ComparedGraph,
    Feature,
    FeatureGroup,
    PairComparison,
    Predicates,
)
from ensue.language.contexts import (
    Commitment,
    Embedding,
    Modality,
    Monotonicity,
    Quantity,
    quantity_follows,
)
from ensue.language.graphs import Sort

# Whether things are said to be so, or to be possible or necessary.

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

_MODALITY_FEATURES = (
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


def _measure_modality(pair: PairComparison) -> tuple[float, ...]:
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


MODALITY = FeatureGroup("Modality", _MODALITY_FEATURES, _measure_modality)


# Whether the text commits itself to what the hypothesis says, under its embeddings.
#
# The classes of embedding predicates are those of Nairn, Condoravdi and Karttunen (2006).

_MAIN = frozenset(("ROOT", "conj"))
_OPEN = {
    Embedding.REPORTED: "reported",
    Embedding.DENIED: "false",
    Embedding.BELIEVED: "believed",
    Embedding.QUESTIONED: "believed",
    Embedding.WANTED: "wanted",
    Embedding.CONDITIONAL: "conditional",
}

_FACTIVES_FEATURES = (
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


_STATES = tuple(feature.name.partition(".")[2] for feature in _FACTIVES_FEATURES)


def _measure_factives(pair: PairComparison) -> tuple[float, ...]:
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


FACTIVES = FeatureGroup("Factives", _FACTIVES_FEATURES, _measure_factives)


# Negation on one side, on both, and words of opposite meaning.

_NOMINAL = frozenset((Sort.NOUN, Sort.NAME))

_POLARITY_FEATURES = (
    Feature(
        "polarity.text-negated",
        "The text denies a predicate (by *not*, *never*, *no*, *without*, or by what embeds it, as"
        " *fail* and *it is not the case that* do) that the hypothesis does not deny. Two denials"
        " that cancel each other are none.",
        ("Boris did not leave.", "Boris left."),
    ),
    Feature(
        "polarity.hypothesis-negated",
        "The hypothesis denies a predicate that the text does not deny.",
        ("Boris left.", "Boris did not leave."),
    ),
    Feature(
        "polarity.both-negated",
        "Both deny a predicate.",
        ("Boris never left.", "Boris did not leave."),
    ),
    Feature(
        "polarity.noun",
        "One of two aligned nouns or names stands in a negated clause or phrase and the other does"
        " not.",
        ("Boris left without a coat.", "Boris left with a coat."),
    ),
    Feature(
        "polarity.antonym",
        "Two aligned words are of opposite meaning, and neither or both of them denied.",
        ("The price rose.", "The price fell."),
    ),
)


def _measure_polarity(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    denied = {
        (pair.text.denies(each.text), pair.hypothesis.denies(each.hypothesis))
        for each in pair.predicates
    }
    return (
        (True, False) in denied,
        (False, True) in denied,
        (True, True) in denied,
        *_of_words(pair),
    )


def _of_words(pair: PairComparison) -> tuple[bool, bool]:
    """Whether nouns differ in polarity, and whether words are opposed."""
    in_text, in_hypothesis = pair.text.contexts.polarity, pair.hypothesis.contexts.polarity
    noun = antonym = False
    for node, target in enumerate(pair.targets):
        if target < 0:
            continue
        if pair.matches[node] is Match.ANTONYM:
            text, hypothesis = pair.text.predicate(target), pair.hypothesis.predicate(node)
            antonym = antonym or pair.text.denies(text) is pair.hypothesis.denies(hypothesis)
        elif pair.hypothesis.graph.sorts[node] in _NOMINAL:
            text, hypothesis = pair.text.predicate(target), pair.hypothesis.predicate(node)
            noun = noun or in_text[text] is not in_hypothesis[hypothesis]
    return noun, antonym


POLARITY = FeatureGroup("Polarity", _POLARITY_FEATURES, _measure_polarity)


# Of how many things something is said.

_PLAIN = frozenset((Quantity.NONE, Quantity.THE, Quantity.NUMBER))
_SOME = frozenset((Quantity.NONE, Quantity.SOME))

_QUANTIFIERS_FEATURES = (
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


def _measure_quantifiers(pair: PairComparison) -> tuple[float, ...]:
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


QUANTIFIERS = FeatureGroup("Quantifiers", _QUANTIFIERS_FEATURES, _measure_quantifiers)
