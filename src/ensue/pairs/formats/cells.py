"""CSV and TSV as rows of cells, read as text or gone over as bytes."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from ensue.errors import DataError
from ensue.pairs.files import decoded_lines

if TYPE_CHECKING:
    from _csv import Reader

_LARGEST_FIELD = 1 << 30
_DELIMITERS = {",": "csv", "\t": "tsv"}


@dataclass(frozen=True, slots=True)
class Header:
    """The row that names the columns."""

    columns: list[str]
    place: str
    """`file:line`."""

    @classmethod
    def of(cls, cells: list[str], place: str, delimiter: str) -> Header:
        """The header with these cells.

        Raises:
            DataError: it looks as if the delimiter were another one.
        """
        columns = [column.strip() for column in cells]
        _check_delimiter(columns, place, delimiter)
        return cls(columns, place)


def read_header(rows: Iterator[tuple[int, list[str]]], name: str, delimiter: str) -> Header:
    """The first of a file's rows as its header.

    Raises:
        DataError: there is no row, or another delimiter.
    """
    first = next(rows, None)
    if first is None:
        raise DataError("the file is empty", place=name, hint="the first line names the columns")
    return Header.of(first[1], f"{name}:{first[0]}", delimiter)


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
            hint=f"is it {_DELIMITERS[other].upper()}? then --input-format {_DELIMITERS[other]}",
        )
