"""The jobs of `ensue mt score` and `ensue mt features`, and the sets that are their input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

import numpy as np

from ensue import __version__
from ensue.engine import (
    Counts,
    Input,
    Job,
    OnSnapshot,
    RunAccount,
    RunOptions,
    ShardSizes,
    fed_shards,
    is_folder,
    row_facts,
    run_to_output,
)
from ensue.errors import EngineError
from ensue.features import open_reader
from ensue.files import STANDARD, OnFinding, RowFormat, head_bytes, is_file
from ensue.language import analysis_counts, installed_model
from ensue.translation.features.tables import (
    BATCH,
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
from ensue.translation.formats.scores import ScoreFormat, score_bytes, score_format, score_head
from ensue.translation.formats.sets import TranslationSet, open_set
from ensue.translation.metrics.scores import Metric, ScoredBatch, ScoreSummary, SystemSummary
from ensue.translation.metrics.trained_metrics import RECORD, ready_metric
from ensue.translation.systems import Numbers, Segment

References = tuple[tuple[str, ...], ...]

_ALONE = 1000
"""Fewer outputs are done without other processes."""
_BATCHES = 8
"""Batches in a shard, at most."""
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class SetSources:
    """What a translation set is opened from; the fields are the arguments of `open_set`."""

    data: tuple[str, ...]
    references: tuple[str, ...] = ()
    judgments: tuple[str, ...] = ()
    language_pair: str | None = None
    encoding: str | None = None

    @property
    def is_stream(self) -> bool:
        """Whether it can be opened only once."""
        return STANDARD in (*self.data, *self.judgments)

    def open(self, on_finding: OnFinding | None = None) -> TranslationSet:
        """Open it.

        Raises:
            DataError: as `open_set`.
        """
        return open_set(
            self.data,
            references=self.references,
            judgments=self.judgments,
            language_pair=self.language_pair,
            encoding=self.encoding,
            on_finding=on_finding,
        )

    def absolute(self) -> SetSources:
        """The same, with places that do not hang on the current directory."""
        return replace(
            self,
            data=_absolute(self.data),
            references=_absolute(self.references),
            judgments=_absolute(self.judgments),
        )

    def files(self) -> Iterator[tuple[str, Path]]:
        """All files, each with the name that it has in what was named."""
        for name in (*self.data, *self.references, *self.judgments):
            path = Path(name)
            if not path.is_dir():
                yield path.name, path
                continue
            for each in sorted(path.rglob("*")):
                if each.is_file() and not each.name.startswith("."):
                    yield str(each.relative_to(path)), each


def _absolute(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name if name == STANDARD else str(Path(name).absolute()) for name in names)


def segment_input(found: TranslationSet, sources: SetSources) -> Input:
    """The segments of a set that was opened from sources; all files are hashed."""
    files = () if sources.is_stream else tuple(_hashed(*each) for each in sources.files())
    digest = _files_digest(files) if files else None
    named = [*sources.data, *sources.references, *sources.judgments]
    return Input(
        found.name,
        lambda size: fed_shards(found.segments(), size),
        found.n_segments,
        {"source": named, "digest": digest, "files": list(files)},
        digest,
        found.n_segments,
    )


def segment_sizes(found: TranslationSet) -> ShardSizes:
    """By the number of outputs of a segment; the least is a batch."""
    n_systems = max((len(part.systems) for part in found.parts), default=1) or 1
    batch = max(1, BATCH // n_systems)
    return ShardSizes(batch, _BATCHES * batch, max(1, _ALONE // n_systems))


def _files_digest(files: Iterable[Mapping[str, Any]]) -> str:
    """The hash of all files and their names, which say which system wrote them."""
    said = "\n".join(f"{each['name']} {each['digest']}" for each in files)
    return sha256(said.encode("utf-8", "surrogateescape")).hexdigest()


def _hashed(name: str, path: Path) -> Mapping[str, Any]:
    total, size = sha256(), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            total.update(block)
            size += len(block)
    return {"name": name, "bytes": size, "digest": total.hexdigest()}


@dataclass(frozen=True, slots=True)
class KnownReferences:
    """What workers are told of the references of a whole set, which NIST has to know."""

    sources: SetSources
    """Where they are read, once by each worker: what is learned of them is far larger than they."""
    digest: str
    """Of the references, so that no worker learns from others."""
    held: References | None = None
    """The references themselves, where nobody can read them again."""

    def read(self) -> References:
        """Read them.

        Raises:
            EngineError: they are not those of the driver.
            DataError: they cannot be read here.
        """
        found = self.held if self.held is not None else tuple(self.sources.open().references())
        if _digest(found) != self.digest:
            raise EngineError(
                "worker-reads-other-references",
                "a worker reads other references than those with which the run was begun",
                hint="leave the files alone until the run is done, and put them where every worker"
                " sees them",
            )
        return found


def known_references(found: TranslationSet, sources: SetSources) -> KnownReferences:
    """What is told of the references of a set."""
    digest = _digest(found.references())
    held = tuple(found.references()) if sources.is_stream else None
    return KnownReferences(sources.absolute(), digest, held)


def _digest(references: Iterable[Sequence[str]]) -> str:
    total = blake2b(digest_size=16)
    for some in references:
        total.update("\x1f".join(some).encode("utf-8", "surrogatepass") + b"\x1e")
    return total.hexdigest()


def segment_key(segment: Segment) -> str:
    """What a segment is called in messages."""
    return f"{segment.language_pair} {segment.id}".strip()


# Score outputs: the job of `ensue mt score`.


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSegment:
    """A segment with its scores."""

    segment: Segment
    values: Numbers | None
    """A row an output, a column a metric; None where it could not be scored."""


@dataclass(frozen=True, slots=True)
class SegmentJob(Job):
    """What is done with the outputs of segments; the parts that all such jobs share."""

    references: KnownReferences
    sizes: ShardSizes = field()  # or the property of the role would be its default

    @property
    def batch_size(self) -> int:
        """The least shard."""
        return self.sizes.least

    def key(self, item: Segment) -> str:
        """Its language pair and id."""
        return segment_key(item)

    def figures(self) -> Mapping[str, int]:
        """Texts analyzed, and found analyzed."""
        return analysis_counts()

    def _identity(self, job: str) -> dict[str, Any]:
        sources = self.references.sources
        return {"job": job, "language pair": sources.language_pair, "encoding": sources.encoding}


def _times(done: str, n: int, n_failed: int) -> Counts:
    """Segments by what became of them."""
    found = {done: n - n_failed, "failed": n_failed}
    return {"status": {name: n for name, n in found.items() if n}}


@dataclass(frozen=True, slots=True)
class ScoreJob(SegmentJob):
    """Score the outputs of segments with metrics."""

    metrics: tuple[str, ...]
    """Their names or directories, as on the command line."""
    named: tuple[tuple[str, str], ...]
    """Name and signature of each, the driver's; every worker's have to be the same."""
    format: ScoreFormat
    is_summed: bool
    """Whether the accounts say what the scores mean for systems."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """The recipe of the scores."""
        metrics = [signature for _, signature in self.named]
        return {**self._identity("mt score"), "metrics": metrics, "summed": self.is_summed}

    @property
    def suffix(self) -> str:
        """By the format."""
        return f".{self.format}"

    @property
    def names(self) -> list[str]:
        """What the metrics are called."""
        return [name for name, _ in self.named]

    def load(self) -> list[Metric]:
        """Load the metrics, and let them know the references."""
        metrics = informed_metrics(self.metrics, self.references)
        found = tuple((metric.name, metric.signature) for metric in metrics)
        if found != self.named:
            raise EngineError(
                "worker-other-metrics-not",
                f"a worker has other metrics: {found}, not {self.named}",
                hint="install the same version everywhere, and put trained metrics where every"
                " worker sees them",
            )
        return metrics

    def do(self, loaded: list[Metric], items: Sequence[Segment]) -> Sequence[ScoredSegment]:
        """Their scores."""
        values = np.column_stack([metric.scores(items) for metric in loaded])
        ends = np.cumsum([len(segment.outputs) for segment in items])
        return list(map(ScoredSegment, items, np.split(values, ends[:-1])))

    def failed(self, item: Segment, reason: str) -> ScoredSegment:  # noqa: ARG002 - the account has it
        """No scores: a number would be taken for one."""
        return ScoredSegment(item, None)

    def write(self, results: Sequence[ScoredSegment]) -> bytes:
        """The lines, or the table, of outputs that were scored."""
        batch = _batch(results, len(self.named))
        return score_bytes(self.names, batch.outputs, batch.values, self.format)

    def n_rows(self, results: Sequence[ScoredSegment]) -> int:
        """One for each output."""
        return sum(len(result.values) for result in results if result.values is not None)

    def counts(self, results: Sequence[ScoredSegment]) -> Counts:
        """Segments by what became of them."""
        return _times("scored", len(results), sum(result.values is None for result in results))

    def summary(
        self,
        loaded: list[Metric],
        items: Sequence[Segment],  # noqa: ARG002
        results: Sequence[ScoredSegment],
    ) -> Any:
        """The sums of systems, as `ScoreSummary` has them."""
        if not self.is_summed:
            return None
        summary = ScoreSummary(loaded)
        summary.add(_batch(results, len(self.named)))
        return summary.state()

    def head(self, given: Input, account: RunAccount | None) -> bytes:  # noqa: ARG002
        """The signatures, and the names of columns."""
        return score_head(list(self.named), self.format)

    def facts(self, given: Input, account: RunAccount) -> Mapping[str, Any]:  # noqa: ARG002
        """How they were made, and at what cost."""
        metrics = [{"name": name, "signature": signature} for name, signature in self.named]
        return row_facts("scores", "segments", {"metrics": metrics}, account)


def informed_metrics(names: Sequence[str], references: KnownReferences) -> list[Metric]:
    """The metrics of these names, knowing all references."""
    known = references.read()
    return [ready_metric(name, known) for name in names]


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
class OutputFeaturesJob(SegmentJob):
    """Measure the outputs of segments."""

    feature_set: FeatureSet
    signature: str
    """The driver's; every worker's has to be the same."""
    format: RowFormat

    @property
    def identity(self) -> Mapping[str, Any]:
        """The recipe of the rows."""
        return {**self._identity("mt features"), "features": self.signature}

    @property
    def suffix(self) -> str:
        """By the format."""
        return f".{self.format.value}"

    def load(self) -> Meter:
        """Load what the set needs, and count the references."""
        found = output_features_signature(self.feature_set)
        if found != self.signature:
            raise EngineError(
                "worker-measures-other-features",
                f"a worker measures other features: {found}, not {self.signature}",
                hint="install the same version everywhere",
            )
        reader = open_reader() if self.feature_set.needs_analyzer else None
        return Meter(self.feature_set, reader).informed(self.references.read())

    def do(self, loaded: Meter, items: Sequence[Segment]) -> Sequence[MeasuredSegment]:
        """Their features."""
        table = loaded.table(items)
        ends = np.cumsum([len(segment.outputs) for segment in items])
        places = np.split(np.arange(len(table)), ends[:-1])
        return [MeasuredSegment(table.chosen(rows)) for rows in places]

    def failed(self, item: Segment, reason: str) -> MeasuredSegment:  # noqa: ARG002 - the account has it
        """Empty cells."""
        keys, names = tuple(item.output_keys()), feature_names(self.feature_set)
        table = FeatureTable(keys, names, np.full((len(keys), len(names)), np.nan))
        return MeasuredSegment(table, has_failed=True)

    def write(self, results: Sequence[MeasuredSegment]) -> bytes:
        """The lines, or the table."""
        rows = [row for result in results for row in output_rows(result.table)]
        return output_bytes(rows, self.feature_set, self.format)

    def n_rows(self, results: Sequence[MeasuredSegment]) -> int:
        """One for each output."""
        return sum(len(result.table) for result in results)

    def counts(self, results: Sequence[MeasuredSegment]) -> Counts:
        """Segments by what became of them."""
        return _times("measured", len(results), sum(result.has_failed for result in results))

    def summary(
        self,
        loaded: Meter,  # noqa: ARG002
        items: Sequence[Segment],  # noqa: ARG002
        results: Sequence[MeasuredSegment],
    ) -> Any:
        """The sums of features, as `SeenFeatures` has them."""
        seen = SeenFeatures(len(feature_names(self.feature_set)))
        if results:
            seen.add(joined([result.table for result in results]))
        return seen.state()

    def head(self, given: Input, account: RunAccount | None) -> bytes:  # noqa: ARG002
        """The names of columns."""
        return head_bytes(output_columns(self.feature_set), self.format)

    def facts(self, given: Input, account: RunAccount) -> Mapping[str, Any]:  # noqa: ARG002
        """How they were made, and at what cost."""
        return row_facts("output features", "segments", {"signature": self.signature}, account)


def output_features_signature(feature_set: FeatureSet) -> str:
    """What features depend on beside the texts; nothing is loaded."""
    analyzer = f"|analyzer:{installed_model()}" if feature_set.needs_analyzer else ""
    return f"{feature_set.value}|{fingerprint(feature_set)}{analyzer}|version:{__version__}"


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
    format: ScoreFormat | str | None = None,
    is_summed: bool = True,
    options: RunOptions | None = None,
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
        options: Engine and workers, and whether to resume or to restart.
        on_snapshot: Called with a `Snapshot` every two seconds.

    Raises:
        DataError: the texts cannot be read.
        SettingError: the metrics do not go into one file, or no format is known.
        RunError: the unfinished run was begun with other texts or metrics.
        OutputError: a score is not finite, another process writes there, or there is a run, and
            neither to resume nor to restart was asked.
        EngineError: workers cannot be had, or do not live.
    """
    chosen = RowFormat.PARQUET if is_folder(output) else score_format(output, format)
    places = tuple(_placed(name) for name in dict.fromkeys(metrics))
    given, references = segment_input(found, sources), known_references(found, sources)
    ready = informed_metrics(places, references)
    named = tuple((metric.name, metric.signature) for metric in ready)
    job = ScoreJob(references, segment_sizes(found), places, named, chosen, is_summed)
    job.head(given, None)  # sees that the names go together
    account = run_to_output(
        job,
        given,
        output,
        options or RunOptions(),
        what=f"scores of {found.name}",
        loaded=ready,
        on_snapshot=on_snapshot,
    )
    summary = ScoreSummary(ready)
    for shard in account.shards:
        summary.extend(shard.summary or [])
    return ScoredSet(account, tuple(ready), tuple(summary.rows()))


