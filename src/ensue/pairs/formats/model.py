"""What a format is, and what its readers share: options, parts, findings, the cleaning of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol

from ensue.pairs.labels import Label
from ensue.pairs.model import Finding, Pair, Severity

OnFinding = Callable[[Finding], None]
"""Is told of each problem in data that does not stop the reading."""

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


@dataclass(frozen=True, slots=True)
class Part:
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

    def parts(self, whole: Part, begin: int, end: int) -> Iterator[Part]:
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
    read: Callable[[Part, ReadOptions, OnFinding], LocatedPairs]
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


def ignore(finding: Finding) -> None:
    """Do nothing with a finding."""


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


def cleaned(text: str) -> str:
    r"""Text from markup: no blanks around it, each line break with its blanks one space.

    >>> cleaned("\n  It rained\n  all day. ")
    'It rained all day.'
    """
    return re.sub(r"\s*[\r\n]\s*", " ", text.strip())
