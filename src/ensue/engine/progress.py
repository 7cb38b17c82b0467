"""Progress of a run: snapshots while it runs, and its status as read from its folder."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from ensue.engine.job import ShardAccount
from ensue.engine.log import log_unshown
from ensue.engine.processes import resident
from ensue.engine.shards import WorkerEvent, WorkerEventKind
from ensue.engine.store import (
    JOURNAL,
    MANIFEST,
    STATUS,
    Folder,
    RunPlan,
    open_folder,
    read_record,
    write_record,
)
from ensue.errors import EnsueError, OutputError, RunError
from ensue.files import file_system, is_url, open_input, reachable, without_password

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
    """It says that it runs, and nobody holds its folder: said by whoever looks, never by itself."""


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
    engine: str
    n_items: int | None
    """How many there are, where that is known."""
    n_done: int
    """Also of shards that are not done yet, as long as it runs; only what is kept afterwards."""
    n_resumed: int
    """Of these, before the run was resumed."""
    n_shards: int | None
    shards_done: int
    rate: float | None
    """Items a second, lately; of the whole run once it has ended."""
    seconds: float
    """Since the run was begun or resumed."""
    remaining: float | None
    """Seconds, at this rate."""
    counts: Mapping[str, Mapping[str, int]] = field(hash=False)
    figures: Mapping[str, int] = field(hash=False)
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

    def heard(self, event: WorkerEvent) -> None:
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

        Whatever else comes up, in a file system's package or in whoever looks on, is logged once.
        """
        try:
            step()
        except Exception as error:
            if not self._is_troubled:
                log_unshown(error)
            self._is_troubled = True

    def _show(self, state: RunState, reason: str | None = None) -> None:
        snapshot = self.snapshot(state, reason)
        try:
            write_record(self._folder, STATUS, asdict(snapshot))
        finally:  # whoever looks on sees it even where the disk is full
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


# Where a run stands, seen from outside: by its folder, or by the file that it became.

_NO_RUN = "name the folder or the file that was given to --output"
_BROKEN = "begin it anew with the command that made it, and --restart"
_FIGURES = ("texts", "analyzed", "found")


@dataclass(frozen=True, slots=True)
class RunStatus:
    """What is known of a run by what it wrote."""

    place: str
    """The folder, or the file, that says so."""
    snapshot: Snapshot

    @property
    def state(self) -> RunState:
        """What it is doing, or how it ended."""
        return self.snapshot.state

    @property
    def is_well(self) -> bool:
        """Whether it runs or is finished."""
        return self.state in (RunState.RUNNING, RunState.FINISHED)

    @property
    def hint(self) -> str | None:
        """How to go on; None where nothing is to be done."""
        return None if self.is_well else "go on with the same command and --resume"

    def to_json(self) -> dict[str, Any]:
        """The place and all of the snapshot, in values that JSON can hold."""
        return {"place": self.place, **asdict(self.snapshot), "hint": self.hint}


def run_status(target: str) -> RunStatus:
    """Find out where a run stands, also while another process writes it.

    Args:
        target: The folder of a run, or the file that a run becomes or has become; or a URL.

    Raises:
        RunError: there is no run, it cannot be read, or what it wrote is broken.
        DataError: its URL cannot be reached, or no installed package knows such URLs.
    """
    with _looking(target):
        return _status_of(target)


@contextmanager
def _looking(target: str) -> Iterator[None]:
    """Say what came up as it is said to whoever looks, and writes nothing."""
    try:
        with reachable(target) if is_url(target) else nullcontext():
            if is_url(target):
                file_system(target)  # says which package is missing
            yield
    except OutputError as error:
        raise RunError(error.message, place=error.place, hint="try again") from None
    except OSError as error:
        raise RunError(
            f"cannot read: {error.strerror or error}",
            place=without_password(target),
            hint="check the name, and that you may read there",
        ) from None


def _status_of(target: str) -> RunStatus:
    for name in (target, f"{target.rstrip('/')}.partial"):
        folder = open_folder(name)
        snapshot = _snapshot(folder)
        if snapshot is not None:
            return RunStatus(folder.name, snapshot)
    if "://" not in target and Path(target).is_file():
        return RunStatus(target, _finished_file(target))
    is_there = open_folder(target).is_there()
    raise RunError(
        "there is no run in this folder" if is_there else "there is no such run",
        place=without_password(target),
        hint=_NO_RUN,
    )


