"""The loop of every run: options, engine, shards to workers, accounts into the journal."""

from __future__ import annotations

import os
import re
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from ensue.engine.job import Counts, Input, Job, Shard, ShardAccount, ShardSizes
from ensue.engine.processes import Stopped
from ensue.engine.progress import (
    Listener,
    LogEvent,
    ProgressMonitor,
    RunState,
    Snapshot,
    WorkerEvent,
    WorkerEventKind,
    log,
    log_begun,
    log_death,
    log_ended,
    log_finished,
    log_shard,
    now,
)
from ensue.engine.shards import do_shards, end_processes, listening, loaded_here
from ensue.engine.store import (
    JOURNAL,
    MANIFEST,
    PLAN,
    STATUS,
    Folder,
    RunPlan,
    is_of_run,
    read_journal,
)
from ensue.errors import EngineError, EnsueError, OutputError, SettingError
from ensue.files import Finding, Severity, is_url

# The engine that was asked for, open for one run; processes of this machine need nothing else.

EMBEDDED = "embedded"
DASK = "dask"


@dataclass(frozen=True, slots=True)
class OpenEngine:
    """An executor, and how many tasks it does at once."""

    executor: Executor
    count: Callable[[], int]
    """How many there are now: a cluster may grow and shrink."""
    isolated: bool = True
    """Whether shards are done in processes of their own."""
    is_elsewhere: bool = False
    """Whether workers may have another current directory."""

    @property
    def slots(self) -> int:
        """How many tasks are done at once."""
        return self.count()


@dataclass(frozen=True, slots=True)
class Purpose:
    """What an engine is opened for."""

    run: str
    """What the run is called."""
    job: Job
    folder: Folder
    sources: tuple[str, ...]
    """Local files that workers read themselves."""
    n_items: int
    """About how many there are."""


@contextmanager
def open_engine(options: RunOptions, purpose: Purpose, listener: Listener) -> Iterator[OpenEngine]:
    """Open the engine for one run, and leave no process behind.

    Args:
        options: Which engine, how many workers.
        purpose: What for.
        listener: Called with events at workers elsewhere.

    Raises:
        SettingError: there is no such engine.
        EngineError: the cluster cannot be reached, or cannot do the job.
    """
    if options.engine == EMBEDDED:
        few = (
            options.workers is None
            and not options.isolated
            and purpose.n_items < purpose.job.sizes.alone
        )
        with _alone() if few else _embedded(options.workers or n_cores(), purpose.run) as opened:
            yield opened
        return
    scheme, colon, address = options.engine.partition("://")
    if scheme != DASK or bool(colon) != bool(address):
        raise SettingError(
            "no-engine-called",
            f"no engine is called {options.engine!r}",
            hint="embedded, dask or dask://HOST:PORT",
        )
    from ensue.engine.dask import open_cluster

    with open_cluster(address or None, options.workers, purpose, listener) as opened:
        yield opened


@contextmanager
def _embedded(workers: int, run: str) -> Iterator[OpenEngine]:
    executor = ThreadPoolExecutor(workers, thread_name_prefix=run)
    try:
        yield OpenEngine(executor, lambda: workers)
    finally:
        end_processes(run)  # first, so that no thread waits for one
        executor.shutdown(cancel_futures=True)


@contextmanager
def _alone() -> Iterator[OpenEngine]:
    yield OpenEngine(_Here(), lambda: 1, isolated=False)


class _Here(Executor):
    """Does what it is given at once, in this thread, so that Ctrl-C reaches it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def n_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Before a run begins: options, how large its shards are, what is done already.

SHARE = 8
"""A worker gets at most one part in so many of its share of the items at once."""

_SHARD = re.compile(r"part-\d{6,}\.")


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Who does the work of a run, and what is done with what is there already."""

    engine: str = EMBEDDED
    workers: int | None = None
    """As many as there are cores, and none for a few items, where it is not given."""
    shard_size: int | None = None
    """Items in a shard; by the number of items and workers where it is not given."""
    resume: bool = False
    restart: bool = False
    isolated: bool = False
    """Whether a few items, too, are done in another process, which may die of them."""


