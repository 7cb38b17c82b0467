"""A leaderboard as a table: on its page, as CSV, and as a page that stands alone."""

from __future__ import annotations

import csv
import io

from ensue.reports.cells import plain_cell
from ensue.reports.model import Cell, Column, Interval, Report, Section, Table
from ensue.workbench.challenges import Board, BoardEntry, ChallengeRecord

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would take for a formula."""


def board_table(board: Board) -> Table:
    """Runs by rank, with intervals, clusters and tasks."""
    columns = [
        Column("rank"),
        Column("team"),
        Column("run"),
        *(
            Column(name, digits=1 if _is_share(name) else 3, percent=_is_share(name))
            for name in board.measures
        ),
        Column("clusters"),
        *(Column(f"task_{task}", task, digits=1, percent=True) for task in board.tasks),
    ]
    notes = [
        "equal results share a rank; brackets: 95 % bootstrap intervals",
        "clusters: runs in one do not differ (exact McNemar, Holm-corrected over every two, at 0.05)",
    ]
    if board.tasks:
        notes.append(f"by task: {board.measures[0]}")
    rows = [_row(board, entry) for entry in board.entries]
    return Table("board", "Leaderboard", columns, rows, notes)


def _is_share(measure: str) -> bool:
    return measure.startswith(("accuracy", "coverage"))


def _row(board: Board, entry: BoardEntry) -> list[Cell | Interval]:
    numbers = [entry.measures[name] for name in board.measures]
    return [
        entry.rank,
        entry.team,
        entry.name,
        *(Interval(each.get("value"), each.get("low"), each.get("high")) for each in numbers),
        ", ".join(map(str, entry.clusters)),
        *(entry.tasks[task] for task in board.tasks),
    ]


def board_report(challenge: ChallengeRecord, board: Board) -> Report:
    """The board as a page that stands alone."""
    text = (
        f"{challenge.description}\n\n{challenge.n_test:,} test pairs; runs were taken in from"
        f" {challenge.opens:%Y-%m-%d} to {challenge.closes:%Y-%m-%d}, up to"
        f" {challenge.runs_allowed} a team. The board is {challenge.state.value}."
    )
    return Report(challenge.name, [Section("Leaderboard", text, [board_table(board)])])


def csv_of(table: Table) -> str:
    """A table as CSV that no spreadsheet takes for formulas; intervals in columns of their own."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    heading: list[str] = []
    wide = [
        any(isinstance(row[i], Interval) for row in table.rows) for i in range(len(table.columns))
    ]
    for column, is_wide in zip(table.columns, wide, strict=True):
        heading += (
            [column.name, f"{column.name}_low", f"{column.name}_high"] if is_wide else [column.name]
        )
    writer.writerow(map(harmless, heading))
    for row in table.rows:
        cells: list[object] = []
        for cell in row:
            if isinstance(cell, Interval):
                cells += [plain_cell(cell.value), plain_cell(cell.low), plain_cell(cell.high)]
            else:
                cells.append(harmless(cell) if isinstance(cell, str) else plain_cell(cell))
        writer.writerow(cells)
    return file.getvalue()


def harmless(cell: str) -> str:
    """A cell that a spreadsheet shows and does not compute."""
    return f"'{cell}" if cell.startswith(_FORMULAS) else cell
