"""Runs as folders: shards of verdicts in Parquet, and a manifest that says what the run is."""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ensue.errors import RunError
from ensue.files import file_system, is_directory, is_url, local_name, open_url
from ensue.pairs.model import Label, Status, Verdict
from ensue.pairs.runs import COLUMNS, NUMBERS, Run, RunHeader, header_from_json
from ensue.pairs.sources import MANIFEST

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

FOLDER_VERSION = 1
"""The version of folders that is read here."""

ROWS = 131_072
"""How many verdicts are read at a time."""

_FEW = ["label", "status"]
"""Columns with few distinct values, which are read as dictionaries."""

_AGAIN = "make the shard again: ensue judge … --resume"


@dataclass(frozen=True, slots=True)
class RunShard:
    """One file of a run's folder."""

    source: str
    """The file's path or URL."""
    n_rows: int


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A finished run in a folder: its header and where its verdicts are."""

    name: str
    header: RunHeader
    shards: tuple[RunShard, ...]
    """In the order of the verdicts."""

    @property
    def n_rows(self) -> int:
        """How many verdicts there are."""
        return sum(shard.n_rows for shard in self.shards)

    def place(self, i: int) -> str:
        """Where the i-th verdict, from 0, stands: `shard:row`."""
        ends = list(accumulate(shard.n_rows for shard in self.shards))
        k = bisect_right(ends, i)
        return f"{self.shards[k].source}:{i - (ends[k - 1] if k else 0) + 1}"

    def batches(
        self, columns: Sequence[str] = COLUMNS, *, rows: int = ROWS
    ) -> Iterator[pa.RecordBatch]:
        """Yield some columns of all verdicts, in order, `rows` at a time.

        Labels and statuses are dictionary arrays: their few names come once a batch.

        Raises:
            RunError: a shard is gone, is broken or lacks a column.
        """
        for shard in self.shards:
            yield from _shard_batches(shard, columns, rows)

    def run(self) -> Run:
        """The whole run, held.

        Raises:
            RunError: as `batches`, and where a verdict is out of range.
        """
        verdicts: list[Verdict] = []
        for batch in self.batches():
            columns = (batch.column(name).to_pylist() for name in COLUMNS)
            for row in zip(*columns, strict=True):
                verdicts.append(_verdict(row, self, len(verdicts)))
        return Run(self.name, tuple(verdicts), tuple(range(1, len(verdicts) + 1)), self.header)


def is_folder(source: str | Path) -> bool:
    """Whether a run of this name would be a folder, here or behind a URL."""
    if is_url(source):
        system, path = file_system(str(source))
        return bool(system.isdir(path))
    return is_directory(local_name(source))


def open_run_folder(source: str | Path) -> RunFolder:
    """Read the manifest of a run's folder and see that its shards are there.

    Raises:
        RunError: the run is not finished, the folder holds something else, or a shard is missing or
            has another size.
    """
    record, place = _manifest(source)
    if record.get("ensue_folder") != FOLDER_VERSION or record.get("kind") != "verdicts":
        kind = record.get("kind")
        raise RunError(
            "folder-not-verdicts",
            f"a folder of {kind!r}, not of verdicts" if kind else "not the manifest of a run",
            place=place,
            hint="name what 'ensue judge -o DIR/' wrote",
        )
    header = header_from_json(record, place=place)
    try:
        listed = [(str(s["file"]), int(s["rows"]), int(s["bytes"])) for s in record["shards"]]
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(
            "broken-manifest",
            f"broken manifest: {type(error).__name__}: {error}",
            place=place,
            hint=_AGAIN,
        ) from None
    shards = []
    for name, n_rows, n_bytes in listed:
        _check_size(_inside(source, name), n_bytes)
        shards.append(RunShard(_inside(source, name), n_rows))
    return RunFolder(str(source), header, tuple(shards))


def _manifest(source: str | Path) -> tuple[Mapping[str, Any], str]:
    place = _inside(source, MANIFEST)
    try:
        with _opened(place) as file:
            record = json.loads(file.read())
    except FileNotFoundError:
        raise RunError(
            "run-not-finished-no",
            "the run is not finished: it has no _manifest.json",
            place=str(source),
            hint="finish it: ensue judge … --resume",
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(
            "cannot-read-manifest", f"cannot read the manifest: {error}", place=place
        ) from None
    if not isinstance(record, dict):
        raise RunError("not-manifest-run", "not the manifest of a run", place=place)
    return record, place


def _check_size(source: str, n_bytes: int) -> None:
    try:
        if is_url(source):
            system, path = file_system(str(source))
            found = int(system.size(path))
        else:
            found = Path(source).stat().st_size
    except FileNotFoundError:
        raise RunError("shard-gone", "the shard is gone", place=source, hint=_AGAIN) from None
    except OSError as error:
        raise RunError(
            "cannot-read", f"cannot read: {error.strerror or error}", place=source
        ) from None
    if found != n_bytes:
        raise RunError(
            "shard-bytes-manifest-says",
            f"the shard has {found:,} bytes where the manifest says {n_bytes:,}",
            place=source,
            hint=_AGAIN,
        )


def _shard_batches(shard: RunShard, columns: Sequence[str], rows: int) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    try:
        with _parquet(shard.source) as table:
            _check_columns(table, shard)
            yield from table.iter_batches(batch_size=rows, columns=list(columns))
    except FileNotFoundError:
        raise RunError("shard-gone", "the shard is gone", place=shard.source, hint=_AGAIN) from None
    except (pa.ArrowException, OSError) as error:
        reason = (str(error).splitlines() or ["?"])[0]
        raise RunError(
            "broken-parquet", f"broken Parquet: {reason}", place=shard.source, hint=_AGAIN
        ) from None


def _check_columns(table: pq.ParquetFile, shard: RunShard) -> None:
    lacking = [column for column in COLUMNS if column not in table.schema_arrow.names]
    if lacking:
        raise RunError(
            "shard-no-column",
            f"the shard has no column {lacking[0]!r}",
            place=shard.source,
            hint=_AGAIN,
        )
    for column in COLUMNS:
        kind = table.schema_arrow.field(column).type
        if not _holds(kind, numbers=column in NUMBERS):
            raise RunError(
                "column-shard-holds",
                f"the column {column!r} of the shard holds {kind}",
                place=shard.source,
                hint=_AGAIN,
            )
    if table.metadata.num_rows != shard.n_rows:
        raise RunError(
            "shard-rows-manifest-says",
            f"the shard has {table.metadata.num_rows:,} rows where the manifest says"
            f" {shard.n_rows:,}",
            place=shard.source,
            hint=_AGAIN,
        )


def _holds(kind: pa.DataType, *, numbers: bool) -> bool:
    """Whether a column of this type holds numbers, or texts; one of nothing at all is both."""
    import pyarrow as pa

    if pa.types.is_null(kind):
        return True
    if numbers:
        return pa.types.is_floating(kind) or pa.types.is_integer(kind)
    own: Any = kind
    kind = own.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


@contextmanager
def _parquet(source: str) -> Iterator[pq.ParquetFile]:
    import pyarrow.parquet as pq

    if is_url(source):
        with _opened(source) as file, pq.ParquetFile(file, read_dictionary=_FEW) as table:
            yield table
    else:
        with pq.ParquetFile(source, read_dictionary=_FEW) as table:
            yield table


@contextmanager
def _opened(source: str) -> Iterator[Any]:
    if is_url(source):
        with open_url(source) as file:
            yield file
    else:
        with Path(source).open("rb") as file:
            yield file


def _inside(source: str | Path, name: str) -> str:
    if is_url(source):
        return f"{str(source).rstrip('/')}/{name}"
    return str(Path(local_name(source)) / name)


def _verdict(row: tuple[Any, ...], folder: RunFolder, i: int) -> Verdict:
    pair_id, label, score, confidence, status, reason = row
    try:
        if pair_id is None:
            raise ValueError("there is no pair_id")
        for what, number in (("score", score), ("confidence", confidence)):
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{what} is not a finite number")
        return Verdict(
            pair_id, Label(label) if label else None, score, confidence, Status(status), reason
        )
    except ValueError as error:
        raise RunError(
            "bad-verdict", f"verdict on {pair_id!r}: {error}", place=folder.place(i)
        ) from None
