"""A whole run over shards, from what is there already to what it came to."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ensue.engine.engines import Purpose, open_engine
from ensue.engine.folders import MANIFEST, Folder, Plan, write_journal
from ensue.engine.logging import log_begun, log_ended, log_finished, log_resumed, log_shard
from ensue.engine.model import Input, Job, Shard, ShardAccount
from ensue.engine.running.looping import Loop, OnShard
from ensue.engine.running.preparing import Spread, prepare
from ensue.engine.watching import Snapshot, State, Watch
from ensue.errors import EnsueError
from ensue.pairs.opening.remote import is_url

MOST_KEYS = 10_000_000
"""Items whose keys are kept, to see which occur twice; eighty megabytes."""

_MOST_FINDINGS = 1000
"""Findings that are kept; the others are counted."""

OnSnapshot = Callable[[Snapshot], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run over shards came to."""

    plan: Plan
    accounts: tuple[ShardAccount, ...]
    """In the order of the input."""
    done_before: frozenset[int]
    """The shards of these that an earlier run had done."""
    last: Snapshot = field(hash=False)
    seconds: float

    @property
    def n_resumed(self) -> int:
        """Items that were done before."""
        return sum(each.n_items for each in self.accounts if each.number in self.done_before)

    @property
    def is_idle(self) -> bool:
        """Whether there was nothing left to do."""
        return len(self.done_before) == len(self.accounts)


def run_shards(
    job: Job,
    given: Input,
    folder: Folder,
    spread: Spread,
    *,
    what: str,
    on_snapshot: OnSnapshot | None = None,
    on_shard: OnShard | None = None,
) -> Outcome:
    """Do all shards of an input that are not done yet. The folder has to be locked by the caller.

    Args:
        job: What is done.
        given: With what.
        folder: Where the shards go.
        spread: By whom.
        what: The same in a few words.
        on_snapshot: Is told every two seconds where the run stands.
        on_shard: Is told of every shard, those of an earlier run first, in no order, from any thread
            but never from two at once.

    Raises:
        RunError: what is in the folder is another run.
        OutputError: something is there, and neither to resume nor to restart was asked.
        EngineError: workers cannot be had, or do not live.
        EnsueError: whatever a job raises.
    """
    clock = time.monotonic()
    name = f"ensue-{os.getpid()}-{uuid.uuid4().hex[:8]}"
    plan, done = prepare(job, given, folder, spread)
    log_begun(what, job, given, folder, plan, spread)
    log_resumed(done)
    watch = Watch(folder, what, spread.engine, on_snapshot)
    books = _Books(folder, on_shard, dict(done))
    for account in done.values():
        watch.resumed(account)
        books.tell(account)
    shards = _listed(given, plan.shard_size, watch)
    loop = Loop(name, job, folder, watch, books.finish, books.complete)
    with _ending(watch), loop.listening():
        if watch.n_shards is None or watch.n_shards > len(done):
            folder.remove(MANIFEST)
            purpose = Purpose(name, job, folder, _local_sources(shards), given.n_estimated)
            missing = (each for each in shards if each.number not in done)
            with open_engine(spread, purpose, loop.heard) as opened:
                n_missing = None if watch.n_shards is None else watch.n_shards - len(done)
                loop.do(missing, opened, n_missing)
    last = watch.snapshot(State.FINISHED)
    return Outcome(plan, books.ordered(), frozenset(done), last, time.monotonic() - clock)


@dataclass(slots=True)
class _Books:
    """What became of each shard: in memory, and in the journal."""

    folder: Folder
    on_shard: OnShard | None
    accounts: dict[int, ShardAccount]
    n_keyed: int = 0
    n_told: int = 0

    def tell(self, account: ShardAccount) -> None:
        """Pass it on to whoever wants to know."""
        if self.on_shard:
            self.on_shard(account)

    def finish(self, account: ShardAccount) -> None:
        """Enter a shard that is done."""
        self.n_keyed += account.n_items
        self._keep(account)
        write_journal(self.folder, account)
        log_shard(account)
        self.tell(account)

    def complete(self, account: ShardAccount) -> None:
        """Take in all that is known of a shard that was entered when somebody told of it."""
        if account.sha256 != self.accounts[account.number].sha256:  # its first worker was lost
            write_journal(self.folder, account)
        self._keep(account)

    def ordered(self) -> tuple[ShardAccount, ...]:
        """All of them, in the order of the input."""
        return tuple(self.accounts[number] for number in sorted(self.accounts))

    def _keep(self, account: ShardAccount) -> None:
        """Hold it, but not the keys of very many items, nor very many findings."""
        if self.n_keyed > MOST_KEYS:
            account = replace(account, keys=b"")
        self.n_told += len(account.findings)
        if self.n_told > _MOST_FINDINGS:
            account = replace(account, findings=())
        self.accounts[account.number] = account


def _listed(given: Input, size: int, watch: Watch) -> Iterable[Shard]:
    """The shards; where they are known without reading everything, all of them."""
    watch.n_items = given.n_items
    if not given.is_listed:
        return given.shards(size)
    shards = list(given.shards(size))
    watch.n_shards = len(shards)
    return shards


def _local_sources(shards: Iterable[Shard]) -> tuple[str, ...]:
    """The files that workers read themselves; none where they are fed."""
    if not isinstance(shards, list):
        return ()
    sources = {part.source for shard in shards for part in shard.parts}
    return tuple(sorted(source for source in sources if not is_url(source)))


@contextmanager
def _ending(watch: Watch) -> Iterator[None]:
    """Show how it ended, however it did."""
    watch.begin()
    try:
        yield
    except BaseException as error:
        causes = (error, error.__cause__)  # Ctrl-C inside a compiled kernel is only the cause
        is_interrupted = any(isinstance(each, KeyboardInterrupt) for each in causes)
        state = State.INTERRUPTED if is_interrupted else State.FAILED
        reason = str(error) if isinstance(error, EnsueError) else repr(error)
        watch.end(state, None if is_interrupted else reason)
        log_ended(error, watch.snapshot(state), is_interrupted=is_interrupted)
        raise
    watch.end(State.FINISHED)
    log_finished(watch.snapshot(State.FINISHED))
