"""Which words of an output match which of a reference, and at which stage, compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

EXACT, STEM, SYNONYM, NO_STAGE = 0, 1, 2, 3

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


class Words(NamedTuple):
    """What the stages compare of each distinct word."""

    stems: Int32
    offsets: Int64
    """Where each word's synsets begin, with the end of the last."""
    synsets: Int32
    """Word after word, of each in ascending order."""
    marks: NDArray[np.uint64]
    """A bit for each synset, shared with others: words without a common bit share no synset."""


class Side(NamedTuple):
    """The words of a string, by what is the same."""

    kinds: Int64
    """Which of the distinct words each word is."""
    distinct: Int64
    """The numbers of the distinct words."""
    starts: Int64
    """Where each distinct word's places begin, with the end of the last."""
    places: Int64


class Edges(NamedTuple):
    """Which distinct words of the output match which of the reference, and how."""

    starts: Int64
    """Where each distinct word of the output has its edges, with the end of the last."""
    targets: Int64
    stages: Int64


@compiled
def stage_of(words: Words, a: int, b: int) -> int:
    """The first stage at which two words match."""
    if a == b:
        return EXACT
    if words.stems[a] == words.stems[b]:
        return STEM
    if words.marks[a] & words.marks[b] == 0:
        return NO_STAGE
    i, j = words.offsets[a], words.offsets[b]
    while i < words.offsets[a + 1] and j < words.offsets[b + 1]:
        if words.synsets[i] == words.synsets[j]:
            return SYNONYM
        if words.synsets[i] < words.synsets[j]:
            i += 1
        else:
            j += 1
    return NO_STAGE


@compiled
def side_of(ids: Int32) -> Side:
    """The words of a string, from their numbers."""
    # numbers and places in one, for sorting indices takes seconds to compile
    sorted_ids = np.empty(ids.size, np.int64)
    for i in range(ids.size):
        sorted_ids[i] = (np.int64(ids[i]) << 32) | i
    sorted_ids.sort()
    kinds = np.empty(ids.size, np.int64)
    distinct = np.empty(ids.size, np.int64)
    starts = np.empty(ids.size + 1, np.int64)
    places = sorted_ids & 0xFFFFFFFF
    n = 0
    for k in range(ids.size):
        number = sorted_ids[k] >> 32
        if n == 0 or number != distinct[n - 1]:
            distinct[n] = number
            starts[n] = k
            n += 1
        kinds[places[k]] = n - 1
    starts[n] = ids.size
    return Side(kinds, distinct[:n], starts[: n + 1], places)


@compiled
def match_edges(words: Words, output: Side, reference: Side) -> Edges:
    """Compare every distinct word of the output with every one of the reference."""
    starts = np.zeros(output.distinct.size + 1, np.int64)
    targets = np.empty(16, np.int64)
    stages = np.empty(16, np.int64)
    n = 0
    for a in range(output.distinct.size):
        for b in range(reference.distinct.size):
            stage = stage_of(words, output.distinct[a], reference.distinct[b])
            if stage == NO_STAGE:
                continue
            if n == targets.size:
                targets = np.concatenate((targets, np.empty(n, np.int64)))
                stages = np.concatenate((stages, np.empty(n, np.int64)))
            targets[n] = b
            stages[n] = stage
            n += 1
        starts[a + 1] = n
    return Edges(starts, targets[:n], stages[:n])
