"""Learn weights from judgments, with a strength of regularization chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from ensue.errors import SettingError
from ensue.translation.features.table import FeatureTable
from ensue.translation.judgments import HumanScores, MajorityPreferences
from ensue.translation.model import Indices, Numbers, OutputKey
from ensue.translation.models.examples import preferred_outputs, scored_outputs
from ensue.translation.models.weighing import ModelKind, Weighing
from ensue.translation.numbering import numbered

STRENGTHS = {
    ModelKind.ABS: tuple(float(f"{10.0**k:.4g}") for k in np.arange(-5.0, 0.01, 0.5)),
    ModelKind.PAIR: tuple(10.0**k for k in range(-5, 1)),
}
"""The inverse strengths of regularization that are tried: small ones keep the weights small."""

FOLDS = 10
_FOR_FEW = 1e-3
"""The inverse strength where there is too little to choose one."""
_FEW_PAIRS = 3
"""With fewer language pairs, segments are held out instead."""
_LEAST, _MOST = 1e-9, 1e9

Rows = Indices
Part = tuple[Rows, Rows]
"""The rows to learn from, and those held out."""
Learn = Callable[[Rows, float, Numbers | None], Numbers]
"""From rows, an inverse strength, and what was learned with another one to begin with, to weights."""


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
        DataError: an output was not measured, none has words, or all scores are equal.
    """
    known = scored_outputs(table, human)
    z, scores, weights = known.z, known.scores, known.weights
    with_bias = np.column_stack([z, np.ones(len(z))])

    def learn(train: Rows, chosen: float, start: Numbers | None) -> Numbers:  # noqa: ARG001
        return _ridge(z[train], scores[train], weights[train], chosen)

    parts = list(_parts(known.outputs, seed))
    trials = _trials(learn, with_bias, parts, tried_strengths(ModelKind.ABS, strength))
    worth = {
        chosen: float(np.mean([_correlation(said[part], scores[part]) for _, part in parts]))
        for chosen, said in trials.items()
    }
    best = _best(worth, strength)
    learned = learn(np.arange(len(z)), best, None)
    said = with_bias @ learned
    residual = scores - trials.get(best, said)
    spread = float(np.sqrt(np.average(residual**2, weights=weights)))
    return Weighing(
        kind=ModelKind.ABS,
        names=table.names,
        weights=learned[:-1] / known.deviations,
        means=known.means,
        deviations=known.deviations,
        bias=float(learned[-1]),
        spread=spread,
        floor=float(said.min()) - spread,
        strength=best,
        validated={"parts": float(len(parts)), "pearson": worth[best]} if worth else {},
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
        DataError: an output was not measured, or there is no preference between two with words.
    """
    known = preferred_outputs(table, preferred)
    differences, weights = known.differences, known.weights

    def learn(train: Rows, chosen: float, start: Numbers | None) -> Numbers:
        return _logistic(differences[train], weights[train], chosen, start)

    parts = list(_parts(known.outputs, seed))
    trials = _trials(learn, differences, parts, tried_strengths(ModelKind.PAIR, strength))
    worth = {
        chosen: -float(np.average(np.logaddexp(0, -said), weights=weights))
        for chosen, said in trials.items()
    }
    best = _best(worth, strength)
    learned = learn(np.arange(len(differences)), best, None)
    validated: Mapping[str, float] = {}
    if worth:
        right = float(np.average(trials[best] > 0, weights=weights))
        validated = {"parts": float(len(parts)), "log_loss": -worth[best], "right": right}
    return Weighing(
        kind=ModelKind.PAIR,
        names=table.names,
        weights=learned / known.deviations,
        means=known.means,
        deviations=known.deviations,
        bias=0.0,
        spread=1.0,
        floor=float((known.z @ learned).min()) - 1.0,
        strength=best,
        validated=validated,
    )


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


def _ridge(z: Numbers, scores: Numbers, weights: Numbers, strength: float) -> Numbers:
    from sklearn.linear_model import Ridge

    model = Ridge(alpha=1 / strength, solver="cholesky").fit(z, scores, sample_weight=weights)
    return np.append(model.coef_, model.intercept_).astype(np.float64)


def _logistic(
    differences: Numbers, weights: Numbers, strength: float, start: Numbers | None
) -> Numbers:
    """The weights under which the preferred outputs are most likely to be preferred.

    Every second difference is turned around, and so is its answer, since a regression wants both.
    """
    from sklearn.linear_model import LogisticRegression

    sign = np.where(np.arange(len(differences)) % 2, 1.0, -1.0)
    if len(differences) == 1:
        differences, weights = np.repeat(differences, 2, axis=0), np.repeat(weights, 2) / 2
        sign = np.array([-1.0, 1.0])
    model = LogisticRegression(
        C=strength,
        fit_intercept=False,
        solver="newton-cholesky",
        max_iter=200,
        tol=1e-6,
        warm_start=start is not None,
    )
    if start is not None:
        model.coef_, model.intercept_ = start[None, :].copy(), np.zeros(1)
    model.fit(differences * sign[:, None], sign > 0, sample_weight=weights)
    return np.array(model.coef_[0], np.float64)


def _parts(outputs: Sequence[OutputKey], seed: int) -> Iterator[Part]:
    """What to learn from and what to leave out: language pairs in turn, or tenths of the segments.

    Nothing where there are fewer segments than parts.
    """
    pairs, groups = numbered(key.language_pair for key in outputs)
    if len(pairs) < _FEW_PAIRS:
        groups = _tenths(numbered(key[:2] for key in outputs)[1], seed)
    for part in range(int(groups.max(initial=-1)) + 1):
        held_out = groups == part
        yield np.flatnonzero(~held_out), np.flatnonzero(held_out)


def _tenths(segments: Indices, seed: int) -> Indices:
    n_segments = int(segments.max(initial=-1)) + 1
    if n_segments < FOLDS:
        return np.empty(0, np.int64)
    part_of = np.random.default_rng(seed).permutation(n_segments) % FOLDS
    return np.asarray(part_of[segments], np.int64)


def _trials(
    learn: Learn, values: Numbers, parts: Sequence[Part], strengths: Sequence[float]
) -> dict[float, Numbers]:
    """For each strength, what is said of each row by what was learned from the other parts.

    What was learned with one strength is where the next begins: it is not far.
    """
    if not parts:
        return {}
    trials = {strength: np.zeros(len(values)) for strength in strengths}
    for train, held_out in parts:
        learned = None
        for strength in strengths:
            learned = learn(train, strength, learned)
            trials[strength][held_out] = values[held_out] @ learned
    return trials


def _best(worth: dict[float, float], strength: float | None) -> float:
    if worth:
        return min(worth, key=lambda each: (-worth[each], each))
    return strength or _FOR_FEW


def _correlation(said: Numbers, scores: Numbers) -> float:
    """Pearson's, 0 where one side is constant: such a strength is of no use."""
    if said.std() == 0 or scores.std() == 0:
        return 0.0
    return float(np.corrcoef(said, scores)[0, 1])
