"""Judgments: the next question for a judge, blind answers, and all of them by question.

A judgment is a row of its judge's own. It is changed only by whoever saw its last version, so that
nobody overwrites what they do not know of; the same judgment sent again changes nothing, so that a
lost answer may be asked for again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, func, select
from sqlalchemy.orm import Session

from ensue.errors import ConflictError
from ensue.pairs import View
from ensue.workbench.accounts import Person, note
from ensue.workbench.annotation.projects import (
    UNSURE,
    ProjectKind,
    check_answer,
    is_annotator,
    open_to,
    question_of,
    seen,
)
from ensue.workbench.annotation.questions import ROWS, ShownQuestion, asked_as, sides
from ensue.workbench.database import models
from ensue.workbench.database.models import now
from ensue.workbench.workbench import Workbench

# What a judge is to judge next, and nobody else meanwhile.

_LEASE = timedelta(minutes=20)
"""How long others are not given a question that a judge has on the screen."""


def next_question(workbench: Workbench, person: Person, project_id: int) -> ShownQuestion | None:
    """What a judge is to judge next, for twenty minutes for them alone; None where nothing is left.

    Asked again, it is the same question. Questions that lack one judgment come first, and none is
    given to more judges than it needs, nor to whoever made it.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: they do not judge in it.
        ConflictError: it is closed.
    """
    with workbench.database.writing() as session:
        project = open_to(session, person, project_id)
        row = _leased(session, person, project) or _free(session, person, project)
        if row is None:
            return None
        lease = session.get(models.Lease, (row.id, person.id))
        if lease is None:
            lease = models.Lease(question_id=row.id, user_id=person.id, until=now() + _LEASE)
            session.add(lease)
        lease.until = now() + _LEASE
        return asked_as(project, row, None)


def _leased(session: Session, person: Person, project: models.Project) -> models.Question | None:
    query = (
        select(models.Question)
        .join(models.Lease, models.Lease.question_id == models.Question.id)
        .where(
            models.Question.project_id == project.id,
            models.Lease.user_id == person.id,
            models.Lease.until > now(),
            models.Question.is_removed.is_(False),
            models.Question.n_judgments < project.n_judges,
        )
        .order_by(models.Lease.until, models.Question.id)
        .limit(1)
    )
    return session.scalar(query)


def _free(session: Session, person: Person, project: models.Project) -> models.Question | None:
    n_leases = (
        select(func.count())
        .where(
            models.Lease.question_id == models.Question.id,
            models.Lease.user_id != person.id,
            models.Lease.until > now(),
        )
        .scalar_subquery()
    )
    judged = exists().where(
        models.Judgment.question_id == models.Question.id, models.Judgment.user_id == person.id
    )
    query = (
        select(models.Question)
        .where(
            models.Question.project_id == project.id,
            models.Question.n_judgments < project.n_judges,
            models.Question.n_judgments + n_leases < project.n_judges,
            models.Question.is_removed.is_(False),
            ~judged,
        )
        .order_by(models.Question.n_judgments.desc(), models.Question.lot, models.Question.id)
        .limit(1)
    )
    return session.scalar(query)


# Judging: one question at a time, blind to what others say of it.

_MOST_REMARK = 2000


@dataclass(frozen=True, slots=True)
class KeptJudgment:
    """A judgment that is kept."""

    question_id: int
    project_id: int
    version: int


@dataclass(frozen=True, slots=True)
class GivenJudgment:
    """A judgment that somebody gave."""

    question_id: int
    version: int
    first: str
    """The text, or the sentence."""
    second: str
    """The hypothesis, or the sentence with the paraphrase put in."""
    answer: str
    at: datetime


def find_question(workbench: Workbench, person: Person, question_id: int) -> ShownQuestion:
    """A question that somebody judged or may judge, as a judge sees it.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    with workbench.database.reading() as session:
        row, project = question_of(session, person, question_id)
        return asked_as(project, row, session.get(models.Judgment, (row.id, person.id)))


def judge(
    workbench: Workbench,
    person: Person,
    question_id: int,
    answer: str,
    *,
    version: int = 0,
    remark: str = "",
) -> KeptJudgment:
    """Say what one thinks of a question; whatever comes back is kept.

    Args:
        workbench: Where.
        person: Who.
        question_id: Of what.
        answer: The name of an answer.
        version: Of one's judgment as one saw it; 0 where there was none.
        remark: For the organizer.

    Raises:
        NotFoundError: there is no such question for them.
        AccessError: they do not judge in this project.
        ConflictError: it is closed or decided, or they judged otherwise meanwhile.
        UnknownNameError: nobody may answer so.
    """
    remark = remark.strip()[:_MOST_REMARK]
    with workbench.database.writing() as session:
        row, project = question_of(session, person, question_id)
        open_to(session, person, project.id)
        check_answer(ProjectKind(project.kind), View(project.view), answer)
        session.refresh(row)
        said = session.get(models.Judgment, (row.id, person.id))
        if said is not None and (said.answer, said.remark) == (answer, remark):
            return KeptJudgment(row.id, project.id, said.version)
        if row.decision is not None or row.is_removed:
            raise ConflictError(
                "organizer-decided",
                "the organizer has decided on this one",
                hint="go on to the next",
            )
        if said is None:
            _say(session, person, row, answer, remark)
        else:
            _say_otherwise(session, person, row, said, answer, remark, version)
        return KeptJudgment(row.id, project.id, said.version if said else 1)


