"""Walks through sorted keys: the sums of rankings, and curves with a bounded number of points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ensue.evaluation.curves import BINS
from ensue.evaluation.cutoffs import ThinnedCutoffs
from ensue.evaluation.large.ranking.sorting import Piece, SortedNumbers
from ensue.evaluation.measuring.summary import MOST_POINTS
from ensue.evaluation.results import Reliability, ReliabilityBin, RiskCoverage

Points = NDArray[np.float64]
Families = tuple[Sequence[int], Sequence[int]]
"""The groups of hits, and those of misses."""

_STRETCHES = 900
"""Of each the lowest and the highest point are kept."""
_BEST = 100
"""How many cutoffs with the highest accuracy are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class RankingSums:
    """What a ranking comes to."""

    n: int
    """Pairs ranked."""
    n_hits: int
    cws: float
    """Σ_i (hits up to i)/i, ties in expectation."""
    average_precision: float
    """Σ_i hit(i)·(hits up to i)/i, ties in expectation."""
    squared_weights: float
    """Σ_j w_j² of the weights that hits have in the cws."""
    points: Points
    """Key, pairs and hits up to it, of some tie groups, the best first."""
    bins: NDArray[np.float64]
    """For each floor and bin: pairs, sum of confidences, hits."""


def walked_ranking(
    store: SortedNumbers, families: Families, *, floors: Sequence[float] = ()
) -> RankingSums:
    """Rank keys, the highest first, and sum up.

    Args:
        store: The keys.
        families: The groups of hits, and those of misses.
        floors: What a key of 0 means, for each way in which keys are confidences; without any, no
            points are kept.
    """
    from ensue.evaluation.large.ranking.kernels import walk_ranking

    n = store.n([*families[0], *families[1]])
    seen, sums = np.zeros(3, np.int64), np.zeros(4)
    kept, low, high = _empty_points(_STRETCHES if floors else 0)
    bins = np.zeros((len(floors), BINS, 3))
    at_bin = np.full(len(floors), BINS - 1, np.int64)
    whole, edges = harmonic_number(n), np.linspace(0, 1, BINS + 1)
    for piece in store.pieces(*families):
        hits, misses = piece.families
        walk_ranking(
            hits,
            misses,
            piece.ties,
            piece.tied,
            n,
            whole,
            seen,
            sums,
            kept,
            low,
            high,
            edges,
            np.array(floors, np.float64),
            at_bin,
            bins,
        )
    points = _thinned(kept, int(seen[2]) if floors else 0, low, high, kept[-1:])
    cws, precision, squares = sums[1:].tolist()
    weights = squares / n**2 if n else 0.0
    return RankingSums(n, int(seen[1]), cws, precision, weights, points[::-1], bins)


def risk_coverage_of(sums: RankingSums, n_pairs: int) -> RiskCoverage:
    """The risk-coverage curve of a ranking by confidence."""
    value, ends, hits = sums.points[:, :3].T
    area = 1 - sums.cws / sums.n
    return RiskCoverage(ends / n_pairs, 1 - hits / ends, value, area)


def reliability_of(sums: RankingSums, way: int, floor: float) -> Reliability:
    """The reliability curve of a ranking by confidence, read from one of its floors."""
    n, total, hits = sums.bins[way].T
    edges = np.linspace(0, 1, BINS + 1)
    return Reliability(
        bins=tuple(
            ReliabilityBin(
                low=float(edges[i]),
                high=float(edges[i + 1]),
                n=int(n[i]),
                confidence=float(total[i] / n[i]) if n[i] else None,
                accuracy=float(hits[i] / n[i]) if n[i] else None,
            )
            for i in range(BINS)
        ),
        error=float(np.abs(hits - total).sum() / sums.n),
        n=sums.n,
        floor=floor,
    )


def walked_cutoffs(
    store: SortedNumbers,
    families: Families,
    *,
    precision: float | None = None,
    asked: Sequence[float] = (),
) -> ThinnedCutoffs | None:
    """What every score gives as a cutoff, thinned; None where there is no score.

    Args:
        store: The scores.
        families: The groups of entailments, and those of other pairs.
        precision: A precision that some cutoff is wanted for.
        asked: Cutoffs of which is to be known what they give.
    """
    from ensue.evaluation.large.ranking.kernels import walk_cutoffs

    n_yes, n_no = (store.n(groups) for groups in families)
    if n_yes + n_no == 0:
        return None
    seen, sums = np.zeros(7, np.int64), np.full(2, -1.0)
    seen[3] = -1
    kept, low, high = _empty_points(_STRETCHES)
    best, marks = np.full((_BEST, 3), np.nan), np.full((3, 3), np.nan)
    wanted = math.inf if precision is None else precision
    decreasing = np.unique(np.array(asked, np.float64))[::-1].copy()
    answers = np.full((len(decreasing), 3), np.nan)

    # at last the cutoff at which everything is a yes
    lowest = Piece((np.empty(0), np.empty(0)), np.array([-np.inf]), np.zeros((2, 1), np.int64))
    for piece in chain(store.pieces(*families), [lowest]):
        hits, misses = piece.families
        walk_cutoffs(
            hits,
            misses,
            piece.ties,
            piece.tied,
            n_yes,
            n_no,
            wanted,
            decreasing,
            seen,
            sums,
            kept,
            low,
            high,
            best,
            marks,
            answers,
        )
    points = _thinned(kept, int(seen[2]), low, high, kept[-1:], best, marks, answers)
    both = 2 * n_yes * n_no
    return ThinnedCutoffs(
        cutoffs=points[:, 0],
        right_yes=points[:, 1].astype(np.int64),
        right_no=n_no - points[:, 2].astype(np.int64),
        n_yes=n_yes,
        n_no=n_no,
        n_cutoffs=int(seen[2]),
        n_best=int(seen[4]),
        auc=int(seen[5]) / both if both else math.nan,
        known=frozenset(asked),
        precision_known=precision,
    )


def harmonic_number(n: int) -> float:
    """H_n, by Euler and Maclaurin where that is exact to the last bits."""
    if n < 1000:
        return math.fsum(1 / i for i in range(1, n + 1))
    return math.log(n) + np.euler_gamma + 1 / (2 * n) - 1 / (12 * n**2) + 1 / (120 * n**4)


def _empty_points(n: int) -> tuple[Points, Points, Points]:
    """Room for the first points and the last, and for the lowest and highest of n stretches."""
    stretches = np.full((n, 4), np.nan)
    return np.full((MOST_POINTS + 1, 4), np.nan), stretches, stretches.copy()


def _thinned(kept: Points, n: int, low: Points, high: Points, *others: Points) -> Points:
    """All points where they are few enough, otherwise those that stand out; keys increase."""
    if n <= MOST_POINTS:
        return kept[:n][::-1]
    found = np.concatenate([each[:, :3] for each in (kept[:1], low, high, *others)])
    found = found[~np.isnan(found[:, 0])]
    _, first = np.unique(found[:, 0], return_index=True)
    return np.asarray(found[first])
