"""Linear models of features: logistic, multinomial and ridge regression, and their strength.

Features are standardized before they are learned from. The inverse strength of regularization C
weighs the loss against half the squared weights: a small one keeps the weights small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ensue.statistics.resampling import Counts, Fold, Numbers

_SURE = 700.0
"""Log odds beyond which nothing can be told apart, and numbers overflow."""
_LEAST = 1e-300
"""The least probability by which a loss is reckoned."""
_CONSTANT = 1e-9
"""A column that deviates less never changes."""


@dataclass(frozen=True, slots=True, eq=False)
class LinearModel:
    """Weights on features, and what was learned of them."""

    names: tuple[str, ...]
    weights: Numbers
    """What one unit of each feature adds."""
    means: Numbers
    """Of the features over what was learned from."""
    bias: float
    """What is predicted where all features are average."""
    strength: float
    """The inverse strength of regularization that was chosen."""
    validated: Mapping[str, float] = field(default_factory=dict)
    """How well it did in cross-validation."""

    def predicted(self, values: Numbers) -> Numbers:
        """The number for each row of features, the same alone as among others."""
        added: Numbers = self.contributions(values).sum(axis=1)
        return self.bias + added

    def contributions(self, values: Numbers) -> Numbers:
        """What each feature adds: its weight times how far it is from the average."""
        return np.ascontiguousarray((values - self.means) * self.weights)


def probabilities(log_odds: Numbers) -> Numbers:
    """The probabilities of log odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -_SURE, _SURE))), np.float64)


def softmax(log_odds: Numbers) -> Numbers:
    """The probabilities of several classes, a row for each of the rows of log odds."""
    powers = np.exp(log_odds - log_odds.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float64)


def standardization(values: Numbers) -> tuple[Numbers, Numbers]:
    """The means and deviations of columns; 1 for a column that never changes."""
    means, deviations = values.mean(axis=0), values.std(axis=0)
    deviations[deviations < _CONSTANT] = 1.0
    return means, deviations


def with_ones(values: Numbers) -> Numbers:
    """The columns, and one for the bias."""
    return np.column_stack([values, np.ones(len(values))])


# Fits: standardized features in, weights out, with the bias behind them where there is one.


def fit_logistic(
    z: Numbers,
    answers: NDArray[np.bool_],
    strength: float,
    *,
    weights: Numbers | None = None,
    has_bias: bool = True,
    tolerance: float = 1e-10,
    start: Numbers | None = None,
) -> Numbers:
    """Logistic regression: the weights under which the answers are likeliest.

    Args:
        z: A row of features for each answer.
        answers: Of both kinds.
        strength: The inverse strength of regularization.
        weights: How much each row counts; as much as any other where it is None.
        has_bias: Whether there is one.
        tolerance: The slope at which the fit is done.
        start: What was learned from much the same, to begin with: two steps of Newton's method do
            from there, where from nothing it takes six.
    """
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(
        C=strength,
        fit_intercept=has_bias,
        solver="newton-cholesky",
        max_iter=200,
        tol=tolerance,
        warm_start=start is not None,
    )
    if start is not None:
        n = z.shape[1]
        model.coef_ = start[None, :n].copy()
        model.intercept_ = start[n:].copy() if has_bias else np.zeros(1)
    model.fit(z, answers, sample_weight=weights)
    learned = np.array(model.coef_[0], np.float64)
    return np.append(learned, float(model.intercept_[0])) if has_bias else learned


def fit_multinomial(z: Numbers, allowed: NDArray[np.bool_], strength: float) -> Numbers:
    """Multinomial logistic regression where a row's answer may be any of several classes.

    What is made likeliest is that each row's class is among those that are allowed for it; with one
    of them a row this is the usual regression. There are weights for every class, which the
    regularization makes unique.

    Args:
        z: A row of features for each answer.
        allowed: A row for each answer, a column for each class.
        strength: The inverse strength of regularization.

    Returns:
        A row of weights for each feature and, last, for the bias; a column for each class.
    """
    from scipy.optimize import minimize

    rows = with_ones(z)
    shape = (rows.shape[1], allowed.shape[1])

    def loss(flat: Numbers) -> tuple[float, Numbers]:
        weights = flat.reshape(shape)
        found = softmax(rows @ weights)
        due = np.where(allowed, found, 0.0)
        chances = due.sum(axis=1)
        slope = rows.T @ (found - due / chances[:, None].clip(_LEAST))
        slope[:-1] += weights[:-1] / strength
        held = (weights[:-1] ** 2).sum() / (2 * strength)
        return float(held - np.log(chances.clip(_LEAST)).sum()), slope.ravel()

    start = np.zeros(rows.shape[1] * allowed.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 1000})
    return np.asarray(found.x.reshape(shape), np.float64)


