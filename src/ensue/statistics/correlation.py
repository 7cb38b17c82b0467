"""Correlation coefficients of many draws at once, and rankings with ties.

A row says how often each observation is drawn; a row of ones is the data as they are. Ranks are
those of the draw, not of the data: an observation drawn twice ties with itself. NaN where a draw
leaves one of the variables constant.

Correlation within groups is the partial correlation of the two variables for the group, and so has
n − groups − 1 degrees of freedom.

A ranking comes as tie groups, the best first: how many pairs each group has and how many of them
are hits. Rows are draws, columns are groups; a group may be empty in a draw. With H_i the i-th
harmonic number, a the pairs before a group and D = H_{a+m} − H_a, the sums over the places
j = 1…m inside a group of m pairs close.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.errors import UndefinedError
from ensue.statistics.resampling import Counts, Numbers, ratio, summed_by


@dataclass(frozen=True, slots=True, eq=False)
class TiedRanking:
    """Some pairs in decreasing order of a key, cut into tie groups."""

    order: NDArray[np.intp]
    """Indices of the ranked pairs, the best first."""
    starts: NDArray[np.intp]
    """Where in `order` each tie group begins."""

    def sums(self, counts: Counts) -> Counts:
        """Sum the columns of draws × pairs within each tie group."""
        ranked = counts[:, self.order]
        if len(self.starts) == len(self.order):
            return ranked
        return np.add.reduceat(ranked, self.starts, axis=1)


def ranking(key: Numbers, chosen: NDArray[np.bool_]) -> TiedRanking:
    """Rank the chosen pairs by decreasing key; equal keys form one group."""
    candidates = np.flatnonzero(chosen)
    order = candidates[np.argsort(-key[candidates], kind="stable")]
    ranked = key[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = ranked[1:] != ranked[:-1]
    return TiedRanking(order, np.flatnonzero(new))


def harmonic(n: int) -> Numbers:
    """H_0 … H_n.

    >>> harmonic(3).tolist() == [0, 1, 1 + 1 / 2, 1 + 1 / 2 + 1 / 3]
    True
    """
    return np.concatenate([[0.0], np.cumsum(1 / np.arange(1, n + 1))])


PART = 1 << 18
"""Hits and misses of a long ranking that are looked at together, at most, beside their ties."""

_PLACES = 1 << 23
"""Harmonic numbers of so many places are summed one by one; of more, the digamma function is used."""


@dataclass(frozen=True, slots=True, eq=False)
class RankedPart:
    """Consecutive tie groups of one ranking, the best first."""

    keys: Numbers
    """The key of each group, decreasing."""
    sizes: Counts
    """1 × groups: how many pairs each group has."""
    hits: Counts
    """1 × groups: how many of them are hits."""


def ranked_parts(
    key: Numbers, chosen: NDArray[np.bool_], hits: NDArray[np.bool_], *, part: int = PART
) -> Iterator[RankedPart]:
    """The tie groups of the chosen pairs, the best first, in parts that fit into memory.

    Hits and misses are sorted apart, which takes 8 bytes a pair and no index.
    """
    found, others = key[chosen & hits], key[chosen & ~hits]
    del key  # of very many pairs, nothing is held that is not needed
    found.sort()
    others.sort()
    i, j = len(found), len(others)
    while i or j:
        cuts = [keys[end - part] for keys, end in ((found, i), (others, j)) if end > part]
        cut = max(cuts, default=-np.inf)
        start, other = np.searchsorted(found[:i], cut), np.searchsorted(others[:j], cut)
        yield _tied(found[start:i], others[other:j])
        i, j = int(start), int(other)


def _tied(found: Numbers, others: Numbers) -> RankedPart:
    keys = np.concatenate([found, others])
    order = np.argsort(keys, kind="stable")[::-1]  # two sorted runs are merged
    ranked = keys[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = ranked[1:] != ranked[:-1]
    starts = np.flatnonzero(new)
    hits = np.add.reduceat((order < len(found)).astype(np.int64), starts)
    return RankedPart(ranked[starts], np.diff(starts, append=len(order))[None, :], hits[None, :])


Parts = Iterable[tuple[Counts, Counts]]
"""Sizes and hits of tie groups, the best first; more than one part is of a single ranking."""


def expected_cws(sizes: Counts, hits: Counts) -> Numbers:
    """The confidence-weighted score of each draw; see `cws_of_parts`."""
    return cws_of_parts([(sizes, hits)])


def cws_of_parts(parts: Parts) -> Numbers:
    """The confidence-weighted score of each draw: 1/n Σ_i #hits-up-to-i / i.

    A group of m pairs with k hits after a pairs with C hits has the expected terms
    (C + j·k/m)/(a + j), whose sum is k + (C − a·k/m)·D. NaN where a draw ranks nothing.
    """
    total, ranked = np.zeros(1), np.zeros(1)
    for sizes, hits, before, hits_before, gained in _placed(parts):
        share = hits / np.maximum(sizes, 1)
        total = total + (hits + (hits_before - before * share) * gained).sum(axis=1)
        ranked = ranked + sizes.sum(axis=1)
    return ratio(total, ranked)


def expected_average_precision(sizes: Counts, hits: Counts, wanted: Numbers) -> Numbers:
    """The average precision of each draw; see `average_precision_of_parts`."""
    return average_precision_of_parts([(sizes, hits)], wanted)


def average_precision_of_parts(parts: Parts, wanted: Numbers) -> Numbers:
    """The average precision of each draw: 1/R Σ_i hit(i) · #hits-up-to-i / i, for R wanted.

    A group of m pairs with k hits after a pairs with P hits has the expected terms
    (k/m)·(P + 1 + (j−1)·(k−1)/(m−1))/(a + j), whose sum is
    (k/m)·((P + 1)·D + (k−1)/(m−1)·(m − (a+1)·D)). What is wanted and not ranked adds nothing.
    NaN where a draw wants nothing.
    """
    total = np.zeros(len(wanted))
    for sizes, hits, before, hits_before, gained in _placed(parts):
        # where there is nobody else to tie with, what is multiplied with `others` is 0
        others = (hits - 1) / np.maximum(sizes - 1, 1)
        inside = (hits_before + 1) * gained + others * (sizes - (before + 1) * gained)
        total = total + (hits / np.maximum(sizes, 1) * inside).sum(axis=1)
    return ratio(total, wanted)


def squared_cws_weights(parts: Iterable[Counts], n: int) -> float:
    """Σ w² over the weights that the n hits of a ranking may have in its cws; see `cws_weights`.

    With a pairs before a group of m, Σ_{j=a}^{a+m−1} H_j = (a+m)·H_{a+m} − a·H_a − m.
    """
    from scipy.special import digamma

    last = float(digamma(n + 1) + np.euler_gamma)
    total, start = 0.0, 0
    for sizes in parts:
        ends = start + np.cumsum(sizes)
        h = digamma(np.append(start, ends) + 1) + np.euler_gamma
        below = np.diff(np.append(start, ends) * h) / sizes - 1
        total += float((sizes * (last - below) ** 2).sum())
        start = int(ends[-1])
    return total / n**2


def expected_reciprocal_rank(sizes: Counts, hits: Counts) -> float:
    """One over the place of the first hit, for a single ranking; 0 where there is no hit.

    In the first group with a hit, m pairs with k hits after a pairs, the first hit stands at place
    j with probability C(m−j, k−1)/C(m, k).
    """
    with_hit = np.flatnonzero(hits)
    if with_hit.size == 0:
        return 0.0
    first = int(with_hit[0])
    m, k, before = int(sizes[first]), int(hits[first]), int(sizes[:first].sum())
    total, probability = 0.0, k / m
    for j in range(1, m - k + 2):
        total += probability / (before + j)
        probability *= (m - j - k + 1) / (m - j) if m > j else 0.0
    return total


def cws_weights(sizes: Counts) -> Numbers:
    """What a hit in each group adds to the cws, which is linear in the hits.

    At place j of n that is (H_n − H_{j−1})/n; in a tie group, the mean over its places.
    """
    n = int(sizes.sum())
    h = harmonic(n)
    at_place = (h[n] - h[:n]) / n
    starts = np.cumsum(sizes) - sizes
    return np.asarray(np.add.reduceat(at_place, starts) / sizes, dtype=np.float64)


def _placed(parts: Parts) -> Iterator[tuple[Counts, Counts, Counts, Counts, Numbers]]:
    """Of each part sizes and hits, pairs and hits before each group, and D."""
    start, found, at = 0, 0, 0.0
    for sizes, hits in parts:
        ends = start + np.cumsum(sizes, axis=1)
        hits_before = found + np.cumsum(hits, axis=1) - hits
        last = int(ends[:, -1].max(initial=start)) if ends.shape[1] else start
        gained, at = _gained(ends, sizes, start, last, at)
        yield sizes, hits, ends - sizes, hits_before, gained
        start, found = last, found + int(hits[0].sum())


def _gained(ends: Counts, sizes: Counts, start: int, last: int, at: float) -> tuple[Numbers, float]:
    """H at the end of each group minus H before it, and H of the last place; `at` is H_start."""
    if last - start > _PLACES:
        from scipy.special import digamma

        h_last = float(digamma(last + 1) + np.euler_gamma)
        return np.asarray(digamma(ends + 1.0) - digamma(ends - sizes + 1.0)), h_last
    h = np.cumsum(np.concatenate([[at], 1 / np.arange(start + 1, last + 1)]))
    return h[ends - start] - h[ends - sizes - start], float(h[-1])


# Pearson, Spearman and Kendall for many draws at once: rows of counts in, a number a row out.

_CONSTANT = 1e-12
"""A draw whose variance is less than this part of the whole data's is constant but for rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class TwoVariables:
    """Two variables of the same observations, with what all draws share."""

    x: Numbers
    """Standardized."""
    y: Numbers
    by_x: TiedRanking
    by_y: TiedRanking
    x_group: Counts
    """For each observation its tie group in `by_x`."""
    y_group: Counts

    @classmethod
    def of(cls, x: Numbers, y: Numbers) -> TwoVariables:
        """Sort and standardize both."""
        every = np.ones(len(x), np.bool_)
        by_x, by_y = ranking(x, every), ranking(y, every)
        return cls(standardized(x), standardized(y), by_x, by_y, _groups(by_x), _groups(by_y))


