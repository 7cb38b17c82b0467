"""The measures of runs as tables: scores, confidence, groups of pairs, comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ensue.errors import UndefinedError
from ensue.evaluation import (
    ConfidenceCurves,
    Evaluation,
    GroupScore,
    GroupScores,
    RunComparison,
    RunEvaluation,
    Scores,
    group_scores,
    run_cutoffs,
)
from ensue.pairs import CutoffCurve, OperatingPoint, View
from ensue.reports.model import Cell, Column, Table, share
from ensue.reports.pictures.curves import listed
from ensue.statistics import Difference, Estimate

# What was measured of runs, as tables: measures, chance, labels, confusion, tasks, prior.

_OF_LABELS = ("precision", "recall", "f")
_PERCENTAGES = ("accuracy", "accuracy-all", "coverage")
_ONLY_PARTIAL = ("accuracy-all", "coverage")
_TITLES = {
    "accuracy-all": "accuracy on all",
    "average-precision": "average precision",
    "f": "F",
    "macro-f": "macro F",
}


def measure_column(name: str, get: Any = None) -> Column:
    """The column of a measure: accuracies in percent, the others as shares of one."""
    if name in _PERCENTAGES:
        return share(name, _TITLES.get(name), get)
    return Column(name, _TITLES.get(name), digits=3, get=get)


_RUN = Column("run", get=lambda run, *_: run.name)
"""Of rows of a run and something more."""
_OF_RUN = Column("run", get="name")
"""Of rows of a run alone."""


def runs_table(evaluation: Evaluation) -> Table:
    """Each run with its measures; those of single labels are in `labels_table`."""
    names = _listed(evaluation)
    columns = [
        _OF_RUN,
        Column("pairs", get="scores.counts.n_pairs", importance=-1),
        Column("answered", get="scores.counts.n_answered", importance=-1),
        *(measure_column(each, partial(_of_run, each)) for each in names),
    ]
    notes = [
        *_reasons(evaluation.runs, names),
        *_how(evaluation),
    ]
    title = f"Runs ({evaluation.view.value})"
    return Table.of("runs", title, columns, evaluation.runs, notes)


def chance_table(evaluation: Evaluation) -> Table:
    """Whether each run is better than guessing."""
    columns = [
        _RUN,
        Column("measure"),
        Column("n", title="answered"),
        Column("value", digits=4),
        Column("chance", digits=4),
        Column("p", digits=4),
        Column("method"),
    ]
    tests = [(run, test) for run in evaluation.runs for test in run.scores.chance]
    notes = ["p is one-sided: how likely it is to guess at least this well"]
    notes += [f"{run.name}: {test.measure}: {test.reason}" for run, test in tests if test.p is None]
    rows = [each for each in tests if each[1].value is not None]
    return Table.of("chance", "Better than chance?", columns, rows, notes)


def labels_table(evaluation: Evaluation) -> Table:
    """Precision, recall and F of each label."""
    columns = [
        _RUN,
        Column("label"),
        Column("gold", get="n_gold", importance=-1),
        Column("answered", get="n_answered", importance=-1),
        Column("right", get="n_right", importance=-1),
        *map(measure_column, _OF_LABELS),
    ]
    rows = [(run, scores) for run in evaluation.runs for scores in run.scores.labels]
    notes = {
        f"{run.name}: {each.reason}": None
        for run, scores in rows
        for each in (scores.precision, scores.recall, scores.f)
        if each.reason
    }
    return Table.of("labels", "By label", columns, rows, notes)


def confusion_table(evaluation: Evaluation) -> Table:
    """How often each gold label got each answer."""
    answers = [Column(label.value) for label in evaluation.view.labels]
    rows = [
        [run.name, label.value, *run.scores.confusion.counts[i], run.scores.confusion.unanswered[i]]
        for run in evaluation.runs
        for i, label in enumerate(run.scores.confusion.labels)
    ]
    columns = [Column("run"), Column("gold"), *answers, Column("unanswered")]
    return Table("confusion", "Confusion (rows: gold, columns: answers)", columns, rows)


_MISSING = Column("missing", get="scores.counts.n_missing")
_ABSTAINED = Column("abstained", get="scores.counts.n_abstained")
_EXHAUSTED = Column("budget_exhausted", "budget exhausted", get="scores.counts.n_budget_exhausted")
_FAILED = Column("failed", get="scores.counts.n_failed")


def outcomes_table(evaluation: Evaluation) -> Table | None:
    """What became of the pairs of runs with three labels, whatever the view; None without such."""
    three_way = [run for run in evaluation.runs if set(run.given) - set(View.TWO_WAY.labels)]
    columns = [
        _OF_RUN,
        *(
            Column(label.value, get=lambda run, label=label: run.given.get(label, 0))
            for label in View.THREE_WAY.labels
        ),
        _EXHAUSTED,
        _FAILED,
        _ABSTAINED,
        _MISSING,
    ]
    table = Table.of("outcomes", "What became of the pairs", columns, three_way)
    return table if three_way else None


def unanswered_table(evaluation: Evaluation) -> Table | None:
    """Why pairs were not answered; None where all were."""
    if not _is_partial(evaluation.runs):
        return None
    unanswered = Column("unanswered", get="scores.counts.n_unanswered")
    columns = [_OF_RUN, unanswered, _MISSING, _ABSTAINED, _EXHAUSTED, _FAILED]
    notes = ["missing pairs are not in the run at all"]
    return Table.of("unanswered", "Pairs without an answer", columns, evaluation.runs, notes)


def tasks_table(evaluation: Evaluation) -> Table | None:
    """Each run's measures on each task; None where they were not asked for."""
    tasks = list(evaluation.runs[0].by_task)
    names = [*(name for name in _listed(evaluation) if name != "macro-f"), "f"]
    columns = [
        Column("task", get=lambda task, *_: task),
        Column("run", get=lambda *row: row[1].name),
        Column("pairs", get="counts.n_pairs", importance=-1),
        Column("answered", get="counts.n_answered", importance=-1),
        *(measure_column(each, partial(_of_task, each)) for each in names),
        Column("p", "p of accuracy", digits=4, get=lambda *row: row[-1].chance[0].p),
    ]
    rows = [(task, run, run.by_task[task]) for task in tasks for run in evaluation.runs]
    notes = ["F is that of entailment; p is not corrected for the number of tasks"]
    return Table.of("tasks", "By task", columns, rows, notes) if tasks else None


