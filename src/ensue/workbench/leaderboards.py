"""Scores of submissions, computed once each, and the leaderboards made of them."""

from __future__ import annotations

import logging
import threading
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from ensue.errors import EnsueError
from ensue.evaluation import RunEvaluation, by_task, evaluate, find_measures
from ensue.pairs import Pair, Run, View
from ensue.statistics import cluster_spans, differing
from ensue.workbench.accounts import note
from ensue.workbench.database import models
from ensue.workbench.database.models import now
from ensue.workbench.datasets import kept_pairs
from ensue.workbench.runs import unpacked_run
from ensue.workbench.workbench import Workbench

# Leaderboards: runs by rank, equal results sharing one, and clusters of runs that do not
# differ.


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A run with its scores, before it is ranked."""

    id: int
    team: str
    name: str
    created: str
    scores: Mapping[str, Any] = field(hash=False)
    """As `scores_of` gives them."""
    right: NDArray[np.bool_] = field(hash=False, repr=False)

    def key(self, measures: Sequence[str]) -> tuple[float, ...]:
        """What it is ranked by, the larger the better; what is undefined is last."""
        values = (self.scores["measures"].get(name, {}).get("value") for name in measures)
        return tuple(-np.inf if value is None else value for value in values)


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """A run on the board."""

    rank: int
    id: int
    team: str
    name: str
    created: str
    measures: Mapping[str, Mapping[str, Any]] = field(hash=False)
    """By name: value, low, high."""
    tasks: Mapping[str, float | None] = field(hash=False)
    """The first measure by task."""
    clusters: tuple[int, ...]
    """Numbers of the clusters that it is in, the best first, from 1; they follow each other."""


@dataclass(frozen=True, slots=True)
class Board:
    """Runs by rank."""

    measures: tuple[str, ...]
    tasks: tuple[str, ...]
    entries: tuple[BoardEntry, ...]

    def to_json(self) -> dict[str, Any]:
        """What is kept of it."""
        names = [each.name for each in fields(BoardEntry)]
        entries = [{name: getattr(each, name) for name in names} for each in self.entries]
        for each in entries:
            each["clusters"] = each["clusters"][:1] + each["clusters"][-1:]
        return {"measures": self.measures, "tasks": self.tasks, "entries": entries}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Board:
        """The inverse of `to_json`."""
        entries = tuple(
            BoardEntry(**{**each, "clusters": _between(*each["clusters"])})
            for each in record["entries"]
        )
        return cls(tuple(record["measures"]), tuple(record["tasks"]), entries)


def _between(first: int, last: int) -> tuple[int, ...]:
    return tuple(range(first, last + 1))


def board_of(runs: Sequence[ScoredRun], measures: Sequence[str]) -> Board:
    """Rank runs by the first measure, equal ones by the next; those equal in all share a rank.

    Clusters are maximal stretches of the ranking no two runs of which differ: exact McNemar with
    Holm's correction over every two runs, at 0.05.
    """
    keys = {run.id: run.key(measures) for run in runs}
    ordered = sorted(runs, key=lambda run: run.id)
    ordered.sort(key=lambda run: keys[run.id], reverse=True)
    spans: list[tuple[int, int]] = []
    if ordered:
        spans = cluster_spans(differing(np.stack([run.right for run in ordered])))
    tasks = sorted({task for run in ordered for task in run.scores["tasks"]})
    firsts, lasts = [first for first, _ in spans], [last for _, last in spans]
    entries, rank = [], 0
    for place, run in enumerate(ordered):
        if place == 0 or keys[run.id] != keys[ordered[place - 1].id]:
            rank = place + 1
        entries.append(
            BoardEntry(
                rank=rank,
                id=run.id,
                team=run.team,
                name=run.name,
                created=run.created,
                measures={name: run.scores["measures"].get(name, {}) for name in measures},
                tasks={task: run.scores["tasks"].get(task) for task in tasks},
                clusters=tuple(
                    range(bisect_right(lasts, place) + 1, bisect_right(firsts, place) + 1)
                ),
            )
        )
    return Board(tuple(measures), tuple(tasks), tuple(entries))


# Scoring submissions: once each, whoever dies on the way.

WAITING, SCORED, FAILED, WITHDRAWN = "waiting", "scored", "failed", "withdrawn"
ATTEMPTS = 10
"""How often it is tried to score a submission: one that ends the server each time is given up, and
one that was merely there when servers were ended is not."""
DIGITS = 4
"""Of every number that is told: a number to sixteen digits, of verdicts in an order of one's own
choice, would tell fifty of them apart."""
_FEWEST = 5
"""Pairs of a task that a run answers, for the task to have a number: fewer would tell gold."""
_FEW, _SHARE = 30, 10
"""A run answers so many pairs, and one of so many: what is told of a handful of chosen ones, in an
order of one's own choice, would tell them all."""
_AT_ONCE = threading.BoundedSemaphore(4)
"""Runs that are scored at once: each holds a connection meanwhile, and needs another one."""
_LOG = logging.getLogger(__name__)


