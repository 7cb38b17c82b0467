"""Compiled inner loop of Kendall's τ over many draws."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled


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
