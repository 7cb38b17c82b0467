"""What each group of features is worth: train without it, and see which pairs turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, UndefinedError
from ensue.features import GROUPS
from ensue.features.measuring import has_words
from ensue.pairs import Label, Pair
from ensue.recognizers.features.recognizer import FeatureScorer, FeaturesRecognizer
from ensue.recognizers.features.regression import (
    FOLDS,
    Fold,
    Regression,
    fitted,
    folds,
    held_out_probabilities,
    learned,
    probabilities,
    scaling,
)

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
_Right = Callable[[Flags], Flags]
"""Which pairs are judged right with the features that are kept."""


@dataclass(frozen=True, slots=True)
class GroupTrial:
    """How the recognizer does without one group of features."""

    group: str
    n_features: int
    accuracy: float
    lost: int
    """Pairs that are right only with the group."""
    gained: int
    """Pairs that are right only without it."""


@dataclass(frozen=True, slots=True)
class FeatureWeight:
    """What was learned of one feature."""

    name: str
    weight: float
    """What it adds to the log odds where it is 1 rather than 0."""
    standardized: float
    """What it adds where it is higher by one standard deviation over the training pairs."""
    mean: float


@dataclass(frozen=True, slots=True)
class Ablation:
    """The accuracy with all features and without each group, and the weights of all."""

    n_pairs: int
    """Pairs judged."""
    n_left_out: int
    """Pairs without gold, or without words on a side."""
    accuracy: float
    trials: tuple[GroupTrial, ...]
    """One for each group, in the order of the catalog."""
    weights: tuple[FeatureWeight, ...]
    strength: float
    """The inverse strength of regularization, the same for all trials."""
    n_folds: int
    """Of the cross-validation; 0 where other pairs were judged."""
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """Pairs with gold, and their features."""

    values: Numbers
    gold: Flags
    groups: list[str]
    n_left_out: int


def ablate(
    recognizer: FeaturesRecognizer,
    pairs: Sequence[Pair],
    *,
    on: Sequence[Pair] | None = None,
    seed: int = 0,
) -> Ablation:
    """Measure the features once, and train with all groups and without each.

    Args:
        recognizer: Its settings and workers are used, not its weights.
        pairs: To train on, with gold.
        on: To judge; where they are not given, the pairs themselves in cross-validation, with the
            same folds for every trial.
        seed: For the folds.

    Raises:
        DataError: no pair has gold and words, or all have the same gold.
        UndefinedError: the pairs are too few for cross-validation.
    """
    names = recognizer.scorer.names(pairs)
    train = _measured(recognizer.scorer, pairs, names)
    regression = fitted(
        names,
        train.values,
        train.gold,
        train.groups,
        strength=recognizer.scorer.chosen.strength,
        seed=seed,
    )
    judged = train if on is None else _measured(recognizer.scorer, on, names)
    if on is None:
        right = _cross_validated(train, regression.strength, _parts(train, seed))
    else:
        right = _tested(train, judged, regression.strength)
    with_all = right(np.ones(len(names), np.bool_))
    return Ablation(
        n_pairs=len(with_all),
        n_left_out=judged.n_left_out,
        accuracy=float(with_all.mean()),
        trials=tuple(_trials(right, names, with_all)),
        weights=tuple(_weights(regression, train.values)),
        strength=regression.strength,
        n_folds=FOLDS if on is None else 0,
        seed=seed,
    )


def _cross_validated(train: _Measured, strength: float, parts: Sequence[Fold]) -> _Right:
    means, scales = scaling(train.values)
    scaled = (train.values - means) / scales

    def right(kept: Flags) -> Flags:
        some = np.ascontiguousarray(scaled[:, kept])
        found = held_out_probabilities(some, train.gold, parts, strength)
        return np.equal(found > 0.5, train.gold)

    return right


def _tested(train: _Measured, test: _Measured, strength: float) -> _Right:
    means, scales = scaling(train.values)
    scaled, others = (train.values - means) / scales, (test.values - means) / scales

    def right(kept: Flags) -> Flags:
        weights, bias = learned(np.ascontiguousarray(scaled[:, kept]), train.gold, strength)
        found = probabilities(bias + others[:, kept] @ weights)
        return np.equal(found > 0.5, test.gold)

    return right


def _trials(right: _Right, names: Sequence[str], with_all: Flags) -> list[GroupTrial]:
    trials = []
    for group in GROUPS:
        without = right(np.array([not name.startswith(f"{group.name}.") for name in names]))
        trials.append(
            GroupTrial(
                group.name,
                len(group.features),
                float(without.mean()),
                lost=int((with_all & ~without).sum()),
                gained=int((without & ~with_all).sum()),
            )
        )
    return trials


def _weights(regression: Regression, values: Numbers) -> list[FeatureWeight]:
    standardized = regression.weights * values.std(axis=0)
    columns = (regression.weights, standardized, regression.means)
    rows = zip(regression.names, *(column.tolist() for column in columns), strict=True)
    return [FeatureWeight(*row) for row in rows]


def _measured(scorer: FeatureScorer, pairs: Sequence[Pair], names: Sequence[str]) -> _Measured:
    kept = [
        pair
        for pair in pairs
        if pair.gold is not None and has_words(pair.text) and has_words(pair.hypothesis)
    ]
    if not kept:
        raise DataError(f"none of the {len(pairs)} pairs has gold, and words on both sides")
    return _Measured(
        scorer.values(kept, names),
        np.array([pair.gold is Label.ENTAILMENT for pair in kept]),
        [pair.text for pair in kept],
        len(pairs) - len(kept),
    )


def _parts(train: _Measured, seed: int) -> list[Fold]:
    parts = folds(train.gold, train.groups, seed)
    if not parts:
        raise UndefinedError(
            f"cross-validation takes {FOLDS} different texts, and {FOLDS} pairs of either gold",
            hint="give more pairs, or pairs to judge: --on TEST",
        )
    return parts


def by_group(weights: Sequence[FeatureWeight]) -> Mapping[str, list[FeatureWeight]]:
    """The weights of each group, in the order of the catalog."""
    found: dict[str, list[FeatureWeight]] = {}
    for each in weights:
        found.setdefault(each.name.partition(".")[0], []).append(each)
    return found