def prior_table(evaluation: Evaluation) -> Table | None:
    """The scores to expect under another share of entailments; None where none was asked for."""
    rows = [(run, run.scores.prior) for run in evaluation.runs if run.scores.prior]
    columns = [_RUN, Column("prior", digits=3), measure_column("accuracy")]
    columns += [measure_column(name) for name in _OF_LABELS]
    notes = {
        f"{run.name}: {each.reason}": None
        for run, prior in rows
        for each in (prior.accuracy, prior.precision, prior.recall, prior.f)
        if each.reason
    }
    title = "Where another share of the pairs are entailments"
    return Table.of("prior", title, columns, rows, notes) if rows else None


def signatures_table(evaluation: Evaluation) -> Table:
    """The recipe of each run."""
    columns = [_OF_RUN, Column("signature")]
    return Table.of("signatures", "Signatures", columns, evaluation.runs)


def _estimates(scores: Scores) -> dict[str, Estimate]:
    return {**scores.measures, "macro-f": scores.macro_f}


def _of_run(name: str, run: RunEvaluation) -> Estimate:
    return _estimates(run.scores)[name]


def _of_task(name: str, _task: str, _run: RunEvaluation, scores: Scores) -> Estimate:
    return _estimates(scores)[name]


def _listed(evaluation: Evaluation) -> list[str]:
    """The measures in the table of runs; those on coverage only where something is unanswered."""
    names = [name for name in evaluation.runs[0].scores.measures if name not in _OF_LABELS]
    if not _is_partial(evaluation.runs):
        names = [name for name in names if name not in _ONLY_PARTIAL]
    return [*names, "macro-f"]


def _is_partial(runs: Iterable[RunEvaluation]) -> bool:
    return any(run.scores.counts.n_unanswered for run in runs)


def _reasons(runs: Sequence[RunEvaluation], names: Sequence[str]) -> Iterator[str]:
    for run in runs:
        estimates = _estimates(run.scores)
        gaps: dict[str, list[str]] = {}
        for name in names:
            if estimates[name].reason:
                gaps.setdefault(str(estimates[name].reason), []).append(name)
        for reason, measures in gaps.items():
            verb = "is" if len(measures) == 1 else "are"
            yield f"{run.name}: {', '.join(measures)} {verb} undefined: {reason}"


def _how(evaluation: Evaluation) -> Iterator[str]:
    resampling = evaluation.resampling
    if resampling.draws:
        yield (
            f"in brackets: {resampling.percent} bootstrap intervals"
            f" ({resampling.draws:,} draws, seed {resampling.seed})"
        )
    if evaluation.n_without_gold:
        yield f"pairs without gold, left out: {evaluation.n_without_gold}"


