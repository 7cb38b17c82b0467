"""The cutoffs of a run: its curve, by task, and with a bootstrap band."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ensue.errors import UndefinedError
from ensue.evaluation.measuring.intervals import DRAWS, LEVEL, check_resampling
from ensue.evaluation.measuring.judged import Judged
from ensue.evaluation.results import CutoffBand
from ensue.pairs.cutoffs import CutoffCurve, OperatingPoint, cutoff_curve

__all__ = [
    "CutoffCurve",
    "OperatingPoint",
    "cutoff_band",
    "cutoff_curve",
    "run_cutoffs",
    "scored",
]


def scored(judged: Judged) -> Judged:
    """The pairs that have a score, decided or not.

    Raises:
        UndefinedError: none has.
    """
    chosen = ~np.isnan(judged.score)
    if not chosen.any():
        raise UndefinedError(
            "the run has no scores, so there is no cutoff to choose",
            place=judged.name,
            hint="a run of a recognizer with scores, written by 'ensue judge', has them",
        )
    return judged.subset(chosen)


def run_cutoffs(judged: Judged) -> CutoffCurve:
    """What every cutoff gives on the run's scored pairs: entailment against the rest.

    Raises:
        UndefinedError: no pair has a score.
    """
    pairs = scored(judged)
    return cutoff_curve(pairs.score, pairs.is_yes)


def cutoff_band(
    scores: ArrayLike,
    is_yes: ArrayLike,
    cutoffs: ArrayLike,
    *,
    draws: int = DRAWS,
    level: float = LEVEL,
    seed: int = 0,
) -> CutoffBand:
    """The accuracy at fixed cutoffs with a pointwise bootstrap interval.

    What a resample does to the curve depends only on how many pairs of either kind it has between
    two neighboring cutoffs, and these counts are multinomial: what is made has the size of draws ×
    cutoffs, whatever the number of pairs.

    Raises:
        UndefinedError: there are no scores, or one of them is not a number.
    """
    check_resampling(draws, level)
    curve = cutoff_curve(scores, is_yes)
    grid = np.unique(np.asarray(cutoffs, dtype=np.float64))
    yes = np.asarray(is_yes, dtype=np.bool_)
    place = np.searchsorted(grid, np.asarray(scores, dtype=np.float64), side="left")
    width = len(grid) + 1
    cells = np.bincount(place + width * ~yes, minlength=2 * width)
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(len(yes), cells / len(yes), size=max(draws, 1))
    accuracy = _right_at(cells[None, :], width)[0] / curve.n_pairs
    if draws == 0:
        return CutoffBand(grid, accuracy, accuracy, accuracy)
    ends = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(_right_at(drawn, width) / len(yes), ends, axis=0)
    return CutoffBand(grid, accuracy, low, high)


def _right_at(cells: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Draws × cutoffs: entailments above the cutoff and other pairs at or below it.

    A score in place g lies above g cutoffs: it is a yes for the cutoffs before g, a no from g on.
    """
    yes, no = cells[:, :width], cells[:, width:]
    above = yes.sum(axis=1, keepdims=True) - np.cumsum(yes, axis=1)
    return np.asarray((above + np.cumsum(no, axis=1))[:, :-1])
