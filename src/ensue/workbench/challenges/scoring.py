"""Scoring submissions: once each, whoever dies on the way."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import or_, select
from sqlalchemy.orm import Session, undefer

from ensue.errors import EnsueError
from ensue.evaluation import Evaluation, evaluate
from ensue.pairs import Pair, Run
from ensue.workbench.challenges.boards import ScoredRun, board_of
from ensue.workbench.challenges.making import held
from ensue.workbench.database import models, now
from ensue.workbench.datasets.runs import unpacked_run
from ensue.workbench.datasets.storing import kept_pairs
from ensue.workbench.workbench import Workbench

WAITING, SCORED, FAILED, WITHDRAWN = "waiting", "scored", "failed", "withdrawn"
_LEASE = timedelta(minutes=10)
"""How long whoever took a submission to score it has, before another does."""
_ATTEMPTS = 3


def scores_of(evaluation: Evaluation, measures: Sequence[str]) -> dict[str, Any]:
    """What is kept of an evaluation: measures with intervals, and the first one by task."""
    (run,) = evaluation.runs
    found = {
        name: {"value": each.value, "low": each.low, "high": each.high, "reason": each.reason}
        for name, each in run.scores.measures.items()
        if name in measures
    }
    tasks = {task: each.measures[measures[0]].value for task, each in run.by_task.items()}
    counts = run.scores.counts
    return {
        "measures": found,
        "tasks": tasks if len(tasks) > 1 else {},
        "answered": counts.n_answered,
        "pairs": counts.n_pairs,
    }


def measured(
    gold: Sequence[Pair], run: Run, measures: Sequence[str]
) -> tuple[dict[str, Any], NDArray[np.bool_]]:
    """The scores of a run, and which pairs of the gold are right.

    Raises:
        EnsueError: as `evaluate`.
    """
    evaluation = evaluate(gold, [run], by_task=True, measures=list(measures))
    judged = evaluation.runs[0].judged
    return scores_of(evaluation, measures), np.asarray(judged.right, np.bool_)


def score(workbench: Workbench, submission_id: int) -> bool:
    """Score a submission that waits, if nobody else is at it; False where there is nothing to do."""
    with workbench.database.writing() as session:
        row = _claimed(session, submission_id)
        if row is None:
            return False
        challenge = session.get_one(models.Challenge, row.challenge_id)
        measures, test_id, challenge_id = challenge.measures, challenge.test_id, challenge.id
        content = row.content
    try:
        with workbench.database.reading() as session:
            gold = list(kept_pairs(session, test_id))
        scores, right = measured(gold, unpacked_run(content, "run"), measures)
    except EnsueError as error:
        _settle(workbench, challenge_id, submission_id, reason=error.message)
        return True
    _settle(workbench, challenge_id, submission_id, scores=scores, right=right)
    return True


def _claimed(session: Session, submission_id: int) -> models.Submission | None:
    stale = now() - _LEASE
    row = session.scalar(
        select(models.Submission)
        .where(
            models.Submission.id == submission_id,
            models.Submission.state == WAITING,
            or_(models.Submission.claimed.is_(None), models.Submission.claimed < stale),
        )
        .options(undefer(models.Submission.content))
        .with_for_update()
    )
    if row is None:
        return None
    row.attempts += 1
    row.claimed = now()
    if row.attempts > _ATTEMPTS:
        row.state, row.reason = FAILED, "whoever scored it was ended each time"
        return None
    return row


def _settle(
    workbench: Workbench,
    challenge_id: int,
    submission_id: int,
    *,
    scores: dict[str, Any] | None = None,
    right: NDArray[np.bool_] | None = None,
    reason: str | None = None,
) -> None:
    """Keep the scores, with the board that they make, in one transaction."""
    with workbench.database.writing() as session:
        challenge = held(session, challenge_id)
        row = session.get_one(models.Submission, submission_id)
        if row.state != WAITING:  # it was withdrawn meanwhile, or somebody else was quicker
            return
        row.state, row.reason = (SCORED, None) if reason is None else (FAILED, reason)
        row.scores, row.claimed = scores, None
        row.right = None if right is None else np.packbits(right).tobytes()
        session.flush()
        renew_board(session, challenge)


def renew_board(session: Session, challenge: models.Challenge) -> None:
    """Rank what is scored, in the transaction that changes it; a published board stays."""
    if challenge.published is not None:
        return
    n_pairs = session.get_one(models.DataSet, challenge.test_id).n_pairs
    query = (
        select(models.Submission, models.Team.name)
        .join(models.Team, models.Submission.team_id == models.Team.id)
        .where(models.Submission.challenge_id == challenge.id, models.Submission.state == SCORED)
        .options(undefer(models.Submission.right))
    )
    runs = [
        ScoredRun(
            id=row.id,
            team=team,
            name=row.name,
            created=row.created.isoformat(timespec="seconds"),
            scores=row.scores or {},
            right=_bits(row.right, n_pairs),
        )
        for row, team in session.execute(query)
    ]
    challenge.board = board_of(runs, challenge.measures).to_json()
    challenge.version += 1


def _bits(packed: bytes | None, n: int) -> NDArray[np.bool_]:
    return np.unpackbits(np.frombuffer(packed or b"", np.uint8), count=n).astype(np.bool_)


def waiting(workbench: Workbench) -> list[int]:
    """Submissions that wait, the first ones first."""
    stale = now() - _LEASE
    query = (
        select(models.Submission.id)
        .where(
            models.Submission.state == WAITING,
            or_(models.Submission.claimed.is_(None), models.Submission.claimed < stale),
        )
        .order_by(models.Submission.id)
    )
    with workbench.database.reading() as session:
        return list(session.scalars(query))


def free_claims(workbench: Workbench) -> None:
    """Let go of what a process of this workbench had taken that is no more."""
    with workbench.database.writing() as session:
        rows = session.scalars(
            select(models.Submission).where(
                models.Submission.state == WAITING, models.Submission.claimed.is_not(None)
            )
        )
        for row in rows:
            row.claimed = None


class Worker:
    """A thread that scores what waits, from its start to its end."""

    def __init__(self, workbench: Workbench, *, every: float = 2.0) -> None:
        self._workbench, self._every = workbench, every
        self._told = threading.Event()
        self._is_ended = False
        self._thread = threading.Thread(target=self._run, name="scoring", daemon=True)

    def start(self) -> None:
        """Begin; what was waiting when the last server ended comes first."""
        self._thread.start()

    def tell(self) -> None:
        """Say that something waits."""
        self._told.set()

    def end(self) -> None:
        """Finish what is being scored, and end."""
        self._is_ended = True
        self._told.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_ended:
            try:
                for each in waiting(self._workbench):
                    if self._is_ended:
                        return
                    score(self._workbench, each)
            except EnsueError:
                pass  # the database does not answer, as every page says; it may do so later
            self._told.wait(self._every)
            self._told.clear()
