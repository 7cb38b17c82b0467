"""Words that are spelled nearly alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

LEAST_LETTERS = 5
"""Shorter words are other words when one letter differs: Iran, Iraq."""

_SPACE = ord(" ")


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
    """One less the edits between two names by the longer one's length; 0 where they are not near.

    They are near where they have as many words, and each two of these are equal, or long and not
    less alike than the cutoff. An edit inserts, removes or changes a letter, or swaps two neighbors,
    none of them twice (optimal string alignment).
    """
    found = np.zeros(first.size)
    for k in range(first.size):
        one = letters[offsets[first[k]] : offsets[first[k] + 1]]
        other = letters[offsets[second[k]] : offsets[second[k] + 1]]
        longest = max(one.size, other.size)
        if abs(one.size - other.size) <= (1.0 - cutoff) * longest:
            edits = edits_by_word(one, other, cutoff)
            if edits >= 0:
                found[k] = 1.0 - edits / longest
    return found


@compiled
def edits_by_word(one: NDArray[np.int32], other: NDArray[np.int32], cutoff: float) -> int:
    """The edits between the words of two names; -1 where they are not near."""
    edits, i, j = 0, 0, 0
    while i <= one.size and j <= other.size:
        i_end, j_end = word_end(one, i), word_end(other, j)
        longest = max(i_end - i, j_end - j)
        most = int((1.0 - cutoff) * longest + 1e-9)
        if min(i_end - i, j_end - j) < LEAST_LETTERS:
            most = 0
        if abs((i_end - i) - (j_end - j)) > most:
            return -1
        own = edits_between(one[i:i_end], other[j:j_end], most)
        if own > most:
            return -1
        edits, i, j = edits + own, i_end + 1, j_end + 1
    return edits if i > one.size and j > other.size else -1


@compiled
def word_end(letters: NDArray[np.int32], start: int) -> int:
    """Where the word that begins at a letter ends."""
    while start < letters.size and letters[start] != _SPACE:
        start += 1
    return start


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
