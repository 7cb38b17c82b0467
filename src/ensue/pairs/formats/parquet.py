"""Parquet: pairs read and written in batches of rows, whole or any rows of a file.

Files of the Hugging Face hub keep the names of their numbered labels in the schema; these names
are used, so that a 1 means what the file says it means.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from threading import local
from typing import TYPE_CHECKING, Any, BinaryIO

from ensue.files import (
    OnFinding,
    RowFormat,
    batch_columns,
    class_name,
    class_names,
    ignore_finding,
    is_url,
    local_name,
    open_input,
    open_parquet,
    parquet_batches,
    readable_parquet,
    row_ends,
    seekable,
    shown_name,
)
from ensue.pairs.formats.columns import PairMaker, label_mapper
from ensue.pairs.formats.model import (
    Cutting,
    FilePart,
    Format,
    LocatedPairs,
    ReadOptions,
)
from ensue.pairs.formats.text_rows import shows, write_table

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

# Pairs of batches of rows.


class RowMaker:
    """Makes pairs of batches of rows."""

    def __init__(
        self, schema: pa.Schema, name: str, options: ReadOptions, on_finding: OnFinding
    ) -> None:
        self.maker = PairMaker(schema.names, name, options, on_finding)
        self.classes = class_names(schema)
        """The columns whose numbers are names of classes, and these names."""
        self._name = name

    def pairs(self, batch: pa.RecordBatch, first: int) -> LocatedPairs:
        """The pairs of a batch, whose first row has this number, from 1."""
        return self.maker.pairs(batch_columns(batch, self._name, self.classes), first)

    def label(self, column: str, value: Any) -> str:
        """What a cell of a column of labels says."""
        return str(class_name(value, self.classes.get(column, [])))


# Cutting Parquet: any rows of a file, without decoding those of other groups of rows.


@dataclass(frozen=True, slots=True)
class GroupCuts:
    """Where a Parquet file can be cut: anywhere, but no part has rows of two groups."""

    starts: tuple[int, ...]
    """The first row of each group, from 0, and the number of rows."""

    @property
    def rows(self) -> int:
        """How many pairs the file has."""
        return self.starts[-1]

    def parts(self, whole: FilePart, begin: int, end: int) -> Iterator[FilePart]:
        """The rows from `begin` to `end`, group by group; see `Cuts`."""
        if begin == end:
            yield replace(whole, start=begin, stop=end, first=begin + 1, number=begin, rows=0)
        for group in range(len(self.starts) - 1):
            start, stop = max(begin, self.starts[group]), min(end, self.starts[group + 1])
            if start < stop:
                yield replace(
                    whole,
                    start=start,
                    stop=stop,
                    first=start + 1,
                    number=start,
                    rows=stop - start,
                    group=group,
                )


def survey(file: BinaryIO, name: str, options: ReadOptions, grid: int) -> GroupCuts | None:  # noqa: ARG001 - rows have their places
    """Find the groups of rows of a Parquet file."""
    table = open_parquet(file, name)
    rows = RowMaker(table.schema_arrow, name, options, ignore_finding)
    if not _are_clear(table, name, rows, options):
        return None
    return GroupCuts(_starts(table))


def read_part(part: FilePart, options: ReadOptions, on_finding: OnFinding) -> LocatedPairs:
    """Yield the pairs of some rows of a Parquet file.

    The file stays open: the next part of the same group goes on from there.
    """
    if _kept.reader is None or not _kept.reader.holds(part):
        drop_reader()
        _kept.reader = _Reader(part)
    reader = _kept.reader
    rows = RowMaker(reader.schema, reader.name, options, on_finding)
    try:
        for first, batch in reader.batches(part):
            yield from rows.pairs(batch, first + 1)
        rows.maker.report_labels()
    except GeneratorExit:
        raise
    except BaseException:
        drop_reader()
        raise


def drop_reader() -> None:
    """Close the file that the last part left open, if any."""
    reader, _kept.reader = _kept.reader, None
    if reader is not None:
        reader.close()


class _Kept(local):
    """What each thread keeps open."""

    reader: _Reader | None = None


_kept = _Kept()


class _Reader:
    """An open file, and the row at which it stands."""

    def __init__(self, part: FilePart) -> None:
        self.name = shown_name(part.source)
        self._version = _version(part.source)
        self._source = part.source
        with ExitStack() as stack:
            file = stack.enter_context(open_input(part.source, unpack=False))
            self._table = open_parquet(file, self.name)
            self._files = stack.pop_all()
        self._starts = _starts(self._table)
        self.schema: pa.Schema = self._table.schema_arrow
        self._group = -1
        self._at = 0
        self._rest: pa.RecordBatch | None = None
        self._batches: Iterator[pa.RecordBatch] = iter(())

    def holds(self, part: FilePart) -> bool:
        """Whether this is the file of the part."""
        return part.source == self._source and _version(part.source) == self._version

    def batches(self, part: FilePart) -> Iterator[tuple[int, pa.RecordBatch]]:
        """The rows of a part, a batch at a time with the number of its first row."""
        start, stop = part.start, part.stop
        if part.group != self._group or start < self._at:
            self._begin(part.group)
        while self._at < stop:
            batch = self._rest if self._rest is not None else next(self._batches, None)
            if batch is None:
                return  # the file has fewer rows than it had, as whoever counts them says
            self._rest = None
            skipped = min(max(start - self._at, 0), batch.num_rows)
            taken = batch.slice(skipped, stop - self._at - skipped)
            if skipped + taken.num_rows < batch.num_rows:
                self._rest = batch.slice(skipped + taken.num_rows)
            first = self._at + skipped
            self._at = first + taken.num_rows
            if taken.num_rows:
                yield first, taken

    def close(self) -> None:
        """Close the file."""
        self._files.close()

    def _begin(self, group: int) -> None:
        is_there = group < self._table.num_row_groups
        self._group = group if is_there else -1
        self._at = self._starts[group] if is_there else 0
        self._rest = None
        self._batches = (
            parquet_batches(self._table, self.name, group=group) if is_there else iter(())
        )


def _starts(table: pq.ParquetFile) -> tuple[int, ...]:
    starts = [0]
    for group in range(table.num_row_groups):
        starts.append(starts[-1] + table.metadata.row_group(group).num_rows)
    return tuple(starts)


def _version(source: str) -> tuple[int, ...] | None:
    """What changes when a local file is replaced by another of the same name."""
    if is_url(source):
        return None
    try:
        status = os.stat(local_name(source))  # noqa: PTH116
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _are_clear(table: pq.ParquetFile, name: str, rows: RowMaker, options: ReadOptions) -> bool:
    """Whether no label's meaning depends on what labels stand in other rows."""
    layout = rows.maker.layout
    mapper = label_mapper(layout, options)
    if "gold" not in layout.columns or not mapper.telling:
        return True
    (column,) = layout.columns["gold"]
    seen: set[str] = set()
    for batch in parquet_batches(table, name, columns=[column]):
        if batch.num_columns != 1 or _is_nested(batch.column(0)):
            return False
        with readable_parquet(name):
            labels = batch.column(0).unique().to_pylist()
        names = {rows.label(column, label).strip().lower() for label in labels}
        seen |= names & mapper.telling
    return mapper.are_clear(seen)


def _is_nested(cells: pa.Array[Any]) -> bool:
    import pyarrow as pa

    return pa.types.is_nested(cells.type)


# Parquet: the same columns and layouts as CSV, read and written in batches of rows.


def read(file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding) -> LocatedPairs:
    """Yield the pairs of a Parquet file with their rows, from 1."""
    with seekable(file) as whole:
        table = open_parquet(whole, name)
        first = 1
        rows = RowMaker(table.schema_arrow, name, options, on_finding)
        for batch in parquet_batches(table, name):
            yield from rows.pairs(batch, first)
            first += batch.num_rows
        rows.maker.report_labels()


PARQUET = Format(
    name="parquet",
    summary="Parquet: the columns and layouts of CSV and TSV, numbered labels by their names",
    suffixes=row_ends(RowFormat.PARQUET),
    sniff=partial(shows, format=RowFormat.PARQUET),
    read=read,
    write=partial(write_table, format=RowFormat.PARQUET),
    has_columns=True,
    cutting=Cutting(survey, read_part),
)
