"""Estimates with intervals, or why one is lacking, as cells; findings as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ensue.pairs import Finding
from ensue.reports.model import Cell, Column, Interval, Table
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

Lack = tuple[str, str]
"""Whose number is lacking, and why."""


def shown_estimate(estimate: Estimate | None) -> Interval:
    """An estimate as a cell; a dash where there is none."""
    if estimate is None:
        return Interval(None)
    return Interval(estimate.value, estimate.low, estimate.high)


def reason_notes(lacks: Iterable[Lack]) -> list[str]:
    """Why there are dashes, a note a reason with all that it holds for.

    >>> reason_notes([("bleu", "no words"), ("nist", "no words"), ("ter", "no edits")])
    ['bleu, nist: no words', 'ter: no edits']
    """
    by_reason: dict[str, dict[str, None]] = {}
    for name, reason in lacks:
        by_reason.setdefault(reason, {})[name] = None
    return [f"{', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def lack_of(name: str, estimate: Estimate) -> list[Lack]:
    """Why an estimate is lacking, if it is."""
    return [(name, estimate.reason)] if estimate.value is None and estimate.reason else []


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
    rows = [[each.severity.value, each.code, each.place, each.message] for each in findings]
    return Table("findings", "Findings", columns, rows, notes)
