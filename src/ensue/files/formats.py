"""The formats of rows, CSV, TSV, JSON and Parquet, each as records with their lines.

JSON is an object a line, or one array of objects. CSV is quoted as RFC 4180 has it, with commas,
semicolons or tabs between its cells, whichever its first line has. TSV is not quoted at all, since the data sets of this field
write quotation marks as they are, balanced or not. The lines of Parquet are its rows, from 1.
"""

from __future__ import annotations

import codecs
import csv
import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from ensue.errors import DataError
from ensue.files.inputs import decoded_lines, unpacked_name
from ensue.files.json_objects import Records, begins_array, first_line, json_rows

if TYPE_CHECKING:
    from _csv import Reader

    import pyarrow as pa
    import pyarrow.parquet as pq


class RowFormat(StrEnum):
    """How rows are written."""

    TSV = "tsv"
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"

    @property
    def delimiter(self) -> str:
        """What stands between the cells of CSV and TSV."""
        return "\t" if self is RowFormat.TSV else ","


ROW_ENDS = {
    ".jsonl": RowFormat.JSONL,
    ".ndjson": RowFormat.JSONL,
    ".json": RowFormat.JSONL,
    ".csv": RowFormat.CSV,
    ".tsv": RowFormat.TSV,
    ".tab": RowFormat.TSV,
    ".parquet": RowFormat.PARQUET,
    ".pq": RowFormat.PARQUET,
}
"""How the names of files end, in lower case, and what is in them."""
PARQUET_MAGIC = b"PAR1"


def row_format(path: str | Path) -> RowFormat | None:
    """The format of rows that a file is in by the end of its name; None where it is another.

    >>> row_format("segments.jsonl.gz"), row_format("newstest2012.cs-en.onlineA")
    (<RowFormat.JSONL: 'jsonl'>, None)
    """
    return ROW_ENDS.get(unpacked_name(str(path).lower()).suffix)


def row_ends(format: RowFormat) -> tuple[str, ...]:
    """How the names of files in a format end."""
    return tuple(end for end, named in ROW_ENDS.items() if named is format)


def seen_format(head: bytes) -> RowFormat | None:
    """The format that the beginning of a file shows, if any; bytes of UTF-16 are passed over."""
    if head.startswith(PARQUET_MAGIC):
        return RowFormat.PARQUET
    first = first_line(head)
    if first.startswith(b"{") or begins_array(head):
        return RowFormat.JSONL
    if b"\t" in first:
        return RowFormat.TSV
    return RowFormat.CSV if b"," in first or b";" in first else None


def records(
    file: BinaryIO, name: str, format: RowFormat, encoding: str | None, hint: str | None = None
) -> Records:
    """Yield the rows of an open file; empty lines are passed over.

    Args:
        file: What is read, from its beginning.
        name: What it is called in messages.
        format: How its rows are written.
        encoding: Overrides what the file says of itself.
        hint: What a line of JSONL looks like.

    Raises:
        DataError: the file cannot be read as what it claims to be; the place is `file:line`.
    """
    if format is RowFormat.JSONL:
        yield from json_rows(file, name, encoding, hint)
    elif format is RowFormat.PARQUET:
        for first, columns in parquet_columns(file, name):
            rows = zip(*columns.values(), strict=True)
            for line, cells in enumerate(rows, first):
                yield line, dict(zip(columns, cells, strict=True))
    else:
        rows_of_cells = delimited_rows(file, name, encoding, format)
        header = read_header(rows_of_cells, name, format)
        header.refuse_doubles()
        yield from header.records(rows_of_cells, name)


# CSV and TSV as rows of cells, read as text or gone over as bytes.

_LARGEST_FIELD = 1 << 30
_DELIMITERS = (",", ";", "\t")
_QUOTED = re.compile('"[^"]*"')
_MARK = codecs.BOM_UTF8.decode("latin-1")
_OTHER = {RowFormat.CSV: RowFormat.TSV, RowFormat.TSV: RowFormat.CSV}


