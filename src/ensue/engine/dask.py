"""A Dask cluster as an engine: a local one, or a running one found by its address."""

from __future__ import annotations

import asyncio
import importlib.metadata
import logging
import os
import platform
import queue
import re
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from ensue.engine.progress import Listener, WorkerEvent
from ensue.engine.run import OpenEngine, Purpose, n_cores
from ensue.engine.store import PLAN
from ensue.errors import EngineError, SettingError
from ensue.installation import install_extra

# Reaching the scheduler of a cluster that runs already: its address, TLS, and who answers
# there.

CONNECT = "ENSUE_CONNECT"
"""The variable that says how many seconds a scheduler and its workers have to answer."""

_PATIENCE = 10.0
"""The same, where nobody says."""
_ADDRESS = re.compile(
    r"(?:[^\s/:@?#\[\]]+|\[[0-9A-Fa-f:.]+(?:%\w+)?\]):(?P<port>[0-9]{1,5})", re.ASCII
)
"""A name, an IPv4 address or, in brackets, an IPv6 address, and a port."""
_LAST_PORT = 65_535
_CALLING = 0.9
"""The part of the time limit that may go by until the call is taken; the rest is for the answer."""
_GRACE = 1.0
"""Seconds beyond the limit after which a question is given up that does not end by itself."""
_ELSE = "give the address that 'dask scheduler' prints, not that of a dashboard or a worker"


def time_limit() -> float:
    """How many seconds a scheduler and its workers have to answer.

    Raises:
        SettingError: the variable that says so holds no such number.
    """
    given = os.environ.get(CONNECT) or _PATIENCE
    with suppress(ValueError):
        limit = float(given)
        if 0 < limit < float("inf"):
            return limit
    raise SettingError(
        "no-time-limit",
        f"{CONNECT}={given!r} is no time limit",
        hint="a number of seconds, e.g. 30",
    )


def check_address(address: str) -> None:
    """See that it is HOST:PORT; clients of Dask that find out later are loud when they end.

    Raises:
        SettingError: it is not.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) <= _LAST_PORT:
        raise SettingError(
            "no-address-scheduler-like",
            f"no address of a scheduler is like {address!r}",
            hint="--engine dask://HOST:PORT, an IPv6 address in brackets; the port is 8786 unless"
            " the scheduler says otherwise",
        )


def scheme() -> str:
    """TLS where the user's configuration of Dask has it; there is no other place for secrets."""
    from distributed.security import Security

    try:
        security: Any = Security()  # type: ignore[no-untyped-call]
        configured = security.get_connection_args("client")
    except (OSError, ValueError) as error:
        raise EngineError(
            "dask-configuration-tls-cannot",
            f"Dask's configuration of TLS cannot be used: {error}",
            hint="see distributed.comm.tls in your Dask configuration",
        ) from None
    if not (security.require_encryption or configured["ssl_context"]):
        return "tcp"
    if not configured["ssl_context"]:
        raise EngineError(
            "dask-configured-require-encryption",
            "Dask is configured to require encryption, and has no certificate",
            hint="set distributed.comm.tls.ca-file and distributed.comm.tls.client.cert",
        )
    return "tls"


def find_scheduler(url: str, limit: float) -> None:
    """See that a scheduler answers: a client waits forever for one that takes a call in silence.

    Raises:
        EngineError: nothing answers within so many seconds, or no scheduler.
    """
    answer: Future[str] = Future()

    def ask() -> None:
        try:
            answer.set_result(asyncio.run(asyncio.wait_for(_kind_at(url, limit), limit)))
        except BaseException as error:
            answer.set_exception(error)

    # a thread that neither a loop of the caller's nor Ctrl-C has to wait for
    threading.Thread(target=ask, name="ensue-asking", daemon=True).start()
    try:
        with answering(url, limit):
            kind = answer.result(limit + _GRACE)
    except EngineError:
        raise
    except Exception as error:  # whatever comes of reading a foreign protocol
        raise EngineError(
            "answers-no-scheduler",
            f"what answers at {url!r} is no scheduler ({type(error).__name__})",
            hint=_ELSE,
        ) from None
    if kind != "Scheduler":
        raise EngineError(
            "dask-not-scheduler",
            f"a {kind.lower()} of Dask is at {url!r}, not a scheduler",
            hint=_ELSE,
        )


