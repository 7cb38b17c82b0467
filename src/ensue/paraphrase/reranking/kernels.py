"""Compiled loop over lists: the given order, the greedy one, and the best of short lists."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.paraphrase.reranking.exact import TIE, first_order, largest_sum, relations
from ensue.paraphrase.reranking.histories import History, Words, cumulative_gain, greedy_order


@compiled
def best_orders(
    offsets: NDArray[np.int64],
    places: NDArray[np.int64],
    words: Words,
    history: History,
    gains: NDArray[np.float64],
    most_exact: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The order of each list's patterns, and the sums of gains as given, by greed and as ordered.

    Args:
        offsets: Where each list's patterns begin, with the end of the last.
        places: How many places of each list count.
        words: Of all patterns, then of the lists' terms.
        history: Room for what is seen.
        gains: Patterns × D: 2^(Q·D) − 1 for D = 1, 2, 3.
        most_exact: Longer lists have the better of the first two.
    """
    n_patterns = offsets[-1]
    n_lists = offsets.size - 1
    orders = np.arange(n_patterns)
    sums = np.zeros((n_lists, 3))
    for one in range(n_lists):
        given = np.arange(offsets[one], offsets[one + 1])
        term, n = n_patterns + one, places[one]
        sums[one, 0] = cumulative_gain(given, n, term, words, history, gains)
        greedy = greedy_order(given, n, term, words, history, gains)
        sums[one, 1] = cumulative_gain(greedy, n, term, words, history, gains)
        best = max(sums[one, 0], sums[one, 1])
        is_short = given.size <= most_exact
        chosen = greedy
        if is_short:
            known = relations(given, term, words, history, gains)
            left = (1 << given.size) - 1
            best = largest_sum(known, left, n, 0, 0.0, best, np.inf)
        if sums[one, 0] > best - TIE:
            chosen = given
        elif is_short:
            chosen = first_order(given, n, known, best - TIE)
        sums[one, 2] = cumulative_gain(chosen, n, term, words, history, gains)
        orders[offsets[one] : offsets[one + 1]] = chosen
    return orders, sums