def standardized(values: Numbers) -> Numbers:
    """With mean 0 and standard deviation 1; zeros where all are equal."""
    if values.size == 0 or np.ptp(values) == 0:
        return np.zeros_like(values)
    centered = values - values.mean()
    return np.asarray(centered / np.sqrt(np.mean(centered**2)), dtype=np.float64)


def pearson(data: TwoVariables, counts: Counts) -> Numbers:
    """Pearson's r of each draw."""
    x, y = data.x, data.y
    moments = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1)
    return r_of_moments(np.asarray(counts @ moments, dtype=np.float64))


def r_of_moments(moments: Numbers) -> Numbers:
    """Pearson's r of rows of n, Σx, Σy, Σx², Σy², Σxy, with x and y standardized beforehand."""
    n, x, y, xx, yy, xy = moments.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return _correlation(xy - x * y / n, xx - x * x / n, yy - y * y / n, _CONSTANT * n)


def spearman(data: TwoVariables, counts: Counts) -> Numbers:
    """Spearman's ρ of each draw: Pearson's r of the ranks, ties sharing their mean rank."""
    x = _centered_ranks(data.by_x, data.x_group, counts)
    y = _centered_ranks(data.by_y, data.y_group, counts)
    n = counts.sum(axis=1)
    return _correlation(
        (counts * x * y).sum(axis=1),
        (counts * x * x).sum(axis=1),
        (counts * y * y).sum(axis=1),
        _CONSTANT * n,
    )


