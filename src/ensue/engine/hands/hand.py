"""The driver's side of a hand: a process that is called, watched, and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ensue.engine.hands.ending import end_descendants, stop
from ensue.engine.hands.messages import Call, Kind, Message, receive, send

_THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB_MAXIMUM", "BLIS")
_PATIENCE = 5.0
"""Seconds that a hand gets to end by itself."""

OnNote = Callable[[Any], None]


class HandDied(Exception):
    """The process ended in the middle of its work; not the caller's fault, and not an error yet."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Hand:
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
        message = self._answer(Call.of(function, arguments), on_note)
        if message.kind is Kind.ERROR:
            raise message.content
        return message.content

    def _answer(self, call: Call, on_note: OnNote | None) -> Message:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            send(process.stdin, call)
            while True:
                message: Message = receive(process.stdout)
                if message.kind is not Kind.NOTE:
                    return message
                if on_note:
                    on_note(message.content)
        except (EOFError, OSError, ValueError):  # or the pipe was closed under us
            raise HandDied(self._buried()) from None
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
                raise HandDied("its process was ended")
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
        [sys.executable, "-P", "-m", "ensue.engine.hands.serving"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **one},
        cwd=directory,
        start_new_session=True,
    )
