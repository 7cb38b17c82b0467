"""All questions of a project with what everybody says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from ensue.workbench.accounts.people import Person
from ensue.workbench.annotating.answers import UNSURE
from ensue.workbench.annotating.finding import is_annotator
from ensue.workbench.annotating.questions import ROWS
from ensue.workbench.database import models


class Standing(StrEnum):
    """How far a question is."""

    OPEN = "open"
    """It lacks judgments."""
    AGREED = "agreed"
    DISPUTED = "disputed"
    """Judges disagree, or one cannot tell."""
    DECIDED = "decided"
    """Judges disagreed, and the organizer decided."""
    REMOVED = "removed"
    """By the organizer's review."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one judge says."""

    judge: str
    answer: str
    remark: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with what everybody says of it."""

    id: int
    content: dict[str, Any]
    said: tuple[Said, ...]
    """Whoever made it first, then in the order of time; nothing where `is_blind`."""
    is_blind: bool
    """Whether what others say is kept from the reader, who may have to judge it still."""
    standing: Standing
    decision: str | None
    reason: str
    """Why it was removed."""
    version: int

    @property
    def answers(self) -> tuple[str, ...]:
        """What the judges say."""
        return tuple(each.answer for each in self.said)


def gathered(
    session: Session,
    project: models.Project,
    reader: Person,
    *,
    standing: Standing | None = None,
    page: int | None = None,
    size: int = 50,
) -> list[Judged]:
    """The questions of a project with their judgments, in the order in which they were brought.

    Args:
        session: A transaction.
        project: Which.
        reader: For whom. To a judge, also one who made the project, nobody's answer is told to a
            question that lacks judgments and that they have not judged.
        standing: Only those that are so far.
        page: Only these, from 1.
        size: Of a page.
    """
    query = select(models.Question).where(*_filters(project, standing)).order_by(models.Question.id)
    if page is not None:
        query = query.limit(size).offset((page - 1) * size)
    rows = session.scalars(query).all()
    said = _said(session, rows)
    is_judging = not project.is_closed and is_annotator(session, reader, project.id)
    return [
        judged_of(project, row, said.get(row.id, ()), reader if is_judging else None)
        for row in rows
    ]


def counts(session: Session, project: models.Project) -> dict[Standing, int]:
    """How many questions are how far."""
    return {
        each: session.scalar(select(func.count(models.Question.id)).where(*_filters(project, each)))
        or 0
        for each in Standing
    }


def _filters(project: models.Project, standing: Standing | None) -> list[ColumnElement[bool]]:
    question = models.Question
    found = [question.project_id == project.id]
    if standing is None:
        return found
    found.append(question.is_removed.is_(standing is Standing.REMOVED))
    if standing is Standing.REMOVED:
        return found
    is_full = question.n_judgments >= project.n_judges
    if standing is Standing.OPEN:
        return [*found, ~is_full]
    agrees = _n_distinct() == 1
    if standing is Standing.AGREED:
        return [*found, is_full, agrees]
    return [
        *found,
        is_full,
        ~agrees,
        question.decision.is_not(None)
        if standing is Standing.DECIDED
        else question.decision.is_(None),
    ]


def _n_distinct() -> ColumnElement[int]:
    """How many different things were said of a question; whoever cannot tell agrees with nobody."""
    here = models.Judgment.question_id == models.Question.id
    distinct = select(func.count(func.distinct(models.Judgment.answer))).where(here)
    unsure = select(func.count(models.Judgment.user_id)).where(
        here, models.Judgment.answer == UNSURE
    )
    return distinct.scalar_subquery() + unsure.scalar_subquery()


def _said(session: Session, rows: Sequence[models.Question]) -> dict[int, tuple[Said, ...]]:
    makers = {row.id: row.maker_id for row in rows}
    found: dict[int, list[tuple[bool, Said]]] = {}
    numbers = list(makers)
    for i in range(0, len(numbers), ROWS):
        query = (
            select(models.Judgment, models.User.name)
            .join(models.User, models.User.id == models.Judgment.user_id)
            .where(models.Judgment.question_id.in_(numbers[i : i + ROWS]))
            .order_by(models.Judgment.created, models.Judgment.user_id)
        )
        for row, name in session.execute(query):
            is_later = row.user_id != makers[row.question_id]
            found.setdefault(row.question_id, []).append(
                (is_later, Said(name, row.answer, row.remark))
            )
    return {
        number: tuple(said for _, said in sorted(each, key=lambda pair: pair[0]))
        for number, each in found.items()
    }


def judged_of(
    project: models.Project,
    row: models.Question,
    said: tuple[Said, ...],
    judge: Person | None = None,
) -> Judged:
    """A row with what was said of it, as far as somebody may know who judges still."""
    is_blind = (
        judge is not None
        and len(said) < project.n_judges
        and judge.name not in {each.judge for each in said}
    )
    return Judged(
        id=row.id,
        content=row.content,
        said=() if is_blind else said,
        is_blind=is_blind,
        standing=_standing(project, row, said),
        decision=row.decision,
        reason=row.reason,
        version=row.version,
    )


def _standing(project: models.Project, row: models.Question, said: tuple[Said, ...]) -> Standing:
    if row.is_removed:
        return Standing.REMOVED
    if len(said) < project.n_judges:
        return Standing.OPEN
    distinct = {each.answer for each in said}
    if len(distinct) == 1 and UNSURE not in distinct:
        return Standing.AGREED
    return Standing.DECIDED if row.decision is not None else Standing.DISPUTED