def kendall(data: TwoVariables, counts: Counts) -> Numbers:
    """Kendall's τ-b of each draw (Kendall 1945): (P − Q) / √((n₀ − n₁)(n₀ − n₂)).

    P and Q are the concordant and discordant pairs of observations, n₀ all pairs, n₁ and n₂ those
    that tie in either variable.
    """
    whole = np.ascontiguousarray(counts, np.int64)
    starts = np.append(data.by_x.starts, len(data.by_x.order)).astype(np.int64)
    order = data.by_x.order.astype(np.int64)
    balance = concordance(order, starts, data.y_group, len(data.by_y.starts), whole)
    n = whole.sum(axis=1)
    untied = [_pairs(n) - _pairs(by.sums(whole)).sum(axis=1) for by in (data.by_x, data.by_y)]
    return ratio(balance.astype(np.float64), np.sqrt(untied[0] * untied[1]))


def _pairs(n: Counts) -> Numbers:
    return np.asarray(n * (n - 1) / 2, dtype=np.float64)


def _groups(by: TiedRanking) -> Counts:
    """For each observation the number of its tie group."""
    sizes = np.diff(np.append(by.starts, len(by.order)))
    found = np.empty(len(by.order), np.int64)
    found[by.order] = np.repeat(np.arange(len(sizes)), sizes)
    return found


def _centered_ranks(by: TiedRanking, group: Counts, counts: Counts) -> Numbers:
    """Draws × observations: mean rank in the draw minus the mean of all ranks."""
    sizes = by.sums(counts)
    before = np.cumsum(sizes, axis=1) - sizes
    ranks = before + (sizes + 1) / 2
    middle = (counts.sum(axis=1, keepdims=True) + 1) / 2
    return np.asarray((ranks - middle)[:, group], dtype=np.float64)


