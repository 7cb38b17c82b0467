"""Data sets in the database: who sees them, and their pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, or_, select
from sqlalchemy.orm import Session

from ensue.errors import AccessError, ConflictError, DataError, NotFoundError
from ensue.pairs import Finding, Label, Pair, pairs_hash, read_located_pairs, with_unique_ids
from ensue.workbench.accounts import Person, note
from ensue.workbench.database import models
from ensue.workbench.database.models import writable_text
from ensue.workbench.uploads import Upload, kept, within
from ensue.workbench.workbench import Limits, Workbench

_TOLD = 50
"""Findings that are kept."""
_ROWS = 2000
_LONGEST_ID = 255


@dataclass(frozen=True, slots=True)
class DataRecord:
    """A data set, without its pairs."""

    id: int
    name: str
    owner: str
    created: datetime
    n_pairs: int
    n_gold: int
    digest: str
    is_shared: bool
    is_own: bool
    """Whether it belongs to the one who asks."""
    findings: tuple[str, ...]


def add_dataset(workbench: Workbench, person: Person, name: str, upload: Upload) -> DataRecord:
    """Take in the pairs of a file, all or none.

    Raises:
        DataError: it cannot be read, or holds no pairs.
        LimitError: it is too large.
    """
    pairs, findings = uploaded_pairs(upload, workbench.limits)
    with workbench.database.writing() as session:
        row = new_dataset(session, person, name.strip() or upload.shown, pairs, findings)
        return _record(row, person.name, person)


def uploaded_pairs(upload: Upload, limits: Limits) -> tuple[list[Pair], list[Finding]]:
    """The pairs of a file, and what was found when it was read.

    Raises:
        DataError: it cannot be read, or holds no pairs.
        LimitError: it is too large.
    """
    findings: list[Finding] = []
    with kept(upload, limits) as path:
        located = read_located_pairs(path, on_finding=findings.append)
        pairs = list(within(with_unique_ids(located, str(path)), limits))
    if not pairs:
        raise DataError("no-pairs-file", "there are no pairs in this file", place=upload.shown)
    return pairs, findings


def new_dataset(
    session: Session,
    person: Person,
    name: str,
    pairs: Sequence[Pair],
    findings: Sequence[Finding] = (),
) -> models.DataSet:
    """Add a data set, in a transaction that goes on."""
    row = models.DataSet(
        name=name[:120],
        owner_id=person.id,
        n_pairs=len(pairs),
        n_gold=sum(pair.gold is not None for pair in pairs),
        digest=pairs_hash(pairs),
        findings=[f"{each.severity.value}: {each.message}" for each in findings[:_TOLD]],
    )
    session.add(row)
    session.flush()
    rows = [_stored(row.id, number, pair) for number, pair in enumerate(pairs)]
    for start in range(0, len(rows), _ROWS):
        session.execute(insert(models.StoredPair), rows[start : start + _ROWS])
    note(session, person, "data.add", f"data {row.id}", pairs=len(pairs))
    return row


def _stored(dataset_id: int, number: int, pair: Pair) -> dict[str, Any]:
    return {
        "dataset_id": dataset_id,
        "number": number,
        "pair_id": _id(pair),
        "text": writable_text(pair.text),
        "hypothesis": writable_text(pair.hypothesis),
        "gold": pair.gold.value if pair.gold else None,
        "task": writable_text(pair.task)[:120] if pair.task else None,
        "meta": _plain(dict(pair.meta)),
    }


def _plain(value: Any) -> Any:
    """What JSON can hold of what a file holds beside pairs: of others, e.g. dates, what they say."""
    if isinstance(value, dict):
        return {writable_text(str(key)): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    return writable_text(str(value))


def _id(pair: Pair) -> str:
    """The id as it is, since runs call the pair by it.

    Raises:
        DataError: a database cannot keep it.
    """
    if len(pair.id) > _LONGEST_ID or writable_text(pair.id) != pair.id:
        raise DataError(
            "id-cannot-kept",
            f"the id {pair.id[:60]!r} cannot be kept",
            hint=f"an id has up to {_LONGEST_ID} characters, and no null character",
        )
    return pair.id


def datasets_for(workbench: Workbench, person: Person) -> list[DataRecord]:
    """What this person may see, the latest first."""
    query = (
        select(models.DataSet, models.User.name)
        .join(models.User, models.DataSet.owner_id == models.User.id)
        .where(or_(models.DataSet.owner_id == person.id, models.DataSet.is_shared))
        .order_by(models.DataSet.id.desc())
    )
    with workbench.database.reading() as session:
        return [_record(row, name, person) for row, name in session.execute(query)]


def find_dataset(workbench: Workbench, person: Person, dataset_id: int) -> DataRecord:
    """A data set that this person may see.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    with workbench.database.reading() as session:
        row = visible(session, person, dataset_id)
        owner = session.get_one(models.User, row.owner_id)
        return _record(row, owner.name, person)


