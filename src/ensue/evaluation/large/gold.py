"""Gold as columns: ids, labels as codes and tasks; texts are not read where they need not be."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from ensue.evaluation.large.columns import ID, LABELS, NONE, Columns, spooled, spooled_line
from ensue.evaluation.large.gold_files import GoldFile, n_rows_of
from ensue.pairs import Pair
from ensue.pairs.files import shown_name
from ensue.pairs.formats.model import OnFinding, ignore, report_no_gold
from ensue.pairs.reading import Reading, id_prefixes, read_files, read_options, recognized
from ensue.pairs.sources import expand, is_stream

if TYPE_CHECKING:
    import pyarrow as pa

_CODES = {label: i for i, label in enumerate(LABELS)}

Files = Iterator[tuple[str, Iterator[tuple[int, Pair]]]]
"""Pairs with their lines, file by file, as `read_files` gives them."""


def parquet_files(source: str | Path, format: str | None = None) -> list[str] | None:
    """The files of a source that is Parquet altogether; None where it is not.

    Raises:
        DataError: there is nothing, or nothing that can be read.
    """
    if is_stream(source):
        return None
    files = expand(source)
    for file in files:
        with recognized(file, format) as (_, kind):
            if kind.name != "parquet":
                return None
    return files


def parquet_rows(source: str | Path, format: str | None = None) -> int | None:
    """How many rows a source has that is Parquet altogether; None where it is not."""
    files = parquet_files(source, format)
    return None if files is None else sum(map(n_rows_of, files))


def gold_columns(
    source: str | Path,
    spool: Path,
    *,
    tasks: bool = True,
    on_finding: OnFinding | None = None,
    **reading: Unpack[Reading],
) -> Columns:
    """Open gold of any size as columns `id`, `gold` (a code, int8) and `task`.

    Args:
        source: A file, a folder, a glob, the URL of one of them, or `-`.
        spool: A file to be written, where gold that is not in Parquet is kept.
        tasks: Whether tasks are wanted.
        on_finding: Is told of problems that do not stop the reading, once each.
        **reading: How to read it: the fields of `Reading`.

    Raises:
        DataError: a file cannot be read as what it claims to be.
    """
    name = shown_name(source)
    files = parquet_files(source, reading.get("format"))
    if files is None:
        return spooled_gold(read_files(source, on_finding=on_finding, **reading), name, spool)
    options = read_options(reading)
    parts = [
        GoldFile(file, replace(options, id_prefix=prefix), tasks)
        for file, prefix in zip(files, id_prefixes(files), strict=True)
    ]
    return _of_parquet(parts, name, on_finding or ignore)


def spooled_gold(files: Files, name: str, spool: Path) -> Columns:
    """Keep pairs that come once as columns on disk."""
    import pyarrow as pa

    starts: list[int] = []
    names: list[str] = []

    def rows() -> Iterator[tuple[Any, ...]]:
        n = 0
        for file, located in files:
            starts.append(n)
            names.append(file)
            for line, pair in located:
                code = NONE if pair.gold is None else _CODES[pair.gold]
                yield pair.id, code, pair.task or None, line
                n += 1

    fields: list[pa.Field[Any]] = [
        pa.field(ID, pa.string()),
        pa.field("gold", pa.int8()),
        pa.field("task", pa.string()),
        pa.field("line", pa.int64()),
    ]
    n_rows, read = spooled(rows(), pa.schema(fields), spool)
    return Columns(
        name,
        n_rows,
        read,
        lambda i: f"{names[bisect_right(starts, i) - 1]}:{spooled_line(spool, i)}",
    )


def _of_parquet(parts: Sequence[GoldFile], name: str, on_finding: OnFinding) -> Columns:
    ends = list(accumulate(part.n_rows for part in parts))
    starts = [0, *ends[:-1]]
    told = 0  # rows whose findings were told: what is read again is not told again

    def read() -> Iterator[pa.RecordBatch]:
        nonlocal told
        for part, start in zip(parts, starts, strict=True):
            for batch, first, without in part.batches():
                for row, label, pair_id in without:
                    if start + row > told:
                        report_no_gold(label, pair_id, f"{part.name}:{row}", on_finding)
                told = max(told, start + first + len(batch) - 1)
                yield batch

    def place(i: int) -> str:
        k = bisect_right(ends, i)
        return f"{parts[k].name}:{i - starts[k] + 1}"

    return Columns(name, ends[-1] if ends else 0, read, place)
