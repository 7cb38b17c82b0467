"""The measures of runs as tables: scores, confidence, groups of pairs, comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ensue.errors import UndefinedError
from ensue.evaluation import (
    Evaluation,
    GroupScore,
    GroupScores,
    RunEvaluation,
    Scores,
    group_scores,
    reliability,
    risk_coverage,
    run_cutoffs,
)
from ensue.pairs import CutoffCurve, OperatingPoint, View
from ensue.reports.model import Cell, Column, Interval, Table
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

Row = list[Cell | Interval]


def as_interval(estimate: Estimate) -> Interval:
    """An estimate as a cell."""
    return Interval(estimate.value, estimate.low, estimate.high)


def measure_column(name: str) -> Column:
    """The column of a measure: accuracies in percent, the others as shares of one."""
    if name in _PERCENTAGES:
        return Column(name, title=_TITLES.get(name), digits=1, percent=True)
    return Column(name, title=_TITLES.get(name), digits=3)


def runs_table(evaluation: Evaluation) -> Table:
    """Each run with its measures; those of single labels are in `labels_table`."""
    names = _listed(evaluation)
    rows: list[Row] = []
    for run in evaluation.runs:
        row: Row = [run.name, run.scores.counts.n_pairs, run.scores.counts.n_answered]
        rows.append(row + [as_interval(_estimates(run.scores)[name]) for name in names])
    columns = [Column("run"), Column("pairs"), Column("answered"), *map(measure_column, names)]
    notes = [
        *_reasons(evaluation.runs, names),
        *_how(evaluation),
        *_without_interval(evaluation, names),
    ]
    return Table("runs", f"Runs ({evaluation.view.value})", columns, rows, notes)


def chance_table(evaluation: Evaluation) -> Table:
    """Whether each run is better than guessing."""
    columns = [
        Column("run"),
        Column("measure"),
        Column("n", title="answered"),
        Column("value", digits=4),
        Column("chance", digits=4),
        Column("p", digits=4),
        Column("method"),
    ]
    rows: list[Row] = [
        [run.name, test.measure, test.n, test.value, test.chance, test.p, test.method]
        for run in evaluation.runs
        for test in run.scores.chance
        if test.value is not None
    ]
    notes = ["p is one-sided: how likely it is to guess at least this well"]
    notes += [
        f"{run.name}: {test.measure}: {test.reason}"
        for run in evaluation.runs
        for test in run.scores.chance
        if test.p is None
    ]
    return Table("chance", "Better than chance?", columns, rows, notes)


def labels_table(evaluation: Evaluation) -> Table:
    """Precision, recall and F of each label."""
    columns = [
        Column("run"),
        Column("label"),
        Column("gold"),
        Column("answered"),
        Column("right"),
        *(Column(name, title=_TITLES.get(name), digits=3) for name in _OF_LABELS),
    ]
    rows: list[Row] = []
    notes: dict[str, None] = {}
    for run in evaluation.runs:
        for scores in run.scores.labels:
            found = (scores.precision, scores.recall, scores.f)
            head: Row = [run.name, scores.label.value, scores.n_gold, scores.n_answered]
            rows.append([*head, scores.n_right, *map(as_interval, found)])
            notes |= {f"{run.name}: {each.reason}": None for each in found if each.reason}
    return Table("labels", "By label", columns, rows, list(notes))


def confusion_table(evaluation: Evaluation) -> Table:
    """How often each gold label got each answer."""
    answers = [Column(label.value) for label in evaluation.view.labels]
    rows: list[Row] = []
    for run in evaluation.runs:
        confusion = run.scores.confusion
        for i, label in enumerate(confusion.labels):
            rows.append([run.name, label.value, *confusion.counts[i], confusion.unanswered[i]])
    columns = [Column("run"), Column("gold"), *answers, Column("unanswered")]
    return Table("confusion", "Confusion (rows: gold, columns: answers)", columns, rows)


def outcomes_table(evaluation: Evaluation) -> Table | None:
    """What became of the pairs of runs with three labels, whatever the view; None without such."""
    three_way = [run for run in evaluation.runs if set(run.given) - set(View.TWO_WAY.labels)]
    if not three_way:
        return None
    rows: list[Row] = []
    for run in three_way:
        counts = run.scores.counts
        row: Row = [run.name, *(run.given.get(label, 0) for label in View.THREE_WAY.labels)]
        row += [counts.n_budget_exhausted, counts.n_failed]
        rows.append([*row, counts.n_abstained, counts.n_missing])
    columns = [
        Column("run"),
        *(Column(label.value) for label in View.THREE_WAY.labels),
        Column("budget_exhausted", title="budget exhausted"),
        Column("failed"),
        Column("abstained"),
        Column("missing"),
    ]
    return Table("outcomes", "What became of the pairs", columns, rows)


def unanswered_table(evaluation: Evaluation) -> Table | None:
    """Why pairs were not answered; None where all were."""
    if not _is_partial(evaluation.runs):
        return None
    columns = [
        Column("run"),
        Column("unanswered"),
        Column("missing"),
        Column("abstained"),
        Column("budget_exhausted", title="budget exhausted"),
        Column("failed"),
    ]
    rows: list[Row] = []
    for run in evaluation.runs:
        counts = run.scores.counts
        row: Row = [run.name, counts.n_unanswered, counts.n_missing, counts.n_abstained]
        rows.append([*row, counts.n_budget_exhausted, counts.n_failed])
    notes = ["missing pairs are not in the run at all"]
    return Table("unanswered", "Pairs without an answer", columns, rows, notes)


def tasks_table(evaluation: Evaluation) -> Table | None:
    """Each run's measures on each task; None where they were not asked for."""
    tasks = list(evaluation.runs[0].by_task)
    if not tasks:
        return None
    names = [*(name for name in _listed(evaluation) if name != "macro-f"), "f"]
    rows: list[Row] = []
    for task in tasks:
        for run in evaluation.runs:
            scores = run.by_task[task]
            row: Row = [task, run.name, scores.counts.n_pairs, scores.counts.n_answered]
            row += [as_interval(_estimates(scores)[name]) for name in names]
            rows.append([*row, scores.chance[0].p])
    columns = [Column("task"), Column("run"), Column("pairs"), Column("answered")]
    columns += [*map(measure_column, names), Column("p", title="p of accuracy", digits=4)]
    notes = ["F is that of entailment; p is not corrected for the number of tasks"]
    return Table("tasks", "By task", columns, rows, notes)


