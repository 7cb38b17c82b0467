"""Compiled loops over the bytes of ids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int32]

_SPACE = 0x20
_BEYOND_ASCII = 0x80


@compiled
def has_loose_ends(starts: Offsets, content: Bytes) -> bool:
    """Whether a text is empty, or begins or ends with a blank or with what may be one."""
    for i in range(len(starts) - 1):
        if starts[i] == starts[i + 1]:
            return True
        first, last = content[starts[i]], content[starts[i + 1] - 1]
        if first <= _SPACE or last <= _SPACE or first >= _BEYOND_ASCII or last >= _BEYOND_ASCII:
            return True
    return False


@compiled
def are_increasing(starts: Offsets, content: Bytes) -> bool:
    """Whether each text is longer than the one before, or as long and behind it by its bytes."""
    for i in range(1, len(starts) - 1):
        before, start, size = starts[i - 1], starts[i], starts[i + 1] - starts[i]
        if size > start - before:
            continue
        if size < start - before:
            return False
        k = 0
        while k < size and content[before + k] == content[start + k]:
            k += 1
        if k == size or content[before + k] > content[start + k]:
            return False
    return True


@compiled
def text_hashes(starts: Offsets, content: Bytes) -> NDArray[np.uint64]:
    """A hash of each text: FNV-1a (Fowler, Noll & Vo), then mixed as MurmurHash3 ends."""
    hashes = np.empty(len(starts) - 1, np.uint64)
    for i in range(len(hashes)):
        found = np.uint64(0xCBF29CE484222325)
        for j in range(starts[i], starts[i + 1]):
            found = (found ^ np.uint64(content[j])) * np.uint64(0x100000001B3)
        found = (found ^ (found >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
        found = (found ^ (found >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
        hashes[i] = found ^ (found >> np.uint64(33))
    return hashes
