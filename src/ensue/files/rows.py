"""Rows of JSONL, CSV and TSV with their places, and CSV and TSV as cells.

CSV is quoted as RFC 4180 has it, TSV is not quoted at all, as everywhere in this project.
"""

from __future__ import annotations

import codecs
import csv
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ensue.errors import DataError
from ensue.files.inputs import decoded_lines, open_input, shown_name, unpacked_name

if TYPE_CHECKING:
    from _csv import Reader

# CSV and TSV as rows of cells, read as text or gone over as bytes.

_LARGEST_FIELD = 1 << 30
_DELIMITERS = {",": "csv", "\t": "tsv"}


@dataclass(frozen=True, slots=True)
class HeaderRow:
    """The row that names the columns."""

    columns: list[str]
    place: str
    """`file:line`."""

    @classmethod
    def of(cls, cells: list[str], place: str, delimiter: str) -> HeaderRow:
        """The header with these cells.

        Raises:
            DataError: it looks as if the delimiter were another one.
        """
        columns = [column.strip() for column in cells]
        _check_delimiter(columns, place, delimiter)
        return cls(columns, place)


def read_header(rows: Iterator[tuple[int, list[str]]], name: str, delimiter: str) -> HeaderRow:
    """The first of a file's rows as its header.

    Raises:
        DataError: there is no row, or another delimiter.
    """
    first = next(rows, None)
    if first is None:
        raise DataError("the file is empty", place=name, hint="the first line names the columns")
    return HeaderRow.of(first[1], f"{name}:{first[0]}", delimiter)


def delimited_rows(
    file: BinaryIO, name: str, encoding: str | None, delimiter: str, *, first: int = 1
) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that has any, with the line at which it begins.

    Args:
        file: What is read, from where it stands.
        name: What it is called in messages.
        encoding: Overrides what the file says of itself.
        delimiter: What stands between cells.
        first: The number of the line at which the file stands.

    Raises:
        DataError: a row is broken.
    """
    decoded = decoded_lines(file, name, encoding, keep_ends=True, first=first)
    reader = _reader_of((line for _, line in decoded), delimiter)
    while True:
        begin = first + reader.line_num
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise DataError(
                f"broken row: {error}",
                place=f"{name}:{begin}",
                hint="is a quotation mark not closed?",
            ) from None
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield begin, row


def raw_rows(
    file: BinaryIO, delimiter: str, *, has_mark: bool
) -> Iterator[tuple[list[str] | None, int, int]]:
    """The cells of each row, empty or not, and how many bytes and lines it takes.

    Cells hold a character for each byte; a row that is broken has none.

    Args:
        file: What is read, in an encoding that has ASCII in it.
        delimiter: What stands between cells.
        has_mark: Whether the file may begin with UTF-8's byte-order mark.
    """
    n_bytes, last_bytes, last_lines = 0, 0, 0

    def lines() -> Iterator[str]:
        nonlocal n_bytes
        for line in file:
            is_first, n_bytes = n_bytes == 0, n_bytes + len(line)
            if is_first and has_mark:
                line = line.removeprefix(codecs.BOM_UTF8)
            yield line.decode("latin-1")

    reader = _reader_of(lines(), delimiter)
    while True:
        cells: list[str] | None
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            cells = None
        yield cells, n_bytes - last_bytes, reader.line_num - last_lines
        last_bytes, last_lines = n_bytes, reader.line_num


def is_filled(cells: list[str], encoding: str) -> bool:
    """Whether a row of `raw_rows` has anything in it but blanks."""
    joined = "".join(cells)
    filled = joined.strip()
    if filled and filled[0] > "\x7f":  # it may still be a blank, of more than one byte
        return bool(joined.encode("latin-1").decode(encoding, "replace").strip())
    return bool(filled)


def _reader_of(lines: Iterable[str], delimiter: str) -> Reader:
    csv.field_size_limit(_LARGEST_FIELD)
    if delimiter == "\t":
        return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=True)
    return csv.reader(lines, delimiter=delimiter, strict=True)


def _check_delimiter(header: list[str], place: str, delimiter: str) -> None:
    other = next(mark for mark in _DELIMITERS if mark != delimiter)
    if len(header) == 1 and other in header[0]:
        raise DataError(
            f"one column only: {header[0][:60]!r}",
            place=place,
            hint=f"is it {_DELIMITERS[other].upper()}? then --read format={_DELIMITERS[other]}",
        )


# Rows of JSONL, CSV and TSV with their places, for whatever they are about.


class RowFormat(StrEnum):
    """How rows are written."""

    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"


_ENDS = {
    ".jsonl": RowFormat.JSONL,
    ".ndjson": RowFormat.JSONL,
    ".json": RowFormat.JSONL,
    ".csv": RowFormat.CSV,
    ".tsv": RowFormat.TSV,
    ".tab": RowFormat.TSV,
}


@dataclass(frozen=True, slots=True)
class Row:
    """One row, or one line of JSON."""

    place: str
    """`file:line`."""
    values: Mapping[str, Any]
    """By column; texts, but in JSONL whatever the line holds."""

    def text(self, column: str) -> str:
        """A text, without blanks around it; empty where there is none.

        Raises:
            DataError: it is neither a text nor a number.
        """
        value = self.values.get(column)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise DataError(f"{column!r} is no text: {value!r}", place=self.place)
        return str(value).strip()

    def needed(self, column: str, hint: str | None = None) -> str:
        """A text that has to be there.

        Raises:
            DataError: it is not.
        """
        text = self.text(column)
        if not text:
            raise DataError(f"this row has no {column!r}", place=self.place, hint=hint)
        return text

    def number(self, column: str) -> float | None:
        """A finite number; None where the cell is empty.

        Raises:
            DataError: it is no finite number.
        """
        text = self.text(column)
        return finite(text, column, self.place) if text else None


def finite(text: str, what: str, place: str) -> float:
    """A text as a finite number.

    Raises:
        DataError: it is none.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DataError(f"the {what} is no finite number: {text!r}", place=place)
    return value


