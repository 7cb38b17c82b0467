"""The database, SQLite or PostgreSQL: transactions, locks, and migration to this version."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event, func, make_url, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import QueuePool

from ensue.errors import ConflictError, SettingError, StorageError
from ensue.installation import install_extra

if TYPE_CHECKING:
    from alembic.config import Config

# Numbers that one process holds at a time, and lets go when it ends, however it does.

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
            "cannot-write",
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


# The database: SQLite beside the program, or PostgreSQL for teams; read and written in
# transactions.

_PATIENCE = 30.0
"""Seconds that a transaction waits for another that writes."""
_KINDS = ("sqlite", "postgresql")


class Database:
    """Where everything is kept. Transactions are short, and whole or not at all."""

    def __init__(self, url: str) -> None:
        """Name it; nothing is opened yet.

        Raises:
            SettingError: no database is named so, or the package for it is not installed.
        """
        self.url = _url(url)
        self.engine = _engine(self.url)

    @property
    def name(self) -> str:
        """What it is called in messages, without a password."""
        return self.url.render_as_string(hide_password=True)

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database."""
        named = self.url.database
        return Path(named) if named and self.url.get_backend_name() == "sqlite" else None

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that sees one state, and changes nothing.

        Raises:
            StorageError: the database does not answer.
        """
        with _told(self.name), Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction that is committed at its end, or leaves nothing behind.

        Raises:
            StorageError: the database does not answer, or cannot be written.
            ConflictError: somebody else did at the same moment what can be done once.
            SettingError: a value is none that a database keeps, e.g. a null character.
        """
        writer = self.engine.execution_options(writes=True)
        with _told(self.name), Session(writer, expire_on_commit=False) as session:
            yield session
            session.commit()

    @contextmanager
    def holding(self, number: int) -> Iterator[bool]:
        """Hold a number while something is done; False where somebody else does already.

        It is let go in the end, or with this process, however that ends: nobody waits for the dead.

        Raises:
            StorageError: the database does not answer.
        """
        file = self.file
        taken = held_by_server(self.engine, number) if file is None else held_by_file(file, number)
        with _told(self.name), taken as is_held:
            yield is_held

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Say in our own words that the database fails; what the program did wrong stays a bug."""
    from sqlalchemy.exc import DataError, IntegrityError, OperationalError, TimeoutError

    try:
        yield
    except IntegrityError as error:
        raise ConflictError(
            "somebody-same-took-something",
            "somebody did the same, or took something away, at this moment",
            hint="look, and try again",
        ) from error
    except (DataError, UnicodeEncodeError) as error:
        reason = _reason(error) if isinstance(error, DataError) else "half a character"
        raise SettingError("cannot-kept", f"this cannot be kept: {reason}") from error
    except (OperationalError, TimeoutError) as error:
        raise StorageError(
            "database-not-answer",
            f"the database does not answer: {_reason(error)}",
            place=name,
            hint="is the server running, and is there room on the disk?",
        ) from error


def _reason(error: SQLAlchemyError) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(cause).strip().splitlines()[0] if cause else type(error).__name__


def _url(named: str) -> URL:
    try:
        url = make_url(named)
    except ArgumentError:
        raise SettingError(
            "no-database-named", f"no database is named {named!r}", hint=_HINT
        ) from None
    backend = url.get_backend_name()
    if backend not in _KINDS:
        raise SettingError(
            "databases-kind-not-used",
            f"databases of the kind {backend!r} are not used here",
            hint=_HINT,
        )
    return url.set(drivername="postgresql+psycopg") if backend == "postgresql" else url


_HINT = "sqlite:///FILE, or postgresql://USER@HOST/NAME"


def _engine(url: URL) -> Engine:
    try:
        if url.get_backend_name() == "sqlite":
            return _sqlite(url)
        return create_engine(
            url, pool_pre_ping=True, pool_size=10, max_overflow=20, hide_parameters=True
        )
    except (ImportError, NoSuchModuleError) as error:
        raise SettingError(
            "package-database-not-installed",
            f"the package for this database is not installed: {error}",
            hint=f"run: {install_extra('postgresql')}",
        ) from None


def _sqlite(url: URL) -> Engine:
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=10,
        max_overflow=30,
        connect_args={"timeout": _PATIENCE, "check_same_thread": False},
        hide_parameters=True,  # texts and gold are none of the log's business
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, record: Any) -> None:  # noqa: ARG001 - as SQLAlchemy calls it
    connection.isolation_level = None  # transactions are begun below, and not by the driver
    connection.create_function("lower", 1, _lower, deterministic=True)  # SQLite's own knows ASCII
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _begin(connection: Connection) -> None:
    """Take the right to write at once: whoever has read before may be too late for it."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


# Bringing a database to the tables that this version has.

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
                "database-tables-another-version",
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