# What the confidences of runs are worth, as tables: calibration, and the curves behind it.


def calibration_table(evaluation: Evaluation, curves: Sequence[ConfidenceCurves]) -> Table | None:
    """How far confidence and accuracy lie apart; None where no run has confidences."""
    chance = evaluation.view.chance
    columns = [
        Column("run"),
        Column("answered", get="plain.n"),
        Column("error", title="calibration error", digits=3, get="plain.error"),
        Column("error_from_chance", f"read from {chance:.3g}", digits=3, get="raised.error"),
        Column("risk_area", title="mean risk", digits=3, get="risk.area"),
    ]
    notes = [
        "calibration error: mean distance of confidence and accuracy over ten bins; the second"
        f" reads a confidence of 0 as a guess, right with {chance:.3g}",
        "mean risk: errors among the surest answers, over all coverages; it is 1 − cws",
    ]
    return Table.of("calibration", "Confidence", columns, curves, notes) if curves else None


def curve_tables(curves: Sequence[ConfidenceCurves]) -> list[Table]:
    """The risk-coverage curve and the reliability curve of each run that has confidences."""
    return [_risk_table(curves), _reliability_table(curves)] if curves else []


def _risk_table(found: Sequence[ConfidenceCurves]) -> Table:
    columns = [
        Column("run"),
        measure_column("coverage"),
        share("risk"),
        Column("confidence", digits=3),
    ]
    rows: list[list[Cell]] = []
    for each in found:
        curve = each.risk
        keep = listed(curve.risk)
        shown = (curve.coverage, curve.risk, curve.confidence)
        points = [column[keep].tolist() for column in shown]
        rows += [[each.run, *point] for point in zip(*points, strict=True)]
    return Table("risk_coverage", "Risk by coverage", columns, rows)


def _reliability_table(found: Sequence[ConfidenceCurves]) -> Table:
    columns = [
        Column("run", get=lambda each, _: each.run),
        Column("low", digits=1),
        Column("high", digits=1),
        Column("n", title="answered"),
        Column("confidence", digits=3),
        measure_column("accuracy"),
    ]
    rows = [(each, part) for each in found for part in each.plain.bins]
    return Table.of("reliability", "Accuracy by confidence", columns, rows)


# Groups of pairs, candidate texts for one hypothesis or minimal pairs, as tables.

_SHOWN_GROUPS = 20
_SHOWN_CHARACTERS = 60


def group_tables(evaluation: Evaluation, *, every: bool = True) -> list[Table]:
    """The means of each run, and each group by itself.

    Args:
        evaluation: What to show.
        every: Whether the second table is whole; otherwise it has the lowest groups, names cut.
    """
    found = {run.name: group_scores(run.judged) for run in evaluation.runs}
    return [_means_table(found, evaluation.n_pairs), _groups_table(found, every)]


def _means_table(found: Mapping[str, GroupScores], n_pairs: int) -> Table:
    columns = [
        Column("run", get=lambda run, _: run),
        Column("groups", get=lambda _, scores: len(scores.groups)),
        share("accuracy", "all right"),
        Column("with_entailment", title="with entailment", get="n_with_positive"),
        *_group_numbers("mean_"),
    ]
    notes = [
        "all right: groups in which every pair has a right answer",
        "means are over the groups that have an entailment",
        *(f"{run}: {scores.reason}" for run, scores in found.items() if scores.reason),
    ]
    n_alone = n_pairs - sum(group.n for group in next(iter(found.values())).groups)
    if n_alone:
        notes.append(f"groups of one text, in which there is nothing to rank, left out: {n_alone}")
    return Table.of("groups", "Groups of pairs", columns, list(found.items()), notes)


def _group_numbers(prefix: str = "") -> tuple[Column, Column]:
    return (
        Column("average-precision", "average precision", 3, get=f"{prefix}average_precision"),
        Column("reciprocal-rank", "reciprocal rank", 3, get=f"{prefix}reciprocal_rank"),
    )


def _groups_table(found: Mapping[str, GroupScores], every: bool) -> Table:
    groups = [(run, each) for run, scores in found.items() for each in scores.groups]
    shown = groups if every else sorted(groups, key=_lowest_first)[:_SHOWN_GROUPS]
    notes = []
    if len(shown) < len(groups):
        notes.append(f"the {len(shown)} lowest of {len(groups)} by average precision")
    if not every and any(_cut(each.group) != each.group for _, each in shown):
        notes.append("names are cut")
    if notes:
        notes.append("JSON, JSONL and CSV have all in full")
    columns = [
        Column("run", get=lambda run, _: run),
        Column("group", get=lambda _, each: each.group if every else _cut(each.group)),
        Column("texts", get="n"),
        Column("entailing", get="n_positive"),
        Column("right", get="n_right", importance=-1),
        *_group_numbers(),
    ]
    return Table.of("group_scores", "Each group", columns, shown, notes)


