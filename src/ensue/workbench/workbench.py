"""The workbench: one database, with the limits that hold in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ensue.errors import OutputError
from ensue.workbench.database import Database, migrate
from ensue.workbench.settings import Limits


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
                f"cannot make {str(database.file.parent)!r}: {error.strerror or error}"
            ) from None
    try:
        migrate(database)
    except BaseException:
        database.close()
        raise
    return Workbench(database, limits or Limits())
