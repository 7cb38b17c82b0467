"""Evaluation and cutoffs of gold and runs of any size, by their names."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, UndefinedError
from ensue.evaluation.curves import RunCutoffs, chosen_cutoffs, cutoffs_by_task, run_cutoffs
from ensue.evaluation.evaluator import EvaluationPlan, RunFacts, distinct_names, evaluate, no_runs
from ensue.evaluation.judged_runs import (
    LARGE,
    STATUSES,
    UNANSWERED,
    Judged,
    LineUp,
    Summary,
    code_in,
    line_up,
    no_gold,
    not_judged,
    run_labelling,
    view_codes,
)
from ensue.evaluation.large.columns import (
    LABELS,
    Columns,
    VerdictColumns,
    gold_columns,
    parquet_rows,
    spooled_gold,
)
from ensue.evaluation.large.join import BUFFER, PARTITION, SortedNumbers
from ensue.evaluation.large.tally import (
    GOLD_BITS,
    KINDS,
    OUTCOME_BITS,
    RIGHT,
    RIGHT_IN_TWO,
    WRONG,
    Families,
    Keeping,
    RunTally,
    Tally,
    reliability_of,
    risk_coverage_of,
    tallied,
    walked_cutoffs,
    walked_ranking,
)
from ensue.evaluation.large.verdicts import verdict_columns
from ensue.evaluation.measures import Measure
from ensue.evaluation.results import Evaluation
from ensue.evaluation.run_scores import no_groups
from ensue.files import OnFinding, shown_name
from ensue.pairs import (
    CutoffCurve,
    Finding,
    Label,
    Pair,
    ReadKeywords,
    Run,
    View,
    coarser_view,
    is_folder,
    load_pairs,
    open_run_folder,
    read_files,
    read_run,
    with_unique_ids,
)
from ensue.statistics import RESAMPLING, Resampling

# Gold and runs of any size: held where they are few enough, as columns where they are not.

Source = str | Path
_Located = Iterator[tuple[int, Pair]]


@dataclass(frozen=True, slots=True)
class MemoryLimits:
    """How much is in memory at once."""

    pairs: int = LARGE
    """More gold pairs are not held."""
    partition: int = PARTITION
    """Gold rows that are brought together with runs in another order, at a time."""
    buffer: int = BUFFER
    """Keys that are sorted at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Gold and runs in memory."""

    gold: list[Pair]
    runs: list[Run]


@dataclass(frozen=True, slots=True, eq=False)
class Streamed:
    """Gold and runs as columns."""

    gold: Columns
    runs: list[VerdictColumns]


def open_sources(
    gold: Source,
    runs: Sequence[Source],
    folder: Path,
    *,
    reading: ReadKeywords | None = None,
    on_finding: OnFinding | None = None,
    tasks: bool = True,
    limits: MemoryLimits | None = None,
) -> Held | Streamed:
    """Read gold and runs, or open them where there are too many pairs.

    Args:
        gold: A file, a folder, a glob, the URL of one of them, or `-`.
        runs: Files or folders of shards.
        folder: Where columns may be kept meanwhile.
        reading: How to read the gold; its labels hold for plain runs, too.
        on_finding: Is told of problems in the gold that do not stop the reading.
        tasks: Whether tasks are wanted of what is not held.
        limits: How much is in memory at once.

    Raises:
        DataError: the gold cannot be read as what it claims to be.
        RunError: a run cannot.
    """
    options: ReadKeywords = reading or {}
    most = (limits or MemoryLimits()).pairs
    labels = options.get("labels")
    n_rows = parquet_rows(gold, options.get("format"))
    # a run with more verdicts than there may be pairs is not held, to say what is wrong with it
    large = (n_rows or 0) > most or any(_n_rows(run) > most for run in runs)
    found: list[Pair] | Columns
    if large:
        found = gold_columns(gold, folder / "gold", tasks=tasks, on_finding=on_finding, **options)
    elif n_rows is not None:
        found = load_pairs(gold, on_finding=on_finding, **options)
    else:
        files = read_files(gold, on_finding=on_finding, **options)
        found = _held_or_spooled(files, shown_name(gold), folder / "gold", most)
    if isinstance(found, list):
        return Held(found, [read_run(run, labels=labels) for run in runs])
    opened = [
        verdict_columns(run, folder / f"verdicts-{i}", labels=labels) for i, run in enumerate(runs)
    ]
    names = distinct_names([run.name for run in opened])
    named = [replace(run, name=name) for run, name in zip(opened, names, strict=True)]
    return Streamed(found, named)


def _n_rows(run: Source) -> int:
    return open_run_folder(run).n_rows if is_folder(run) else 0


def _held_or_spooled(
    files: Iterator[tuple[str, _Located]], name: str, spool: Path, most: int
) -> list[Pair] | Columns:
    """The pairs of files that are read once; as columns on disk where there are too many."""
    held: list[tuple[str, list[tuple[int, Pair]]]] = []
    n_pairs = 0
    for file, located in files:
        own: list[tuple[int, Pair]] = []
        for each in located:
            own.append(each)
            n_pairs += 1
            if n_pairs > most:
                before = ((earlier, iter(pairs)) for earlier, pairs in held)
                return spooled_gold(
                    chain(before, [(file, chain(own, located))], files), name, spool
                )
        held.append((file, own))
    first: dict[str, str] = {}
    return [pair for file, own in held for _, pair in with_unique_ids(own, file, first)]


# From a tally to judged runs with summaries, in one view, as a whole and by task.

_OUTCOME = (1 << OUTCOME_BITS) - 1
_GOLD = (1 << GOLD_BITS) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Summarized:
    """Gold and runs as they are measured."""

    lined: LineUp
    tasks: dict[str, tuple[Judged, ...]] = field(default_factory=dict)
    """By name, in alphabetical order: the runs on each task."""
    given: tuple[dict[Label, int], ...] = ()
    """How many pairs with gold got each label of each run."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which keys are walked through, and how."""

    view: View
    tasks: tuple[int, ...]
    """Numbers of the tasks that are taken together."""
    cutoffs: bool = False
    """Whether the scores are, too."""
    precision: float | None = None
    """A precision that some cutoff is wanted for."""
    asked: tuple[float, ...] = ()
    """Cutoffs of which is to be known what they give."""

    def confidences(self) -> Families:
        """The groups of confidences of right answers, and of wrong ones."""
        right = (RIGHT,) if self.view is View.THREE_WAY else (RIGHT, RIGHT_IN_TWO)
        wrong = [kind for kind in (WRONG, RIGHT_IN_TWO) if kind not in right]
        return (
            [task * KINDS + kind for task in self.tasks for kind in right],
            [task * KINDS + kind for task in self.tasks for kind in wrong],
        )

    def entailments(self) -> Families:
        """The groups of keys of entailments, and of other pairs."""
        return by_gold(self.tasks)


