"""A leaderboard as a table: on its page, as CSV, and as a page that stands alone."""

from __future__ import annotations

from collections.abc import Sequence

from ensue.reports.model import Cell, Column, Interval, Report, Section, Table
from ensue.workbench.challenges import Board, BoardEntry, ChallengeRecord


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


def board_report(challenge: ChallengeRecord, board: Board) -> Report:
    """The board as a page that stands alone."""
    text = (
        f"{challenge.description}\n\n{challenge.n_test:,} test pairs; runs were taken in from"
        f" {challenge.opens:%Y-%m-%d} to {challenge.closes:%Y-%m-%d}, up to"
        f" {challenge.runs_allowed} a team. The board is {challenge.state.value}."
    )
    return Report(challenge.name, [Section("Leaderboard", text, [board_table(board)])])