@dataclass(frozen=True, slots=True)
class HeaderRow:
    """The row that names the columns."""

    columns: list[str]
    place: str
    """`file:line`."""

    @classmethod
    def of(cls, cells: list[str], place: str, format: RowFormat, naming: str) -> HeaderRow:
        """The header with these cells; `naming` says how the user names the other format.

        Raises:
            DataError: it looks as if the delimiter were another one.
        """
        columns = [column.strip() for column in cells]
        other = _OTHER[format]
        if len(columns) == 1 and other.delimiter in columns[0]:
            raise DataError(
                "one-column-only",
                f"one column only: {columns[0][:60]!r}",
                place=place,
                hint=f"is it {other.upper()}? then {naming.format(other)}",
            )
        return cls(columns, place)

    def refuse_doubles(self) -> None:
        """See that no two columns have one name.

        Raises:
            DataError: two have.
        """
        doubled = next((each for each in self.columns if each and self.columns.count(each) > 1), "")
        if doubled:
            raise DataError(
                "two-columns-called", f"two columns are called {doubled!r}", place=self.place
            )

    def rows(
        self, rows: Iterable[tuple[int, list[str]]], name: str
    ) -> Iterator[tuple[int, list[str]]]:
        """Rows with as many cells as there are columns.

        Raises:
            DataError: one has more, or fewer.
        """
        n_columns = len(self.columns)
        for line, cells in rows:
            if len(cells) != n_columns:
                raise DataError(
                    "fields-row-header",
                    f"{len(cells)} fields in this row, {n_columns} in the header",
                    place=f"{name}:{line}",
                    hint="is a separator missing, or one too many?",
                )
            yield line, cells

    def records(self, rows: Iterable[tuple[int, list[str]]], name: str) -> Records:
        """As `rows`, with the cells by column."""
        for line, cells in self.rows(rows, name):
            yield line, dict(zip(self.columns, cells, strict=True))


def read_header(
    rows: Iterator[tuple[int, list[str]]],
    name: str,
    format: RowFormat,
    naming: str = "let its name end in .{}",
) -> HeaderRow:
    """The first of a file's rows as its header.

    Raises:
        DataError: there is no row, or another delimiter.
    """
    first = next(rows, None)
    if first is None:
        raise DataError(
            "file-empty", "the file is empty", place=name, hint="the first line names the columns"
        )
    return HeaderRow.of(first[1], f"{name}:{first[0]}", format, naming)


def csv_delimiter(line: str) -> str:
    """What stands between the cells of a CSV file with this first line.

    >>> csv_delimiter('id;text;"a, b"'), csv_delimiter("claim")
    (';', ',')
    """
    bare = _QUOTED.sub("", line)
    return max(_DELIMITERS, key=bare.count)  # the first one where none is there


def seen_delimiter(lines: Iterator[str], format: RowFormat) -> tuple[str, Iterator[str]]:
    """What stands between cells, by the first line that is not blank, and all lines again."""
    if format is not RowFormat.CSV:
        return format.delimiter, lines
    passed = []
    for line in lines:
        passed.append(line)
        if line.removeprefix(_MARK).strip():
            break
    return csv_delimiter(passed[-1] if passed else ""), chain(passed, lines)


def delimited_rows(
    file: BinaryIO,
    name: str,
    encoding: str | None,
    format: RowFormat,
    *,
    first: int = 1,
    delimiter: str | None = None,
) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that has any, with the line at which it begins.

    Args:
        file: What is read, from where it stands.
        name: What it is called in messages.
        encoding: Overrides what the file says of itself.
        format: CSV or TSV.
        first: The number of the line at which the file stands.
        delimiter: What stands between cells; by the first line where it is None.

    Raises:
        DataError: a row is broken.
    """
    decoded = decoded_lines(file, name, encoding, keep_ends=True, first=first)
    lines: Iterator[str] = (line for _, line in decoded)
    if delimiter is None:
        delimiter, lines = seen_delimiter(lines, format)
    reader = _reader_of(lines, format, delimiter)
    while True:
        begin = first + reader.line_num
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise DataError(
                "broken-row",
                f"broken row: {error}",
                place=f"{name}:{begin}",
                hint="is a quotation mark not closed?",
            ) from None
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield begin, row


def raw_rows(
    file: BinaryIO, format: RowFormat, *, has_mark: bool
) -> Iterator[tuple[list[str] | None, int, int]]:
    """The cells of each row, empty or not, and how many bytes and lines it takes.

    Cells hold a character for each byte; a row that is broken has none.

    Args:
        file: What is read, in an encoding that has ASCII in it.
        format: CSV or TSV.
        has_mark: Whether the file may begin with UTF-8's byte-order mark.
    """
    n_bytes, last_bytes, last_lines = 0, 0, 0
    delimiter, every = seen_delimiter((line.decode("latin-1") for line in file), format)

    def lines() -> Iterator[str]:
        nonlocal n_bytes
        for line in every:
            is_first, n_bytes = n_bytes == 0, n_bytes + len(line)
            yield line.removeprefix(_MARK) if is_first and has_mark else line

    reader = _reader_of(lines(), format, delimiter)
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


def _reader_of(lines: Iterable[str], format: RowFormat, delimiter: str) -> Reader:
    csv.field_size_limit(_LARGEST_FIELD)
    if format is RowFormat.TSV:
        return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=True)
    return csv.reader(lines, delimiter=delimiter, strict=True)


# Parquet: batches of rows, and their columns as lists.

_ROWS = 4096
"""How many rows of Parquet are read at a time."""

_BLOCK = 1 << 18


def open_parquet(file: BinaryIO, name: str) -> pq.ParquetFile:
    """A Parquet file whose index has been read.

    Raises:
        DataError: it is none.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # page by page: a group of rows may be larger than the memory
        return pq.ParquetFile(file, buffer_size=_BLOCK, pre_buffer=False)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise DataError(
            "not-parquet", f"not Parquet: {reason}", place=name, hint="is the file complete?"
        ) from None