def row_format(path: str | Path) -> RowFormat | None:
    """The format of rows that a file is in by the end of its name; None where it is another.

    >>> row_format("segments.jsonl.gz"), row_format("newstest2012.cs-en.onlineA")
    (<RowFormat.JSONL: 'jsonl'>, None)
    """
    return _ENDS.get(unpacked_name(str(path).lower()).suffix)


def read_rows(path: str | Path, format: RowFormat, encoding: str | None = None) -> Iterator[Row]:
    """Yield the rows of a file, one at a time; empty lines are passed over.

    Raises:
        DataError: the file cannot be read as what it claims to be; the place is `file:line`.
    """
    name = shown_name(path)
    with open_input(path) as file:
        if format is RowFormat.JSONL:
            yield from _objects(file, name, encoding)
        else:
            yield from _table(file, name, format, encoding)


def _objects(file: BinaryIO, name: str, encoding: str | None) -> Iterator[Row]:
    for number, line in decoded_lines(file, name, encoding):
        if not line.strip():
            continue
        place = f"{name}:{number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", str(error))
            raise DataError(f"not JSON: {reason}", place=place) from None
        if not isinstance(record, dict):
            raise DataError(f"not an object: {line[:60]!r}", place=place)
        yield Row(place, record)


def _table(file: BinaryIO, name: str, format: RowFormat, encoding: str | None) -> Iterator[Row]:
    rows = delimited(file, name, format, encoding)
    first = next(rows, None)
    if first is None:
        raise DataError("the file is empty", place=name, hint="the first line names the columns")
    header = [column.strip() for column in first[1]]
    _check_header(header, f"{name}:{first[0]}")
    for line, cells in rows:
        if len(cells) != len(header):
            raise DataError(
                f"{len(cells)} fields in this row, {len(header)} in the header",
                place=f"{name}:{line}",
                hint="is a separator missing, or one too many?",
            )
        yield Row(f"{name}:{line}", dict(zip(header, cells, strict=True)))


def _check_header(header: list[str], place: str) -> None:
    doubled = next((column for column in header if column and header.count(column) > 1), None)
    if doubled:
        raise DataError(f"two columns are called {doubled!r}", place=place)


def delimited(
    file: BinaryIO, name: str, format: RowFormat, encoding: str | None
) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that has any, with the line at which it begins.

    Raises:
        DataError: a row is broken.
    """
    return delimited_rows(file, name, encoding, "\t" if format is RowFormat.TSV else ",")
