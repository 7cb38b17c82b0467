"""Scores of a ranking, ties in expectation over their random order, for many draws at once.

A ranking comes as tie groups, the best first: how many pairs each group has and how many of them
are hits. Rows are draws, columns are groups; a group may be empty in a draw. With H_i the i-th
harmonic number, a the pairs before a group and D = H_{a+m} − H_a, the sums over the places
j = 1…m inside a group of m pairs close.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
