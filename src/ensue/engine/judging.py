"""Judge a stream of pairs in batches and record the run, atomically and so that it can go on."""

from __future__ import annotations

import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from ensue.engine.partial import PartialRun, Task, input_sha256, open_partial, partial_path
from ensue.errors import DataError, RunError, SettingError
from ensue.pairs import (
    Finding,
    Pair,
    RunHeader,
    Severity,
    Verdict,
    dataset_name,
    open_output,
    write_plain_run,
    write_run,
)
from ensue.pairs.files import STANDARD
from ensue.pairs.outputs import check_output
from ensue.pairs.runs import PairHash, header_line, read_header
from ensue.recognizers import Recognizer

BATCH = 4096
"""Pairs judged at a time."""

Progress = Callable[[int], None]
"""Is told of each batch how many pairs are done."""


@dataclass(frozen=True, slots=True)
class Account:
    """What a run came to."""

    n_pairs: int
    n_resumed: int
    """Pairs that an earlier, unfinished run had judged."""
    statuses: Counter[str] = field(hash=False)
    seconds: float
    findings: tuple[Finding, ...] = ()
    """What is wrong with the pairs as a whole."""
    labels: Counter[str] = field(default_factory=Counter, hash=False)
    """How often each label was decided for."""

    @property
    def is_finished_before(self) -> bool:
        """Whether there was nothing left to do."""
        return 0 < self.n_pairs == self.n_resumed and not self.statuses


def judge_stream(
    recognizer: Recognizer,
    pairs: Iterable[Pair],
    *,
    batch_size: int = BATCH,
    progress: Progress | None = None,
) -> Iterator[Verdict]:
    """Judge pairs as they come, a batch at a time, in constant memory."""
    for batch in _batches(pairs, batch_size):
        yield from recognizer.judge(batch)
        if progress:
            progress(len(batch))


def judge_to_stream(
    recognizer: Recognizer,
    pairs: Iterable[Pair],
    source: str | Path,
    *,
    plain: bool = False,
    batch_size: int = BATCH,
    progress: Progress | None = None,
) -> None:
    """Judge pairs and write the verdicts to standard output as they come.

    The header line can say neither the hash of the pairs nor the cost: it is written first.
    """
    stream = judge_stream(recognizer, pairs, batch_size=batch_size, progress=progress)
    first = list(islice(stream, 1))  # nothing is written before the pairs can be read and judged
    verdicts = chain(first, stream)
    if plain:
        write_plain_run(STANDARD, verdicts)
    else:
        header = RunHeader(recognizer.signature, {"name": dataset_name(source)}, _now())
        write_run(STANDARD, header, verdicts)


def judge_file(
    recognizer: Recognizer,
    pairs: Iterable[Pair],
    source: str | Path,
    target: str | Path,
    *,
    reading: Mapping[str, Any] | None = None,
    plain: bool = False,
    resume: bool = False,
    restart: bool = False,
    batch_size: int = BATCH,
    progress: Progress | None = None,
) -> Account:
    """Judge the pairs of a source and write the run, whole, at the end.

    What is done is kept beside the target, in `TARGET.partial`, batch by batch.

    Args:
        recognizer: What judges.
        pairs: The pairs of the source, in its order.
        source: Where they come from; `-` cannot be resumed.
        target: Where the run goes.
        reading: How the source was read, in values that JSON can hold; to resume, it must be the
            same.
        plain: Write the challenge's plain format instead of ours.
        resume: Go on with an unfinished run, if there is one.
        restart: Forget an unfinished run, if there is one.
        batch_size: Pairs judged at a time.
        progress: Is told of each batch how many pairs are done.

    Raises:
        RunError: the unfinished run was begun with other settings, pairs or reading.
        OutputError: another process writes this run, or there is an unfinished run, and neither
            to resume nor to restart was asked.
    """
    clock = time.monotonic()
    check_output(target)
    task = Task(recognizer.signature, _hash_of_input(source, resume), reading or {})
    if resume and not partial_path(target).exists() and Path(target).is_file():
        n_pairs = _finished(target, task, plain=plain)
        return Account(n_pairs, n_pairs, Counter(), time.monotonic() - clock)
    with open_partial(target, resume=resume, restart=restart) as partial:
        started, n_resumed = _begun(partial, task)
        content = _Content()
        try:
            tally = _judge_rest(recognizer, content.watched(pairs), partial, batch_size, progress)
        except DataError:
            partial.remove()  # the pairs have to be mended, and then it is another run
            raise
        seconds = time.monotonic() - clock
        if plain:
            write_plain_run(target, partial.verdicts())
        else:
            header = _header(task, source, content, started, seconds, n_resumed)
            with open_output(target) as file:
                file.write(header_line(header).encode())
                partial.copy_to(file)
        partial.remove()
    findings = tuple(content.findings(dataset_name(source)))
    return Account(content.n_pairs, n_resumed, tally.statuses, seconds, findings, tally.labels)


