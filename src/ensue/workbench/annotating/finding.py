"""The rows of projects that somebody may see, made, or judges in."""

from __future__ import annotations

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from ensue.errors import AccessError, ConflictError, NotFoundError
from ensue.workbench.accounts.people import Person
from ensue.workbench.database import models


def seen(session: Session, person: Person, project_id: int) -> models.Project:
    """The row of a project that somebody may see.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    row = session.get(models.Project, project_id)
    if row is None or not (row.owner_id == person.id or is_annotator(session, person, project_id)):
        raise NotFoundError(f"there is no project {project_id}")
    return row


def question_of(
    session: Session, person: Person, question_id: int
) -> tuple[models.Question, models.Project]:
    """The row of a question and of its project, which somebody may see.

    Raises:
        NotFoundError: there is none, or it is not for them; in the same words.
    """
    row = session.get(models.Question, question_id)
    if row is not None:
        try:
            return row, seen(session, person, row.project_id)
        except NotFoundError:
            pass
    raise NotFoundError(f"there is no question {question_id}")


def owned(session: Session, person: Person, project_id: int) -> models.Project:
    """The row of a project that somebody made.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: they judge in it, and somebody else made it.
    """
    row = seen(session, person, project_id)
    if row.owner_id != person.id:
        raise AccessError("this is for whoever made the project")
    return row


def made_by(session: Session, person: Person, project_id: int) -> models.Project:
    """The same, held until the transaction ends.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: they judge in it, and somebody else made it.
    """
    owned(session, person, project_id)
    return held(session, project_id)


def open_to(session: Session, person: Person, project_id: int) -> models.Project:
    """The row of a project in which somebody may judge now, held until the transaction ends.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: they do not judge in it.
        ConflictError: it is closed.
    """
    seen(session, person, project_id)
    if not is_annotator(session, person, project_id):
        raise AccessError("you do not judge here", hint="add yourself to the judges first")
    row = held(session, project_id)
    check_open(row)
    return row


def check_open(row: models.Project) -> None:
    """See that a project takes questions and judgments.

    Raises:
        ConflictError: it is closed.
    """
    if row.is_closed:
        raise ConflictError("the project is closed", hint="whoever made it can open it again")


def held(session: Session, project_id: int) -> models.Project:
    """The row of a project, which nobody else changes until the transaction ends."""
    return session.scalars(
        select(models.Project)
        .where(models.Project.id == project_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one()


def is_annotator(session: Session, person: Person, project_id: int) -> bool:
    """Whether somebody judges in a project."""
    return session.get(models.Annotator, (project_id, person.id)) is not None


def knows_gold(session: Session, person: Person, dataset_id: int) -> bool:
    """Whether somebody judged pairs of the project that a data set was made of."""
    query = (
        select(models.Judgment.question_id)
        .join(models.Question, models.Question.id == models.Judgment.question_id)
        .join(
            models.ProjectData,
            models.ProjectData.project_id == models.Question.project_id,
        )
        .where(models.ProjectData.dataset_id == dataset_id, models.Judgment.user_id == person.id)
    )
    return bool(session.scalar(select(exists(query))))