def prepare(
    job: Job, given: Input, folder: Folder, options: RunOptions
) -> tuple[RunPlan, dict[int, ShardAccount]]:
    """Find out what is there, and what of it is of use; begin anew where nothing is, or so asked."""
    before = RunPlan.read(folder) if not options.restart else None
    if before is None:
        _refuse_others_files(folder, options.restart)
        clear(folder)
    if before is not None and not options.resume:
        raise OutputError(
            "run-is-in",
            f"{'a finished' if MANIFEST in folder.names() else 'an unfinished'} run is in"
            f" {folder.name!r}",
            hint="go on with --resume, begin anew with --restart, or name another output",
        )
    if options.resume and given.digest is None:
        raise SettingError(
            "run-over-standard-input",
            "a run over standard input cannot be resumed",
            hint="put the pairs into a file",
        )
    size = options.shard_size or (
        before.shard_size if before else default_size(job, given, options)
    )
    plan = RunPlan(dict(job.identity), given.digest or "-", size, job.suffix, now())
    if before is None:
        plan.write(folder)
        return plan, {}
    before.check(plan, folder)
    done = read_journal(folder)
    lines = b"".join(account.to_line() for account in done.values())
    folder.write(JOURNAL, lines)  # a line that was cut off would swallow the next
    return before, done


def clear(folder: Folder) -> None:
    """Remove what a run wrote, and nothing else."""
    for name in folder.names():
        if name != PLAN and _is_ours(name):
            folder.remove(name)
    folder.remove(PLAN)  # last: as long as it is there, the rest is known to be a run's


def default_size(job: Job, given: Input, options: RunOptions) -> int:
    """Shards small enough to keep all workers busy, and large enough to cost nothing."""
    return shard_size_for(job.sizes, given.n_estimated, options.workers or n_cores())


