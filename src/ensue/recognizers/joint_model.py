"""What the stages say of pairs as columns of numbers, and the model that weighs them.

The log odds of the three labels are linear in what the stages say, and the network's say counts for
more or less in each of the states that logic may be in. Where all words of a short hypothesis are in
the text and only the roles between them are missing, a countermodel is worth nearly everything; in
newspaper sentences it is worth little, and the network decides. The weights are learned from all
kinds of pairs at once, so that the states, and not the data set, say whom to trust.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.features import DIFFERENCES, NAMES, PairComparison, PairMeasure, differences, measured
from ensue.logic import EXCLUDING, Argument, Atom, ReasoningOutcome, atoms
from ensue.neural import ORDER, LogOdds
from ensue.pairs import Label, Pair
from ensue.recognizers.contract import Arrays
from ensue.recognizers.logic import ArgumentFailure
from ensue.statistics import (
    fit_multinomial,
    least_loss,
    most_folds,
    softmax,
    split_folds,
    standardization,
    stratified_folds,
    with_ones,
)

Columns = dict[str, NDArray[np.float64]]
"""A number for each pair under each name."""


class JudgingStage(StrEnum):
    """Who is asked about a pair."""

    NEURAL = "neural"
    FEATURES = "features"
    LOGIC = "logic"


# What logic found, as a state and a few numbers.


class LogicState(StrEnum):
    """How far a proof came; each of them in short, medium and long texts."""

    PROVED = "proved"
    PROVED_BY_WORDS = "proved by words"
    """With facts about words, which have senses."""
    REFUTED = "refuted"
    ROLES_MISSING = "roles missing"
    """A countermodel although the text has, or implies, every word of the hypothesis: who does
    what to whom differs, or what is said of whom."""
    RELATION_MISSING = "a relation missing"
    """No more is missing than what prepositions and quantifiers say."""
    WORD_MISSING = "a word missing"
    WORDS_MISSING = "words missing"
    SILENT = "silent"
    """Not asked, out of budget, or a side could not be read."""


_LENGTHS = (("short", 14), ("medium", 30), ("long", 10**9))
"""Words of a text, at the most."""
_ROLES = frozenset({"agent", "patient", "recipient"})
_MOST = 4.0
"""What is counted is counted so far."""
_LOGIC = (
    "logic.missing-words",
    "logic.misplaced-words",
    "logic.missing-roles",
    "logic.missing-others",
    "logic.missing-share",
    "logic.word-facts",
    "logic.grammar-changes",
    "logic.unread",
)
_UNREAD_IN_PART = "logic.unread"
_SILENCE = (LogicState.SILENT, (0.0,) * len(_LOGIC))
LogicReading = tuple[LogicState, tuple[float, ...]]
"""The state of a pair, and its numbers by the names of `_LOGIC`."""


def logic_reading(found: Argument | ArgumentFailure | None) -> LogicReading:
    """What an argument comes to, in a state and numbers; None for what was not asked."""
    if not isinstance(found, Argument):
        return _SILENCE
    parsed = found.text.parsed, found.hypothesis.parsed
    changes = sum(by == "grammar" for side in parsed for by, _ in side.changes)
    n_facts = sum(name.startswith("w") for name in found.finding.core)
    conditions = found.hypothesis.box.conditions
    missing = [conditions[i] for i in found.false]
    words = {each.predicate for each in missing if isinstance(each, Atom) and ":" in each.predicate}
    n_words = len(words - _told_words(found))
    roles = [e.predicate for e in missing if isinstance(e, Atom) and ":" not in e.predicate]
    n_others = sum(not isinstance(each, Atom) for each in missing)
    exchanged = len(words) > n_words or not _ROLES.isdisjoint(roles)
    counts = (n_words, len(words) - n_words, len(roles), n_others)
    state = _state(found.outcome, n_facts, n_words, exchanged)
    numbers = (
        *(min(float(n), _MOST) for n in counts),
        len(missing) / max(len(conditions), 1),
        min(float(n_facts), _MOST) if found.outcome is ReasoningOutcome.YES else 0.0,
        min(float(changes), _MOST),
        float(state is not LogicState.SILENT and not is_all_read(found)),
    )
    return state, numbers


def is_all_read(found: Argument) -> bool:
    """Whether the formulas say all that both sides do.

    Where words are left over, or a clause is only quoted, a countermodel may lack what the reading
    missed, and not what the text does not say.
    """
    formulas = (*found.text.box.conditions, *found.hypothesis.box.conditions)
    said = [atom.predicate for each in formulas for atom in atoms(each)]
    return not any(each.endswith(":unread") or "[" in each for each in said)


def _told_words(found: Argument) -> set[str]:
    """The words that the text has, and those that are known to follow from them.

    A countermodel of exchanged roles lacks a word, too: *the pilot* who praises is no pilot in it.
    But the text has its pilot, so that nothing is new in the hypothesis but who does what.
    """
    facts = (fact.formula for fact in found.facts if fact.kind not in EXCLUDING)
    formulas = (*found.text.box.conditions, *facts)
    return {atom.predicate for each in formulas for atom in atoms(each)}


def _state(outcome: ReasoningOutcome, n_facts: int, n_words: int, exchanged: bool) -> LogicState:
    if outcome is ReasoningOutcome.YES:
        return LogicState.PROVED_BY_WORDS if n_facts else LogicState.PROVED
    if outcome is ReasoningOutcome.NO:
        return LogicState.REFUTED
    if outcome is not ReasoningOutcome.UNKNOWN:
        return LogicState.SILENT
    if n_words:
        return LogicState.WORD_MISSING if n_words == 1 else LogicState.WORDS_MISSING
    return LogicState.ROLES_MISSING if exchanged else LogicState.RELATION_MISSING


def _states() -> list[str]:
    return [
        f"{state.value}, {length}" if state is not LogicState.SILENT else state.value
        for state in LogicState
        for length, _ in _LENGTHS
        if state is not LogicState.SILENT or length == _LENGTHS[0][0]
    ]


def _state_name(state: LogicState, n_words: int) -> str:
    if state is LogicState.SILENT:
        return state.value
    return f"{state.value}, {next(name for name, most in _LENGTHS if n_words <= most)}"


# The features, and beside them the mismatch report, which has no weights of its own.


def _features_and_differences(pairs: Sequence[PairComparison]) -> NDArray[np.float64]:
    return np.hstack([measured(pairs), differences(pairs)])


MEASURE = PairMeasure((*NAMES, *DIFFERENCES), _features_and_differences)
"""What is asked of aligned pairs."""


# From what the stages say to the columns of the model.

_ODDS = tuple(f"neural.{label.value}" for label in ORDER)
_FARTHEST = 6.0
"""Log odds beyond which the network is sure whatever it says."""
_SIZES = ("words.text", "words.hypothesis")


@dataclass(frozen=True, slots=True, eq=False)
class StageAnswers:
    """What each stage says of some pairs; None for one that was not asked."""

    pairs: Sequence[Pair]
    odds: LogOdds | None = None
    features: NDArray[np.float64] | None = None
    arguments: Sequence[Argument | ArgumentFailure | None] | None = None

    def columns(self) -> Columns:
        """The numbers that the model weighs, by name."""
        counts = np.array(
            [(len(p.text.split()), len(p.hypothesis.split())) for p in self.pairs], np.float64
        ).reshape(-1, 2)
        found = dict(zip(_SIZES, np.log1p(counts).T, strict=True))
        odds = None
        if self.odds is not None:
            centered = self.odds - self.odds.mean(axis=1, keepdims=True)
            odds = centered.clip(-_FARTHEST, _FARTHEST)
            found |= dict(zip(_ODDS, odds.T, strict=True))
        if self.arguments is not None:
            found |= _logic_columns(self.arguments, counts[:, 0], odds)
        if self.features is not None:
            found |= dict(zip(MEASURE.names, self.features.T, strict=True))
        return found


def _logic_columns(
    arguments: Sequence[Argument | ArgumentFailure | None],
    n_words: NDArray[np.float64],
    odds: LogOdds | None,
) -> Columns:
    read = [logic_reading(each) for each in arguments]
    numbers = np.array([each for _, each in read]).reshape(-1, len(_LOGIC))
    found = dict(zip(_LOGIC, numbers.T, strict=True))
    names = [_state_name(state, int(n)) for (state, _), n in zip(read, n_words, strict=True)]
    for name in _states():
        held = np.array([float(each == name) for each in names])
        found[f"logic: {name}"] = held
        if odds is not None:
            found |= _odds_where(name, held, odds)
    if odds is not None:
        found |= _odds_where("unread in part", found[_UNREAD_IN_PART], odds)
    return found


def _odds_where(state: str, held: NDArray[np.float64], odds: LogOdds) -> Columns:
    """What the network says, where a state holds."""
    return {
        f"neural.{label.value} where {state}": column * held
        for label, column in zip(ORDER, odds.T, strict=True)
    }


def columns_of(columns: Columns, stages: Sequence[JudgingStage]) -> Columns:
    """Those for which no other stage has to be asked."""
    return {name: each for name, each in columns.items() if _asked(name) <= set(stages)}


def _asked(name: str) -> set[JudgingStage]:
    if name in _SIZES:
        return set()
    if name.startswith("neural."):
        also = {JudgingStage.LOGIC} if " where " in name else set()
        return {JudgingStage.NEURAL} | also
    return {JudgingStage.LOGIC if name.startswith("logic") else JudgingStage.FEATURES}


# The model: a multinomial regression on the columns.

_STRENGTHS = (0.01, 0.03, 0.1)
_FOR_FEW = 0.01
_FOLDS = 5


@dataclass(frozen=True, slots=True, eq=False)
class JointModel:
    """Weights of every column for every label."""

    names: tuple[str, ...]
    means: NDArray[np.float64]
    weights: NDArray[np.float64]
    """A row for each column, per unit of it."""
    bias: NDArray[np.float64]
    strength: float

    def log_odds(self, columns: Columns) -> LogOdds:
        """The log odds of the labels for each pair, the same alone as among others."""
        values = self._values(columns) - self.means
        # summed in a fixed order: a product of matrices may sum in another one for other sizes
        return np.asarray((values[:, :, None] * self.weights).sum(axis=1) + self.bias)

    def contributions(self, columns: Columns, label: int, other: int) -> NDArray[np.float64]:
        """What each column adds to the log odds of one label against another, for each pair."""
        values = self._values(columns) - self.means
        return np.asarray(values * (self.weights[:, label] - self.weights[:, other]))

    def _values(self, columns: Columns) -> NDArray[np.float64]:
        return np.column_stack([columns[name] for name in self.names])

    def arrays(self) -> Arrays:
        """Each learned number under its name, so that it is kept as JSON."""
        found = {"strength": self.strength}
        found |= {
            f"mean of {name}": mean for name, mean in zip(self.names, self.means, strict=True)
        }
        for label, bias, column in zip(ORDER, self.bias, self.weights.T, strict=True):
            found[f"bias for {label.value}"] = bias
            for name, weight in zip(self.names, column, strict=True):
                found[f"weight of {name} for {label.value}"] = weight
        return {name: np.array(float(number)) for name, number in found.items()}


def model_from_arrays(arrays: Arrays) -> JointModel:
    """The inverse of `JointModel.arrays`.

    Raises:
        DataError: these are no numbers of a joint model.
    """
    names = tuple(name.removeprefix("mean of ") for name in arrays if name.startswith("mean of "))
    try:
        weights = [
            [float(arrays[f"weight of {name} for {label.value}"]) for label in ORDER]
            for name in names
        ]
        bias = [float(arrays[f"bias for {label.value}"]) for label in ORDER]
        means = [float(arrays[f"mean of {name}"]) for name in names]
        return JointModel(
            names, np.array(means), np.array(weights), np.array(bias), float(arrays["strength"])
        )
    except KeyError as error:
        raise DataError(
            "joint-weights-missing",
            f"it has no {error.args[0]!r}",
            hint="train it again: ensue train PAIRS -r joint -o DIR",
        ) from None


def fitted_model(
    columns: Columns, pairs: Sequence[Pair], *, seed: int, strength: float | None = None
) -> JointModel:
    """Learn the weights from pairs with gold.

    Where no strength is given, it is that of the least cross-validated loss.
    """
    names = tuple(columns)
    values = np.column_stack([columns[name] for name in names])
    means, scales = standardization(values)
    z = (values - means) / scales
    allowed = np.array([[_allows(pair.gold, label) for label in ORDER] for pair in pairs])
    if strength is None:
        losses = _held_out_losses(z, allowed, [pair.text for pair in pairs], seed)
        strength = least_loss(losses, _FOR_FEW)
    learned = fit_multinomial(z, allowed, strength)
    return JointModel(names, means, learned[:-1] / scales[:, None], learned[-1], strength)


def _allows(gold: Label | None, label: Label) -> bool:
    """Whether a label may be the right one: 2-way gold does not tell unknown from contradiction."""
    return gold is label or (gold is Label.NOT_ENTAILMENT and label is not Label.ENTAILMENT)


def _held_out_losses(
    z: NDArray[np.float64], allowed: NDArray[np.bool_], texts: Sequence[str], seed: int
) -> dict[float, float]:
    """The log loss of each strength; nothing where there are too few pairs to part."""
    distinct = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    groups = np.array([distinct[text] for text in texts])
    if most_folds(allowed[:, 0], groups) < _FOLDS:
        return {}
    folds = split_folds(stratified_folds(allowed[:, 0], groups, _FOLDS, seed=seed))
    losses = dict.fromkeys(_STRENGTHS, 0.0)
    for strength in _STRENGTHS:
        for train, held_out in folds:
            learned = fit_multinomial(z[train], allowed[train], strength)
            found = softmax(with_ones(z[held_out]) @ learned)
            losses[strength] -= float(np.log((found * allowed[held_out]).sum(axis=1)).sum())
    return losses
