"""Challenges: made by an organizer, seen by their teams, published at the end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Integer, bindparam, or_, select
from sqlalchemy.orm import Session, aliased
from sqlalchemy.sql.elements import ColumnElement

from ensue.errors import AccessError, ConflictError, NotFoundError, SettingError
from ensue.evaluation import find_measures
from ensue.pairs import Label, View, coarser_view
from ensue.workbench.accounts import Person, note
from ensue.workbench.database import models
from ensue.workbench.database.models import now
from ensue.workbench.datasets import is_hidden, kept_pairs, owned as owned_data
from ensue.workbench.workbench import Workbench

if TYPE_CHECKING:
    from sqlalchemy import Select

    _Found = Select[models.Challenge, str, int, int, str | None]

# Challenges: made by an organizer, seen by their teams, published at the end.

MEASURES = ("accuracy", "cws", "average-precision", "coverage")
"""What runs are measured by, where nobody says; PASCAL ranked by the first."""
_MOST_RUNS = 1000


class ChallengeState(StrEnum):
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
    view: View | None = None
    """In which labels runs are compared; the finest that the test data have, where it is None."""


def make_challenge(workbench: Workbench, person: Person, rules: Rules) -> int:
    """Make a challenge from two data sets of one's own, and give its number.

    Raises:
        AccessError: they are no organizer, or a data set is somebody else's.
        NotFoundError: there is no such data set.
        SettingError: the rules make no sense, or do not fit the data.
        ConflictError: the gold of test data, of this challenge or another, would be known.
    """
    if not person.is_organizer:
        raise AccessError("challenges-made-organizers", "challenges are made by organizers")
    _check(rules)
    with workbench.database.writing() as session:
        test = owned_data(session, person, rules.test_id)
        development = owned_data(session, person, rules.development_id)
        for data in (development, test):
            if data.n_gold < data.n_pairs:
                raise SettingError(
                    "pairs-no-gold",
                    f"{data.n_pairs - data.n_gold} pairs of {data.name!r} have no gold",
                    hint="leave them out, or give them some",
                )
        _check_hidden(session, development, test)
        _check_apart(session, development, test)
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
            view=_view(session, test, rules.view).value,
        )
        session.add(row)
        session.flush()
        note(session, person, "challenge.make", f"challenge {row.id}")
        return row.id


def _check_hidden(session: Session, development: models.DataSet, test: models.DataSet) -> None:
    """See that no gold is given out that is hidden, here or in another challenge.

    Raises:
        ConflictError: it would be.
    """
    same = models.DataSet.digest == test.digest  # the same pairs, under whatever number
    own = models.DataSet.owner_id == test.owner_id  # what others shared may have any gold
    shared = select(models.DataSet.id).where(same, own, models.DataSet.was_shared)
    if session.scalar(shared) is not None:
        raise ConflictError(
            "test-data-shared-everybody",
            "the test data are shared, or were, so that everybody may know their gold",
            hint="take other data",
        )
    given = (
        select(models.Challenge.id)
        .join(models.DataSet, models.DataSet.id == models.Challenge.development_id)
        .where(same)
    )
    if session.scalar(given) is not None:
        raise ConflictError(
            "test-data-development-data",
            "the test data are development data of a challenge, whose teams know their gold",
            hint="take other data",
        )
    if is_hidden(session, development):
        raise ConflictError(
            "development-data-test-data",
            "the development data are test data of a challenge that is not published",
            hint="publish that challenge first",
        )


def _check_apart(session: Session, development: models.DataSet, test: models.DataSet) -> None:
    """See that no pair of the test data is given out with its gold among the development data.

    Raises:
        ConflictError: some are.
    """
    known, hidden = (
        {(pair.text, pair.hypothesis) for pair in kept_pairs(session, data.id)}
        for data in (development, test)
    )
    n_known = len(known & hidden)
    if n_known:
        raise ConflictError(
            "test-data-stand-among",
            f"of the test data {n_known:,} stand among the development data, with gold",
            hint="leave them out; `ensue data audit` lists them",
        )


def _view(session: Session, test: models.DataSet, wanted: View | None) -> View:
    """The view in which all runs are compared.

    Raises:
        SettingError: the gold is too coarse for it.
    """
    gold = select(models.StoredPair.gold).where(models.StoredPair.dataset_id == test.id).distinct()
    finest = coarser_view([Label(each) for each in session.scalars(gold) if each])
    if wanted is View.THREE_WAY and finest is not wanted:
        raise SettingError(
            "gold-test-data-not",
            "the gold of the test data does not tell contradiction from unknown",
            hint="hold a 2-way challenge",
        )
    return wanted or finest


def _check(rules: Rules) -> None:
    if not rules.name.strip():
        raise SettingError("challenge-needs-name", "a challenge needs a name")
    if rules.development_id == rules.test_id:
        raise SettingError(
            "development-test-data-same",
            "development and test data are the same",
            hint="split them first",
        )
    if rules.opens >= rules.closes:
        raise SettingError("close-before-opens", "it would close before it opens")
    if not 1 <= rules.runs_allowed <= _MOST_RUNS:
        raise SettingError(
            "team-runs", f"a team has 1 to {_MOST_RUNS} runs", hint="PASCAL allowed two"
        )
    if not rules.measures or len(set(rules.measures)) < len(rules.measures):
        raise SettingError(
            "challenge-needs-measures-each", "a challenge needs measures, each of them once"
        )
    find_measures(rules.measures)


def state_of(row: models.Challenge) -> ChallengeState:
    """How far a challenge is now."""
    if row.published is not None:
        return ChallengeState.PUBLISHED
    moment = now()
    if moment < row.opens:
        return ChallengeState.WAITING
    return ChallengeState.OPEN if moment < row.closes else ChallengeState.CLOSED


def seen(session: Session, person: Person, challenge_id: int) -> models.Challenge:
    """The row of a challenge that somebody may see.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    query = _seen().where(models.Challenge.id == challenge_id)
    row = session.scalar(query, {"person_id": person.id})
    if row is None:
        raise no_challenge(challenge_id)
    return row


