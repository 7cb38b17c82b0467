"""Progress of a run: events at workers, what they come to, and the log.

Logs name items by their keys and never hold their texts.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ensue.engine.job import Counts, Input, Job, ShardAccount
from ensue.engine.store import STATUS, Folder, RunPlan, write_record
from ensue.errors import EnsueError
from ensue.files import STANDARD, writable

if TYPE_CHECKING:
    from ensue.engine.run import RunOptions

# What happens at workers.


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
    """The worker's; the driver's own where it has no workers."""
    memory: int = 0
    """Bytes that this process takes; 0 where it is the driver's own."""


Listener = Callable[[WorkerEvent], None]


def resident(process: int) -> int:
    """How many bytes of memory a process takes now; 0 where the system does not say."""
    with suppress(OSError, ValueError, IndexError):
        pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return 0


# Where a run stands: counted from what the workers tell, shown in a status file while it goes
# on.

_EVERY = 2.0
"""Seconds between two renewals of the status file."""
_WINDOW = 60.0
"""Seconds over which the rate is taken."""


class RunState(StrEnum):
    """What a run is doing."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    KILLED = "killed"
    """Its status says that it runs, and its folder is not locked."""


@dataclass(frozen=True, slots=True)
class WorkerState:
    """What a worker is doing."""

    name: str
    process: int | None
    shard: int | None
    """The one that it is at; None between two."""
    in_shard: int
    """Items of it that are done."""
    n_done: int
    """Items done since the run was begun or resumed."""
    rate: float
    """Items a second, as long as it works."""
    deaths: int
    memory: int = 0
    """Bytes that its process takes; 0 where that is the driver's, or is not known."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where a run stands."""

    state: RunState
    what: str
    """What is done with what, in a few words."""
    engine: str = ""
    n_items: int | None = None
    """How many there are, where that is known."""
    n_done: int = 0
    """Also of shards that are not done yet, as long as it runs; only what is kept afterwards."""
    n_resumed: int = 0
    """Of these, before the run was resumed."""
    n_shards: int | None = None
    shards_done: int = 0
    rate: float | None = None
    """Items a second, lately; of the whole run once it has ended."""
    seconds: float = 0.0
    """Since the run was begun or resumed."""
    remaining: float | None = None
    """Seconds, at this rate."""
    counts: Counts = field(default_factory=dict, hash=False)
    figures: Mapping[str, int] = field(default_factory=dict, hash=False)
    deaths: int = 0
    """Processes that died."""
    workers: tuple[WorkerState, ...] = ()
    memory: int = 0
    """Bytes that the driver and the workers take together; 0 where that is not known."""
    reason: str | None = None
    """Why it failed."""
    started: str = ""
    updated: str = ""
    host: str = ""
    process: int = 0

    @property
    def n_failed(self) -> int:
        """Items that could not be done."""
        return self.counts.get("status", {}).get("failed", 0)


