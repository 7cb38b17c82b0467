"""What a format is, what its readers share, and byte positions in text files of pairs."""

from __future__ import annotations

import io
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import BinaryIO, Protocol, TypeVar, cast

from ensue.files import (
    BlockFile,
    Finding,
    OnFinding as OnFinding,
    Severity,
    ignore_finding as ignore_finding,
    known_codec,
    marked_encoding,
    open_input,
)
from ensue.pairs.model import Label, LabelMapper, Pair

# What a format is, and what its readers share: options, parts, findings, the cleaning of text.

LocatedPairs = Iterator[tuple[int, Pair]]
"""Pairs with the line (or row) at which each begins."""

FIELDS = ("id", "text", "hypothesis", "gold", "task")
"""The fields of a pair that a column can hold."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the user says about a file."""

    columns: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Field of a pair → column of the file, where it has columns."""
    labels: Mapping[str, Label | None] = field(default_factory=dict, hash=False)
    """What labels mean, beside or instead of what the format says."""
    encoding: str | None = None
    """Overrides what the file says of itself."""
    id_prefix: str = ""
    """What goes before the number that is the id of a pair without one."""
    needs_gold: bool = True
    """Whether a label that is not understood is an error; else it is a finding, and no gold."""


@dataclass(frozen=True, slots=True)
class FilePart:
    """Consecutive pairs of one file, which are read without the rest of it."""

    source: str
    """File or URL."""
    format: str
    """The name of its format."""
    start: int
    """The byte (of text) or the row at which reading begins, from 0."""
    stop: int
    """The byte or the row before which it ends."""
    first: int
    """The number of the line or the row at `start`, from 1."""
    number: int
    """How many pairs of the file come before this part."""
    rows: int
    """How many pairs are in it."""
    group: int = 0
    """Parts of one source and group are cheap to read one after the other."""
    skip: int = 0
    """Pairs after `start` that belong to the part before."""
    left: int = 0
    """Pairs before `stop` that belong to the part after."""
    id_prefix: str = ""
    """As in `ReadOptions`."""


class Cuts(Protocol):
    """Where a file can be cut into parts."""

    @property
    def rows(self) -> int:
        """How many pairs the file has."""

    def parts(self, whole: FilePart, begin: int, end: int) -> Iterator[FilePart]:
        """The parts that hold the pairs from the one with number `begin`, from 0, up to `end`.

        Args:
            whole: The part that is the whole file.
            begin: How many pairs come before them.
            end: How many pairs of the file come before or are among them.
        """


@dataclass(frozen=True, slots=True)
class Cutting:
    """How the files of a format are read in parts, by several processes and in any order."""

    survey: Callable[[BinaryIO, str, ReadOptions, int], Cuts | None]
    """Find out where an open file can be cut; None where it has to be read in one piece.

    The third argument is every how many pairs a place is remembered, for what has none of itself.
    """
    read: Callable[[FilePart, ReadOptions, OnFinding], LocatedPairs]
    """Open the file of a part and read it; all parts in order give what `Format.read` gives."""


@dataclass(frozen=True, slots=True)
class Format:
    """One file format: how it is recognized, read and written."""

    name: str
    summary: str
    """One line."""
    suffixes: tuple[str, ...]
    """Ends of file names, with the dot, that this format goes by."""
    sniff: Callable[[bytes], bool]
    """Whether a file that begins with these bytes may be in this format."""
    read: Callable[[BinaryIO, str, ReadOptions, OnFinding], LocatedPairs]
    """The pairs of an open file; the name is for messages."""
    write: Callable[[Iterable[Pair], BinaryIO], None] | None = None
    """Write pairs to an open file; None where the format is only read."""
    has_columns: bool = False
    """Whether `ReadOptions.columns` means something."""
    may_be_empty: bool = False
    """Whether a file of no bytes is a data set of no pairs."""
    cutting: Cutting | None = None
    """How files are read in parts; None where they are read in one piece only."""


def warning(code: str, message: str, place: str, *pair_ids: str) -> Finding:
    """A finding that a reader reports."""
    return Finding(code, Severity.WARNING, message, place=place, pair_ids=pair_ids)


def report_no_pairs(name: str, on_finding: OnFinding) -> None:
    """Report a file without pairs."""
    on_finding(warning("no-pairs", "there are no pairs in this file", name))


def report_blanks(pair: Pair, place: str, on_finding: OnFinding) -> None:
    """Report a text or a hypothesis that says nothing."""
    for side, text in (("text", pair.text), ("hypothesis", pair.hypothesis)):
        if not text or text.isspace():
            message = f"the {side} of pair {pair.id!r} is empty"
            on_finding(warning(f"empty-{side}", message, place, pair.id))


def report_no_gold(label: str, pair_id: str, place: str, on_finding: OnFinding) -> None:
    """Report a label that stands for "no gold"."""
    message = f"label {label!r} gives pair {pair_id!r} no gold"
    on_finding(warning("no-gold", message, place, pair_id))


def report_unknown_labels(mapper: LabelMapper, name: str, on_finding: OnFinding) -> None:
    """Report the labels of a file that are not understood, once, where they are not needed."""
    if mapper.unknown:
        shown = ", ".join(map(repr, mapper.unknown))
        message = (
            f"labels are not understood, and give no gold: {shown}; {mapper.hint(mapper.unknown)}"
        )
        on_finding(warning("unknown-labels", message, name))
        mapper.unknown.clear()


def cleaned_text(text: str) -> str:
    r"""Text from markup: no blanks around it, each line break with its blanks one space.

    >>> cleaned_text("\n  It rained\n  all day. ")
    'It rained all day.'
    """
    return re.sub(r"\s*[\r\n]\s*", " ", text.strip())


# Cutting text: the places of every so many-th pair, and reading from one place to another.

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

    def parts(self, whole: FilePart, begin: int, end: int) -> Iterator[FilePart]:
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
def open_part(part: FilePart, encoding: str | None) -> Iterator[tuple[BinaryIO, str]]:
    """The bytes of a part of a file, and the encoding of the file."""
    with open_input(part.source, unpack=False) as file:
        encoding = encoding or marked_encoding(file.read(4)) or "utf-8"
        yield span(file, part.start, part.stop), encoding


def span(file: BinaryIO, start: int, stop: int) -> BinaryIO:
    """A file that holds the bytes from one place of another file to another place."""
    file.seek(start)
    return cast(BinaryIO, io.BufferedReader(_Span(file, stop - start), 1 << 16))


class _Span(BlockFile):
    """So many bytes of a file, from where it stands."""

    def __init__(self, file: BinaryIO, n_bytes: int) -> None:
        self._file = file
        self._left = n_bytes

    def block(self, size: int) -> bytes:
        """The next of them."""
        block = self._file.read(min(size, self._left))
        self._left -= len(block)
        return block


def limited(records: Iterable[T], part: FilePart | None) -> Iterator[T]:
    """The records that belong to a part, out of those between its places."""
    if part is None:
        return iter(records)
    return islice(records, part.skip, part.skip + part.rows if part.left else None)