def scores_of(run: RunEvaluation, measures: Sequence[str]) -> dict[str, Any]:
    """What is kept of an evaluation: measures with intervals, and the first one by task; rounded.

    It is all that a team learns of hidden gold, so that nothing in it may tell pairs apart.
    """
    found = {
        name: {
            "value": _told(each.value),
            "low": _told(each.low),
            "high": _told(each.high),
            "reason": each.reason,
        }
        for name, each in run.scores.measures.items()
        if name in measures
    }
    (first,) = find_measures(measures[:1])
    tasks = {
        task: _told(first(part))
        for task, part in by_task(run.judged).items()
        if part.n_answered >= _FEWEST
    }
    counts = run.scores.counts
    return {
        "measures": found,
        "tasks": tasks if len(tasks) > 1 else {},
        "answered": counts.n_answered,
        "pairs": counts.n_pairs,
    }


def least_answered(n_pairs: int) -> int:
    """How many pairs of so many a run has to answer.

    >>> least_answered(800), least_answered(100), least_answered(20)
    (80, 30, 20)
    """
    return min(n_pairs, max(_FEW, -(-n_pairs // _SHARE)))


def _told(number: float | None) -> float | None:
    return None if number is None else round(number, DIGITS)


def measured(
    gold: Sequence[Pair], run: Run, measures: Sequence[str], view: View | None = None
) -> tuple[dict[str, Any], NDArray[np.bool_]]:
    """The scores of a run, and which pairs of the gold are right.

    Runs of one board are compared in one view, whatever labels each has.

    Raises:
        EnsueError: as `evaluate`.
    """
    # not by task, which would draw intervals that no board shows, for as long again
    (found,) = evaluate(gold, [run], measures=list(measures), view=view).runs
    return scores_of(found, measures), np.asarray(found.judged.right, np.bool_)


def score(workbench: Workbench, submission_id: int) -> bool:
    """Score a submission that waits, if nobody else is at it; False where there is nothing to do.

    Whoever scores it holds its number meanwhile, and lets it go when they die: servers over one
    database do not score a run twice, and need not wait for one that was killed.

    Raises:
        StorageError: the database does not answer; the submission still waits then.
    """
    with _AT_ONCE, workbench.database.holding(submission_id) as is_free:
        return is_free and _scored(workbench, submission_id)


def _scored(workbench: Workbench, submission_id: int) -> bool:
    with workbench.database.writing() as session:
        row = _begun(session, submission_id)
        if row is None:
            return False
        challenge = session.get_one(models.Challenge, row.challenge_id)
        measures, test_id, challenge_id = challenge.measures, challenge.test_id, challenge.id
        view = View(challenge.view)
        content = row.content
    with workbench.database.reading() as session:
        gold = list(kept_pairs(session, test_id))
    try:
        scores, right = measured(gold, unpacked_run(content, "run"), measures, view)
    except EnsueError as error:
        _settle(workbench, challenge_id, submission_id, reason=error.message)
        return True
    _settle(workbench, challenge_id, submission_id, scores=scores, right=right)
    return True


def _begun(session: Session, submission_id: int) -> models.Submission | None:
    row = session.scalar(
        select(models.Submission)
        .where(models.Submission.id == submission_id, models.Submission.state == WAITING)
        .options(undefer(models.Submission.content))
        .with_for_update()
    )
    if row is None:
        return None
    row.attempts += 1
    row.claimed = now()
    if row.attempts > ATTEMPTS:
        row.state, row.reason = FAILED, "whoever scored it was ended each time"
        note(session, None, "submission.score", f"submission {row.id}", state=row.state)
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
        challenge = models.held(session, models.Challenge, challenge_id)
        row = session.get_one(models.Submission, submission_id)
        if row.state != WAITING:  # it was withdrawn meanwhile, or somebody else was quicker
            return
        row.state, row.reason = (SCORED, None) if reason is None else (FAILED, reason)
        row.scores, row.claimed = scores, None
        row.right = None if right is None else np.packbits(right).tobytes()
        note(session, None, "submission.score", f"submission {row.id}", state=row.state)
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
    query = (
        select(models.Submission.id)
        .where(models.Submission.state == WAITING)
        .order_by(models.Submission.id)
    )
    with workbench.database.reading() as session:
        return list(session.scalars(query))


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
            self._score_all()
            self._told.wait(self._every)
            self._told.clear()

    def _score_all(self) -> None:
        try:
            found = waiting(self._workbench)
        except EnsueError:
            return  # the database does not answer, as every page says; it may do so later
        for each in found:
            if self._is_ended:
                return
            try:
                score(self._workbench, each)
            except EnsueError:
                return
            except Exception:  # a bug, which must not keep other runs waiting for good
                _LOG.exception("submission %d could not be scored", each)
