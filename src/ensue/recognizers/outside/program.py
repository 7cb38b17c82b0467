"""Talking to a program: pairs out, answers in, and what to do when it dies."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ensue.errors import RunError
from ensue.pairs import Pair
from ensue.recognizers.outside.answers import Answer
from ensue.recognizers.outside.process import GRACE, Ended, Incident, Process

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
    """A program that is started when it is first asked, and again where it ends too early."""

    def __init__(self, words: Sequence[str], chosen: CommandSettings) -> None:
        self._words = words
        self._chosen = chosen
        self._process: Process | None = None
        self._n_restarts = chosen.restarts
        self._n_incidents = 0
        self._given_up: str | None = None
        self._lock = threading.Lock()

    def ask(self, pairs: Sequence[Pair]) -> list[Answer]:
        """An answer for each pair, in order.

        Raises:
            SettingError: the program cannot be started.
            RunError: it answers what nobody asked, so that no answer can be trusted.
        """
        with self._lock:
            try:
                answers: list[Answer] = []
                for batch in _batches(pairs, self._chosen.batch):
                    answers += self._answers(batch, last=len(answers) + len(batch) == len(pairs))
            except BaseException:
                self.close(patiently=False)  # what it still has to say belongs to nobody
                raise
            return answers

    def ask_in_passing(self, pairs: Sequence[Pair]) -> list[Answer]:
        """Answers as far as they come without a restart, and nothing is held against the program."""
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

    def _answers(self, batch: Sequence[Pair], *, last: bool) -> list[Answer]:
        """The answers to one batch; after an incident the others are asked one at a time."""
        exchange = Exchange(batch)
        reason = self._attempt(exchange, last=last)
        for i, pair in enumerate(batch):
            if reason is not None and exchange.answers[i] is None:
                alone = Exchange([pair])
                why = reason if len(batch) == 1 else self._attempt(alone, last=last)
                exchange.answers[i] = Answer(failure=why) if why else alone.answers[0]
        return [answer or Answer(failure=reason) for answer in exchange.answers]

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


class Exchange:
    """The pairs of one batch and the answers to them, by id or, without ids, in order."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs = pairs
        self._positions = {pair.id: i for i, pair in enumerate(pairs)}
        self._n_by_order = 0
        self._n_taken = 0
        self.answers: list[Answer | None] = [None] * len(pairs)
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
            self.answers[i] = Answer(record)
            self.n_answers += 1
            return
        self.doubled = True
        self.answers[i] = Answer(failure="the program answered this pair twice")

    def _position(self, record: Mapping[str, Any]) -> int:
        pair_id = answered_id(record)
        if pair_id is not None:
            if pair_id not in self._positions:
                raise RunError(
                    f"the program answers pair {pair_id!r}, which it was not asked now",
                    hint="each pair is to be answered once, with its own id as 'pair_id'",
                )
            return self._positions[pair_id]
        self._n_by_order += 1
        if self._n_by_order > len(self._pairs):
            raise RunError(
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
