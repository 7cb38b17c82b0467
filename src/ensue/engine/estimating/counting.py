"""How many pairs there are in files that only reading them tells: a guess by how they begin."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from ensue.pairs.files import open_input, shown_name
from ensue.pairs.formats.model import Format, ignore
from ensue.pairs.opening.packing import MAGIC_SIZE, packing_of, unpacked
from ensue.pairs.parts import Survey, SurveyedFile
from ensue.pairs.reading import read_options
from ensue.registry import find

_PAIRS = 40_000
"""That are read, of all files together; about a second."""
_FILES = 8
"""Of those that cannot be counted, how many are begun."""
_BLOCK = 1 << 15


@dataclass(frozen=True, slots=True)
class Count:
    """How many pairs there are."""

    n_pairs: int
    is_exact: bool


def count_pairs(survey: Survey) -> Count:
    """Count the pairs where that is known, and where not, guess them by the beginnings of files.

    A file that is packed, or whose pairs cannot be told apart without reading it, is read for a
    while: what counts are its bytes as they lie there, which are known in all, for each pair.

    Raises:
        DataError: a file cannot be read as what it claims to be.
    """
    known = sum(file.rows or 0 for file in survey.files)
    others = [file for file in survey.files if file.rows is None]
    begun = {id(file): _begin(file, survey, len(others)) for file in _spread(others)}
    if not begun:
        return Count(known, is_exact=True)
    pairs = sum(each.n_pairs for each in begun.values())
    size = sum(each.n_bytes for each in begun.values())
    rate = pairs / size if size else 0.0
    guesses = [
        begun[id(file)].guess(file.size) if id(file) in begun else file.size * rate
        for file in others
    ]
    is_exact = len(begun) == len(others) and all(each.is_ended for each in begun.values())
    return Count(known + round(sum(guesses)), is_exact)


def _spread(files: Sequence[SurveyedFile]) -> list[SurveyedFile]:
    """Some of them, from all over."""
    n = min(_FILES, len(files))
    return [files[(2 * i + 1) * len(files) // (2 * n)] for i in range(n)]


@dataclass(frozen=True, slots=True)
class _Beginning:
    """What was read of a file."""

    n_pairs: int
    """Of which it is known from how many bytes they were made."""
    n_bytes: int
    """As they lie there."""
    n_read: int
    """Pairs, all of them."""
    is_ended: bool

    def guess(self, size: int) -> float:
        """How many pairs a file of so many bytes has."""
        if self.is_ended or not self.n_bytes:
            return self.n_read
        return max(self.n_read, size * self.n_pairs / self.n_bytes)


def _begin(file: SurveyedFile, survey: Survey, n_files: int) -> _Beginning:
    """Read a file until there are pairs enough, or to its end."""
    most = _PAIRS // min(_FILES, n_files)
    options, kind = read_options(survey.reading), cast(Format, find("format", file.format))
    name, n_read = shown_name(file.source), 0
    with open_input(file.source, unpack=False) as raw:
        packing = packing_of(raw.read(MAGIC_SIZE))
        raw.seek(0)
        metered = _Metered(raw)
        opened = cast(BinaryIO, io.BufferedReader(metered, _BLOCK))
        if packing is not None:
            opened = unpacked(opened, packing, name)
        for _ in kind.read(opened, name, options, ignore):
            n_read += 1
            metered.n_pairs = n_read
            if n_read >= most and metered.made[0]:
                return _Beginning(*metered.made, n_read, is_ended=False)
    return _Beginning(n_read, file.size, n_read, is_ended=True)


class _Metered(io.RawIOBase):
    """A file that knows how many pairs had been made of its bytes whenever more are asked for.

    Some bytes always wait between here and the pairs; from one time to another they are about as
    many, so what counts is what was made between two times.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._n_bytes = 0
        self._first: tuple[int, int] | None = None
        self._last = (0, 0)
        self.n_pairs = 0
        """Made so far; told from outside."""

    @property
    def made(self) -> tuple[int, int]:
        """Pairs, and the bytes of which they were made; zeros where nothing is known yet."""
        pairs, size = self._first or (0, 0)
        if self._last == self._first:
            pairs, size = 0, 0
        return self._last[0] - pairs, self._last[1] - size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.n_pairs > self._last[0]:  # else a block is being put together
            self._last = self.n_pairs, self._n_bytes
            self._first = self._first or self._last
        block = self._file.read(len(buffer))
        buffer[: len(block)] = block
        self._n_bytes += len(block)
        return len(block)
