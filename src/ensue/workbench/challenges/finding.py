"""Challenges as somebody sees them: those they made, those they take part in, published ones."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Integer, bindparam, select
from sqlalchemy.orm import Session, aliased

from ensue.pairs import View
from ensue.workbench.accounts.people import Person
from ensue.workbench.challenges.making import State, is_seen, no_challenge, state_of
from ensue.workbench.database import models
from ensue.workbench.workbench import Workbench

if TYPE_CHECKING:
    from sqlalchemy import Select

    _Found = Select[models.Challenge, str, int, int, str | None]


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
    view: View
    n_development: int
    n_test: int
    is_own: bool
    """Whether the one who asks made it."""
    team: str | None
    """Theirs, where they have one."""
    version: int
    """Of its board; another board has another."""


def challenges_for(workbench: Workbench, person: Person) -> list[ChallengeRecord]:
    """The challenges that somebody made, takes part in, or that are published; the latest first."""
    with workbench.database.reading() as session:
        return _records(session, person, _query())


def find_challenge(workbench: Workbench, person: Person, challenge_id: int) -> ChallengeRecord:
    """A challenge that somebody may see.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    query = _query().where(models.Challenge.id == challenge_id)
    with workbench.database.reading() as session:
        found = _records(session, person, query)
    if not found:
        raise no_challenge(challenge_id)
    return found[0]


@cache
def _query() -> _Found:
    """All at once, and put together once: it is asked for every page of a challenge."""
    person_id = bindparam("person_id", type_=Integer)
    development, test = aliased(models.DataSet), aliased(models.DataSet)
    own_team = (
        select(models.Team.name)
        .join(models.Member, models.Member.team_id == models.Team.id)
        .where(
            models.Member.user_id == person_id, models.Member.challenge_id == models.Challenge.id
        )
        .correlate(models.Challenge)
    )
    return (
        select(
            models.Challenge,
            models.User.name,
            development.n_pairs,
            test.n_pairs,
            own_team.scalar_subquery(),
        )
        .join(models.User, models.Challenge.owner_id == models.User.id)
        .join(development, models.Challenge.development_id == development.id)
        .join(test, models.Challenge.test_id == test.id)
        .where(is_seen())
        .order_by(models.Challenge.id.desc())
    )


def _records(session: Session, person: Person, query: _Found) -> list[ChallengeRecord]:
    return [
        ChallengeRecord(
            id=row.id,
            name=row.name,
            description=row.description,
            owner=owner,
            state=state_of(row),
            opens=row.opens,
            closes=row.closes,
            published=row.published,
            runs_allowed=row.runs_allowed,
            measures=tuple(row.measures),
            view=View(row.view),
            n_development=n_development,
            n_test=n_test,
            is_own=row.owner_id == person.id,
            team=team,
            version=row.version,
        )
        for row, owner, n_development, n_test, team in session.execute(
            query, {"person_id": person.id}
        )
    ]