def fit_ridge(z: Numbers, scores: Numbers, strength: float, *, weights: Numbers) -> Numbers:
    """Ridge regression by its normal equations, (ZᵀWZ + I/C) β = ZᵀWy, both sides centered.

    The means are taken off the sums, which for standardized features loses nothing, and saves a
    copy. The bias is not regularized; it comes last.
    """
    from scipy.linalg import solve

    kept = weights > 0
    root = np.sqrt(weights[kept])
    rows, answers = z[kept] * root[:, None], scores[kept] * root
    total, sums, answer_sum = root @ root, root @ rows, root @ answers
    normal = rows.T @ rows - np.outer(sums, sums) / total + np.eye(z.shape[1]) / strength
    toward = answers @ rows - sums * answer_sum / total
    learned = np.asarray(solve(normal, toward, assume_a="pos"), np.float64)
    return np.append(learned, (answer_sum - sums @ learned) / total)


# The choice of a strength, by what is said of rows that were held out.

Learn = Callable[[Counts, float, Numbers | None], Numbers]
"""From rows, an inverse strength, and what was learned with another one to begin with, to weights."""


def held_out_predictions(
    learn: Learn, values: Numbers, folds: Sequence[Fold], strengths: Sequence[float]
) -> dict[float, Numbers]:
    """For each strength, what is said of each row by what was learned from the other folds.

    What was learned with one strength is where the next may begin: it is not far. Empty where
    there are no folds.
    """
    if not folds:
        return {}
    found = {strength: np.zeros(len(values)) for strength in strengths}
    for train, held_out in folds:
        learned = None
        for strength in strengths:
            learned = learn(train, strength, learned)
            found[strength][held_out] = values[held_out] @ learned
    return found


def least_loss(losses: Mapping[float, float], otherwise: float) -> float:
    """The strength with the least loss, of equals the smallest; another where none was tried."""
    return min(losses, key=lambda each: (losses[each], each)) if losses else otherwise


def fit_bounded(
    amounts: Numbers, answers: NDArray[np.bool_], prior: Numbers, *, strength: float
) -> Numbers:
    """Costs, none below 0, that tell a yes from a no: the odds of yes fall with amounts · costs.

    A logistic regression whose weights are held to the given costs, once these are scaled to fit.
    Columns are not standardized, so that costs of one unit can be compared.

    Args:
        amounts: How much of each there is, a row for each answer.
        answers: What is predicted.
        prior: The costs to which they are held.
        strength: How strongly: half of it times the squared differences counts beside the loss.

    Returns:
        The costs, on the scale of log odds.
    """
    from scipy.optimize import minimize

    signs = np.where(answers, 1.0, -1.0)

    def loss(margins: Numbers) -> tuple[float, Numbers]:
        """The log loss, and what it changes by the log odds."""
        own = signs * margins
        return float(np.logaddexp(0, -own).sum()), -signs * probabilities(-own)

    def of_scale(given: Numbers) -> tuple[float, Numbers]:
        total = amounts @ prior
        value, by_margin = loss(given[0] - given[1] * total)
        return value, np.array([by_margin.sum(), -(by_margin @ total)])

    def of_costs(given: Numbers) -> tuple[float, Numbers]:
        value, by_margin = loss(given[0] - amounts @ given[1:])
        away = given[1:] - scaled
        by_cost = -(by_margin @ amounts) + strength * away
        return value + strength / 2 * float(away @ away), np.array([by_margin.sum(), *by_cost])

    free, positive = (None, None), (0.0, None)
    found = minimize(of_scale, np.array([0.0, 1.0]), jac=True, bounds=[free, positive])
    scaled = found.x[1] * prior
    bounds = [free, *[positive] * len(prior)]
    start = np.array([found.x[0], *scaled])
    costs: Numbers = minimize(of_costs, start, jac=True, bounds=bounds).x[1:]
    return costs
