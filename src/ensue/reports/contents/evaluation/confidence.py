"""What the confidences of runs are worth, as tables: calibration, and the curves behind it."""

from __future__ import annotations

from ensue.errors import UndefinedError
from ensue.evaluation import Evaluation, reliability, risk_coverage
from ensue.reports.contents.evaluation.scores import Row, measure_column
from ensue.reports.model import Column, Table


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
