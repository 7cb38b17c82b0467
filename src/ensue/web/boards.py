"""Leaderboards as tables and pages, kept in memory for each version."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from ensue.reports import (
    Cell,
    Column,
    Interval,
    Report,
    Section,
    Table,
    is_numeric,
    names_in_words,
    number_in_words,
    shown_cell,
)
from ensue.reports.pictures import escaped
from ensue.workbench import Board, BoardEntry, ChallengeRecord

if TYPE_CHECKING:
    from markupsafe import Markup

# A leaderboard as a table: on its page, as CSV, and as a page that stands alone.

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
    sections = [Section("Leaderboard", text, [board_table(board)])]
    return Report(challenge.name, sections, answer=board_answer(board))


def board_answer(board: Board) -> str:
    """Who leads, and how many runs cannot be told apart from theirs."""
    first = [each for each in board.entries if each.rank == 1]
    if not first:
        return "No run is on the board yet."
    measure = board.measures[0]
    value = first[0].measures[measure].get("value")
    column = Column(measure, digits=1 if _is_share(measure) else 3, percent=_is_share(measure))
    number = "" if value is None else f" with {measure} {number_in_words(value, column)}"
    near = [each for each in board.entries if each.rank > 1 and 1 in each.clusters]
    told = "1 more run is" if len(near) == 1 else f"{len(near)} more runs are"
    leaders = names_in_words([f"{each.team} ({each.name})" for each in first])
    verb = "leads" if len(first) == 1 else "lead"
    if not near:
        return f"{leaders} {verb}{number}."
    return f"{leaders} {verb}{number}; {told} not told apart from the best."


# Leaderboards as they were last shown: made once for each version, and not for each request.

_MOST = 16
"""Boards that are remembered; one of a thousand runs takes some megabytes."""


class ShownBoard:
    """A leaderboard of one version, with the forms that it was shown in."""

    def __init__(self, version: int, table: Table) -> None:
        self.version, self.table = version, table
        self._forms: dict[str, Any] = {}
        self._lock = Lock()

    def once(self, form: str, make: Callable[[], Any]) -> Any:
        """What is made at the first call, e.g. HTML; those who want it meanwhile wait for it."""
        with self._lock:
            if form not in self._forms:
                self._forms[form] = make()
            return self._forms[form]


class Boards:
    """The boards that were shown last, one of each challenge."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._shown: OrderedDict[int, ShownBoard] = OrderedDict()
        self._lock = Lock()
        self._making = Lock()

    def of(self, challenge: ChallengeRecord, read: Callable[[], tuple[int, Board]]) -> ShownBoard:
        """The board of a challenge that somebody may see, as it is now.

        Args:
            challenge: As it was found for whoever asks, in this request: a board that has changed
                since it was remembered has another version, and is read again.
            read: Reads the board, with its version.
        """
        known = self._known(challenge)
        if known is not None:
            return known
        with self._making:
            known = self._known(challenge)  # somebody else may have made it meanwhile
            return known or self._remembered(challenge.id, *read())

    def _known(self, challenge: ChallengeRecord) -> ShownBoard | None:
        with self._lock:
            found = self._shown.get(challenge.id)
            if found is None or found.version != challenge.version:
                return None
            self._shown.move_to_end(challenge.id)
            return found

    def _remembered(self, challenge_id: int, version: int, board: Board) -> ShownBoard:
        made = ShownBoard(version, board_table(board))
        with self._lock:
            self._shown[challenge_id] = made
            self._shown.move_to_end(challenge_id)
            while len(self._shown) > self._most:
                self._shown.popitem(last=False)
        return made
