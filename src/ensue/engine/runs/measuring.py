"""Measure the pairs of any source: what `ensue features` calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ensue.engine.delivering import deliver
from ensue.engine.inputs import survey_pairs
from ensue.engine.jobs.features import FeaturesJob, features_signature
from ensue.engine.running import OnSnapshot, Spread
from ensue.engine.runs.accounts import RunAccount, run_account
from ensue.engine.runs.assembling import RowAssembly
from ensue.errors import RunError
from ensue.features.rows import FileFormat, head_bytes
from ensue.features.writing import Direction, columns, feature_bytes
from ensue.pairs import Finding
from ensue.pairs.outputs import check_outside
from ensue.pairs.reading import Reading


def measure_source(
    source: str,
    output: str,
    *,
    format: FileFormat,
    directions: Sequence[Direction] = (Direction.FORWARD,),
    reading: Reading | None = None,
    spread: Spread | None = None,
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
        spread: Who measures, and what becomes of an unfinished run.
        on_finding: Is told what is found while this process reads.
        on_snapshot: Is told where the run stands.
        on_survey: Is told of more bytes that were looked through before the run begins.

    Raises:
        DataError: the pairs cannot be read.
        RunError: the unfinished run was begun with other pairs, reading or directions.
        OutputError: another process writes there, or there is a run, and neither to resume nor
            to restart was asked.
        EngineError: workers cannot be had, or do not live.
    """
    check_outside(output, source)
    reading, spread = reading or Reading(), spread or Spread()
    given = survey_pairs(
        source,
        reading,
        on_finding=on_finding,
        progress=on_survey,
    )
    job = FeaturesJob(tuple(directions), format, features_signature(), reading)
    assembly = RowAssembly(
        "features",
        "pairs",
        {"signature": job.signature, "directions": [each.value for each in directions]},
        head_bytes(columns(directions), format),
        feature_bytes([], directions, format) if format is FileFormat.PARQUET else None,
    )
    what = f"features of {given.name}"
    outcome = deliver(job, given, output, spread, assembly, what=what, on_snapshot=on_snapshot)
    if outcome is None:  # rows do not say how they were made, so they are never taken for finished
        raise RunError(f"nothing was measured into {output!r}")
    return run_account(outcome)
