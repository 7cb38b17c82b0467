"""Many strings as one array of token numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.surface.kernels.scan import CLASSES, scan_strings
from ensue.surface.tokenizers import Tokenizer

_SEPARATOR = b"\0"


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens of many strings; equal tokens have equal numbers."""

    ids: NDArray[np.int32]
    """The numbers of all tokens, string after string."""
    offsets: NDArray[np.int64]
    """Where each string's tokens begin in `ids`, with the end of the last."""
    n_distinct: int
    """How many different tokens there are; their numbers are 0 to n_distinct - 1."""
    _buffer: NDArray[np.uint8]
    _first_start: NDArray[np.int64]
    _first_size: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many tokens each string has."""
        return np.diff(self.offsets)

    def vocabulary(self) -> list[str]:
        """The distinct tokens, in the order of their numbers."""
        return [word.decode("utf-8", "surrogatepass") for word in self.encoded_vocabulary()]

    def encoded_vocabulary(self) -> list[bytes]:
        """The distinct tokens in UTF-8, for those who only compare them."""
        data = self._buffer.tobytes()
        ends = (self._first_start + self._first_size).tolist()
        return [data[i:j] for i, j in zip(self._first_start.tolist(), ends, strict=True)]

    def with_classes(self, classes: NDArray[np.int32]) -> NDArray[np.int32]:
        """The ids with each number replaced by its class, e.g. that of its stem."""
        return classes[self.ids]


def tokenize(strings: Sequence[str], tokenizer: Tokenizer, *, lowercase: bool = True) -> Tokens:
    """Cut strings into tokens and number the distinct ones."""
    buffer, starts, ends = _packed(strings, tokenizer, lowercase)
    ids, offsets, first_start, first_size = scan_strings(
        buffer, starts, ends, CLASSES[tokenizer.scan]
    )
    return Tokens(ids, offsets, first_start.size, buffer, first_start, first_size)


def tokenize_sides(
    test: Sequence[str], reference: Sequence[str], tokenizer: Tokenizer, *, lowercase: bool = True
) -> tuple[Tokens, NDArray[np.int64], NDArray[np.int64]]:
    """Cut both sides of many pairs, with the offsets of the test strings and of the references."""
    tokens = tokenize([*test, *reference], tokenizer, lowercase=lowercase)
    n = len(test)
    return tokens, tokens.offsets[: n + 1], tokens.offsets[n:]


def _packed(
    strings: Sequence[str], tokenizer: Tokenizer, lowercase: bool
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """All strings as one array of bytes, ready for the scanner, with the start and end of each."""
    rewrites = tokenizer.prepares_non_ascii
    pieces = [
        string.encode() if string.isascii() else _piece(string, tokenizer, lowercase, rewrites)
        for string in strings
    ]
    marked = _marked(pieces, tokenizer.marks)
    for i in marked:
        pieces[i] = _piece(strings[i], tokenizer, lowercase, True)
    data = _SEPARATOR.join(pieces)
    buffer = np.frombuffer(data.lower() if lowercase else data, np.uint8)
    return buffer, *_bounds(buffer, pieces)


def _marked(pieces: Sequence[bytes], marks: Sequence[str]) -> list[int]:
    """Which of the pieces have any of the marks in them."""
    data = _SEPARATOR.join(pieces)
    found: list[int] = []
    for mark in map(str.encode, marks):
        at = data.find(mark)
        while at >= 0:
            found.append(at)
            at = data.find(mark, at + 1)
    if not found:
        return []
    starts, _ = _bounds(np.frombuffer(data, np.uint8), pieces)
    marked: list[int] = np.unique(np.searchsorted(starts, found, "right") - 1).tolist()
    return marked


def _piece(string: str, tokenizer: Tokenizer, lowercase: bool, prepared: bool) -> bytes:
    """One string as UTF-8; what bytes.lower cannot do, other alphabets' capitals, is done here."""
    string = string.lower() if lowercase else string
    string = tokenizer.prepare(string) if prepared else string
    return string.encode("utf-8", "surrogatepass")


def _bounds(
    buffer: NDArray[np.uint8], pieces: Sequence[bytes]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    if not pieces:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    separators = np.flatnonzero(buffer == 0)
    if separators.size != len(pieces) - 1:  # a string has the separator in it
        sizes = np.fromiter(map(len, pieces), np.int64)
        separators = np.cumsum(sizes[:-1] + 1) - 1
    starts = np.concatenate([np.zeros(1, np.int64), separators + 1])
    return starts, np.append(separators, buffer.size)
