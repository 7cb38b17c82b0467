"""The stems of the distinct words of a text, written one behind the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.surface.stemming import stemmed

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Indices = NDArray[np.int64]

_NINE, _UNDERSCORE = b"9_"


@compiled
def write_stems(
    buffer: Bytes, starts: Indices, sizes: Indices, lowered: Bytes
) -> tuple[Bytes, Flags, Flags]:
    """Write the stem of each word and a zero behind it.

    Args:
        buffer: Some text in UTF-8.
        starts: Where in it each word starts.
        sizes: How many bytes each has.
        lowered: For each byte its lower case.

    Returns:
        The stems; which words are not ASCII and stand as they are; which are one letter or nothing
        but underscores, and stand as they are, too.
    """
    stems = np.zeros(sizes.sum() + sizes.size, np.uint8)
    foreign, is_slot = np.zeros(sizes.size, np.bool_), np.zeros(sizes.size, np.bool_)
    vowels = np.zeros(sizes.max() + 1 if sizes.size else 1, np.bool_)
    at = 0
    for i in range(sizes.size):
        n = sizes[i]
        is_slot[i] = True
        for j in range(n):
            letter = lowered[buffer[starts[i] + j]]
            stems[at + j] = letter
            foreign[i] = foreign[i] or letter >= 128
            is_slot[i] = is_slot[i] and letter == _UNDERSCORE
        is_slot[i] = is_slot[i] or (n == 1 and stems[at] > _NINE)
        if not (foreign[i] or is_slot[i]):
            n = stemmed(stems[at : at + n + 1], vowels, n)
        stems[at + n] = 0
        at += n + 1
    return stems[:at].copy(), foreign, is_slot
