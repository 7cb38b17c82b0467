"""Growing hash tables of phrases and of keys, with their compiled loops.

A phrase is a run of ids within a sentence. A table numbers phrases: a slot holds the number of a
phrase, a hash says where to look, and ids decide, so that no two phrases are taken for one.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled, inlined
from ensue.paraphrase.acquisition.corpus import Ids

# Compiled inner loops of learning: phrases in tables, their occurrences, and what shares
# contexts.

Places = NDArray[np.int64]
Keys = NDArray[np.uint64]

EMPTY = -1
"""A slot without a phrase; the number of what is no known phrase."""

_SEED = np.uint64(0xCBF29CE484222325)
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


@inlined
def _mixed(value: np.uint64, id: np.uint64) -> np.uint64:
    """The hash of a phrase with one more id; each bit of it depends on all ids."""
    mixed = (value ^ id) * _PRIME
    return mixed ^ (mixed >> _HALF)


@inlined
def _slot_of(key: np.uint64, capacity: int) -> int:
    return np.int64((key * _PRIME) >> np.uint64(24)) & (capacity - 1)  # type: ignore[return-value]


@inlined
def _hash_of(ids: Ids, start: int, length: int) -> np.uint64:
    value = _SEED
    for k in range(length):
        value = _mixed(value, np.uint64(ids[start + k]))
    return value


@inlined
def _slot_of_phrase(
    key: np.uint64,
    ids: Ids,
    start: int,
    length: int,
    slots: Ids,
    hashes: Keys,
    offsets: Places,
    store: Ids,
) -> int:
    """The slot that holds a phrase, or the empty one where it belongs."""
    slot = _slot_of(key, slots.size)
    while slots[slot] != EMPTY:
        number = slots[slot]
        first = offsets[number]
        if hashes[number] == key and offsets[number + 1] - first == length:
            k = 0
            while k < length and store[first + k] == ids[start + k]:
                k += 1
            if k == length:
                break
        slot = (slot + 1) & (slots.size - 1)
    return slot


@compiled
def fill_slots(slots: Ids, hashes: Keys, n_phrases: int) -> None:
    """Put phrases, which are known to differ, into empty slots."""
    for number in range(n_phrases):
        slot = _slot_of(hashes[number], slots.size)
        while slots[slot] != EMPTY:
            slot = (slot + 1) & (slots.size - 1)
        slots[slot] = number


@compiled
def number_phrases(
    ids: Ids,
    starts: Places,
    lengths: Ids,
    slots: Ids,
    hashes: Keys,
    offsets: Places,
    store: Ids,
    n_phrases: int,
    numbers: Ids,
) -> int:
    """Write the number of each phrase to `numbers`, new ones numbered on; there has to be room.

    Returns:
        How many phrases the table has now.
    """
    for i in range(starts.size):
        start, length = starts[i], lengths[i]
        key = _hash_of(ids, start, length)
        slot = _slot_of_phrase(key, ids, start, length, slots, hashes, offsets, store)
        if slots[slot] == EMPTY:
            slots[slot] = n_phrases
            hashes[n_phrases] = key
            first = offsets[n_phrases]
            for k in range(length):
                store[first + k] = ids[start + k]
            n_phrases += 1
            offsets[n_phrases] = first + length
        numbers[i] = slots[slot]
    return n_phrases


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
            key = _hash_of(ids, start, width)
            slot = _slot_of_phrase(key, ids, start, width, slots, hashes, offsets, store)
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
        key = _SEED
        for length in range(1, longest + 1):
            id = ids[start + length - 1]
            if id < 0:
                break
            key = _mixed(key, np.uint64(id))
            slot = _slot_of_phrase(key, ids, start, length, slots, hashes, offsets, store)
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
    """A hash of each phrase's number with the words around it; never 0."""
    keys = np.empty(starts.size, np.uint64)
    for i in range(starts.size):
        key = _mixed(_SEED, np.uint64(numbers[i]))
        for k in range(starts[i] - left, starts[i]):
            key = _mixed(key, np.uint64(ids[k]))
        for k in range(starts[i] + lengths[i], starts[i] + lengths[i] + right):
            key = _mixed(key, np.uint64(ids[k]))
        keys[i] = max(key, np.uint64(1))
    return keys


