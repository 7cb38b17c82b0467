"""Segment files, one text a line or `<seg>`, and the language-pair data they make up."""

from __future__ import annotations

import html
import re
from collections.abc import Generator, Hashable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from ensue.errors import DataError
from ensue.files import STANDARD, decoded_lines, open_input, shown_name
from ensue.pairs.formats import cleaned_text
from ensue.translation.segments import Segment

# Segments from files with one text a line, or one `<seg>` after the other.

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
class SegmentCount:
    """How much is in a file of segments."""

    n_segments: int
    n_empty: int
    """Texts that say nothing."""
    first_empty: int | None
    """The line of the first of them."""


def segment_count(file: SegmentFile) -> SegmentCount:
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
    return SegmentCount(n_segments, empty, first_empty)


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
            yield begun, cleaned_text(html.unescape("\n".join(pending)))
            begun, rest = None, rest[mark.end() :]
            pending.clear()
    if begun is not None:
        _refuse_open(name, begun)


def _refuse_open(name: str, line: int) -> None:
    raise DataError(
        "this <seg> is not closed", place=f"{name}:{line}", hint="a segment ends in </seg>"
    )


# The parts of a translation set: what systems wrote for one language pair of one test set.


class Content(Protocol):
    """Where the segments of a part come from; they can be asked for again and again."""

    @property
    def n_segments(self) -> int:
        """How many there are."""

    @property
    def references_from(self) -> Hashable:
        """Equal for two parts that have the same references."""

    def has(self, segment: str) -> bool:
        """Whether there is a segment of that id."""

    def segments(self) -> Iterator[Segment]:
        """All of them, in order."""

    def references(self) -> Iterator[tuple[str, ...]]:
        """The references alone, in the order of the segments."""


@dataclass(frozen=True, slots=True)
class LanguagePairData:
    """What systems wrote for one language pair of one test set."""

    test_set: str
    """Empty where nothing says it, as `language_pair`."""
    language_pair: str
    systems: tuple[str, ...]
    content: Content
    aliases: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What judgments may call a system, beside its own name → the system."""

    @property
    def called(self) -> str:
        """The part's name in messages."""
        return " ".join(filter(None, (self.test_set, self.language_pair))) or "the set"


@dataclass(frozen=True, slots=True)
class FileContent:
    """Segments from files that are read in lockstep: one segment is held at a time."""

    language_pair: str
    outputs: Mapping[str, SegmentFile]
    """By system."""
    reference_files: tuple[SegmentFile, ...]
    source_file: SegmentFile | None
    n_segments: int

    @property
    def references_from(self) -> Hashable:
        """The files themselves."""
        return self.reference_files

    def has(self, segment: str) -> bool:
        """Whether a number is that of a line."""
        return segment.isascii() and segment.isdigit() and 1 <= int(segment) <= self.n_segments

    def segments(self) -> Iterator[Segment]:
        """The lines side by side; a segment's id is the number of its line, from 1.

        Raises:
            DataError: a file has become shorter or longer since the set was opened.
        """
        n_references = len(self.reference_files)
        sources = (self.source_file,) if self.source_file else ()
        files = (*self.reference_files, *self.outputs.values(), *sources)
        for number, texts in enumerate(self._side_by_side(files), 1):
            outputs = texts[n_references : n_references + len(self.outputs)]
            yield Segment(
                self.language_pair,
                str(number),
                texts[:n_references],
                dict(zip(self.outputs, outputs, strict=True)),
                texts[-1] if sources else None,
            )

    def references(self) -> Iterator[tuple[str, ...]]:
        """The lines of the references side by side."""
        return self._side_by_side(self.reference_files)

    def _side_by_side(self, files: tuple[SegmentFile, ...]) -> Iterator[tuple[str, ...]]:
        n_read = 0
        with ExitStack() as stack:
            # closing: whoever stops early leaves no file open
            streams = [stack.enter_context(closing(file.located_texts())) for file in files]
            try:
                for located in zip(*streams, strict=True):
                    n_read += 1
                    yield tuple(text for _, text in located)
            except ValueError:
                n_read = -1
        if n_read != self.n_segments:
            raise DataError(
                "the files have changed while they were in use",
                place=files[0].path,
                hint="open the set again",
            )


@dataclass(frozen=True, slots=True)
class HeldContent:
    """Segments that are held in memory."""

    name: str
    """The file that they are from."""
    by_id: Mapping[str, Segment]

    @property
    def n_segments(self) -> int:
        """How many there are."""
        return len(self.by_id)

    @property
    def references_from(self) -> Hashable:
        """The references themselves: language pairs often share them."""
        return tuple(self.references())

    def has(self, segment: str) -> bool:
        """Whether there is a segment of that id."""
        return segment in self.by_id

    def segments(self) -> Iterator[Segment]:
        """In the order of their first rows."""
        return iter(self.by_id.values())

    def references(self) -> Iterator[tuple[str, ...]]:
        """In the same order."""
        return (segment.references for segment in self.by_id.values())
