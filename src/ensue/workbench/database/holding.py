"""Numbers that one process holds at a time, and lets go when it ends, however it does."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sqlalchemy import Engine, func, select

from ensue.errors import StorageError

_SPACE = 0x656E73
"""Apart from the locks of other programs in one PostgreSQL database."""


@contextmanager
def held_by_server(engine: Engine, number: int) -> Iterator[bool]:
    """By an advisory lock, which PostgreSQL frees with the connection."""
    with engine.connect() as connection:
        query = select(func.pg_try_advisory_xact_lock(_SPACE, number))
        yield bool(connection.scalar(query))


@contextmanager
def held_by_file(database: Path, number: int) -> Iterator[bool]:
    """By a locked file beside the database, which the system unlocks with the process."""
    path = database.with_name(f"{database.name}-held-{number}")
    with _opened(path) as file:
        is_held = _locked(path, file)
        try:
            yield is_held
        finally:
            if is_held:
                path.unlink(missing_ok=True)


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("wb")
    except OSError as error:
        raise StorageError(
            f"cannot write: {error.strerror or error}",
            place=str(path),
            hint="is there room on the disk?",
        ) from None


def _locked(path: Path, file: IO[bytes]) -> bool:
    """Take the lock; False where another has it, or had it and has removed the file."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.fstat(file.fileno()).st_ino == path.stat().st_ino
    except OSError:
        return False
