"""Looking through the pairs of a data set, with what runs say beside gold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session
from sqlalchemy.sql.elements import ColumnElement

from ensue.pairs import Label, Pair, Run, Verdict, View, coarser_view
from ensue.workbench.accounts.people import Person
from ensue.workbench.database import models
from ensue.workbench.datasets.runs import read_kept_run
from ensue.workbench.datasets.storing import pair_of, visible
from ensue.workbench.workbench import Workbench

PAGE = 50
"""Pairs on a page."""
NO_GOLD = "none"


class Outcome(StrEnum):
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
    outcome: Outcome = Outcome.ANY
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
class LookedAt:
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
) -> LookedAt:
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
        if wanted.outcome is Outcome.ANY:
            n_found = session.scalar(select(func.count()).where(*conditions)) or 0
            pairs = _pairs(session, conditions, start, PAGE + 1)
            found = [_row(pair, said, view) for pair in pairs]
            return LookedAt(tuple(found[:PAGE]), len(found) > PAGE, n_found, tasks)
        rows = (_row(pair, said, view) for pair in _pairs(session, conditions))
        matching = [row for row in rows if _has(row, wanted.outcome, view)]
    page = matching[start : start + PAGE]
    return LookedAt(tuple(page), len(matching) > start + PAGE, len(matching), tasks)


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


def _has(row: PairRow, outcome: Outcome, view: View) -> bool:
    labels = [each.label if each else None for each in row.verdicts]
    if outcome is Outcome.WRONG:
        return False in row.right
    if outcome is Outcome.RIGHT:
        return bool(row.right) and all(row.right)
    if outcome is Outcome.UNANSWERED:
        return None in labels
    return len({view.of(label) for label in labels if label is not None}) > 1
