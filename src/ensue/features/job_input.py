"""Pairs as the input of a job: files that workers read in parts, or pairs that they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any

from ensue.engine import Input, Shard, ShardSizes, fed_shards
from ensue.files import OnFinding, shown_name
from ensue.pairs import (
    Pair,
    ReadKeywords,
    Survey,
    SurveyedFile,
    dataset_name,
    read_pairs,
    read_part,
    survey,
)

_BYTES = 300
"""Of a pair in a file, where they cannot be counted without reading them."""
_PACKED = (".gz", ".bz2", ".xz", ".zst", ".lz4")
_PACKING = 4
"""How many times as large packed files are when they are unpacked."""
_MANY = 200_000
"""Pairs of a stream that has more than are worth a look ahead."""


def pair_input(
    source: str,
    reading: ReadKeywords,
    *,
    on_finding: OnFinding,
    progress: Callable[[int], None] | None = None,
) -> Input:
    """Look through a source of pairs once: what it is, and where its pairs lie.

    Args:
        source: A file, folder, glob or URL of pairs; or `-`.
        reading: How it is read.
        on_finding: Called with what the driver finds when it reads; the findings of workers are in
            the accounts of shards.
        progress: Called with how many more bytes were looked through.

    Raises:
        DataError: there is no such file, or one cannot be read as what it claims to be.
    """
    found = survey(source, progress=progress, **reading)
    if not found.files:
        return _stream_input(found, read_pairs(source, on_finding=on_finding, **reading))

    def fed(size: int) -> Iterator[Shard]:
        return fed_shards(read_pairs(source, on_finding=on_finding, **reading), size)

    n_rows = found.n_rows
    return Input(
        dataset_name(source),
        partial(_located, found) if found.is_located else fed,
        sum(map(_unpacked, found.files)) // _BYTES if n_rows is None else n_rows,
        _record(found),
        found.digest,
        n_rows,
        found.is_located,
    )


def _located(found: Survey, size: int) -> Iterator[Shard]:
    return (Shard(i, parts=parts) for i, parts in enumerate(found.parts(size)))


def _stream_input(found: Survey, pairs: Iterator[Pair]) -> Input:
    """What can be read only once."""
    ahead = list(islice(pairs, ShardSizes().alone))
    n = len(ahead) if len(ahead) < ShardSizes().alone else _MANY
    shards = partial(fed_shards, chain(ahead, pairs))
    return Input(dataset_name(found.source), shards, n, _record(found))


def _record(found: Survey) -> Mapping[str, Any]:
    return {
        "source": shown_name(found.source),
        "digest": found.digest,
        "files": [
            {
                "name": shown_name(each.source),
                "bytes": each.size,
                "digest": each.digest,
                "rows": each.rows,
            }
            for each in found.files
        ],
    }


def _unpacked(file: SurveyedFile) -> int:
    """About how many bytes a file has when it is read."""
    return file.size * _PACKING if file.source.lower().endswith(_PACKED) else file.size


def pairs_of(shard: Shard, reading: ReadKeywords, on_finding: OnFinding) -> Sequence[Pair]:
    """The pairs of a shard, read here or sent with it."""
    if shard.items is not None:
        return shard.items
    parts = (read_part(part, on_finding=on_finding, **reading) for part in shard.parts)
    return list(chain.from_iterable(parts))


def set_keywords(reading: ReadKeywords) -> dict[str, Any]:
    """What a reading says, without what it leaves open."""
    return {name: value for name, value in reading.items() if value}
