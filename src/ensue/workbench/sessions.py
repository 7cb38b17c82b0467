"""Sessions of browsers, tokens of programs, and how often something may be tried."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from sqlalchemy import String, bindparam, delete, select

from ensue.errors import AccessError, NotFoundError, RateError
from ensue.workbench.accounts import Person, is_right, note, person_of
from ensue.workbench.database import models
from ensue.workbench.database.types import Moment, now
from ensue.workbench.workbench import Workbench

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Select

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
                    raise RateError("too often", hint=f"try again in {wait} s")
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
        raise AccessError("nobody has this name and this password")
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
            raise NotFoundError(f"there is no token {token_id}")
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