class ProgressMonitor:
    """Counts what happens in a run; every part of it may be told from any thread."""

    def __init__(
        self,
        folder: Folder,
        what: str,
        engine: str,
        on_snapshot: Callable[[Snapshot], None] | None = None,
    ) -> None:
        self._folder, self._what, self._engine = folder, what, engine
        self._on_snapshot = on_snapshot
        self._lock = threading.RLock()
        self._began = time.monotonic()
        self._started = now()
        self.n_items: int | None = None
        self.n_shards: int | None = None
        self._resumed = 0
        self._items = 0
        self._shards: set[int] = set()
        self._counts: dict[str, Counter[str]] = {}
        self._figures: Counter[str] = Counter()
        self._workers: dict[str, _Worker] = {}
        self._lately: deque[tuple[float, int]] = deque([(self._began, 0)])
        self._is_troubled = False
        self._ended = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def begin(self) -> None:
        """Show the status from now on."""
        self._show(RunState.RUNNING)
        self._ticker.start()

    def end(self, state: RunState, reason: str | None = None) -> None:
        """Show the last status."""
        self._ended.set()
        if self._ticker.is_alive():
            self._ticker.join()
        self._try(lambda: self._show(state, reason))  # the run's own error is the one to be told

    def resumed(self, account: ShardAccount) -> None:
        """Count a shard that was done before."""
        with self._lock:
            self._resumed += account.n_items
            self._add(account)

    def done(self, account: ShardAccount) -> bool:
        """Count a shard that is done now; False where it was counted before."""
        with self._lock:
            if account.number in self._shards:
                return False
            self._add(account)
            return True

    def on_event(self, event: WorkerEvent) -> None:
        """Count what a worker tells."""
        with self._lock:
            worker = self._workers.setdefault(event.worker, _Worker(event.worker))
            worker.process, worker.memory = event.process, event.memory
            if event.kind is WorkerEventKind.DIED:
                worker.deaths += 1
            elif event.kind is WorkerEventKind.BATCH:
                worker.at(event.shard, int(event.value))
            else:
                worker.finished(event.value.n_items)

    def snapshot(self, state: RunState = RunState.RUNNING, reason: str | None = None) -> Snapshot:
        """Where the run stands now."""
        with self._lock:
            clock = time.monotonic()
            is_over = state is not RunState.RUNNING
            done = self._items + (0 if is_over else self._n_begun())
            n_items = (
                done if state is RunState.FINISHED else self.n_items
            )  # blank lines were no items
            rate = self._whole_rate(clock) if is_over else self._rate(clock, done - self._resumed)
            left = None if n_items is None or is_over else max(n_items - done, 0)
            return Snapshot(
                state=state,
                what=self._what,
                engine=self._engine,
                n_items=n_items,
                n_done=done,
                n_resumed=self._resumed,
                n_shards=len(self._shards) if state is RunState.FINISHED else self.n_shards,
                shards_done=len(self._shards),
                rate=None if rate is None else round(rate, 3),
                seconds=round(clock - self._began, 3),
                remaining=round(left / rate, 1) if rate and left is not None else None,
                counts={kind: dict(n) for kind, n in self._counts.items()},
                figures=dict(self._figures),
                deaths=sum(each.deaths for each in self._workers.values()),
                workers=tuple(each.state(clock) for _, each in sorted(self._workers.items())),
                memory=resident(os.getpid()) + sum(each.memory for each in self._workers.values()),
                reason=reason,
                started=self._started,
                updated=now(),
                host=socket.gethostname(),
                process=os.getpid(),
            )

    def _n_begun(self) -> int:
        """Items of shards that are not entered yet; a shard may have been given to two workers."""
        begun: dict[int, int] = {}
        for each in self._workers.values():
            if each.shard is not None and each.shard not in self._shards:
                begun[each.shard] = max(begun.get(each.shard, 0), each.in_shard)
        return sum(begun.values())

    def _add(self, account: ShardAccount) -> None:
        self._shards.add(account.number)
        self._items += account.n_items
        for kind, counts in account.counts.items():
            self._counts.setdefault(kind, Counter()).update(counts)
        self._figures.update(account.figures)

    def _rate(self, clock: float, done: int) -> float | None:
        if not done:  # workers are still loading, which says nothing of what they do then
            self._lately.clear()
        self._lately.append((clock, done))
        while len(self._lately) > 2 and clock - self._lately[0][0] > _WINDOW:
            self._lately.popleft()
        then, before = self._lately[0]
        return (done - before) / (clock - then) if clock > then and done > before else None

    def _whole_rate(self, clock: float) -> float | None:
        done = self._items - self._resumed
        return done / (clock - self._began) if done and clock > self._began else None

    def _tick(self) -> None:
        while not self._ended.wait(_EVERY):
            self._try(self._folder.renew)
            self._try(lambda: self._show(RunState.RUNNING))

    def _try(self, step: Callable[[], None]) -> None:
        """Do what no run may end of: a full disk is the shards' to tell, and a lock has to be kept.

        Other errors, in a file system's package or in `on_snapshot`, are logged once.
        """
        try:
            step()
        except Exception as error:
            if not self._is_troubled:
                said = error.message if isinstance(error, EnsueError) else type(error).__name__
                log(LogEvent.UNSHOWN, "the status cannot be shown: %s", said)
            self._is_troubled = True

    def _show(self, state: RunState, reason: str | None = None) -> None:
        snapshot = self.snapshot(state, reason)
        try:
            write_record(self._folder, STATUS, asdict(snapshot))
        finally:  # shown even where the disk is full
            if self._on_snapshot:
                self._on_snapshot(snapshot)


