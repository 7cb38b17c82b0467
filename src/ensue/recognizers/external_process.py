"""The process of an external program: pipes, exchange of pairs and answers, restarts."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from ensue.errors import RunError, SettingError
from ensue.pairs import Pair
from ensue.recognizers.external_labels import ExternalAnswer

# A running program: its pipes, its last words and its end.

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
                "cannot-start",
                f"cannot start {words[0]!r}: {error.strerror or error}",
                hint=COMMAND_HINT,
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

    def leave(self) -> None:
        """Let go of a program that is another process's, of which this one is a fork."""
        self._selector.close()  # nothing is unregistered: what is watched is the parent's, too
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        self._process.returncode = 0  # not ours to wait for

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


# Talking to a program: pairs out, answers in, and what to do when it dies.

_TOO_OFTEN = 10


@dataclass(frozen=True, slots=True)
class CommandSettings:
    """How a program is talked to."""

    batch: int = 64
    """Pairs that it is given at a time."""
    time_limit: float = 300.0
    """Seconds that it has for a batch, its start included."""
    restarts: int = 3
    """How often in a row it is started again without an answer in between."""
    guard: bool = True
    """Whether obvious pairs are asked first."""


class Program:
    """A program that is started when it is first asked, and again where it ends too early.

    Of several threads one asks at a time, and a fork of this process starts a program of its own.
    """

    def __init__(self, words: Sequence[str], chosen: CommandSettings) -> None:
        self._words = words
        self._chosen = chosen
        self._process: Process | None = None
        self._n_restarts = chosen.restarts
        self._n_incidents = 0
        self._given_up: str | None = None
        self.lock = threading.RLock()
        """Of the thread that asks."""
        _programs.add(self)

    def ask(self, pairs: Sequence[Pair]) -> list[ExternalAnswer]:
        """An answer for each pair, in order.

        Raises:
            SettingError: the program cannot be started.
            RunError: it answers what nobody asked, so that no answer can be trusted.
        """
        with self.lock:
            try:
                answers: list[ExternalAnswer] = []
                for batch in _batches(pairs, self._chosen.batch):
                    answers += self._answers(batch, last=len(answers) + len(batch) == len(pairs))
            except BaseException:
                self.close(patiently=False)  # what it still has to say belongs to nobody
                raise
            return answers

    def ask_in_passing(self, pairs: Sequence[Pair]) -> list[ExternalAnswer]:
        """Answers as far as they come without a restart, and nothing is held against the program."""
        with self.lock:
            self._n_restarts = 0
            try:
                return self.ask(pairs)
            finally:
                self._n_restarts = self._chosen.restarts
                self._n_incidents, self._given_up = 0, None

    def close(self, *, patiently: bool = True) -> None:
        """End the program; it is started again when it is asked again."""
        process, self._process = self._process, None
        if process is not None:
            process.end(patiently=patiently)

    def begin_anew(self) -> None:
        """In a fork: leave the program, which may be in the middle of an answer, to the parent."""
        process, self._process = self._process, None
        self.lock = threading.RLock()  # whoever held it is not here
        if process is not None:
            process.leave()

    def _answers(self, batch: Sequence[Pair], *, last: bool) -> list[ExternalAnswer]:
        """The answers to one batch; after an incident the others are asked one at a time."""
        exchange = Exchange(batch)
        reason = self._attempt(exchange, last=last)
        for i, pair in enumerate(batch):
            if reason is not None and exchange.answers[i] is None:
                alone = Exchange([pair])
                why = reason if len(batch) == 1 else self._attempt(alone, last=last)
                exchange.answers[i] = ExternalAnswer(failure=why) if why else alone.answers[0]
        return [answer or ExternalAnswer(failure=reason) for answer in exchange.answers]

    def _attempt(self, exchange: Exchange, *, last: bool) -> str | None:
        """Ask the pairs; None, or why some of them have no answer."""
        if self._given_up is not None:
            return self._given_up
        process, is_new = self._running()
        try:
            self._talk(process, exchange, last=last)
        except Incident as incident:
            self.close(patiently=False)
            if isinstance(incident, Ended) and not (is_new or exchange.n_answers):
                return self._attempt(exchange, last=last)  # it may have ended after the last batch
            return self._owed(exchange, str(incident))
        self._n_incidents = 0
        return None

    def _owed(self, exchange: Exchange, reason: str) -> str | None:
        """Count an incident; the reason, where pairs are left without an answer."""
        if exchange.complete:
            self._n_incidents = 0
            return None
        self._n_incidents = 1 if exchange.n_answers else self._n_incidents + 1
        if self._n_incidents > self._n_restarts:
            times = f"{self._n_incidents} times in a row" if self._n_incidents > 1 else "once"
            self._given_up = f"{reason}; given up after that happened {times}"
        return reason

    def _running(self) -> tuple[Process, bool]:
        """The program, and whether it was started just now."""
        if self._process is not None and not self._process.ended:
            return self._process, False
        self.close()
        self._process = Process(self._words)
        return self._process, True

    def _talk(self, process: Process, exchange: Exchange, *, last: bool) -> None:
        deadline = time.monotonic() + self._chosen.time_limit
        process.send(exchange.lines())
        while not exchange.complete:
            line = process.line(deadline)
            if line is None:
                raise Incident(
                    f"no answer within {self._chosen.time_limit:g} s"
                    " (does the program flush its output, and answer before its input ends?)"
                )
            exchange.take(line)
        end = time.monotonic() + (GRACE if last or exchange.doubled else 0)
        while surplus := process.line(end):
            exchange.take(surplus)


