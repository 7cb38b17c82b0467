"""Rows of names and numbers as Parquet, CSV or JSONL, a batch at a time."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence, Set as AbstractSet
from enum import StrEnum
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    import pyarrow as pa

OutputRow = list[Any]


class FileFormat(StrEnum):
    """What a file of features is written as."""

    PARQUET = "parquet"
    CSV = "csv"
    JSONL = "jsonl"


def write_rows(
    file: BinaryIO,
    names: Sequence[str],
    batches: Iterable[list[OutputRow]],
    *,
    format: FileFormat,
    numbers: AbstractSet[str],
) -> None:
    """Write rows under names, in constant memory.

    Args:
        file: Where the bytes go.
        names: Of the columns.
        batches: Rows, some at a time; None is an empty cell.
        format: What to write.
        numbers: The names of the columns that hold numbers; the others hold strings.
    """
    if format is FileFormat.PARQUET:
        _write_parquet(file, names, batches, numbers)
    else:
        _WRITERS[format](file, names, batches)


def head_bytes(names: Sequence[str], format: FileFormat) -> bytes:
    """What stands before the rows of a file: the heading of CSV, else nothing."""
    return _csv_bytes([list(names)]) if format is FileFormat.CSV else b""


def row_bytes(
    names: Sequence[str], rows: list[OutputRow], *, format: FileFormat, numbers: AbstractSet[str]
) -> bytes:
    """Rows as part of a file, without its head; of Parquet, as a file of their own.

    The parts of a file of text, one after the other behind `head_bytes`, are what `write_rows`
    writes.
    """
    if format is FileFormat.CSV:
        return _csv_bytes([[_short(cell) for cell in row] for row in rows])
    file = io.BytesIO()
    write_rows(file, names, [rows] if rows else [], format=format, numbers=numbers)
    return file.getvalue()


def _write_parquet(
    file: BinaryIO,
    names: Sequence[str],
    batches: Iterable[list[OutputRow]],
    numbers: AbstractSet[str],
) -> None:
    import pyarrow.parquet as pq

    schema = _schema(names, numbers)
    with pq.ParquetWriter(file, schema) as writer:
        for rows in batches:
            writer.write_batch(_record_batch(rows, schema))


def _schema(names: Sequence[str], numbers: AbstractSet[str]) -> pa.Schema:
    import pyarrow as pa

    kinds = [pa.float64() if name in numbers else pa.string() for name in names]
    return pa.schema(list(zip(names, kinds, strict=True)))


def _record_batch(rows: list[OutputRow], schema: pa.Schema) -> pa.RecordBatch:
    import pyarrow as pa

    made = [
        pa.array(column, field.type)
        for column, field in zip(zip(*rows, strict=True), schema, strict=True)
    ]
    return pa.record_batch(made, schema=schema)


def _write_csv(file: BinaryIO, names: Sequence[str], batches: Iterable[list[OutputRow]]) -> None:
    file.write(_csv_bytes([list(names)]))
    for rows in batches:
        file.write(_csv_bytes([[_short(cell) for cell in row] for row in rows]))


def _csv_bytes(rows: list[OutputRow]) -> bytes:
    lines = io.StringIO(newline="")
    csv.writer(lines, lineterminator="\n").writerows(rows)
    return lines.getvalue().encode("utf-8", "backslashreplace")


def _write_jsonl(file: BinaryIO, names: Sequence[str], batches: Iterable[list[OutputRow]]) -> None:
    for rows in batches:
        for row in rows:
            record = dict(zip(names, map(_short, row), strict=True))
            line = json.dumps(record, ensure_ascii=False) + "\n"
            file.write(line.encode("utf-8", "backslashreplace"))


def _short(cell: object) -> object:
    """Whole numbers without a point, which most features are."""
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


_WRITERS: dict[FileFormat, Callable[[BinaryIO, Sequence[str], Iterable[list[OutputRow]]], None]] = {
    FileFormat.CSV: _write_csv,
    FileFormat.JSONL: _write_jsonl,
}
