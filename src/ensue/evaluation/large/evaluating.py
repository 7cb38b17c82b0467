"""Evaluation of gold and runs of any size, by their names."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ensue.errors import UndefinedError
from ensue.evaluation.evaluating import Plan, RunFacts, evaluate, no_runs
from ensue.evaluation.groups import no_groups
from ensue.evaluation.large.opening import Limits, Source, Streamed, open_sources
from ensue.evaluation.large.summarizing import Summarized, summarized
from ensue.evaluation.large.tallying import Keeping, tallied
from ensue.evaluation.measuring.intervals import DRAWS, LEVEL, check_resampling
from ensue.evaluation.measuring.judged import Judged
from ensue.evaluation.measuring.measures import Measure
from ensue.evaluation.results import Evaluation
from ensue.pairs import View
from ensue.pairs.formats.model import OnFinding
from ensue.pairs.reading import Reading


def evaluate_sources(
    gold: Source,
    runs: Sequence[Source],
    *,
    reading: Reading | None = None,
    on_finding: OnFinding | None = None,
    by_task: bool = False,
    seed: int = 0,
    draws: int = DRAWS,
    level: float = LEVEL,
    prior: float | None = None,
    view: View | None = None,
    measures: Sequence[str] | None = None,
    cutoffs: bool = True,
    precision: float | None = None,
    groups: bool = False,
    limits: Limits | None = None,
) -> Evaluation:
    """Evaluate runs against gold, whatever their size; see `evaluate`.

    Up to `LARGE` pairs are held and evaluated as `evaluate` does. More are streamed: every value is
    the same, rank measures have no interval, and the cws is tested by its normal approximation.

    Args:
        gold: A file, a folder, a glob, the URL of one of them, or `-`.
        runs: One or more files or folders of shards.
        reading: How to read the gold; its labels hold for plain runs, too.
        on_finding: Is told of problems in the gold that do not stop the reading.
        by_task: As for `evaluate`, and so are the following.
        seed: As there.
        draws: As there.
        level: As there.
        prior: As there.
        view: As there.
        measures: As there.
        cutoffs: Whether `run_cutoffs` is to know the curves of runs that are not held.
        precision: The precision that `for_precision` of these curves is to know.
        groups: Whether the pairs are needed to rank the texts of groups.
        limits: How much is in memory at once.

    Raises:
        EnsueError: as `evaluate`, and where gold or a run cannot be read.
        SettingError: groups are wanted of pairs that are not held.
    """
    check_resampling(draws, level)
    limits = limits or Limits()
    if not runs:
        raise no_runs()
    with TemporaryDirectory(prefix="ensue-evaluation-") as name:
        sources = open_sources(
            gold,
            runs,
            Path(name),
            reading=reading,
            on_finding=on_finding,
            tasks=by_task,
            limits=limits,
        )
        if not isinstance(sources, Streamed):
            return evaluate(
                sources.gold,
                sources.runs,
                by_task=by_task,
                seed=seed,
                draws=draws,
                level=level,
                prior=prior,
                view=view,
                measures=measures,
            )
        if groups:
            raise no_groups()
        keeping = Keeping(cutoffs=cutoffs, buffer=limits.buffer)
        tally = tallied(
            sources.gold,
            sources.runs,
            Path(name),
            tasks=by_task,
            keeping=keeping,
            partition=limits.partition,
        )
        with closing(tally):
            found = summarized(tally, view=view, by_task=by_task, precision=precision)
    plan = Plan.of(measures, found.lined.view, prior=prior, seed=seed, draws=draws, level=level)
    return _offered(plan, found.lined.judged).evaluation(
        found.lined, found.tasks, _facts(sources, found)
    )


def _facts(sources: Streamed, found: Summarized) -> list[RunFacts]:
    return [
        RunFacts(None if run.header is None else str(run.header.signature), given)
        for run, given in zip(sources.runs, found.given, strict=True)
    ]


def _offered(plan: Plan, runs: Sequence[Judged]) -> Plan:
    """The plan, where measures that need the pairs themselves say that they are not held."""
    listed = tuple(_offered_measure(measure, runs) for measure in plan.listed)
    named = {measure.name: measure for measure in listed}
    return replace(
        plan, listed=listed, needed=tuple(named.get(each.name, each) for each in plan.needed)
    )


def _offered_measure(measure: Measure, runs: Sequence[Judged]) -> Measure:
    try:
        for judged in runs:
            measure(judged)
    except UndefinedError as error:
        reason = error.message
        return replace(measure, gap=lambda _: reason)
    return measure
