"""The job of `ensue features`: features of the pairs of any source, shard by shard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from typing import Any

from ensue import __version__
from ensue.engine import (
    Counts,
    Input,
    Job,
    OnSnapshot,
    RunAccount,
    RunOptions,
    Shard,
    ShardSizes,
    fed_shards,
    row_facts,
    run_to_output,
)
from ensue.errors import EngineError
from ensue.features.extraction import (
    FeaturePair,
    FeatureReader,
    PairDirection,
    columns,
    empty_rows,
    feature_bytes,
    feature_rows,
    is_measured,
    open_reader,
)
from ensue.files import (
    Finding,
    OnFinding,
    OutputRow,
    RowFormat,
    check_outside,
    head_bytes,
    shown_name,
)
from ensue.language import analysis_counts, installed_model
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


# The job: what is measured.

# Measure the features of pairs: the job of `ensue features`.

BATCH = 256
"""Pairs measured at a time."""


class MeasuredPair:
    """The rows of a pair, and whether anything went wrong."""

    __slots__ = ("has_failed", "rows")

    def __init__(self, rows: list[OutputRow], has_failed: bool = False) -> None:
        self.rows = rows
        self.has_failed = has_failed

    @property
    def status(self) -> str:
        """What became of the pair."""
        if self.has_failed:
            return "failed"
        return "measured" if any(map(is_measured, self.rows)) else "without words"


@dataclass(frozen=True, slots=True)
class FeaturesJob(Job):
    """Measure pairs."""

    directions: tuple[PairDirection, ...]
    format: RowFormat
    signature: str
    """The driver's; every worker's has to be the same."""
    reading: ReadKeywords = field(hash=False)
    batch_size: int = BATCH
    sizes: ShardSizes = field(default_factory=lambda: ShardSizes(most=4096))

    @property
    def identity(self) -> Mapping[str, Any]:
        """The recipe of the rows; how they are batched is no part of it."""
        return {
            "job": "features",
            "features": self.signature,
            "directions": [each.value for each in self.directions],
            "reading": set_keywords(self.reading),
        }

    @property
    def suffix(self) -> str:
        """By the format."""
        return f".{self.format.value}"

    def load(self) -> FeatureReader:
        """Load the analyzer and the lexicon."""
        found = features_signature()
        if found != self.signature:
            raise EngineError(
                "worker-measures-other-features",
                f"a worker measures other features: {found}, not {self.signature}",
                hint="install the same version everywhere",
            )
        return open_reader()

    def items(self, shard: Shard, on_finding: OnFinding) -> Sequence[Pair]:
        """Its pairs."""
        return pairs_of(shard, self.reading, on_finding)

    def do(self, loaded: FeatureReader, items: Sequence[Pair]) -> Sequence[MeasuredPair]:
        """Their rows."""
        rows = feature_rows(list(map(_feature_pair, items)), loaded, self.directions)
        return list(map(MeasuredPair, rows))

    def failed(self, item: Pair, reason: str) -> MeasuredPair:  # noqa: ARG002 - the account has it
        """Empty cells."""
        return MeasuredPair(empty_rows(_feature_pair(item), self.directions), has_failed=True)

    def key(self, item: Pair) -> str:
        """The id."""
        return item.id

    def write(self, results: Sequence[MeasuredPair]) -> bytes:
        """The lines, or the table."""
        rows = [row for result in results for row in result.rows]
        return feature_bytes(rows, self.directions, self.format)

    def n_rows(self, results: Sequence[MeasuredPair]) -> int:
        """One for each direction."""
        return len(results) * len(self.directions)

    def counts(self, results: Sequence[MeasuredPair]) -> Counts:
        """By what became of them."""
        return {"status": dict(Counter(result.status for result in results))}

    def figures(self) -> Mapping[str, int]:
        """Texts analyzed, and found analyzed."""
        return analysis_counts()

    def head(self, given: Input, account: RunAccount | None) -> bytes:  # noqa: ARG002
        """The names of columns."""
        return head_bytes(columns(self.directions), self.format)

    def facts(self, given: Input, account: RunAccount) -> Mapping[str, Any]:  # noqa: ARG002
        """How they were made, and at what cost."""
        said = {"signature": self.signature, "directions": [each.value for each in self.directions]}
        return row_facts("features", "pairs", said, account)


def features_signature() -> str:
    """What features depend on beside the texts; nothing is loaded."""
    return f"features|analyzer:{installed_model()}|version:{__version__}"


def _feature_pair(pair: Pair) -> FeaturePair:
    gold = pair.gold.value if pair.gold else None
    return FeaturePair(pair.id, gold, pair.task, pair.text, pair.hypothesis)


# Measure the pairs of any source: what `ensue features` calls.


def measure_source(
    source: str,
    output: str,
    *,
    format: RowFormat,
    directions: Sequence[PairDirection] = (PairDirection.FORWARD,),
    reading: ReadKeywords | None = None,
    options: RunOptions | None = None,
    on_finding: Callable[[Finding], None] = lambda _: None,
    on_snapshot: OnSnapshot | None = None,
    on_survey: Callable[[int], None] | None = None,
) -> RunAccount:
    """Measure the pairs of a source and write their features, a row for each direction.

    Args:
        source: A file, folder, glob or URL of pairs; or `-`, which cannot be resumed.
        output: A folder of shards, where it is one or its name ends in `/`; one file; or `-`.
        format: How rows are written; a folder is of Parquet.
        directions: Which side is taken for the text.
        reading: How the source is read.
        options: Engine and workers, and whether to resume or to restart.
        on_finding: Called with each finding of this process; workers' are in the account.
        on_snapshot: Called with a `Snapshot` every two seconds.
        on_survey: Called with how many more bytes were looked through before the run begins.

    Raises:
        DataError: the pairs cannot be read.
        RunError: the unfinished run was begun with other pairs, reading or directions.
        OutputError: another process writes there, or there is a run, and neither to resume nor
            to restart was asked.
        EngineError: workers cannot be had, or do not live.
    """
    check_outside(output, source)
    reading, options = reading or ReadKeywords(), options or RunOptions()
    given = pair_input(source, reading, on_finding=on_finding, progress=on_survey)
    job = FeaturesJob(tuple(directions), format, features_signature(), reading)
    what = f"features of {given.name}"
    return run_to_output(job, given, output, options, what=what, on_snapshot=on_snapshot)