def _say(session: Session, person: Person, row: models.Question, answer: str, remark: str) -> None:
    session.add(
        models.Judgment(question_id=row.id, user_id=person.id, answer=answer, remark=remark)
    )
    row.n_judgments += 1
    row.version += 1
    session.execute(
        delete(models.Lease).where(
            models.Lease.question_id == row.id, models.Lease.user_id == person.id
        )
    )
    note(session, person, "judgment.add", f"question {row.id}")


def _say_otherwise(
    session: Session,
    person: Person,
    row: models.Question,
    said: models.Judgment,
    answer: str,
    remark: str,
    version: int,
) -> None:
    if said.version != version:
        raise ConflictError(
            "you-said-meanwhile",
            f"you said {said.answer!r} of this one meanwhile",
            hint="open it again to change your mind",
        )
    said.answer, said.remark, said.changed = answer, remark, now()
    said.version += 1
    row.version += 1
    note(session, person, "judgment.change", f"question {row.id}", version=said.version)


def given_by(
    workbench: Workbench, person: Person, project_id: int, *, page: int = 1, size: int = 50
) -> list[GivenJudgment]:
    """What somebody judged in a project, the latest first.

    Raises:
        NotFoundError: there is no such project for them.
    """
    query = (
        select(models.Judgment, models.Question)
        .join(models.Question, models.Question.id == models.Judgment.question_id)
        .where(models.Question.project_id == project_id, models.Judgment.user_id == person.id)
        .order_by(models.Judgment.created.desc(), models.Question.id.desc())
        .limit(size)
        .offset((page - 1) * size)
    )
    with workbench.database.reading() as session:
        project = seen(session, person, project_id)
        return [
            GivenJudgment(
                row.id,
                said.version,
                *sides(project, row),
                said.answer,
                said.changed or said.created,
            )
            for said, row in session.execute(query)
        ]


# All questions of a project with what everybody says of them.


class QuestionStatus(StrEnum):
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
class JudgeAnswer:
    """What one judge says."""

    judge: str
    answer: str
    remark: str


@dataclass(frozen=True, slots=True)
class QuestionJudgments:
    """A question with what everybody says of it."""

    id: int
    content: dict[str, Any]
    said: tuple[JudgeAnswer, ...]
    """Whoever made it first, then in the order of time; nothing where `is_blind`."""
    is_blind: bool
    """Whether what others say is kept from the reader, who may have to judge it still."""
    standing: QuestionStatus
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
    standing: QuestionStatus | None = None,
    page: int | None = None,
    size: int = 50,
) -> list[QuestionJudgments]:
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


def counts(session: Session, project: models.Project) -> dict[QuestionStatus, int]:
    """How many questions are how far."""
    return {
        each: session.scalar(select(func.count(models.Question.id)).where(*_filters(project, each)))
        or 0
        for each in QuestionStatus
    }


def _filters(project: models.Project, standing: QuestionStatus | None) -> list[ColumnElement[bool]]:
    question = models.Question
    found = [question.project_id == project.id]
    if standing is None:
        return found
    found.append(question.is_removed.is_(standing is QuestionStatus.REMOVED))
    if standing is QuestionStatus.REMOVED:
        return found
    is_full = question.n_judgments >= project.n_judges
    if standing is QuestionStatus.OPEN:
        return [*found, ~is_full]
    agrees = _n_distinct() == 1
    if standing is QuestionStatus.AGREED:
        return [*found, is_full, agrees]
    return [
        *found,
        is_full,
        ~agrees,
        question.decision.is_not(None)
        if standing is QuestionStatus.DECIDED
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


def _said(session: Session, rows: Sequence[models.Question]) -> dict[int, tuple[JudgeAnswer, ...]]:
    makers = {row.id: row.maker_id for row in rows}
    found: dict[int, list[tuple[bool, JudgeAnswer]]] = {}
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
                (is_later, JudgeAnswer(name, row.answer, row.remark))
            )
    return {
        number: tuple(said for _, said in sorted(each, key=lambda pair: pair[0]))
        for number, each in found.items()
    }


def judged_of(
    project: models.Project,
    row: models.Question,
    said: tuple[JudgeAnswer, ...],
    judge: Person | None = None,
) -> QuestionJudgments:
    """A row with what was said of it, as far as somebody may know who judges still."""
    is_blind = (
        judge is not None
        and len(said) < project.n_judges
        and judge.name not in {each.judge for each in said}
    )
    return QuestionJudgments(
        id=row.id,
        content=row.content,
        said=() if is_blind else said,
        is_blind=is_blind,
        standing=_standing(project, row, said),
        decision=row.decision,
        reason=row.reason,
        version=row.version,
    )


def _standing(
    project: models.Project, row: models.Question, said: tuple[JudgeAnswer, ...]
) -> QuestionStatus:
    if row.is_removed:
        return QuestionStatus.REMOVED
    if len(said) < project.n_judges:
        return QuestionStatus.OPEN
    distinct = {each.answer for each in said}
    if len(distinct) == 1 and UNSURE not in distinct:
        return QuestionStatus.AGREED
    return QuestionStatus.DECIDED if row.decision is not None else QuestionStatus.DISPUTED
