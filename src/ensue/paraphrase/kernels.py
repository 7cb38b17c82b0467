"""Compiled loops over words and lists: scanning, stems, list histories, cumulated gain.

It cuts as the tokenizer `words` does. `ensue.surface.scanner` serves every tokenizer; this
one is for strings of a few words, where what is done for each string and each word counts. A word
of up to fifteen bytes is its own key, so that the text is not looked at again to tell words apart.

Instead of sets there are arrays that say for each word and stem in which list it was last seen, so
that a new list begins with empty histories at no cost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled, inlined
from ensue.surface import stemmed

# Cut very many short strings into words and number the distinct ones.

Bytes = NDArray[np.uint8]
Keys = NDArray[np.uint64]
Indices = NDArray[np.int64]
Ids = NDArray[np.int32]

SEPARATOR = 0
"""The byte after each string."""

_FIRST_BITS = 12
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_OTHER_PRIME = np.uint64(0xC2B2AE3D27D4EB4F)
_LONG = np.uint64(1 << 63)
_BYTE = np.uint64(8)


def _lowered() -> Bytes:
    """For each byte of a word what stands for it in lower case; 0 for bytes between words."""
    table = np.zeros(256, np.uint8)
    for byte in range(256):
        if byte >= 128 or chr(byte).isalnum() or chr(byte) == "_":
            table[byte] = ord(chr(byte).lower()) if byte < 128 else byte
    return table


LOWERED = _lowered()


@inlined
def _slot(low: np.uint64, high: np.uint64, bits: int) -> int:
    return np.int64(((low * _PRIME) ^ (high * _OTHER_PRIME)) * _PRIME >> np.uint64(64 - bits))  # type: ignore[return-value]


@inlined
def _same_word(buffer: Bytes, lowered: Bytes, a: int, b: int, size: int) -> bool:
    for i in range(size):  # noqa: SIM110 - numba compiles loops, not generators
        if lowered[buffer[a + i]] != lowered[buffer[b + i]]:
            return False
    return True


@compiled
def _grown(keys: Keys, numbers: Ids, bits: int) -> tuple[Keys, Ids]:
    """A table of 2^bits slots with the same entries."""
    capacity = 1 << bits
    new_keys = np.zeros((capacity, 2), np.uint64)
    new_numbers = np.empty(capacity, np.int32)
    for i in range(numbers.size):
        if keys[i, 0] != 0:
            slot = _slot(keys[i, 0], keys[i, 1], bits)
            while new_keys[slot, 0] != 0:
                slot = (slot + 1) & (capacity - 1)
            new_keys[slot, 0], new_keys[slot, 1] = keys[i, 0], keys[i, 1]
            new_numbers[slot] = numbers[i]
    return new_keys, new_numbers


@compiled
def _scan_from(
    state: tuple[int, int, int, int],
    buffer: Bytes,
    lowered: Bytes,
    ids: Ids,
    offsets: Indices,
    first: Indices,
    sizes: Indices,
    keys: Keys,
    numbers: Ids,
    bits: int,
) -> tuple[int, int, int, int]:
    """Scan to the end, or until the table is three quarters full.

    The state is the place in the buffer, and how many strings, words and distinct words lie before
    it. One long function on purpose, as in `ensue.surface.scanner`.
    """
    i, n_strings, n_words, n_distinct = state
    capacity = 1 << bits
    while i < buffer.size and 4 * n_distinct < 3 * capacity:
        letter = lowered[buffer[i]]
        if letter == 0:
            if buffer[i] == SEPARATOR:
                n_strings += 1
                if n_strings < offsets.size:
                    offsets[n_strings] = n_words
            i += 1
            continue
        begin = i
        low, high = np.uint64(0), np.uint64(0)
        while letter != 0 and i < begin + 8:
            low = (low << _BYTE) | np.uint64(letter)
            i += 1
            letter = lowered[buffer[i]]
        while letter != 0 and i < begin + 15:
            high = (high << _BYTE) | np.uint64(letter)
            i += 1
            letter = lowered[buffer[i]]
        is_long = letter != 0
        while letter != 0:
            high = (high ^ np.uint64(letter)) * _PRIME
            i += 1
            letter = lowered[buffer[i]]
        size = i - begin
        if is_long:  # the key only says where to look: bytes decide
            high |= _LONG
        slot = _slot(low, high, bits)
        while keys[slot, 0] != 0 and not (
            keys[slot, 0] == low
            and keys[slot, 1] == high
            and (
                not is_long
                or (
                    sizes[numbers[slot]] == size
                    and _same_word(buffer, lowered, first[numbers[slot]], begin, size)
                )
            )
        ):
            slot = (slot + 1) & (capacity - 1)
        if keys[slot, 0] == 0:
            keys[slot, 0], keys[slot, 1] = low, high
            numbers[slot] = n_distinct
            first[n_distinct], sizes[n_distinct] = begin, size
            n_distinct += 1
        ids[n_words] = numbers[slot]
        n_words += 1
    return i, n_strings, n_words, n_distinct


@compiled
def scan_words(
    buffer: Bytes, n_strings: int, lowered: Bytes
) -> tuple[Ids, Indices, Indices, Indices, int]:
    """Number the words of strings in the order of first occurrence.

    Args:
        buffer: The strings, a separator after each.
        n_strings: How many there are.
        lowered: `LOWERED`.

    Returns:
        The numbers of all words; where each string's begin among them, with the end of the last;
        for each number, where its word first starts and how many bytes it has; how many separators
        there are. If these are not as many as strings, nothing else is of use.
    """
    most = buffer.size // 2 + 1
    ids = np.empty(most, np.int32)  # of which only what is written takes memory
    offsets = np.zeros(n_strings + 1, np.int64)
    first, sizes = np.empty(most, np.int64), np.empty(most, np.int64)
    bits = _FIRST_BITS
    keys = np.zeros((1 << bits, 2), np.uint64)
    numbers = np.empty(1 << bits, np.int32)
    state = (0, 0, 0, 0)
    while state[0] < buffer.size:
        state = _scan_from(state, buffer, lowered, ids, offsets, first, sizes, keys, numbers, bits)
        if 4 * state[3] >= 3 * (1 << bits):
            bits += 1
            keys, numbers = _grown(keys, numbers, bits)
    n_words, n_distinct = state[2], state[3]
    return ids[:n_words], offsets, first[:n_distinct].copy(), sizes[:n_distinct].copy(), state[1]


# The stems of the distinct words of a text, written one behind the other.

Flags = NDArray[np.bool_]


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
