"""Shards to workers, accounts into the books, until nothing is left."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ensue.engine.careful import Stopped
from ensue.engine.doing import Event, EventKind, do_shards, listen, stop_listening
from ensue.engine.engines import Opened
from ensue.engine.folders import Folder
from ensue.engine.logging import log_death
from ensue.engine.model import Job, Shard, ShardAccount
from ensue.engine.running.preparing import SHARE
from ensue.engine.watching import Watch
from ensue.errors import EngineError

_AHEAD = 2
"""Tasks for each worker that are handed out at once."""
_PATIENCE = 0.5
"""Seconds after which it is looked whether there is trouble."""
_LONGEST = 32
"""Shards that a worker gets at once, so that one that joins later finds something to do."""

OnShard = Callable[[ShardAccount], None]


@dataclass(frozen=True, slots=True)
class Loop:
    """Hands shards out and takes accounts in."""

    name: str
    job: Job
    folder: Folder
    watch: Watch
    finish: OnShard
    complete: OnShard
    """Is told once more of a shard that is finished, as its last worker wrote it."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    trouble: list[BaseException] = field(default_factory=list)
    """What came up when a shard was entered that somebody told of."""

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear what happens at the workers."""
        listen(self.name, self.heard)
        try:
            yield
        finally:
            stop_listening(self.name)

    def heard(self, event: Event) -> None:
        """Count what happened at a worker, and enter a shard that is done."""
        self.watch.heard(event)
        if event.kind is EventKind.DIED:
            log_death(event)
        elif event.kind is EventKind.DONE:
            try:
                self._enter(event.value)
            except BaseException as error:
                self.trouble.append(error)

    def do(self, shards: Iterable[Shard], opened: Opened, n_shards: int | None) -> None:
        """Keep all workers busy until nothing is left."""
        waiting: set[Future[Any]] = set()
        try:
            for stretch in stretches(shards, n_shards, opened.slots):
                while len(waiting) >= _AHEAD * opened.slots:
                    waiting = self._collect(waiting)
                if opened.is_elsewhere:
                    stretch = [shard.absolute() for shard in stretch]
                arguments = (self.name, self.job, self.folder, stretch, opened.isolated)
                waiting.add(opened.executor.submit(do_shards, *arguments))
            while waiting:
                waiting = self._collect(waiting)
        except BaseException:
            for future in waiting:
                future.cancel()
            raise

    def _collect(self, waiting: set[Future[Any]]) -> set[Future[Any]]:
        ready, rest = wait(waiting, _PATIENCE, FIRST_COMPLETED)
        for future in ready:
            try:
                accounts = future.result()
            except Stopped:
                raise EngineError("the workers were ended", hint="go on with --resume") from None
            for account in accounts:
                self._enter(account)
        if self.trouble:
            raise self.trouble[0]
        return rest

    def _enter(self, account: ShardAccount) -> None:
        """Enter a shard that is done, once, whoever tells of it."""
        with self.lock:
            if self.watch.done(account):
                self.finish(account)
            elif account.keys:  # which events from elsewhere do not have
                self.complete(account)


def stretches(shards: Iterable[Shard], n_shards: int | None, slots: int) -> Iterator[list[Shard]]:
    """Shards that are cheap to do one after the other, together; fewer of them towards the end."""
    stretch: list[Shard] = []
    n_given = 0
    for shard in shards:
        fair = 1 if n_shards is None else (n_shards - n_given) // (SHARE * slots)
        most = min(max(1, fair), _LONGEST)
        together = stretch and shard.place is not None and shard.place == stretch[-1].place
        if stretch and (not together or len(stretch) >= most):
            yield stretch
            n_given += len(stretch)
            stretch = []
        stretch.append(shard)
    if stretch:
        yield stretch