def _snapshot(folder: Folder) -> Snapshot | None:
    """What the status says, where nothing that is there says otherwise; None where there is no run."""
    is_locked = folder.is_locked()  # first: what ends meanwhile has written all by then
    try:
        manifest = read_record(folder, MANIFEST)
        status = read_record(folder, STATUS)
        plan = RunPlan.read(folder)
    except RunError as error:  # its own hint is for whoever writes
        raise RunError(error.message, place=error.place, hint=_BROKEN) from None
    if plan is None and manifest is None:
        return None  # or it has become a file this moment
    if status is not None:
        found = _as_written(status, folder)
    else:
        found = _of_manifest(manifest) if manifest else _just_begun(plan)
    if is_locked:
        return replace(found, state=RunState.RUNNING, reason=None)
    if manifest:
        return replace(found, state=RunState.FINISHED, reason=None)
    if found.state in (RunState.RUNNING, RunState.FINISHED):  # or it was not put together any more
        return _killed(found, folder)
    return found


def _killed(found: Snapshot, folder: Folder) -> Snapshot:
    """A run whose last status is older than what it kept, and counts what is lost."""
    kept: dict[int, int] = {}
    for line in (folder.read(JOURNAL) or b"").splitlines():
        with suppress(KeyError, TypeError, ValueError):  # a line that was cut off is no shard
            record = json.loads(line)
            kept[record["number"]] = int(record["n_items"])
    return replace(
        found,
        state=RunState.KILLED,
        n_done=sum(kept.values()),
        shards_done=len(kept),
        remaining=None,
    )


def _as_written(status: Mapping[str, Any], folder: Folder) -> Snapshot:
    try:
        return snapshot_from_json(status)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise RunError(
            f"not the status of a run: {error}",
            place=f"{folder.name}/{STATUS}",
            hint="another version of ensue wrote it; use that one",
        ) from None


def _of_manifest(manifest: Mapping[str, Any]) -> Snapshot:
    counts = {"status": manifest.get("statuses", {}), "label": manifest.get("labels", {})}
    shards = manifest.get("shards", [])
    found = _of_record(manifest, sum(int(each.get("rows", 0)) for each in shards))
    return replace(
        found,
        counts={kind: dict(n) for kind, n in counts.items() if n},
        n_shards=len(shards),
        shards_done=len(shards),
        updated=manifest.get("finished") or "",
    )


def _finished_file(target: str) -> Snapshot:
    """What the first line says, where it is the header of a run."""
    with suppress(EnsueError, ValueError, RecursionError, TypeError, AttributeError):
        with open_input(target) as file:
            header = json.loads(file.readline())
        if "ensue_run" in header:
            return _of_record(header, int(header["data"].get("pairs") or 0))
    raise RunError("the file does not say how it was made", place=target, hint=_NO_RUN)


def _of_record(record: Mapping[str, Any], n_items: int) -> Snapshot:
    """What a header or a manifest says of a finished run."""
    data, cost = record.get("data") or {}, record.get("cost") or {}
    recognizer = (record.get("signature") or {}).get("recognizer")
    return Snapshot(
        state=RunState.FINISHED,
        what=" with ".join(str(each) for each in (data.get("name"), recognizer) if each),
        engine=str(cost.get("engine") or ""),
        n_items=n_items,
        n_done=n_items,
        n_resumed=max(n_items - int(cost.get("pairs", n_items)), 0),
        n_shards=None,
        shards_done=0,
        rate=cost.get("pairs_per_second"),
        seconds=float(cost.get("seconds") or 0.0),
        remaining=None,
        counts={},
        figures={name: int(cost[name]) for name in _FIGURES if name in cost},
        deaths=int(cost.get("deaths") or 0),
        started=record.get("started") or "",
    )


def _just_begun(plan: RunPlan | None) -> Snapshot:
    """A run that has a plan and nothing else."""
    assert plan is not None
    return Snapshot(
        state=RunState.RUNNING,
        what=str(plan.job.get("job", "")),
        engine="",
        n_items=None,
        n_done=0,
        n_resumed=0,
        n_shards=None,
        shards_done=0,
        rate=None,
        seconds=0.0,
        remaining=None,
        counts={},
        figures={},
        started=plan.started,
        updated=plan.started,
    )
