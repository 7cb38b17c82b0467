"""Handing runs in: checked line by line, counted, kept before they are scored."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ensue.errors import AccessError, ConflictError, LimitError, NotFoundError
from ensue.pairs import read_run
from ensue.workbench.accounts.auditing import note
from ensue.workbench.accounts.people import Person
from ensue.workbench.challenges.boards import Board
from ensue.workbench.challenges.joining import own_team
from ensue.workbench.challenges.making import State, held, seen, state_of, team_of
from ensue.workbench.challenges.scoring import (
    SCORED,
    WAITING,
    WITHDRAWN,
    renew_board,
    score,
)
from ensue.workbench.database import models
from ensue.workbench.datasets.runs import check_ids
from ensue.workbench.datasets.uploads import Upload, kept
from ensue.workbench.workbench import Workbench


@dataclass(frozen=True, slots=True)
class SubmissionRecord:
    """A run that a team handed in, as the team and the organizer see it."""

    id: int
    team: str
    number: int
    name: str
    by: str
    created: datetime
    state: str
    reason: str | None
    signature: str | None
    scores: dict[str, Any] | None = field(hash=False)


def submit(
    workbench: Workbench, person: Person, challenge_id: int, name: str, upload: Upload
) -> SubmissionRecord:
    """Hand a run in: it is kept, then scored, at once unless it is large.

    Raises:
        NotFoundError: there is no such challenge for them.
        AccessError: they have no team in it.
        ConflictError: it is not open, or the team has handed in the same run before.
        LimitError: the team has no runs left, or the file is too large.
        RunError: a line is wrong; nothing is counted then.
    """
    with kept(upload, workbench.limits) as path:
        run = read_run(path)
        content = path.read_bytes()
        with workbench.database.writing() as session:
            team = own_team(session, person, challenge_id)
            challenge = held(session, challenge_id)
            check_ids(session, challenge.test_id, run, upload.shown)
            row = _new(session, challenge, team, person, content)
            row.name = (name.strip() or upload.shown)[:120]
            row.signature = str(run.header.signature) if run.header else None
            session.flush()
            note(session, person, "submission.add", f"submission {row.id}", team=team.id)
            submission_id = row.id
    if len(run.verdicts) <= workbench.limits.at_once:
        score(workbench, submission_id)
    with workbench.database.reading() as session:
        return _record(session, session.get_one(models.Submission, submission_id))


def _new(
    session: Session,
    challenge: models.Challenge,
    team: models.Team,
    person: Person,
    content: bytes,
) -> models.Submission:
    if state_of(challenge) is not State.OPEN:
        raise ConflictError(f"the challenge is {state_of(challenge).value}")
    of_team = models.Submission.team_id == team.id
    n_runs = session.scalar(select(func.count()).where(of_team)) or 0
    if n_runs >= challenge.runs_allowed:
        raise LimitError(
            f"your team has handed in {n_runs} of {challenge.runs_allowed} runs",
            hint="runs that were withdrawn count, too",
        )
    digest = sha256(content).hexdigest()
    same = session.scalar(
        select(models.Submission.number).where(of_team, models.Submission.digest == digest)
    )
    if same is not None:
        raise ConflictError(f"this is your run {same} again", hint="it was not counted")
    row = models.Submission(
        challenge_id=challenge.id,
        team_id=team.id,
        user_id=person.id,
        number=n_runs + 1,
        name="",
        digest=digest,
        state=WAITING,
        content=zlib.compress(content, 6),
    )
    session.add(row)
    return row


def withdraw(workbench: Workbench, person: Person, submission_id: int) -> None:
    """Take a run off the board, which is ranked anew; it still counts.

    Raises:
        NotFoundError: there is no such run for them.
        AccessError: it is another team's.
        ConflictError: the challenge is published, or the run was withdrawn.
    """
    with workbench.database.writing() as session:
        row = session.get(models.Submission, submission_id)
        if row is None:
            raise NotFoundError(f"there is no run {submission_id}")
        seen(session, person, row.challenge_id)
        challenge = held(session, row.challenge_id)
        team = team_of(session, person, challenge.id)
        if challenge.owner_id != person.id and (team is None or team.id != row.team_id):
            raise AccessError("this run is another team's")
        if challenge.published is not None:
            raise ConflictError("the challenge is published, and its board frozen")
        if row.state == WITHDRAWN:
            raise ConflictError("this run was withdrawn before")
        was_scored = row.state == SCORED
        row.state = WITHDRAWN
        session.flush()
        if was_scored:
            renew_board(session, challenge)
        note(session, person, "submission.withdraw", f"submission {row.id}")


def submissions_for(
    workbench: Workbench, person: Person, challenge_id: int
) -> list[SubmissionRecord]:
    """The runs of one's own team; for whoever made the challenge, of all.

    Raises:
        NotFoundError: there is no such challenge for them.
    """
    with workbench.database.reading() as session:
        challenge = seen(session, person, challenge_id)
        query = select(models.Submission).where(models.Submission.challenge_id == challenge.id)
        if challenge.owner_id != person.id:
            team = team_of(session, person, challenge.id)
            if team is None:
                return []
            query = query.where(models.Submission.team_id == team.id)
        rows = session.scalars(query.order_by(models.Submission.id))
        return [_record(session, row) for row in rows]


def leaderboard(workbench: Workbench, person: Person, challenge_id: int) -> tuple[int, Board]:
    """The board of a challenge with its version.

    Raises:
        NotFoundError: there is no such challenge for them.
    """
    with workbench.database.reading() as session:
        row = seen(session, person, challenge_id)
        empty = {"measures": row.measures, "tasks": [], "entries": []}
        return row.version, Board.from_json(row.board or empty)


def _record(session: Session, row: models.Submission) -> SubmissionRecord:
    return SubmissionRecord(
        id=row.id,
        team=session.get_one(models.Team, row.team_id).name,
        number=row.number,
        name=row.name,
        by=session.get_one(models.User, row.user_id).name,
        created=row.created,
        state=row.state,
        reason=row.reason,
        signature=row.signature,
        scores=row.scores,
    )
