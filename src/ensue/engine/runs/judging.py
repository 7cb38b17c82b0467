"""Judge the pairs of any source and record the run: what `ensue judge` calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import IO, Any

from ensue.engine.delivering import (
    Opening,
    deliver,
    is_folder,
    n_doubled,
    plan_digest,
)
from ensue.engine.inputs import PairInput, survey_pairs
from ensue.engine.jobs.encoding import RunFormat, join_tables, join_texts
from ensue.engine.jobs.judging import (
    BATCH,
    HASHED,
    JudgeJob,
    judge_job,
    load_once,
    merged_content,
)
from ensue.engine.running import OnSnapshot, Outcome, Spread
from ensue.engine.runs.accounts import RunAccount, run_account, run_cost
from ensue.engine.watching import now
from ensue.engine.working import let_go
from ensue.pairs import Finding, RunHeader, Severity, Signature
from ensue.pairs.outputs import check_outside
from ensue.pairs.reading import Reading
from ensue.pairs.runs import header_line, read_header


@dataclass(frozen=True, slots=True, kw_only=True)
class Account(RunAccount):
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
    reading: Reading | None = None,
    format: RunFormat | None = None,
    spread: Spread | None = None,
    batch_size: int = BATCH,
    on_finding: Callable[[Finding], None] = lambda _: None,
    on_snapshot: OnSnapshot | None = None,
    on_survey: Callable[[int], None] | None = None,
) -> Account:
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
    spread = spread or Spread()
    written = format or run_format(output)
    job = judge_job(recognizer, settings or {}, written, reading or Reading(), batch_size)
    given = survey_pairs(source, job.reading, on_finding=on_finding, progress=on_survey)
    job = replace(job, is_hashed=given.n_estimated <= HASHED)
    what = f"{given.name} with {job.signature.recognizer}"
    assembly = _Run(job, given)
    try:
        outcome = deliver(job, given, output, spread, assembly, what=what, on_snapshot=on_snapshot)
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

    def head(self, outcome: Outcome | None) -> bytes:
        """The header line; before the run it can say neither the hash of the pairs nor the cost."""
        if self.job.format is not RunFormat.JSONL:
            return b""
        if outcome is None:
            header = RunHeader(self.job.signature, {"name": self.given.name}, now())
        else:
            header = self._header(outcome)
        return header_line(header).encode()

    def join(self, files: Sequence[Opening], target: IO[bytes]) -> None:
        """One after the other."""
        (join_tables if self.job.format is RunFormat.PARQUET else join_texts)(files, target)

    def facts(self, outcome: Outcome) -> Mapping[str, Any]:
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

    def _header(self, outcome: Outcome) -> RunHeader:
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
    signature: Signature, outcome: Outcome | None, given: PairInput, output: str
) -> Account:
    if outcome is None:
        header = read_header(output)
        n = int(header.data["pairs"]) if header else 0
        before = RunAccount(n_items=n, n_rows=n, n_resumed=n, seconds=0.0, is_finished_before=True)
        return Account(signature=signature, **_values(before))
    made = run_account(outcome)
    is_whole = is_folder(output) and 0 < made.n_items == made.n_resumed
    findings = (*made.findings, *_wholes(outcome, given))
    made = replace(made, findings=findings, is_finished_before=is_whole)
    return Account(signature=signature, **_values(made))


def _values(account: RunAccount) -> dict[str, Any]:
    return {each.name: getattr(account, each.name) for each in fields(account)}


def _wholes(outcome: Outcome, given: PairInput) -> list[Finding]:
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
