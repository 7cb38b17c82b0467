"""The parts of a translation set: what systems wrote for one language pair of one test set."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Protocol

from ensue.errors import DataError
from ensue.translation.model import Segment
from ensue.translation.reading.lines import SegmentFile


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
class Part:
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