def measure_set(
    found: TranslationSet,
    sources: SetSources,
    output: str,
    feature_set: FeatureSet,
    *,
    format: RowFormat,
    options: RunOptions | None = None,
    on_snapshot: OnSnapshot | None = None,
) -> tuple[RunAccount, FeatureSummary]:
    """Measure all outputs of a set and write their features; say what these were like.

    Args:
        found: The set.
        sources: What it was opened from.
        output: A folder of shards, where it is one or its name ends in `/`; one file; or `-`.
        feature_set: What is measured.
        format: How rows are written; a folder is of Parquet.
        options: Engine and workers, and whether to resume or to restart.
        on_snapshot: Called with a `Snapshot` every two seconds.

    Raises:
        EnsueError: as `score_set`.
    """
    given, references = segment_input(found, sources), known_references(found, sources)
    signature = output_features_signature(feature_set)
    job = OutputFeaturesJob(references, segment_sizes(found), feature_set, signature, format)
    account = run_to_output(
        job,
        given,
        output,
        options or RunOptions(),
        what=f"features of {found.name}",
        on_snapshot=on_snapshot,
    )
    names = feature_names(feature_set)
    seen = SeenFeatures(len(names))
    for shard in account.shards:
        seen.extend(shard.summary)
    return account, seen.summary(names)


def _placed(metric: str) -> str:
    """A metric's name, or the place of its directory: workers may have another one."""
    path = Path(metric)
    return str(path.absolute()) if is_file(path / RECORD) else metric
