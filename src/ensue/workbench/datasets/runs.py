"""Runs over data sets: taken in whole, read back when they are looked at."""

from __future__ import annotations

import tempfile
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock

from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from ensue.errors import AccessError, NotFoundError, RunError
from ensue.pairs import Run, read_run
from ensue.pairs.files import open_input
from ensue.workbench.accounts.auditing import note
from ensue.workbench.accounts.people import Person
from ensue.workbench.database import models
from ensue.workbench.datasets.storing import visible
from ensue.workbench.datasets.uploads import Upload, kept_run
from ensue.workbench.workbench import Workbench

_REMEMBERED = 8
"""Runs that are held as they were read."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run, without its verdicts."""

    id: int
    dataset_id: int
    name: str
    owner: str
    created: datetime
    signature: str | None
    n_verdicts: int
    is_own: bool


def add_run(
    workbench: Workbench, person: Person, dataset_id: int, name: str, upload: Upload
) -> RunRecord:
    """Take in a run over a data set.

    Raises:
        NotFoundError: there is no such data set, or it is not for them.
        RunError: the run is malformed, or judges pairs that the data set does not have.
        LimitError: it is too large.
    """
    with kept_run(upload, workbench.limits) as path:
        run = read_run(path)
        content = path.read_bytes()
        with workbench.database.writing() as session:
            visible(session, person, dataset_id)
            check_ids(session, dataset_id, run, upload.shown)
            row = models.StoredRun(
                dataset_id=dataset_id,
                owner_id=person.id,
                name=(name.strip() or upload.shown)[:120],
                signature=str(run.header.signature) if run.header else None,
                n_verdicts=len(run.verdicts),
                content=zlib.compress(content, 6),
            )
            session.add(row)
            session.flush()
            note(session, person, "run.add", f"run {row.id}", verdicts=row.n_verdicts)
            return _record(row, person.name, person)


def check_ids(session: Session, dataset_id: int, run: Run, name: str) -> None:
    """See that a run judges no pairs that a data set does not have.

    Raises:
        RunError: it does; it says at which line.
    """
    query = select(models.StoredPair.pair_id).where(models.StoredPair.dataset_id == dataset_id)
    known = set(session.scalars(query))
    for i, verdict in enumerate(run.verdicts):
        if verdict.pair_id not in known:
            raise RunError(
                f"the data set has no pair {verdict.pair_id!r}",
                place=f"{name}:{run.lines[i]}" if run.lines else name,
                hint="is this a run over another data set?",
            )


def runs_over(workbench: Workbench, person: Person, dataset_id: int) -> list[RunRecord]:
    """The runs over a data set that this person may see.

    Raises:
        NotFoundError: there is no such data set, or it is not for them.
    """
    with workbench.database.reading() as session:
        visible(session, person, dataset_id)
        query = (
            select(models.StoredRun, models.User.name)
            .join(models.User, models.StoredRun.owner_id == models.User.id)
            .where(models.StoredRun.dataset_id == dataset_id)
            .order_by(models.StoredRun.id)
        )
        return [_record(row, owner, person) for row, owner in session.execute(query)]


def find_run(workbench: Workbench, person: Person, run_id: int) -> RunRecord:
    """A run that this person may see.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    with workbench.database.reading() as session:
        row = _visible_run(session, person, run_id)
        return _record(row, session.get_one(models.User, row.owner_id).name, person)


def remove_run(workbench: Workbench, person: Person, run_id: int) -> None:
    """Remove a run of one's own.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: it is somebody else's.
    """
    with workbench.database.writing() as session:
        row = _visible_run(session, person, run_id)
        if row.owner_id != person.id:
            raise AccessError("this run is somebody else's")
        session.delete(row)
        note(session, person, "run.remove", f"run {run_id}")


_lock = Lock()
_read: OrderedDict[tuple[str, int, datetime], Run] = OrderedDict()


def read_kept_run(workbench: Workbench, person: Person, run_id: int) -> Run:
    """The run itself; the last ones are remembered, as no run ever changes.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    with workbench.database.reading() as session:
        row = _visible_run(session, person, run_id)
        # SQLite gives the number of a run that was removed to the next one
        key = (workbench.database.name, run_id, row.created)
        with _lock:
            known = _read.get(key)
        if known is not None:
            return known
        run = unpacked_run(_content(session, run_id), row.name)
    with _lock:
        _read[key] = run
        while len(_read) > _REMEMBERED:
            _read.popitem(last=False)
    return run


def kept_file(workbench: Workbench, person: Person, run_id: int) -> tuple[bytes, str]:
    """A run as it was uploaded, unpacked, and how the name of its file should end.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    with workbench.database.reading() as session:
        _visible_run(session, person, run_id)
        content = _content(session, run_id)
    with tempfile.TemporaryDirectory(prefix="ensue-") as folder:
        path = Path(folder) / "run"
        path.write_bytes(zlib.decompress(content))
        with open_input(path) as file:
            found = file.read()
    return found, "jsonl" if found.lstrip()[:1] == b"{" else "txt"


def unpacked_run(content: bytes, name: str) -> Run:
    """The run that was kept."""
    with tempfile.TemporaryDirectory(prefix="ensue-") as folder:
        path = Path(folder) / "run"
        path.write_bytes(zlib.decompress(content))
        run = read_run(path)
    return Run(name, run.verdicts, run.lines, run.header, run.ranked)


def _content(session: Session, run_id: int) -> bytes:
    row = session.get_one(
        models.StoredRun,
        run_id,
        options=[undefer(models.StoredRun.content)],
        populate_existing=True,
    )
    return row.content


def _visible_run(session: Session, person: Person, run_id: int) -> models.StoredRun:
    """The row of a run that this person may see; to others it says what it says of none."""
    row = session.get(models.StoredRun, run_id)
    if row is not None:
        try:
            visible(session, person, row.dataset_id)
            return row
        except NotFoundError:
            pass
    raise NotFoundError(f"there is no run {run_id}")


def _record(row: models.StoredRun, owner: str, person: Person) -> RunRecord:
    return RunRecord(
        id=row.id,
        dataset_id=row.dataset_id,
        name=row.name,
        owner=owner,
        created=row.created,
        signature=row.signature,
        n_verdicts=row.n_verdicts,
        is_own=row.owner_id == person.id,
    )
