"""Runs beside each other, their confidences, operating points and groups, as tables."""

from __future__ import annotations

from collections.abc import Callable

from ensue.errors import UndefinedError
from ensue.evaluation import Evaluation, group_scores, reliability, risk_coverage, run_cutoffs
from ensue.evaluation.cutoffs import CutoffCurve, OperatingPoint
from ensue.evaluation.results import Difference
from ensue.reports.contents.score_tables import Row, measure_column
from ensue.reports.model import Cell, Column, Interval, Table

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
        f" ({len(rows)}), is at most {round(1 - evaluation.level, 12):g}",
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


def group_tables(evaluation: Evaluation) -> list[Table]:
    """The ranking setting: the means of each run, and each group by itself."""
    means: list[Row] = []
    groups: list[Row] = []
    notes = ["means are over the groups that have an entailment"]
    for run in evaluation.runs:
        found = group_scores(run.judged)
        row: Row = [run.name, len(found.groups), found.n_with_positive]
        means.append([*row, found.mean_average_precision, found.mean_reciprocal_rank])
        if found.reason:
            notes.append(f"{run.name}: {found.reason}")
        for each in found.groups:
            numbers = (each.average_precision, each.reciprocal_rank)
            groups.append([run.name, each.group, each.n, each.n_positive, *numbers])
    precision = Column("average-precision", title="average precision", digits=3)
    rank = Column("reciprocal-rank", title="reciprocal rank", digits=3)
    head = [Column("run"), Column("groups"), Column("with_entailment", title="with entailment")]
    each_head = [Column("run"), Column("group"), Column("texts"), Column("entailing")]
    return [
        Table("groups", "Ranking of texts by group", [*head, precision, rank], means, notes),
        Table("group_scores", "Each group", [*each_head, precision, rank], groups),
    ]


def _interval(difference: Difference) -> Interval:
    return Interval(difference.value, difference.low, difference.high)
