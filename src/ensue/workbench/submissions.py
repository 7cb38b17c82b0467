"""Teams, by invitation, and the runs that they hand in: checked line by line, counted, kept."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, bindparam, func, select
from sqlalchemy.orm import Session

from ensue.errors import (
    AccessError,
    ConflictError,
    NotFoundError,
    RateError,
    RunError,
    SettingError,
)
from ensue.pairs import Label, Pair, Run, View, read_run
from ensue.workbench.accounts import Person, digest_of, new_secret, note
from ensue.workbench.annotation.projects import knows_gold
from ensue.workbench.challenges import (
    ChallengeState,
    made_by,
    owned,
    seen,
    state_of,
    team_of,
)
from ensue.workbench.database import models
from ensue.workbench.datasets import kept_pairs
from ensue.workbench.leaderboards import (
    SCORED,
    WAITING,
    WITHDRAWN,
    Board,
    least_answered,
    renew_board,
    score,
)
from ensue.workbench.runs import check_ids
from ensue.workbench.uploads import Upload, kept_run
from ensue.workbench.workbench import Workbench

if TYPE_CHECKING:
    from sqlalchemy import Select

    _Found = Select[models.Submission, str, str]

KIND = "invitation"


@dataclass(frozen=True, slots=True)
class TeamRecord:
    """A team, as the organizer sees it."""

    name: str
    members: tuple[str, ...]
    n_runs: int


def invite(workbench: Workbench, person: Person, challenge_id: int) -> str:
    """A code for one more team, shown once; whoever has it first uses it up.

    Raises:
        NotFoundError: there is no such challenge for them.
        AccessError: somebody else made it.
    """
    code = new_secret(KIND)
    with workbench.database.writing() as session:
        row = made_by(session, person, challenge_id)
        session.add(models.Invitation(challenge_id=row.id, digest=digest_of(code)))
        note(session, person, "challenge.invite", f"challenge {row.id}")
    return code


def invite_to_team(workbench: Workbench, person: Person, challenge_id: int) -> str:
    """A code for one more member of one's own team.

    Raises:
        NotFoundError: there is no such challenge for them.
        AccessError: they have no team in it.
    """
    code = new_secret(KIND)
    with workbench.database.writing() as session:
        team = own_team(session, person, challenge_id)
        session.add(
            models.Invitation(challenge_id=challenge_id, team_id=team.id, digest=digest_of(code))
        )
        note(session, person, "team.invite", f"team {team.id}")
    return code


def join(workbench: Workbench, person: Person, code: str, team_name: str) -> int:
    """Take part, and give the challenge's number.

    Args:
        workbench: Where.
        person: Who.
        code: What they were invited with.
        team_name: What their team is to be called; without meaning where they join one.

    Raises:
        NotFoundError: the code is none, or was used.
        AccessError: they made the challenge or judged its pairs, and know its gold.
        ConflictError: they have a team in it, or another is called so, or it is over.
        SettingError: a team needs a name.
    """
    with workbench.database.writing() as session:
        found = session.scalar(
            select(models.Invitation)
            .where(models.Invitation.digest == digest_of(code.strip()))
            .with_for_update()
        )
        if found is None or found.used_by is not None:
            raise NotFoundError(
                "invitation-none-used",
                "this invitation is none, or was used",
                hint="ask for another",
            )
        challenge = models.held(
            session, models.Challenge, found.challenge_id
        )  # so that nobody joins twice at once
        if challenge.owner_id == person.id:
            raise AccessError(
                "whoever-makes-challenge-knows", "whoever makes a challenge knows its gold"
            )
        if knows_gold(session, person, challenge.test_id):
            raise AccessError(
                "you-judged-pairs-challenge",
                "you have judged pairs of this challenge, and know their gold",
            )
        if team_of(session, person, challenge.id) is not None:
            raise ConflictError(
                "you-team-challenge-already", "you have a team in this challenge already"
            )
        if state_of(challenge) in (ChallengeState.CLOSED, ChallengeState.PUBLISHED):
            raise ConflictError("challenge-over", "the challenge is over")
        team_id = found.team_id or _new_team(session, challenge.id, team_name)
        session.add(models.Member(team_id=team_id, user_id=person.id, challenge_id=challenge.id))
        found.used_by = person.id
        note(session, person, "challenge.join", f"challenge {challenge.id}", team=team_id)
        return challenge.id


def _new_team(session: Session, challenge_id: int, name: str) -> int:
    name = " ".join(name.split())[:80]
    if not name:
        raise SettingError("team-needs-name", "a team needs a name")
    taken = session.scalar(
        select(models.Team.id).where(
            models.Team.challenge_id == challenge_id,
            func.lower(models.Team.name) == name.lower(),
        )
    )
    if taken is not None:
        raise ConflictError("another-team-called", f"another team is called {name!r}")
    team = models.Team(challenge_id=challenge_id, name=name)
    session.add(team)
    session.flush()
    return team.id


def own_team(session: Session, person: Person, challenge_id: int) -> models.Team:
    """The team of somebody in a challenge.

    Raises:
        NotFoundError: there is no such challenge for them.
        AccessError: they have no team in it.
    """
    seen(session, person, challenge_id)
    team = team_of(session, person, challenge_id)
    if team is None:
        raise AccessError(
            "you-no-team-challenge",
            "you have no team in this challenge",
            hint="join by an invitation",
        )
    return team


def teams(workbench: Workbench, person: Person, challenge_id: int) -> list[TeamRecord]:
    """All teams of a challenge.

    Raises:
        NotFoundError: there is no such challenge for them.
        AccessError: somebody else made it.
    """
    with workbench.database.reading() as session:
        row = owned(session, person, challenge_id)
        query = (
            select(models.Team.id, models.Team.name)
            .where(models.Team.challenge_id == row.id)
            .order_by(models.Team.name)
        )
        members, n_runs = _members(session, row.id), _runs_of_teams(session, row.id)
        return [
            TeamRecord(name, tuple(members[team_id]), n_runs.get(team_id, 0))
            for team_id, name in session.execute(query)
        ]


def _members(session: Session, challenge_id: int) -> dict[int, list[str]]:
    """The names of each team's members."""
    query = (
        select(models.Member.team_id, models.User.name)
        .join(models.User, models.Member.user_id == models.User.id)
        .where(models.Member.challenge_id == challenge_id)
        .order_by(models.User.name)
    )
    found: defaultdict[int, list[str]] = defaultdict(list)
    for team_id, name in session.execute(query):
        found[team_id].append(name)
    return found


