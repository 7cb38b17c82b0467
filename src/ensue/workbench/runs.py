"""Runs over data sets, and the pairs of a data set beside them."""

from __future__ import annotations

import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from threading import Lock

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session, undefer
from sqlalchemy.sql.elements import ColumnElement

from ensue.errors import AccessError, NotFoundError, RunError
from ensue.files import open_input
from ensue.pairs import Label, Pair, Run, Verdict, View, coarser_view, read_run
from ensue.workbench.accounts import Person, note
from ensue.workbench.database import models
from ensue.workbench.datasets import pair_of, visible
from ensue.workbench.uploads import Upload, kept_run
from ensue.workbench.workbench import Workbench

# Runs over data sets: taken in whole, read back when they are looked at.

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
                "data-set-no-pair",
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


def remove_run(workbench: Workbench, person: Person, run_id: int) -> None:
    """Remove a run of one's own.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: it is somebody else's.
    """
    with workbench.database.writing() as session:
        row = _visible_run(session, person, run_id)
        if row.owner_id != person.id:
            raise AccessError("run-somebody-else", "this run is somebody else's")
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
    with _unpacked(content) as path, open_input(path) as file:
        found = file.read()
    return found, "jsonl" if found.lstrip()[:1] == b"{" else "txt"


def unpacked_run(content: bytes, name: str) -> Run:
    """The run that was kept."""
    with _unpacked(content) as path:
        run = read_run(path)
    return Run(name, run.verdicts, run.lines, run.header, run.ranked)


@contextmanager
def _unpacked(content: bytes) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="ensue-") as folder:
        path = Path(folder) / "run"
        path.write_bytes(zlib.decompress(content))
        yield path


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
    raise NotFoundError("no-run", f"there is no run {run_id}")


def _record(row: models.StoredRun, owner: str, person: Person) -> RunRecord:
    return models.record_of(RunRecord, row, owner=owner, is_own=row.owner_id == person.id)


# Looking through the pairs of a data set, with what runs say beside gold.

PAGE = 50
"""Pairs on a page."""
NO_GOLD = "none"


class PairOutcome(StrEnum):
    """What became of a pair in the runs beside it."""

    ANY = ""
    WRONG = "wrong"
    """Some run has another answer than gold."""
    RIGHT = "right"
    """All runs are right."""
    UNANSWERED = "unanswered"
    """Some run has no answer."""
    DISPUTED = "disputed"
    """Two runs have different answers."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which pairs are wanted; what is empty does not matter."""

    gold: str = ""
    task: str = ""
    words: str = ""
    """In the text, the hypothesis or the id."""
    outcome: PairOutcome = PairOutcome.ANY
    page: int = 1
    ids: tuple[str, ...] = ()
    """Of these pairs alone."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair with what each run says of it."""

    pair: Pair
    verdicts: tuple[Verdict | None, ...]
    right: tuple[bool | None, ...]
    """Whether each verdict is gold's; None where one of the two is missing."""


@dataclass(frozen=True, slots=True)
class PairPage:
    """A page of pairs."""

    rows: tuple[PairRow, ...]
    has_more: bool
    n_found: int | None
    """How many there are in all; None where they were not counted."""
    tasks: tuple[str, ...]
    """All tasks of the data set."""


def look(
    workbench: Workbench,
    person: Person,
    dataset_id: int,
    wanted: Filter,
    run_ids: Sequence[int] = (),
) -> PairPage:
    """A page of the pairs that are wanted.

    Raises:
        NotFoundError: there is no such data set or run, or it is not for them.
    """
    runs = [read_kept_run(workbench, person, each) for each in run_ids]
    said = [{verdict.pair_id: verdict for verdict in run.verdicts} for run in runs]
    with workbench.database.reading() as session:
        visible(session, person, dataset_id)
        conditions = _conditions(dataset_id, wanted)
        tasks = _tasks(session, dataset_id)
        view = _view(session, dataset_id, runs)
        start = (wanted.page - 1) * PAGE
        if wanted.outcome is PairOutcome.ANY:
            n_found = session.scalar(select(func.count()).where(*conditions)) or 0
            pairs = _pairs(session, conditions, start, PAGE + 1)
            found = [_row(pair, said, view) for pair in pairs]
            return PairPage(tuple(found[:PAGE]), len(found) > PAGE, n_found, tasks)
        rows = (_row(pair, said, view) for pair in _pairs(session, conditions))
        matching = [row for row in rows if _has(row, wanted.outcome, view)]
    page = matching[start : start + PAGE]
    return PairPage(tuple(page), len(matching) > start + PAGE, len(matching), tasks)


def _conditions(dataset_id: int, wanted: Filter) -> list[ColumnElement[bool]]:
    pairs = models.StoredPair
    conditions: list[ColumnElement[bool]] = [pairs.dataset_id == dataset_id]
    if wanted.gold:
        gold = None if wanted.gold == NO_GOLD else wanted.gold
        conditions.append(pairs.gold.is_(None) if gold is None else pairs.gold == gold)
    if wanted.task:
        conditions.append(pairs.task == wanted.task)
    if wanted.ids:
        conditions.append(pairs.pair_id.in_([each.replace("\x00", "") for each in wanted.ids]))
    for word in wanted.words.replace("\x00", "").split()[:10]:
        columns = (pairs.text, pairs.hypothesis, pairs.pair_id)
        conditions.append(or_(*(each.icontains(word, autoescape=True) for each in columns)))
    return conditions


def _pairs(
    session: Session,
    conditions: Sequence[ColumnElement[bool]],
    start: int = 0,
    most: int | None = None,
) -> Iterator[Pair]:
    query = select(models.StoredPair).where(*conditions).order_by(models.StoredPair.number)
    if most is not None:
        query = query.offset(start).limit(most)
    return map(pair_of, session.scalars(query))


def _tasks(session: Session, dataset_id: int) -> tuple[str, ...]:
    query = (
        select(models.StoredPair.task)
        .where(models.StoredPair.dataset_id == dataset_id, models.StoredPair.task.is_not(None))
        .distinct()
        .order_by(models.StoredPair.task)
    )
    return tuple(task for task in session.scalars(query) if task)


def _view(session: Session, dataset_id: int, runs: Sequence[Run]) -> View:
    """The view in which gold and runs can be compared."""
    query = select(models.StoredPair.gold).where(models.StoredPair.dataset_id == dataset_id)
    labels = {Label(gold) for gold in session.scalars(query.distinct()) if gold}
    labels |= {each.label for run in runs for each in run.verdicts if each.label}
    return coarser_view(labels)


def _row(pair: Pair, said: Sequence[dict[str, Verdict]], view: View) -> PairRow:
    verdicts = tuple(each.get(pair.id) for each in said)
    gold = pair.gold
    right = tuple(
        None
        if gold is None or each is None or each.label is None
        else view.of(each.label) is view.of(gold)
        for each in verdicts
    )
    return PairRow(pair, verdicts, right)


def _has(row: PairRow, outcome: PairOutcome, view: View) -> bool:
    labels = [each.label if each else None for each in row.verdicts]
    if outcome is PairOutcome.WRONG:
        return False in row.right
    if outcome is PairOutcome.RIGHT:
        return bool(row.right) and all(row.right)
    if outcome is PairOutcome.UNANSWERED:
        return None in labels
    return len({view.of(label) for label in labels if label is not None}) > 1
