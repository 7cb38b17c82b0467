"""Challenges: made by an organizer, seen by their teams, published at the end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from ensue.errors import AccessError, ConflictError, NotFoundError, SettingError
from ensue.evaluation import find_measures
from ensue.workbench.accounts.auditing import note
from ensue.workbench.accounts.people import Person
from ensue.workbench.database import models, now
from ensue.workbench.datasets.storing import owned
from ensue.workbench.workbench import Workbench

MEASURES = ("accuracy", "cws", "average-precision", "coverage")
"""What runs are measured by, where nobody says; PASCAL ranked by the first."""
_MOST_RUNS = 1000


class State(StrEnum):
    """How far a challenge is."""

    WAITING = "not open yet"
    OPEN = "open"
    CLOSED = "closed"
    PUBLISHED = "published"


@dataclass(frozen=True, slots=True)
class Rules:
    """What an organizer decides."""

    name: str
    development_id: int
    test_id: int
    opens: datetime
    closes: datetime
    description: str = ""
    runs_allowed: int = 2
    measures: tuple[str, ...] = MEASURES


@dataclass(frozen=True, slots=True)
class ChallengeRecord:
    """A challenge, as somebody sees it."""

    id: int
    name: str
    description: str
    owner: str
    state: State
    opens: datetime
    closes: datetime
    published: datetime | None
    runs_allowed: int
    measures: tuple[str, ...]
    n_development: int
    n_test: int
    is_own: bool
    """Whether the one who asks made it."""
    team: str | None
    """Theirs, where they have one."""


def make_challenge(workbench: Workbench, person: Person, rules: Rules) -> int:
    """Make a challenge from two data sets of one's own, and give its number.

    Raises:
        AccessError: they are no organizer, or a data set is somebody else's.
        NotFoundError: there is no such data set.
        SettingError: the rules make no sense.
        ConflictError: the test data are shared, so that their gold is known.
    """
    if not person.is_organizer:
        raise AccessError("challenges are made by organizers")
    _check(rules)
    with workbench.database.writing() as session:
        test = owned(session, person, rules.test_id)
        development = owned(session, person, rules.development_id)
        for data in (development, test):
            if data.n_gold < data.n_pairs:
                raise SettingError(
                    f"{data.n_pairs - data.n_gold} pairs of {data.name!r} have no gold",
                    hint="leave them out, or give them some",
                )
        if test.is_shared:
            raise ConflictError(
                "the test data are shared, so that everybody knows their gold",
                hint="upload them again, and do not share them",
            )
        row = models.Challenge(
            name=rules.name.strip()[:120],
            description=rules.description,
            owner_id=person.id,
            development_id=development.id,
            test_id=test.id,
            opens=rules.opens,
            closes=rules.closes,
            runs_allowed=rules.runs_allowed,
            measures=list(rules.measures),
        )
        session.add(row)
        session.flush()
        note(session, person, "challenge.make", f"challenge {row.id}")
        return row.id


def _check(rules: Rules) -> None:
    if not rules.name.strip():
        raise SettingError("a challenge needs a name")
    if rules.development_id == rules.test_id:
        raise SettingError("development and test data are the same", hint="split them first")
    if rules.opens >= rules.closes:
        raise SettingError("it would close before it opens")
    if not 1 <= rules.runs_allowed <= _MOST_RUNS:
        raise SettingError(f"a team has 1 to {_MOST_RUNS} runs", hint="PASCAL allowed two")
    if not rules.measures or len(set(rules.measures)) < len(rules.measures):
        raise SettingError("a challenge needs measures, each of them once")
    find_measures(rules.measures)


def state_of(row: models.Challenge) -> State:
    """How far a challenge is now."""
    if row.published is not None:
        return State.PUBLISHED
    moment = now()
    if moment < row.opens:
        return State.WAITING
    return State.OPEN if moment < row.closes else State.CLOSED


def challenges_for(workbench: Workbench, person: Person) -> list[ChallengeRecord]:
    """The challenges that somebody made, takes part in, or that are published; the latest first."""
    mine = select(models.Member.challenge_id).where(models.Member.user_id == person.id)
    query = (
        select(models.Challenge)
        .where(
            or_(
                models.Challenge.owner_id == person.id,
                models.Challenge.id.in_(mine),
                models.Challenge.published.is_not(None),
            )
        )
        .order_by(models.Challenge.id.desc())
    )
    with workbench.database.reading() as session:
        return [_record(session, row, person) for row in session.scalars(query)]


def find_challenge(workbench: Workbench, person: Person, challenge_id: int) -> ChallengeRecord:
    """A challenge that somebody may see.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    with workbench.database.reading() as session:
        return _record(session, seen(session, person, challenge_id), person)


