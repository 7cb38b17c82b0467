"""Compiled loops over words and lists: stems, list histories, cumulated gain.

Instead of sets there are arrays that say for each word and stem in which list it was last seen, so
that a new list begins with empty histories at no cost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.surface import row_hash, stamped_slot, stemmed

Bytes = NDArray[np.uint8]
Indices = NDArray[np.int64]
Ids = NDArray[np.int32]

# The stems of the distinct words of a text, written one behind the other.

Flags = NDArray[np.bool_]


_NINE, _UNDERSCORE = b"9_"


@compiled
def write_stems(buffer: Bytes, starts: Indices, sizes: Indices) -> tuple[Bytes, Flags, Flags]:
    """Write the stem of each word, with a zero between them.

    Args:
        buffer: Some text in UTF-8, in lower case.
        starts: Where in it each word starts.
        sizes: How many bytes each has.

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
            letter = buffer[starts[i] + j]
            stems[at + j] = letter
            foreign[i] = foreign[i] or letter >= 128
            is_slot[i] = is_slot[i] and letter == _UNDERSCORE
        is_slot[i] = is_slot[i] or (n == 1 and stems[at] > _NINE)
        if not (foreign[i] or is_slot[i]):
            n = stemmed(stems[at : at + n + 1], vowels, n)
        stems[at + n] = 0
        at += n + 1
    return stems[: max(at - 1, 0)].copy(), foreign, is_slot


# What was seen before in a list, for all lists in one pass.

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
    of_list = np.full(capacity, -1, np.int64)
    for i in range(lists.size - 1):
        for pattern in range(lists[i], lists[i + 1]):
            key = row_hash(ids, offsets[pattern], offsets[pattern + 1])
            slot = stamped_slot(keys, of_list, key, i)
            found[i] = found[i] or of_list[slot] == i
            keys[slot], of_list[slot] = key, i
    return found


# Compiled loop over ranks.


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