async def _kind_at(url: str, limit: float) -> str:
    """What a server of Dask says that it is."""
    from distributed.comm.core import connect
    from distributed.core import send_recv
    from distributed.security import Security

    security: Any = Security()  # type: ignore[no-untyped-call]
    secrets = security.get_connection_args("client")
    comm = await connect(url, timeout=_CALLING * limit, **secrets)  # type: ignore[no-untyped-call]
    try:
        return str((await send_recv(comm, op="identity"))["type"])
    finally:
        comm.abort()


@contextmanager
def answering(url: str, limit: float) -> Iterator[None]:
    """Say in our own words that nobody answers."""
    try:
        yield
    except OSError as error:
        reason = f": {_first_cause(error)}".removesuffix(": ")
        raise EngineError(
            "no-scheduler-answers-within",
            f"no scheduler answers at {url!r} within {limit:g} s{reason}",
            hint="is 'dask scheduler' running there, with TLS if and only if Dask is configured for"
            f" it here? {CONNECT}=SECONDS waits longer",
        ) from None


def _first_cause(error: BaseException) -> str:
    while error.__cause__ is not None:
        error = error.__cause__
    return getattr(error, "strerror", None) or str(error)


# A Dask cluster as an engine: one of this machine's own, or one that runs already.

Client = Any
"""Dask's; most of it has no types."""
Task = Any
"""Dask's `Future`."""

_EVERY = 2.0
"""Seconds after which the threads of a cluster are counted again: it may grow or shrink."""
_LAST_WORDS = 10.0
"""Seconds for what was told before the end."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""What asks a run to end."""


@contextmanager
def open_cluster(
    address: str | None, workers: int | None, purpose: Purpose, listener: Listener
) -> Iterator[OpenEngine]:
    """Open a cluster for one run, and leave no process or task of it behind.

    Args:
        address: HOST:PORT of a running scheduler; None for a cluster of this machine.
        workers: Processes of a cluster of this machine, cores where None. Of a running cluster,
            how many threads to count on, those that it has where None.
        purpose: What it is opened for.
        listener: Called with events at the workers, always from the same thread.

    Raises:
        EngineError: Dask is not installed, nobody answers, workers are missing or cannot do the
            job; later, the scheduler is gone, or workers die again and again.
        SettingError: the address or the time limit makes no sense.
    """
    _check_installed()
    if address is not None:
        check_address(address)
    import dask
    from distributed.utils import silence_logging_cmgr

    limit = time_limit()
    settings = {
        "distributed.comm.timeouts.connect": f"{limit}s",
        "distributed.admin.large-graph-warning-threshold": "1GiB",  # shards that are fed are large
        "distributed.worker.profile.enabled": False,  # of threads that wait for their processes
    }
    with dask.config.set(settings), silence_logging_cmgr(logging.CRITICAL), ExitStack() as stack:
        if address is None:
            client = stack.enter_context(_local(workers or n_cores(), limit))
            workers = None
        else:
            client = stack.enter_context(_running(address, limit))
        stack.enter_context(explained(str(client.scheduler.address)))
        check_workers(client, purpose)
        thread = stack.enter_context(_event_thread(client, purpose.run, listener))
        executor = stack.enter_context(_task_executor(client, purpose.run))
        yield OpenEngine(
            executor, lambda: workers or thread.n_threads, is_elsewhere=address is not None
        )


def _check_installed() -> None:
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise EngineError(
            "dask-not-installed",
            f"Dask is not installed: {error}",
            hint=f"run: {install_extra('dask')}",
        ) from None


