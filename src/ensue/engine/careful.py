"""Do a shard whatever happens to the process that does it.

A hand that dies is started again. Whether an item is to blame is found out by doing the batch in
which it died once more: if the new process lives, something outside was to blame, and the shard is
done again; if it dies, the batch is halved until one item is left. That item is left out of the
shard and gets its reason, unless none that was tried lives: then it is not the item.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ensue.engine.folders import Folder
from ensue.engine.hands import Hand, HandDied
from ensue.engine.model import Blamed, Job, Shard, ShardAccount
from ensue.engine.working import MOST_FAILED, do_shard, try_items
from ensue.errors import EngineError

_MOST_DEATHS = 3
"""Deaths in one shard that no item is to blame for; more are given up on."""

_OTHERS = 5
"""Items that are tried alone before one is blamed while no other was seen to be done."""

Span = tuple[int, int]


class Stopped(Exception):
    """The run is over: its hands were ended."""


@dataclass(frozen=True, slots=True)
class Careful:
    """One hand and what it works on."""

    hand: Hand
    job: Job
    folder: Folder
    on_batch: Callable[[Span], None]
    """Is told of each batch of the shard before it is done."""
    on_death: Callable[[str], None]
    """Is told why a process died."""
    is_stopped: Callable[[], bool]

    def do(self, shard: Shard) -> ShardAccount:
        """Do a shard.

        Raises:
            EngineError: processes die, and no item is to blame; or too many are.
            Stopped: the run is over.
        """
        blamed: dict[int, str] = {}
        unexplained = 0
        while True:
            heard = _Last(self.on_batch)
            try:
                account = self._call(do_shard, self.job, self.folder, shard, blamed, on_note=heard)
            except HandDied as death:
                guilty = self._guilty(shard, blamed, heard.span) if heard.span else None
                if guilty is None or guilty[0] in blamed:
                    unexplained += 1
                else:
                    blamed.update([guilty])
                if unexplained > _MOST_DEATHS or len(blamed) > MOST_FAILED:
                    raise self._given_up(shard, death, len(blamed)) from None
                continue
            assert isinstance(account, ShardAccount)
            return account

    def _guilty(self, shard: Shard, blamed: Blamed, span: Span) -> tuple[int, str] | None:
        """The item that ends its process, and how; None where a new process lives through them.

        Raises:
            EngineError: a process lives through no item.
        """
        reason = self._death(shard, blamed, span)
        lives = span[0] > 0
        first, last = span
        while reason and last - first > 1:
            middle = (first + last) // 2
            half = first, middle
            reason = self._death(shard, blamed, half)
            if reason is None:
                lives = True
                half = middle, last
                reason = self._death(shard, blamed, half)
            first, last = half
        if reason and last - first < span[1] - span[0]:  # or was it killed by somebody just then?
            reason = self._death(shard, blamed, (first, last))
        if reason is None:
            return None
        if not (lives or blamed):
            self._try_others(shard, first, reason)
        return first, reason

    def _try_others(self, shard: Shard, guilty: int, reason: str) -> None:
        """See that a process lives through any other item, where there are some to try."""
        places = {shard.n_items * i // (_OTHERS + 1) for i in range(_OTHERS + 1)}
        others = sorted(places - {guilty})
        if len(others) >= _OTHERS and all(self._death(shard, {}, (i, i + 1)) for i in others):
            raise EngineError(
                f"the worker died of every item of shard {shard.number} that it was given alone;"
                f" the first time {reason}",
                hint="try the recognizer on a few pairs first, with --workers 1",
            )

    def _death(self, shard: Shard, blamed: Blamed, span: Span) -> str | None:
        """How a process ends that does these items; None where it lives."""
        try:
            self._call(try_items, self.job, shard, blamed, *span)
        except HandDied as death:
            return death.reason
        return None

    def _call(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        try:
            return self.hand.call(function, *arguments, **options)
        except HandDied as death:
            if self.is_stopped():
                raise Stopped from None
            self.on_death(death.reason)
            raise

    def _given_up(self, shard: Shard, death: HandDied, n_blamed: int) -> EngineError:
        if n_blamed > MOST_FAILED:
            return EngineError(
                f"more than {MOST_FAILED} items of shard {shard.number} end their process",
                hint=f"the last one: {death.reason}; try the recognizer on a few pairs first",
            )
        return EngineError(
            f"the worker of shard {shard.number} died {_MOST_DEATHS + 1} times, and no single item"
            f" is to blame; the last time {death.reason}",
            hint="is there enough memory? fewer --workers or a smaller --batch-size need less",
        )


class _Last:
    """Remembers the batch that is being done."""

    def __init__(self, on_batch: Callable[[Span], None]) -> None:
        self._on_batch = on_batch
        self.span: Span | None = None

    def __call__(self, span: Span) -> None:
        self.span = span
        self._on_batch(span)
