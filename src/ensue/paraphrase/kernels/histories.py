"""What was seen before in a list, for all lists in one pass.

Instead of sets there are arrays that say for each word and stem in which list it was last seen, so
that a new list begins with empty histories at no cost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

Ids = NDArray[np.int32]
Indices = NDArray[np.int64]
Numbers = NDArray[np.float64]

SEEN, ROOT_SEEN, NEW = 1.0, 2.0, 3.0
"""D of Algorithm 1: "word already seen", "root already seen", "unseen word"."""


@compiled
def seen_before(
    lists: Indices,
    term_ids: Ids,
    term_offsets: Indices,
    ids: Ids,
    offsets: Indices,
    stem_of: Ids,
    n_stems: int,
) -> Numbers:
    """D of each pattern by Algorithm 1 of Shima & Mitamura (2011).

    Args:
        lists: Where each list's patterns begin, with the end of the last.
        term_ids: The words of the lists' terms.
        term_offsets: Where each term's begin.
        ids: The words of the paraphrases.
        offsets: Where each paraphrase's begin.
        stem_of: The stem of each word; below 0 for words without content.
        n_stems: How many stems there are.
    """
    found = np.empty(offsets.size - 1, np.float64)
    words = np.empty((stem_of.size, 2), np.int32)  # the list that had a word, and the word's stem
    for j in range(stem_of.size):
        words[j, 0], words[j, 1] = -1, stem_of[j]
    stems = np.full(n_stems, -1, np.int32)
    for i in range(lists.size - 1):
        for j in range(term_offsets[i], term_offsets[i + 1]):  # lines 1 and 2
            if words[term_ids[j], 1] >= 0:
                words[term_ids[j], 0] = i
                stems[words[term_ids[j], 1]] = i
        for pattern in range(lists[i], lists[i + 1]):
            kind = 0.0
            for j in range(offsets[pattern], offsets[pattern + 1]):
                stem = words[ids[j], 1]
                if stem >= 0:
                    if words[ids[j], 0] == i:
                        kind = SEEN
                        break
                    if stems[stem] == i:
                        kind = ROOT_SEEN
                    elif kind == 0.0:
                        kind = NEW
            if kind == 0.0:  # line 6: no content word
                kind = SEEN
            if kind != SEEN:  # lines 14 and 15
                for j in range(offsets[pattern], offsets[pattern + 1]):
                    if words[ids[j], 1] >= 0:
                        words[ids[j], 0] = i
                        stems[words[ids[j], 1]] = i
            found[pattern] = kind
    return found


@compiled
def credited(
    lists: Indices,
    term_ids: Ids,
    term_offsets: Indices,
    ids: Ids,
    offsets: Indices,
    stem_of: Ids,
    n_stems: int,
) -> NDArray[np.bool_]:
    """Whether each pattern gets credit in EPR: it has content words, and all its stems are new.

    The history begins with the term's stems and grows with credited patterns only. The arguments
    are those of `seen_before`.
    """
    found = np.zeros(offsets.size - 1, np.bool_)
    stems = np.full(n_stems, -1, np.int32)
    for i in range(lists.size - 1):
        for j in range(term_offsets[i], term_offsets[i + 1]):
            if stem_of[term_ids[j]] >= 0:
                stems[stem_of[term_ids[j]]] = i
        for pattern in range(lists[i], lists[i + 1]):
            credit = False
            for j in range(offsets[pattern], offsets[pattern + 1]):
                stem = stem_of[ids[j]]
                if stem >= 0:
                    credit = stems[stem] != i
                    if not credit:
                        break
            if credit:
                for j in range(offsets[pattern], offsets[pattern + 1]):
                    if stem_of[ids[j]] >= 0:
                        stems[stem_of[ids[j]]] = i
            found[pattern] = credit
    return found


@compiled
def _key(ids: Ids, start: int, end: int) -> np.uint64:
    """A hash of some words in their order."""
    prime = np.uint64(0x9E3779B97F4A7C15)
    key = np.uint64(end - start)
    for j in range(start, end):
        key = (key ^ np.uint64(ids[j])) * prime
        key ^= key >> np.uint64(29)
    return key


@compiled
def lists_with_doubles(lists: Indices, ids: Ids, offsets: Indices) -> NDArray[np.bool_]:
    """Which lists may have two paraphrases of the same words in the same order.

    By a hash of 64 bits: a list that is not marked has none, one that is marked is worth a look.
    """
    found = np.zeros(lists.size - 1, np.bool_)
    capacity = 16
    for i in range(lists.size - 1):
        while capacity < 2 * (lists[i + 1] - lists[i]):
            capacity *= 2
    keys = np.empty(capacity, np.uint64)
    of_list = np.full(capacity, -1, np.int32)
    for i in range(lists.size - 1):
        for pattern in range(lists[i], lists[i + 1]):
            key = _key(ids, offsets[pattern], offsets[pattern + 1])
            slot = np.int64(key >> np.uint64(8)) & (capacity - 1)
            while of_list[slot] == i and keys[slot] != key:
                slot = (slot + 1) & (capacity - 1)
            found[i] = found[i] or of_list[slot] == i
            keys[slot], of_list[slot] = key, i
    return found
