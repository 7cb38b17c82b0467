"""Segments from files: one text a line, one `<seg>` after the other, or rows.

A row is an output: `segment`, `system`, `output` and `reference` (also `reference2`, …, or in JSONL
a list `references`). A line of JSONL may also be a whole segment, with `outputs`: system → text.
`language_pair`, `source`, `judge`, and what people said (`score`, `adequacy`, `fluency`) may be
there. Rows of one segment need not stand together, so all of a file is held in memory: plain text,
a file a system, is for what is too large for that.
"""

from __future__ import annotations

import html
import re
from collections.abc import Generator, Hashable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ensue.errors import DataError
from ensue.files import (
    STANDARD,
    Finding,
    OnFinding,
    Row,
    RowFormat,
    Severity,
    decoded_lines,
    open_input,
    read_rows,
    shown_name,
)
from ensue.pairs import dataset_name
from ensue.pairs.formats import cleaned_text
from ensue.translation.systems import Assessment, AssessmentKind, Segment

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
            "segments-plain-text-cannot",
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
        raise DataError("file-empty", "the file is empty", place=file.path, hint=hint)
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
        "seg-not-closed",
        "this <seg> is not closed",
        place=f"{name}:{line}",
        hint="a segment ends in </seg>",
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
                "files-changed-while-use",
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


# Segments as rows.

KINDS = {
    "score": AssessmentKind.DIRECT,
    "adequacy": AssessmentKind.ADEQUACY,
    "fluency": AssessmentKind.FLUENCY,
}
"""Column → what it says."""

_REFERENCE = re.compile(r"reference(\d*)")
_KNOWN = {
    *("segment", "system", "output", "outputs", "references"),
    *("language_pair", "source", "judge", "meta"),
    *KINDS,
}
_HINT = "a row has segment, system, output and reference"


@dataclass(slots=True)
class _Gathered:
    """What the rows of one segment have said so far."""

    place: str
    references: tuple[str, ...] = ()
    source: str | None = None
    outputs: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    """By system."""


def table_parts(
    path: str | Path,
    format: RowFormat,
    *,
    language_pair: str = "",
    encoding: str | None = None,
    on_finding: OnFinding,
) -> tuple[list[LanguagePairData], list[Assessment]]:
    """Read a file of segments: a part for each language pair, and what people said of the outputs.

    Args:
        path: The file; `-` is standard input.
        format: How its rows are written.
        language_pair: Of rows that have none.
        encoding: Overrides what the file says of itself.
        on_finding: Is told of columns that mean nothing here, and of empty references.

    Raises:
        DataError: a row is not as it has to be, or contradicts another; the place is `file:line`.
    """
    gathered: dict[tuple[str, str], _Gathered] = {}
    judged: list[Assessment] = []
    test_set, unknown = dataset_name(path), set[str]()
    for row in read_rows(path, format, encoding):
        unknown.update(set(row.values) - _KNOWN)
        pair = row.text("language_pair") or language_pair
        segment = row.needed("segment", _HINT)
        into = gathered.setdefault((pair, segment), _Gathered(row.place))
        _add_references(into, row, segment)
        _add_source(into, row, segment)
        judged += _add_outputs(into, row, pair, segment)
    if not gathered:
        raise DataError("file-empty", "the file is empty", place=shown_name(path), hint=_HINT)
    _report_columns(unknown, shown_name(path), on_finding)
    return _parts(gathered, test_set, shown_name(path), on_finding), judged


def _add_references(into: _Gathered, row: Row, segment: str) -> None:
    references = _references(row)
    if references and into.references and references != into.references:
        raise DataError(
            "segment-other-references-than",
            f"segment {segment!r} has other references here than at {into.place}",
            place=row.place,
            hint="all rows of a segment have the same references",
        )
    into.references = into.references or references


def _references(row: Row) -> tuple[str, ...]:
    """Those that are there; a first one that is empty counts, a later one is a cell left over."""
    listed = row.values.get("references")
    if listed is not None:
        if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
            raise DataError(
                "references-no-list-texts",
                f"'references' is no list of texts: {listed!r}",
                place=row.place,
            )
        return tuple(listed)
    numbered = sorted(
        (int(match[1] or 1), column)
        for column in row.values
        if (match := _REFERENCE.fullmatch(column))
    )
    texts = [_written(row, column) for _, column in numbered]
    first = [text for text in texts[:1] if text is not None]
    return (*first, *(text for text in texts[1:] if text))


