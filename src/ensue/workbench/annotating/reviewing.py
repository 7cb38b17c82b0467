"""The organizer's part: deciding where judges disagree, and removing what is controversial."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from ensue.errors import ConflictError, SettingError
from ensue.pairs import View
from ensue.workbench.accounts.auditing import note
from ensue.workbench.accounts.people import Person
from ensue.workbench.annotating.answers import Kind, check_answer
from ensue.workbench.annotating.finding import made_by, owned, question_of
from ensue.workbench.annotating.gathering import Judged, Said, Standing, counts, gathered, judged_of
from ensue.workbench.database import models
from ensue.workbench.workbench import Workbench


def review(
    workbench: Workbench,
    person: Person,
    project_id: int,
    standing: Standing | None = None,
    *,
    page: int = 1,
    size: int = 50,
) -> tuple[list[Judged], dict[Standing, int]]:
    """Questions with what everybody says of them, and how many are how far.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
    """
    with workbench.database.reading() as session:
        project = owned(session, person, project_id)
        found = gathered(session, project, person, standing=standing, page=page, size=size)
        return found, counts(session, project)


def decide(
    workbench: Workbench, person: Person, question_id: int, answer: str | None, *, version: int
) -> int:
    """Say what holds where judges disagree, None for nothing; gives the project's number.

    Args:
        workbench: Where.
        person: Who.
        question_id: Of what.
        answer: The name of an answer.
        version: Of the question as one saw it.

    Raises:
        NotFoundError: there is no such question for them.
        AccessError: somebody else made its project.
        ConflictError: it lacks judgments, judges agree, or somebody judged it meanwhile.
        SettingError: what is said of patterns is not decided, but counted.
        UnknownNameError: nobody may answer so.
    """
    with workbench.database.writing() as session:
        row, project = _held(session, person, question_id, version)
        if project.kind == Kind.PATTERNS:
            raise SettingError(
                "patterns keep all their judgments", hint="the share of yes is what is scored"
            )
        if answer is not None:
            check_answer(Kind.PAIRS, View(project.view), answer, is_final=True)
        standing = _standing_of(session, project, row)
        if standing not in (Standing.DISPUTED, Standing.DECIDED):
            raise ConflictError(f"this question is {standing.value}: there is nothing to decide")
        row.decision = answer
        row.version += 1
        note(session, person, "question.decide", f"question {row.id}", version=row.version)
        return project.id


def set_removed(
    workbench: Workbench,
    person: Person,
    question_id: int,
    *,
    removed: bool,
    version: int,
    reason: str = "",
) -> int:
    """Leave a question out of what is made of its project, or take it back; gives that one's number.

    Raises:
        NotFoundError: there is no such question for them.
        AccessError: somebody else made its project.
        ConflictError: somebody judged it meanwhile.
    """
    with workbench.database.writing() as session:
        row, project = _held(session, person, question_id, version)
        row.is_removed = removed
        row.reason = reason.strip()[:2000] if removed else ""
        row.version += 1
        note(session, person, "question.remove", f"question {row.id}", removed=removed)
        return project.id


def _held(
    session: Session, person: Person, question_id: int, version: int
) -> tuple[models.Question, models.Project]:
    row, project = question_of(session, person, question_id)
    project = made_by(session, person, project.id)
    session.refresh(row)
    if row.version != version:
        raise ConflictError(
            "somebody judged or changed it meanwhile", hint="look at it again, then decide"
        )
    return row, project


def _standing_of(session: Session, project: models.Project, row: models.Question) -> Standing:
    query = select(models.Judgment.answer).where(models.Judgment.question_id == row.id)
    said = tuple(Said("", answer, "") for answer in session.scalars(query))
    return judged_of(project, row, said).standing
