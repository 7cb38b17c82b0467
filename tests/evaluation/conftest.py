"""Small runs written as letters: Y yes, N no, E C U the 3-way labels, - abstained, . missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from ensue.evaluation import Judged, line_up
from ensue.pairs import Label, Pair, Run, Status, Verdict

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
