"""Verdicts as the bytes of a shard, and shards put together as one run."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import IO, TYPE_CHECKING

from ensue.pairs import Verdict
from ensue.pairs.runs import plain_line, verdict_line

if TYPE_CHECKING:
    import pyarrow as pa


class RunFormat(StrEnum):
    """How verdicts are written."""

    PARQUET = "parquet"
    JSONL = "jsonl"
    PLAIN = "plain"


def encoded_verdicts(verdicts: Sequence[Verdict], format: RunFormat) -> bytes:
    """The content of a shard, without any header."""
    return _WRITERS[format](verdicts)


def _jsonl(verdicts: Sequence[Verdict]) -> bytes:
    return "".join(map(verdict_line, verdicts)).encode()


def _plain(verdicts: Sequence[Verdict]) -> bytes:
    return "".join(map(plain_line, verdicts)).encode()


def _parquet(verdicts: Sequence[Verdict]) -> bytes:
    return parquet_bytes(verdict_table(verdicts))


def verdict_table(verdicts: Sequence[Verdict]) -> pa.Table:
    """Verdicts in columns."""
    import pyarrow as pa

    labels = [verdict.label.value if verdict.label else None for verdict in verdicts]
    return pa.table(
        {
            "pair_id": pa.array([verdict.pair_id for verdict in verdicts], pa.string()),
            "label": pa.array(labels, pa.string()),
            "score": pa.array([verdict.score for verdict in verdicts], pa.float64()),
            "confidence": pa.array([verdict.confidence for verdict in verdicts], pa.float64()),
            "status": pa.array([verdict.status.value for verdict in verdicts], pa.string()),
            "reason": pa.array([verdict.reason for verdict in verdicts], pa.string()),
        }
    )


def parquet_bytes(table: pa.Table) -> bytes:
    """A table as a Parquet file."""
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


def join_texts(files: Sequence[Callable[[], IO[bytes]]], target: IO[bytes]) -> None:
    """Put files of lines one after the other."""
    for opened in files:
        with opened() as file:
            shutil.copyfileobj(file, target, 1 << 20)


def join_tables(files: Sequence[Callable[[], IO[bytes]]], target: IO[bytes]) -> None:
    """Put Parquet files of one schema into one, a file at a time."""
    import pyarrow.parquet as pq

    writer = None
    try:
        for opened in files:
            with opened() as file:
                table = pq.read_table(file)
            writer = writer or pq.ParquetWriter(target, table.schema)
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()


_WRITERS: dict[RunFormat, Callable[[Sequence[Verdict]], bytes]] = {
    RunFormat.PARQUET: _parquet,
    RunFormat.JSONL: _jsonl,
    RunFormat.PLAIN: _plain,
}
