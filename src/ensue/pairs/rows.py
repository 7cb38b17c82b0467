"""Rows of JSONL, CSV and TSV with their places, for whatever they are about.

CSV is quoted as RFC 4180 has it, TSV is not quoted at all, as everywhere in this project.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, BinaryIO

from ensue.errors import DataError
from ensue.pairs.files import decoded_lines, open_input, shown_name
from ensue.pairs.formats.cells import delimited_rows
from ensue.pairs.opening.packing import unpacked_name


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
