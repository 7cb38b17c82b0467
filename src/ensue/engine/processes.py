"""Worker processes as the driver sees them: start, call, messages, death and end."""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO, Any

# Ending what a process has started, so that nothing outlives a run.


def stop(child: int) -> None:
    """Hold a child of this process until it is killed; it may have ended just now."""
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


def resident(process: int) -> int:
    """How many bytes of memory a process takes now; 0 where the system does not say."""
    with suppress(OSError, ValueError, IndexError):
        pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return 0


# What goes between a driver and a hand: pickles, each behind its length.

IDLE = "ENSUE_IDLE"
"""The variable that says after how many seconds without work a hand ends."""

_LENGTH = struct.Struct(">Q")


class MessageKind(StrEnum):
    """What a hand has to say."""

    NOTE = "note"
    """Something on the way: how far it is."""
    RESULT = "result"
    ERROR = "error"
    """An exception, as it is or as text where it cannot be pickled."""


@dataclass(frozen=True, slots=True)
class PackedCall:
    """What a hand is to do: call a function of a module, with a function to tell notes to."""

    packed: bytes
    """The function and its arguments; a pickle of its own, as it takes the path to open it."""
    path: tuple[str, ...] = ()
    """Where the caller finds its modules."""

    @classmethod
    def of(cls, function: Callable[..., Any], arguments: tuple[Any, ...]) -> PackedCall:
        """Pack a call.

        Raises:
            Exception: whatever pickling raises.
        """
        return cls(pickle.dumps((function, arguments), pickle.HIGHEST_PROTOCOL), tuple(sys.path))

    def opened(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """The function and its arguments, from the modules that the caller has."""
        sys.path[:] = [*self.path, *(each for each in sys.path if each not in self.path)]
        function, arguments = pickle.loads(self.packed)
        return function, arguments


@dataclass(frozen=True, slots=True)
class Message:
    """What a hand answers."""

    kind: MessageKind
    content: Any


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
        EOFError: whoever wrote has gone, maybe in the middle of it.
    """
    (length,) = _LENGTH.unpack(_exactly(file, _LENGTH.size))
    return pickle.loads(_exactly(file, length))


def _exactly(file: IO[bytes], size: int) -> bytes:
    content = file.read(size)
    if len(content) < size:
        raise EOFError
    return content


# The driver's side of a hand: a process that is called, watched, and started again.

_THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB_MAXIMUM", "BLIS")
_PATIENCE = 5.0
"""Seconds that a hand gets to end by itself."""

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
        """Call a function there, with one more argument: whom it can tell how far it is.

        Args:
            function: One that a module has under its name.
            *arguments: What can be pickled.
            on_note: Is told what the function tells.

        Raises:
            HandDied: the process ended in the middle; the next call starts another.
            Exception: what the function raised.
        """
        message = self._answer(PackedCall.of(function, arguments), on_note)
        if message.kind is MessageKind.ERROR:
            raise message.content
        return message.content

    def _answer(self, call: PackedCall, on_note: OnNote | None) -> Message:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            send(process.stdin, call)
            while True:
                message: Message = receive(process.stdout)
                if message.kind is not MessageKind.NOTE:
                    return message
                if on_note:
                    on_note(message.content)
        except (EOFError, OSError, ValueError):  # or the pipe was closed under us
            raise WorkerDied(self._buried()) from None
        except BaseException:
            self.close()  # what it still has to say is nobody's
            raise

    def end(self) -> None:
        """End the process for good, from any thread: a call that comes later finds it dead."""
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