def _correlation(
    covariance: Numbers, x_variance: Numbers, y_variance: Numbers, least: Numbers
) -> Numbers:
    """Covariance over the root of the variances, kept in [−1, 1]; NaN where one is too small."""
    varies = (x_variance > least) & (y_variance > least)
    found = np.full(covariance.shape, np.nan)
    # the root of the product, not the product of the roots: so a perfect one is 1 to the last bit
    root = np.sqrt(np.where(varies, x_variance * y_variance, 1))
    np.divide(covariance, root, out=found, where=varies)
    return np.asarray(np.clip(found, -1.0, 1.0), dtype=np.float64)


# Coefficients of correlation, and what they need to be defined.

LEAST = 3
"""Two points always lie on a line: fewer observations than this define no correlation."""

_ROUNDING = 1e-12
"""A correlation that is nearer to 1 is 1 but for rounding."""


class Coefficient(StrEnum):
    """Of correlation."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"
    """τ-b."""


WEIGHTED: Mapping[Coefficient, Callable[[TwoVariables, Counts], Numbers]] = {
    Coefficient.PEARSON: pearson,
    Coefficient.SPEARMAN: spearman,
    Coefficient.KENDALL: kendall,
}
"""Each coefficient of rows of counts."""


def fisher_mean(correlations: Sequence[float]) -> float:
    """The mean of correlations by Fisher's (1921) z: tanh(mean(artanh r)).

    >>> round(fisher_mean([0.0, 0.8]), 3)
    0.5

    Raises:
        UndefinedError: one is 1 or −1, whose z is infinite.
    """
    values = np.asarray(correlations, np.float64)
    if (np.abs(values) > 1 - _ROUNDING).any():
        raise UndefinedError("correlation-no-finite", "a correlation of 1 or -1 has no finite z")
    return float(np.tanh(np.mean(np.arctanh(values))))


# Correlation within groups: what is left when each group's mean is taken off both variables.


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
    means = [ratio(each, n) for each in sums]
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
        raise UndefinedError(
            "constant-no-variance-share", "a constant has no variance to share out"
        )
    return float(1 - np.mean(_centered(whole, group) ** 2))


def _centered(values: Numbers, group: Counts) -> Numbers:
    table = np.stack([np.ones_like(values), values], axis=1)
    n, sums = summed_by(group, table, int(group.max(initial=-1)) + 1).T
    return np.asarray(values - ratio(sums, n)[group], dtype=np.float64)


def _by_group(values: Numbers, starts: Counts) -> Numbers:
    return np.asarray(np.add.reduceat(values, starts, axis=1), dtype=np.float64)


# The compiled inner loop of Kendall's τ over many draws.


@compiled
def concordance(
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    place: NDArray[np.int64],
    n_places: int,
    counts: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Concordant minus discordant pairs of observations in each draw.

    Observations are visited by the first variable, tie group by tie group; a Fenwick tree (1994)
    over the places by the second tells how many of those seen before stand below and above. So a
    draw of n observations takes n log n steps (Knight 1966 has the idea).

    Args:
        order: The observations by the first variable.
        starts: Where in `order` each of its tie groups begins, with the end of the last.
        place: For each observation, its tie group by the second variable, in the same direction.
        n_places: How many tie groups the second variable has.
        counts: Draws × observations: how often each is drawn.
    """
    found = np.zeros(counts.shape[0], np.int64)
    tree = np.zeros(n_places + 1, np.int64)
    for draw in range(counts.shape[0]):
        tree[:] = 0
        seen = 0
        for group in range(starts.size - 1):
            for k in range(starts[group], starts[group + 1]):
                weight = counts[draw, order[k]]
                if weight > 0:
                    below = _sum_to(tree, place[order[k]])
                    above = seen - _sum_to(tree, place[order[k]] + 1)
                    found[draw] += weight * (below - above)
            for k in range(starts[group], starts[group + 1]):
                weight = counts[draw, order[k]]
                seen += weight
                at = place[order[k]] + 1
                while weight > 0 and at <= n_places:
                    tree[at] += weight
                    at += at & -at
    return found


@compiled
def _sum_to(tree: NDArray[np.int64], end: int) -> int:
    """The sum of the first `end` places."""
    total = 0
    while end > 0:
        total += tree[end]
        end -= end & -end
    return total