class _Worker:
    """Counts what one worker does."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.process: int | None = None
        self.shard: int | None = None
        self.in_shard = 0
        self.deaths = 0
        self.memory = 0
        self._done = 0
        self._began = time.monotonic()

    def at(self, shard: int, in_shard: int) -> None:
        self.shard, self.in_shard = shard, in_shard
        if not self._done and not in_shard:  # it has only just loaded what it needs
            self._began = time.monotonic()

    def finished(self, n_items: int) -> None:
        self._done += n_items
        self.shard, self.in_shard = None, 0

    def state(self, clock: float) -> WorkerState:
        done = self._done + self.in_shard
        rate = done / (clock - self._began) if clock > self._began else 0.0
        return WorkerState(
            self.name,
            self.process,
            self.shard,
            self.in_shard,
            done,
            round(rate, 1),
            self.deaths,
            self.memory,
        )


def snapshot_from_json(record: Mapping[str, Any]) -> Snapshot:
    """The inverse of `asdict`.

    Raises:
        TypeError: a field is missing, or one too many.
        ValueError: a state is not known.
    """
    values = {**record, "state": RunState(record["state"])}
    values["workers"] = tuple(WorkerState(**each) for each in record["workers"])
    return Snapshot(**values)


def now() -> str:
    """The time, as the records have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


# The log of runs, as text for people or JSON lines for programs.

LOG = logging.getLogger("ensue.engine")


class LogFormat(StrEnum):
    """How a log is written."""

    TEXT = "text"
    JSON = "json"


class LogEvent(StrEnum):
    """What programs that read a log can tell apart: the field `event`."""

    BEGUN = "run-begun"
    RESUMED = "run-resumed"
    SHARD = "shard-done"
    DIED = "worker-died"
    FAILED_ITEM = "item-failed"
    UNSHOWN = "status-failed"
    FINISHED = "run-finished"
    INTERRUPTED = "run-interrupted"
    FAILED = "run-failed"


@contextmanager
def logging_to(target: str | None, format: LogFormat = LogFormat.TEXT) -> Iterator[None]:
    """Write what happens in runs to a file, behind what is in it; afterwards nothing is left set.

    Args:
        target: The file's name; `-` for standard error; None for no log at all, not even of
            warnings, which Python would print by itself.
        format: Of its lines.

    Raises:
        OutputError: the file cannot be written.
    """
    if target is None:
        with _handled(logging.NullHandler()):
            yield
    elif target == STANDARD:
        with _handled(_Lines(None, format)):
            yield
    else:
        with writable(target):
            file = open(target, "a", encoding="utf-8")  # noqa: PTH123, SIM115
        with file, _handled(_Lines(file, format)):
            yield


@contextmanager
def _handled(handler: logging.Handler) -> Iterator[None]:
    before = LOG.level
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    try:
        yield
    finally:
        LOG.setLevel(before)
        LOG.removeHandler(handler)
        handler.close()


class _Lines(logging.Handler):
    """Writes a line for each record; a log that breaks ends no run, and is complained of once."""

    def __init__(self, file: IO[str] | None, format: LogFormat) -> None:
        super().__init__()
        self._file = file
        self._is_broken = False
        self.setFormatter(JsonLines() if format is LogFormat.JSON else TextLines())

    def emit(self, record: logging.LogRecord) -> None:
        file = self._file or sys.stderr  # asked for anew: a progress bar puts itself in its place
        try:
            file.write(self.format(record) + "\n")
            file.flush()
        except (OSError, ValueError) as error:
            if not self._is_broken and self._file is not None:
                sys.stderr.write(f"the log cannot be written any more: {error}\n")
            self._is_broken = True