def _runs_of_teams(session: Session, challenge_id: int) -> dict[int, int]:
    """How many runs each team has handed in."""
    query = (
        select(models.Submission.team_id, func.count())
        .where(models.Submission.challenge_id == challenge_id)
        .group_by(models.Submission.team_id)
    )
    found = session.execute(query)
    return {row[0]: row[1] for row in found}


def development_pairs(session: Session, person: Person, challenge_id: int) -> Iterator[Pair]:
    """The development data, with gold.

    Raises:
        NotFoundError: there is no such challenge for them.
    """
    return kept_pairs(session, seen(session, person, challenge_id).development_id)


def hidden_pairs(session: Session, person: Person, challenge_id: int) -> Iterator[Pair]:
    """The test data without gold, and without whatever else stood in the file beside the pairs.

    Raises:
        NotFoundError: there is no such challenge for them.
        AccessError: it is not open yet.
    """
    row = seen(session, person, challenge_id)
    if state_of(row) is ChallengeState.WAITING and row.owner_id != person.id:
        raise AccessError(
            "test-data-given-challenge", "the test data are given out when the challenge opens"
        )
    for pair in kept_pairs(session, row.test_id):
        yield Pair(pair.id, pair.text, pair.hypothesis, None, pair.task)


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
    digest: str
    """SHA-256 of the file that was handed in: by it one sees whether a file is there."""


def submit(
    workbench: Workbench, person: Person, challenge_id: int, name: str, upload: Upload
) -> SubmissionRecord:
    """Hand a run in: it is kept, then scored, at once unless it is large.

    Raises:
        NotFoundError: there is no such challenge for them.
        AccessError: they have no team in it.
        ConflictError: it is not open, or the team has handed in the same run before.
        RateError: the team has no runs left.
        LimitError: the file is too large.
        RunError: a line is wrong, or too few pairs are answered; nothing is counted then.
    """
    with kept_run(upload, workbench.limits) as path:
        run = read_run(path)
        content = path.read_bytes()
        with workbench.database.writing() as session:
            team = own_team(session, person, challenge_id)
            challenge = models.held(session, models.Challenge, challenge_id)
            digest = sha256(content).hexdigest()
            _check_open(session, challenge, team, digest)
            check_ids(session, challenge.test_id, run, upload.shown)
            _check_answers(session, challenge, run, upload.shown)
            row = _new(session, challenge, team, person, content)
            row.digest = digest
            row.name = (name.strip() or upload.shown)[:120]
            row.signature = str(run.header.signature) if run.header else None
            session.flush()
            note(session, person, "submission.add", f"submission {row.id}", team=team.id)
            submission_id = row.id
    if len(run.verdicts) <= workbench.limits.at_once:
        score(workbench, submission_id)
    with workbench.database.reading() as session:
        query = _submissions().where(models.Submission.id == submission_id)
        (record,) = _records(session, query)
        return record


def _check_open(
    session: Session, challenge: models.Challenge, team: models.Team, digest: str
) -> None:
    """See that a run can be handed in now, before anything of it is held against the test data.

    That a file is there already comes first: whoever got no answer, and sends it again, has to
    learn that it is, though it was their last run or the challenge is over.
    """
    same = session.scalar(
        select(models.Submission.number).where(
            models.Submission.team_id == team.id, models.Submission.digest == digest
        )
    )
    if same is not None:
        raise ConflictError(
            "your-run-again",
            f"this is your run {same} again",
            hint="it is there, and was not counted once more",
        )
    if state_of(challenge) is not ChallengeState.OPEN:
        raise ConflictError(
            "wrong-challenge-state", f"the challenge is {state_of(challenge).value}"
        )