def visible(session: Session, person: Person, dataset_id: int) -> models.DataSet:
    """The row of a data set that this person may see.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    row = session.get(models.DataSet, dataset_id)
    if row is None or not (row.owner_id == person.id or row.is_shared):
        raise NotFoundError("no-data-set", f"there is no data set {dataset_id}")
    return row


def share_dataset(workbench: Workbench, person: Person, dataset_id: int, *, shared: bool) -> None:
    """Let everybody who signs in see a data set, gold and all; or its owner alone again.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: it is somebody else's.
        ConflictError: it is the test data of a challenge that is not over.
    """
    with workbench.database.writing() as session:
        row = owned(session, person, dataset_id)
        if shared and is_hidden(session, row):
            raise ConflictError(
                "test-data-challenge-not",
                "it is the test data of a challenge that is not published",
                hint="publish the challenge first",
            )
        row.is_shared = shared
        row.was_shared = row.was_shared or shared
        note(session, person, "data.share", f"data {row.id}", shared=shared)


def remove_dataset(workbench: Workbench, person: Person, dataset_id: int) -> None:
    """Remove a data set with its pairs and runs.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: it is somebody else's.
        ConflictError: a challenge needs it.
    """
    with workbench.database.writing() as session:
        row = owned(session, person, dataset_id)
        needed = session.scalar(
            select(models.Challenge.id).where(
                or_(
                    models.Challenge.development_id == row.id,
                    models.Challenge.test_id == row.id,
                )
            )
        )
        if needed is not None:
            raise ConflictError("challenge-needs-data-set", "a challenge needs this data set")
        for table in (models.StoredRun, models.StoredPair, models.ProjectData):
            session.execute(delete(table).where(table.dataset_id == row.id))
        session.delete(row)
        note(session, person, "data.remove", f"data {dataset_id}")


def owned(session: Session, person: Person, dataset_id: int) -> models.DataSet:
    """The row of a data set that belongs to this person, held until the transaction ends.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: they may see it, and it is somebody else's.
    """
    row = visible(session, person, dataset_id)
    if row.owner_id != person.id:
        raise AccessError("data-set-somebody-else", "this data set is somebody else's")
    # nobody shares what a challenge is made of meanwhile
    return models.held(session, models.DataSet, dataset_id)


def kept_pairs(session: Session, dataset_id: int) -> Iterator[Pair]:
    """The pairs of a data set, in order."""
    columns = models.StoredPair  # and not the rows as objects, which take twice as long
    query = (
        select(
            columns.pair_id,
            columns.text,
            columns.hypothesis,
            columns.gold,
            columns.task,
            columns.meta,
        )
        .where(columns.dataset_id == dataset_id)
        .order_by(columns.number)
    )
    for pair_id, text, hypothesis, gold, task, meta in session.execute(query).yield_per(_ROWS):
        yield Pair(pair_id, text, hypothesis, _label(gold), task, meta)


def pair_of(row: models.StoredPair) -> Pair:
    """The pair of a row."""
    return Pair(row.pair_id, row.text, row.hypothesis, _label(row.gold), row.task, row.meta)


def _label(gold: str | None) -> Label | None:
    return Label(gold) if gold else None


def is_hidden(session: Session, row: models.DataSet) -> bool:
    """Whether its gold, or that of the same pairs of its owner's, is hidden in a challenge."""
    query = (
        select(models.Challenge.id)
        .join(models.DataSet, models.DataSet.id == models.Challenge.test_id)
        .where(
            models.DataSet.digest == row.digest,
            models.DataSet.owner_id == row.owner_id,
            models.Challenge.published.is_(None),
        )
    )
    return session.scalar(query) is not None


def _record(row: models.DataSet, owner: str, person: Person) -> DataRecord:
    is_own, findings = row.owner_id == person.id, tuple(row.findings)
    return models.record_of(DataRecord, row, owner=owner, is_own=is_own, findings=findings)