def prior_table(evaluation: Evaluation) -> Table | None:
    """The scores to expect under another share of entailments; None where none was asked for."""
    found = [(run, run.scores.prior) for run in evaluation.runs if run.scores.prior]
    if not found:
        return None
    columns = [Column("run"), Column("prior", digits=3), measure_column("accuracy")]
    columns += [measure_column(name) for name in _OF_LABELS]
    rows: list[Row] = []
    notes: dict[str, None] = {}
    for run, prior in found:
        estimates = (prior.accuracy, prior.precision, prior.recall, prior.f)
        rows.append([run.name, prior.prior, *map(as_interval, estimates)])
        notes |= {f"{run.name}: {each.reason}": None for each in estimates if each.reason}
    title = "Where another share of the pairs are entailments"
    return Table("prior", title, columns, rows, list(notes))


def signatures_table(evaluation: Evaluation) -> Table:
    """The recipe of each run."""
    rows: list[Row] = [[run.name, run.signature] for run in evaluation.runs]
    return Table("signatures", "Signatures", [Column("run"), Column("signature")], rows)


def _estimates(scores: Scores) -> dict[str, Estimate]:
    return {**scores.measures, "macro-f": scores.macro_f}


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


def _without_interval(evaluation: Evaluation, names: Sequence[str]) -> Iterator[str]:
    if not evaluation.resampling.draws:
        return
    found: dict[str, list[str]] = {}
    for name in names:
        reasons = {_estimates(run.scores)[name].no_interval for run in evaluation.runs} - {None}
        for reason in reasons:
            found.setdefault(str(reason), []).append(name)
    for reason, measures in found.items():
        yield f"no interval of {', '.join(measures)}: {reason}"


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


