"""Words that are spelled nearly alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ensue.surface.kernels.compiling import compiled

LEAST_LETTERS = 5
"""Shorter words are other words when one letter differs: Iran, Iraq."""


def letters_of(words: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The letters of all words, one behind the other, and where each word's begin."""
    encoded = "".join(words).encode("utf-32-le", "surrogatepass")
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    return np.frombuffer(encoded, np.int32), np.concatenate([[0], np.cumsum(lengths)])


@compiled
def spelling_likenesses(
    letters: NDArray[np.int32],
    offsets: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    cutoff: float,
) -> NDArray[np.float64]:
    """One less the edits between two words by the longer one's length; 0 below the cutoff.

    An edit inserts, removes or changes a letter, or swaps two neighbors, none of them twice
    (optimal string alignment).
    """
    found = np.zeros(first.size)
    for k in range(first.size):
        one = letters[offsets[first[k]] : offsets[first[k] + 1]]
        other = letters[offsets[second[k]] : offsets[second[k] + 1]]
        longest = max(one.size, other.size)
        most = int((1.0 - cutoff) * longest + 1e-9)
        if min(one.size, other.size) >= LEAST_LETTERS and abs(one.size - other.size) <= most:
            edits = edits_between(one, other, most)
            if edits <= most:
                found[k] = 1.0 - edits / longest
    return found


@compiled
def edits_between(one: NDArray[np.int32], other: NDArray[np.int32], most: int) -> int:
    """The fewest edits from one word to another; one more than `most` where there are more."""
    width = other.size + 1
    rows = np.empty((3, width), np.int64)
    rows[0] = np.arange(width)
    for i in range(1, one.size + 1):
        row, above, before = rows[i % 3], rows[(i - 1) % 3], rows[(i - 2) % 3]
        row[0] = i
        for j in range(1, width):
            change = 0 if one[i - 1] == other[j - 1] else 1
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + change)
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                best = min(best, before[j - 2] + 1)
            row[j] = best
        if row.min() > most:
            return most + 1
    return min(int(rows[one.size % 3][width - 1]), most + 1)
