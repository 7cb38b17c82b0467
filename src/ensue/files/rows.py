"""Rows and columns of files in any of the formats of rows, with their places.

A cell of CSV and TSV is a text; in JSONL and Parquet numbers stand for what they print as, and
`null` for an empty cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, overload

from ensue.errors import DataError
from ensue.files.formats import (
    RowFormat,
    delimited_rows,
    open_parquet,
    parquet_columns,
    read_header,
    records,
    row_format,
    seekable,
    seen_format,
)
from ensue.files.inputs import (
    STANDARD,
    open_input,
    peeked_or_sought,
    shown_name,
)
from ensue.files.json_objects import first_line, json_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HEAD = 1 << 16


@contextmanager
def open_rows(
    path: str | Path, format: RowFormat | None = None
) -> Iterator[tuple[BinaryIO, RowFormat]]:
    """Open a file of rows in the format that is named, or that its name or its beginning shows.

    Raises:
        DataError: it cannot be read, is empty, or shows none of the formats.
    """
    name = shown_name(path)
    with open_input(path) as file:
        head, file = peeked_or_sought(file, _HEAD)
        if not head.replace(b"\0", b"").strip(b"\xef\xbb\xff\xfe\xbf \t\r\n"):
            raise DataError(
                "file-empty",
                "the file is empty",
                place=name,
                hint="the first line names the columns",
            )
        known = None if str(path) == STANDARD else row_format(path)
        found = format or known or seen_format(head)
        if found is None:
            first = first_line(head)[:60].decode("utf-8", "replace")
            raise DataError(
                "neither-tsv-csv-jsonl",
                f"neither TSV nor CSV nor JSONL: {first!r}",
                place=f"{name}:1",
                hint="the first line names the columns, with tabs or commas between them",
            )
        yield file, found


# One row at a time.


@dataclass(frozen=True, slots=True)
class Row:
    """One row, or one line of JSON."""

    place: str
    """`file:line`."""
    values: Mapping[str, Any]
    """By column; texts, but in JSONL and Parquet whatever the row holds."""

    def text(self, column: str) -> str:
        """A text, without blanks around it; empty where there is none.

        Raises:
            DataError: it is neither a text nor a number.
        """
        return _text(self.values.get(column), column, self.place)

    def needed(self, column: str, hint: str | None = None) -> str:
        """A text that has to be there.

        Raises:
            DataError: it is not.
        """
        text = self.text(column)
        if not text:
            raise DataError(
                "row-without-field", f"this row has no {column!r}", place=self.place, hint=hint
            )
        return text

    def number(self, column: str) -> float | None:
        """A finite number; None where the cell is empty.

        Raises:
            DataError: it is no finite number.
        """
        text = self.text(column)
        return finite(text, column, self.place) if text else None


def read_rows(
    path: str | Path, format: RowFormat | None = None, encoding: str | None = None
) -> Iterator[Row]:
    """Yield the rows of a file, one at a time; empty lines are passed over.

    Args:
        path: A file or a URL, packed or not, or `-`.
        format: By its name, or its beginning, where it is None.
        encoding: By its byte-order mark where it is None, else UTF-8.

    Raises:
        DataError: the file cannot be read as what it claims to be; the place is `file:line`.
    """
    name = shown_name(path)
    if format is None:
        with open_rows(path) as (file, seen):
            yield from _rows(file, name, seen, encoding)
    else:
        with open_input(path) as file:
            yield from _rows(file, name, format, encoding)


def _rows(file: BinaryIO, name: str, format: RowFormat, encoding: str | None) -> Iterator[Row]:
    for line, values in records(file, name, format, encoding):
        yield Row(f"{name}:{line}", values)


def read_columns(path: str | Path, format: RowFormat, encoding: str | None = None) -> list[str]:
    """The names of a file's columns; none for JSONL, where each line has its own.

    Raises:
        DataError: the file is empty, or broken.
    """
    name = shown_name(path)
    if format is RowFormat.JSONL:
        return []
    with open_input(path) as file:
        if format is RowFormat.PARQUET:
            with seekable(file) as whole:
                return list(open_parquet(whole, name).schema_arrow.names)
        first = next(delimited_rows(file, name, encoding, format), None)
    if first is None:
        raise DataError(
            "file-empty", "the file is empty", place=name, hint="the first line names the columns"
        )
    return [column.strip() for column in first[1]]


# Many rows at a time, column by column.

CHUNK = 2_000
"""Rows that are turned into columns at once; few, so that they stay in the cache of the processor."""

Cells = Sequence[Any]
"""Of one column: texts, but in JSONL and Parquet whatever the rows hold, None for nothing."""

PlaceOf = Callable[[int], str]
"""From the number of a row to its place."""

Prepared = Callable[[dict[str, Any], str], dict[str, Any]]
"""From a line of JSONL and its place to cells by column."""


@dataclass(frozen=True, slots=True)
class RowChunk:
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

    def cells(self, column: str) -> Cells:
        """The cells of a column that has to be there.

        Raises:
            DataError: it is not.
        """
        if column not in self.columns:
            raise no_column(column, self.columns, self.header)
        return self.columns[column]


def read_chunks(
    path: str | Path,
    encoding: str | None = None,
    size: int = CHUNK,
    *,
    hint: str | None = None,
    prepared: Prepared | None = None,
) -> Iterator[RowChunk]:
    """Yield the rows of a file, some at a time; empty lines are passed over.

    Args:
        path: A file or a URL, packed or not, or `-`.
        encoding: By its byte-order mark where it is None, else UTF-8.
        size: How many rows at a time.
        hint: What a line of JSONL looks like.
        prepared: Makes cells of what a line of JSONL holds.

    Raises:
        DataError: the file cannot be read as what it claims to be; the place is `file:line`.
    """
    with open_rows(path) as (file, format):
        name = shown_name(path)
        yield from row_chunks(file, name, format, encoding, size, hint=hint, prepared=prepared)


def row_chunks(
    file: BinaryIO,
    name: str,
    format: RowFormat,
    encoding: str | None,
    size: int = CHUNK,
    *,
    hint: str | None = None,
    prepared: Prepared | None = None,
) -> Iterator[RowChunk]:
    """As `read_chunks`, of a file that is open."""
    if format is RowFormat.PARQUET:
        yield from _parquet_chunks(file, name)
    elif format is RowFormat.JSONL:
        found = json_rows(file, name, encoding, hint)
        yield from _record_chunks(found, name, size, prepared)
    else:
        rows = delimited_rows(file, name, encoding, format)
        yield from table_chunks(rows, name, format, size)


def table_chunks(
    rows: Iterator[tuple[int, list[str]]], name: str, format: RowFormat, size: int = CHUNK
) -> Iterator[RowChunk]:
    """Yield the rows of CSV or TSV; the first names the columns.

    Raises:
        DataError: there is no header, or a row has not as many cells as it.
    """
    header = read_header(rows, name, format)
    header.refuse_doubles()
    whole = header.rows(rows, name)
    while batch := list(islice(whole, size)):
        lines, by_row = zip(*batch, strict=True)
        by_column = zip(*by_row, strict=True)
        columns = dict(zip(header.columns, by_column, strict=True))
        yield RowChunk(name, header.place, lines, columns)


def _record_chunks(
    found: Iterator[tuple[int, dict[str, Any]]],
    name: str,
    size: int,
    prepared: Prepared | None,
) -> Iterator[RowChunk]:
    while batch := list(islice(found, size)):
        lines = [line for line, _ in batch]
        rows = [prepared(row, f"{name}:{line}") if prepared else row for line, row in batch]
        names = dict.fromkeys(column for row in rows for column in row)
        columns = {column: [row.get(column) for row in rows] for column in names}
        yield RowChunk(name, f"{name}:{lines[0]}", lines, columns)


def _parquet_chunks(file: BinaryIO, name: str) -> Iterator[RowChunk]:
    for first, columns in parquet_columns(file, name):
        n_rows = len(next(iter(columns.values()), ()))
        yield RowChunk(name, name, range(first, first + n_rows), columns)


class RowPlaces(Sequence[str]):
    """`file:line` of many rows, written out when it is asked for: no string for each is held."""

    __slots__ = ("_files", "_lines", "_names")

    def __init__(
        self, names: Sequence[str], files: NDArray[np.int64], lines: NDArray[np.int64]
    ) -> None:
        self._names = names
        self._files = files
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> RowPlaces: ...
    def __getitem__(self, i: int | slice) -> str | RowPlaces:
        if isinstance(i, slice):
            return RowPlaces(self._names, self._files[i], self._lines[i])
        return f"{self._names[self._files[i]]}:{self._lines[i]}"


def no_column(name: str, columns: Iterable[str], place: str) -> DataError:
    """Say that a column lacks, and suggest the nearest that is there."""
    known = [column for column in columns if column]
    close = get_close_matches(name, known, n=1)
    if close:
        hint = f"did you mean {close[0]!r}?"
    elif known:
        hint = f"the others are: {', '.join(known)}"
    else:
        hint = "the first line names the columns"
    return DataError("no-column-called", f"no column is called {name!r}", place=place, hint=hint)


# Cells as texts and numbers, one or all of a column at once; what does not fit has its place.


def texts(cells: Cells, column: str, place: PlaceOf) -> list[str]:
    """Texts without blanks around them; empty where there is none.

    Raises:
        DataError: a value is neither a text nor a number.
    """
    try:
        return list(map(str.strip, cells))
    except TypeError:
        return [_text(cell, column, place, i) for i, cell in enumerate(cells)]


def needed_texts(cells: Cells, column: str, place: PlaceOf) -> list[str]:
    """Texts of which none may lack.

    Raises:
        DataError: one does.
    """
    found = texts(cells, column, place)
    if not all(found):
        raise DataError(
            "row-without-field",
            f"this row has no {column!r}",
            place=place(found.index("")),
            hint=f"each row needs a {column}",
        )
    return found


def _text(cell: Any, column: str, place: str | PlaceOf, i: int = 0) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool) or not isinstance(cell, str | int | float):
        where = place if isinstance(place, str) else place(i)
        raise DataError("no-text", f"{column!r} is no text: {cell!r}", place=where)
    return str(cell).strip()


def numbers(cells: Cells, column: str, place: PlaceOf) -> NDArray[np.float64]:
    """Finite numbers; NaN where a cell is empty.

    Raises:
        DataError: one is none.
    """
    import numpy as np

    try:
        found = np.fromiter(map(float, map(_no_truth, cells)), np.float64, len(cells))
    except (ValueError, TypeError, OverflowError):
        return np.array([_number(cell, column, place, i) for i, cell in enumerate(cells)], float)
    if not np.isfinite(found).all():
        i = int(np.flatnonzero(~np.isfinite(found))[0])
        raise _no_number(cells[i], column, place(i))
    return found


def _no_truth(cell: Any) -> Any:
    """A cell as it is, but true and false, which Python takes for numbers."""
    return None if cell is True or cell is False else cell


def _number(cell: Any, column: str, place: PlaceOf, i: int) -> float:
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return math.nan
    return finite(cell, column, place(i))


def finite(cell: Any, what: str, place: str) -> float:
    """A cell as a finite number.

    Raises:
        DataError: it is none.
    """
    try:
        value = math.nan if isinstance(cell, bool) else float(cell)
    except (ValueError, TypeError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise _no_number(cell, what, place)
    return value


def _no_number(cell: Any, what: str, place: str) -> DataError:
    return DataError("no-finite-number", f"the {what} is no finite number: {cell!r}", place=place)