def calibration_table(evaluation: Evaluation) -> Table | None:
    """How far confidence and accuracy lie apart; None where no run has confidences."""
    chance = evaluation.view.chance
    columns = [
        Column("run"),
        Column("answered"),
        Column("error", title="calibration error", digits=3),
        Column("error_from_chance", title=f"read from {chance:.3g}", digits=3),
        Column("risk_area", title="mean risk", digits=3),
    ]
    rows: list[Row] = []
    for run in evaluation.runs:
        try:
            plain = reliability(run.judged)
            raised = reliability(run.judged, floor=chance)
            area = risk_coverage(run.judged).area
        except UndefinedError:
            continue
        rows.append([run.name, plain.n, plain.error, raised.error, area])
    notes = [
        "calibration error: mean distance of confidence and accuracy over ten bins; the second"
        f" reads a confidence of 0 as a guess, right with {chance:.3g}",
        "mean risk: errors among the surest answers, over all coverages; it is 1 − cws",
    ]
    return Table("calibration", "Confidence", columns, rows, notes) if rows else None


def risk_coverage_table(evaluation: Evaluation) -> Table | None:
    """The risk-coverage curve of each run; None where no run has confidences."""
    columns = [
        Column("run"),
        measure_column("coverage"),
        Column("risk", digits=1, percent=True),
        Column("confidence", digits=3),
    ]
    rows: list[Row] = []
    for run in evaluation.runs:
        try:
            curve = risk_coverage(run.judged)
        except UndefinedError:
            continue
        points = (curve.coverage.tolist(), curve.risk.tolist(), curve.confidence.tolist())
        rows += [[run.name, *point] for point in zip(*points, strict=True)]
    return Table("risk_coverage", "Risk by coverage", columns, rows) if rows else None


def reliability_table(evaluation: Evaluation) -> Table | None:
    """The reliability curve of each run; None where no run has confidences."""
    columns = [
        Column("run"),
        Column("low", digits=1),
        Column("high", digits=1),
        Column("n", title="answered"),
        Column("confidence", digits=3),
        measure_column("accuracy"),
    ]
    rows: list[Row] = []
    for run in evaluation.runs:
        try:
            bins = reliability(run.judged).bins
        except UndefinedError:
            continue
        rows += [[run.name, b.low, b.high, b.n, b.confidence, b.accuracy] for b in bins]
    return Table("reliability", "Accuracy by confidence", columns, rows) if rows else None


# Groups of pairs, candidate texts for one hypothesis or minimal pairs, as tables.

_SHOWN_GROUPS = 20
_SHOWN_CHARACTERS = 60
_NUMBERS = (
    Column("average-precision", title="average precision", digits=3),
    Column("reciprocal-rank", title="reciprocal rank", digits=3),
)


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
        Column("run"),
        Column("groups"),
        Column("accuracy", title="all right", digits=1, percent=True),
        Column("with_entailment", title="with entailment"),
    ]
    rows: list[Row] = []
    notes = [
        "all right: groups in which every pair has a right answer",
        "means are over the groups that have an entailment",
    ]
    for run, scores in found.items():
        row: Row = [run, len(scores.groups), scores.accuracy, scores.n_with_positive]
        rows.append([*row, scores.mean_average_precision, scores.mean_reciprocal_rank])
        if scores.reason:
            notes.append(f"{run}: {scores.reason}")
    n_alone = n_pairs - sum(group.n for group in next(iter(found.values())).groups)
    if n_alone:
        notes.append(f"groups of one text, in which there is nothing to rank, left out: {n_alone}")
    return Table("groups", "Groups of pairs", [*columns, *_NUMBERS], rows, notes)


def _groups_table(found: Mapping[str, GroupScores], every: bool) -> Table:
    groups = [(run, each) for run, scores in found.items() for each in scores.groups]
    shown = groups if every else sorted(groups, key=_lowest_first)[:_SHOWN_GROUPS]
    rows = [_group_row(run, each, each.group if every else _cut(each.group)) for run, each in shown]
    notes = []
    if len(shown) < len(groups):
        notes.append(f"the {len(shown)} lowest of {len(groups)} by average precision")
    if any(row[1] != each.group for row, (_, each) in zip(rows, shown, strict=True)):
        notes.append("names are cut")
    if notes:
        notes.append("JSON, JSONL and CSV have all in full")
    columns = [
        Column("run"),
        Column("group"),
        Column("texts"),
        Column("entailing"),
        Column("right"),
        *_NUMBERS,
    ]
    return Table("group_scores", "Each group", columns, rows, notes)


