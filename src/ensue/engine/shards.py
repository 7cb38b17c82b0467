"""Shards done in a worker: batches, retries after a death, the item to blame, events.

A worker process that dies is started again. Whether an item is to blame is found out by doing the batch in
which it died once more: if the new process lives, something outside was to blame, and the shard is
done again; if it dies, the batch is halved until one item is left. That item is left out of the
shard and gets its reason, unless none that was tried lives: then it is not the item.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

from ensue.engine.job import Blamed, Job, Shard, ShardAccount
from ensue.engine.processes import ProcessPool, Stopped, WorkerDied, WorkerProcess
from ensue.engine.progress import Listener, WorkerEvent, WorkerEventKind, resident
from ensue.engine.store import Folder
from ensue.errors import EngineError, EnsueError, LimitError
from ensue.files import Finding

# One shard, in the process that does the work.

MOST_FAILED = 100
"""Items of one shard that may fail by an exception; more are no exception any more."""

_MOST_FINDINGS = 20
"""Findings of one shard that are told; the others are counted."""

Tell = Callable[[Any], None]
"""Called in a worker process with how far it is."""

_loaded: list[tuple[Job, Any]] = []
"""The last job of this process, with what it has loaded."""


def do_shard(job: Job, folder: Folder, shard: Shard, blamed: Blamed, tell: Tell) -> ShardAccount:
    """Do all items of a shard but those that are blamed, and write its file.

    Args:
        job: What to do.
        folder: Where the file goes.
        shard: Which items.
        blamed: Items not to be touched.
        tell: Called with `(first, last)` before each batch.

    Raises:
        EnsueError: the items cannot be read, or the file not be written.
    """
    loaded = load_once(job)
    clock, before = time.monotonic(), job.figures()
    findings = _Findings()
    items = job.items(shard, findings)
    failures: dict[int, str] = dict(blamed)
    results: list[Any] = []
    for first, last in _batches(len(items), job.batch_size):
        tell((first, last))
        results += _surely(job, loaded, items, first, last, failures)
    content = job.write(results)
    name = f"part-{shard.number:06d}{job.suffix}"
    folder.write(name, content)
    for finding in job.findings(_without(results, failures)):  # which are told anyway
        findings(finding)
    return ShardAccount(
        number=shard.number,
        file=name,
        n_items=len(items),
        n_rows=job.n_rows(results),
        n_bytes=len(content),
        sha256=sha256(content).hexdigest(),
        seconds=round(time.monotonic() - clock, 4),
        counts=job.counts(results),
        figures={name: n - before.get(name, 0) for name, n in job.figures().items()},
        summary=job.summary(loaded, items, results),
        blamed=tuple((job.key(items[i]), reason) for i, reason in sorted(failures.items())),
        findings=tuple(findings.first),
        n_findings=findings.n,
        keys=array("q", map(hash, map(job.key, items))).tobytes(),
    )


def _without(results: list[Any], failures: Blamed) -> list[Any]:
    return [each for i, each in enumerate(results) if i not in failures] if failures else results


def try_items(job: Job, shard: Shard, blamed: Blamed, first: int, last: int, tell: Tell) -> None:
    """Do some items of a shard, but those that are blamed, and keep nothing: does the process live?"""
    loaded = load_once(job)
    items = job.items(shard, _Findings())
    tell((first, last))
    _surely(job, loaded, items, first, min(last, len(items)), dict(blamed))


def load_once(job: Job) -> Any:
    """What a job has loaded in this process; once, as long as it is the same job."""
    for known, loaded in _loaded:
        if known == job:
            return loaded
    loaded = job.load()
    _loaded[:] = [(job, loaded)]
    return loaded


@contextmanager
def loaded_here(job: Job, loaded: Any | None) -> Iterator[None]:
    """Let shards that are done in this process use what is loaded; afterwards forget it.

    A trained recognizer may be trained anew, and a program that was started is to end.
    """
    if loaded is not None:
        _loaded[:] = [(job, loaded)]
    try:
        yield
    finally:
        _loaded.clear()


class _Findings:
    """Counts findings, and keeps the first ones."""

    def __init__(self) -> None:
        self.first: list[Finding] = []
        self.n = 0

    def __call__(self, finding: Finding) -> None:
        self.n += 1
        if self.n <= _MOST_FINDINGS:
            self.first.append(finding)


def _batches(n: int, size: int) -> Iterator[tuple[int, int]]:
    return ((first, min(first + size, n)) for first in range(0, n, size))


def _surely(
    job: Job, loaded: Any, items: Sequence[Any], first: int, last: int, failures: dict[int, str]
) -> list[Any]:
    """The results of some items; where an exception comes up, halved until it has its item."""
    if first >= last:
        return []
    skipped = next((i for i in range(first, last) if i in failures), None)
    if skipped is not None:
        if last - first == 1:
            return [job.failed(items[first], failures[first])]
        middle = max(skipped, first + 1)
    else:
        try:
            results = list(job.do(loaded, items[first:last]))
            if len(results) == last - first:
                return results
            raise EngineError(
                "items-got-results", f"{last - first} items got {len(results)} results"
            )
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            if _is_interrupt(error) or _ends_the_run(error):
                raise
            if last - first == 1:
                if len(failures) >= MOST_FAILED:
                    raise
                failures[first] = _reason(error)
                return [job.failed(items[first], failures[first])]
        middle = (first + last) // 2
    halves = ((first, middle), (middle, last))
    return [each for a, b in halves for each in _surely(job, loaded, items, a, b, failures)]


def _ends_the_run(error: BaseException) -> bool:
    """Whether it is about more than an item; one that is too much is to blame itself."""
    return isinstance(error, EnsueError) and not isinstance(error, LimitError)


def _reason(error: BaseException) -> str:
    return error.message if isinstance(error, EnsueError) else f"{type(error).__name__}: {error}"


def _is_interrupt(error: BaseException) -> bool:
    """Whether it is Ctrl-C, maybe inside a compiled kernel; worker processes ignore it."""
    causes = (error, error.__cause__)
    is_heard = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
    return is_heard and any(isinstance(each, KeyboardInterrupt) for each in causes)


# Do a shard whatever happens to the process that does it.

_MOST_DEATHS = 3
"""Deaths in one shard that no item is to blame for; more are given up on."""

_OTHERS = 5
"""Items that are tried alone before one is blamed while no other was seen to be done."""

Span = tuple[int, int]


class WorkerReport(Protocol):
    """Called with what happens to a shard."""

    def on_batch(self, span: Span) -> None:
        """A batch, from one item up to another, is about to be done."""

    def on_death(self, reason: str) -> None:
        """A process died."""

    def is_stopped(self) -> bool:
        """Whether the run is over, and deaths mean nothing."""


@dataclass(frozen=True, slots=True)
class IsolatedWorker:
    """A worker process and what it works on."""

    process: WorkerProcess
    job: Job
    folder: Folder
    report: WorkerReport

    def do(self, shard: Shard) -> ShardAccount:
        """Do a shard.

        Raises:
            EngineError: processes die, and no item is to blame; or too many are.
            Stopped: the run is over.
        """
        blamed: dict[int, str] = {}
        unexplained = 0
        while True:
            batch = _Last(self.report.on_batch)
            try:
                account = self._call(do_shard, self.job, self.folder, shard, blamed, on_note=batch)
            except WorkerDied as death:
                guilty = self._guilty(shard, blamed, batch.span) if batch.span else None
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
        if reason and last - first < span[1] - span[0]:  # or was it killed from outside just then?
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
                "worker-died-every-item",
                f"the worker died of every item of shard {shard.number} that it was given alone;"
                f" the first time {reason}",
                hint="try the recognizer on a few pairs first, with --workers 1",
            )

    def _death(self, shard: Shard, blamed: Blamed, span: Span) -> str | None:
        """How a process ends that does these items; None where it lives."""
        try:
            self._call(try_items, self.job, shard, blamed, *span)
        except WorkerDied as death:
            return death.reason
        return None

    def _call(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        try:
            return self.process.call(function, *arguments, **options)
        except WorkerDied as death:
            if self.report.is_stopped():
                raise Stopped from None
            self.report.on_death(death.reason)
            raise

    def _given_up(self, shard: Shard, death: WorkerDied, n_blamed: int) -> EngineError:
        if n_blamed > MOST_FAILED:
            return EngineError(
                "more-than-items-shard",
                f"more than {MOST_FAILED} items of shard {shard.number} end their process",
                hint=f"the last one: {death.reason}; try the recognizer on a few pairs first",
            )
        return EngineError(
            "worker-shard-died-times",
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


# Shards on a worker, which belongs to this process, or to one of Dask on any machine.

_listeners: dict[str, Listener] = {}
_pools: dict[str, ProcessPool] = {}
_ended: set[str] = set()
_lock = threading.Lock()
"""Held while a pool is added or ended, so that none comes after the end."""


def do_shards(
    run: str, job: Job, folder: Folder, shards: Sequence[Shard], isolated: bool
) -> list[ShardAccount]:
    """Do shards one after the other; this is what an executor calls, on this machine or another.

    Args:
        run: What the run is called among those that this process works for.
        job: What to do.
        folder: Where the files go.
        shards: Which.
        isolated: Whether in a process of its own, so that nothing here dies of an item.

    Raises:
        EnsueError: as `do_shard` and `IsolatedWorker.do`.
        Stopped: the run is over.
    """
    accounts = []
    with process_pool(run).taken() if isolated else nullcontext() as process:
        reporter = _Reporter(run, process)
        for shard in shards:
            reporter.shard = shard.number
            reporter.on_batch((0, 0))
            if process is None:
                account = do_shard(job, folder, shard, {}, reporter.on_batch)
            else:
                account = IsolatedWorker(process, job, folder, reporter).do(shard)
            reporter.tell(WorkerEventKind.DONE, account)
            accounts.append(account)
    return accounts


@dataclass(slots=True)
class _Reporter:
    """Says what happens at a worker."""

    run: str
    process: WorkerProcess | None
    shard: int = -1

    def on_batch(self, span: Span) -> None:
        """A batch of the shard begins."""
        self.tell(WorkerEventKind.BATCH, span[0])

    def on_death(self, reason: str) -> None:
        """The process died."""
        self.tell(WorkerEventKind.DIED, reason)

    def is_stopped(self) -> bool:
        """Whether the run is over."""
        return self.run in _ended

    def tell(self, kind: WorkerEventKind, value: Any) -> None:
        """Call the listener of the run, or tell the driver elsewhere."""
        pid = self.process.pid if self.process else os.getpid()
        memory = resident(pid) if self.process and pid else 0
        event = WorkerEvent(_worker(), kind, self.shard, value, pid, memory)
        listener = _listeners.get(self.run)
        if listener is not None:
            listener(event)
            return
        from ensue.engine.dask_worker import tell_driver

        tell_driver(self.run, event)


def process_pool(run: str, directory: str | None = None) -> ProcessPool:
    """The worker processes of a run here.

    Args:
        run: What the run is called.
        directory: Where they work, if they are not there yet; where this process does if None.

    Raises:
        Stopped: the run is over.
    """
    with _lock:
        if run in _ended:
            raise Stopped
        return _pools.setdefault(run, ProcessPool(directory))


def end_processes(run: str) -> None:
    """End all processes that work for a run here; what they were doing is dropped."""
    with _lock:
        _ended.add(run)
        pool = _pools.pop(run, None)
    if pool is not None:
        pool.end()


@contextmanager
def listening(run: str, listener: Listener) -> Iterator[None]:
    """Call a function with what happens at the workers of this process."""
    _listeners[run] = listener
    try:
        yield
    finally:
        _listeners.pop(run, None)


def _worker() -> str:
    """What a worker is called: its thread, and where that is not the driver's, its machine."""
    thread = threading.current_thread()
    number = thread.name.rpartition("_")[2] if "_" in thread.name else thread.name
    if _listeners:
        return f"worker {number}"
    return f"{socket.gethostname()}/{os.getpid()}/{number}"