def by_gold(tasks: Sequence[int]) -> Families:
    """The groups of keys of entailments in these tasks, and of other pairs."""
    return [task * 2 + 1 for task in tasks], [task * 2 for task in tasks]


def summarized(
    tally: Tally,
    *,
    view: View | None = None,
    by_task: bool = False,
    precision: float | None = None,
    asked: Sequence[float] = (),
) -> Summarized:
    """Put what was tallied into one view.

    Args:
        tally: What was kept of gold and runs.
        view: The labels to compare in; the finest that all share, where it is not given.
        by_task: Whether each task is wanted by itself, too.
        precision: A precision that some cutoff is wanted for.
        asked: Cutoffs of which is to be known what they give.

    Raises:
        DataError: no pair has gold.
        LabelError: a label has no place in the view that was asked for.
    """
    if not tally.cells:
        raise DataError("no pair has gold", hint="evaluate against pairs that are labelled")
    seen = view or _shared_view(tally)
    numbers = range(len(tally.tasks))
    cells = _cells_by_task(tally)
    whole: Counter[int] = Counter()
    for own in cells.values():
        whole.update(own)
    judged = _judged(tally, whole, _Wanted(seen, tuple(numbers), True, precision, tuple(asked)))
    n = judged[0].n_pairs
    findings = [*no_gold(tally.n_without_gold)]
    for run in tally.runs:
        first = [pair_id for _, pair_id in run.missing]
        findings += not_judged(run.run.name, first, run.n_missing, n)
    of_tasks = sorted(numbers, key=lambda k: tally.tasks[k]) if by_task else ()
    return Summarized(
        LineUp(seen, judged, tally.n_without_gold, tuple(findings)),
        {tally.tasks[k]: _judged(tally, cells[k], _Wanted(seen, (k,))) for k in of_tasks},
        tuple(_given(whole, i) for i in range(len(tally.runs))),
    )


