"""Runs beside each other, and their operating points, as tables."""

from __future__ import annotations

from collections.abc import Callable

from ensue.errors import UndefinedError
from ensue.evaluation import Evaluation, run_cutoffs
from ensue.evaluation.cutoffs import CutoffCurve, OperatingPoint
from ensue.evaluation.results import Difference
from ensue.reports.contents.evaluation.scores import Row, measure_column
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
