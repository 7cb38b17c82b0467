"""A leaderboard as a table: on its page, as CSV, and as a page that stands alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ensue.reports.cells import is_numeric, shown_cell
from ensue.reports.model import Cell, Column, Interval, Report, Section, Table
from ensue.reports.pictures.drawing import escaped
from ensue.workbench.challenges import Board, BoardEntry, ChallengeRecord

if TYPE_CHECKING:
    from markupsafe import Markup

_NAMES = ("team", "run")
"""Columns whose cells people wrote."""


def board_table(board: Board) -> Table:
    """Runs by rank, with intervals, clusters and tasks."""
    columns = [
        Column("rank"),
        *map(Column, _NAMES),
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
    return Table("board", "Runs by rank", columns, rows, notes)


def _is_share(measure: str) -> bool:
    return measure.startswith(("accuracy", "coverage"))


def _row(board: Board, entry: BoardEntry) -> list[Cell | Interval]:
    numbers = [entry.measures[name] for name in board.measures]
    return [
        entry.rank,
        entry.team,
        entry.name,
        *(Interval(each.get("value"), each.get("low"), each.get("high")) for each in numbers),
        _clusters(entry.clusters),
        *(entry.tasks[task] for task in board.tasks),
    ]


def _clusters(numbers: Sequence[int]) -> str:
    """The clusters of a run; their numbers follow each other, and may be many.

    >>> _clusters((3,)), _clusters((3, 4)), _clusters((3, 4, 5))
    ('3', '3, 4', '3–5')
    """
    if len(numbers) > 2:
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(map(str, numbers))


def board_rows(table: Table) -> Markup:
    """The rows of a board as HTML, an interval below its number.

    They are put together here, since a template takes several times as long for a thousand of them.
    """
    from markupsafe import Markup

    kinds = [_kind(table, i) for i in range(len(table.columns))]
    rows = (
        "".join(
            f"{kind}{_cell_part(cell, column)}</td>"
            for kind, cell, column in zip(kinds, row, table.columns, strict=True)
        )
        for row in table.rows
    )
    return Markup("\n".join(f"<tr>{row}</tr>" for row in rows))


def _kind(table: Table, i: int) -> str:
    """How a cell of the i-th column begins."""
    if table.columns[i].name in _NAMES:
        return '<td class="name">'
    return '<td class="number">' if is_numeric(table, i) else "<td>"


def _cell_part(cell: Cell | Interval, column: Column) -> str:
    shown = shown_cell(cell, column)
    if isinstance(cell, str):
        return escaped(shown)
    number, bracket, range_ = shown.partition(" [")
    return f"{number}<br><small>[{range_}</small>" if bracket else number


def board_report(challenge: ChallengeRecord, board: Board) -> Report:
    """The board as a page that stands alone."""
    text = (
        f"{challenge.description}\n\n{challenge.n_test:,} test pairs; runs were taken in from"
        f" {challenge.opens:%Y-%m-%d} to {challenge.closes:%Y-%m-%d}, up to"
        f" {challenge.runs_allowed} a team. The board is {challenge.state.value}."
    )
    return Report(challenge.name, [Section("Leaderboard", text, [board_table(board)])])
