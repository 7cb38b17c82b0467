"""Teams, their members and invitations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ensue.errors import AccessError, ConflictError, NotFoundError, SettingError
from ensue.pairs import Pair
from ensue.workbench.accounts import Person, note
from ensue.workbench.annotation.projects import knows_gold
from ensue.workbench.challenges import ChallengeState, held, made_by, seen, state_of, team_of
from ensue.workbench.database import models
from ensue.workbench.datasets import kept_pairs
from ensue.workbench.sessions import digest_of, new_secret
from ensue.workbench.workbench import Workbench

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
            raise NotFoundError("this invitation is none, or was used", hint="ask for another")
        challenge = held(session, found.challenge_id)  # so that nobody joins twice at once
        if challenge.owner_id == person.id:
            raise AccessError("whoever makes a challenge knows its gold")
        if knows_gold(session, person, challenge.test_id):
            raise AccessError("you have judged pairs of this challenge, and know their gold")
        if team_of(session, person, challenge.id) is not None:
            raise ConflictError("you have a team in this challenge already")
        if state_of(challenge) in (ChallengeState.CLOSED, ChallengeState.PUBLISHED):
            raise ConflictError("the challenge is over")
        team_id = found.team_id or _new_team(session, challenge.id, team_name)
        session.add(models.Member(team_id=team_id, user_id=person.id, challenge_id=challenge.id))
        found.used_by = person.id
        note(session, person, "challenge.join", f"challenge {challenge.id}", team=team_id)
        return challenge.id


def _new_team(session: Session, challenge_id: int, name: str) -> int:
    name = " ".join(name.split())[:80]
    if not name:
        raise SettingError("a team needs a name")
    taken = session.scalar(
        select(models.Team.id).where(
            models.Team.challenge_id == challenge_id,
            func.lower(models.Team.name) == name.lower(),
        )
    )
    if taken is not None:
        raise ConflictError(f"another team is called {name!r}")
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
        raise AccessError("you have no team in this challenge", hint="join by an invitation")
    return team


def teams(workbench: Workbench, person: Person, challenge_id: int) -> list[TeamRecord]:
    """All teams of a challenge.

    Raises:
        NotFoundError: there is no such challenge for them.
        AccessError: somebody else made it.
    """
    with workbench.database.reading() as session:
        row = seen(session, person, challenge_id)
        if row.owner_id != person.id:
            raise AccessError("this is for whoever made the challenge")
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
        raise AccessError("the test data are given out when the challenge opens")
    for pair in kept_pairs(session, row.test_id):
        yield Pair(pair.id, pair.text, pair.hypothesis, None, pair.task)
