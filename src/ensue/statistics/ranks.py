"""Scores of a ranking, ties in expectation over their random order, for many draws at once.

A ranking comes as tie groups, the best first: how many pairs each group has and how many of them
are hits. Rows are draws, columns are groups; a group may be empty in a draw. With H_i the i-th
harmonic number, a the pairs before a group and D = H_{a+m} − H_a, the sums over the places
j = 1…m inside a group of m pairs close.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.statistics.resampling import Counts, Numbers, ratio


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


def expected_cws(sizes: Counts, hits: Counts) -> Numbers:
    """The confidence-weighted score of each draw: 1/n Σ_i #hits-up-to-i / i.

    A group of m pairs with k hits after a pairs with C hits has the expected terms
    (C + j·k/m)/(a + j), whose sum is k + (C − a·k/m)·D. NaN where a draw ranks nothing.
    """
    ends, before, gained = _places(sizes)
    hits_before = np.cumsum(hits, axis=1) - hits
    share = hits / np.maximum(sizes, 1)
    total = (hits + (hits_before - before * share) * gained).sum(axis=1)
    return ratio(total, ends[:, -1])


def expected_average_precision(sizes: Counts, hits: Counts, wanted: Numbers) -> Numbers:
    """The average precision of each draw: 1/R Σ_i hit(i) · #hits-up-to-i / i, for R wanted.

    A group of m pairs with k hits after a pairs with P hits has the expected terms
    (k/m)·(P + 1 + (j−1)·(k−1)/(m−1))/(a + j), whose sum is
    (k/m)·((P + 1)·D + (k−1)/(m−1)·(m − (a+1)·D)). What is wanted and not ranked adds nothing.
    NaN where a draw wants nothing.
    """
    _, before, gained = _places(sizes)
    found = np.cumsum(hits, axis=1)
    # where there is nobody else to tie with, what is multiplied with `others` is 0
    others = (hits - 1) / np.maximum(sizes - 1, 1)
    inside = (found - hits + 1) * gained + others * (sizes - (before + 1) * gained)
    total = (hits / np.maximum(sizes, 1) * inside).sum(axis=1)
    return ratio(total, wanted)


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


def _places(sizes: Counts) -> tuple[Counts, Counts, Numbers]:
    ends = np.cumsum(sizes, axis=1)
    before = ends - sizes
    h = harmonic(int(ends[:, -1].max(initial=0)))
    return ends, before, h[ends] - h[before]
