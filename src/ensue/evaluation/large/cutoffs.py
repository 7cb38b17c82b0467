"""The cutoffs of a run of any size, by the names of gold and run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from ensue.evaluation.cutoffs import (
    CutoffCurve,
    RunCutoffs,
    chosen_cutoffs,
    cutoffs_by_task,
    run_cutoffs,
)
from ensue.evaluation.large.opening import Limits, Source, Streamed, open_sources
from ensue.evaluation.large.ranking.walking import walked_cutoffs
from ensue.evaluation.large.summarizing import by_gold, summarized
from ensue.evaluation.large.tallying import Keeping, Tally, tallied
from ensue.evaluation.measuring.lineup import line_up
from ensue.pairs import Finding
from ensue.pairs.formats.model import OnFinding
from ensue.pairs.reading import Reading


def source_cutoffs(
    gold: Source,
    run: Source,
    *,
    reading: Reading | None = None,
    on_finding: OnFinding | None = None,
    tasks: bool = False,
    precision: float | None = None,
    asked: Sequence[float] = (),
    limits: Limits | None = None,
) -> tuple[RunCutoffs, tuple[Finding, ...]]:
    """The curves of a run's scores, whatever its size, and what does not fit in gold and run.

    Args:
        gold: A file, a folder, a glob, the URL of one of them, or `-`.
        run: A file or a folder of shards.
        reading: How to read the gold; its labels hold for a plain run, too.
        on_finding: Is told of problems in the gold that do not stop the reading.
        tasks: Whether each task gets its own curve, too.
        precision: A precision that some cutoff is wanted for.
        asked: Cutoffs of which is to be known what they give.
        limits: How much is in memory at once.

    Raises:
        UndefinedError: no pair has a score.
        EnsueError: gold or run cannot be read, or do not go together.
    """
    limits = limits or Limits()
    with TemporaryDirectory(prefix="ensue-cutoffs-") as name:
        sources = open_sources(
            gold,
            [run],
            Path(name),
            reading=reading,
            on_finding=on_finding,
            tasks=tasks,
            limits=limits,
        )
        if not isinstance(sources, Streamed):
            lined = line_up(sources.gold, sources.runs)
            return cutoffs_by_task(lined.judged[0], tasks=tasks), lined.findings
        tally = tallied(
            sources.gold,
            sources.runs,
            Path(name),
            tasks=tasks,
            keeping=Keeping(rankings=False, buffer=limits.buffer),
            partition=limits.partition,
        )
        with closing(tally):
            found = summarized(tally, precision=precision, asked=asked)
            whole = run_cutoffs(found.lined.judged[0])
            known = [*asked, *chosen_cutoffs(whole, precision)]
            of_tasks = _of_tasks(tally, known) if tasks else {}
    return RunCutoffs(tally.runs[0].run.name, whole, of_tasks), found.lined.findings


def _of_tasks(tally: Tally, asked: Sequence[float]) -> dict[str, CutoffCurve]:
    """The curve of each task that has scores, in alphabetical order."""
    store = tally.runs[0].by_score
    assert store is not None  # it is what was kept
    curves: dict[str, CutoffCurve] = {}
    for task in sorted(tally.tasks):
        curve = walked_cutoffs(store, by_gold([tally.tasks.index(task)]), asked=asked)
        if curve is not None:
            curves[task] = curve
    return curves
