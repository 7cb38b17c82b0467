"""Rows of texts and numbers written as CSV, TSV, JSONL or Parquet, in constant memory."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence, Set as AbstractSet
from itertools import islice
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, BinaryIO

from ensue.errors import OutputError, SettingError
from ensue.files.formats import ROW_ENDS, RowFormat
from ensue.files.inputs import STANDARD

if TYPE_CHECKING:
    import pyarrow as pa

OutputRow = Sequence[Any]
"""Texts, numbers, and None for an empty cell; in JSONL whatever JSON can hold."""

_GROUP = 16_384
"""Rows in a group of Parquet, which are held until they are written."""

NameOf = Callable[[OutputRow], str]
"""What messages call a row."""


def output_format(
    target: str | Path,
    named: RowFormat | str | None,
    *,
    what: str,
    standard: RowFormat = RowFormat.TSV,
) -> RowFormat:
    """The format in which rows are written: the one that is named, or that the target's name says.

    Args:
        target: A file, packed where its name ends in `.gz`, or `-`.
        named: What the user asks for, if anything.
        what: What the rows hold, for messages.
        standard: The format of standard output.

    Raises:
        SettingError: it is unknown, the name says none, or it is Parquet for standard output.
    """
    if named is not None and named not in list(RowFormat):
        raise SettingError(
            "no-format-called",
            f"no format of {what} is called {str(named)!r}",
            hint=f"known are: {', '.join(RowFormat)}",
        )
    # gzip is the one packing that is written
    by_name = ROW_ENDS.get(PurePath(str(target).lower().removesuffix(".gz")).suffix)
    found = RowFormat(named) if named else standard if str(target) == STANDARD else by_name
    if found is None:
        *ends, last = (f".{each}" for each in RowFormat)
        raise SettingError(
            "no-format-known-end",
            f"no format of {what} is known by the end of {str(target)!r}",
            hint=f"end the name in {', '.join(ends)} or {last}, or name one with --format",
        )
    if found is RowFormat.PARQUET and str(target) == STANDARD:
        raise SettingError(
            "parquet-not-standard-output", "Parquet is not for standard output", hint="name a file"
        )
    return found


def write_rows(
    file: BinaryIO,
    names: Sequence[str],
    rows: Iterable[OutputRow],
    *,
    format: RowFormat,
    numbers: AbstractSet[str] = frozenset(),
    name_of: NameOf | None = None,
) -> None:
    """Write rows under names, one after the other.

    Args:
        file: Where the bytes go.
        names: Of the columns.
        rows: As many cells as there are names.
        format: What to write.
        numbers: The names of the columns that hold numbers in Parquet; the others hold texts.
        name_of: What messages call a row.

    Raises:
        OutputError: the format cannot hold a row.
    """
    if format is RowFormat.PARQUET:
        _write_parquet(file, names, rows, numbers)
        return
    file.write(head_bytes(names, format))
    file.writelines(_encoded(_lines(names, rows, format, name_of or _this_row)))


def head_bytes(names: Sequence[str], format: RowFormat) -> bytes:
    """What stands before the rows of a file: the names in CSV and TSV, else nothing."""
    is_named = format in (RowFormat.CSV, RowFormat.TSV)
    return row_bytes(names, [names], format=format) if is_named else b""


def row_bytes(
    names: Sequence[str],
    rows: Iterable[OutputRow],
    *,
    format: RowFormat,
    numbers: AbstractSet[str] = frozenset(),
    name_of: NameOf | None = None,
) -> bytes:
    """Rows as part of a file, without its head; of Parquet, as a file of their own.

    The parts of a file of text, one after the other behind `head_bytes`, are what `write_rows`
    writes.
    """
    if format is not RowFormat.PARQUET:
        return b"".join(_encoded(_lines(names, rows, format, name_of or _this_row)))
    file = io.BytesIO()
    _write_parquet(file, names, rows, numbers)
    return file.getvalue()


def short_number(number: float | None) -> float | None:
    """A number of which a whole one is written without a point.

    >>> short_number(3.0), short_number(0.5)
    (3, 0.5)
    """
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _this_row(row: OutputRow) -> str:  # noqa: ARG001 - it has no name
    return "this row"


def _lines(
    names: Sequence[str], rows: Iterable[OutputRow], format: RowFormat, name_of: NameOf
) -> Iterator[str]:
    if format is RowFormat.CSV:
        return csv_lines(rows)
    if format is RowFormat.TSV:
        return _tsv_lines(rows, name_of)
    encoded = json.JSONEncoder(
        ensure_ascii=False
    ).encode  # made once: `json.dumps` makes one a line
    return (encoded(dict(zip(names, row, strict=True))) + "\n" for row in rows)


class _Echo:
    """A file for `csv.writer`, whose `writerow` returns what `write` does."""

    def write(self, line: str) -> str:
        return line


def csv_lines(rows: Iterable[OutputRow]) -> Iterator[str]:
    """Rows as lines of CSV, with their line ends."""
    plain = csv.writer(_Echo(), lineterminator="\n")
    quoted = csv.writer(_Echo(), lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        line: Any = plain.writerow(row)
        # the module does not quote a carriage return of its own accord, and chokes on it later
        yield quoted.writerow(row) if "\r" in line else line


def _tsv_lines(rows: Iterable[OutputRow], name_of: NameOf) -> Iterator[str]:
    for row in rows:
        cells = ["" if cell is None else str(cell) for cell in row]
        line = "\t".join(cells)
        if line.count("\t") >= len(cells) or "\n" in line or "\r" in line:
            raise OutputError(
                "holds-tab-line-break",
                f"{name_of(row)} holds a tab or a line break, which TSV cannot hold: {cells!r}",
                hint="write it as CSV or JSONL",
            )
        yield line + "\n"


def _encoded(lines: Iterable[str]) -> Iterator[bytes]:
    """Lines that can be read again.

    Raises:
        OutputError: one holds a NUL or half a character.
    """
    for line in lines:
        try:
            content = line.encode()
        except UnicodeEncodeError:
            content = b"\0"
        if b"\0" in content:
            raise OutputError(
                "nul-half-character-row",
                f"a NUL or half a character is in this row: {line!r}",
                hint="take it out of the input",
            )
        yield content


def _write_parquet(
    file: BinaryIO, names: Sequence[str], rows: Iterable[OutputRow], numbers: AbstractSet[str]
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = [pa.float64() if name in numbers else pa.string() for name in names]
    schema = pa.schema(list(zip(names, kinds, strict=True)))
    left = iter(rows)
    with pq.ParquetWriter(file, schema) as writer:
        while batch := list(islice(left, _GROUP)):
            writer.write_batch(_record_batch(batch, schema))


def _record_batch(rows: list[OutputRow], schema: pa.Schema) -> pa.RecordBatch:
    import pyarrow as pa

    columns = [
        pa.array(column, field.type)
        for column, field in zip(zip(*rows, strict=True), schema, strict=True)
    ]
    return pa.record_batch(columns, schema=schema)