def seen(session: Session, person: Person, challenge_id: int) -> models.Challenge:
    """The row of a challenge that somebody may see.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    row = session.get(models.Challenge, challenge_id)
    if row is not None:
        is_known = row.owner_id == person.id or row.published is not None
        if is_known or team_of(session, person, challenge_id) is not None:
            return row
    raise NotFoundError(f"there is no challenge {challenge_id}")


def made_by(session: Session, person: Person, challenge_id: int) -> models.Challenge:
    """The row of a challenge that somebody made, held until the transaction ends.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: they may see it, and somebody else made it.
    """
    row = seen(session, person, challenge_id)
    if row.owner_id != person.id:
        raise AccessError("this is for whoever made the challenge")
    return held(session, challenge_id)


def held(session: Session, challenge_id: int) -> models.Challenge:
    """The row of a challenge, which nobody else changes until the transaction ends."""
    return session.scalars(
        select(models.Challenge)
        .where(models.Challenge.id == challenge_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one()


def team_of(session: Session, person: Person, challenge_id: int) -> models.Team | None:
    """The team of somebody in a challenge."""
    query = (
        select(models.Team)
        .join(models.Member, models.Member.team_id == models.Team.id)
        .where(models.Member.user_id == person.id, models.Team.challenge_id == challenge_id)
    )
    return session.scalar(query)


def publish(workbench: Workbench, person: Person, challenge_id: int) -> None:
    """Freeze the board for good, and let everybody who signs in see it.

    Raises:
        NotFoundError: there is no such challenge for them.
        AccessError: somebody else made it.
        ConflictError: it is open still, or a run is not scored yet.
    """
    with workbench.database.writing() as session:
        row = made_by(session, person, challenge_id)
        if state_of(row) in (State.WAITING, State.OPEN):
            raise ConflictError(
                f"the challenge is {state_of(row).value}", hint="publish it when it is closed"
            )
        if row.published is not None:
            return
        waiting = session.scalar(
            select(models.Submission.id).where(
                models.Submission.challenge_id == row.id, models.Submission.state == "waiting"
            )
        )
        if waiting is not None:
            raise ConflictError("a run is not scored yet", hint="try again in a minute")
        row.published = now()
        note(session, person, "challenge.publish", f"challenge {row.id}")


def close_now(workbench: Workbench, person: Person, challenge_id: int) -> None:
    """Take no more runs, from now on.

    Raises:
        NotFoundError: there is no such challenge for them.
        AccessError: somebody else made it.
        ConflictError: it is not open.
    """
    with workbench.database.writing() as session:
        row = made_by(session, person, challenge_id)
        if state_of(row) is not State.OPEN:
            raise ConflictError(f"the challenge is {state_of(row).value}")
        row.closes = now()
        note(session, person, "challenge.close", f"challenge {row.id}")


def _record(session: Session, row: models.Challenge, person: Person) -> ChallengeRecord:
    team = team_of(session, person, row.id)
    return ChallengeRecord(
        id=row.id,
        name=row.name,
        description=row.description,
        owner=session.get_one(models.User, row.owner_id).name,
        state=state_of(row),
        opens=row.opens,
        closes=row.closes,
        published=row.published,
        runs_allowed=row.runs_allowed,
        measures=tuple(row.measures),
        n_development=session.get_one(models.DataSet, row.development_id).n_pairs,
        n_test=session.get_one(models.DataSet, row.test_id).n_pairs,
        is_own=row.owner_id == person.id,
        team=team.name if team else None,
    )
