"""A workbench with a long leaderboard, for the benchmarks of the web.

People, teams, data sets and the challenges are made as anybody makes them. Of the runs, all but the
last are put into the database as scored: which pairs are right, the measures and the tasks are
computed of each, and only the intervals are not, since a thousand bootstraps take half an hour; they
are as wide as those of the first run. The last one is handed in, so that the board is made by the
code that makes every board.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select

from benchmarks.timing import sentences
from ensue.evaluation import Judged, Measure, by_task, evaluate, find_measures
from ensue.pairs import Label, Pair, Run, Verdict
from ensue.workbench import Person, Role, Workbench, open_workbench
from ensue.workbench.accounts import new_person
from ensue.workbench.challenges import MEASURES, Rules, make_challenge
from ensue.workbench.database import models, now
from ensue.workbench.datasets import new_dataset
from ensue.workbench.submissions import invite, join, submit
from ensue.workbench.uploads import Upload
from ensue.workbench.workbench import default_url

TASKS = ("CD", "IE", "IR", "MT", "PP", "QA", "RC")
RUNS_A_TEAM = 2
"""As in PASCAL."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A workbench with a challenge of many runs, one of none, and those who look at them."""

    workbench: Workbench
    organizer: Person
    participant: Person
    """Of the last team in the long challenge, of the only one in the other."""
    long: int
    """The challenge with many runs."""
    empty: int
    gold: list[Pair] = field(repr=False)
    next_run: int
    """A seed that no run was made with."""


def filled(folder: Path, *, n_runs: int, n_pairs: int) -> Filled:
    """Make it in a folder."""
    workbench = open_workbench(default_url(folder))
    gold = made_pairs(n_pairs)
    with workbench.database.writing() as session:
        organizer = new_person(session, "organizer", Role.ORGANIZER, None)
        people = [
            new_person(session, f"person-{i}", Role.PARTICIPANT, None)
            for i in range(n_runs // RUNS_A_TEAM)
        ]
        data = (
            new_dataset(session, organizer, "development", _apart(gold[:100])).id,
            new_dataset(session, organizer, "test", gold).id,
        )
    long, empty = (
        make_challenge(workbench, organizer, _rules(name, data)) for name in ("long", "empty")
    )
    for i, person in enumerate(people):
        join(workbench, person, invite(workbench, organizer, long), f"Team {i}")
    join(workbench, people[-1], invite(workbench, organizer, empty), "Alone")
    _put_scored_runs(workbench, long, gold, n_runs - 1)
    hand_in(workbench, people[-1], long, gold, n_runs - 1)
    return Filled(workbench, organizer, people[-1], long, empty, gold, n_runs)


def made_pairs(n: int) -> list[Pair]:
    """Pairs of real sentences, half of them entailments by decree."""
    outputs, references, _ = sentences()
    return [
        Pair(
            id=f"pair-{i:05d}",
            text=references[i % len(references)],
            hypothesis=outputs[i % len(outputs)],
            gold=Label.ENTAILMENT if i % 2 else Label.NOT_ENTAILMENT,
            task=TASKS[i % len(TASKS)],
        )
        for i in range(n)
    ]


def _apart(pairs: Sequence[Pair]) -> list[Pair]:
    """Pairs that are not among the test data, whose gold would be given out with them."""
    return [replace(pair, text=f"{pair.text} So it was said.") for pair in pairs]


def made_run(gold: Sequence[Pair], seed: int) -> Run:
    """A run that is right on 55 to 65 % of the pairs, on more of those that it is sure of."""
    confidence, right = _drawn(len(gold), seed)
    verdicts = [
        Verdict(
            pair.id,
            Label.ENTAILMENT
            if (pair.gold is Label.ENTAILMENT) == is_right
            else Label.NOT_ENTAILMENT,
            score=sure,
            confidence=sure,
        )
        for pair, sure, is_right in zip(gold, confidence.tolist(), right.tolist(), strict=True)
    ]
    return Run(f"run {seed}", tuple(verdicts))


def _drawn(n: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """How sure a run is of each pair, and whether it is right."""
    rng = np.random.default_rng(seed)
    confidence = rng.random(n).round(4)
    return confidence, rng.random(n) < 0.5 + rng.uniform(0.1, 0.3) * confidence


def run_lines(run: Run) -> bytes:
    """The run as it is handed in."""
    return b"".join(
        b'{"pair_id":"%b","label":"%b","score":%b,"confidence":%b}\n'
        % (
            each.pair_id.encode(),
            (each.label or Label.ENTAILMENT).value.encode(),
            str(each.score).encode(),
            str(each.confidence).encode(),
        )
        for each in run.verdicts
    )


def hand_in(
    workbench: Workbench, person: Person, challenge: int, gold: Sequence[Pair], seed: int
) -> int:
    """Hand a run in as its team does, and give its number."""
    content = io.BytesIO(run_lines(made_run(gold, seed)))
    return submit(workbench, person, challenge, f"run {seed}", Upload("run.jsonl", content)).id


def _rules(name: str, data: tuple[int, int]) -> Rules:
    return Rules(
        name=name,
        development_id=data[0],
        test_id=data[1],
        opens=now() - timedelta(days=1),
        closes=now() + timedelta(days=1),
        description="Does it follow?",
        runs_allowed=1000,
    )


def _put_scored_runs(workbench: Workbench, challenge: int, gold: Sequence[Pair], n: int) -> None:
    scored = _Scored(gold)
    with workbench.database.writing() as session:
        query = (
            select(models.Member.team_id, models.Member.user_id)
            .where(models.Member.challenge_id == challenge)
            .order_by(models.Member.team_id)
        )
        members = session.execute(query).all()
        for i in range(n):
            team_id, user_id = members[i // RUNS_A_TEAM]
            row = models.Submission(
                challenge_id=challenge,
                team_id=team_id,
                user_id=user_id,
                number=1 + i % RUNS_A_TEAM,
                name=f"run {i}",
                state="scored",
                digest=f"{i:064x}",
                **scored.columns(i),
            )
            session.add(row)


class _Scored:
    """What the database has of scored runs, computed without a bootstrap for each."""

    def __init__(self, gold: Sequence[Pair]) -> None:
        run = made_run(gold, 0)
        evaluation = evaluate(gold, [run], measures=MEASURES)
        self._judged = evaluation.runs[0].judged
        self._estimates = evaluation.runs[0].scores.measures
        self._measures = find_measures(MEASURES)
        self._content = zlib.compress(run_lines(run), 6)

    def columns(self, seed: int) -> dict[str, Any]:
        """Of the run that is made with a seed; its bytes are those of the first."""
        confidence, right = _drawn(len(self._judged.gold), seed)
        answer = np.where(right, self._judged.gold, 1 - self._judged.gold)
        judged = replace(self._judged, answer=answer, confidence=confidence, score=confidence)
        tasks = {task: self._measures[0](part) for task, part in by_task(judged).items()}
        scores = {
            "measures": {each.name: self._number(each, judged) for each in self._measures},
            "tasks": tasks,
            "answered": judged.n_answered,
            "pairs": judged.n_pairs,
        }
        return {
            "scores": scores,
            "right": np.packbits(right).tobytes(),
            "content": self._content,
        }

    def _number(self, measure: Measure, judged: Judged) -> dict[str, float | str | None]:
        value, first = measure(judged), self._estimates[measure.name]
        assert value is not None
        assert first.value is not None
        assert first.low is not None
        assert first.high is not None
        shift = value - first.value
        return {
            "value": value,
            "low": first.low + shift,
            "high": first.high + shift,
            "reason": None,
        }