def _shared_view(tally: Tally) -> View:
    golds = {LABELS[cell & _GOLD] for cell in tally.cells}
    return coarser_view(golds, *(run_labelling(run.labels, run.run.header) for run in tally.runs))


def _cells_by_task(tally: Tally) -> dict[int, Counter[int]]:
    """How often each row of outcomes and gold occurs in each task."""
    found: dict[int, Counter[int]] = {}
    for cell, n in tally.cells.items():
        own = cell & ((1 << tally.task_shift) - 1)
        found.setdefault(cell >> tally.task_shift, Counter())[own] += n
    return found


def _given(cells: Counter[int], i: int) -> dict[Label, int]:
    found: Counter[Label] = Counter()
    for cell, n in cells.items():
        outcome = _outcome(cell, i)
        if outcome < len(LABELS):
            found[LABELS[outcome]] += n
    return {label: found[label] for label in Label if found[label]}


def _outcome(cell: int, i: int) -> int:
    return (cell >> (GOLD_BITS + OUTCOME_BITS * i)) & _OUTCOME


def _judged(tally: Tally, counted: Counter[int], wanted: _Wanted) -> tuple[Judged, ...]:
    """The runs on some tasks; their rows are the cells that occur."""
    cells = sorted(counted)
    counts = np.array([counted[cell] for cell in cells], np.int64)
    codes = view_codes(wanted.view)
    gold = np.array([code_in(codes, LABELS[cell & _GOLD], "gold") for cell in cells], np.int8)
    return tuple(
        _judged_run(run, [_outcome(cell, i) for cell in cells], gold, counts, wanted)
        for i, run in enumerate(tally.runs)
    )


def _judged_run(
    run: RunTally,
    outcomes: Sequence[int],
    gold: NDArray[np.int8],
    counts: NDArray[np.int64],
    wanted: _Wanted,
) -> Judged:
    codes = view_codes(wanted.view)
    labels = [LABELS[each] if each < len(LABELS) else None for each in outcomes]
    answer = np.array([code_in(codes, label, run.run.name) for label in labels], np.int8)
    status = np.array([max(each - len(LABELS) + 1, 0) for each in outcomes], np.int8)
    assert status.max() < len(STATUSES)
    nothing = np.full(len(gold), np.nan)
    n_answered = int(counts[answer != UNANSWERED].sum())
    return Judged(
        name=run.run.name,
        view=wanted.view,
        pairs=(),
        gold=gold,
        answer=answer,
        confidence=nothing,
        score=nothing,
        status=status,
        ranked=run.run.ranked,
        summary=_summary(run, counts, n_answered, int(counts[gold == 0].sum()), wanted),
    )