@compiled
def find_candidates(
    ids: Ids,
    lefts: Ids,
    rights: Ids,
    left: int,
    longest: int,
    kinds: NDArray[np.uint8],
    slots: Ids,
    contexts: Keys,
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
        slots: Where contexts are to be looked for.
        contexts: The numbers of the two sides, in one.
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
        high = np.uint64(lefts[start - left]) << _HALF
        hashed = _SEED
        has_content = False
        for length in range(1, longest + 1):
            id = ids[start + length - 1]
            if id < 0 or kinds[id] == 0:
                break
            hashed = _mixed(hashed, np.uint64(id))
            has_content = has_content or kinds[id] == 2
            if not has_content or rights[start + length] == EMPTY:
                continue
            if n_parts > 1 and (hashed >> np.uint64(40)) % np.uint64(n_parts) != np.uint64(part):
                continue
            key = high | np.uint64(rights[start + length])
            slot = _slot_of(key, slots.size)
            while slots[slot] != EMPTY and contexts[slots[slot]] != key:
                slot = (slot + 1) & (slots.size - 1)
            if slots[slot] == EMPTY:
                continue
            if n_found == starts.size:
                starts = np.concatenate((starts, np.empty_like(starts)))
                lengths = np.concatenate((lengths, np.empty_like(lengths)))
                found = np.concatenate((found, np.empty_like(found)))
            starts[n_found] = start
            lengths[n_found] = length
            found[n_found] = slots[slot]
            n_found += 1
    return starts[:n_found], lengths[:n_found], found[:n_found]


@compiled
def add_keys(keys: Keys, table: Keys, is_new: NDArray[np.bool_]) -> int:
    """Put keys, none of them 0, into a table with room for all, and say which were not in it.

    Returns:
        How many were not.
    """
    n_new = 0
    for i in range(keys.size):
        slot = _slot_of(keys[i], table.size)
        while table[slot] != 0 and table[slot] != keys[i]:
            slot = (slot + 1) & (table.size - 1)
        is_new[i] = table[slot] == 0
        if is_new[i]:
            table[slot] = keys[i]
            n_new += 1
    return n_new


# Growing tables of phrases and of keys, around the compiled loops.

Array = TypeVar("Array", bound=NDArray[Any])

_SMALLEST = 1 << 10


def _capacity(n: int) -> int:
    """The size of a table that is at most half full with so many entries: a power of two."""
    return 1 << max((2 * n - 1).bit_length(), _SMALLEST.bit_length() - 1)


def slots_of(keys: Keys) -> Ids:
    """A hash table of distinct keys: their numbers, and `EMPTY` between them."""
    slots = np.full(_capacity(keys.size), EMPTY, np.int32)
    fill_slots(slots, keys, keys.size)
    return slots


def _grown(array: Array, n_used: int, size: int) -> Array:
    """An array with room for `size` entries: the same one, or twice as large as it has to be."""
    if array.size >= size:
        return array
    larger: Array = np.empty_like(array, shape=2 * size)
    larger[:n_used] = array[:n_used]
    return larger


class PhraseTable:
    """Phrases of ids, numbered in the order in which they first came."""

    def __init__(self) -> None:
        self._n_phrases = 0
        self._slots: Ids = np.full(_SMALLEST, EMPTY, np.int32)
        self._hashes: Keys = np.empty(_SMALLEST, np.uint64)
        self._offsets: Places = np.zeros(_SMALLEST, np.int64)
        self._store: Ids = np.empty(_SMALLEST, np.int32)

    def __len__(self) -> int:
        return self._n_phrases

    @property
    def lengths(self) -> Ids:
        """How many ids each phrase has."""
        return np.diff(self._offsets[: self._n_phrases + 1]).astype(np.int32)

    @property
    def ids(self) -> Ids:
        """The ids of all phrases, one after the other."""
        return self._store[: self._offsets[self._n_phrases]]

    def phrase(self, number: int) -> list[int]:
        """The ids of a phrase."""
        ids: list[int] = self._store[self._offsets[number] : self._offsets[number + 1]].tolist()
        return ids

    def numbers(self, ids: Ids, starts: Places, lengths: Ids) -> Ids:
        """The numbers of phrases that stand somewhere, new ones numbered on."""
        self._make_room(starts.size, int(lengths.sum()))
        numbers = np.empty(starts.size, np.int32)
        self._n_phrases = number_phrases(
            ids, starts, lengths, *self._arrays(), self._n_phrases, numbers
        )
        return numbers

    def add(self, phrase: Ids) -> int:
        """The number of one phrase, which is now in the table."""
        whole = np.zeros(1, np.int64), np.array([phrase.size], np.int32)
        return int(self.numbers(phrase, *whole)[0])

    def chosen(self, which: NDArray[np.int64]) -> PhraseTable:
        """A table of some of the phrases, in that order."""
        table = PhraseTable()
        table.numbers(self._store, self._offsets[which], self.lengths[which])
        return table

    def starting_at(self, ids: Ids, width: int) -> Ids:
        """For each place the number of the known phrase of so many ids there, or `EMPTY`."""
        return phrases_from(ids, width, *self._arrays())

    def longest_from(self, n_words: int) -> Ids:
        """For each word the length of the longest phrase that begins with it, 0 where none does."""
        longest = np.zeros(n_words, np.int32)
        first = self._store[self._offsets[: self._n_phrases]]
        np.maximum.at(longest, first, self.lengths)
        return longest

    def found(self, ids: Ids, longest_from: Ids) -> tuple[Ids, Places]:
        """The numbers and the beginnings of all phrases that occur in a block."""
        return find_phrases(ids, longest_from, *self._arrays())

    def _arrays(self) -> tuple[Ids, Keys, Places, Ids]:
        return self._slots, self._hashes, self._offsets, self._store

    def _make_room(self, n_more: int, n_more_ids: int) -> None:
        n = self._n_phrases
        used = int(self._offsets[n])
        self._hashes = _grown(self._hashes, n, n + n_more)
        self._offsets = _grown(self._offsets, n + 1, n + n_more + 1)
        self._store = _grown(self._store, used, used + n_more_ids)
        if self._slots.size < 2 * (n + n_more):
            self._slots = np.full(_capacity(n + n_more), EMPTY, np.int32)
            fill_slots(self._slots, self._hashes, n)


class KeySet:
    """Distinct keys of 64 bits, none of them 0."""

    def __init__(self) -> None:
        self._n_keys = 0
        self._table: Keys = np.zeros(_SMALLEST, np.uint64)

    def __len__(self) -> int:
        return self._n_keys

    def add(self, keys: Keys) -> NDArray[np.bool_]:
        """Put keys in, and say which of them are new; of equal ones the first is."""
        if self._table.size < 2 * (self._n_keys + keys.size):
            kept = self.sorted()
            self._table = np.zeros(_capacity(self._n_keys + keys.size), np.uint64)
            add_keys(kept, self._table, np.empty(kept.size, np.bool_))
        is_new = np.empty(keys.size, np.bool_)
        self._n_keys += add_keys(keys, self._table, is_new)
        return is_new

    def sorted(self) -> Keys:
        """All keys, ascending."""
        return np.sort(self._table[self._table != 0])
