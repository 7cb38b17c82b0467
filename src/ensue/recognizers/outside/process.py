"""A running program: its pipes, its last words and its end."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

from ensue.errors import SettingError

COMMAND_HINT = "give a program and its arguments as in a shell, e.g. command:'python my_model.py'"

GRACE = 0.02
"""Seconds in which an answer that is one too many has time to show up."""
_FAREWELL = 2.0
"""Seconds that a program has to end by itself once nobody talks to it any more."""
_LONGEST_LINE = 1 << 24
_CHUNK = 1 << 16
_LAST_WORDS = 3


class Incident(Exception):
    """A program ended, was late or wrote something that is no answer."""


class Ended(Incident):
    """A program ended."""


class Process:
    """One start of a program: three pipes, none of which can block us."""

    def __init__(self, words: Sequence[str]) -> None:
        # a session of its own: Ctrl-C is ours to handle, and what it starts can be ended with it
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={"PYTHONUNBUFFERED": "1", **os.environ},  # for those that forget to flush
                start_new_session=True,
            )
        except OSError as error:
            raise SettingError(
                f"cannot start {words[0]!r}: {error.strerror or error}", hint=COMMAND_HINT
            ) from None
        self._end = weakref.finalize(self, _end, self._process, os.getpid())
        self._selector = selectors.DefaultSelector()
        self._unsent = memoryview(b"")
        self._lines: deque[bytes] = deque()
        self._rests = {"output": bytearray(), "errors": bytearray()}
        self._last_words: deque[str] = deque(maxlen=_LAST_WORDS)
        self._stdin, stdout, stderr = _pipes(self._process)
        # functions, not methods: an object that refers to itself is not gone when it is let go
        self._selector.register(stdout, selectors.EVENT_READ, Process._read)
        self._selector.register(stderr, selectors.EVENT_READ, Process._hear)

    @property
    def ended(self) -> bool:
        """Whether the program is no longer there."""
        return self._process.poll() is not None

    def send(self, data: bytes) -> None:
        """Have this written while `line` waits."""
        if not self._unsent:
            self._selector.register(self._stdin, selectors.EVENT_WRITE, Process._write)
        self._unsent = memoryview(bytes(self._unsent) + data)

    def line(self, deadline: float) -> bytes | None:
        """The next line that the program wrote; None where there is none until the deadline.

        Raises:
            Ended: the program has ended, and there are no more lines.
            Incident: a line has no end.
        """
        while not self._lines:
            if self._process.stdout not in self._watched():
                raise Ended(self._farewell())
            ready = self._selector.select(max(deadline - time.monotonic(), 0))
            for key, _ in ready:
                key.data(self)
            if not (ready or self._lines) or (not self._lines and time.monotonic() > deadline):
                return None
        return self._lines.popleft()

    def end(self, *, patiently: bool) -> None:
        """End the program, if it has not ended; patiently, by closing its input first."""
        self._selector.close()
        if not patiently:
            _kill(self._process)
        self._end()

    def _watched(self) -> set[Any]:
        return {key.fileobj for key in self._selector.get_map().values()}

    def _write(self) -> None:
        try:
            n_sent = os.write(self._stdin.fileno(), self._unsent[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:
            n_sent = len(self._unsent)  # it reads no more; that it ends is seen at its output
        self._unsent = self._unsent[n_sent:]
        if not self._unsent:
            self._selector.unregister(self._stdin)

    def _read(self) -> None:
        self._lines.extend(self._whole_lines(self._process.stdout, "output"))
        if len(self._rests["output"]) > _LONGEST_LINE:
            raise Incident(f"the program wrote a line of more than {_LONGEST_LINE:,} bytes")

    def _hear(self) -> None:
        for line in self._whole_lines(self._process.stderr, "errors"):
            text = line.decode("utf-8", "replace").rstrip()
            sys.stderr.write(f"{text}\n")
            self._last_words.append(text.strip())

    def _whole_lines(self, pipe: IO[bytes] | None, name: str) -> list[bytes]:
        assert pipe is not None
        try:
            data = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return []
        rest = self._rests[name]
        rest += data
        if not data:
            self._selector.unregister(pipe)
            rest += b"\n"
        if b"\n" not in data and data:
            return []
        *lines, self._rests[name] = rest.split(b"\n")
        return [bytes(line) for line in lines if line.strip()]

    def _farewell(self) -> str:
        """How the program ended, and what it said last."""
        deadline = time.monotonic() + _FAREWELL
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL)
        while self._process.stderr in self._watched() and time.monotonic() < deadline:
            for key, _ in self._selector.select(GRACE):
                key.data(self)
        words = " / ".join(self._last_words)
        return f"the program {_ending(self._process.returncode)}" + (words and f": {words}")


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    pipes = process.stdin, process.stdout, process.stderr
    stdin, stdout, stderr = pipes
    assert stdin is not None
    assert stdout is not None
    assert stderr is not None
    for pipe in (stdin, stdout, stderr):
        os.set_blocking(pipe.fileno(), False)
    return stdin, stdout, stderr


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """Leave the program without input and output, and end what does not end by that."""
    if os.getpid() != owner:
        return  # a fork has a copy of this object, but the program is not its own
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(_FAREWELL)
    except subprocess.TimeoutExpired:
        pass
    finally:
        _kill(process)
        process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the program and what it started."""
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _ending(code: int | None) -> str:
    if code is None:
        return "closed its output"
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"