def _cut(name: str) -> str:
    whole = len(name) <= _SHOWN_CHARACTERS
    return name if whole else f"{name[: _SHOWN_CHARACTERS - 1]}…"


def _lowest_first(found: tuple[str, GroupScore]) -> float:
    """By average precision; groups that have none come last."""
    precision = found[1].average_precision
    return math.inf if precision is None else precision


# Runs beside each other, and their operating points, as tables.

BEST_ACCURACY = "best accuracy"
"""What a cutoff is tuned for."""

CUTOFF_COLUMNS = (
    Column("cutoff", digits=6),
    measure_column("accuracy"),
    measure_column("precision"),
    measure_column("recall"),
    measure_column("f"),
)
"""What an operating point gives."""


def comparisons_table(evaluation: Evaluation) -> Table | None:
    """Every two runs on the same pairs; None for a single run."""
    columns = [
        Column("first"),
        Column("second"),
        Column("only_first", title="only first right", importance=-1),
        Column("only_second", title="only second right", importance=-1),
        Column("p", title="p (McNemar)", digits=4, importance=-2),
        Column("p_holm", title="p (Holm)", digits=4),
        Column("differs", importance=1),
        share("accuracy-all", "accuracy difference", partial(_difference, "accuracy-all")),
        Column(
            "accuracy-all_p",
            "its p (bootstrap)",
            digits=4,
            get=lambda each: each.differences["accuracy-all"].p,
        ),
        Column("cws", "cws difference", digits=3, get=partial(_difference, "cws")),
        Column(
            "average-precision",
            "average precision difference",
            digits=3,
            get=partial(_difference, "average-precision"),
        ),
    ]
    found = evaluation.comparisons
    notes = [
        "differences are first minus second; a pair without an answer is not right",
        "runs differ where the exact McNemar p, corrected by Holm for the number of comparisons"
        f" ({len(found)}), is at most {evaluation.resampling.alpha:g}",
    ]
    return Table.of("comparisons", "Runs compared", columns, found, notes) if found else None


def _difference(measure: str, compared: RunComparison) -> Difference:
    return compared.differences[measure]


def clusters_table(evaluation: Evaluation) -> Table | None:
    """Sets of runs that do not differ; None for a single run."""
    if len(evaluation.runs) < 2:
        return None
    columns = [Column("cluster"), Column("run"), measure_column("accuracy-all")]
    accuracy = {run.name: run.scores.measures.get("accuracy-all") for run in evaluation.runs}
    rows = [
        [i, name, estimate.value if (estimate := accuracy[name]) else None]
        for i, cluster in enumerate(evaluation.clusters, 1)
        for name in cluster
    ]
    notes = ["no two runs of a cluster differ; a run may be in several"]
    return Table("clusters", "Clusters of runs that do not differ", columns, rows, notes)


def operating_table(evaluation: Evaluation, precision: float) -> Table:
    """For each run the cutoffs for the best accuracy, the best F and a wanted precision."""
    rows: list[tuple[str, str, OperatingPoint]] = []
    notes = ["chosen on these pairs, so the numbers flatter; a score above the cutoff is a yes"]
    for run in evaluation.runs:
        try:
            curve = run_cutoffs(run.judged)
        except UndefinedError as error:
            notes.append(f"{run.name}: {error.message}")
            continue
        for aim, choose in aims(precision).items():
            try:
                rows.append((run.name, aim, choose(curve)))
            except UndefinedError as error:
                notes.append(f"{run.name}: {error.message}")
    columns = [
        Column("run", get=lambda *row: row[0]),
        Column("aim", get=lambda *row: row[1]),
        *CUTOFF_COLUMNS,
    ]
    return Table.of("operating_points", "Operating points", columns, rows, notes)


def aims(precision: float | None) -> dict[str, Callable[[CutoffCurve], OperatingPoint]]:
    """What a cutoff can be chosen for, and how."""
    found: dict[str, Callable[[CutoffCurve], OperatingPoint]] = {
        BEST_ACCURACY: lambda curve: curve.at(curve.tuned),
        "best F": lambda curve: curve.best_f(),
    }
    if precision is not None:
        found[f"precision ≥ {precision:g}"] = lambda curve: curve.for_precision(precision)
    return found
