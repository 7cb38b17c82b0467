"""A regularized logistic regression whose strength is chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError

STRENGTHS = tuple(float(f"{10.0**k:.4g}") for k in np.arange(-4.0, 1.01, 0.5))
"""The inverse strengths of regularization that are tried: small ones keep the weights small."""

FOLDS = 10

_FOR_FEW = 0.01
"""The inverse strength where there are too few pairs to choose one."""
_SURE = 700.0
"""Log odds beyond which nothing can be told apart, and numbers overflow."""
_LEAST = 1e-15
"""The least probability by which a loss is reckoned."""

Fold = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The rows to train on, and those held out."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Regression:
    """Weights on features, and what was learned of them."""

    names: tuple[str, ...]
    weights: NDArray[np.float64]
    means: NDArray[np.float64]
    """Of the features over the training pairs."""
    bias: float
    """The log odds of entailment for a pair with average features."""
    strength: float
    """The inverse strength of regularization that was chosen."""
    validated: Mapping[str, float] = field(default_factory=dict)
    """How well it did in cross-validation, and by how much that may be off."""

    def log_odds(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The log odds of entailment for each row of features, the same alone as among others."""
        added: NDArray[np.float64] = self.contributions(values).sum(axis=1)
        return self.bias + added

    def contributions(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """What each feature adds to the log odds: its weight times how far it is from the average."""
        return np.ascontiguousarray((values - self.means) * self.weights)


def probabilities(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probabilities of log odds."""
    return 1 / (1 + np.exp(-np.clip(log_odds, -_SURE, _SURE)))


def fitted(
    names: Sequence[str], examples: Examples, *, strength: float | None, seed: int
) -> Regression:
    """Learn weights from pairs with gold.

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
            "all pairs have the same gold, so no weights can be learned",
            hint="give pairs of both kinds",
        )
    means, scales = scaling(examples)
    scaled = replace(examples, values=(examples.values - means) / scales)
    losses, guesses = _cross_validated(scaled, folds(examples, seed), strength)
    chosen = min(losses, key=lambda each: (losses[each], each)) if losses else strength or _FOR_FEW
    weights, bias = learned(scaled.values, scaled.gold, chosen)
    right = (guesses[chosen] > 0.5) == gold if guesses else np.zeros(0)
    validated = {}
    if right.size:
        accuracy = float(right.mean())
        validated = {
            "folds": FOLDS,
            "accuracy": accuracy,
            "standard_error": float(np.sqrt(accuracy * (1 - accuracy) / right.size)),
        }
    return Regression(tuple(names), weights / scales, means, bias, chosen, validated)


def scaling(examples: Examples) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The means and deviations of columns over the pairs; 1 for a column that never changes."""
    values = examples.values[: examples.n_pairs]
    means, scales = values.mean(axis=0), values.std(axis=0)
    scales[scales < 1e-9] = 1.0
    return means, scales


def learned(
    scaled: NDArray[np.float64], gold: NDArray[np.bool_], strength: float
) -> tuple[NDArray[np.float64], float]:
    """The weights of scaled features, and the bias."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=strength, solver="newton-cholesky", max_iter=200, tol=1e-10)
    model.fit(scaled, gold)
    return model.coef_[0].astype(np.float64), float(model.intercept_[0])


def folds(examples: Examples, seed: int) -> list[Fold]:
    """Ten parts of the pairs, each with as many of either gold, and no text in two of them.

    Lessons are trained on whatever part is held out. Empty where there are too few texts to part.
    """
    from sklearn.model_selection import StratifiedGroupKFold

    n, gold = examples.n_pairs, examples.gold[: examples.n_pairs]
    distinct = {text: i for i, text in enumerate(dict.fromkeys(examples.texts))}
    if min(len(distinct), int(gold.sum()), int((~gold).sum())) < FOLDS:
        return []
    numbers = np.array([distinct[each] for each in examples.texts])
    parts = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
    lessons = np.arange(n, len(examples.gold))
    return [
        (np.concatenate([train, lessons]), held_out)
        for train, held_out in parts.split(numbers, gold, numbers)
    ]


def held_out_probabilities(
    scaled: Examples, parts: Sequence[Fold], strength: float
) -> NDArray[np.float64]:
    """The probability given to each pair by what is learned from the other parts."""
    guesses = np.zeros(scaled.n_pairs)
    for train, held_out in parts:
        weights, bias = learned(scaled.values[train], scaled.gold[train], strength)
        guesses[held_out] = probabilities(bias + scaled.values[held_out] @ weights)
    return guesses


def _cross_validated(
    scaled: Examples, parts: Sequence[Fold], strength: float | None
) -> tuple[dict[float, float], dict[float, NDArray[np.float64]]]:
    """The log loss of each strength, and the probabilities given to pairs not trained on.

    Empty where there are no parts.
    """
    tried = STRENGTHS if strength is None else (strength,)
    if not parts:
        return {}, {}
    gold = scaled.gold[: scaled.n_pairs]
    guesses = {each: held_out_probabilities(scaled, parts, each) for each in tried}
    losses = {
        each: float(-np.log(np.where(gold, found, 1 - found).clip(_LEAST)).mean())
        for each, found in guesses.items()
    }
    return losses, guesses