@cache
def _seen() -> Select[models.Challenge]:
    """Put together once: every page of a challenge asks."""
    return select(models.Challenge).where(is_seen())


def is_seen() -> ColumnElement[bool]:
    """Whether somebody, the parameter `person_id`, made a challenge, takes part, or it is published."""
    person_id = bindparam("person_id", type_=Integer)
    mine = select(models.Member.challenge_id).where(models.Member.user_id == person_id)
    return or_(
        models.Challenge.owner_id == person_id,
        models.Challenge.published.is_not(None),
        models.Challenge.id.in_(mine),
    )


def no_challenge(challenge_id: int) -> NotFoundError:
    """What is said where there is none, or none for whoever asks."""
    return NotFoundError("no-challenge", f"there is no challenge {challenge_id}")


def owned(session: Session, person: Person, challenge_id: int) -> models.Challenge:
    """The row of a challenge that somebody made.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: they may see it, and somebody else made it.
    """
    row = seen(session, person, challenge_id)
    if row.owner_id != person.id:
        raise AccessError("whoever-made-challenge", "this is for whoever made the challenge")
    return row


def made_by(session: Session, person: Person, challenge_id: int) -> models.Challenge:
    """The same, held until the transaction ends."""
    return models.held(session, models.Challenge, owned(session, person, challenge_id).id)


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
        if state_of(row) in (ChallengeState.WAITING, ChallengeState.OPEN):
            raise ConflictError(
                "wrong-challenge-state",
                f"the challenge is {state_of(row).value}",
                hint="publish it when it is closed",
            )
        if row.published is not None:
            return
        waiting = session.scalar(
            select(models.Submission.id).where(
                models.Submission.challenge_id == row.id, models.Submission.state == "waiting"
            )
        )
        if waiting is not None:
            raise ConflictError(
                "run-not-scored-yet", "a run is not scored yet", hint="try again in a minute"
            )
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
        if state_of(row) is not ChallengeState.OPEN:
            raise ConflictError("wrong-challenge-state", f"the challenge is {state_of(row).value}")
        row.closes = now()
        note(session, person, "challenge.close", f"challenge {row.id}")


# Challenges as somebody sees them: those they made, those they take part in, published ones.


@dataclass(frozen=True, slots=True)
class ChallengeRecord:
    """A challenge, as somebody sees it."""

    id: int
    name: str
    description: str
    owner: str
    state: ChallengeState
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
        models.record_of(
            ChallengeRecord,
            row,
            owner=owner,
            state=state_of(row),
            measures=tuple(row.measures),
            view=View(row.view),
            n_development=n_development,
            n_test=n_test,
            is_own=row.owner_id == person.id,
            team=team,
        )
        for row, owner, n_development, n_test, team in session.execute(
            query, {"person_id": person.id}
        )
    ]
