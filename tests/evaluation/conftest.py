"""Small runs written as letters: Y yes, N no, E C U the 3-way labels, - abstained, . missing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ensue.evaluation import Judged, line_up
from ensue.pairs import Label, Pair, Run, RunHeader, Signature, Status, Verdict

LETTERS = {
    "Y": Label.ENTAILMENT,
    "N": Label.NOT_ENTAILMENT,
    "E": Label.ENTAILMENT,
    "C": Label.CONTRADICTION,
    "U": Label.UNKNOWN,
}
UNDECIDED = {"-": Status.ABSTAINED, "$": Status.BUDGET_EXHAUSTED, "!": Status.FAILED}

MakePairs = Callable[..., list[Pair]]
MakeRun = Callable[..., Run]
MakeJudged = Callable[..., Judged]
WriteFolder = Callable[..., Path]

TEXTS = ("pair_id", "label", "status", "reason")


def _pairs(gold: str, tasks: Sequence[str | None] | None = None) -> list[Pair]:
    return [
        Pair(str(i), f"text {i}", f"hypothesis {i}", LETTERS.get(letter), tasks and tasks[i])
        for i, letter in enumerate(gold)
    ]


def _run(
    answers: str,
    confidence: Sequence[float | None] | None = None,
    score: Sequence[float | None] | None = None,
    *,
    name: str = "run",
    ranked: bool = False,
) -> Run:
    verdicts = [
        Verdict(
            str(i),
            LETTERS.get(letter),
            score=score[i] if score is not None else None,
            confidence=confidence[i] if confidence is not None else None,
            status=UNDECIDED.get(letter, Status.DECIDED),
        )
        for i, letter in enumerate(answers)
        if letter != "."
    ]
    return Run(name, tuple(verdicts), ranked=ranked)


@pytest.fixture(scope="session")
def make_pairs() -> MakePairs:
    return _pairs


@pytest.fixture(scope="session")
def make_run() -> MakeRun:
    return _run


@pytest.fixture(scope="session")
def make_judged() -> MakeJudged:
    def judged(
        gold: str,
        answers: str,
        confidence: Sequence[float | None] | None = None,
        score: Sequence[float | None] | None = None,
        *,
        tasks: Sequence[str | None] | None = None,
        ranked: bool = False,
    ) -> Judged:
        run = _run(answers, confidence, score, ranked=ranked)
        return line_up(_pairs(gold, tasks), [run]).judged[0]

    return judged


def _write_folder(
    folder: Path, run: Run, *, shard_size: int = 3, columns: dict[str, list[object]] | None = None
) -> Path:
    """Write a run as `ensue judge -o DIR/` does; `columns` replaces some of its cells."""
    folder.mkdir()
    rows: dict[str, list[object]] = {
        "pair_id": [verdict.pair_id for verdict in run.verdicts],
        "label": [verdict.label and verdict.label.value for verdict in run.verdicts],
        "score": [verdict.score for verdict in run.verdicts],
        "confidence": [verdict.confidence for verdict in run.verdicts],
        "status": [verdict.status.value for verdict in run.verdicts],
        "reason": [verdict.reason for verdict in run.verdicts],
    }
    rows |= columns or {}
    kinds = {name: pa.string() if name in TEXTS else pa.float64() for name in rows}
    shards = []
    for k, start in enumerate(range(0, len(run.verdicts), shard_size)):
        cells = {
            name: pa.array(column[start : start + shard_size], kinds[name])
            for name, column in rows.items()
        }
        file = folder / f"part-{k:06d}.parquet"
        pq.write_table(pa.table(cells), file)
        n_rows = len(cells["pair_id"])
        shards.append({"file": file.name, "rows": n_rows, "bytes": file.stat().st_size})
    header = run.header or RunHeader(Signature("overlap", "0.1.0"))
    about = {"ensue_folder": 1, "kind": "verdicts", "shards": shards, **header.to_json()}
    (folder / "_manifest.json").write_text(json.dumps(about))
    return folder


@pytest.fixture(scope="session")
def write_folder() -> WriteFolder:
    return _write_folder


@pytest.fixture(scope="session")
def few_are_many() -> Callable[[pytest.MonkeyPatch], None]:
    """Make every pair one too many, so that columns are read and strata drawn of few."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        for module in ("gold", "judged_runs"):
            monkeypatch.setattr(f"ensue.evaluation.{module}.LARGE", 0)

    return patch


@pytest.fixture(params=[False, True], ids=["few", "many"])
def many(request: pytest.FixtureRequest, few_are_many, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do everything twice: as it is, and with every pair one too many."""
    if request.param:
        few_are_many(monkeypatch)
