"""Phrases of a corpus in a table, their occurrences, and what shares contexts with them.

A phrase is a run of ids within a sentence.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.paraphrase.acquisition.corpus import Ids
from ensue.surface import (
    EMPTY,
    FREE,
    HASH_SEED,
    DistinctRows,
    key_slot,
    mixed,
    pair_key,
    row_hash,
    row_slot,
)

# Compiled inner loops of learning: phrases in tables, their occurrences, and what shares
# contexts.

Places = NDArray[np.int64]
Keys = NDArray[np.uint64]


@compiled
def phrases_from(
    ids: Ids, width: int, slots: Ids, hashes: Keys, offsets: Places, store: Ids
) -> Ids:
    """For each place the number of the known phrase of `width` ids that begins there, or `EMPTY`."""
    numbers = np.full(ids.size, EMPTY, np.int32)
    run = 0
    for end in range(ids.size):
        run = 0 if ids[end] < 0 else run + 1
        if run >= width:
            start = end - width + 1
            key = row_hash(ids, start, end + 1)
            slot = row_slot(key, ids, start, end + 1, slots, hashes, offsets, store)
            numbers[start] = slots[slot]
    return numbers


@compiled
def find_phrases(
    ids: Ids,
    longest_from: Ids,
    slots: Ids,
    hashes: Keys,
    offsets: Places,
    store: Ids,
) -> tuple[Ids, Places]:
    """All occurrences of the known phrases, overlapping ones too.

    Args:
        ids: A block.
        longest_from: For each word the length of the longest phrase that begins with it.
        slots: Of the table, as are the rest.
        hashes: Of each phrase.
        offsets: Where each begins in the store.
        store: The ids of the phrases.

    Returns:
        The number of each, and where it begins.
    """
    numbers = np.empty(1024, np.int32)
    starts = np.empty(1024, np.int64)
    n_found = 0
    for start in range(ids.size):
        longest = longest_from[ids[start]] if ids[start] >= 0 else 0
        key = HASH_SEED
        for length in range(1, longest + 1):
            id = ids[start + length - 1]
            if id < 0:
                break
            key = mixed(key, np.uint64(id))
            slot = row_slot(key, ids, start, start + length, slots, hashes, offsets, store)
            if slots[slot] != EMPTY:
                if n_found == starts.size:
                    numbers = np.concatenate((numbers, np.empty_like(numbers)))
                    starts = np.concatenate((starts, np.empty_like(starts)))
                numbers[n_found] = slots[slot]
                starts[n_found] = start
                n_found += 1
    return numbers[:n_found], starts[:n_found]


@compiled
def with_contexts(
    ids: Ids, starts: Places, lengths: Ids, left: int, right: int
) -> NDArray[np.bool_]:
    """Whether `left` ids before a phrase and `right` ids behind it are in its sentence."""
    found = np.ones(starts.size, np.bool_)
    for i in range(starts.size):
        start, end = starts[i], starts[i] + lengths[i]
        for k in range(start - 1, start - 1 - left, -1):
            if ids[k] < 0:  # each block begins and ends with one of these: never out of bounds
                found[i] = False
                break
        for k in range(end, end + right):
            if not found[i] or ids[k] < 0:
                found[i] = False
                break
    return found


@compiled
def context_keys(
    ids: Ids, numbers: Ids, starts: Places, lengths: Ids, left: int, right: int
) -> Keys:
    """A hash of each phrase's number with the words around it; never `FREE`."""
    keys = np.empty(starts.size, np.uint64)
    for i in range(starts.size):
        key = mixed(HASH_SEED, np.uint64(numbers[i]))
        for k in range(starts[i] - left, starts[i]):
            key = mixed(key, np.uint64(ids[k]))
        for k in range(starts[i] + lengths[i], starts[i] + lengths[i] + right):
            key = mixed(key, np.uint64(ids[k]))
        keys[i] = min(key, FREE - np.uint64(1))
    return keys


