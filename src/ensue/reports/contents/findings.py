"""Findings as a table."""

from __future__ import annotations

from collections.abc import Sequence

from ensue.pairs import Finding
from ensue.reports.model import Column, Table


def findings_table(findings: Sequence[Finding], *notes: str) -> Table:
    """Findings with their places."""
    columns = [Column("severity"), Column("code"), Column("place"), Column("message")]
    rows = [[each.severity.value, each.code, each.place, each.message] for each in findings]
    return Table("findings", "Findings", columns, rows, notes)
