"""The engine that was asked for, open for one run; processes of this machine need nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ensue.engine.doing import Listener, end_hands
from ensue.engine.folders import Folder
from ensue.engine.model import Job
from ensue.errors import SettingError

if TYPE_CHECKING:
    from ensue.engine.running import Spread

EMBEDDED = "embedded"
DASK = "dask"


@dataclass(frozen=True, slots=True)
class Opened:
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
def open_engine(spread: Spread, purpose: Purpose, listener: Listener) -> Iterator[Opened]:
    """Open the engine for one run, and leave no process behind.

    Args:
        spread: Which engine, how many workers.
        purpose: What for.
        listener: Is told what happens at workers elsewhere.

    Raises:
        SettingError: there is no such engine.
        EngineError: the cluster cannot be reached, or cannot do the job.
    """
    if spread.engine == EMBEDDED:
        few = (
            spread.workers is None
            and not spread.isolated
            and purpose.n_items < purpose.job.sizes.alone
        )
        with _alone() if few else _embedded(spread.workers or n_cores(), purpose.run) as opened:
            yield opened
        return
    scheme, colon, address = spread.engine.partition("://")
    if scheme != DASK or bool(colon) != bool(address):
        raise SettingError(
            f"no engine is called {spread.engine!r}", hint="embedded, dask or dask://HOST:PORT"
        )
    from ensue.engine.engines.cluster import open_cluster

    with open_cluster(address or None, spread.workers, purpose, listener) as opened:
        yield opened


@contextmanager
def _embedded(workers: int, run: str) -> Iterator[Opened]:
    executor = ThreadPoolExecutor(workers, thread_name_prefix=run)
    try:
        yield Opened(executor, lambda: workers)
    finally:
        end_hands(run)  # first, so that no thread waits for one
        executor.shutdown(cancel_futures=True)


@contextmanager
def _alone() -> Iterator[Opened]:
    yield Opened(_Here(), lambda: 1, isolated=False)


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