@compiled
def find_candidates(
    ids: Ids,
    lefts: Ids,
    rights: Ids,
    left: int,
    longest: int,
    kinds: NDArray[np.uint8],
    contexts: Keys,
    numbers: Ids,
    part: int,
    n_parts: int,
) -> tuple[Places, Ids, Ids]:
    """What stands in known contexts: words of which one at least says something.

    Args:
        ids: A block.
        lefts: For each place the number of the left side that begins there.
        rights: For each place the number of the right side that begins there.
        left: Words of a left side.
        longest: Words of a candidate, at most.
        kinds: For each word 0 if it is punctuation, 1 if it says nothing by itself, 2 otherwise.
        contexts: A table of the contexts: the numbers of the two sides, in one.
        numbers: That of the context in each slot of the table.
        part: Which part of the candidates is wanted.
        n_parts: Into how many parts they fall, by their hashes.

    Returns:
        Where each occurrence begins, how long it is, and the number of its context.
    """
    starts = np.empty(1024, np.int64)
    lengths = np.empty(1024, np.int32)
    found = np.empty(1024, np.int32)
    n_found = 0
    for start in range(left, ids.size):
        if lefts[start - left] == EMPTY:
            continue
        hashed = HASH_SEED
        has_content = False
        for length in range(1, longest + 1):
            id = ids[start + length - 1]
            if id < 0 or kinds[id] == 0:
                break
            hashed = mixed(hashed, np.uint64(id))
            has_content = has_content or kinds[id] == 2
            if not has_content or rights[start + length] == EMPTY:
                continue
            if n_parts > 1 and (hashed >> np.uint64(40)) % np.uint64(n_parts) != np.uint64(part):
                continue
            key = pair_key(lefts[start - left], rights[start + length])
            slot = key_slot(contexts, key, contexts.size - 1)
            if contexts[slot] == FREE:
                continue
            if n_found == starts.size:
                starts = np.concatenate((starts, np.empty_like(starts)))
                lengths = np.concatenate((lengths, np.empty_like(lengths)))
                found = np.concatenate((found, np.empty_like(found)))
            starts[n_found] = start
            lengths[n_found] = length
            found[n_found] = numbers[slot]
            n_found += 1
    return starts[:n_found], lengths[:n_found], found[:n_found]


# A growing table of phrases, around the compiled loops.


class PhraseTable(DistinctRows):
    """Phrases of ids, numbered in the order in which they first came."""

    @property
    def lengths(self) -> Ids:
        """How many ids each phrase has."""
        return np.diff(self.offsets).astype(np.int32)

    def phrase(self, number: int) -> list[int]:
        """The ids of a phrase."""
        ids: list[int] = self._store[self._offsets[number] : self._offsets[number + 1]].tolist()
        return ids

    def add(self, phrase: Ids) -> int:
        """The number of one phrase, which is now in the table."""
        return int(self.numbers(np.array([0, phrase.size]), phrase)[0])

    def chosen(self, which: NDArray[np.int64]) -> PhraseTable:
        """A table of some of the phrases, in that order."""
        table = PhraseTable()
        table.numbers_at(self._store, self._offsets[which], self._offsets[which + 1])
        return table

    def starting_at(self, ids: Ids, width: int) -> Ids:
        """For each place the number of the known phrase of so many ids there, or `EMPTY`."""
        return phrases_from(ids, width, *self.arrays)

    def longest_from(self, n_words: int) -> Ids:
        """For each word the length of the longest phrase that begins with it, 0 where none does."""
        longest = np.zeros(n_words, np.int32)
        first = self._store[self._offsets[: self.n_rows]]
        np.maximum.at(longest, first, self.lengths)
        return longest

    def found(self, ids: Ids, longest_from: Ids) -> tuple[Ids, Places]:
        """The numbers and the beginnings of all phrases that occur in a block."""
        return find_phrases(ids, longest_from, *self.arrays)
