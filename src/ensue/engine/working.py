"""A shard, done: what a hand calls. Everything here runs in the process that does the work."""

from __future__ import annotations

import signal
import time
from array import array
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from ensue.engine.folders import Folder
from ensue.engine.model import (
    Blamed,
    Job,
    Shard,
    ShardAccount,
    SummingWork,
    Tell,
    TellingWork,
    Work,
)
from ensue.errors import EngineError, EnsueError
from ensue.pairs import Finding

MOST_FAILED = 100
"""Items of one shard that may fail by an exception; more are no exception any more."""

_MOST_FINDINGS = 20
"""Findings of one shard that are told; the others are counted."""

_begun: list[tuple[Job, Work]] = []
"""The last job of this process, with what it has loaded."""


def do_shard(job: Job, folder: Folder, shard: Shard, blamed: Blamed, tell: Tell) -> ShardAccount:
    """Do all items of a shard but those that are blamed, and write its file.

    Args:
        job: What to do.
        folder: Where the file goes.
        shard: Which items.
        blamed: Items not to be touched.
        tell: Is told `(first, last)` before each batch.

    Raises:
        EnsueError: the items cannot be read, or the file not be written.
    """
    work = begun(job)
    clock, before = time.monotonic(), work.figures()
    heard = _Findings()
    items = work.items(shard, heard)
    failures: dict[int, str] = dict(blamed)
    results: list[Any] = []
    for first, last in _batches(len(items), work.batch_size):
        tell((first, last))
        results += _surely(work, items, first, last, failures)
    content = work.encoded(results)
    name = f"part-{shard.number:06d}{job.suffix}"
    folder.write(name, content)
    sums = work if isinstance(work, SummingWork) else None
    if isinstance(work, TellingWork):
        for finding in work.findings(_without(results, failures)):  # which are told anyway
            heard(finding)
    return ShardAccount(
        number=shard.number,
        file=name,
        n_items=len(items),
        n_rows=sums.n_rows(results) if sums else len(results),
        n_bytes=len(content),
        sha256=sha256(content).hexdigest(),
        seconds=round(time.monotonic() - clock, 4),
        counts=work.counts(results),
        figures={name: n - before.get(name, 0) for name, n in work.figures().items()},
        content=work.content(items),
        summary=sums.summary(results) if sums else None,
        blamed=tuple((work.key(items[i]), reason) for i, reason in sorted(failures.items())),
        findings=tuple(heard.first),
        n_findings=heard.n,
        keys=array("q", map(hash, map(work.key, items))).tobytes(),
    )


def _without(results: list[Any], failures: Blamed) -> list[Any]:
    return [each for i, each in enumerate(results) if i not in failures] if failures else results


def try_items(job: Job, shard: Shard, blamed: Blamed, first: int, last: int, tell: Tell) -> None:
    """Do some items of a shard, but those that are blamed, and keep nothing: does the process live?"""
    work = begun(job)
    items = work.items(shard, _Findings())
    tell((first, last))
    _surely(work, items, first, min(last, len(items)), dict(blamed))


def begun(job: Job) -> Work:
    """What a job has loaded in this process; once, as long as it is the same job."""
    for known, work in _begun:
        if known == job:
            return work
    work = job.begin()
    _begun[:] = [(job, work)]
    return work


def let_go() -> None:
    """Forget what a job has loaded in this process: a program that it started ends."""
    _begun.clear()


class _Findings:
    """Counts findings, and keeps the first ones."""

    def __init__(self) -> None:
        self.first: list[Finding] = []
        self.n = 0

    def __call__(self, finding: Finding) -> None:
        self.n += 1
        if self.n <= _MOST_FINDINGS:
            self.first.append(finding)


def _batches(n: int, size: int) -> Iterator[tuple[int, int]]:
    return ((first, min(first + size, n)) for first in range(0, n, size))


def _surely(
    work: Work, items: Sequence[Any], first: int, last: int, failures: dict[int, str]
) -> list[Any]:
    """The results of some items; where an exception comes up, halved until it has its item."""
    if first >= last:
        return []
    skipped = [i for i in range(first, last) if i in failures]
    if skipped:
        if last - first == 1:
            return [work.failed(items[first], failures[first])]
        middle = skipped[0] if skipped[0] > first else first + 1
        halves = ((first, middle), (middle, last))
        return [each for a, b in halves for each in _surely(work, items, a, b, failures)]
    try:
        return _results(work, items[first:last])
    except EnsueError:
        raise
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        if _is_interrupt(error):
            raise
        if last - first == 1:
            if len(failures) >= MOST_FAILED:
                raise
            failures[first] = f"{type(error).__name__}: {error}"
            return [work.failed(items[first], failures[first])]
    middle = (first + last) // 2
    halves = ((first, middle), (middle, last))
    return [each for a, b in halves for each in _surely(work, items, a, b, failures)]


def _is_interrupt(error: BaseException) -> bool:
    """Whether it is Ctrl-C, maybe inside a compiled kernel; hands do not hear of it."""
    causes = (error, error.__cause__)
    is_heard = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
    return is_heard and any(isinstance(each, KeyboardInterrupt) for each in causes)


def _results(work: Work, items: Sequence[Any]) -> list[Any]:
    results = list(work.results(items))
    if len(results) != len(items):
        raise EngineError(f"{len(items)} items got {len(results)} results")
    return results
