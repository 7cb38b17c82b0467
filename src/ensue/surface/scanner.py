"""Compiled scanner: UTF-8 bytes cut into tokens, and the distinct tokens numbered.

The scanner for `13a` does in one pass what the four regular expressions of mteval-v13a do in four.
What makes that possible is that after the second rule no two periods or commas are neighbors, so
each run of k of them falls apart into single tokens, but for one case: the last one stays with a
digit that follows it when the second rule has not paired it, that is when k is odd after a digit
and when k is even after anything else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled, inlined

SCAN_13A = 0
SCAN_WHITESPACE = 1
SCAN_WORDS = 2
SCAN_CHARACTERS = 3

# the first two never end a token by themselves: the inner loop asks for nothing else
_WORD, _DIGIT, _SPACE, _PUNCTUATION, _POINT, _HYPHEN, _MAYBE_SPACE = range(7)

_ASCII_SPACES = (*range(0x09, 0x0E), *range(0x1C, 0x21))
_MAYBE_SPACE_LEADS = (0xC2, 0xE1, 0xE2, 0xE3)


def _classes_13a() -> NDArray[np.uint8]:
    classes = np.full(256, _WORD, np.uint8)
    for low, high in (("{", "~"), ("[", "`"), ("!", "&"), ("(", "+"), (":", "@"), ("/", "/")):
        classes[ord(low) : ord(high) + 1] = _PUNCTUATION
    classes[[ord("."), ord(",")]] = _POINT
    classes[ord("0") : ord("9") + 1] = _DIGIT
    classes[ord("-")] = _HYPHEN
    classes[list(_ASCII_SPACES)] = _SPACE
    classes[list(_MAYBE_SPACE_LEADS)] = _MAYBE_SPACE
    return classes


def _classes_whitespace() -> NDArray[np.uint8]:
    classes = np.full(256, _WORD, np.uint8)
    classes[list(_ASCII_SPACES)] = _SPACE
    classes[list(_MAYBE_SPACE_LEADS)] = _MAYBE_SPACE
    return classes


def _classes_characters() -> NDArray[np.uint8]:
    classes = _classes_whitespace()
    alone = [byte for byte in range(128) if classes[byte] == _WORD]
    classes[alone] = _PUNCTUATION
    return classes


def _classes_words() -> NDArray[np.uint8]:
    classes = np.full(256, _WORD, np.uint8)
    for byte in range(128):
        if not (chr(byte).isalnum() or chr(byte) == "_"):
            classes[byte] = _SPACE
    return classes


CLASSES: NDArray[np.uint8] = np.stack(
    [_classes_13a(), _classes_whitespace(), _classes_words(), _classes_characters()]
)
"""The class of each byte, a row for each scanner."""

_PRIME = np.uint64(0x9E3779B97F4A7C15)
_SHORT = 7
_LONG_MARK = np.uint64(0xFF << 56)


@inlined
def _space_width(buffer: NDArray[np.uint8], i: int, end: int) -> int:
    """How many bytes the non-ASCII white space at `i` takes; 0 where there is none."""
    lead = buffer[i]
    if lead == 0xC2:
        if i + 1 < end and (buffer[i + 1] == 0x85 or buffer[i + 1] == 0xA0):
            return 2
        return 0
    if i + 2 >= end:
        return 0
    second, third = buffer[i + 1], buffer[i + 2]
    if lead == 0xE1:
        return 3 if second == 0x9A and third == 0x80 else 0
    if lead == 0xE3:
        return 3 if second == 0x80 and third == 0x80 else 0
    if second == 0x80 and (third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF):
        return 3
    return 3 if second == 0x81 and third == 0x9F else 0


@inlined
def _long_key(buffer: NDArray[np.uint8], start: int, end: int) -> np.uint64:
    """A hash under the mark of long tokens."""
    value = np.uint64(end - start)
    for i in range(start, end):
        value = (value ^ np.uint64(buffer[i])) * _PRIME
    return (value >> np.uint64(8)) | _LONG_MARK


@inlined
def _same_bytes(buffer: NDArray[np.uint8], a: int, b: int, length: int) -> bool:
    for i in range(length):  # noqa: SIM110 - numba compiles loops, not generators
        if buffer[a + i] != buffer[b + i]:
            return False
    return True


@inlined
def _slot_of(key: np.uint64, capacity: int) -> int:
    # 2^40 slots are more than there will be; the lowest bits of a product are the least mixed
    return np.int64((key * _PRIME) >> np.uint64(24)) & (capacity - 1)  # type: ignore[return-value]


@compiled
def _grown(
    keys: NDArray[np.uint64], numbers: NDArray[np.int32]
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """A table of four times the size with the same entries."""
    capacity = 4 * keys.size
    grown_keys = np.zeros(capacity, np.uint64)
    grown_numbers = np.empty(capacity, np.int32)
    for i in range(keys.size):
        if keys[i] != 0:
            slot = _slot_of(keys[i], capacity)
            while grown_keys[slot] != 0:
                slot = (slot + 1) & (capacity - 1)
            grown_keys[slot] = keys[i]
            grown_numbers[slot] = numbers[i]
    return grown_keys, grown_numbers


@compiled
def _scan_from(
    s: int,
    buffer: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    keys: NDArray[np.uint64],
    numbers: NDArray[np.int32],
    first: NDArray[np.int64],
    sizes: NDArray[np.int64],
    n_distinct: int,
) -> tuple[int, int]:
    """Scan from the s-th string on, to the end or to a string for which the table may be too small.

    One long function on purpose: cut into small ones it takes 1.4 times as long. No array is
    reassigned in it, which keeps the loop in registers.
    """
    n_tokens = offsets[s]
    capacity = keys.size
    while s < starts.size:
        start, end = starts[s], ends[s]
        if 2 * (n_distinct + end - start) > capacity:
            break
        i = start
        while i < end:
            kind = classes[buffer[i]]
            if kind == _SPACE:
                i += 1
                continue
            if kind == _MAYBE_SPACE:
                width = _space_width(buffer, i, end)
                if width > 0:
                    i += width
                    continue
            # a token starts here; find where it ends
            begin = i
            key = np.uint64(buffer[i])
            after_digit = i > start and classes[buffer[i - 1]] == _DIGIT
            i += 1
            if kind == _PUNCTUATION or (kind == _HYPHEN and after_digit):
                alone = True
            elif kind == _POINT:
                alone = True
                if i < end and classes[buffer[i]] == _DIGIT:  # the last one of a run of points
                    run = begin
                    while run > start and classes[buffer[run - 1]] == _POINT:
                        run -= 1
                    digit_before = run > start and classes[buffer[run - 1]] == _DIGIT
                    alone = ((i - run) % 2 == 1) != digit_before
            else:
                alone = False
            while not alone:
                while i < end:
                    byte = buffer[i]
                    kind = classes[byte]
                    if kind > _DIGIT:
                        break
                    key = (key << np.uint64(8)) | np.uint64(byte)
                    i += 1
                if i == end or kind <= _PUNCTUATION:
                    break
                digit_before = classes[buffer[i - 1]] == _DIGIT
                if kind == _HYPHEN:
                    if digit_before:
                        break
                elif kind == _POINT:
                    # one point between two digits stays inside a number
                    if not (digit_before and i + 1 < end and classes[buffer[i + 1]] == _DIGIT):
                        break
                elif _space_width(buffer, i, end) > 0:
                    break
                key = (key << np.uint64(8)) | np.uint64(buffer[i])
                i += 1

            # a short token's key is its bytes and its length, and equal keys are equal tokens; a
            # long one's is a hash, which only says where to look: bytes decide
            size = i - begin
            if size > _SHORT:
                key = _long_key(buffer, begin, i)
            else:
                key |= np.uint64(size) << np.uint64(56)
            slot = _slot_of(key, capacity)
            while keys[slot] != 0 and not (
                keys[slot] == key
                and (
                    size <= _SHORT
                    or (
                        sizes[numbers[slot]] == size
                        and _same_bytes(buffer, first[numbers[slot]], begin, size)
                    )
                )
            ):
                slot = (slot + 1) & (capacity - 1)
            if keys[slot] == 0:
                keys[slot] = key
                numbers[slot] = n_distinct
                first[n_distinct] = begin
                sizes[n_distinct] = size
                n_distinct += 1
            number = numbers[slot]
            ids[n_tokens] = number
            n_tokens += 1
        s += 1
        offsets[s] = n_tokens
    return s, n_distinct


@compiled
def scan_strings(
    buffer: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Cut strings into tokens and number the distinct ones, in the order of first occurrence.

    Args:
        buffer: The bytes of all strings.
        starts: Where each string starts.
        ends: Where each string ends.
        classes: The class of each byte: a row of `CLASSES`.

    Returns:
        The numbers of all tokens; where each string's begin among them, with the end of the last;
        for each number, where its token first starts and how many bytes it has.
    """
    ids = np.empty(buffer.size, np.int32)
    first = np.empty(buffer.size, np.int64)
    sizes = np.empty(buffer.size, np.int64)
    offsets = np.zeros(starts.size + 1, np.int64)
    keys = np.zeros(1 << 12, np.uint64)
    numbers = np.empty(1 << 12, np.int32)
    s, n_distinct = 0, 0
    while s < starts.size:
        while 2 * (n_distinct + ends[s] - starts[s]) > keys.size:
            keys, numbers = _grown(keys, numbers)
        s, n_distinct = _scan_from(
            s, buffer, starts, ends, classes, ids, offsets, keys, numbers, first, sizes, n_distinct
        )
    n_tokens = offsets[starts.size]
    return ids[:n_tokens], offsets, first[:n_distinct].copy(), sizes[:n_distinct].copy()
