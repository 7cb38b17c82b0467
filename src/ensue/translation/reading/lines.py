"""Segments from files with one text a line, or one `<seg>` after the other."""

from __future__ import annotations

import html
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from ensue.errors import DataError
from ensue.pairs.files import STANDARD, decoded_lines, open_input, shown_name
from ensue.pairs.formats.model import cleaned

_MARKUP_ENDS = (".sgm", ".sgml")
_BEGIN = re.compile(r"<seg\b[^>]*>", re.IGNORECASE)
_END = re.compile(r"</seg\s*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SegmentFile:
    """A file of segments, read anew whenever it is asked for them."""

    path: str
    encoding: str | None = None

    @property
    def is_markup(self) -> bool:
        """Whether it is WMT's SGML, by the end of its name."""
        return self.path.lower().removesuffix(".gz").endswith(_MARKUP_ENDS)

    def located_texts(self) -> Generator[tuple[int, str], None, None]:
        """Each text with the line at which it begins; nothing but the current one is held.

        Raises:
            DataError: the file cannot be read, or its markup is broken.
        """
        name = shown_name(self.path)
        with open_input(self.path) as file:
            lines = decoded_lines(file, name, self.encoding)
            yield from _marked_up(lines, name) if self.is_markup else lines

    def texts(self) -> Iterator[str]:
        """The texts alone."""
        return (text for _, text in self.located_texts())


@dataclass(frozen=True, slots=True)
class Counted:
    """How much is in a file of segments."""

    n_segments: int
    n_empty: int
    """Texts that say nothing."""
    first_empty: int | None
    """The line of the first of them."""


def counted(file: SegmentFile) -> Counted:
    """Read a file through and count its segments.

    Raises:
        DataError: there are none, or it cannot be read twice.
    """
    if file.path == STANDARD:
        raise DataError(
            "segments of plain text cannot come from standard input: they are read more than once",
            hint="write them to a file first, or send JSONL",
        )
    n_segments, empty = 0, 0
    first_empty = None
    for line, text in file.located_texts():
        n_segments += 1
        if not text.strip():
            empty += 1
            first_empty = first_empty or line
    if not n_segments:
        hint = "a segment is <seg id=…>text</seg>" if file.is_markup else "one segment a line"
        raise DataError("the file is empty", place=file.path, hint=hint)
    return Counted(n_segments, empty, first_empty)


def segment_file(path: str | Path, encoding: str | None = None) -> SegmentFile:
    """The file of segments at a path."""
    return SegmentFile(str(path), encoding)


def _marked_up(lines: Iterator[tuple[int, str]], name: str) -> Iterator[tuple[int, str]]:
    begun: int | None = None
    pending: list[str] = []
    for number, line in lines:
        rest = line
        while rest:
            if begun is None:
                mark = _BEGIN.search(rest)
                if mark is None:
                    break
                begun, rest = number, rest[mark.end() :]
            mark = _END.search(rest)
            inside = rest[: mark.start()] if mark else rest
            if _BEGIN.search(inside):
                _refuse_open(name, begun)
            pending.append(inside)
            if mark is None:
                break
            yield begun, cleaned(html.unescape("\n".join(pending)))
            begun, rest = None, rest[mark.end() :]
            pending.clear()
    if begun is not None:
        _refuse_open(name, begun)


def _refuse_open(name: str, line: int) -> None:
    raise DataError(
        "this <seg> is not closed", place=f"{name}:{line}", hint="a segment ends in </seg>"
    )
