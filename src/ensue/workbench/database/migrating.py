"""Bringing a database to the tables that this version has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text

from ensue.errors import StorageError
from ensue.workbench.database.database import Database

if TYPE_CHECKING:
    from alembic.config import Config

_SCRIPTS = Path(__file__).parent / "migrations"
_LOCK = 0x656E737565
"""What two servers that start at once hold one after the other, on PostgreSQL."""


def migrate(database: Database) -> None:
    """Make the tables, or change them, step by step, in one transaction.

    Raises:
        StorageError: the database is of a later version.
    """
    from alembic import command
    from alembic.script import ScriptDirectory

    writer = database.engine.execution_options(writes=True)
    with writer.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        config = alembic_config(connection)
        known = {each.revision for each in ScriptDirectory.from_config(config).walk_revisions()}
        present = current_revision(connection)
        if present is not None and present not in known:
            raise StorageError(
                f"the database has the tables of another version ({present})",
                place=database.name,
                hint="update ensue, or restore a backup that this version made",
            )
        command.upgrade(config, "head")


def current_revision(connection: Connection) -> str | None:
    """Of which version the tables are; None where there are none."""
    from alembic.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision()


def alembic_config(connection: Connection) -> Config:
    """What Alembic needs to know."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
