"""Estimates with intervals, or why one is lacking, as cells; findings as a table."""

from __future__ import annotations

from collections.abc import Sequence

from ensue.pairs import Finding
from ensue.reports.model import Cell, Column, Interval, Lack, Table, lacking
from ensue.statistics import Coefficient, Estimate, Resampling

# What many tables need: numbers with their intervals, and why a number is lacking.

Row = list[Cell | Interval]

COEFFICIENT_TITLES = {
    Coefficient.PEARSON: "Pearson's r",
    Coefficient.SPEARMAN: "Spearman's ρ",
    Coefficient.KENDALL: "Kendall's τ-b",
}
"""How people write them."""
COEFFICIENT_SIGNS = {
    Coefficient.PEARSON: "r",
    Coefficient.SPEARMAN: "ρ",
    Coefficient.KENDALL: "τ",
}
"""The same in short."""


def shown_estimate(estimate: Estimate | None) -> Interval:
    """An estimate as a cell; a dash where there is none."""
    if estimate is None:
        return Interval(None)
    return Interval(estimate.value, estimate.low, estimate.high)


def lack_of(name: str, estimate: Estimate) -> list[Lack]:
    """Why an estimate is lacking, if it is."""
    return list(lacking(name, [estimate]))


def interval_notes(resampling: Resampling, *, over: str) -> list[str]:
    """What stands in brackets, if anything does.

    Args:
        resampling: Draws, level and seed of the intervals.
        over: What was drawn, e.g. `segments`.
    """
    if not resampling.draws:
        return []
    return [
        f"in brackets: {resampling.percent} bootstrap intervals over {over}"
        f" ({resampling.draws:,} draws, seed {resampling.seed})"
    ]


# Findings as a table.


def findings_table(findings: Sequence[Finding], *notes: str) -> Table:
    """Findings with their places."""
    columns = [Column("severity"), Column("code"), Column("place"), Column("message")]
    return Table.of("findings", "Findings", columns, findings, notes)