def shard_size_for(sizes: ShardSizes, n_items: int, workers: int) -> int:
    """The size of shards for so many items and workers, where nobody says."""
    wanted = -(-n_items // (SHARE * workers))
    whole = -(-wanted // sizes.least) * sizes.least
    return max(sizes.least, min(sizes.most, whole))


def _is_ours(name: str) -> bool:
    return name in (PLAN, MANIFEST, STATUS) or name.startswith(JOURNAL) or bool(_SHARD.match(name))


def _refuse_others_files(folder: Folder, restart: bool) -> None:
    """Never write among files that no run wrote; only who restarts may lose what one did."""
    names = [name for name in folder.names() if not name.startswith(".")]
    is_run = (PLAN in names and is_of_run(folder)) or all(map(_is_ours, names))
    if names and not (restart and is_run):
        raise OutputError(
            "holds-other-files-among",
            f"{folder.name!r} holds other files, {names[0]!r} among them",
            hint="name a new directory, or an empty one",
        )


# Shards to workers, accounts into the books, until nothing is left.

_AHEAD = 2
"""Tasks for each worker that are handed out at once."""
_PATIENCE = 0.5
"""Seconds after which it is looked whether there is trouble."""
_LONGEST = 32
"""Shards that a worker gets at once, so that one that joins later finds something to do."""

MOST_KEYS = 10_000_000
"""Items whose keys are kept, to see which occur twice; eighty megabytes."""
_MOST_FINDINGS = 1000
"""Findings that are kept; the others are counted."""

OnShard = Callable[[ShardAccount], None]


@dataclass(slots=True)
class Journal:
    """What became of each shard: in memory, and in the journal."""

    folder: Folder
    on_shard: OnShard | None
    accounts: dict[int, ShardAccount]
    n_keyed: int = 0
    n_told: int = 0

    def tell(self, account: ShardAccount) -> None:
        """Call `on_shard`."""
        if self.on_shard:
            self.on_shard(account)

    def add(self, account: ShardAccount) -> None:
        """Enter a shard that is done."""
        self.n_keyed += account.n_items
        self._keep(account)
        self.folder.enter(account.to_line())
        log_shard(account)
        self.tell(account)

    def complete(self, account: ShardAccount) -> None:
        """Complete a shard that was entered by an event, which has no keys."""
        if account.sha256 != self.accounts[account.number].sha256:  # its first worker was lost
            self.folder.enter(account.to_line())
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


@dataclass(frozen=True, slots=True)
class Loop:
    """Submits shards to workers and collects their accounts."""

    name: str
    job: Job
    journal: Journal
    monitor: ProgressMonitor
    lock: threading.Lock = field(default_factory=threading.Lock)
    errors: list[BaseException] = field(default_factory=list)
    """Raised while a shard was entered of which an event told."""

    def on_event(self, event: WorkerEvent) -> None:
        """Count what happened at a worker, and enter a shard that is done."""
        self.monitor.on_event(event)
        if event.kind is WorkerEventKind.DIED:
            log_death(event)
        elif event.kind is WorkerEventKind.DONE:
            try:
                self._enter(event.value)
            except BaseException as error:
                self.errors.append(error)

    def do(self, shards: Iterable[Shard], opened: OpenEngine, n_shards: int | None) -> None:
        """Keep all workers busy until nothing is left."""
        waiting: set[Future[Any]] = set()
        try:
            for stretch in stretches(shards, n_shards, opened.slots):
                while len(waiting) >= _AHEAD * opened.slots:
                    waiting = self._collect(waiting)
                if opened.is_elsewhere:
                    stretch = [shard.absolute() for shard in stretch]
                arguments = (self.name, self.job, self.journal.folder, stretch, opened.isolated)
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
                raise EngineError(
                    "workers-ended", "the workers were ended", hint="go on with --resume"
                ) from None
            for account in accounts:
                self._enter(account)
        if self.errors:
            raise self.errors[0]
        return rest

    def _enter(self, account: ShardAccount) -> None:
        """Enter a shard once, by the event or by the result of its task, whichever comes first."""
        with self.lock:
            if self.monitor.done(account):
                self.journal.add(account)
            elif account.keys:  # which events from elsewhere do not have
                self.journal.complete(account)


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


# A whole run over shards, from what is there already to what it came to.

OnSnapshot = Callable[[Snapshot], None]


@dataclass(frozen=True, slots=True)
class RunAccount:
    """What a run came to."""

    plan: RunPlan
    shards: tuple[ShardAccount, ...]
    """In the order of the input."""
    done_before: frozenset[int]
    """The shards of these that an earlier, unfinished run had done."""
    last: Snapshot = field(hash=False)
    seconds: float
    is_finished_before: bool = False
    """Whether the output was there, and there was nothing to do."""

    @property
    def n_items(self) -> int:
        """All items."""
        return sum(each.n_items for each in self.shards)

    @property
    def n_rows(self) -> int:
        """Rows of the output."""
        return sum(each.n_rows for each in self.shards)

    @property
    def n_resumed(self) -> int:
        """Items that were done before."""
        return sum(each.n_items for each in self.shards if each.number in self.done_before)

    @property
    def counts(self) -> Counts:
        """Results by kinds."""
        return self.last.counts

    @property
    def figures(self) -> Counter[str]:
        """Texts asked for, analyzed, and found on disk."""
        return Counter(self.last.figures)

    @property
    def deaths(self) -> int:
        """Processes that died and were started again."""
        return self.last.deaths

    @property
    def failures(self) -> tuple[tuple[str, str], ...]:
        """Items that ended their process, or raised an exception, with the reason."""
        return tuple(each for shard in self.shards for each in shard.blamed)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What workers found when they read, and how much of it is left out."""
        found = [finding for shard in self.shards for finding in shard.findings]
        left = sum(shard.n_findings for shard in self.shards) - len(found)
        if left:
            found.append(Finding("more", Severity.NOTE, f"{left:,} more findings like these"))
        return tuple(found)


def run_shards(
    job: Job,
    given: Input,
    folder: Folder,
    options: RunOptions,
    *,
    what: str,
    loaded: Any | None = None,
    on_snapshot: OnSnapshot | None = None,
    on_shard: OnShard | None = None,
) -> RunAccount:
    """Do all shards of an input that are not done yet. The folder has to be locked by the caller.

    Args:
        job: What is done.
        given: The input.
        folder: Where the shards go.
        options: Engine, workers, size of shards; whether to resume or to restart.
        what: The same in a few words.
        loaded: What the job loads, where this process has it already: a few items are done here.
        on_snapshot: Called with a `Snapshot` every two seconds.
        on_shard: Called with the account of every shard, those of an earlier run first, in no
            order, from any thread but never from two at once.

    Raises:
        RunError: what is in the folder is another run.
        OutputError: something is there, and neither to resume nor to restart was asked.
        EngineError: workers cannot be had, or do not live.
        EnsueError: whatever a job raises.
    """
    clock = time.monotonic()
    name = f"ensue-{os.getpid()}-{uuid.uuid4().hex[:8]}"
    plan, done = prepare(job, given, folder, options)
    log_begun(what, job, given, folder, plan, options)
    if done:
        items = sum(account.n_items for account in done.values())
        log(LogEvent.RESUMED, "resumed", shards=len(done), items=items)
    monitor = ProgressMonitor(folder, what, options.engine, on_snapshot)
    journal = Journal(folder, on_shard, dict(done))
    for account in done.values():
        monitor.resumed(account)
        journal.tell(account)
    shards = _listed(given, plan.shard_size, monitor)
    loop = Loop(name, job, journal, monitor)
    with loaded_here(job, loaded), _ending(monitor), listening(name, loop.on_event):
        if monitor.n_shards is None or monitor.n_shards > len(done):
            folder.remove(MANIFEST)
            purpose = Purpose(name, job, folder, _local_sources(shards), given.n_estimated)
            missing = (each for each in shards if each.number not in done)
            with open_engine(options, purpose, loop.on_event) as opened:
                n_missing = None if monitor.n_shards is None else monitor.n_shards - len(done)
                loop.do(missing, opened, n_missing)
    last = monitor.snapshot(RunState.FINISHED)
    return RunAccount(plan, journal.ordered(), frozenset(done), last, time.monotonic() - clock)


def _listed(given: Input, size: int, monitor: ProgressMonitor) -> Iterable[Shard]:
    """The shards; where they are known without reading everything, all of them."""
    monitor.n_items = given.n_items
    if not given.is_listed:
        return given.shards(size)
    shards = list(given.shards(size))
    monitor.n_shards = len(shards)
    return shards


def _local_sources(shards: Iterable[Shard]) -> tuple[str, ...]:
    """The files that workers read themselves; none where they are fed."""
    if not isinstance(shards, list):
        return ()
    sources = {part.source for shard in shards for part in shard.parts}
    return tuple(sorted(source for source in sources if not is_url(source)))


@contextmanager
def _ending(monitor: ProgressMonitor) -> Iterator[None]:
    """Show how it ended, however it did."""
    monitor.begin()
    try:
        yield
    except BaseException as error:
        causes = (error, error.__cause__)  # Ctrl-C inside a compiled kernel is only the cause
        is_interrupted = any(isinstance(each, KeyboardInterrupt) for each in causes)
        state = RunState.INTERRUPTED if is_interrupted else RunState.FAILED
        reason = str(error) if isinstance(error, EnsueError) else repr(error)
        monitor.end(state, None if is_interrupted else reason)
        log_ended(error, monitor.snapshot(state), is_interrupted=is_interrupted)
        raise
    monitor.end(RunState.FINISHED)
    log_finished(monitor.snapshot(RunState.FINISHED))