_programs: weakref.WeakSet[Program] = weakref.WeakSet()


def _begin_all_anew() -> None:
    for program in list(_programs):
        program.begin_anew()


os.register_at_fork(after_in_child=_begin_all_anew)


class Exchange:
    """The pairs of one batch and the answers to them, by id or, without ids, in order."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs = pairs
        self._positions = {pair.id: i for i, pair in enumerate(pairs)}
        self._n_by_order = 0
        self._n_taken = 0
        self.answers: list[ExternalAnswer | None] = [None] * len(pairs)
        self.n_answers = 0
        """How many pairs have an answer."""
        self.doubled = False
        """Whether one of them has two."""

    @property
    def complete(self) -> bool:
        """Whether each pair has an answer."""
        return self.n_answers == len(self._pairs)

    def lines(self) -> bytes:
        """What the program is sent: never the gold, and in ASCII, so that no encoding matters."""
        return b"".join(json.dumps(pair_record(pair)).encode() + b"\n" for pair in self._pairs)

    def take(self, line: bytes) -> None:
        """Give a line to the pair that it answers.

        Raises:
            Incident: it is no answer.
            RunError: it is the answer to a pair that nobody asked.
        """
        record = _record(line)
        self._n_taken += 1
        if self._n_taken > _TOO_OFTEN * len(self._pairs):
            raise Incident("the program answers the same pairs again and again")
        i = self._position(record)
        if self.answers[i] is None:
            self.answers[i] = ExternalAnswer(record)
            self.n_answers += 1
            return
        self.doubled = True
        self.answers[i] = ExternalAnswer(failure="the program answered this pair twice")

    def _position(self, record: Mapping[str, Any]) -> int:
        pair_id = answered_id(record)
        if pair_id is not None:
            if pair_id not in self._positions:
                raise RunError(
                    "program-answers-pair-not",
                    f"the program answers pair {pair_id!r}, which it was not asked now",
                    hint="each pair is to be answered once, with its own id as 'pair_id'",
                )
            return self._positions[pair_id]
        self._n_by_order += 1
        if self._n_by_order > len(self._pairs):
            raise RunError(
                "program-gives-more-answers",
                "the program gives more answers than it was asked pairs",
                hint="each pair is to be answered once; with 'pair_id' it is clear which",
            )
        return self._n_by_order - 1


def pair_record(pair: Pair) -> dict[str, Any]:
    """The object of a pair's line, gold left out."""
    return {
        "id": pair.id,
        "text": pair.text,
        "hypothesis": pair.hypothesis,
        "task": pair.task,
        "meta": dict(pair.meta),
    }


def answered_id(record: Mapping[str, Any]) -> str | None:
    """The id of the pair that an answer is on; None where it does not say."""
    given = record.get("pair_id", record.get("id"))
    return None if given is None else str(given)


def _batches(pairs: Sequence[Pair], size: int) -> Iterator[list[Pair]]:
    """The pairs in batches in which no id is there twice."""
    batch: list[Pair] = []
    ids: set[str] = set()
    for pair in pairs:
        if len(batch) == size or pair.id in ids:
            yield batch
            batch, ids = [], set()
        batch.append(pair)
        ids.add(pair.id)
    if batch:
        yield batch


def _record(line: bytes) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict) or not record.keys() & {"pair_id", "id", "label", "status"}:
        shown = line[:60].decode("utf-8", "replace")
        raise Incident(
            f"the program wrote {shown!r}, which is no answer (what is none belongs on its"
            " standard error)"
        )
    return record
