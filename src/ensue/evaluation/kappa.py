"""Agreement between annotators: raw, Cohen's kappa (1960) and Fleiss' kappa (1971).

Labels come as a matrix of codes 0, 1, …: a row for each pair, a column for each annotator. A
kappa is (observed − expected) / (1 − expected); where all annotators always give one and the same
label the expected agreement is 1, and kappa is undefined.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ensue.errors import UndefinedError
from ensue.evaluation.measuring.intervals import DRAWS, LEVEL, check_resampling, percentile_interval
from ensue.evaluation.results import Estimate

Codes = NDArray[np.int64]
Numbers = NDArray[np.float64]

_ONE_LABEL = "all annotators give one label throughout, so that agreement by chance is 1"


@dataclass(frozen=True, slots=True)
class TwoAnnotators:
    """How far two annotators agree."""

    first: int
    """The column of the one."""
    second: int
    """The column of the other."""
    raw: Estimate
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree, two by two and all together."""

    n_pairs: int
    raw: Estimate
    """The share of pairs on which all agree."""
    fleiss: Estimate
    couples: tuple[TwoAnnotators, ...]


def annotator_agreement(
    codes: Codes, *, draws: int = DRAWS, level: float = LEVEL, seed: int = 0
) -> Agreement:
    """All agreement of these annotators, with bootstrap intervals over pairs.

    Pairs with the same labels are interchangeable, so a resample is a draw of how often each row
    of labels occurs. All numbers see the same draws.

    Raises:
        UndefinedError: there are no pairs, or fewer than two annotators.
    """
    _check(codes)
    check_resampling(draws, level)
    rows, counts = _patterns(codes)
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(int(counts.sum()), counts / counts.sum(), size=draws)
    weights = np.vstack([counts[None, :], drawn]).astype(np.float64)
    couples = [
        TwoAnnotators(
            i,
            j,
            _estimate(_raw(rows[:, [i, j]], weights), level),
            _estimate(_cohen(rows[:, [i, j]], weights), level),
        )
        for i, j in combinations(range(codes.shape[1]), 2)
    ]
    return Agreement(
        n_pairs=len(codes),
        raw=_estimate(_raw(rows, weights), level),
        fleiss=_estimate(_fleiss(rows, weights), level),
        couples=tuple(couples),
    )


def _check(codes: Codes) -> None:
    if len(codes) == 0:
        raise UndefinedError("there is no agreement without pairs that all annotators judged")
    if codes.shape[1] < 2:
        raise UndefinedError("agreement needs two annotators or more")


def _patterns(codes: Codes) -> tuple[Codes, Codes]:
    """The distinct rows of labels, and how often each occurs."""
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    return rows, counts.astype(np.int64)


def _raw(rows: Codes, weights: Numbers) -> Numbers:
    agreed = (rows == rows[:, :1]).all(axis=1).astype(np.float64)
    return np.asarray(weights @ agreed / weights.sum(axis=1), dtype=np.float64)


def _cohen(rows: Codes, weights: Numbers) -> Numbers:
    """Agreement of two annotators beyond chance, each with a chance of their own (Cohen 1960)."""
    labels = np.arange(rows.max() + 1)
    total = weights.sum(axis=1, keepdims=True)
    shares = [(weights @ (rows[:, [i]] == labels)) / total for i in (0, 1)]
    return _beyond_chance(_raw(rows, weights), (shares[0] * shares[1]).sum(axis=1))


def _fleiss(rows: Codes, weights: Numbers) -> Numbers:
    """Agreement of many annotators, with one chance for all (Fleiss 1971, equation 7)."""
    n_annotators = rows.shape[1]
    labels = np.arange(rows.max() + 1)
    votes = (rows[:, :, None] == labels).sum(axis=1)
    agreement = ((votes**2).sum(axis=1) - n_annotators) / (n_annotators * (n_annotators - 1))
    total = weights.sum(axis=1)
    shares = (weights @ votes) / (total[:, None] * n_annotators)
    return _beyond_chance(weights @ agreement / total, (shares**2).sum(axis=1))


def _beyond_chance(observed: Numbers, expected: Numbers) -> Numbers:
    """(observed − expected) / (1 − expected), NaN where nothing is left beyond chance."""
    room = 1 - expected
    undefined = np.full_like(observed, np.nan)
    return np.divide(observed - expected, room, out=undefined, where=room > 0)


def _estimate(values: Numbers, level: float) -> Estimate:
    """The first value with the interval of the others."""
    if np.isnan(values[0]):
        return Estimate(None, reason=_ONE_LABEL)
    low, high = percentile_interval(values[1:], level)
    return Estimate(float(values[0]), low, high, n_undefined=int(np.isnan(values[1:]).sum()))
