"""The jobs of `ensue mt score` and `ensue mt features`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ensue import __version__
from ensue.engine import (
    Input,
    Job,
    OnSnapshot,
    RowAssembly,
    RunAccount,
    RunOptions,
    RunOutcome,
    Shard,
    ShardSizes,
    is_folder,
    run_account,
    run_to_output,
)
from ensue.errors import EngineError, RunError
from ensue.features import open_reader
from ensue.files import FileFormat, head_bytes, row_bytes
from ensue.language import analysis_counts, installed_model
from ensue.pairs import Finding
from ensue.translation.features.tables import (
    FeatureSet,
    FeatureSummary,
    FeatureTable,
    Meter,
    SeenFeatures,
    feature_names,
    fingerprint,
    joined,
    output_bytes,
    output_columns,
    output_rows,
)
from ensue.translation.formats.scores import (
    ScoreFormat,
    check_finite,
    score_bytes,
    score_columns,
    score_format,
    score_head,
)
from ensue.translation.formats.sets import TranslationSet
from ensue.translation.job_input import (
    KnownReferences,
    SetSources,
    known_references,
    segment_input,
    segment_key,
)
from ensue.translation.metrics.scores import Metric, ScoredBatch, ScoreSummary, SystemSummary
from ensue.translation.metrics.storage import RECORD, ready_metric
from ensue.translation.segments import Numbers, OutputKey, Segment

# Score outputs: the job of `ensue mt score`.

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

    def begin(self) -> ScoreWork:
        """Load the metrics, and let them know the references."""
        metrics = ready_metrics(self.metrics, self.references)
        found = tuple(metric.signature for metric in metrics)
        if found != self.signatures:
            raise EngineError(
                f"a worker has other metrics: {found}, not {self.signatures}",
                hint="install the same version everywhere, and put trained metrics where every"
                " worker sees them",
            )
        return ScoreWork(self, metrics)


def ready_metrics(names: Sequence[str], references: KnownReferences) -> list[Metric]:
    """The metrics of these names, knowing all references; made once in a process."""
    key = (*names, references)
    if not _ready or _ready[0][0] != key:
        known = references.read()
        _ready[:] = [(key, [ready_metric(name, known) for name in names])]
    return _ready[0][1]


class ScoreWork:
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


# Measure the features of outputs: the job of `ensue mt features`.


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredSegment:
    """The features of a segment's outputs."""

    table: FeatureTable
    has_failed: bool = False


@dataclass(frozen=True, slots=True)
class OutputFeaturesJob:
    """Measure the outputs of segments."""

    feature_set: FeatureSet
    signature: str
    """The driver's; every worker's has to be the same."""
    references: KnownReferences
    format: FileFormat
    batch_size: int
    sizes: ShardSizes

    @property
    def identity(self) -> Mapping[str, Any]:
        """The recipe of the rows."""
        return {
            "job": "mt features",
            "features": self.signature,
            "language pair": self.references.sources.language_pair,
            "encoding": self.references.sources.encoding,
        }

    @property
    def suffix(self) -> str:
        """By the format."""
        return f".{self.format.value}"

    def begin(self) -> OutputFeaturesWork:
        """Load what the set needs, and count the references."""
        found = output_features_signature(self.feature_set)
        if found != self.signature:
            raise EngineError(
                f"a worker measures other features: {found}, not {self.signature}",
                hint="install the same version everywhere",
            )
        reader = open_reader() if self.feature_set.needs_analyzer else None
        meter = Meter(self.feature_set, reader).informed(self.references.read())
        return OutputFeaturesWork(self, meter)


def output_features_signature(feature_set: FeatureSet) -> str:
    """What features depend on beside the texts; nothing is loaded."""
    analyzer = f"|analyzer:{installed_model()}" if feature_set.needs_analyzer else ""
    return f"{feature_set.value}|{fingerprint(feature_set)}{analyzer}|version:{__version__}"


class OutputFeaturesWork:
    """A meter at work on shards."""

    def __init__(self, job: OutputFeaturesJob, meter: Meter) -> None:
        self._job = job
        self._meter = meter
        self.batch_size = job.batch_size

    def items(self, shard: Shard, on_finding: Callable[[Finding], None]) -> Sequence[Segment]:  # noqa: ARG002
        """Its segments, which the driver has read."""
        return shard.items or ()

    def results(self, items: Sequence[Segment]) -> Sequence[MeasuredSegment]:
        """Their features."""
        table = self._meter.table(items)
        ends = np.cumsum([len(segment.outputs) for segment in items])
        places = np.split(np.arange(len(table)), ends[:-1])
        return [MeasuredSegment(table.chosen(rows)) for rows in places]

    def failed(self, item: Segment, reason: str) -> MeasuredSegment:  # noqa: ARG002 - the account has it
        """Empty cells."""
        keys, names = tuple(item.output_keys()), feature_names(self._job.feature_set)
        table = FeatureTable(keys, names, np.full((len(keys), len(names)), np.nan))
        return MeasuredSegment(table, has_failed=True)

    def key(self, item: Segment) -> str:
        """Its language pair and id."""
        return segment_key(item)

    def encoded(self, results: Sequence[MeasuredSegment]) -> bytes:
        """The lines, or the table."""
        rows = [row for result in results for row in output_rows(result.table)]
        return output_bytes(rows, self._job.feature_set, self._job.format)

    def counts(self, results: Sequence[MeasuredSegment]) -> dict[str, dict[str, int]]:
        """Segments by what became of them."""
        n_failed = sum(result.has_failed for result in results)
        found = {"measured": len(results) - n_failed, "failed": n_failed}
        return {"status": {name: n for name, n in found.items() if n}}

    def content(self, items: Sequence[Segment]) -> Any:  # noqa: ARG002 - nobody compares it
        """Nothing."""
        return None

    def figures(self) -> dict[str, int]:
        """Texts analyzed, and found analyzed."""
        return analysis_counts()

    def n_rows(self, results: Sequence[MeasuredSegment]) -> int:
        """One for each output."""
        return sum(len(result.table) for result in results)

    def summary(self, results: Sequence[MeasuredSegment]) -> Any:
        """The sums of features, as `SeenFeatures` has them."""
        seen = SeenFeatures(len(feature_names(self._job.feature_set)))
        if results:
            seen.add(joined([result.table for result in results]))
        return seen.state()


