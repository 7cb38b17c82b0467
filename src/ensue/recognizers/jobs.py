"""The job of `ensue judge`: pairs of any source judged shard by shard, as a run."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import IO, Any

from ensue.engine import (
    OnSnapshot,
    PairInput,
    RunAccount,
    RunFormat,
    RunOptions,
    RunOutcome,
    Shard,
    ShardOpener,
    ShardSizes,
    encoded_verdicts,
    is_folder,
    join_tables,
    join_texts,
    let_go,
    n_doubled,
    now,
    plan_digest,
    run_account,
    run_cost,
    run_to_output,
    survey_pairs,
)
from ensue.errors import EngineError
from ensue.files import check_outside
from ensue.pairs import (
    Finding,
    Label,
    Pair,
    PairHash,
    ReadKeywords,
    RunHeader,
    Severity,
    Signature,
    Status,
    Verdict,
    header_line,
    read_header,
    read_part,
)
from ensue.recognizers.contract import Recognizer
from ensue.recognizers.external_labels import Guarded
from ensue.recognizers.storage import RECORD, load

# Judge pairs: the job of `ensue judge`.

BATCH = 256
"""Pairs judged at a time."""

HASHED = 200_000
"""Pairs whose content is hashed; an evaluation of more does not compare it, and it takes time."""

SettingItems = tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class JudgeJob:
    """Judge pairs with a recognizer."""

    recognizer: str
    """Its name or directory, as on the command line."""
    settings: SettingItems
    signature: Signature
    """The driver's; every worker's has to be the same."""
    format: RunFormat
    reading: ReadKeywords = field(hash=False)
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

    def begin(self) -> JudgeWork:
        """Load the recognizer."""
        recognizer = load_once(self.recognizer, self.settings)
        if recognizer.signature != self.signature:
            raise EngineError(
                f"a worker has another recognizer: {recognizer.signature}, not {self.signature}",
                hint="install the same version everywhere, and put trained recognizers where"
                " every worker sees them",
            )
        return JudgeWork(recognizer, self)


class JudgeWork:
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
        analysis = sys.modules.get(
            "ensue.language.analysis_cache"
        )  # half of a hand's start to import
        return dict(analysis.analysis_counts()) if analysis else {}


def _times(kinds: Iterable[StrEnum], found: Sequence[StrEnum | None]) -> dict[str, int]:
    """How often each kind occurs; `list.count` is many times as quick as counting enums one by one."""
    times = ((kind.value, found.count(kind)) for kind in kinds)
    return {name: n for name, n in times if n}


def pairs_of(
    shard: Shard, reading: ReadKeywords, on_finding: Callable[[Finding], None]
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


def plain(reading: ReadKeywords) -> dict[str, Any]:
    """What a reading says, without what it leaves open."""
    return {name: value for name, value in reading.items() if value}


def judge_job(
    recognizer: str,
    settings: Mapping[str, object],
    format: RunFormat,
    reading: ReadKeywords,
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
def load_once(recognizer: str, settings: SettingItems) -> Recognizer:
    """A recognizer, loaded once in a process."""
    return load(recognizer, dict(settings))


# Judge the pairs of any source and record the run: what `ensue judge` calls.


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAccount(RunAccount):
    """What judging came to."""

    signature: Signature

    @property
    def statuses(self) -> Counter[str]:
        """Verdicts by status."""
        return Counter(self.counts.get("status", {}))

    @property
    def labels(self) -> Counter[str]:
        """How often each label was decided for."""
        return Counter(self.counts.get("label", {}))


def judge_source(
    source: str,
    output: str,
    recognizer: str,
    settings: Mapping[str, object] | None = None,
    *,
    reading: ReadKeywords | None = None,
    format: RunFormat | None = None,
    spread: RunOptions | None = None,
    batch_size: int = BATCH,
    on_finding: Callable[[Finding], None] = lambda _: None,
    on_snapshot: OnSnapshot | None = None,
    on_survey: Callable[[int], None] | None = None,
) -> JudgeAccount:
    """Judge the pairs of a source and write the run, so that it can go on after any interruption.

    Args:
        source: A file, folder, glob or URL of pairs; or `-`, which cannot be resumed.
        output: A folder of shards, where it is one or its name ends in `/`; one file; or `-`.
        recognizer: Its name or directory, as on the command line.
        settings: Of the recognizer.
        reading: How the source is read.
        format: How verdicts are written; Parquet in folders and JSONL elsewhere unless it is given.
        spread: Who judges, and what becomes of an unfinished run.
        batch_size: Pairs judged at a time.
        on_finding: Is told what is found while this process reads.
        on_snapshot: Is told where the run stands.
        on_survey: Is told of more bytes that were looked through before the run begins.

    Raises:
        DataError: the pairs cannot be read.
        RunError: the unfinished run was begun with other settings, pairs or reading.
        OutputError: another process writes this run, or there is one, and neither to resume nor
            to restart was asked.
        EngineError: workers cannot be had, or do not live.
    """
    check_outside(output, source)
    spread = spread or RunOptions()
    written = format or run_format(output)
    job = judge_job(recognizer, settings or {}, written, reading or ReadKeywords(), batch_size)
    given = survey_pairs(source, job.reading, on_finding=on_finding, progress=on_survey)
    job = replace(job, is_hashed=given.n_estimated <= HASHED)
    what = f"{given.name} with {job.signature.recognizer}"
    assembly = _Run(job, given)
    try:
        outcome = run_to_output(
            job, given, output, spread, assembly, what=what, on_snapshot=on_snapshot
        )
    finally:
        load_once.cache_clear()  # a directory may be trained anew, and a program is to end
        let_go()
    return _account(job.signature, outcome, given, output)


def run_format(output: str) -> RunFormat:
    """How verdicts are written where nobody says."""
    return RunFormat.PARQUET if is_folder(output) else RunFormat.JSONL


@dataclass(frozen=True, slots=True)
class _Run:
    """Shards of verdicts as one run."""

    job: JudgeJob
    given: PairInput

    def head(self, outcome: RunOutcome | None) -> bytes:
        """The header line; before the run it can say neither the hash of the pairs nor the cost."""
        if self.job.format is not RunFormat.JSONL:
            return b""
        if outcome is None:
            header = RunHeader(self.job.signature, {"name": self.given.name}, now())
        else:
            header = self._header(outcome)
        return header_line(header).encode()

    def join(self, files: Sequence[ShardOpener], target: IO[bytes]) -> None:
        """One after the other."""
        (join_tables if self.job.format is RunFormat.PARQUET else join_texts)(files, target)

    def facts(self, outcome: RunOutcome) -> Mapping[str, Any]:
        """The header, and verdicts by status and label."""
        counts = outcome.last.counts
        return {
            "kind": "verdicts",
            **self._header(outcome).to_json(),
            "statuses": dict(counts.get("status", {})),
            "labels": dict(counts.get("label", {})),
        }

    def finished(self, target: str) -> str | None:
        """What the header says."""
        header = read_header(target)
        return header.data.get("plan_sha256") if header else None

    def _header(self, outcome: RunOutcome) -> RunHeader:
        states = [each.content for each in outcome.accounts]
        return RunHeader(
            signature=self.job.signature,
            data={
                "name": self.given.name,
                "pairs": sum(each.n_items for each in outcome.accounts),
                "pairs_hash": merged_content(states).hexdigest() if self.job.is_hashed else None,
                "input_digest": self.given.survey.digest,
                "plan_sha256": plan_digest(self.job, self.given),
            },
            started=outcome.plan.started,
            cost=run_cost(outcome, "pairs"),
        )


def _account(
    signature: Signature, outcome: RunOutcome | None, given: PairInput, output: str
) -> JudgeAccount:
    if outcome is None:
        header = read_header(output)
        n = int(header.data["pairs"]) if header else 0
        before = RunAccount(n_items=n, n_rows=n, n_resumed=n, seconds=0.0, is_finished_before=True)
        return JudgeAccount(signature=signature, **_values(before))
    made = run_account(outcome)
    is_whole = is_folder(output) and 0 < made.n_items == made.n_resumed
    findings = (*made.findings, *_wholes(outcome, given))
    made = replace(made, findings=findings, is_finished_before=is_whole)
    return JudgeAccount(signature=signature, **_values(made))


def _values(account: RunAccount) -> dict[str, Any]:
    return {each.name: getattr(account, each.name) for each in fields(account)}


def _wholes(outcome: RunOutcome, given: PairInput) -> list[Finding]:
    """What is wrong with the pairs as a whole."""
    found = []
    doubled = n_doubled(outcome.accounts) if not outcome.n_resumed else 0
    if doubled:
        found.append(
            Finding(
                "duplicate-id",
                Severity.WARNING,
                f"{doubled:,} pairs have the id of an earlier pair; such a run cannot be"
                " evaluated, and 'ensue data audit' says which they are",
                place=given.name,
            )
        )
    return found
