"""Bootstrap over groups: statistics of each group that sum, so that any ratio has its interval.

What belongs to one group hangs together (comparisons of one segment, lists of one term), so that
whole groups are drawn (Efron & Tibshirani 1993, chapter 13).
"""

from __future__ import annotations

import numpy as np

from ensue.evaluation.measuring.intervals import percentile_interval
from ensue.evaluation.measuring.ranks import Counts, Numbers
from ensue.evaluation.measuring.resampling import drawn_counts
from ensue.evaluation.results import Estimate


def summed_by(group: Counts, values: Numbers, n_groups: int) -> Numbers:
    """The sum of each column in each group; `values` has a row for each entry of `group`."""
    columns = [np.bincount(group, column, minlength=n_groups) for column in values.T]
    return np.stack(columns, axis=1).astype(np.float64)  # of nothing, bincount makes integers


def resampled_sums(statistics: Numbers, draws: int, seed: int) -> Numbers:
    """Sum the groups' statistics, as they are in the first row, then in every draw.

    Args:
        statistics: A row for each group, a column for each statistic.
        draws: How many resamples.
        seed: Of the random numbers.
    """
    sums = [statistics.sum(axis=0, keepdims=True)]
    if len(statistics):
        rng = np.random.default_rng(seed)
        sums += [counts @ statistics for counts in drawn_counts(len(statistics), draws, rng)]
    return np.concatenate(sums)


def ratios(numerators: Numbers, denominators: Numbers) -> Numbers:
    """Elementwise; NaN where the denominator is zero."""
    undefined = np.full_like(numerators, np.nan)
    return np.divide(numerators, denominators, out=undefined, where=denominators != 0)


def estimate_of(values: Numbers, level: float, reason: str) -> Estimate:
    """The first value with the interval of the others; where it is NaN, the reason."""
    if np.isnan(values[0]):
        return Estimate(None, reason=reason)
    low, high = percentile_interval(values[1:], level)
    return Estimate(float(values[0]), low, high, n_undefined=int(np.isnan(values[1:]).sum()))
