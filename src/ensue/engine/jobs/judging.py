"""Judge pairs: the job of `ensue judge`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from ensue.engine.jobs.encoding import RunFormat, encoded_verdicts
from ensue.engine.model import Shard, ShardSizes
from ensue.errors import EngineError
from ensue.pairs import Finding, Label, Pair, Severity, Signature, Status, Verdict
from ensue.pairs.parts import read_part
from ensue.pairs.reading import Reading
from ensue.pairs.runs import PairHash
from ensue.recognizers import Recognizer, load
from ensue.recognizers.outside.guard import Guarded
from ensue.recognizers.storage import RECORD

BATCH = 256
"""Pairs judged at a time."""

HASHED = 200_000
"""Pairs whose content is hashed; an evaluation of more does not compare it, and it takes time."""

Settings = tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class JudgeJob:
    """Judge pairs with a recognizer."""

    recognizer: str
    """Its name or directory, as on the command line."""
    settings: Settings
    signature: Signature
    """The driver's; every worker's has to be the same."""
    format: RunFormat
    reading: Reading = field(hash=False)
    batch_size: int = BATCH
    is_hashed: bool = True
    """Whether the accounts have the hash of the pairs."""
    sizes: ShardSizes = field(default_factory=ShardSizes)

    @property
    def identity(self) -> Mapping[str, Any]:
        """The recipe of the verdicts; how they are batched is no part of it."""
        return {
            "job": "judge",
            "signature": self.signature.to_json(),
            "reading": plain(self.reading),
        }

    @property
    def suffix(self) -> str:
        """By the format."""
        return f".{self.format.value}"

    def begin(self) -> Judging:
        """Load the recognizer."""
        recognizer = load_once(self.recognizer, self.settings)
        if recognizer.signature != self.signature:
            raise EngineError(
                f"a worker has another recognizer: {recognizer.signature}, not {self.signature}",
                hint="install the same version everywhere, and put trained recognizers where"
                " every worker sees them",
            )
        return Judging(recognizer, self)


class Judging:
    """A recognizer at work on shards."""

    def __init__(self, recognizer: Recognizer, job: JudgeJob) -> None:
        self._recognizer = recognizer
        self._job = job
        self.batch_size = job.batch_size

    def items(self, shard: Shard, on_finding: Callable[[Finding], None]) -> Sequence[Pair]:
        """Its pairs."""
        return pairs_of(shard, self._job.reading, on_finding)

    def results(self, items: Sequence[Pair]) -> Sequence[Verdict]:
        """Their verdicts."""
        verdicts = self._recognizer.judge(items)
        if [verdict.pair_id for verdict in verdicts] != [pair.id for pair in items]:
            raise EngineError(f"{self._recognizer.signature} does not give each pair its verdict")
        return verdicts

    def failed(self, item: Pair, reason: str) -> Verdict:
        """A verdict without a decision."""
        return Verdict(item.id, None, status=Status.FAILED, reason=reason)

    def key(self, item: Pair) -> str:
        """The id."""
        return item.id

    def encoded(self, results: Sequence[Verdict]) -> bytes:
        """The lines, or the table, of a run."""
        return encoded_verdicts(results, self._job.format)

    def counts(self, results: Sequence[Verdict]) -> dict[str, dict[str, int]]:
        """By status, and by label."""
        statuses = _times(Status, [verdict.status for verdict in results])
        return {"status": statuses, "label": _times(Label, [verdict.label for verdict in results])}

    def findings(self, results: Sequence[Verdict]) -> Iterator[Finding]:
        """That pairs failed, with the most frequent reason."""
        failed = Status.FAILED
        reasons = Counter(each.reason for each in results if each.status is failed)
        for reason, _ in reasons.most_common(1):
            n = reasons.total()
            said = "1 pair failed" if n == 1 else f"{n:,} pairs of a shard failed, most of them so"
            yield Finding("failed", Severity.WARNING, f"{said}: {reason}")

    def content(self, items: Sequence[Pair]) -> Any:
        """The hash of the pairs, where it is wanted."""
        return pairs_content(items) if self._job.is_hashed else None

    def figures(self) -> dict[str, int]:
        """Texts analyzed, and found analyzed; nothing where no recognizer analyzes."""
        analysis = sys.modules.get("ensue.language.analysis")  # half of a hand's start to import
        return dict(analysis.analysis_counts()) if analysis else {}


def _times(kinds: Iterable[StrEnum], found: Sequence[StrEnum | None]) -> dict[str, int]:
    """How often each kind occurs; `list.count` is many times as quick as counting enums one by one."""
    times = ((kind.value, found.count(kind)) for kind in kinds)
    return {name: n for name, n in times if n}


def pairs_of(
    shard: Shard, reading: Reading, on_finding: Callable[[Finding], None]
) -> Sequence[Pair]:
    """The pairs of a shard, read or as they were fed."""
    if shard.items is not None:
        return shard.items
    parts = (read_part(part, on_finding=on_finding, **reading) for part in shard.parts)
    return list(chain.from_iterable(parts))


def pairs_content(pairs: Sequence[Pair]) -> Any:
    """The hash of pairs, as it is merged over shards."""
    total = PairHash()
    total.add_all(pairs)
    return total.state()


def merged_content(states: Sequence[Any]) -> PairHash:
    """The hash of all pairs from those of the shards, in order."""
    total = PairHash()
    for state in states:
        total.extend(PairHash.from_state(state))
    return total


def plain(reading: Reading) -> dict[str, Any]:
    """What a reading says, without what it leaves open."""
    return {name: value for name, value in reading.items() if value}


def judge_job(
    recognizer: str,
    settings: Mapping[str, object],
    format: RunFormat,
    reading: Reading,
    batch_size: int,
) -> JudgeJob:
    """The job of judging with a recognizer, which is loaded, and asked what is obvious, once here.

    Raises:
        EnsueError: there is no such recognizer, a setting makes no sense, or it answers obvious
            pairs as if its labels were mixed up.
    """
    if (Path(recognizer) / RECORD).is_file():
        recognizer = str(Path(recognizer).absolute())  # workers may have another directory
    with redirect_stdout(sys.stderr):  # whatever a function prints is no data
        loaded = load_once(recognizer, tuple(settings.items()))
        if isinstance(loaded, Guarded):
            loaded.check()  # before an unfinished run is left behind
    return JudgeJob(
        recognizer, tuple(settings.items()), loaded.signature, format, reading, batch_size
    )


@cache
def load_once(recognizer: str, settings: Settings) -> Recognizer:
    """A recognizer, loaded once in a process."""
    return load(recognizer, dict(settings))
