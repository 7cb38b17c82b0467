"""The loop of every run: shards to workers, accounts into the journal, nothing lost or done twice."""

from __future__ import annotations

import os
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from ensue.engine.careful import Stopped
from ensue.engine.doing import Event, EventKind, do_shards, listen, stop_listening
from ensue.engine.engines import EMBEDDED, Opened, Purpose, open_engine
from ensue.engine.folders import (
    JOURNAL,
    MANIFEST,
    PLAN,
    STATUS,
    Folder,
    Plan,
    is_of_run,
    read_journal,
    write_journal,
)
from ensue.engine.logging import (
    log_begun,
    log_death,
    log_ended,
    log_finished,
    log_resumed,
    log_shard,
)
from ensue.engine.model import Input, Job, Shard, ShardAccount, ShardSizes
from ensue.engine.watching import Snapshot, State, Watch, now
from ensue.errors import EngineError, EnsueError, OutputError, SettingError

MOST_KEYS = 10_000_000
"""Items whose keys are kept, to see which occur twice; eighty megabytes."""

_AHEAD = 2
"""Tasks for each worker that are handed out at once."""
_PATIENCE = 0.5
"""Seconds after which it is looked whether there is trouble."""
_SHARD = re.compile(r"part-\d{6,}\.")
_LONGEST = 32
"""Shards that a worker gets at once, so that one that joins later finds something to do."""
_STRETCHES = 8
"""A worker gets at most one part in so many of its share of the shards at once."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How a run is spread, and what is done with what is there already."""

    engine: str = EMBEDDED
    workers: int | None = None
    """As many as there are cores, and none for a few items, where it is not given."""
    shard_size: int | None = None
    """Items in a shard; by the number of items and workers where it is not given."""
    resume: bool = False
    restart: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run over shards came to."""

    plan: Plan
    accounts: tuple[ShardAccount, ...]
    """In the order of the input."""
    n_resumed: int
    """Items that were done before."""
    last: Snapshot = field(hash=False)
    seconds: float


OnSnapshot = Callable[[Snapshot], None]
OnShard = Callable[[ShardAccount], None]


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
    accounts = dict(done)
    for account in done.values():
        watch.resumed(account)
        if on_shard:
            on_shard(account)

    n_keyed = 0

    def finish(account: ShardAccount) -> None:
        nonlocal n_keyed
        n_keyed += account.n_items
        accounts[account.number] = account if n_keyed <= MOST_KEYS else replace(account, keys=b"")
        write_journal(folder, account)
        log_shard(account)
        if on_shard:
            on_shard(account)

    def complete(account: ShardAccount) -> None:
        if account.sha256 != accounts[account.number].sha256:  # its first worker was lost
            write_journal(folder, account)
        accounts[account.number] = account if n_keyed <= MOST_KEYS else replace(account, keys=b"")

    loop = _Loop(name, job, folder, watch, finish, complete)
    shards = list_or_stream(given, plan.shard_size, watch)
    with _ending(watch), loop.listening():
        if watch.n_shards is None or watch.n_shards > len(done):
            purpose = Purpose(name, job, folder, local_sources(shards), given.n_estimated)
            with open_engine(spread, purpose, loop.heard) as opened:
                loop.do(
                    (each for each in shards if each.number not in done), opened, watch.n_shards
                )
    n_resumed = sum(account.n_items for account in done.values())
    ordered = tuple(accounts[number] for number in sorted(accounts))
    last = watch.snapshot(State.FINISHED)
    return Outcome(plan, ordered, n_resumed, last, time.monotonic() - clock)


def prepare(
    job: Job, given: Input, folder: Folder, spread: Spread
) -> tuple[Plan, dict[int, ShardAccount]]:
    """Find out what is there, and what of it is of use; begin anew where nothing is, or so asked."""
    before = Plan.read(folder) if not spread.restart else None
    if before is None:
        _refuse_others_files(folder, spread.restart)
        clear(folder)
    if before is not None and not spread.resume:
        raise OutputError(
            f"{'a finished' if MANIFEST in folder.names() else 'an unfinished'} run is in"
            f" {folder.name!r}",
            hint="go on with --resume, begin anew with --restart, or name another output",
        )
    if spread.resume and given.digest is None:
        raise SettingError(
            "a run over standard input cannot be resumed", hint="put the pairs into a file"
        )
    size = spread.shard_size or (before.shard_size if before else default_size(job, given, spread))
    plan = Plan(dict(job.identity), given.digest or "-", size, job.suffix, now())
    if before is None:
        plan.write(folder)
        return plan, {}
    before.check(plan, folder)
    done = read_journal(folder)
    folder.remove(MANIFEST)
    lines = b"".join(account.to_line() for account in done.values())
    folder.write(JOURNAL, lines)  # a line that was cut off would swallow the next
    return before, done


def clear(folder: Folder) -> None:
    """Remove what a run wrote, and nothing else."""
    for name in folder.names():
        if name in (MANIFEST, STATUS) or name.startswith(JOURNAL) or _SHARD.match(name):
            folder.remove(name)
    folder.remove(PLAN)  # last: as long as it is there, the rest is known to be a run's


def default_size(job: Job, given: Input, spread: Spread) -> int:
    """Shards small enough to keep all workers busy, and large enough to cost nothing."""
    from ensue.engine.engines import n_cores

    return shard_size_for(job.sizes, given.n_estimated, spread.workers or n_cores())


def shard_size_for(sizes: ShardSizes, n_items: int, workers: int) -> int:
    """The size of shards for so many items and workers, where nobody says."""
    wanted = -(-n_items // (_STRETCHES * workers))
    whole = -(-wanted // sizes.least) * sizes.least
    return max(sizes.least, min(sizes.most, whole))


def list_or_stream(given: Input, size: int, watch: Watch) -> Iterable[Shard]:
    """The shards; where they are known without reading everything, all of them."""
    watch.n_items = given.n_items
    if given.n_items is None:
        return given.shards(size)
    shards = list(given.shards(size))
    watch.n_shards = len(shards)
    return shards


def local_sources(shards: Iterable[Shard]) -> tuple[str, ...]:
    """The files that workers read themselves; none where they are fed."""
    if not isinstance(shards, list):
        return ()
    sources = {part.source for shard in shards for part in shard.parts}
    return tuple(sorted(source for source in sources if "://" not in source))


@dataclass(frozen=True, slots=True)
class _Loop:
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
        fair = 1 if n_shards is None else (n_shards - n_given) // (_STRETCHES * slots)
        most = min(max(1, fair), _LONGEST)
        together = stretch and shard.place is not None and shard.place == stretch[-1].place
        if stretch and (not together or len(stretch) >= most):
            yield stretch
            n_given += len(stretch)
            stretch = []
        stretch.append(shard)
    if stretch:
        yield stretch


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


def _refuse_others_files(folder: Folder, restart: bool) -> None:
    """Never write among files that no run wrote; only who restarts may lose what one did."""
    names = [name for name in folder.names() if not name.startswith(".")]
    if names and not (PLAN in names and restart and is_of_run(folder)):
        raise OutputError(
            f"{folder.name!r} holds other files, {names[0]!r} among them",
            hint="name a new directory, or an empty one",
        )
