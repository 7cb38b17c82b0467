"""The job of `ensue judge`: pairs of any source judged shard by shard, as a run."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from ensue.engine import (
    Counts,
    Input,
    Job,
    OnSnapshot,
    RunAccount,
    RunOptions,
    Shard,
    ShardSizes,
    is_folder,
    n_doubled,
    now,
    plan_digest,
    run_cost,
    run_to_output,
)
from ensue.errors import EngineError
from ensue.features import pair_input, pairs_of, set_keywords
from ensue.files import Finding, OnFinding, Severity, check_outside, is_file
from ensue.pairs import (
    Label,
    Pair,
    PairHash,
    ReadKeywords,
    RunFormat,
    RunHeader,
    Signature,
    Status,
    Verdict,
    check_replaced_run,
    header_line,
    read_header,
    verdict_bytes,
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
class JudgeJob(Job):
    """Judge pairs with a recognizer."""

    recognizer: str
    """Its name or directory, as on the command line."""
    settings: SettingItems
    signature: Signature
    """The driver's; every worker's has to be the same."""
    format: RunFormat = RunFormat.JSONL
    reading: ReadKeywords = field(default_factory=ReadKeywords, hash=False)
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
            "reading": set_keywords(self.reading),
        }

    @property
    def suffix(self) -> str:
        """By the format."""
        return f".{self.format.value}"

    def load(self) -> Recognizer:
        """Load the recognizer."""
        recognizer = self.made()
        if recognizer.signature != self.signature:
            raise EngineError(
                "worker-another-recognizer-not",
                f"a worker has another recognizer: {recognizer.signature}, not {self.signature}",
                hint="install the same version everywhere, and put trained recognizers where"
                " every worker sees them",
            )
        return recognizer

    def made(self) -> Recognizer:
        """What judges, in the process that is to do so."""
        return load(self.recognizer, dict(self.settings))

    def items(self, shard: Shard, on_finding: OnFinding) -> Sequence[Pair]:
        """Its pairs."""
        return pairs_of(shard, self.reading, on_finding)

    def do(self, loaded: Recognizer, items: Sequence[Pair]) -> Sequence[Verdict]:
        """Their verdicts."""
        verdicts = loaded.judge(items)
        if [verdict.pair_id for verdict in verdicts] != [pair.id for pair in items]:
            raise EngineError(
                "not-give-each-pair", f"{self.signature} does not give each pair its verdict"
            )
        return verdicts

    def failed(self, item: Pair, reason: str) -> Verdict:
        """A verdict without a decision."""
        return Verdict(item.id, None, status=Status.FAILED, reason=reason)

    def key(self, item: Pair) -> str:
        """The id."""
        return item.id

    def write(self, results: Sequence[Verdict]) -> bytes:
        """The lines, or the table, of a run."""
        return verdict_bytes(results, self.format)

    def counts(self, results: Sequence[Verdict]) -> Counts:
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

    def summary(
        self,
        loaded: Recognizer,  # noqa: ARG002
        items: Sequence[Pair],
        results: Sequence[Verdict],  # noqa: ARG002
    ) -> Any:
        """The hash of the pairs, where it is wanted."""
        return pairs_content(items) if self.is_hashed else None

    def figures(self) -> Mapping[str, int]:
        """Texts analyzed, and found analyzed; nothing where no recognizer analyzes."""
        # importing it would take half of the time that a worker takes to start
        analysis = sys.modules.get("ensue.language.analysis_cache")
        return dict(analysis.analysis_counts()) if analysis else {}

    def head(self, given: Input, account: RunAccount | None) -> bytes:
        """The header line; before the run it can say neither the hash of the pairs nor the cost."""
        if self.format is not RunFormat.JSONL:
            return b""
        if account is None:
            header = RunHeader(self.signature, {"name": given.name}, now())
        else:
            header = self._header(given, account)
        return header_line(header).encode()

    def facts(self, given: Input, account: RunAccount) -> Mapping[str, Any]:
        """The header, and verdicts by status and label."""
        counts = account.last.counts
        return {
            "kind": "verdicts",
            **self._header(given, account).to_json(),
            "statuses": dict(counts.get("status", {})),
            "labels": dict(counts.get("label", {})),
        }

    def finished(self, target: str, plan: str) -> int | None:
        """What the header says."""
        header = read_header(target)
        is_same = header is not None and header.data.get("plan_sha256") == plan
        return int(header.data["pairs"]) if header and is_same else None

    def check_target(self, target: str, plan: str) -> None:
        """Another run is not replaced."""
        check_replaced_run(target, lambda header: header.data.get("plan_sha256") == plan)

    def _header(self, given: Input, account: RunAccount) -> RunHeader:
        states = [each.summary for each in account.shards]
        return RunHeader(
            signature=self.signature,
            data={
                "name": given.name,
                "pairs": sum(each.n_items for each in account.shards),
                "pairs_hash": merged_content(states).hexdigest() if self.is_hashed else None,
                "input_digest": given.record["digest"],
                "plan_sha256": plan_digest(self, given),
            },
            started=account.plan.started,
            cost=run_cost(account, "pairs"),
        )


def _times(kinds: Iterable[StrEnum], found: Sequence[StrEnum | None]) -> dict[str, int]:
    """How often each kind occurs; `list.count` is many times as quick as counting enums one by one."""
    times = ((kind.value, found.count(kind)) for kind in kinds)
    return {name: n for name, n in times if n}


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


# Judge the pairs of any source and record the run: what `ensue judge` calls.


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAccount(RunAccount):
    """What judging came to."""

    signature: Signature
    doubled: Finding | None = None
    """That pairs share an id, where they do."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What workers found when they read, and what is wrong with the pairs as a whole."""
        # without arguments, super() does not find its class where slots make it anew
        found = tuple(dict.fromkeys(super(JudgeAccount, self).findings))  # shards may find the same
        return found if self.doubled is None else (*found, self.doubled)

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
    options: RunOptions | None = None,
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
        options: Engine and workers, and whether to resume or to restart.
        batch_size: Pairs judged at a time.
        on_finding: Called with each finding of this process; workers' are in the account.
        on_snapshot: Called with a `Snapshot` every two seconds.
        on_survey: Called with how many more bytes were looked through before the run begins.

    Raises:
        DataError: the pairs cannot be read.
        RunError: the unfinished run was begun with other settings, pairs or reading.
        OutputError: another process writes this run, or there is one, and neither to resume nor
            to restart was asked.
        EngineError: workers cannot be had, or do not live.
    """
    check_outside(output, source)
    loaded = loaded_by_name(recognizer, settings or {})
    job = JudgeJob(
        absolute_name(recognizer),
        tuple((settings or {}).items()),
        loaded.signature,
        reading={**(reading or ReadKeywords()), "needs_gold": False},
        batch_size=batch_size,
    )
    return run_job(
        job,
        loaded,
        source,
        output,
        format=format,
        options=options,
        on_finding=on_finding,
        on_snapshot=on_snapshot,
        on_survey=on_survey,
    )


def run_job(
    job: JudgeJob,
    loaded: Recognizer,
    source: str,
    output: str,
    *,
    format: RunFormat | None,
    options: RunOptions | None,
    on_finding: Callable[[Finding], None],
    on_snapshot: OnSnapshot | None,
    on_survey: Callable[[int], None] | None,
) -> JudgeAccount:
    """Do a job of judging with what was loaded for it here; the rest is as in `judge_source`."""
    given = pair_input(source, job.reading, on_finding=on_finding, progress=on_survey)
    job = replace(
        job,
        format=format or run_format(output),
        is_hashed=given.n_estimated <= HASHED,
    )
    account = run_to_output(
        job,
        given,
        output,
        options or RunOptions(),
        what=f"{given.name} with {job.signature.recognizer}",
        loaded=loaded,
        on_snapshot=on_snapshot,
    )
    values = {each.name: getattr(account, each.name) for each in fields(account)}
    return JudgeAccount(**values, signature=job.signature, doubled=_doubled_ids(account, given))


def absolute_name(recognizer: str) -> str:
    """A recognizer's name or directory as workers find it, which may have another directory."""
    is_stored = is_file(Path(recognizer) / RECORD)
    return str(Path(recognizer).absolute()) if is_stored else recognizer


def loaded_by_name(recognizer: str, settings: Mapping[str, object]) -> Recognizer:
    """A recognizer that is loaded, and asked what is obvious, here.

    Raises:
        EnsueError: there is no such recognizer, a setting makes no sense, or it answers obvious
            pairs as if its labels were mixed up.
    """
    with redirect_stdout(sys.stderr):  # whatever a function prints is no data
        loaded = load(absolute_name(recognizer), settings)
        if isinstance(loaded, Guarded):
            loaded.check()  # before an unfinished run is left behind
    return loaded


def run_format(output: str) -> RunFormat:
    """How verdicts are written where nobody says."""
    return RunFormat.PARQUET if is_folder(output) else RunFormat.JSONL


def _doubled_ids(account: RunAccount, given: Input) -> Finding | None:
    """The finding that pairs share an id; None where all differ, or a part was judged before."""
    doubled = n_doubled(account.shards) if not account.n_resumed else 0
    if not doubled:
        return None
    return Finding(
        "duplicate-id",
        Severity.WARNING,
        f"{doubled:,} pairs have the id of an earlier pair; such a run cannot be"
        " evaluated, and 'ensue data audit' says which they are",
        place=given.name,
    )
