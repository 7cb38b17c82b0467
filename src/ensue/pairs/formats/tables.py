"""Parquet files as batches of rows, and pairs made of them.

Files of the Hugging Face hub keep the names of their numbered labels in the schema; these names
are used, so that a 1 means what the file says it means.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

from ensue.errors import DataError
from ensue.pairs.formats.model import LocatedPairs, OnFinding, ReadOptions
from ensue.pairs.formats.records import PairMaker

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

ROWS = 4096
"""How many rows are read or written at a time."""

_BLOCK = 1 << 18


class RowMaker:
    """Makes pairs of batches of rows."""

    def __init__(
        self, schema: pa.Schema, name: str, options: ReadOptions, on_finding: OnFinding
    ) -> None:
        self.maker = PairMaker(schema.names, name, options, on_finding)
        self.classes = _class_names(schema)
        """The columns whose numbers are names of classes, and these names."""
        self._name = name

    def pairs(self, batch: pa.RecordBatch, first: int) -> LocatedPairs:
        """The pairs of a batch, whose first row has this number, from 1."""
        with readable(self._name):
            columns = {
                column: cells.to_pylist()
                for column, cells in zip(batch.schema.names, batch.columns, strict=True)
            }
        for column, names in self.classes.items():
            columns[column] = [_class_name(number, names) for number in columns[column]]
        return self.maker.pairs(columns, first)

    def label(self, column: str, value: Any) -> str:
        """What a cell of a column of labels says."""
        return str(_class_name(value, self.classes.get(column, [])))


def opened(file: BinaryIO, name: str) -> pq.ParquetFile:
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
            f"not Parquet: {reason}", place=name, hint="is the file complete?"
        ) from None


def batches(
    table: pq.ParquetFile, name: str, *, group: int | None = None, columns: list[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The rows of a file, or of one group of its rows, a few thousand at a time.

    Raises:
        DataError: the file is broken.
    """
    with readable(name):
        yield from table.iter_batches(
            batch_size=ROWS,
            row_groups=None if group is None else [group],
            columns=columns,
            use_threads=False,  # there are as many processes as cores already
        )


@contextmanager
def readable(name: str) -> Iterator[None]:
    """Turn whatever is raised on damaged rows into an error with the file's name."""
    import pyarrow as pa

    # looked up now: a generator in here may be closed only when Python ends
    broken = (pa.ArrowException, OSError, UnicodeDecodeError)
    try:
        yield
    except broken as error:
        reason = str(error).splitlines()[0]
        raise DataError(
            f"broken Parquet: {reason}", place=name, hint="is the file complete?"
        ) from None


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