def _written(row: Row, column: str) -> str | None:
    """A text as it is; None where there is none."""
    value = row.values.get(column)
    if value is not None and not isinstance(value, str):
        raise DataError("no-text", f"{column!r} is no text: {value!r}", place=row.place)
    return value


def _add_source(into: _Gathered, row: Row, segment: str) -> None:
    source = _written(row, "source")
    if source and into.source and source != into.source:
        raise DataError(
            "segment-another-source-than",
            f"segment {segment!r} has another source here than at {into.place}",
            place=row.place,
        )
    into.source = into.source or source


def _add_outputs(into: _Gathered, row: Row, pair: str, segment: str) -> Iterator[Assessment]:
    outputs = row.values.get("outputs")
    if outputs is not None:
        for system, text in _texts(outputs, row).items():
            _add_output(into, row, system, text, is_judged=False)
        return
    system, written = row.needed("system", _HINT), _written(row, "output")
    if written is None:
        raise DataError("row-no-output", "this row has no 'output'", place=row.place, hint=_HINT)
    assessments = list(assessments_of(row, pair, segment, system))
    _add_output(into, row, system, written, is_judged=bool(assessments))
    yield from assessments


def assessments_of(row: Row, pair: str, segment: str, system: str) -> Iterator[Assessment]:
    """The scores that people gave one output, by the columns of a row.

    Raises:
        DataError: one of them is no finite number.
    """
    for column, kind in KINDS.items():
        score = row.number(column)
        if score is not None:
            yield Assessment(pair, segment, system, row.text("judge"), kind, score, row.place)


def _texts(outputs: Any, row: Row) -> dict[str, str]:
    if not isinstance(outputs, Mapping) or not all(isinstance(v, str) for v in outputs.values()):
        raise DataError(
            "outputs-no-object-texts",
            f"'outputs' is no object of texts: {outputs!r}",
            place=row.place,
            hint='"outputs": {"SYSTEM": "what it wrote"}',
        )
    return dict(outputs)


def _add_output(into: _Gathered, row: Row, system: str, text: str, *, is_judged: bool) -> None:
    """Take an output; a second time only with another judgment of the same text."""
    if system in into.outputs and (into.outputs[system] != text or not is_judged):
        raise DataError(
            "system-second-output-first",
            f"system {system!r} has a second output here; the first is at {into.places[system]}",
            place=row.place,
            hint="one output for each segment and system; rows of several judges repeat it",
        )
    into.outputs[system] = text
    into.places.setdefault(system, row.place)


def _parts(
    gathered: Mapping[tuple[str, str], _Gathered], test_set: str, name: str, on_finding: OnFinding
) -> list[LanguagePairData]:
    by_pair: dict[str, dict[str, Segment]] = {}
    for (pair, id_), each in gathered.items():
        if not each.references:
            raise DataError(
                "segment-no-reference",
                f"segment {id_!r} has no reference",
                place=each.place,
                hint=_HINT,
            )
        if not any(text.strip() for text in each.references):
            message = f"segment {id_!r} has an empty reference"
            on_finding(Finding("empty-reference", Severity.WARNING, message, place=each.place))
        segment = Segment(pair, id_, each.references, each.outputs, each.source)
        by_pair.setdefault(pair, {})[id_] = segment
    return [
        LanguagePairData(test_set, pair, _systems(segments), HeldContent(name, segments))
        for pair, segments in by_pair.items()
    ]


def _systems(segments: Mapping[str, Segment]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(system for each in segments.values() for system in each.outputs))


def _report_columns(columns: set[str], name: str, on_finding: OnFinding) -> None:
    unknown = sorted(column for column in columns if not _REFERENCE.fullmatch(column))
    if unknown:
        message = f"columns that mean nothing here are left out: {', '.join(unknown)}"
        on_finding(Finding("unknown-column", Severity.NOTE, message, place=name))
