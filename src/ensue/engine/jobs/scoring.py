"""Score outputs: the job of `ensue mt score`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ensue.engine.jobs.translation import KnownReferences, segment_key
from ensue.engine.model import Shard, ShardSizes
from ensue.errors import EngineError
from ensue.features.reading import open_reader
from ensue.features.rows import FileFormat, row_bytes
from ensue.language.analysis import analysis_counts
from ensue.pairs import Finding
from ensue.translation import OutputKey, Segment
from ensue.translation.metrics import (
    Metric,
    ScoredBatch,
    ScoreSummary,
    WeightedMetric,
    load_metric,
)
from ensue.translation.model import Numbers
from ensue.translation.reading.score_writing import (
    ScoreFormat,
    check_finite,
    score_bytes,
    score_columns,
)

_ready: list[tuple[tuple[Any, ...], list[Metric]]] = []
"""The last metrics of this process, with what they are known by: a driver may be its own worker."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSegment:
    """A segment with its scores."""

    segment: Segment
    values: Numbers | None
    """A row an output, a column a metric; None where it could not be scored."""


@dataclass(frozen=True, slots=True)
class ScoreJob:
    """Score the outputs of segments with metrics."""

    metrics: tuple[str, ...]
    """Their names or directories, as on the command line."""
    signatures: tuple[str, ...]
    """The driver's; every worker's have to be the same."""
    references: KnownReferences
    format: ScoreFormat | None
    """None for Parquet."""
    is_summed: bool
    """Whether the accounts say what the scores mean for systems."""
    batch_size: int
    sizes: ShardSizes

    @property
    def identity(self) -> Mapping[str, Any]:
        """The recipe of the scores."""
        return {
            "job": "mt score",
            "metrics": list(self.signatures),
            "language pair": self.references.sources.language_pair,
            "encoding": self.references.sources.encoding,
            "summed": self.is_summed,
        }

    @property
    def suffix(self) -> str:
        """By the format."""
        return f".{self.format.value if self.format else FileFormat.PARQUET.value}"

    def begin(self) -> Scoring:
        """Load the metrics, and let them know the references."""
        metrics = ready_metrics(self.metrics, self.references)
        found = tuple(metric.signature for metric in metrics)
        if found != self.signatures:
            raise EngineError(
                f"a worker has other metrics: {found}, not {self.signatures}",
                hint="install the same version everywhere, and put trained metrics where every"
                " worker sees them",
            )
        return Scoring(self, metrics)


def ready_metrics(names: Sequence[str], references: KnownReferences) -> list[Metric]:
    """The metrics of these names, knowing all references; made once in a process."""
    key = (*names, references)
    if not _ready or _ready[0][0] != key:
        known = references.read()
        _ready[:] = [(key, [_read_by_one(load_metric(name)).informed(known) for name in names])]
    return _ready[0][1]


def _read_by_one(metric: Metric) -> Metric:
    """The metric with a reader of this process, where it needs one."""
    if isinstance(metric, WeightedMetric) and metric.feature_set.needs_analyzer:
        return metric.with_reader(open_reader())
    return metric


class Scoring:
    """Metrics at work on shards."""

    def __init__(self, job: ScoreJob, metrics: Sequence[Metric]) -> None:
        self._job = job
        self._metrics = metrics
        self._names = [metric.name for metric in metrics]
        self.batch_size = job.batch_size

    def items(self, shard: Shard, on_finding: Callable[[Finding], None]) -> Sequence[Segment]:  # noqa: ARG002
        """Its segments, which the driver has read."""
        return shard.items or ()

    def results(self, items: Sequence[Segment]) -> Sequence[ScoredSegment]:
        """Their scores."""
        values = np.column_stack([metric.scores(items) for metric in self._metrics])
        ends = np.cumsum([len(segment.outputs) for segment in items])
        return list(map(ScoredSegment, items, np.split(values, ends[:-1])))

    def failed(self, item: Segment, reason: str) -> ScoredSegment:  # noqa: ARG002 - the account has it
        """No scores: a number would be taken for one."""
        return ScoredSegment(item, None)

    def key(self, item: Segment) -> str:
        """Its language pair and id."""
        return segment_key(item)

    def encoded(self, results: Sequence[ScoredSegment]) -> bytes:
        """The lines, or the table, of outputs that were scored."""
        batch = _batch(results, len(self._names))
        if self._job.format is not None:
            return score_bytes(self._names, batch.outputs, batch.values, self._job.format)
        check_finite(self._names, batch.outputs, batch.values)
        return score_table_bytes(self._names, batch.outputs, batch.values)

    def counts(self, results: Sequence[ScoredSegment]) -> dict[str, dict[str, int]]:
        """Segments by what became of them."""
        n_failed = sum(result.values is None for result in results)
        found = {"scored": len(results) - n_failed, "failed": n_failed}
        return {"status": {name: n for name, n in found.items() if n}}

    def content(self, items: Sequence[Segment]) -> Any:  # noqa: ARG002 - nobody compares it
        """Nothing."""
        return None

    def figures(self) -> dict[str, int]:
        """Texts analyzed, and found analyzed."""
        return analysis_counts()

    def n_rows(self, results: Sequence[ScoredSegment]) -> int:
        """One for each output."""
        return sum(len(result.values) for result in results if result.values is not None)

    def summary(self, results: Sequence[ScoredSegment]) -> Any:
        """The sums of systems, as `ScoreSummary` has them."""
        if not self._job.is_summed:
            return None
        summary = ScoreSummary(self._metrics)
        summary.add(_batch(results, len(self._names)))
        return summary.state()


def score_table_bytes(names: Sequence[str], outputs: Sequence[OutputKey], values: Numbers) -> bytes:
    """Scores as a Parquet file."""
    columns = score_columns(names)
    rows = [[*key, *row] for key, row in zip(outputs, values.tolist(), strict=True)]
    numbers = set(columns[len(OutputKey._fields) :])
    return row_bytes(columns, rows, format=FileFormat.PARQUET, numbers=numbers)


def _batch(results: Sequence[ScoredSegment], n_metrics: int) -> ScoredBatch:
    scored = [(each.segment, each.values) for each in results if each.values is not None]
    segments = [segment for segment, _ in scored]
    outputs = tuple(key for segment in segments for key in segment.output_keys())
    values = np.concatenate([np.empty((0, n_metrics)), *(values for _, values in scored)])
    return ScoredBatch(segments, outputs, values)
