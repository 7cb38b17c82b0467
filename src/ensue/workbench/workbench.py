"""The workbench: one database, with the limits that hold in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ensue.errors import OutputError
from ensue.workbench.database.connection import Database, migrate

# How much a workbench takes in.


@dataclass(frozen=True, slots=True)
class Limits:
    """What is too much; beyond it there is an error that says so."""

    upload_bytes: int = 64 << 20
    """Of a file that is uploaded."""
    unpacked_bytes: int = 512 << 20
    """Of the same, if it is packed."""
    line_bytes: int = 4 << 20
    """Of a line, unpacked; XML is read without regard to lines."""
    pairs: int = 200_000
    """In a data set; and verdicts in a run."""
    text: int = 50_000
    """Characters of a text that is tried."""
    hypothesis: int = 10_000
    """Characters of a hypothesis, or of the claims against a document."""
    at_once: int = 20_000
    """Verdicts of a run that is scored while its team waits; larger ones are scored after it."""
    tries: int = 10
    """Wrong passwords in five minutes, for one name or from one address."""
    requests: int = 600
    """Requests that change something, in a minute, by one person or from one address."""


# The workbench: one database, with the limits that hold in it.


@dataclass(frozen=True, slots=True)
class Workbench:
    """What every part of the workbench is asked with."""

    database: Database
    limits: Limits = field(default_factory=Limits)

    def close(self) -> None:
        """Close all connections."""
        self.database.close()


def default_url(folder: Path) -> str:
    """The database that a folder holds where none is named."""
    return f"sqlite:///{folder.absolute() / 'workbench.sqlite'}"


def open_workbench(url: str, limits: Limits | None = None) -> Workbench:
    """Open a database and bring its tables to this version; it is made where there is none.

    Raises:
        SettingError: no database is named so.
        OutputError: its folder cannot be made.
        StorageError: it does not answer, or is of a later version.
    """
    database = Database(url)
    if database.file is not None:
        try:
            database.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise OutputError(
                "cannot-make",
                f"cannot make {str(database.file.parent)!r}: {error.strerror or error}",
            ) from None
    try:
        migrate(database)
    except BaseException:
        database.close()
        raise
    return Workbench(database, limits or Limits())
