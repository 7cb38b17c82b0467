"""Compiled loop over ranks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

Indices = NDArray[np.int64]
Numbers = NDArray[np.float64]


@compiled
def cumulated(
    lists: Indices,
    quality: Numbers,
    credited: NDArray[np.bool_],
    gains: Numbers,
    largest_gain: float,
    ks: Indices,
    by_available: bool,
) -> Numbers:
    """EP, EPR and DIMPLE of each list at some ranks, from sums that grow rank by rank.

    Args:
        lists: Where each list's patterns begin, with the end of the last.
        quality: Q of each pattern.
        credited: Whether it gets credit in EPR.
        gains: 2^(Q·D) − 1.
        largest_gain: Of a perfect pattern.
        ks: The ranks, ascending, no two equal.
        by_available: Whether to divide by the number of patterns where it is less than k; NaN for
            a list without any.

    Returns:
        Lists × measures × ranks.
    """
    found = np.empty((lists.size - 1, 3, ks.size))
    for i in range(lists.size - 1):
        size = lists[i + 1] - lists[i]
        expected, credit, gain = 0.0, 0.0, 0.0
        rank = 0
        for j in range(ks.size):
            end = min(ks[j], size)
            while rank < end:
                pattern = lists[i] + rank
                expected += quality[pattern]
                if credited[pattern]:
                    credit += quality[pattern]
                gain += gains[pattern]
                rank += 1
            divisor = float(end if by_available else ks[j])
            if divisor == 0:
                found[i, :, j] = np.nan
            else:
                found[i, 0, j] = expected / divisor
                found[i, 1, j] = credit / divisor
                found[i, 2, j] = gain / (divisor * largest_gain)
    return found
