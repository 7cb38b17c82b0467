"""Cut very many short strings into words and number the distinct ones.

It cuts as the tokenizer `words` does. `ensue.surface.kernels.scan` serves every tokenizer; this
one is for strings of a few words, where what is done for each string and each word counts. A word
of up to fifteen bytes is its own key, so that the text is not looked at again to tell words apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled, inlined

Bytes = NDArray[np.uint8]
Keys = NDArray[np.uint64]
Indices = NDArray[np.int64]
Numbers = NDArray[np.int32]

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
def _grown(keys: Keys, numbers: Numbers, bits: int) -> tuple[Keys, Numbers]:
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
    ids: Numbers,
    offsets: Indices,
    first: Indices,
    sizes: Indices,
    keys: Keys,
    numbers: Numbers,
    bits: int,
) -> tuple[int, int, int, int]:
    """Scan to the end, or until the table is three quarters full.

    The state is the place in the buffer, and how many strings, words and distinct words lie before
    it. One long function on purpose, as in `ensue.surface.kernels.scan`.
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
) -> tuple[Numbers, Indices, Indices, Indices, int]:
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
