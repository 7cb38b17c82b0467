"""People, their roles and passwords, and the audit log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from ensue.errors import ConflictError, NotFoundError, SettingError
from ensue.workbench.database import models
from ensue.workbench.workbench import Workbench

if TYPE_CHECKING:
    from argon2 import PasswordHasher

# Who did what: entries that are written with what they tell of, and never changed.


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """Something that somebody did."""

    at: datetime
    who: str | None
    action: str
    subject: str
    details: dict[str, Any]


def note(
    session: Session, person: Person | None, action: str, subject: str, **details: Any
) -> None:
    """Write that somebody does something, in the transaction that does it.

    Args:
        session: That transaction.
        person: Who; None where nobody is signed in.
        action: What, e.g. `challenge.publish`.
        subject: With what, e.g. `challenge 3`.
        **details: Values that JSON can hold; no text of a pair, no answer, and no secret:
            every organizer reads it, also one who takes part in a challenge of another.
    """
    user_id = person.id if person else None
    session.add(
        models.AuditEntry(user_id=user_id, action=action, subject=subject[:80], details=details)
    )


def entries(workbench: Workbench, *, page: int = 1, size: int = 100) -> Sequence[AuditRecord]:
    """What was done, the latest first."""
    query = (
        select(models.AuditEntry, models.User.name)
        .join(models.User, models.AuditEntry.user_id == models.User.id, isouter=True)
        .order_by(models.AuditEntry.id.desc())
        .limit(size)
        .offset((page - 1) * size)
    )
    with workbench.database.reading() as session:
        return [
            AuditRecord(each.at, name, each.action, each.subject, each.details)
            for each, name in session.execute(query)
        ]


# Passwords: hashed by Argon2id, compared in constant time, never kept or logged.

_SHORTEST = 10
_LONGEST = 200


def check_password(password: str, name: str) -> None:
    """See that a password is one.

    Raises:
        SettingError: it is too short or too long, or the name itself.
    """
    if not _SHORTEST <= len(password) <= _LONGEST:
        raise SettingError(
            f"a password has {_SHORTEST} to {_LONGEST} characters",
            hint="four or five words are easy to keep in mind and hard to guess",
        )
    if password.lower() == name.lower():
        raise SettingError("a name is no password", hint="four or five words are")


def hashed(password: str) -> str:
    """What is kept of a password."""
    return _hasher().hash(password)


def is_right(password: str, kept: str | None) -> bool:
    """Whether it is the password of which this was kept; takes as long where nothing was."""
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return _hasher().verify(kept or _nobody(), password) and kept is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()  # the parameters of RFC 9106 for machines with little memory


@cache
def _nobody() -> str:
    """What a password is held against where nobody has the name."""
    return hashed("nobody has this password")


# People and what they are here for.

ALONE = "you"
"""What the one person of a workbench without accounts is called."""

_NAME = re.compile(r"[\w.@+-]{1,80}")


class Role(StrEnum):
    """What somebody is here for."""

    ORGANIZER = "organizer"
    """Makes challenges and projects, and sees what belongs to them."""
    PARTICIPANT = "participant"
    """Takes part in the challenges that they were invited to."""
    ANNOTATOR = "annotator"
    """Judges the items of the projects that they were given."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is known."""

    id: int
    name: str
    role: Role

    @property
    def is_organizer(self) -> bool:
        """Whether they make challenges and projects."""
        return self.role is Role.ORGANIZER


def person_of(user: models.User) -> Person:
    """The person of a row."""
    return Person(user.id, user.name, Role(user.role))


def add_person(
    workbench: Workbench, name: str, role: Role, password: str, *, by: Person | None = None
) -> Person:
    """Let somebody in from now on.

    Raises:
        SettingError: the name or the password is none.
        ConflictError: somebody is called so.
    """
    check_name(name)
    check_password(password, name)
    digest = hashed(password)
    with workbench.database.writing() as session:
        return new_person(session, name, role, digest, by=by)


def new_person(
    session: Session, name: str, role: Role, digest: str | None, *, by: Person | None = None
) -> Person:
    """Add a row for somebody, in a transaction that goes on.

    Raises:
        ConflictError: somebody is called so.
    """
    if session.scalar(select(models.User.id).where(models.User.name == name)) is not None:
        raise ConflictError(f"somebody is called {name!r} already", hint="take another name")
    user = models.User(name=name, role=role.value, password=digest)
    session.add(user)
    session.flush()
    person = person_of(user)
    note(session, by or person, "person.add", f"user {user.id}", role=role.value)
    return person


def the_only_person(workbench: Workbench) -> Person:
    """The one person of a workbench without accounts; nobody can sign in as them."""
    query = select(models.User).where(models.User.name == ALONE)
    with workbench.database.reading() as session:  # no request waits for those that write
        user = session.scalar(query)
    if user is not None:
        return person_of(user)
    with workbench.database.writing() as session:
        user = session.scalar(query)
        return person_of(user) if user else new_person(session, ALONE, Role.ORGANIZER, None)


def people(workbench: Workbench) -> Sequence[models.User]:
    """Everybody, by name."""
    with workbench.database.reading() as session:
        return session.scalars(select(models.User).order_by(models.User.name)).all()


def find_person(session: Session, name: str) -> Person:
    """The person of a name.

    Raises:
        NotFoundError: nobody is called so.
    """
    user = session.scalar(select(models.User).where(models.User.name == name))
    if user is None or user.is_closed:
        raise NotFoundError(f"nobody is called {name!r}")
    return person_of(user)


def set_password(workbench: Workbench, name: str, password: str, *, by: Person | None) -> None:
    """Give somebody another password; whoever is signed in with the old one is signed out.

    Raises:
        SettingError: it is none.
        NotFoundError: nobody is called so.
    """
    check_password(password, name)
    digest = hashed(password)
    with workbench.database.writing() as session:
        person = find_person(session, name)
        session.get_one(models.User, person.id).password = digest
        _sign_out(session, person)
        note(session, by or person, "person.password", f"user {person.id}")


def close_person(workbench: Workbench, name: str, *, by: Person | None) -> None:
    """Let somebody in no more; what they did stays.

    Raises:
        NotFoundError: nobody is called so.
    """
    with workbench.database.writing() as session:
        person = find_person(session, name)
        user = session.get_one(models.User, person.id)
        user.is_closed, user.password = True, None
        _sign_out(session, person)
        for token in session.scalars(
            select(models.Token).where(models.Token.user_id == person.id)
        ).all():
            session.delete(token)
        note(session, by, "person.close", f"user {person.id}")


def _sign_out(session: Session, person: Person) -> None:
    for each in session.scalars(
        select(models.Session).where(models.Session.user_id == person.id)
    ).all():
        session.delete(each)


def check_name(name: str) -> None:
    """See that somebody can be called so.

    Raises:
        SettingError: letters, digits and `.@+-_` only, and somebody is called `you` where nobody signs in.
    """
    if not _NAME.fullmatch(name) or name == ALONE:
        raise SettingError(
            f"nobody can be called {name!r}", hint="1 to 80 letters, digits, and any of . @ + - _"
        )