def parquet_batches(
    table: pq.ParquetFile, name: str, *, group: int | None = None, columns: list[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The rows of a file, or of one group of its rows, a few thousand at a time.

    Raises:
        DataError: the file is broken.
    """
    with readable_parquet(name):
        yield from table.iter_batches(
            batch_size=_ROWS,
            row_groups=None if group is None else [group],
            columns=columns,
            use_threads=False,  # there are as many processes as cores already
        )


@contextmanager
def readable_parquet(name: str) -> Iterator[None]:
    """Turn whatever is raised on damaged rows into an error with the file's name."""
    import pyarrow as pa

    # looked up now: a generator in here may be closed only when Python ends
    broken = (pa.ArrowException, OSError, UnicodeDecodeError)
    try:
        yield
    except broken as error:
        reason = str(error).splitlines()[0]
        raise DataError(
            "broken-parquet", f"broken Parquet: {reason}", place=name, hint="is the file complete?"
        ) from None


@contextmanager
def seekable(file: BinaryIO) -> Iterator[BinaryIO]:
    """The file itself, or a copy of it where it cannot be sought (Parquet's index is at its end)."""
    if file.seekable():
        yield file
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(file, copy)
        copy.seek(0)
        yield cast(BinaryIO, copy)


def parquet_columns(file: BinaryIO, name: str) -> Iterator[tuple[int, dict[str, list[Any]]]]:
    """The columns of a file a batch at a time, with the number of its first row, from 1.

    Raises:
        DataError: the file is no Parquet, or broken.
    """
    with seekable(file) as whole:
        table = open_parquet(whole, name)
        classes = class_names(table.schema_arrow)
        first = 1
        for batch in parquet_batches(table, name):
            yield first, batch_columns(batch, name, classes)
            first += batch.num_rows


def batch_columns(
    batch: pa.RecordBatch, name: str, classes: Mapping[str, list[str]]
) -> dict[str, list[Any]]:
    """The cells of each column of a batch, numbers of classes by their names."""
    with readable_parquet(name):
        columns = {
            column: cells.to_pylist()
            for column, cells in zip(batch.schema.names, batch.columns, strict=True)
        }
    for column, names in classes.items():
        columns[column] = [class_name(number, names) for number in columns[column]]
    return columns


def class_names(schema: pa.Schema) -> Mapping[str, list[str]]:
    """The columns whose numbers are names of classes, after the Hugging Face hub's convention."""
    try:
        about = json.loads((schema.metadata or {}).get(b"huggingface", b"{}"))
        features = about.get("info", {}).get("features", {})
        return {
            column: feature["names"]
            for column, feature in features.items()
            if column in schema.names and feature.get("_type") == "ClassLabel"
        }
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        return {}


def class_name(number: Any, classes: list[str]) -> Any:
    """The name of a class by its number; any other cell as it is."""
    if isinstance(number, int) and 0 <= number < len(classes):
        return classes[number]
    return number