class TextLines(logging.Formatter):
    """Time, level, message, fields, on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        fields = "".join(f" {name}={_field(value)}" for name, value in _fields(record).items())
        message = " ".join(record.getMessage().split())
        return f"{_time(record)} {record.levelname.lower()}: {message}{fields}"


class JsonLines(logging.Formatter):
    """One object: time, level, event, message, and the fields under their names."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        told = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", None),
            "message": record.getMessage(),
            **_fields(record),
        }
        return json.dumps(told, ensure_ascii=False, default=str)


def log_begun(
    what: str, job: Job, given: Input, folder: Folder, plan: RunPlan, options: RunOptions
) -> None:
    """Log what is going to be done."""
    log(
        LogEvent.BEGUN,
        "run begun: %s",
        what,
        source=given.record.get("source"),
        output=folder.name,
        engine=options.engine,
        workers=options.workers,
        shard_size=plan.shard_size,
        items=given.n_items,
        job=dict(job.identity),
    )


def log_shard(account: ShardAccount) -> None:
    """Log a shard that is done, and its items that failed.

    Of an exception only the kind is told, as its message may hold texts; the output has all of it.
    """
    where = {"shard": account.number}
    log(
        LogEvent.SHARD,
        "shard %d done",
        account.number,
        **where,
        items=account.n_items,
        seconds=account.seconds,
    )
    for key, reason in account.blamed:
        kind = reason.partition(":")[0]
        log(LogEvent.FAILED_ITEM, "%r failed: %s", key, kind, **where, item=key)


def log_death(event: WorkerEvent) -> None:
    """Log that a process died."""
    where = {"worker": event.worker, "shard": event.shard, "process": event.process}
    log(LogEvent.DIED, "a worker died: %s", event.value, **where)


def log_finished(last: Snapshot) -> None:
    """Log what a run came to."""
    log(
        LogEvent.FINISHED,
        "run finished",
        items=last.n_done,
        resumed=last.n_resumed,
        shards=last.shards_done,
        seconds=last.seconds,
        rate=last.rate,
        deaths=last.deaths,
        **last.counts,
        figures=dict(last.figures),
    )


def log_ended(error: BaseException, last: Snapshot, *, is_interrupted: bool) -> None:
    """Log how a run ended that is not finished."""
    done = {"items": last.n_done, "shards": last.shards_done, "seconds": last.seconds}
    if is_interrupted:
        log(LogEvent.INTERRUPTED, "run interrupted", **done)
    elif isinstance(error, EnsueError):
        log(LogEvent.FAILED, "run failed: %s", error.message, place=error.place, **done)
    else:
        log(LogEvent.FAILED, "run failed: %s", type(error).__name__, **done)


_LEVELS = {
    LogEvent.DIED: logging.WARNING,
    LogEvent.FAILED_ITEM: logging.WARNING,
    LogEvent.UNSHOWN: logging.WARNING,
    LogEvent.INTERRUPTED: logging.WARNING,
    LogEvent.FAILED: logging.ERROR,
}


def log(event: LogEvent, message: str, *arguments: object, **fields: object) -> None:
    """Log an event with its fields, but for those that are None."""
    told = {name: value for name, value in fields.items() if value is not None}
    level = _LEVELS.get(event, logging.INFO)
    LOG.log(level, message, *arguments, extra={"event": event.value, "fields": told})


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """What is told beside the message; no attributes of the record, which has names of its own."""
    fields: dict[str, Any] = getattr(record, "fields", {})
    return fields


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _field(value: object) -> str:
    """A field for people: a word as it is, anything else as JSON."""
    if isinstance(value, str) and value and not any(c.isspace() or c in '"=' for c in value):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)
