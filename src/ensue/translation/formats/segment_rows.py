"""Segments as rows of JSONL, CSV or TSV.

A row is an output: `segment`, `system`, `output` and `reference` (also `reference2`, …, or in JSONL
a list `references`). A line of JSONL may also be a whole segment, with `outputs`: system → text.
`language_pair`, `source`, `judge`, and what people said (`score`, `adequacy`, `fluency`) may be
there. Rows of one segment need not stand together, so all of a file is held in memory: plain text,
a file a system, is for what is too large for that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ensue.errors import DataError
from ensue.files import Row, RowFormat, read_rows, shown_name
from ensue.pairs import Finding, Severity, dataset_name
from ensue.pairs.formats import OnFinding
from ensue.translation.formats.judgments import KINDS, assessments_of
from ensue.translation.formats.text_files import HeldContent, LanguagePairData
from ensue.translation.formats.wmt_judgments import FileJudgment
from ensue.translation.segments import Assessment, Segment

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
) -> tuple[list[LanguagePairData], list[FileJudgment]]:
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
    judged: list[FileJudgment] = []
    test_set, unknown = dataset_name(path), set[str]()
    for row in read_rows(path, format, encoding):
        unknown.update(set(row.values) - _KNOWN)
        pair = row.text("language_pair") or language_pair
        segment = row.needed("segment", _HINT)
        into = gathered.setdefault((pair, segment), _Gathered(row.place))
        _add_references(into, row, segment)
        _add_source(into, row, segment)
        found = list(_add_outputs(into, row, pair, segment))
        judged += [FileJudgment(each, test_set) for each in found]
    if not gathered:
        raise DataError("the file is empty", place=shown_name(path), hint=_HINT)
    _report_columns(unknown, shown_name(path), on_finding)
    return _parts(gathered, test_set, shown_name(path), on_finding), judged


def _add_references(into: _Gathered, row: Row, segment: str) -> None:
    references = _references(row)
    if references and into.references and references != into.references:
        raise DataError(
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
            raise DataError(f"'references' is no list of texts: {listed!r}", place=row.place)
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
        raise DataError(f"{column!r} is no text: {value!r}", place=row.place)
    return value


def _add_source(into: _Gathered, row: Row, segment: str) -> None:
    source = _written(row, "source")
    if source and into.source and source != into.source:
        raise DataError(
            f"segment {segment!r} has another source here than at {into.place}", place=row.place
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
        raise DataError("this row has no 'output'", place=row.place, hint=_HINT)
    assessments = list(assessments_of(row, pair, segment, system))
    _add_output(into, row, system, written, is_judged=bool(assessments))
    yield from assessments


def _texts(outputs: Any, row: Row) -> dict[str, str]:
    if not isinstance(outputs, Mapping) or not all(isinstance(v, str) for v in outputs.values()):
        raise DataError(
            f"'outputs' is no object of texts: {outputs!r}",
            place=row.place,
            hint='"outputs": {"SYSTEM": "what it wrote"}',
        )
    return dict(outputs)


def _add_output(into: _Gathered, row: Row, system: str, text: str, *, is_judged: bool) -> None:
    """Take an output; a second time only with another judgment of the same text."""
    if system in into.outputs and (into.outputs[system] != text or not is_judged):
        raise DataError(
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
            raise DataError(f"segment {id_!r} has no reference", place=each.place, hint=_HINT)
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