@contextmanager
def _local(workers: int, limit: float) -> Iterator[Client]:
    """Processes of one thread each on this machine, reached through loopback alone."""
    import distributed

    with ExitStack() as stack:
        made = tempfile.TemporaryDirectory(prefix="ensue-dask-", ignore_cleanup_errors=True)
        directory = stack.enter_context(made)
        with _uninterrupted(), _deferred():
            cluster = stack.enter_context(
                distributed.LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=workers,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    silence_logs=logging.CRITICAL,
                    dashboard_address=None,
                    scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
                    memory_limit=0,  # processes of ours use the memory, which Dask does not see
                    local_directory=directory,
                )
            )
            client = stack.enter_context(_client(cluster, limit))
        yield client


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let processes that are started here, or by threads that are, leave Ctrl-C to the driver."""
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # which would let interrupts in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _deferred() -> Iterator[None]:
    """Put off what would end this process until what is begun here is sure to be ended.

    Another thread may get a signal that this one does not let in, and have it raise here. What is
    half made then would be taken down by Dask at the exit, with all that it has to say.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # no signal raises here
        return
    came: list[int] = []
    handlers = {each: signal.getsignal(each) for each in _SIGNALS}
    ours = {each: handler for each, handler in handlers.items() if callable(handler)}
    for each in ours:
        signal.signal(each, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for each, handler in ours.items():
            signal.signal(each, handler)
        for number in came[:1]:
            signal.raise_signal(number)


def _client(cluster: object, limit: float) -> Client:
    import distributed

    return distributed.Client(  # type: ignore[no-untyped-call]
        cluster, timeout=limit, set_as_default=False
    )


@contextmanager
def _running(address: str, limit: float) -> Iterator[Client]:
    """A cluster that others have started; it goes on without us."""
    url = f"{scheme()}://{address}"
    find_scheduler(url, limit)
    with ExitStack() as stack:
        with _deferred(), answering(url, limit):
            client = _client(url, limit)
            stack.callback(_leave, client, limit)
        _wait_for_workers(client, url, limit)
        yield client


def _leave(client: Client, limit: float) -> None:
    with suppress(OSError, AssertionError):  # in the middle of a try to connect again
        client.close(timeout=limit)


def _wait_for_workers(client: Client, url: str, limit: float) -> None:
    try:
        client.wait_for_workers(1, timeout=limit)
    except TimeoutError:
        raise EngineError(
            "scheduler-no-worker",
            f"the scheduler {url!r} has had no worker for {limit:g} s",
            hint=f"start some with 'dask worker {url}'; {CONNECT}=SECONDS waits longer",
        ) from None


def check_workers(client: Client, purpose: Purpose) -> None:
    """See that every worker can do the job, before any of them has begun.

    Raises:
        EngineError: one cannot; it says which, and why.
    """
    from ensue.engine.dask_worker import lacking

    # what is asked first is in the standard library: a worker may have nothing else of ours
    mine = importlib.metadata.version("ensue")
    pythons = _asked(client, platform.python_version)
    _refuse(
        {
            name: f"has Python {found}, and this is {platform.python_version()}"
            for name, found in pythons.items()
            if str(found).split(".")[:2] != platform.python_version().split(".")[:2]
        },
        "use one version of Python everywhere, but for its last number",
    )
    versions = _asked(client, importlib.metadata.version, "ensue")
    _refuse(
        {name: _difference(found, mine) for name, found in versions.items() if found != mine},
        f"install ensue {mine} with its extra 'dask' for every worker, as it is installed here",
    )
    sources = tuple((each, Path(each).stat().st_size) for each in purpose.sources)
    plan = purpose.folder.read(PLAN) or b""
    found = _asked(client, lacking, purpose.folder, plan, str(Path.cwd()), sources)
    _refuse(
        {name: str(reason) for name, reason in found.items() if reason is not None},
        "put input and output on a file system that all workers share, or behind a URL such as"
        " s3://BUCKET/RUN",
    )


def _asked(client: Client, function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
    """What a function returns at every worker, or the exception that it raises."""
    found: dict[str, Any] = client.run(function, *arguments, on_error="return")
    return found


def _difference(found: object, mine: str) -> str:
    if isinstance(found, importlib.metadata.PackageNotFoundError):
        return "has no ensue"
    return f"has ensue {found}, and this is {mine}"


def _refuse(reasons: Mapping[str, str], hint: str) -> None:
    for name, reason in sorted(reasons.items()):
        more = f" (as have {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        raise EngineError("dask-worker", f"the Dask worker {name!r} {reason}{more}", hint=hint)


@contextmanager
def _task_executor(client: Client, run: str) -> Iterator[Executor]:
    """The executor of tasks; in the end what runs is dropped, and all processes are ended."""
    from ensue.engine.dask_worker import leave

    executor = _TaskExecutor(client, run, str(Path.cwd()))
    try:
        yield executor
    finally:
        if client.status == "running":  # else workers see for themselves that the scheduler is gone
            with suppress(OSError):
                executor.cancel()
                client.run(leave, run, on_error="ignore")


class _TaskExecutor(Executor):
    """Has each task done with a plugin at the worker that ends its process in time.

    Dask's own executor reads a task's state once more after its result has come, and fails where
    the worker that had the result is lost in between.
    """

    def __init__(self, client: Client, run: str, directory: str) -> None:
        self._client, self._run, self._directory = client, run, directory
        self._tasks: set[Task] = set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        from ensue.engine.dask_worker import run_task

        arguments = (self._run, self._directory, fn, *args)
        task = self._client.submit(run_task, *arguments, pure=False, **kwargs)
        self._tasks.add(task)
        outcome: Future[Any] = Future()
        outcome.set_running_or_notify_cancel()
        self._client.loop.add_callback(self._pass_on, task, outcome)
        return outcome

    def cancel(self) -> None:
        """Drop every task that is not done."""
        self._client.cancel(list(self._tasks))

    async def _pass_on(self, task: Task, outcome: Future[Any]) -> None:
        try:
            result = await task
        except BaseException as error:
            outcome.set_exception(error)
        else:
            outcome.set_result(result)
        finally:
            # The last to let go of it is the client's thread: Ctrl-C is lost in a finalizer of the
            # main one.
            self._tasks.discard(task)


@contextmanager
def _event_thread(client: Client, run: str, listener: Listener) -> Iterator[_EventThread]:
    from ensue.engine.dask_worker import unpacked

    thread = _EventThread(client, listener)
    client.subscribe_topic(run, lambda told: thread.events.put(unpacked(told[1])))
    thread.start()
    try:
        yield thread
    finally:
        if client.status == "running":
            client.unsubscribe_topic(run)
        thread.close()


class _EventThread(threading.Thread):
    """Passes events on outside the thread that talks to the scheduler, and counts threads."""

    def __init__(self, client: Client, listener: Listener) -> None:
        super().__init__(name="ensue-events", daemon=True)
        self._client, self._listener = client, listener
        self.events: queue.SimpleQueue[WorkerEvent | None] = queue.SimpleQueue()
        self.n_threads = 1
        self._count()

    def run(self) -> None:
        """Go on until it is closed."""
        due = 0.0
        while True:
            if time.monotonic() >= due:
                self._count()
                due = time.monotonic() + _EVERY
            try:
                event = self.events.get(timeout=_EVERY)
            except queue.Empty:
                continue
            if event is None:
                return
            self._listener(event)

    def close(self) -> None:
        """Pass on what has come, and end."""
        self.events.put(None)
        self.join(_LAST_WORDS)

    def _count(self) -> None:
        with suppress(OSError):  # the tasks tell if the scheduler is gone
            if self._client.status == "running":
                self.n_threads = max(1, sum(self._client.nthreads().values()))


@contextmanager
def explained(scheduler: str) -> Iterator[None]:
    """Say in our own words what became of the tasks."""
    from distributed import KilledWorker
    from distributed.client import ClosedClientError
    from distributed.comm.core import CommClosedError

    try:
        yield
    except (CancelledError, ClosedClientError, CommClosedError):
        raise EngineError(
            "scheduler-gone",
            f"the scheduler {scheduler!r} is gone",
            hint="start it again, and look at its log for why it ended",
        ) from None
    except KilledWorker as error:
        raise EngineError(
            "dask-workers-died-over",
            f"{error.allowed_failures + 1} Dask workers died over the same shards, the last of them"
            f" {error.last_worker.address!r}",
            hint="their logs say why, and memory is the first thing to look at",
        ) from None
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "ensue":
            raise
        raise EngineError(
            "dask-worker-joined-no",
            "a Dask worker has joined that has no ensue",
            hint="every worker needs it, with its extra 'dask'",
        ) from None
