"""Algorithm 1 of Shima & Mitamura (2011) step by step, on numbers for words, and the greedy order.

A search asks for single steps; the pass over lists as they are (`ensue.paraphrase.diversities`) is
one loop for the sake of speed, and has none to share.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

UNSEEN, ROOT_SEEN, WORD_SEEN = 3, 2, 1
"""D of a pattern."""


class Words(NamedTuple):
    """The content words of strings: of all patterns, then of the terms of their lists."""

    ids: NDArray[np.int32]
    """The numbers of the words, string after string."""
    offsets: NDArray[np.int64]
    """Where each string's words begin in `ids`, with the end of the last."""
    stems: NDArray[np.int32]
    """For each number of a word that of its stem."""


class History(NamedTuple):
    """What was seen, by the time at which it was; a new list begins at a new time."""

    words: NDArray[np.int64]
    stems: NDArray[np.int64]
    now: NDArray[np.int64]
    """One number."""


def empty_history(words: Words) -> History:
    """A history in which nothing was seen."""
    n_stems = int(words.stems.max(initial=-1)) + 1
    return History(
        np.zeros(words.stems.size, np.int64), np.zeros(n_stems, np.int64), np.zeros(1, np.int64)
    )


@compiled
def begin(history: History, words: Words, term: int) -> None:
    """Forget all, and see the term (lines 1 and 2)."""
    history.now[0] += 1
    remember(history, words, term)


@compiled
def remember(history: History, words: Words, i: int) -> None:
    """See the words of a string (lines 14 and 15)."""
    ids, stems, now = words.ids, words.stems, history.now[0]
    seen, seen_stems = history.words, history.stems
    for place in range(words.offsets[i], words.offsets[i + 1]):
        seen[ids[place]] = now
        seen_stems[stems[ids[place]]] = now


@compiled
def diversity(history: History, words: Words, i: int) -> int:
    """D of a pattern (lines 6 to 12); the history is to grow where it is more than 1."""
    ids, stems, now = words.ids, words.stems, history.now[0]
    seen, seen_stems = history.words, history.stems
    found = UNSEEN if words.offsets[i] < words.offsets[i + 1] else WORD_SEEN
    for place in range(words.offsets[i], words.offsets[i + 1]):
        if seen[ids[place]] == now:
            return WORD_SEEN
        if seen_stems[stems[ids[place]]] == now:
            found = ROOT_SEEN
    return found


@compiled
def cumulative_gain(
    order: NDArray[np.int64],
    places: int,
    term: int,
    words: Words,
    history: History,
    gains: NDArray[np.float64],
) -> float:
    """The sum of the gains of the first patterns of an order.

    Args:
        order: The patterns of one list.
        places: How many of them count.
        term: The string that is the list's term.
        words: Of patterns and terms.
        history: Room for what is seen.
        gains: Patterns × D: 2^(Q·D) − 1 for D = 1, 2, 3.
    """
    begin(history, words, term)
    total = 0.0
    for i in order[:places]:
        d = diversity(history, words, i)
        if d > WORD_SEEN:
            remember(history, words, i)
        total += gains[i, d - 1]
    return total


@compiled
def greedy_order(
    given: NDArray[np.int64],
    places: int,
    term: int,
    words: Words,
    history: History,
    gains: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Take the pattern of the largest gain for each place; of equal ones that which stands first.

    D only falls while the history grows. So a gain that was true earlier is a bound now: what comes
    from the top of the heap and still has its gain is best, and no pattern comes back more than
    twice. A list of n patterns takes n log n steps. Those behind the places keep their order.
    """
    begin(history, words, term)
    heap = [(-gains[i, 2], at, 3) for at, i in enumerate(given)]
    heapify(heap)
    is_left = np.ones(given.size, np.bool_)
    order = np.empty(given.size, np.int64)
    n_placed = 0
    while n_placed < places:
        _, at, assumed = heappop(heap)
        i = given[at]
        d = diversity(history, words, i)
        if d < assumed:
            heappush(heap, (-gains[i, d - 1], at, d))
            continue
        if d > WORD_SEEN:
            remember(history, words, i)
        order[n_placed] = i
        is_left[at] = False
        n_placed += 1
    order[places:] = given[is_left]
    return order
