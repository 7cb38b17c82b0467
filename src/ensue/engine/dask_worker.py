"""Plugin of Dask workers: reports events to the driver, ends worker processes in time."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from distributed import Worker, get_worker
from distributed.diagnostics.plugin import WorkerPlugin

from ensue.engine.job import ShardAccount
from ensue.engine.processes import Stopped
from ensue.engine.progress import WorkerEvent, WorkerEventKind
from ensue.engine.shards import end_processes, process_pool
from ensue.engine.store import PLAN, Folder
from ensue.errors import EnsueError

_EVERY = 1.0
"""Seconds between two batches that one thread tells of."""

_mine = threading.local()
_lock = threading.Lock()
_served: set[tuple[str, str]] = set()
"""Workers of this process and runs that they work for."""


class ProcessEnder(WorkerPlugin):
    """Ends the worker processes of a run when their worker closes, which would wait for its threads."""

    def __init__(self, run: str) -> None:
        self._run = run

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002 - as Dask calls it
        """End them."""
        end_processes(self._run)


def run_task(run: str, directory: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Do a task of a run, at whichever worker, with a plugin there that ends its process in time.

    Args:
        run: What the run is called.
        directory: Where the driver works; relative names mean files there, if there is such a
            place.
        function: What to do.
        *arguments: With what.
    """
    worker = get_worker()
    with _lock:
        is_first = (worker.id, run) not in _served
        _served.add((worker.id, run))
    process_pool(run, directory if Path(directory).is_dir() else None)
    if is_first:  # of the threads, as a second plugin of this name would end what the first began
        worker.loop.add_callback(worker.plugin_add, ProcessEnder(run), run)
    return function(*arguments)


async def leave(run: str, dask_worker: Worker) -> None:
    """End the worker processes of a run at a worker of Dask: it is over."""
    end_processes(run)
    _served.discard((dask_worker.id, run))
    if run in dask_worker.plugins:
        await dask_worker.plugin_remove(run)


def tell_driver(run: str, event: WorkerEvent) -> None:
    """Tell the driver what happened here; of batches about one a second.

    Raises:
        Stopped: nobody wants this task any more, as its driver or the whole run has gone.
    """
    try:
        worker = get_worker()
    except ValueError:
        return  # no worker's thread: the run is over, and nobody listens
    if _is_dropped(worker):
        raise Stopped
    now = time.monotonic()
    if event.kind is WorkerEventKind.BATCH and now - getattr(_mine, "told", 0.0) < _EVERY:
        return
    _mine.told = now
    worker.log_event(run, packed(event, _slot(worker)))


def _is_dropped(worker: Worker) -> bool:
    """Whether the scheduler let go of the task of this thread, which nothing else can stop."""
    task = worker.state.tasks.get(worker.get_current_task())
    return task is None or task.state == "cancelled"


def _slot(worker: Worker) -> str:
    """What this thread is called: its worker, and where that has several threads, which of them."""
    number = threading.current_thread().name.rpartition("-")[2]
    return f"{worker.name}/{number}" if worker.state.nthreads > 1 else str(worker.name)


def packed(event: WorkerEvent, worker: str) -> str:
    """An event as text; numbers may be larger than the scheduler's messages take."""
    value = event.value.to_json() if event.kind is WorkerEventKind.DONE else event.value
    told = [worker, event.kind.value, event.shard, value, event.process, event.memory]
    return json.dumps(told)


def unpacked(text: str) -> WorkerEvent:
    """The inverse of `packed`, but for the keys of a shard."""
    worker, kind, shard, value, *process = json.loads(text)
    if kind == WorkerEventKind.DONE:
        value = ShardAccount.from_json(value)
    return WorkerEvent(worker, WorkerEventKind(kind), shard, value, *process)


def lacking(
    folder: Folder, plan: bytes, directory: str, sources: Sequence[tuple[str, int]]
) -> str | None:
    """What keeps this worker from a run, in words that follow its name; None where nothing does.

    Args:
        folder: Where the shards go.
        plan: What the driver has in it, so that another folder of that name is not taken for it.
        directory: Where the driver works.
        sources: The files that are read here, with their sizes.
    """
    if folder.read(PLAN) != plan:
        return f"does not see the output folder {folder.name!r}"
    probe = f".tmp-probe-{os.uname().nodename}-{os.getpid()}"
    try:
        folder.write(probe, b"")
        folder.remove(probe)
    except EnsueError as error:
        return f"cannot write to the output folder {folder.name!r}: {error.message}"
    for source, size in sources:
        try:
            seen = Path(directory, source).stat().st_size
        except OSError:
            return f"does not see the input {source!r}"
        if seen != size:
            return f"sees another file at {source!r}, of {seen:,} bytes and not {size:,}"
    return None
