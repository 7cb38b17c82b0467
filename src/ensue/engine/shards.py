"""Shards done in a worker: batches, retries after a death, the item to blame, events.

A hand that dies is started again. Whether an item is to blame is found out by doing the batch in
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
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

from ensue.engine.job import Blamed, Job, Shard, ShardAccount
from ensue.engine.processes import WorkerDied, WorkerProcess, resident
from ensue.engine.store import Folder
from ensue.errors import EngineError, EnsueError
from ensue.files import Finding

# A shard, done: what a hand calls. Everything here runs in the process that does the work.

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
        tell: Is told `(first, last)` before each batch.

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
            return _results(job, loaded, items[first:last])
        except EnsueError:
            raise
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            if _is_interrupt(error):
                raise
            if last - first == 1:
                if len(failures) >= MOST_FAILED:
                    raise
                failures[first] = f"{type(error).__name__}: {error}"
                return [job.failed(items[first], failures[first])]
        middle = (first + last) // 2
    halves = ((first, middle), (middle, last))
    return [each for a, b in halves for each in _surely(job, loaded, items, a, b, failures)]


def _is_interrupt(error: BaseException) -> bool:
    """Whether it is Ctrl-C, maybe inside a compiled kernel; worker processes ignore it."""
    causes = (error, error.__cause__)
    is_heard = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
    return is_heard and any(isinstance(each, KeyboardInterrupt) for each in causes)


def _results(job: Job, loaded: Any, items: Sequence[Any]) -> list[Any]:
    results = list(job.do(loaded, items))
    if len(results) != len(items):
        raise EngineError(f"{len(items)} items got {len(results)} results")
    return results


# Do a shard whatever happens to the process that does it.

_MOST_DEATHS = 3
"""Deaths in one shard that no item is to blame for; more are given up on."""

_OTHERS = 5
"""Items that are tried alone before one is blamed while no other was seen to be done."""

Span = tuple[int, int]


class Stopped(Exception):
    """The run is over: its hands were ended."""


@dataclass(frozen=True, slots=True)
class IsolatedWorker:
    """One hand and what it works on."""

    hand: WorkerProcess
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
            except WorkerDied as death:
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
        except WorkerDied as death:
            return death.reason
        return None

    def _call(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        try:
            return self.hand.call(function, *arguments, **options)
        except WorkerDied as death:
            if self.is_stopped():
                raise Stopped from None
            self.on_death(death.reason)
            raise

    def _given_up(self, shard: Shard, death: WorkerDied, n_blamed: int) -> EngineError:
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


# What an executor is given to do, on this machine or another: some shards, by the hand of its
# thread.


class WorkerEventKind(StrEnum):
    """What can be told of a worker."""

    BATCH = "batch"
    """The value is how many items of the shard are done."""
    DIED = "died"
    """The value is the reason."""
    DONE = "done"
    """The value is the account of the shard."""


@dataclass(frozen=True, slots=True)
class WorkerEvent:
    """Something that happened at a worker."""

    worker: str
    kind: WorkerEventKind
    shard: int
    value: Any
    process: int | None = None
    """The hand's, where there is one."""
    memory: int = 0
    """Bytes that this process takes; 0 where it is the driver's own."""


Listener = Callable[[WorkerEvent], None]

_listeners: dict[str, Listener] = {}
_processes: dict[str, list[WorkerProcess]] = {}
_directories: dict[str, str] = {}
_ended: set[str] = set()
_changing = threading.Lock()
"""Held while a hand is added or all are ended, so that none comes after the end."""
_mine = threading.local()


def do_shards(
    run: str, job: Job, folder: Folder, shards: Sequence[Shard], isolated: bool
) -> list[ShardAccount]:
    """Do shards one after the other.

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
    return [_done(run, job, folder, shard, isolated) for shard in shards]


def _done(run: str, job: Job, folder: Folder, shard: Shard, isolated: bool) -> ShardAccount:
    hand = process_of(run) if isolated else None

    def tell(kind: WorkerEventKind, value: Any) -> None:
        process = hand.pid if hand else os.getpid()
        memory = resident(process) if hand and process else 0
        _tell(run, WorkerEvent(_worker(), kind, shard.number, value, process, memory))

    tell(WorkerEventKind.BATCH, 0)
    if hand is None:
        account = do_shard(
            job, folder, shard, {}, lambda span: tell(WorkerEventKind.BATCH, span[0])
        )
    else:
        account = IsolatedWorker(
            hand,
            job,
            folder,
            on_batch=lambda span: tell(WorkerEventKind.BATCH, span[0]),
            on_death=lambda reason: tell(WorkerEventKind.DIED, reason),
            is_stopped=lambda: run in _ended,
        ).do(shard)
    tell(WorkerEventKind.DONE, account)
    return account


def process_of(run: str) -> WorkerProcess:
    """This thread's hand; another run's is ended.

    Raises:
        Stopped: the run is over.
    """
    with _changing:
        if run in _ended:
            raise Stopped
        if getattr(_mine, "run", None) != run:
            if hasattr(_mine, "hand"):
                _mine.hand.close()
            _mine.run, _mine.hand = run, WorkerProcess(_directories.get(run))
            _processes.setdefault(run, []).append(_mine.hand)
    hand: WorkerProcess = _mine.hand
    return hand


def work_in(run: str, directory: str) -> None:
    """Let hands of a run work in a directory, and not in that of this process."""
    _directories[run] = directory


def end_processes(run: str) -> None:
    """End all processes that work for a run here; what they were doing is dropped."""
    with _changing:
        _ended.add(run)
        _directories.pop(run, None)
        hands = _processes.pop(run, [])
    for hand in hands:
        hand.end()


def listen(run: str, listener: Listener) -> None:
    """Hear what happens at the workers of this process."""
    _listeners[run] = listener


def stop_listening(run: str) -> None:
    """Hear nothing more."""
    _listeners.pop(run, None)


def _tell(run: str, event: WorkerEvent) -> None:
    listener = _listeners.get(run)
    if listener is not None:
        listener(event)
        return
    from ensue.engine.dask_worker import tell_driver

    tell_driver(run, event)


def _worker() -> str:
    """What a worker is called: its thread, and where that is not the driver's, its machine."""
    thread = threading.current_thread()
    number = thread.name.rpartition("_")[2] if "_" in thread.name else thread.name
    if _listeners:
        return f"worker {number}"
    return f"{socket.gethostname()}/{os.getpid()}/{number}"
