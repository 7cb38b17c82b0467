"""Growing tables of phrases and of keys, around the compiled loops."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ensue.paraphrase.learning.corpus import Ids
from ensue.paraphrase.learning.kernels import (
    EMPTY,
    Keys,
    Places,
    add_keys,
    fill_slots,
    find_phrases,
    number_phrases,
    phrases_from,
)

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