def _cut(name: str) -> str:
    whole = len(name) <= _SHOWN_CHARACTERS
    return name if whole else f"{name[: _SHOWN_CHARACTERS - 1]}…"


def _group_row(run: str, each: GroupScore, name: str) -> Row:
    counts = (each.n, each.n_positive, each.n_right)
    return [run, name, *counts, each.average_precision, each.reciprocal_rank]


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
"""What one cutoff gives; `cutoff_cells` fills them."""


def cutoff_cells(point: OperatingPoint) -> list[Cell]:
    """The cells of an operating point under `CUTOFF_COLUMNS`."""
    return [point.cutoff, point.accuracy, point.precision, point.recall, point.f]


def comparisons_table(evaluation: Evaluation) -> Table | None:
    """Every two runs on the same pairs; None for a single run."""
    if not evaluation.comparisons:
        return None
    columns = [
        Column("first"),
        Column("second"),
        Column("only_first", title="only first right"),
        Column("only_second", title="only second right"),
        Column("p", title="p (McNemar)", digits=4),
        Column("p_holm", title="p (Holm)", digits=4),
        Column("differs"),
        Column("accuracy-all", title="accuracy difference", digits=1, percent=True),
        Column("accuracy-all_p", title="its p (bootstrap)", digits=4),
        Column("cws", title="cws difference", digits=3),
        Column("average-precision", title="average precision difference", digits=3),
    ]
    rows: list[Row] = []
    for each in evaluation.comparisons:
        accuracy = each.differences["accuracy-all"]
        row: Row = [each.first, each.second, each.only_first, each.only_second, each.p]
        row += [each.p_holm, each.differs, _interval(accuracy), accuracy.p]
        row += [_interval(each.differences[name]) for name in ("cws", "average-precision")]
        rows.append(row)
    notes = [
        "differences are first minus second; a pair without an answer is not right",
        "runs differ where the exact McNemar p, corrected by Holm for the number of comparisons"
        f" ({len(rows)}), is at most {evaluation.resampling.alpha:g}",
    ]
    return Table("comparisons", "Runs compared", columns, rows, notes)


def clusters_table(evaluation: Evaluation) -> Table | None:
    """Sets of runs that do not differ; None for a single run."""
    if len(evaluation.runs) < 2:
        return None
    columns = [Column("cluster"), Column("run"), measure_column("accuracy-all")]
    accuracy = {run.name: run.scores.measures.get("accuracy-all") for run in evaluation.runs}
    rows: list[Row] = []
    for i, cluster in enumerate(evaluation.clusters, 1):
        for name in cluster:
            estimate = accuracy[name]
            rows.append([i, name, estimate.value if estimate else None])
    notes = ["no two runs of a cluster differ; a run may be in several"]
    return Table("clusters", "Clusters of runs that do not differ", columns, rows, notes)


def operating_table(evaluation: Evaluation, precision: float) -> Table:
    """For each run the cutoffs for the best accuracy, the best F and a wanted precision."""
    rows: list[Row] = []
    notes = ["chosen on these pairs, so the numbers flatter; a score above the cutoff is a yes"]
    for run in evaluation.runs:
        try:
            curve = run_cutoffs(run.judged)
        except UndefinedError as error:
            notes.append(f"{run.name}: {error.message}")
            continue
        for aim, choose in aims(precision).items():
            try:
                rows.append([run.name, aim, *cutoff_cells(choose(curve))])
            except UndefinedError as error:
                notes.append(f"{run.name}: {error.message}")
    columns = [Column("run"), Column("aim"), *CUTOFF_COLUMNS]
    return Table("operating_points", "Operating points", columns, rows, notes)


def aims(precision: float | None) -> dict[str, Callable[[CutoffCurve], OperatingPoint]]:
    """What a cutoff can be chosen for, and how."""
    found: dict[str, Callable[[CutoffCurve], OperatingPoint]] = {
        BEST_ACCURACY: lambda curve: curve.at(curve.tuned),
        "best F": lambda curve: curve.best_f(),
    }
    if precision is not None:
        found[f"precision ≥ {precision:g}"] = lambda curve: curve.for_precision(precision)
    return found


def _interval(difference: Difference) -> Interval:
    return Interval(difference.value, difference.low, difference.high)
