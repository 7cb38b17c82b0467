"""People and their passwords, sessions of browsers, tokens of programs, and the audit log."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sqlalchemy import String, bindparam, delete, select
from sqlalchemy.orm import Session

from ensue.errors import AccessError, ConflictError, NotFoundError, RateError, SettingError
from ensue.workbench.database import models
from ensue.workbench.database.models import Moment, now
from ensue.workbench.workbench import Workbench

if TYPE_CHECKING:
    from datetime import datetime

    from argon2 import PasswordHasher
    from sqlalchemy import Select

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
            models.record_of(AuditRecord, each, who=name) for each, name in session.execute(query)
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
            "password-characters",
            f"a password has {_SHORTEST} to {_LONGEST} characters",
            hint="four or five words are easy to keep in mind and hard to guess",
        )
    if password.lower() == name.lower():
        raise SettingError(
            "name-no-password", "a name is no password", hint="four or five words are"
        )


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
        raise ConflictError(
            "somebody-called-already",
            f"somebody is called {name!r} already",
            hint="take another name",
        )
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
        raise NotFoundError("nobody-called", f"nobody is called {name!r}")
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
            "nobody-called",
            f"nobody can be called {name!r}",
            hint="1 to 80 letters, digits, and any of . @ + - _",
        )


# Secrets that are shown once: made at random, kept as a digest.


def new_secret(kind: str) -> str:
    """A secret that nobody can guess, with its kind before it."""
    return f"{kind}_{secrets.token_urlsafe(32)}"


def digest_of(secret: str) -> str:
    """What is kept of it; there is nothing to guess, so that a quick hash is as good as a slow one."""
    return sha256(secret.encode()).hexdigest()


# How often something may be tried: counted in this process, forgotten with it.

_MOST = 10_000
"""Names and addresses that are remembered."""


class Limiter:
    """Lets something happen so many times in so many seconds, for each key."""

    def __init__(
        self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, *keys: str) -> None:
        """Count it, if there was not too much of it.

        Raises:
            RateError: there was, for one of the keys; it says how long to wait.
        """
        with self._lock:
            now = self._clock()
            for key in keys:
                times = self._recent(key, now)
                if len(times) >= self._most:
                    wait = max(1, round(self._seconds - (now - times[0])))
                    raise RateError("too-often", "too often", hint=f"try again in {wait} s")
            for key in keys:
                self._recent(key, now).append(now)

    def forgive(self, *keys: str) -> None:
        """Take back what was counted last."""
        with self._lock:
            for key in keys:
                times = self._times.get(key)
                if times:
                    times.pop()

    def _recent(self, key: str, now: float) -> deque[float]:
        times = self._times.setdefault(key, deque())
        self._times.move_to_end(key)
        while times and now - times[0] > self._seconds:
            times.popleft()
        while len(self._times) > _MOST:
            self._times.popitem(last=False)
        return times


# Signing in: browsers by a password, programs by a token.

SESSION = timedelta(days=14)
"""How long a browser stays signed in."""
_SEEN = timedelta(minutes=10)
"""How exactly it is known when a token was last used."""


def sign_in(workbench: Workbench, name: str, password: str) -> tuple[Person, str]:
    """Let a browser in: the person, and what its cookie has to say.

    Raises:
        AccessError: nobody has this name and this password.
    """
    user = _known(workbench, name, password)
    secret = new_secret("session")
    with workbench.database.writing() as session:
        session.execute(delete(models.Session).where(models.Session.expires < now()))
        session.add(
            models.Session(user_id=user.id, digest=digest_of(secret), expires=now() + SESSION)
        )
        note(session, person_of(user), "session.begin", f"user {user.id}")
    return person_of(user), secret


def check_known(workbench: Workbench, name: str, password: str) -> None:
    """See that somebody has this name and this password.

    Raises:
        AccessError: nobody does.
    """
    _known(workbench, name, password)


def _known(workbench: Workbench, name: str, password: str) -> models.User:
    with workbench.database.reading() as session:
        user = session.scalar(select(models.User).where(models.User.name == name))
    kept = user.password if user is not None and not user.is_closed else None
    if not is_right(password, kept) or user is None:
        raise AccessError("nobody-name-password", "nobody has this name and this password")
    return user


def signed_in(workbench: Workbench, secret: str) -> Person | None:
    """Who has a cookie that says this; None where it is nobody's, or too old."""
    with workbench.database.reading() as session:
        user = session.scalar(_by_session(), {"digest": digest_of(secret), "moment": now()})
    return person_of(user) if user is not None and not user.is_closed else None


@cache
def _by_session() -> Select[models.User]:
    """Put together once: every request of a browser asks."""
    return (
        select(models.User)
        .join(models.Session, models.Session.user_id == models.User.id)
        .where(
            models.Session.digest == bindparam("digest", type_=String),
            models.Session.expires > bindparam("moment", type_=Moment),
        )
    )


def sign_out(workbench: Workbench, secret: str) -> None:
    """Let a browser in no more."""
    with workbench.database.writing() as session:
        session.execute(delete(models.Session).where(models.Session.digest == digest_of(secret)))


def add_token(workbench: Workbench, person: Person, name: str) -> str:
    """A token with which a program does what this person may do; it is shown once."""
    secret = new_secret("ensue")
    with workbench.database.writing() as session:
        session.add(
            models.Token(
                user_id=person.id, name=name.strip()[:80] or "token", digest=digest_of(secret)
            )
        )
        note(session, person, "token.add", f"user {person.id}", name=name.strip()[:80])
    return secret


def tokens(workbench: Workbench, person: Person) -> Sequence[models.Token]:
    """The tokens of a person."""
    query = select(models.Token).where(models.Token.user_id == person.id).order_by(models.Token.id)
    with workbench.database.reading() as session:
        return session.scalars(query).all()


def remove_token(workbench: Workbench, person: Person, token_id: int) -> None:
    """Let nobody in with it any more.

    Raises:
        NotFoundError: this person has no such token.
    """
    with workbench.database.writing() as session:
        token = session.get(models.Token, token_id)
        if token is None or token.user_id != person.id:
            raise NotFoundError("no-token", f"there is no token {token_id}")
        session.delete(token)
        note(session, person, "token.remove", f"token {token_id}")


def bearer(workbench: Workbench, secret: str) -> Person | None:
    """Who has this token; None where it is nobody's."""
    with workbench.database.reading() as session:
        found = session.execute(_by_token(), {"digest": digest_of(secret)}).first()
    if found is None or found[0].is_closed:
        return None
    user, token_id, used = found
    if used is None or now() - used > _SEEN:
        with workbench.database.writing() as session:
            session.get_one(models.Token, token_id).used = now()
    return person_of(user)


@cache
def _by_token() -> Select[models.User, int, datetime | None]:
    """The same for programs."""
    return (
        select(models.User, models.Token.id, models.Token.used)
        .join(models.Token, models.Token.user_id == models.User.id)
        .where(models.Token.digest == bindparam("digest", type_=String))
    )
