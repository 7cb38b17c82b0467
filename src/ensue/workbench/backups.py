"""Backups: every row of every table in one file, for the same database or for another kind."""

from __future__ import annotations

import base64
import io
import json
import os
import zipfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, LargeBinary, Table, func, insert, select, text

from ensue import __version__
from ensue.errors import ConflictError, DataError, OutputError
from ensue.files import writable
from ensue.workbench.database import models
from ensue.workbench.database.connection import current_revision
from ensue.workbench.database.models import Moment
from ensue.workbench.workbench import Workbench

_ABOUT = "backup.json"
_ROWS = 500


def backup(workbench: Workbench, target: Path) -> int:
    """Write a backup while the workbench goes on, and give the number of its rows.

    It is one state of the database, is written under another name and renamed, and can be read by
    its owner alone: hashes of passwords are in it.

    Raises:
        OutputError: it cannot be written, or is there already.
    """
    if target.exists():
        raise OutputError(
            "is-there-already", f"{str(target)!r} is there already", hint="name another file"
        )
    temporary = target.with_name(f".{target.name}.partial")
    with writable(target):
        try:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file, workbench.database.reading() as session:
                connection = session.connection(
                    execution_options=_one_state(workbench.database.engine.dialect.name)
                )
                n_rows = _write(file, connection)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    return n_rows


def _one_state(dialect: str) -> dict[str, Any]:
    return {"isolation_level": "REPEATABLE READ"} if dialect == "postgresql" else {}


def _write(file: io.BufferedWriter, connection: Connection) -> int:
    counts = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for table in models.MappedTable.metadata.sorted_tables:
            with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as member:
                counts[table.name] = 0
                for row in connection.execute(select(table)).yield_per(_ROWS):
                    line = json.dumps([_packed(value) for value in row])
                    member.write(f"{line}\n".encode())
                    counts[table.name] += 1
        about = {
            "ensue_backup": 1,
            "version": __version__,
            "revision": current_revision(connection),
            "rows": counts,
        }
        archive.writestr(_ABOUT, json.dumps(about, indent=2))
    return sum(counts.values())


def _packed(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.isoformat() if isinstance(value, datetime) else value


def restore(workbench: Workbench, source: Path) -> int:
    """Fill an empty workbench from a backup, all of it or nothing; gives the number of rows.

    Raises:
        DataError: the file is no backup, is broken, or of another version.
        ConflictError: something is in the workbench.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            about = json.loads(archive.read(_ABOUT))
            with workbench.database.writing() as session:
                return _read(archive, about, session.connection(), str(source))
    except (OSError, zipfile.BadZipFile, zlib.error, KeyError, ValueError) as error:
        raise DataError(
            "no-whole-backup", f"this is no whole backup: {error}", place=str(source)
        ) from None


def _read(
    archive: zipfile.ZipFile, about: dict[str, Any], connection: Connection, place: str
) -> int:
    present = current_revision(connection)
    if about["revision"] != present:
        raise DataError(
            "backup-tables-another-version",
            f"the backup has the tables of another version ({about['revision']}, not {present})",
            place=place,
            hint=f"restore it with ensue {about['version']}, and update then",
        )
    total = 0
    for table in models.MappedTable.metadata.sorted_tables:
        if connection.scalar(select(func.count()).select_from(table)):
            raise ConflictError(
                "something-workbench",
                f"something is in the workbench: {table.name}",
                hint="restore into an empty one",
            )
        n_rows = 0
        for rows in _batches(archive, table):
            connection.execute(insert(table), rows)
            n_rows += len(rows)
        if n_rows != about["rows"][table.name]:
            raise ValueError(f"{n_rows} rows of {table.name} and not {about['rows'][table.name]}")
        _go_on_counting(connection, table)
        total += n_rows
    return total


def _batches(archive: zipfile.ZipFile, table: Table) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    with archive.open(f"{table.name}.jsonl") as member:
        for line in member:
            values = json.loads(line)
            columns = zip(table.columns, values, strict=True)
            batch.append({column.name: _unpacked(column.type, value) for column, value in columns})
            if len(batch) == _ROWS:
                yield batch
                batch = []
    if batch:
        yield batch


def _unpacked(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(kind, LargeBinary):
        return base64.b64decode(value)
    return datetime.fromisoformat(value).astimezone(UTC) if isinstance(kind, Moment) else value


def _go_on_counting(connection: Connection, table: Table) -> None:
    """Let new rows get numbers after the restored ones; SQLite does so by itself."""
    if connection.dialect.name != "postgresql" or "id" not in table.columns:
        return
    highest = connection.scalar(select(func.max(table.columns["id"])))
    if highest is not None:
        connection.execute(
            text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :highest)"),
            {"name": table.name, "highest": highest},
        )
