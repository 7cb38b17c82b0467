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
from ensue.surface.interning import mixed

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

_EXACT = 15
"""Bytes of the longest token that is its own key."""
_TAIL = 8
_SIZE_SHIFT = np.uint64(56)
_LONG_MARK = np.uint64(0xFF << 56)
_BYTE = np.uint64(8)

Bytes = NDArray[np.uint8]
Keys = NDArray[np.uint64]
Ids = NDArray[np.int32]
Indices = NDArray[np.int64]


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
def _head(buffer: Bytes, begin: int, size: int) -> np.uint64:
    """What a token's key has beside its last eight bytes: those before them, and its size."""
    value = np.uint64(0)
    if size <= _EXACT:
        for i in range(begin, begin + size - _TAIL):
            value = (value << _BYTE) | np.uint64(buffer[i])
        return value | (np.uint64(size) << _SIZE_SHIFT)
    for i in range(begin, begin + size - _TAIL):
        value = mixed(value, np.uint64(buffer[i]))
    return value | _LONG_MARK


@inlined
def _same_bytes(buffer: Bytes, a: int, b: int, length: int) -> bool:
    for i in range(length):  # noqa: SIM110 - numba compiles loops, not generators
        if buffer[a + i] != buffer[b + i]:
            return False
    return True


@inlined
def _first_slot(head: np.uint64, tail: np.uint64, mask: int) -> int:
    return np.int64(mixed(mixed(np.uint64(0), head), tail)) & mask  # type: ignore[return-value]


@compiled
def _grown(keys: Keys, numbers: Ids) -> tuple[Keys, Ids]:
    """A table of four times the size with the same entries."""
    mask = 4 * numbers.size - 1
    grown_keys = np.zeros((mask + 1, 2), np.uint64)
    grown_numbers = np.empty(mask + 1, np.int32)
    for i in range(numbers.size):
        if keys[i, 0] != 0:
            slot = _first_slot(keys[i, 0], keys[i, 1], mask)
            while grown_keys[slot, 0] != 0:
                slot = (slot + 1) & mask
            grown_keys[slot, 0], grown_keys[slot, 1] = keys[i, 0], keys[i, 1]
            grown_numbers[slot] = numbers[i]
    return grown_keys, grown_numbers


@compiled
def _scan_from(
    s: int,
    at: int,
    n_tokens: int,
    buffer: Bytes,
    ends: Indices,
    classes: Bytes,
    ids: Ids,
    offsets: Indices,
    keys: Keys,
    numbers: Ids,
    first: Indices,
    sizes: Indices,
    n_distinct: int,
) -> tuple[int, int, int, int]:
    """Scan from byte `at` of the s-th string on, to the end or until the table is half full.

    One long function on purpose: cut into small ones it takes 1.4 times as long. No array is
    reassigned in it, which keeps the loop in registers.

    Returns:
        Where to go on: string, byte, how many tokens there are, and how many are distinct.
    """
    mask = numbers.size - 1
    most = numbers.size >> 1
    start = ends[s - 1] + 1 if s > 0 else 0
    i = at
    while s < ends.size:
        end = ends[s]
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
            tail = np.uint64(buffer[i])
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
                    tail = (tail << _BYTE) | np.uint64(byte)
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
                tail = (tail << _BYTE) | np.uint64(buffer[i])
                i += 1

            # a token's key is its bytes and its size, and equal keys are equal tokens; a long
            # one's is in part a hash, which only says where to look: bytes decide
            size = i - begin
            head = _head(buffer, begin, size)
            slot = _first_slot(head, tail, mask)
            while keys[slot, 0] != 0 and not (
                keys[slot, 0] == head
                and keys[slot, 1] == tail
                and (
                    size <= _EXACT
                    or (
                        sizes[numbers[slot]] == size
                        and _same_bytes(buffer, first[numbers[slot]], begin, size)
                    )
                )
            ):
                slot = (slot + 1) & mask
            if keys[slot, 0] == 0:
                if n_distinct == most:
                    return s, begin, n_tokens, n_distinct
                keys[slot, 0], keys[slot, 1] = head, tail
                numbers[slot] = n_distinct
                first[n_distinct] = begin
                sizes[n_distinct] = size
                n_distinct += 1
            number = numbers[slot]
            ids[n_tokens] = number
            n_tokens += 1
        s += 1
        i = start = end + 1
        offsets[s] = n_tokens
    return s, i, n_tokens, n_distinct


@compiled
def string_ends(buffer: Bytes, n_strings: int) -> tuple[Indices, int]:
    """Where strings with a zero between them end, and how many zeros there are.

    If these are not one less than strings, the ends are of no use.
    """
    ends = np.empty(max(n_strings, 1), np.int64)
    n_zeros = 0
    for i in range(buffer.size):
        # written at every byte: three times as fast as asking at each whether it is a zero
        ends[min(n_zeros, n_strings - 1)] = i
        n_zeros += buffer[i] == 0
    ends[n_strings - 1] = buffer.size
    return ends[:n_strings], n_zeros


@compiled
def scan_strings(
    buffer: Bytes, ends: Indices, classes: Bytes
) -> tuple[Ids, Indices, Indices, Indices]:
    """Cut strings into tokens and number the distinct ones, in the order of first occurrence.

    Args:
        buffer: The bytes of all strings, one byte between them.
        ends: Where each string ends.
        classes: The class of each byte: a row of `CLASSES`.

    Returns:
        The numbers of all tokens; where each string's begin among them, with the end of the last;
        for each number, where its token first starts and how many bytes it has.
    """
    ids = np.empty(buffer.size, np.int32)  # of which only what is written takes memory
    first = np.empty(buffer.size, np.int64)
    sizes = np.empty(buffer.size, np.int64)
    offsets = np.zeros(ends.size + 1, np.int64)
    keys = np.zeros((1 << 12, 2), np.uint64)
    numbers = np.empty(1 << 12, np.int32)
    s, at, n_tokens, n_distinct = 0, 0, 0, 0
    while s < ends.size:
        if 2 * n_distinct == numbers.size:
            keys, numbers = _grown(keys, numbers)
        s, at, n_tokens, n_distinct = _scan_from(
            s,
            at,
            n_tokens,
            buffer,
            ends,
            classes,
            ids,
            offsets,
            keys,
            numbers,
            first,
            sizes,
            n_distinct,
        )
    return ids[:n_tokens], offsets, first[:n_distinct].copy(), sizes[:n_distinct].copy()
