"""Bootstrap intervals of measures and of ratios of sums, and Wilson's interval of a share.

What belongs to one group hangs together (comparisons of one segment, lists of one term), so that
whole groups are drawn (Efron & Tibshirani 1993, chapter 13).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

import numpy as np

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation import (
    TOO_MANY,
    Estimate,
    Judged,
    Measure,
    Prepared,
    Resample,
    drawn_counts,
    draws_of,
)
from ensue.statistics.ranks import Counts, Numbers

# Bootstrap intervals, written once for every measure (Efron & Tibshirani 1993, chapter 13).

DRAWS = 2000
"""How many resamples, unless asked otherwise."""
LEVEL = 0.95
"""Of the intervals, unless asked otherwise."""

Replicates = dict[str, Numbers]
"""For each measure by name, its value in every draw; NaN where the draw does not define it.

There is none of a measure that is not drawn.
"""


def replicates(
    runs: Sequence[Judged], measures: Sequence[Measure], *, draws: int = DRAWS, seed: int = 0
) -> list[Replicates]:
    """The measures of each run over resampled pairs.

    All runs see the same draws, so that differences between them are paired.

    Args:
        runs: Runs on the same pairs in the same order.
        measures: What to compute; where a run does not define one, all its draws are NaN.
        draws: How many resamples.
        seed: Of the random numbers.
    """
    prepared = [Prepared(judged) for judged in runs]
    drawn = [[m for m in measures if m.is_drawn(judged)] for judged in runs]
    defined = [
        [m for m in chosen if m.gap(judged) is None]
        for judged, chosen in zip(runs, drawn, strict=True)
    ]
    results = [
        {m.name: np.full(draws if m in chosen else 0, np.nan) for m in measures} for chosen in drawn
    ]
    if not runs or runs[0].n_pairs == 0:
        return results
    start = 0
    for counts in draws_of(runs[0], draws, np.random.default_rng(seed)):
        here = slice(start, start + len(counts))
        for one, chosen, result in zip(prepared, defined, results, strict=True):
            resample = Resample(one, counts)
            for measure in chosen:
                result[measure.name][here] = measure.weighted(resample)
        start += len(counts)
    return results


def estimate(judged: Judged, measure: Measure, draws: Numbers, level: float = LEVEL) -> Estimate:
    """A measure's value with the percentile interval of its draws."""
    value = measure(judged)
    if value is None:
        return Estimate(None, reason=measure.gap(judged) or "undefined for these pairs")
    if not measure.is_drawn(judged):
        return Estimate(value, no_interval=TOO_MANY)
    low, high = percentile_interval(draws, level)
    return Estimate(value, low, high, n_undefined=int(np.isnan(draws).sum()))


def interval(
    judged: Judged,
    measure: Measure,
    *,
    draws: int = DRAWS,
    level: float = LEVEL,
    seed: int = 0,
) -> Estimate:
    """One measure of one run, with its bootstrap interval."""
    check_resampling(draws, level)
    (result,) = replicates([judged], [measure], draws=draws, seed=seed)
    return estimate(judged, measure, result[measure.name], level)


def percentile_interval(draws: Numbers, level: float) -> tuple[float | None, float | None]:
    """The middle `level` of the draws that are defined."""
    defined = draws[~np.isnan(draws)]
    if defined.size == 0:
        return None, None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def check_resampling(draws: int, level: float) -> None:
    """Refuse settings that make no sense.

    Raises:
        SettingError: the level is not in (0, 1), or the number of draws is negative.
    """
    if not 0 < level < 1:
        raise SettingError(f"level {level!r} is not between 0 and 1", hint="e.g. 0.95")
    if draws < 0:
        raise SettingError(f"{draws!r} draws cannot be made", hint="e.g. 2000; 0 for no intervals")


# Bootstrap over groups: statistics of each group that sum, so that any ratio has its interval.


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


# Shares of independent units, with intervals that need no resampling.


def wilson_interval(n_hits: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """The score interval of a share (Wilson 1927, equation 1).

    Raises:
        UndefinedError: it is a share of nothing.
    """
    if n == 0:
        raise UndefinedError("a share of nothing has no interval")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, room = n_hits / n, 1 + z**2 / n
    middle = (share + z**2 / (2 * n)) / room
    half = z * sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / room
    # what is rounded must not push the share out of its interval
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def share_estimate(n_hits: int, n: int, level: float | None, reason: str) -> Estimate:
    """A share with Wilson's interval.

    Args:
        n_hits: How many of them.
        n: Of how many.
        level: Of the interval; None for none.
        reason: What is said where there is nothing to take a share of.
    """
    if n == 0:
        return Estimate(None, reason=reason)
    low, high = (None, None) if level is None else wilson_interval(n_hits, n, level)
    return Estimate(n_hits / n, low, high)
