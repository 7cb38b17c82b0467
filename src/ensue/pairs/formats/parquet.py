"""Parquet: the same columns and layouts as CSV, read and written in batches of rows."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import BinaryIO, cast

from ensue.pairs.formats.groups import read_part, survey
from ensue.pairs.formats.model import Cutting, Format, LocatedPairs, OnFinding, ReadOptions
from ensue.pairs.formats.records import OWN_COLUMNS, pair_to_row
from ensue.pairs.formats.tables import ROWS, RowMaker, batches, opened
from ensue.pairs.model import Pair

_MAGIC = b"PAR1"


def read(file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding) -> LocatedPairs:
    """Yield the pairs of a Parquet file with their rows, from 1."""
    with _seekable(file) as seekable:
        table = opened(seekable, name)
        first = 1
        rows = RowMaker(table.schema_arrow, name, options, on_finding)
        for batch in batches(table, name):
            yield from rows.pairs(batch, first)
            first += batch.num_rows


def write(pairs: Iterable[Pair], file: BinaryIO) -> None:
    """Write pairs under our own columns, meta as JSON."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(column, pa.string()) for column in OWN_COLUMNS])
    rows = iter(pairs)
    with pq.ParquetWriter(file, schema) as writer:
        while batch := [pair_to_row(pair) for pair in islice(rows, ROWS)]:
            columns = [pa.array(column, pa.string()) for column in zip(*batch, strict=True)]
            writer.write_batch(pa.record_batch(columns, schema=schema))


@contextmanager
def _seekable(file: BinaryIO) -> Iterator[BinaryIO]:
    """The file itself, or a copy of it where it cannot be sought (its index is at the end)."""
    if file.seekable():
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
    cutting=Cutting(survey, read_part),
)
