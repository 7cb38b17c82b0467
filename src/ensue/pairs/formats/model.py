"""What a format is, and what its readers share: options, findings, the cleaning of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

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


def ignore(finding: Finding) -> None:
    """Do nothing with a finding."""


def warning(code: str, message: str, place: str, *pair_ids: str) -> Finding:
    """A finding that a reader reports."""
    return Finding(code, Severity.WARNING, message, place=place, pair_ids=pair_ids)


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