class _Tally:
    """Verdicts by status, and decisions by label."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.labels: Counter[str] = Counter()

    def add(self, verdict: Verdict) -> None:
        """Count one more."""
        self.statuses[verdict.status.value] += 1
        if verdict.label is not None:
            self.labels[verdict.label.value] += 1


def _begun(partial: PartialRun, task: Task) -> tuple[str, int]:
    """When the run was begun, now or before, and how many pairs are done."""
    if partial.is_begun():
        return partial.check(task), partial.mend()
    started = _now()
    partial.begin(task, started)
    return started, 0


def _judge_rest(
    recognizer: Recognizer,
    pairs: Iterator[Pair],
    partial: PartialRun,
    batch_size: int,
    progress: Progress | None,
) -> _Tally:
    """Judge what is not yet done; count the verdicts, those before included."""
    tally = _Tally()
    rest = _after_done(pairs, partial, tally)
    if progress and tally.statuses:
        progress(tally.statuses.total())
    for batch in _batches(rest, batch_size):
        verdicts = recognizer.judge(batch)
        if [verdict.pair_id for verdict in verdicts] != [pair.id for pair in batch]:
            raise ValueError(f"{recognizer.signature} does not give each pair its verdict")
        partial.append(verdicts)
        for verdict in verdicts:
            tally.add(verdict)
        if progress:
            progress(len(batch))
    return tally


def _after_done(pairs: Iterator[Pair], partial: PartialRun, tally: _Tally) -> Iterator[Pair]:
    """Pass over the pairs that are done, see that they are those, and give the others."""
    for i, verdict in enumerate(partial.verdicts()):
        pair = next(pairs, None)
        if pair is None or pair.id != verdict.pair_id:
            raise RunError(
                f"verdict {i + 1} of the unfinished run is on {verdict.pair_id!r},"
                f" pair {i + 1} is {pair.id if pair else None!r}",
                place=str(partial.path),
                hint="begin anew with --restart",
            )
        tally.add(verdict)
    return pairs


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _batches(pairs: Iterable[Pair], size: int) -> Iterator[list[Pair]]:
    if size < 1:
        raise SettingError(f"a batch of {size} pairs makes no sense", hint="give 1 or more")
    stream = iter(pairs)
    while batch := list(islice(stream, size)):
        yield batch


class _Content(PairHash):
    """The hash of all pairs and, in eight bytes a pair, whether an id is there twice."""

    def __init__(self) -> None:
        super().__init__()
        self._ids = array("q")

    def watched(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The same pairs, taken in as they pass."""
        for pair in pairs:
            self.add(pair)
            self._ids.append(hash(pair.id))
            yield pair

    def findings(self, name: str) -> Iterator[Finding]:
        """A finding where ids are doubled."""
        n_doubled = len(self._ids) - len(np.unique(np.frombuffer(self._ids, np.int64)))
        if n_doubled:
            yield Finding(
                "duplicate-id",
                Severity.WARNING,
                f"{n_doubled:,} pairs have the id of an earlier pair; such a run cannot be"
                " evaluated, and 'ensue data audit' says which they are",
                place=name,
            )


def _hash_of_input(source: str | Path, resume: bool) -> str:
    if str(source) != STANDARD:
        return input_sha256(source)
    if resume:
        raise SettingError(
            "a run over standard input cannot be resumed", hint="put the pairs into a file"
        )
    return STANDARD


def _finished(target: str | Path, task: Task, *, plain: bool) -> int:
    """How many pairs the finished run of this very task has.

    Raises:
        RunError: what is there is not that run, or does not say what it is.
    """
    header = read_header(target)
    if plain or header is None or header.data.get("task_sha256") != task.sha256():
        raise RunError(
            "there is no unfinished run to resume, and what is there is not this run in JSONL",
            place=str(target),
            hint="judge anew with --restart, or name another output",
        )
    return int(header.data["pairs"])


def _header(
    task: Task,
    source: str | Path,
    content: PairHash,
    started: str,
    seconds: float,
    n_resumed: int,
) -> RunHeader:
    judged = content.n_pairs - n_resumed
    return RunHeader(
        signature=task.signature,
        data={
            "name": dataset_name(source),
            "pairs": content.n_pairs,
            "sha256": content.hexdigest(),
            "task_sha256": task.sha256(),
        },
        started=started,
        cost={
            "pairs": judged,
            "seconds": round(seconds, 3),
            "pairs_per_second": round(judged / seconds, 1) if seconds > 0 else None,
        },
    )
