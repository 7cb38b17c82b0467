"""Cutting text: the places of every so many-th pair, and reading from one place to another."""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, BinaryIO, TypeVar, cast

from ensue.pairs.files import known_codec, marked_encoding, open_input
from ensue.pairs.formats.model import Part

T = TypeVar("T")

_PLAIN = ("ascii", "cp125", "iso8859", "koi8", "utf-8")
"""Encodings in which every byte below 128 is the ASCII character that it looks like."""


@dataclass(frozen=True, slots=True, eq=False)
class TextCuts:
    """Where a file of lines can be cut: before every `grid`-th pair, and with some skipping anywhere."""

    grid: int
    rows: int
    """How many pairs the file has."""
    size: int
    """How many bytes."""
    offsets: array[int]
    """The byte after every `grid`-th pair, and before the first one."""
    lines: array[int]
    """The number of the line that begins there."""

    def parts(self, whole: Part, begin: int, end: int) -> Iterator[Part]:
        """The one part from pair `begin` to pair `end`; see `Cuts`."""
        low, high = begin // self.grid, -(-end // self.grid)
        # what follows the last pair belongs to it: there may be something broken in it
        is_last = end == self.rows or high >= len(self.offsets)
        yield replace(
            whole,
            start=self.offsets[low],
            stop=self.size if is_last else self.offsets[high],
            first=self.lines[low],
            number=begin,
            rows=end - begin,
            skip=begin - low * self.grid,
            left=min(high * self.grid, self.rows) - end,
        )


class Marks:
    """Notes the places of every so many-th pair while a file goes by."""

    def __init__(self, grid: int) -> None:
        self.line = 1
        """The number of the line that comes next."""
        self._grid = grid
        self._rows = 0
        self._offset = 0
        self._offsets = array("q")
        self._lines = array("q")

    def begin(self) -> None:
        """Note that pairs begin here."""
        self._offsets.append(self._offset)
        self._lines.append(self.line)

    def add(self, n_bytes: int, n_lines: int, is_pair: bool) -> None:
        """Note that there were so many bytes and lines, and whether they are a pair."""
        self._offset += n_bytes
        self.line += n_lines
        if is_pair:
            self._rows += 1
            if self._rows % self._grid == 0:
                self.begin()

    def cuts(self) -> TextCuts:
        """Where the file can be cut, now that all of it has gone by."""
        if not self._offsets:
            self._offsets.append(0)
            self._lines.append(1)
        return TextCuts(self._grid, self._rows, self._offset, self._offsets, self._lines)


def plain_encoding(encoding: str | None, head: bytes) -> str | None:
    """The encoding of a file that begins so; None where its bytes cannot be told by themselves."""
    name = known_codec(encoding or marked_encoding(head) or "utf-8").name
    return name if name.startswith(_PLAIN) and name != "utf-8-sig" else None


@contextmanager
def open_part(part: Part, encoding: str | None) -> Iterator[tuple[BinaryIO, str]]:
    """The bytes of a part of a file, and the encoding of the file."""
    with open_input(part.source, unpack=False) as file:
        encoding = encoding or marked_encoding(file.read(4)) or "utf-8"
        yield span(file, part.start, part.stop), encoding


def span(file: BinaryIO, start: int, stop: int) -> BinaryIO:
    """A file that holds the bytes from one place of another file to another place."""
    file.seek(start)
    return cast(BinaryIO, io.BufferedReader(_Span(file, stop - start), 1 << 16))


class _Span(io.RawIOBase):
    """So many bytes of a file, from where it stands."""

    def __init__(self, file: BinaryIO, n_bytes: int) -> None:
        self._file = file
        self._left = n_bytes

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._file.read(min(len(buffer), self._left))
        self._left -= len(block)
        buffer[: len(block)] = block
        return len(block)


def limited(records: Iterable[T], part: Part | None) -> Iterator[T]:
    """The records that belong to a part, out of those between its places."""
    if part is None:
        return iter(records)
    return islice(records, part.skip, part.skip + part.rows if part.left else None)
