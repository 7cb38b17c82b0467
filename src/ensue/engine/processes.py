"""Worker processes as the driver sees them: start, call, death and end; pools of them."""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import IO, Any
from weakref import finalize

from ensue.errors import EngineError

# Ending what a process has started, so that nothing outlives a run.


def stop(child: int) -> None:
    """Suspend a child of this process until it is killed; it may have ended just now."""
    with suppress(OSError):
        os.kill(child, signal.SIGSTOP)
        os.waitid(os.P_PID, child, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


def end_descendants(process: int) -> None:
    """Kill what a process has started, e.g. the program of a recognizer, and what that has.

    Programs have sessions of their own and would go on with the pair that they are at. Where the
    system does not say who started whom, they still end when their input does.
    """
    for each in _descendants(process):
        with suppress(OSError):
            os.kill(each, signal.SIGKILL)


def _descendants(process: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for each in Path(f"/proc/{process}/task").glob("*/children"):
            for child in map(int, each.read_text(encoding="ascii").split()):
                found += [child, *_descendants(child)]
    return found


# What goes between a driver and a worker: pickles, each behind its length. A call is the path of
# the driver's modules and, packed once more as it takes that path to open it, a function with its
# arguments; an answer is a `MessageKind` and its content.

IDLE = "ENSUE_IDLE"
"""The variable that says after how many seconds without a call a worker ends."""

_LENGTH = struct.Struct(">Q")


class MessageKind(StrEnum):
    """What a worker sends."""

    NOTE = "note"
    """How far it is."""
    RESULT = "result"
    ERROR = "error"
    """An exception, as it is or as text where it cannot be pickled."""


def send(file: IO[bytes], content: object) -> None:
    """Write one pickle, whole.

    Raises:
        Exception: whatever pickling raises; nothing was written then.
    """
    packed = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
    file.write(_LENGTH.pack(len(packed)) + packed)
    file.flush()


def receive(file: IO[bytes]) -> Any:
    """Read one pickle.

    Raises:
        EOFError: the writer has ended, maybe in the middle of it.
    """
    (length,) = _LENGTH.unpack(_exactly(file, _LENGTH.size))
    return pickle.loads(_exactly(file, length))


def _exactly(file: IO[bytes], size: int) -> bytes:
    content = file.read(size)
    if len(content) < size:
        raise EOFError
    return content


# One worker process.

_THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB_MAXIMUM", "BLIS")
_PATIENCE = 5.0
"""Seconds that a worker gets to end by itself."""

OnNote = Callable[[Any], None]


class WorkerDied(Exception):
    """The process ended in the middle of its work; not the caller's fault, and not an error yet."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class WorkerProcess:
    """A process of one thread that calls functions for us, one at a time."""

    def __init__(self, directory: str | None = None) -> None:
        self._directory = directory
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._is_ended = False
        self.n_started = 0
        """How many processes it took so far."""

    @property
    def pid(self) -> int | None:
        """The process that runs, if one does."""
        return self._process.pid if self._process else None

    def call(
        self, function: Callable[..., Any], *arguments: Any, on_note: OnNote | None = None
    ) -> Any:
        """Call a function there, with one more argument: a function that sends notes.

        Args:
            function: One that a module has under its name.
            *arguments: What can be pickled.
            on_note: Called with each note.

        Raises:
            WorkerDied: the process ended in the middle; the next call starts another.
            Exception: what the function raised.
        """
        packed = pickle.dumps((function, arguments), pickle.HIGHEST_PROTOCOL)
        kind, content = self._answer((tuple(sys.path), packed), on_note)
        if kind is MessageKind.ERROR:
            raise content
        return content

    def _answer(self, call: object, on_note: OnNote | None) -> tuple[MessageKind, Any]:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            send(process.stdin, call)
            while True:
                kind, content = receive(process.stdout)
                if kind is not MessageKind.NOTE:
                    return kind, content
                if on_note:
                    on_note(content)
        except (EOFError, OSError, ValueError):  # or the pipe was closed under us
            raise WorkerDied(self._buried()) from None
        except BaseException:
            self.close()  # what it would still send is for no one
            raise

    def end(self) -> None:
        """End the process for good, from any thread: a later call finds it dead."""
        with self._lock:
            self._is_ended = True
        self.close()

    def close(self) -> None:
        """End the process, whatever it is doing; the next call starts another."""
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        if process.poll() is None:
            stop(process.pid)  # or it starts again what is ended here
            end_descendants(process.pid)
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError, ValueError):
                assert pipe is not None
                pipe.close()
        process.wait()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self._buried()  # it had nothing to do for long, or was killed meanwhile
        with self._lock:
            if self._is_ended:
                raise WorkerDied("its process was ended")
            if self._process is None:
                self._process = _started(self._directory)
                self.n_started += 1
            return self._process

    def _buried(self) -> str:
        """Clear away a process that has ended, and say how it did."""
        process = self._process
        if process is None:
            return "its process was ended"
        with suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE)
        code = process.poll()
        self.close()
        if code is None:
            return "its process closed its pipe"
        if code >= 0:
            return f"its process exited with {code}"
        with suppress(ValueError):
            return f"its process was killed by {signal.Signals(-code).name}"
        return f"its process was killed by signal {-code}"


def _started(directory: str | None) -> subprocess.Popen[bytes]:
    one = {f"{name}_NUM_THREADS": "1" for name in _THREADS}
    one["PYTHONHASHSEED"] = "0"  # so that hashes of ids are the same in all of them
    # -P: a file of the working directory hides no module that the driver does not hide, too;
    # a session of its own: Ctrl-C is the driver's, and ends no program in the middle of its pairs
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "ensue.engine.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **one},
        cwd=directory,
        start_new_session=True,
    )


# Pools: processes that threads take one of while they need it.


class Stopped(Exception):
    """The run is over: its worker processes were ended."""


class ProcessPool:
    """As many worker processes as threads ask for at the same time, until all are ended."""

    def __init__(self, directory: str | None = None) -> None:
        """Start none yet; later ones work in this directory, or where this process does."""
        self._directory = directory
        self._lock = threading.Lock()
        self._all: list[WorkerProcess] = []
        self._idle: list[WorkerProcess] = []
        self.is_ended = False

    @contextmanager
    def taken(self) -> Iterator[WorkerProcess]:
        """A process for this thread.

        Raises:
            Stopped: all were ended.
        """
        with self._lock:
            if self.is_ended:
                raise Stopped
            if self._idle:
                process = self._idle.pop()  # the last that was used: others may not be needed
            else:
                process = WorkerProcess(self._directory)
                self._all.append(process)
        try:
            yield process
        finally:
            self._idle.append(process)

    def end(self) -> None:
        """End all processes, whatever they are doing; none comes after this."""
        with self._lock:
            self.is_ended = True
        for process in self._all:
            process.end()


Call = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function that a module has under its name, and its arguments; all of it can be pickled."""


class Pool:
    """Processes for rooms with many calls to make, started when they are first needed.

    It ends when it is closed, when nobody has it any more, or with this process.
    """

    def __init__(self, n: int) -> None:
        """Have so many processes; none is started yet."""
        self.n = n
        self._executor = ThreadPoolExecutor(n, thread_name_prefix="pool")
        self._processes = ProcessPool()
        finalize(self, _end, self._executor, self._processes)

    def in_order(self, calls: Iterable[Call]) -> Iterator[Any]:
        """The results of calls, in their order, with few calls ahead of them.

        A call whose process dies is made once more. Where an error comes up, or nobody wants the
        other results, calls that were made ahead are dropped.

        Args:
            calls: Functions that a module has under their names, with their arguments. Taking the
                next one may itself make calls.

        Raises:
            EngineError: a process died of a call twice.
            EnsueError: what a function raised.
            RuntimeError: what a function raised that is none of ours, as text.
        """
        batch = _Batch(self._processes)
        waiting: deque[Future[Any]] = deque()
        try:
            for call in calls:
                waiting.append(self._executor.submit(batch.result, call))
                if len(waiting) > 2 * self.n:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
            batch.drop()

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        _end(self._executor, self._processes)
        self._executor.shutdown()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _end(executor: ThreadPoolExecutor, processes: ProcessPool) -> None:
    executor.shutdown(wait=False, cancel_futures=True)
    processes.end()


@dataclass(slots=True, eq=False)
class _Batch:
    """Calls whose results are waited for; it knows no pool, which may go while a thread runs."""

    processes: ProcessPool
    busy: set[WorkerProcess] = field(default_factory=set)
    is_dropped: bool = False

    def drop(self) -> None:
        self.is_dropped = True
        for process in list(self.busy):
            process.close()

    def result(self, call: Call) -> Any:
        """What a call returns, made in another process, and once more where that dies."""
        with self.processes.taken() as process:
            self.busy.add(process)
            try:
                with suppress(WorkerDied):
                    return process.call(_call, call)
                if self.is_dropped or self.processes.is_ended:
                    raise Stopped
                return process.call(_call, call)
            except WorkerDied as death:
                raise EngineError(
                    "worker-died-twice-same",
                    f"a worker died twice of the same work: {death.reason}",
                    hint="is there enough memory? fewer --workers need less",
                ) from None
            finally:
                self.busy.discard(process)


def _call(call: Call, tell: OnNote) -> Any:  # noqa: ARG001 - as all calls
    """Call a function that need not know where it is called."""
    function, *arguments = call
    return function(*arguments)
