"""Correlation within groups: what is left when each group's mean is taken off both variables.

It is the partial correlation of the two for the group, and so has n − groups − 1 degrees of
freedom. Rows of counts in, a number a row out, as in `ensue.evaluation.correlation.weighted`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ensue.errors import UndefinedError
from ensue.evaluation.correlation.weighted import r_of_moments, standardized
from ensue.evaluation.measuring.ranks import Counts, Numbers
from ensue.evaluation.measuring.sums import ratios, summed_by


@dataclass(frozen=True, slots=True, eq=False)
class GroupedVariables:
    """Two variables of the same observations, which belong to groups."""

    x: Numbers
    """Standardized over all, less the mean of its group; group after group, as all fields are."""
    y: Numbers
    order: Counts
    """The observations, group after group."""
    starts: Counts
    """Where in `order` each group begins."""

    @classmethod
    def of(cls, x: Numbers, y: Numbers, group: Counts) -> GroupedVariables:
        """Standardize and center both; each of the groups 0, 1, … has an observation."""
        order = np.argsort(group, kind="stable")
        starts = np.searchsorted(group[order], np.arange(int(group.max(initial=-1)) + 1))
        x, y = (_centered(standardized(each), group)[order] for each in (x, y))
        return cls(x, y, order.astype(np.int64), starts.astype(np.int64))


def pearson_within(data: GroupedVariables, counts: Counts) -> Numbers:
    """Pearson's r within groups, of each draw.

    r = Sxy / √(Sxx·Syy) with Sxy = Σ_g (Σ c·x·y − Σ c·x · Σ c·y / Σ c), c the counts of the draw:
    the means that are taken off are those of the draw. NaN where it leaves no variance.
    """
    x, y = data.x, data.y
    weights = counts[:, data.order].astype(np.float64)
    n, *sums = (_by_group(weights * each, data.starts) for each in (np.ones_like(x), x, y))
    means = [ratios(each, n) for each in sums]
    lost = [np.nansum(a * b, axis=1) for a, b in ((sums[0], means[0]), (sums[1], means[1]))]
    lost.append(np.nansum(sums[0] * means[1], axis=1))
    products = weights @ np.stack([x * x, y * y, x * y], axis=1)
    moments = np.zeros((len(counts), 6))
    moments[:, 0] = n.sum(axis=1)
    moments[:, 3:] = products - np.stack(lost, axis=1)
    return r_of_moments(moments)


def share_between(values: Numbers, group: Counts) -> float:
    """The share of a variable's variance that lies between groups (η²): 1 where groups are constant.

    Raises:
        UndefinedError: the variable is constant.
    """
    whole = standardized(values)
    if not whole.any():
        raise UndefinedError("a constant has no variance to share out")
    return float(1 - np.mean(_centered(whole, group) ** 2))


def _centered(values: Numbers, group: Counts) -> Numbers:
    table = np.stack([np.ones_like(values), values], axis=1)
    n, sums = summed_by(group, table, int(group.max(initial=-1)) + 1).T
    return np.asarray(values - ratios(sums, n)[group], dtype=np.float64)


def _by_group(values: Numbers, starts: Counts) -> Numbers:
    return np.asarray(np.add.reduceat(values, starts, axis=1), dtype=np.float64)
