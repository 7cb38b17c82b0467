"""Measure the features of pairs: the job of `ensue features`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ensue import __version__
from ensue.engine.jobs.judging import pairs_of, plain
from ensue.engine.model import Shard, ShardSizes
from ensue.errors import EngineError
from ensue.features.reading import FeatureReader, open_reader
from ensue.features.rows import FileFormat, Row
from ensue.features.writing import (
    Direction,
    FeaturePair,
    empty_rows,
    feature_bytes,
    feature_rows,
    is_measured,
)
from ensue.language.analysis import analysis_counts, installed_model
from ensue.pairs import Finding, Pair
from ensue.pairs.reading import Reading

BATCH = 256
"""Pairs measured at a time."""


class MeasuredPair:
    """The rows of a pair, and whether anything went wrong."""

    __slots__ = ("has_failed", "rows")

    def __init__(self, rows: list[Row], has_failed: bool = False) -> None:
        self.rows = rows
        self.has_failed = has_failed

    @property
    def status(self) -> str:
        """What became of the pair."""
        if self.has_failed:
            return "failed"
        return "measured" if any(map(is_measured, self.rows)) else "without words"


@dataclass(frozen=True, slots=True)
class FeaturesJob:
    """Measure pairs."""

    directions: tuple[Direction, ...]
    format: FileFormat
    signature: str
    """The driver's; every worker's has to be the same."""
    reading: Reading = field(hash=False)
    batch_size: int = BATCH
    sizes: ShardSizes = field(default_factory=lambda: ShardSizes(most=4096))

    @property
    def identity(self) -> Mapping[str, Any]:
        """The recipe of the rows; how they are batched is no part of it."""
        return {
            "job": "features",
            "features": self.signature,
            "directions": [each.value for each in self.directions],
            "reading": plain(self.reading),
        }

    @property
    def suffix(self) -> str:
        """By the format."""
        return f".{self.format.value}"

    def begin(self) -> MeasuringPairs:
        """Load the analyzer and the lexicon."""
        check_signature(self.signature)
        return MeasuringPairs(self, open_reader())


def features_signature() -> str:
    """What features depend on beside the texts; nothing is loaded."""
    return f"features|analyzer:{installed_model()}|version:{__version__}"


def check_signature(wanted: str) -> None:
    """See that features are measured here as they are where the run was begun.

    Raises:
        EngineError: they are not.
    """
    if features_signature() != wanted:
        raise EngineError(
            f"a worker measures other features: {features_signature()}, not {wanted}",
            hint="install the same version everywhere",
        )


class MeasuringPairs:
    """A reader at work on shards."""

    def __init__(self, job: FeaturesJob, reader: FeatureReader) -> None:
        self._job = job
        self._reader = reader
        self.batch_size = job.batch_size

    def items(self, shard: Shard, on_finding: Callable[[Finding], None]) -> Sequence[Pair]:
        """Its pairs."""
        return pairs_of(shard, self._job.reading, on_finding)

    def results(self, items: Sequence[Pair]) -> Sequence[MeasuredPair]:
        """Their rows."""
        rows = feature_rows(list(map(_feature_pair, items)), self._reader, self._job.directions)
        return list(map(MeasuredPair, rows))

    def failed(self, item: Pair, reason: str) -> MeasuredPair:  # noqa: ARG002 - the account has it
        """Empty cells."""
        return MeasuredPair(empty_rows(_feature_pair(item), self._job.directions), has_failed=True)

    def key(self, item: Pair) -> str:
        """The id."""
        return item.id

    def encoded(self, results: Sequence[MeasuredPair]) -> bytes:
        """The lines, or the table."""
        rows = [row for result in results for row in result.rows]
        return feature_bytes(rows, self._job.directions, self._job.format)

    def counts(self, results: Sequence[MeasuredPair]) -> dict[str, dict[str, int]]:
        """By what became of them."""
        return {"status": dict(Counter(result.status for result in results))}

    def content(self, items: Sequence[Pair]) -> Any:  # noqa: ARG002 - nobody compares it
        """Nothing."""
        return None

    def figures(self) -> dict[str, int]:
        """Texts analyzed, and found analyzed."""
        return analysis_counts()

    def n_rows(self, results: Sequence[MeasuredPair]) -> int:
        """One for each direction."""
        return len(results) * len(self._job.directions)

    def summary(self, results: Sequence[MeasuredPair]) -> Any:  # noqa: ARG002 - as above
        """Nothing."""
        return None


def _feature_pair(pair: Pair) -> FeaturePair:
    gold = pair.gold.value if pair.gold else None
    return FeaturePair(pair.id, gold, pair.task, pair.text, pair.hypothesis)
