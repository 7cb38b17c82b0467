"""Rows of TSV, CSV and JSONL in column chunks; cells as texts, numbers and labels.

A column of JSONL may hold values that are no texts: numbers stand for what they print as, and
`null` for an empty cell.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, overload

import numpy as np

from ensue.errors import DataError, LabelError
from ensue.files import (
    STANDARD,
    RowFormat,
    decoded_lines,
    delimited,
    open_input,
    peeked,
    row_format,
    shown_name,
)
from ensue.paraphrase.lists import NO, NOT_JUDGED, YES, Indices, Labels, Numbers

# Where rows stand, without a string for each.


class RowPlaces(Sequence[str]):
    """`file:line` of many rows, written out when it is asked for."""

    __slots__ = ("_files", "_lines", "_names")

    def __init__(self, names: Sequence[str], files: Indices, lines: Indices) -> None:
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


# Rows of TSV, CSV and JSONL by column, many at a time; the format is seen where no name tells
# it.

CHUNK = 2_000
"""Rows that are turned into columns at once; few, so that they stay in the cache of the processor."""

_HEAD = 1 << 16
_OBJECT_HINT = 'a line is {"term": …, "paraphrase": …, …}'

Cells = Sequence[Any]
"""Of one column: texts, but in JSONL whatever the lines hold, None where a line lacks the name."""


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


def chunks(path: str | Path, encoding: str | None = None, size: int = CHUNK) -> Iterator[RowChunk]:
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
) -> Iterator[RowChunk]:
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
        yield RowChunk(name, f"{name}:{line}", lines, columns)


def object_chunks(
    file: BinaryIO, name: str, encoding: str | None, size: int = CHUNK
) -> Iterator[RowChunk]:
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
        yield RowChunk(name, f"{name}:{lines[0]}", lines, columns)


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


# Cells of one column as texts, numbers or labels, all at once; what does not fit has its place.

PlaceOf = Callable[[int], str]
"""From the number of a row to its place."""

_YES = ("1", "yes", "true", "y", "t", "1.0")
_NO = ("0", "no", "false", "n", "f", "0.0")
# "1.0" and "0.0" are how tables are written whose column of 1 and 0 has gaps
_LABELS = dict.fromkeys(_YES, YES) | dict.fromkeys(_NO, NO) | {"": NOT_JUDGED}
LABEL_HINT = "a label is 1 or 0, yes or no, true or false, y or n, t or f; empty: not judged"


def texts(cells: Cells, column: str, place: PlaceOf) -> list[str]:
    """Texts without blanks around them; empty where there is none.

    Raises:
        DataError: a value is neither a text nor a number, or holds half a character.
    """
    try:
        found = list(map(str.strip, cells))
    except TypeError:
        found = [_text(cell, column, place, i) for i, cell in enumerate(cells)]
    _refuse_half_characters(found, column, place)
    return found


def needed_texts(cells: Cells, column: str, place: PlaceOf) -> list[str]:
    """Texts of which none may lack.

    Raises:
        DataError: one does.
    """
    found = texts(cells, column, place)
    if not all(found):
        i = found.index("")
        raise DataError(
            f"this row has no {column!r}", place=place(i), hint=f"each row needs a {column}"
        )
    return found


def _text(cell: Any, column: str, place: PlaceOf, i: int) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool) or not isinstance(cell, str | int | float):
        raise DataError(f"{column!r} is no text: {cell!r}", place=place(i))
    return str(cell).strip()


def _refuse_half_characters(found: Sequence[str], column: str, place: PlaceOf) -> None:
    """Refuse what no file in UTF-8 can hold, and only JSON's escapes can bring in."""
    try:
        "".join(found).encode()
    except UnicodeEncodeError:
        for i, text in enumerate(found):
            if any("\ud800" <= character <= "\udfff" for character in text):
                raise DataError(
                    f"{column!r} holds half a character: {text!r}", place=place(i)
                ) from None


def numbers(cells: Cells, column: str, place: PlaceOf) -> Numbers:
    """Finite numbers; NaN where a cell is empty.

    Raises:
        DataError: one is none.
    """
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
    try:
        value = math.nan if isinstance(cell, bool) else float(cell)
    except (ValueError, TypeError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise _no_number(cell, column, place(i))
    return value


def _no_number(cell: Any, column: str, place: str) -> DataError:
    return DataError(f"the {column} is no finite number: {cell!r}", place=place)


def ranks(cells: Cells, column: str, place: PlaceOf) -> Numbers:
    """Positive integers, as numbers with NaN where a cell is empty.

    Raises:
        DataError: one is none.
    """
    try:
        found = numbers(cells, column, place)
    except DataError as error:
        raise DataError(
            error.message.replace("finite number", "positive integer"),
            place=error.place,
            hint=_RANK_HINT,
        ) from None
    wrong = np.flatnonzero(~np.isnan(found) & ((found < 1) | (found != np.floor(found))))
    if wrong.size:
        i = int(wrong[0])
        raise DataError(
            f"the {column} is no positive integer: {cells[i]!r}", place=place(i), hint=_RANK_HINT
        )
    return found


_RANK_HINT = "1 is the surest; for numbers of another kind call the column confidence"


class _Codes(dict[Any, int]):
    """Labels by what cells hold; each way to write one is looked at once."""

    def __missing__(self, cell: Any) -> int:
        text = "" if cell is None else str(cell).strip().lower()
        self[cell] = _LABELS[text]
        return self[cell]


def labels(cells: Cells, judge: str, place: PlaceOf) -> Labels:
    """What a judge says.

    Raises:
        LabelError: a cell holds no label.
    """
    codes = _Codes()
    try:
        return np.fromiter(map(codes.__getitem__, cells), np.int8, len(cells))
    except (KeyError, TypeError):  # TypeError: JSON's lists and objects
        for i, cell in enumerate(cells):
            if isinstance(cell, list | dict) or _is_no_label(cell):
                raise LabelError(
                    f"this is no label of the judge {judge!r}: {cell!r}",
                    place=place(i),
                    hint=LABEL_HINT,
                ) from None
        raise


def _is_no_label(cell: Any) -> bool:
    return cell is not None and str(cell).strip().lower() not in _LABELS