def _check_answers(session: Session, challenge: models.Challenge, run: Run, name: str) -> None:
    """See that a run speaks of the challenge's labels, and of enough pairs to tell none of them.

    Raises:
        RunError: it does not.
    """
    if challenge.view == View.THREE_WAY:
        for i, verdict in enumerate(run.verdicts):
            if verdict.label is Label.NOT_ENTAILMENT:
                raise RunError(
                    "challenge-tells-contradiction-unknown",
                    "the challenge tells contradiction from unknown, and this verdict does not",
                    place=f"{name}:{run.lines[i]}" if run.lines else name,
                    hint="say entailment, contradiction or unknown of every pair",
                )
    n_pairs = session.get_one(models.DataSet, challenge.test_id).n_pairs
    least = least_answered(n_pairs)
    n_answered = sum(verdict.label is not None for verdict in run.verdicts)
    if n_answered < least:
        raise RunError(
            "too-few-answers",
            f"it answers {n_answered:,} of {n_pairs:,} pairs",
            place=name,
            hint=f"at least {least:,} are needed: the scores of fewer would tell their gold",
        )


def _new(
    session: Session,
    challenge: models.Challenge,
    team: models.Team,
    person: Person,
    content: bytes,
) -> models.Submission:
    n_runs = session.scalar(select(func.count()).where(models.Submission.team_id == team.id)) or 0
    if n_runs >= challenge.runs_allowed:
        raise RateError(
            "your-team-handed-runs",
            f"your team has handed in {n_runs} of {challenge.runs_allowed} runs",
            hint="runs that were withdrawn count, too",
        )
    row = models.Submission(
        challenge_id=challenge.id,
        team_id=team.id,
        user_id=person.id,
        number=n_runs + 1,
        name="",
        digest="",
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
        row = _seen_run(session, person, submission_id)
        challenge = models.held(session, models.Challenge, row.challenge_id)
        session.refresh(row)  # somebody may have scored it while we waited
        team = team_of(session, person, challenge.id)
        if challenge.owner_id != person.id and (team is None or team.id != row.team_id):
            raise AccessError("run-another-team", "this run is another team's")
        if challenge.published is not None:
            raise ConflictError(
                "challenge-published-board-frozen",
                "the challenge is published, and its board frozen",
            )
        if row.state == WITHDRAWN:
            raise ConflictError("run-withdrawn-before", "this run was withdrawn before")
        was_scored = row.state == SCORED
        row.state = WITHDRAWN
        session.flush()
        if was_scored:
            renew_board(session, challenge)
        note(session, person, "submission.withdraw", f"submission {row.id}")


def _seen_run(session: Session, person: Person, submission_id: int) -> models.Submission:
    """The row of a run whose challenge somebody may see; to others it says what it says of none."""
    row = session.get(models.Submission, submission_id)
    if row is not None:
        try:
            seen(session, person, row.challenge_id)
            return row
        except NotFoundError:
            pass
    raise NotFoundError("no-run", f"there is no run {submission_id}")


def submissions_for(
    workbench: Workbench, person: Person, challenge_id: int
) -> list[SubmissionRecord]:
    """The runs of one's own team; for whoever made the challenge, of all.

    Raises:
        NotFoundError: there is no such challenge for them.
    """
    with workbench.database.reading() as session:
        challenge = seen(session, person, challenge_id)
        if challenge.owner_id == person.id:
            query = _submissions().where(models.Submission.challenge_id == challenge.id)
            return _records(session, query)
        parameters = {"person_id": person.id, "challenge_id": challenge.id}
        return _records(session, _own_submissions(), parameters)


def leaderboard(workbench: Workbench, person: Person, challenge_id: int) -> tuple[int, Board]:
    """The board of a challenge with its version.

    Raises:
        NotFoundError: there is no such challenge for them.
    """
    with workbench.database.reading() as session:
        row = seen(session, person, challenge_id)
        # both at once, or a board could come with the version of the one before
        query = select(models.Challenge.version, models.Challenge.board)
        version, board = session.execute(query.where(models.Challenge.id == row.id)).one()
        empty = {"measures": row.measures, "tasks": [], "entries": []}
        return version, Board.from_json(board or empty)


@cache
def _submissions() -> _Found:
    """With the names of teams and people; put together once, as every page of a challenge asks."""
    return (
        select(models.Submission, models.Team.name, models.User.name)
        .join(models.Team, models.Submission.team_id == models.Team.id)
        .join(models.User, models.Submission.user_id == models.User.id)
        .order_by(models.Submission.id)
    )


@cache
def _own_submissions() -> _Found:
    """Those of somebody's team in a challenge, the parameters `person_id` and `challenge_id`."""
    team = select(models.Member.team_id).where(
        models.Member.user_id == bindparam("person_id", type_=Integer),
        models.Member.challenge_id == bindparam("challenge_id", type_=Integer),
    )
    return _submissions().where(models.Submission.team_id.in_(team))


def _records(
    session: Session, query: _Found, parameters: Mapping[str, int] | None = None
) -> list[SubmissionRecord]:
    return [
        models.record_of(SubmissionRecord, row, team=team, by=by)
        for row, team, by in session.execute(query, parameters or {})
    ]
