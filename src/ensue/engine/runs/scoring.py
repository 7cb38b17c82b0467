"""Score and measure the outputs of translation sets: what `ensue mt score` and `features` call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ensue.engine.delivering import deliver, is_folder
from ensue.engine.jobs.output_features import OutputFeaturesJob, output_features_signature
from ensue.engine.jobs.scoring import ScoreJob, ready_metrics, score_table_bytes
from ensue.engine.jobs.translation import SetSources, known_references, segment_input
from ensue.engine.model import Input, Job
from ensue.engine.running import OnSnapshot, Outcome, Spread
from ensue.engine.runs.accounts import RunAccount, run_account
from ensue.engine.runs.assembling import RowAssembly
from ensue.errors import RunError
from ensue.features.rows import FileFormat, head_bytes
from ensue.translation.features import FeatureSet, FeatureSummary, feature_names
from ensue.translation.features.writing import SeenFeatures, output_bytes, output_columns
from ensue.translation.metrics import RECORD, Metric, ScoreSummary, SystemSummary
from ensue.translation.reading import ScoreFormat, TranslationSet
from ensue.translation.reading.score_writing import score_format, score_head


@dataclass(frozen=True, slots=True)
class Scored:
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
    spread: Spread | None = None,
    on_snapshot: OnSnapshot | None = None,
) -> Scored:
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
    return Scored(run_account(outcome), tuple(ready), tuple(summary.rows()))


def measure_set(
    found: TranslationSet,
    sources: SetSources,
    output: str,
    feature_set: FeatureSet,
    *,
    format: FileFormat,
    spread: Spread | None = None,
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
    spread: Spread | None,
    assembly: RowAssembly,
    what: str,
    on_snapshot: OnSnapshot | None,
) -> Outcome:
    outcome = deliver(
        job, given, output, spread or Spread(), assembly, what=what, on_snapshot=on_snapshot
    )
    if outcome is None:  # rows do not say how they were made, so they are never taken for finished
        raise RunError(f"nothing was written into {output!r}")
    return outcome


def _placed(metric: str) -> str:
    """A metric's name, or the place of its directory: workers may have another one."""
    path = Path(metric)
    return str(path.absolute()) if (path / RECORD).is_file() else metric