def _summary(
    run: RunTally, counts: NDArray[np.int64], n_answered: int, n_yes: int, wanted: _Wanted
) -> Summary:
    found = Summary(
        counts,
        n_without={what: _n_of_tasks(run.n_without[what], wanted) for what in run.n_without},
        n_scored=_n_of_tasks(run.n_scored, wanted),
    )
    if run.by_score is not None and wanted.cutoffs:
        curve = walked_cutoffs(
            run.by_score, wanted.entailments(), precision=wanted.precision, asked=wanted.asked
        )
        found = replace(found, cutoffs=curve)
    if run.rankings is None or n_answered == 0:
        return found
    if found.n_without["score" if run.run.ranked else "confidence"] == 0 and n_yes:
        sums = walked_ranking(run.rankings.by_entailment, wanted.entailments())
        found = replace(found, average_precision=sums.average_precision / n_yes)
    if found.n_without["confidence"] == 0:
        found = _by_confidence(found, run.rankings.by_confidence, wanted)
    return found


def _by_confidence(found: Summary, store: SortedNumbers, wanted: _Wanted) -> Summary:
    chance = wanted.view.chance
    floors = (0.0, chance)
    sums = walked_ranking(store, wanted.confidences(), floors=floors)
    return replace(
        found,
        cws=sums.cws / sums.n,
        cws_deviation=math.sqrt(chance * (1 - chance) * sums.squared_weights),
        risk_coverage=risk_coverage_of(sums, int(found.counts.sum())),
        reliability={floor: reliability_of(sums, k, floor) for k, floor in enumerate(floors)},
    )


def _n_of_tasks(counted: Counter[int], wanted: _Wanted) -> int:
    return sum(counted[task] for task in wanted.tasks)


# Evaluation of gold and runs of any size, by their names.


def evaluate_sources(
    gold: Source,
    runs: Sequence[Source],
    *,
    reading: ReadKeywords | None = None,
    on_finding: OnFinding | None = None,
    by_task: bool = False,
    resampling: Resampling = RESAMPLING,
    prior: float | None = None,
    view: View | None = None,
    measures: Sequence[str] | None = None,
    cutoffs: bool = True,
    precision: float | None = None,
    groups: bool = False,
    limits: MemoryLimits | None = None,
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
        resampling: Draws, level and seed of the intervals.
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
    limits = limits or MemoryLimits()
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
                resampling=resampling,
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
    plan = EvaluationPlan.of(measures, found.lined.view, prior=prior, resampling=resampling)
    return _offered(plan, found.lined.judged).evaluation(
        found.lined, found.tasks, _facts(sources, found)
    )


def _facts(sources: Streamed, found: Summarized) -> list[RunFacts]:
    return [
        RunFacts(None if run.header is None else str(run.header.signature), given)
        for run, given in zip(sources.runs, found.given, strict=True)
    ]


def _offered(plan: EvaluationPlan, runs: Sequence[Judged]) -> EvaluationPlan:
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


# The cutoffs of a run of any size, by the names of gold and run.


def source_cutoffs(
    gold: Source,
    run: Source,
    *,
    reading: ReadKeywords | None = None,
    on_finding: OnFinding | None = None,
    tasks: bool = False,
    precision: float | None = None,
    asked: Sequence[float] = (),
    limits: MemoryLimits | None = None,
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
    limits = limits or MemoryLimits()
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
            of_tasks = _task_curves(tally, known) if tasks else {}
    return RunCutoffs(tally.runs[0].run.name, whole, of_tasks), found.lined.findings


def _task_curves(tally: Tally, asked: Sequence[float]) -> dict[str, CutoffCurve]:
    """The curve of each task that has scores, in alphabetical order."""
    store = tally.runs[0].by_score
    assert store is not None  # it is what was kept
    curves: dict[str, CutoffCurve] = {}
    for task in sorted(tally.tasks):
        curve = walked_cutoffs(store, by_gold([tally.tasks.index(task)]), asked=asked)
        if curve is not None:
            curves[task] = curve
    return curves