# Score and measure the outputs of translation sets: what `ensue mt score` and `features` call.


@dataclass(frozen=True, slots=True)
class ScoredSet:
    """What scoring came to."""

    account: RunAccount
    metrics: tuple[Metric, ...]
    """As they scored."""
    systems: tuple[SystemSummary, ...]
    """What they say of systems; none where it was not asked for."""


def score_set(
    found: TranslationSet,
    sources: SetSources,
    output: str,
    metrics: Sequence[str],
    *,
    format: ScoreFormat | None = None,
    is_summed: bool = True,
    spread: RunOptions | None = None,
    on_snapshot: OnSnapshot | None = None,
) -> ScoredSet:
    """Score all outputs of a set and write the scores, so that it can go on after an interruption.

    Args:
        found: The set.
        sources: What it was opened from.
        output: A folder of Parquet shards, where it is one or its name ends in `/`; one file; or
            `-`.
        metrics: Their names or directories.
        format: How a file is written; by its name where it is None.
        is_summed: Whether it is also said what the scores mean for systems.
        spread: Who scores, and what becomes of an unfinished run.
        on_snapshot: Is told where the run stands.

    Raises:
        DataError: the texts cannot be read.
        SettingError: the metrics do not go into one file, or no format is known.
        RunError: the unfinished run was begun with other texts or metrics.
        OutputError: a score is not finite, another process writes there, or there is a run, and
            neither to resume nor to restart was asked.
        EngineError: workers cannot be had, or do not live.
    """
    chosen = None if is_folder(output) else score_format(output, format)
    named = tuple(_placed(name) for name in dict.fromkeys(metrics))
    given, references = segment_input(found, sources), known_references(found, sources)
    ready = ready_metrics(named, references)
    names = [metric.name for metric in ready]
    signatures = tuple(metric.signature for metric in ready)
    both = list(zip(names, signatures, strict=True))
    top = score_head(both, chosen or ScoreFormat.JSONL)  # also sees that the names go together
    job = ScoreJob(named, signatures, references, chosen, is_summed, given.batch_size, given.sizes)
    assembly = RowAssembly(
        "scores",
        "segments",
        {"metrics": [{"name": name, "signature": signature} for name, signature in both]},
        top,
        None if chosen else score_table_bytes(names, [], np.empty((0, len(names)))),
    )
    what = f"scores of {found.name}"
    outcome = _delivered(job, given, output, spread, assembly, what, on_snapshot)
    summary = ScoreSummary(ready)
    for account in outcome.accounts:
        summary.extend(account.summary or [])
    return ScoredSet(run_account(outcome), tuple(ready), tuple(summary.rows()))


def measure_set(
    found: TranslationSet,
    sources: SetSources,
    output: str,
    feature_set: FeatureSet,
    *,
    format: FileFormat,
    spread: RunOptions | None = None,
    on_snapshot: OnSnapshot | None = None,
) -> tuple[RunAccount, FeatureSummary]:
    """Measure all outputs of a set and write their features; say what these were like.

    Args:
        found: The set.
        sources: What it was opened from.
        output: A folder of shards, where it is one or its name ends in `/`; one file; or `-`.
        feature_set: What is measured.
        format: How rows are written; a folder is of Parquet.
        spread: Who measures, and what becomes of an unfinished run.
        on_snapshot: Is told where the run stands.

    Raises:
        EnsueError: as `score_set`.
    """
    given, references = segment_input(found, sources), known_references(found, sources)
    job = OutputFeaturesJob(
        feature_set,
        output_features_signature(feature_set),
        references,
        format,
        given.batch_size,
        given.sizes,
    )
    assembly = RowAssembly(
        "output features",
        "segments",
        {"signature": job.signature},
        head_bytes(output_columns(feature_set), format),
        output_bytes([], feature_set, format) if format is FileFormat.PARQUET else None,
    )
    what = f"features of {found.name}"
    outcome = _delivered(job, given, output, spread, assembly, what, on_snapshot)
    names = feature_names(feature_set)
    seen = SeenFeatures(len(names))
    for account in outcome.accounts:
        seen.extend(account.summary)
    return run_account(outcome), seen.summary(names)


def _delivered(
    job: Job,
    given: Input,
    output: str,
    spread: RunOptions | None,
    assembly: RowAssembly,
    what: str,
    on_snapshot: OnSnapshot | None,
) -> RunOutcome:
    outcome = run_to_output(
        job, given, output, spread or RunOptions(), assembly, what=what, on_snapshot=on_snapshot
    )
    if outcome is None:  # rows do not say how they were made, so they are never taken for finished
        raise RunError(f"nothing was written into {output!r}")
    return outcome


def _placed(metric: str) -> str:
    """A metric's name, or the place of its directory: workers may have another one."""
    path = Path(metric)
    return str(path.absolute()) if (path / RECORD).is_file() else metric
