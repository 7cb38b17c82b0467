"""Judging: one question at a time, blind to what others say of it.

A judgment is a row of its judge's own. It is changed only by whoever saw its last version, so that
nobody overwrites what they do not know of; the same judgment sent again changes nothing, so that a
lost answer may be asked for again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from ensue.errors import ConflictError
from ensue.pairs import View
from ensue.workbench.accounts.auditing import note
from ensue.workbench.accounts.people import Person
from ensue.workbench.annotating.answers import Kind, check_answer
from ensue.workbench.annotating.finding import open_to, question_of, seen
from ensue.workbench.annotating.showing import Asked, asked_as, sides
from ensue.workbench.database import models, now
from ensue.workbench.workbench import Workbench

_MOST_REMARK = 2000


@dataclass(frozen=True, slots=True)
class Kept:
    """A judgment that is kept."""

    question_id: int
    project_id: int
    version: int


@dataclass(frozen=True, slots=True)
class Given:
    """A judgment that somebody gave."""

    question_id: int
    version: int
    first: str
    """The text, or the sentence."""
    second: str
    """The hypothesis, or the sentence with the paraphrase put in."""
    answer: str
    at: datetime


def find_question(workbench: Workbench, person: Person, question_id: int) -> Asked:
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
) -> Kept:
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
        check_answer(Kind(project.kind), View(project.view), answer)
        session.refresh(row)
        said = session.get(models.Judgment, (row.id, person.id))
        if said is not None and (said.answer, said.remark) == (answer, remark):
            return Kept(row.id, project.id, said.version)
        if row.decision is not None or row.is_removed:
            raise ConflictError("the organizer has decided on this one", hint="go on to the next")
        if said is None:
            _say(session, person, row, answer, remark)
        else:
            _say_otherwise(session, person, row, said, answer, remark, version)
        return Kept(row.id, project.id, said.version if said else 1)


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
            f"you said {said.answer!r} of this one meanwhile",
            hint="open it again to change your mind",
        )
    said.answer, said.remark, said.changed = answer, remark, now()
    said.version += 1
    row.version += 1
    note(session, person, "judgment.change", f"question {row.id}", version=said.version)


def given_by(
    workbench: Workbench, person: Person, project_id: int, *, page: int = 1, size: int = 50
) -> list[Given]:
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
            Given(
                row.id,
                said.version,
                *sides(project, row),
                said.answer,
                said.changed or said.created,
            )
            for said, row in session.execute(query)
        ]
