"""Leaderboards as they were last shown: made once for each version, and not for each request."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any

from ensue.reports.model import Table
from ensue.web.showing.boards import board_table
from ensue.workbench.challenges import Board, ChallengeRecord

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
