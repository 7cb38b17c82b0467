"""Rows of TSV, CSV and JSONL by column, many at a time; the format is seen where no name tells it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from ensue.errors import DataError
from ensue.pairs.files import STANDARD, decoded_lines, open_input, peeked, shown_name
from ensue.pairs.rows import RowFormat, delimited, row_format

CHUNK = 2_000
"""Rows that are turned into columns at once; few, so that they stay in the cache of the processor."""

_HEAD = 1 << 16
_OBJECT_HINT = 'a line is {"term": …, "paraphrase": …, …}'

Cells = Sequence[Any]
"""Of one column: texts, but in JSONL whatever the lines hold, None where a line lacks the name."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of a file, column by column."""

    name: str
    """Of the file, as messages show it."""
    header: str
    """Where the columns are named, `file:line`."""
    lines: Sequence[int]
    """Where each row begins."""
    columns: Mapping[str, Cells]

    def place(self, i: int) -> str:
        """Where the i-th row stands."""
        return f"{self.name}:{self.lines[i]}"


@contextmanager
def open_rows(path: str | Path) -> Iterator[tuple[BinaryIO, RowFormat]]:
    """Open a file of rows, and tell its format by the end of its name, or by its first line.

    Raises:
        DataError: it cannot be read, is empty, or shows none of the formats.
    """
    name = shown_name(path)
    with open_input(path) as file:
        head, rejoined = peeked(file, _HEAD)
        if not head.replace(b"\0", b"").strip(b"\xef\xbb\xff\xfe\xbf \t\r\n"):
            raise DataError(
                "the file is empty", place=name, hint="the first line names the columns"
            )
        known = None if str(path) == STANDARD else row_format(path)
        yield rejoined, known or _seen_format(head, name)


def _seen_format(head: bytes, name: str) -> RowFormat:
    """The format that the first line shows; bytes of UTF-16 are passed over."""
    marks = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \r\n")
    first = marks.partition(b"\n")[0]
    if first.startswith(b"{"):
        return RowFormat.JSONL
    if b"\t" in first:
        return RowFormat.TSV
    if b"," in first:
        return RowFormat.CSV
    raise DataError(
        f"neither TSV nor CSV nor JSONL: {first[:60].decode('utf-8', 'replace')!r}",
        place=f"{name}:1",
        hint="the first line names the columns, with tabs or commas between them",
    )


def chunks(path: str | Path, encoding: str | None = None, size: int = CHUNK) -> Iterator[Chunk]:
    """Yield the rows of a file, some at a time; empty lines are passed over.

    Args:
        path: A file, gzip or not, or `-`.
        encoding: By its byte-order mark where it is None, else UTF-8.
        size: How many rows at a time.

    Raises:
        DataError: the file cannot be read as what it claims to be; the place is `file:line`.
    """
    name = shown_name(path)
    with open_rows(path) as (file, format):
        if format is RowFormat.JSONL:
            yield from object_chunks(file, name, encoding, size)
        else:
            rows = delimited(file, name, format, encoding)
            yield from table_chunks(rows, name, format, size)


def table_chunks(
    rows: Iterator[tuple[int, list[str]]], name: str, format: RowFormat, size: int = CHUNK
) -> Iterator[Chunk]:
    """Yield the rows of a table; the first names the columns.

    Raises:
        DataError: there is no header, or a row has not as many cells as it.
    """
    line, cells = next(rows)
    header = _checked_header(cells, f"{name}:{line}", format)
    whole = _whole_rows(rows, len(header), name)
    while batch := list(islice(whole, size)):
        lines, by_row = zip(*batch, strict=True)
        by_column = zip(*by_row, strict=True)
        columns = dict(zip(header, by_column, strict=True))
        yield Chunk(name, f"{name}:{line}", lines, columns)


def object_chunks(
    file: BinaryIO, name: str, encoding: str | None, size: int = CHUNK
) -> Iterator[Chunk]:
    """Yield the lines of JSONL, with labels of judges as columns `NAME.strict`, `NAME.lenient`.

    Raises:
        DataError: a line is no object.
    """
    records = _objects(file, name, encoding)
    while batch := list(islice(records, size)):
        lines = [line for line, _ in batch]
        flat = [_flattened(record, f"{name}:{line}") for line, record in batch]
        names = dict.fromkeys(column for record in flat for column in record)
        columns = {column: [record.get(column) for record in flat] for column in names}
        yield Chunk(name, f"{name}:{lines[0]}", lines, columns)


def _flattened(record: dict[str, Any], place: str) -> dict[str, Any]:
    """A record with `{"labels": {"NAME": {"strict": …}}}` as columns `NAME.strict`."""
    labels = record.pop("labels", None)
    if labels is None:
        return record
    if not isinstance(labels, dict) or not all(isinstance(each, dict) for each in labels.values()):
        raise DataError(
            f"'labels' are no labels: {labels!r}",
            place=place,
            hint='e.g. "labels": {"NAME": {"strict": true, "lenient": true}}',
        )
    said = {f"{judge}.{key}": value for judge in labels for key, value in labels[judge].items()}
    doubled = next((column for column in said if column in record), None)
    if doubled:
        raise DataError(f"{doubled!r} is there twice", place=place)
    return record | said


def _objects(
    file: BinaryIO, name: str, encoding: str | None
) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in decoded_lines(file, name, encoding):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", str(error))
            raise DataError(
                f"not JSON: {reason}", place=f"{name}:{number}", hint=_OBJECT_HINT
            ) from None
        if not isinstance(record, dict):
            raise DataError(
                f"not an object: {line[:60]!r}", place=f"{name}:{number}", hint=_OBJECT_HINT
            )
        yield number, record


def _checked_header(cells: Iterable[str], place: str, format: RowFormat) -> list[str]:
    """The names of the columns, no two of which are equal."""
    header = [cell.strip() for cell in cells]
    other = RowFormat.CSV if format is RowFormat.TSV else RowFormat.TSV
    mark = "," if other is RowFormat.CSV else "\t"
    if len(header) == 1 and mark in header[0]:
        raise DataError(
            f"one column only: {header[0][:60]!r}",
            place=place,
            hint=f"is it {other.upper()}? then let its name end in .{other}",
        )
    doubled = next((column for column in header if column and header.count(column) > 1), None)
    if doubled:
        raise DataError(f"two columns are called {doubled!r}", place=place)
    return header


def _whole_rows(
    rows: Iterator[tuple[int, list[str]]], n_columns: int, name: str
) -> Iterator[tuple[int, list[str]]]:
    """Rows with as many cells as the header has."""
    for line, cells in rows:
        if len(cells) != n_columns:
            raise DataError(
                f"{len(cells)} fields in this row, {n_columns} in the header",
                place=f"{name}:{line}",
                hint="is a separator missing, or one too many?",
            )
        yield line, cells
