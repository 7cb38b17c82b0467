"""A regularized logistic regression whose strength is chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.statistics import (
    Counts,
    Fold,
    LinearModel,
    fit_logistic,
    held_out_predictions,
    least_loss,
    most_folds,
    probabilities,
    split_folds,
    standardization,
    stratified_folds,
    with_ones,
)

STRENGTHS = tuple(float(f"{10.0**k:.4g}") for k in np.arange(-4.0, 1.01, 0.5))
"""The inverse strengths of regularization that are tried: small ones keep the weights small."""

FOLDS = 10

_FOR_FEW = 0.01
"""The inverse strength where there are too few pairs to choose one."""
_LEAST = 1e-15
"""The least probability by which a loss is reckoned."""


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Rows to learn from: pairs, and after them lessons, which are learned from and never judged."""

    values: NDArray[np.float64]
    """A row of features for each."""
    gold: NDArray[np.bool_]
    """Whether the hypothesis follows."""
    texts: Sequence[str]
    """Of the pairs; those with one text are never parted by cross-validation."""

    @property
    def n_pairs(self) -> int:
        """How many rows are pairs."""
        return len(self.texts)


def fitted(
    names: Sequence[str], examples: Examples, *, strength: float | None, seed: int
) -> LinearModel:
    """Learn the log odds of entailment from pairs with gold.

    Args:
        names: Of the features.
        examples: What to learn from.
        strength: The inverse strength of regularization; chosen where it is None, as the one with
            the least log loss in cross-validation, of equals the smallest.
        seed: For the folds.

    Raises:
        DataError: all pairs have the same gold.
    """
    gold = examples.gold[: examples.n_pairs]
    if gold.all() or not gold.any():
        raise DataError(
            "all-pairs-same-gold",
            "all pairs have the same gold, so no weights can be learned",
            hint="give pairs of both kinds",
        )
    means, scales = scaling(examples)
    scaled = replace(examples, values=(examples.values - means) / scales)
    tried = STRENGTHS if strength is None else (strength,)
    guesses = held_out_probabilities(scaled, folds(examples, seed), tried)
    losses = {
        each: float(-np.log(np.where(gold, found, 1 - found).clip(_LEAST)).mean())
        for each, found in guesses.items()
    }
    chosen = least_loss(losses, strength or _FOR_FEW)
    learned = fit_logistic(scaled.values, scaled.gold, chosen)
    return LinearModel(
        tuple(names),
        learned[:-1] / scales,
        means,
        float(learned[-1]),
        chosen,
        _validated((guesses[chosen] > 0.5) == gold) if guesses else {},
    )


def _validated(right: NDArray[np.bool_]) -> dict[str, float]:
    accuracy = float(right.mean())
    error = float(np.sqrt(accuracy * (1 - accuracy) / right.size))
    return {"folds": FOLDS, "accuracy": accuracy, "standard_error": error}


def scaling(examples: Examples) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The means and deviations of columns over the pairs; 1 for a column that never changes."""
    return standardization(examples.values[: examples.n_pairs])


def folds(examples: Examples, seed: int) -> list[Fold]:
    """Ten parts of the pairs, each with as many of either gold, and no text in two of them.

    Lessons are trained on whatever part is held out. Empty where there are too few texts to part.
    """
    n, gold = examples.n_pairs, examples.gold[: examples.n_pairs]
    distinct = {text: i for i, text in enumerate(dict.fromkeys(examples.texts))}
    numbers = np.array([distinct[each] for each in examples.texts])
    if most_folds(gold, numbers) < FOLDS:
        return []
    lessons = np.arange(n, len(examples.gold))
    return [
        (np.concatenate([train, lessons]), held_out)
        for train, held_out in split_folds(stratified_folds(gold, numbers, FOLDS, seed=seed))
    ]


def held_out_probabilities(
    scaled: Examples, parts: Sequence[Fold], strengths: Sequence[float]
) -> dict[float, NDArray[np.float64]]:
    """For each strength the probability given to each pair by what is learned from other parts.

    Empty where there are no parts.
    """

    def learn(rows: Counts, strength: float, _: NDArray[np.float64] | None) -> NDArray[np.float64]:
        return fit_logistic(scaled.values[rows], scaled.gold[rows], strength)

    pairs = with_ones(scaled.values[: scaled.n_pairs])
    found = held_out_predictions(learn, pairs, parts, strengths)
    return {strength: probabilities(each) for strength, each in found.items()}
