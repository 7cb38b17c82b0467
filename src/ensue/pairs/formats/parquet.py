"""Parquet: the same columns and layouts as CSV, read and written in batches of rows.

Files of the Hugging Face hub keep the names of their numbered labels in the schema; these names
are used, so that a 1 means what the file says it means.
"""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from ensue.errors import DataError
from ensue.pairs.formats.model import Format, LocatedPairs, OnFinding, ReadOptions
from ensue.pairs.formats.records import OWN_COLUMNS, PairMaker, pair_to_row
from ensue.pairs.model import Pair

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_MAGIC = b"PAR1"
_ROWS = 4096


def read(file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding) -> LocatedPairs:
    """Yield the pairs of a Parquet file with their rows, from 1."""
    with _seekable(file) as seekable:
        table = _opened(seekable, name)
        header = table.schema_arrow.names
        names = _class_names(table.schema_arrow)
        maker = PairMaker(header, name, options, on_finding)
        for number, row in enumerate(_rows(table, name), 1):
            for column, classes in names.items():
                row[column] = _class_name(row[column], classes)
            yield number, maker.pair(row, number, number)


def write(pairs: Iterable[Pair], file: BinaryIO) -> None:
    """Write pairs under our own columns, meta as JSON."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(column, pa.string()) for column in OWN_COLUMNS])
    rows = iter(pairs)
    with pq.ParquetWriter(file, schema) as writer:
        while batch := [pair_to_row(pair) for pair in islice(rows, _ROWS)]:
            columns = [pa.array(column, pa.string()) for column in zip(*batch, strict=True)]
            writer.write_batch(pa.record_batch(columns, schema=schema))


def _opened(file: BinaryIO, name: str) -> pq.ParquetFile:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(file)
    except pa.ArrowException as error:
        reason = str(error).splitlines()[0]
        raise DataError(
            f"not Parquet: {reason}", place=name, hint="is the file complete?"
        ) from None


def _rows(table: pq.ParquetFile, name: str) -> Iterator[dict[str, Any]]:
    import pyarrow as pa

    try:
        for batch in table.iter_batches(batch_size=_ROWS):
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"broken Parquet: {str(error).splitlines()[0]}", place=name) from None


def _class_names(schema: pa.Schema) -> Mapping[str, list[str]]:
    """The columns whose numbers are names of classes, after the Hugging Face hub's convention."""
    try:
        about = json.loads((schema.metadata or {}).get(b"huggingface", b"{}"))
        features = about.get("info", {}).get("features", {})
        return {
            column: feature["names"]
            for column, feature in features.items()
            if column in schema.names and feature.get("_type") == "ClassLabel"
        }
    except (ValueError, AttributeError, KeyError):
        return {}


def _class_name(number: Any, classes: list[str]) -> Any:
    if isinstance(number, int) and 0 <= number < len(classes):
        return classes[number]
    return number


@contextmanager
def _seekable(file: BinaryIO) -> Iterator[BinaryIO]:
    """The file itself, or a copy of it where it cannot be sought (its index is at the end)."""
    if file.seekable() and not isinstance(file, gzip.GzipFile):
        yield file
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(file, copy)
        copy.seek(0)
        yield cast(BinaryIO, copy)


def _sniff(head: bytes) -> bool:
    return head.startswith(_MAGIC)


FORMAT = Format(
    name="parquet",
    summary="Parquet: the columns and layouts of CSV and TSV, numbered labels by their names",
    suffixes=(".parquet", ".pq"),
    sniff=_sniff,
    read=read,
    write=write,
    has_columns=True,
)
