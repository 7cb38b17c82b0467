"""Interning tables for compiled code: keys and rows of numbers that get a number each.

Every table of this house is one of these: open addressing with linear probing, a power of two of
slots of which at least a quarter is free, and one hash. Numbers are given in the order of first
occurrence, so that no result depends on the hash.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled, inlined

Keys = NDArray[np.uint64]
Ids = NDArray[np.int32]
Places = NDArray[np.int64]
Array = TypeVar("Array", bound=NDArray[Any])

# Keys of 64 bits.

FREE = np.uint64(0xFFFFFFFFFFFFFFFF)
"""In the place of a key: a free slot. No key may have all of its bits set."""
HASH_SEED = np.uint64(0xCBF29CE484222325)
"""The hash of a row without numbers."""

_PRIME = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


@inlined
def mixed(value: np.uint64, number: np.uint64) -> np.uint64:
    """A hash with one more number in it; each of its lower bits depends on all bits of both."""
    # 2^64 over the golden ratio spreads neighbors; a product's high bits are the mixed ones, and
    # slots are taken from the low bits
    product = (value ^ number) * _PRIME
    return product ^ (product >> _HALF)


@inlined
def pair_key(first: int, second: int) -> np.uint64:
    """Two numbers of 32 bits in one: an n-gram from its first n-1 words and its last."""
    return (np.uint64(first) << _HALF) | np.uint64(second)


@inlined
def key_slot(keys: Keys, key: np.uint64, mask: int) -> int:
    """The slot of a key, or the free one where it belongs.

    Args:
        keys: Whose first slots are used, not all of them taken.
        key: What is looked for.
        mask: The number of slots, less one.
    """
    slot = np.int64(mixed(np.uint64(0), key)) & mask
    while keys[slot] != key and keys[slot] != FREE:
        slot = (slot + 1) & mask
    return slot  # type: ignore[return-value]


@inlined
def stamped_slot(keys: Keys, stamps: Places, key: np.uint64, stamp: int) -> int:
    """The slot of a key with a stamp, or the one where it belongs; other stamps are free slots.

    A new stamp empties the table at no cost.
    """
    mask = stamps.size - 1
    slot = np.int64(mixed(np.uint64(0), key)) & mask
    while stamps[slot] == stamp and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot  # type: ignore[return-value]


class KeySet:
    """Distinct keys of 64 bits, none of them `FREE`."""

    def __init__(self) -> None:
        self._n_keys = 0
        self._table: Keys = np.full(_SMALLEST, FREE)

    def __len__(self) -> int:
        return self._n_keys

    def add(self, keys: Keys) -> NDArray[np.bool_]:
        """Put keys in, and say which of them are new; of equal ones the first is."""
        if self._table.size < 2 * (self._n_keys + keys.size):
            kept = self.sorted()
            self._table = np.full(_capacity(self._n_keys + keys.size), FREE)
            _add_keys(kept, self._table, np.empty(kept.size, np.bool_))
        is_new = np.empty(keys.size, np.bool_)
        self._n_keys += _add_keys(keys, self._table, is_new)
        return is_new

    def sorted(self) -> Keys:
        """All keys, ascending."""
        return np.sort(self._table[self._table != FREE])


@compiled
def _add_keys(keys: Keys, table: Keys, is_new: NDArray[np.bool_]) -> int:
    """Put keys into a table with room for all; say which were not in it, and how many."""
    n_new = 0
    for i in range(keys.size):
        slot = key_slot(table, keys[i], table.size - 1)
        is_new[i] = table[slot] == FREE
        if is_new[i]:
            table[slot] = keys[i]
            n_new += 1
    return n_new


@compiled
def fill_table(keys: Keys, table: Keys, numbers: Ids) -> None:
    """Put distinct keys into a table with room for all, each with its place among them."""
    for i in range(keys.size):
        slot = key_slot(table, keys[i], table.size - 1)
        table[slot] = keys[i]
        numbers[slot] = i


def key_table(keys: Keys) -> tuple[Keys, Ids]:
    """A table of distinct keys, to be used with `key_slot`, and their places by slot."""
    table, numbers = np.full(_capacity(keys.size), FREE), np.empty(_capacity(keys.size), np.int32)
    fill_table(keys, table, numbers)
    return table, numbers


# Rows of numbers, whose lengths may differ.

EMPTY = -1
"""A slot without a row; the number of what is no known row."""
_SMALLEST = 1 << 10


@inlined
def row_hash(values: Ids, start: int, end: int) -> np.uint64:
    """The hash of a row."""
    value = HASH_SEED
    for k in range(start, end):
        value = mixed(value, np.uint64(values[k]))
    return value


@inlined
def row_slot(
    hashed: np.uint64,
    values: Ids,
    start: int,
    end: int,
    slots: Ids,
    hashes: Keys,
    offsets: Places,
    store: Ids,
) -> int:
    """The slot of a table that has the number of a row, or the empty one where it belongs.

    A hash says where to look, and values decide, so that no two rows are taken for one.

    Args:
        hashed: The row's `row_hash`.
        values: Where the row is.
        start: Where it starts there.
        end: Where it ends.
        slots: Of the table, as are the rest: numbers of rows, and `EMPTY` between them.
        hashes: Of each row.
        offsets: Where each begins in the store, with the end of the last.
        store: All rows.
    """
    slot = np.int64(hashed) & (slots.size - 1)
    while slots[slot] != EMPTY:
        number = slots[slot]
        first = offsets[number]
        if hashes[number] == hashed and offsets[number + 1] - first == end - start:
            k = 0
            while k < end - start and store[first + k] == values[start + k]:
                k += 1
            if k == end - start:
                break
        slot = (slot + 1) & (slots.size - 1)
    return slot  # type: ignore[return-value]


@compiled
def _fill_slots(slots: Ids, hashes: Keys, n_rows: int) -> None:
    """Put rows, which are known to differ, into empty slots."""
    for number in range(n_rows):
        slot = np.int64(hashes[number]) & (slots.size - 1)
        while slots[slot] != EMPTY:
            slot = (slot + 1) & (slots.size - 1)
        slots[slot] = number


@compiled
def _number_rows(
    values: Ids,
    starts: Places,
    ends: Places,
    slots: Ids,
    hashes: Keys,
    offsets: Places,
    store: Ids,
    n_rows: int,
    numbers: Ids,
) -> int:
    """Write the number of each row to `numbers`, new ones numbered on; there has to be room.

    Returns:
        How many rows the table has now.
    """
    for i in range(starts.size):
        start, end = starts[i], ends[i]
        hashed = row_hash(values, start, end)
        slot = row_slot(hashed, values, start, end, slots, hashes, offsets, store)
        if slots[slot] == EMPTY:
            slots[slot] = n_rows
            hashes[n_rows] = hashed
            first = offsets[n_rows]
            for k in range(end - start):
                store[first + k] = values[start + k]
            n_rows += 1
            offsets[n_rows] = first + end - start
        numbers[i] = slots[slot]
    return n_rows


class DistinctRows:
    """The distinct ones among rows of numbers, numbered in the order in which they first came.

    Holds each row once: memory grows with the distinct rows, not with all that are met.
    """

    def __init__(self) -> None:
        self.n_rows = 0
        """How many there are."""
        self._slots: Ids = np.full(_SMALLEST, EMPTY, np.int32)
        self._hashes: Keys = np.empty(_SMALLEST, np.uint64)
        self._offsets: Places = np.zeros(_SMALLEST, np.int64)
        self._store: Ids = np.empty(_SMALLEST, np.int32)

    def __len__(self) -> int:
        return self.n_rows

    def numbers(self, offsets: Places, values: Ids) -> Ids:
        """The number of each row; those that are new get the next ones.

        Args:
            offsets: Where each row begins in `values`, with the end of the last.
            values: All rows, one after the other.
        """
        return self.numbers_at(values, offsets[:-1], offsets[1:])

    def numbers_at(self, values: Ids, starts: Places, ends: Places) -> Ids:
        """The number of each row; as `numbers`, for rows that may be anywhere.

        Args:
            values: Where the rows are.
            starts: Where each starts there.
            ends: Where each ends.
        """
        self._make_room(starts.size, int((ends - starts).sum()))
        found = np.empty(starts.size, np.int32)
        self.n_rows = _number_rows(values, starts, ends, *self.arrays, self.n_rows, found)
        return found

    @property
    def arrays(self) -> tuple[Ids, Keys, Places, Ids]:
        """Slots, hashes, offsets and values, as `row_slot` takes them."""
        return self._slots, self._hashes, self._offsets, self._store

    @property
    def offsets(self) -> Places:
        """Where each distinct row begins in `values`, with the end of the last."""
        return self._offsets[: self.n_rows + 1].copy()

    @property
    def values(self) -> Ids:
        """All distinct rows, one after the other."""
        return self._store[: self.n_values].copy()

    @property
    def n_values(self) -> int:
        """The length of all distinct rows together."""
        return int(self._offsets[self.n_rows])

    def _make_room(self, n_more: int, n_values: int) -> None:
        """See that even rows that are all new find room, half of the slots staying empty."""
        n, used = self.n_rows, self.n_values
        self._hashes = grown(self._hashes, n + n_more)
        self._offsets = grown(self._offsets, n + n_more + 1)
        self._store = grown(self._store, used + n_values)
        if self._slots.size < 2 * (n + n_more):
            self._slots = np.full(_capacity(n + n_more), EMPTY, np.int32)
            _fill_slots(self._slots, self._hashes, n)


def grown(array: Array, size: int) -> Array:
    """The array itself where it is long enough, or one that begins with it and has room."""
    if size <= array.size:
        return array
    larger: Array = np.empty_like(array, shape=max(size, array.size + array.size // 2))
    larger[: array.size] = array
    return larger


def _capacity(n: int) -> int:
    """The size of a table that is at most half full with so many entries: a power of two."""
    return 1 << max((2 * n - 1).bit_length(), _SMALLEST.bit_length() - 1)
