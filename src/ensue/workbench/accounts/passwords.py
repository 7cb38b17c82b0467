"""Passwords: hashed by Argon2id, compared in constant time, never kept or logged."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ensue.errors import SettingError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

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
