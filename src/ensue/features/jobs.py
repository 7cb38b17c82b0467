"""The job of `ensue features`: features of the pairs of any source, shard by shard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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
from ensue.features.job_input import pair_input, pairs_of, set_keywords
from ensue.files import Finding, OnFinding, OutputRow, RowFormat, check_outside, head_bytes
from ensue.language import analysis_counts, installed_model
from ensue.pairs import Pair, ReadKeywords

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
