"""Learn weights from judgments, with a strength of regularization chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, SettingError
from ensue.translation.features.table import FeatureTable
from ensue.translation.judgments import HumanScores, MajorityPreferences
from ensue.translation.model import Indices, Numbers, OutputKey
from ensue.translation.models.weighing import ModelKind, Weighing, group_numbers, standardizing

STRENGTHS = {
    ModelKind.ABS: tuple(float(f"{10.0**k:.4g}") for k in np.arange(-5.0, 0.01, 0.5)),
    ModelKind.PAIR: tuple(float(f"{10.0**k:.4g}") for k in np.arange(-6.0, 1.01, 0.5)),
}
"""The inverse strengths of regularization that are tried: small ones keep the weights small."""

FOLDS = 10
_FOR_FEW = 1e-3
"""The inverse strength where there is too little to choose one."""
_FEW_PAIRS = 3
"""With fewer language pairs, segments are held out instead."""
_LEAST, _MOST = 1e-9, 1e9

Rows = Indices
Learned = TypeVar("Learned")


def fit_abs(
    table: FeatureTable, human: HumanScores, *, strength: float | None = None, seed: int = 0
) -> Weighing:
    """Learn to say the human score, by ridge regression.

    The strength is the one whose scores correlate best with those of language pairs (or segments)
    left out; of equals the smallest.

    Args:
        table: The features of the outputs, and maybe of others.
        human: What people said.
        strength: The inverse strength of regularization, if it is not to be chosen.
        seed: For the parts that are left out.

    Raises:
        DataError: all scores are equal, or no output has words.
    """
    rows = table.places(human.outputs)
    worded = table.worded[rows]
    rows, scores = rows[worded], human.values[worded]
    weights = human.counts[worded].astype(np.float64)
    check_varied(scores)
    outputs = [key for key, kept in zip(human.outputs, worded.tolist(), strict=True) if kept]
    means, deviations = standardizing(table.values[rows])
    z = (table.values[rows] - means) / deviations

    def learn(train: Rows, chosen: float) -> tuple[Numbers, float]:
        return _ridge(z[train], scores[train], weights[train], chosen)

    def guess(held_out: Rows, learned: tuple[Numbers, float]) -> Numbers:
        return np.asarray(z[held_out] @ learned[0] + learned[1], np.float64)

    parts = list(_parts(outputs, seed))
    trials = _trials(learn, guess, parts, len(rows), tried_strengths(ModelKind.ABS, strength))
    worth = {
        chosen: float(np.mean([_correlation(said[part], scores[part]) for _, part in parts]))
        for chosen, said in trials.items()
    }
    best = _best(worth, strength)
    learned, bias = learn(np.arange(len(rows)), best)
    residual = scores - (trials[best] if trials else z @ learned + bias)
    spread = float(np.sqrt(np.average(residual**2, weights=weights)))
    floor = float((z @ learned + bias).min()) - spread
    validated = {"parts": float(len(parts)), "pearson": worth[best]} if worth else {}
    return Weighing(
        ModelKind.ABS,
        table.names,
        learned / deviations,
        means,
        deviations,
        bias,
        spread,
        floor,
        best,
        validated,
    )


def fit_pair(
    table: FeatureTable,
    preferred: MajorityPreferences,
    *,
    strength: float | None = None,
    seed: int = 0,
) -> Weighing:
    """Learn which of two outputs people prefer, by logistic regression on their difference.

    There is no bias: of two outputs with the same features neither is preferred. The strength is
    the one with the least log loss on language pairs (or segments) left out.

    Args:
        table: The features of the outputs, and maybe of others.
        preferred: What people said.
        strength: The inverse strength of regularization, if it is not to be chosen.
        seed: For the parts that are left out.

    Raises:
        DataError: there is no preference between outputs with words.
    """
    rows = table.places(preferred.outputs)
    worded = table.worded[rows]
    kept = worded[preferred.winner] & worded[preferred.loser]
    if not kept.any():
        raise DataError(
            "there is no preference between two outputs with words, so nothing can be learned"
        )
    better, worse = rows[preferred.winner[kept]], rows[preferred.loser[kept]]
    weights = preferred.weight[kept]
    means, deviations = standardizing(table.values[rows[worded]])
    difference = (table.values[better] - table.values[worse]) / deviations

    def learn(train: Rows, chosen: float) -> Numbers:
        return _logistic(difference[train], weights[train], chosen)

    def guess(held_out: Rows, learned: Numbers) -> Numbers:
        return np.asarray(difference[held_out] @ learned, np.float64)

    parts = list(_parts([table.outputs[row] for row in better.tolist()], seed))
    trials = _trials(learn, guess, parts, len(better), tried_strengths(ModelKind.PAIR, strength))
    worth = {
        chosen: -float(np.average(np.logaddexp(0, -said), weights=weights))
        for chosen, said in trials.items()
    }
    best = _best(worth, strength)
    learned = learn(np.arange(len(better)), best)
    said = (table.values[rows[worded]] - means) / deviations @ learned
    validated = {}
    if worth:
        right = float(np.average(trials[best] > 0, weights=weights))
        validated = {"parts": float(len(parts)), "log_loss": -worth[best], "right": right}
    return Weighing(
        ModelKind.PAIR,
        table.names,
        learned / deviations,
        means,
        deviations,
        0.0,
        1.0,
        float(said.min()) - 1.0,
        best,
        validated,
    )


def _ridge(z: Numbers, scores: Numbers, weights: Numbers, strength: float) -> tuple[Numbers, float]:
    from sklearn.linear_model import Ridge

    model = Ridge(alpha=1 / strength, solver="cholesky").fit(z, scores, sample_weight=weights)
    return model.coef_.astype(np.float64), float(model.intercept_)


def _logistic(difference: Numbers, weights: Numbers, strength: float) -> Numbers:
    """The weights under which the preferred outputs are most likely to be preferred.

    Every second difference is turned around, and so is its answer, since a regression wants both.
    """
    from sklearn.linear_model import LogisticRegression

    sign = np.where(np.arange(len(difference)) % 2, 1.0, -1.0)
    if len(difference) == 1:
        difference, weights = np.repeat(difference, 2, axis=0), np.repeat(weights, 2) / 2
        sign = np.array([-1.0, 1.0])
    model = LogisticRegression(
        C=strength, fit_intercept=False, solver="newton-cholesky", max_iter=200, tol=1e-8
    )
    model.fit(difference * sign[:, None], sign > 0, sample_weight=weights)
    return np.asarray(model.coef_[0], np.float64)


def _parts(outputs: Sequence[OutputKey], seed: int) -> Iterator[tuple[Rows, Rows]]:
    """What to learn from and what to leave out: language pairs in turn, or tenths of the segments.

    Nothing where there are fewer segments than parts.
    """
    pairs = group_numbers([key.language_pair for key in outputs])
    segments = group_numbers([f"{key.language_pair}\t{key.segment}" for key in outputs])
    groups = pairs if len(set(pairs.tolist())) >= _FEW_PAIRS else _tenths(segments, seed)
    if groups.size:
        for part in range(int(groups.max()) + 1):
            held_out = groups == part
            yield np.flatnonzero(~held_out), np.flatnonzero(held_out)


def _tenths(segments: Indices, seed: int) -> Indices:
    n_segments = int(segments.max()) + 1 if segments.size else 0
    if n_segments < FOLDS:
        return np.empty(0, np.int64)
    part_of = np.random.default_rng(seed).permutation(n_segments) % FOLDS
    return np.asarray(part_of[segments], np.int64)


def _trials(
    learn: Callable[[Rows, float], Learned],
    guess: Callable[[Rows, Learned], Numbers],
    parts: Sequence[tuple[Rows, Rows]],
    n: int,
    strengths: Sequence[float],
) -> dict[float, Numbers]:
    """For each strength, what is said of each row by what was learned from the other parts."""
    if not parts:
        return {}
    trials = {}
    for strength in strengths:
        said = np.zeros(n)
        for train, held_out in parts:
            said[held_out] = guess(held_out, learn(train, strength))
        trials[strength] = said
    return trials


def tried_strengths(kind: ModelKind, strength: float | None) -> tuple[float, ...]:
    """Those to choose from, or the one that is given.

    Raises:
        SettingError: it is out of range.
    """
    if strength is None:
        return STRENGTHS[kind]
    if not _LEAST <= strength <= _MOST:
        raise SettingError(
            f"the strength cannot be {strength}",
            hint=f"it is a number from {_LEAST:g} to {_MOST:g}",
        )
    return (strength,)


def _best(worth: dict[float, float], strength: float | None) -> float:
    if worth:
        return min(worth, key=lambda each: (-worth[each], each))
    return strength or _FOR_FEW


def _correlation(said: Numbers, scores: NDArray[np.float64]) -> float:
    """Pearson's, 0 where one side is constant: such a strength is of no use."""
    if said.std() == 0 or scores.std() == 0:
        return 0.0
    return float(np.corrcoef(said, scores)[0, 1])


def check_varied(scores: Numbers) -> None:
    """See that there is something to learn.

    Raises:
        DataError: there are no scores, or all are equal.
    """
    if scores.size == 0:
        raise DataError("no output with words has a human score, so nothing can be learned")
    if scores.min() == scores.max():
        raise DataError(
            "all outputs have the same human score, so nothing can be learned",
            hint="give judgments that tell outputs apart",
        )
