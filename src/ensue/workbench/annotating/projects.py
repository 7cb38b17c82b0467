"""Projects: made by an organizer, given to annotators, closed at the end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from ensue.errors import AccessError, ConflictError, NotFoundError, SettingError
from ensue.pairs import View
from ensue.workbench.accounts.auditing import note
from ensue.workbench.accounts.people import Person, Role, find_person
from ensue.workbench.annotating.answers import GUIDELINES, Kind
from ensue.workbench.annotating.finding import is_annotator, made_by, owned, seen
from ensue.workbench.database import models
from ensue.workbench.workbench import Workbench

_MOST_JUDGES = 20


@dataclass(frozen=True, slots=True)
class Plan:
    """What an organizer decides."""

    name: str
    kind: Kind = Kind.PAIRS
    n_judges: int = 2
    """For each question; who made a pair is one of them."""
    view: View = View.TWO_WAY
    guidelines: str = ""
    """Ours where it is empty."""


@dataclass(frozen=True, slots=True)
class ProjectRecord:
    """A project, as somebody sees it."""

    id: int
    name: str
    kind: Kind
    view: View
    n_judges: int
    guidelines: str
    version: int
    """Of the guidelines."""
    owner: str
    created: datetime
    is_closed: bool
    n_questions: int
    n_done: int
    """Questions with all their judgments."""
    n_mine: int
    """Judgments by the one who asks."""
    is_own: bool
    is_annotator: bool


def make_project(workbench: Workbench, person: Person, plan: Plan) -> int:
    """Make a project, and give its number.

    Raises:
        AccessError: they are no organizer.
        SettingError: the plan makes no sense.
    """
    if not person.is_organizer:
        raise AccessError("projects are made by organizers")
    if not plan.name.strip():
        raise SettingError("a project needs a name")
    if not 1 <= plan.n_judges <= _MOST_JUDGES:
        raise SettingError(
            f"a question has 1 to {_MOST_JUDGES} judges", hint="PASCAL had two, DIMPLE two or three"
        )
    with workbench.database.writing() as session:
        row = models.Project(
            name=plan.name.strip()[:120],
            kind=plan.kind.value,
            view=plan.view.value,
            guidelines=plan.guidelines.strip() or GUIDELINES[plan.kind],
            owner_id=person.id,
            n_judges=plan.n_judges,
        )
        session.add(row)
        session.flush()
        note(session, person, "project.make", f"project {row.id}", kind=row.kind)
        return row.id


def projects_for(workbench: Workbench, person: Person) -> list[ProjectRecord]:
    """The projects that somebody made or judges in, the latest first."""
    theirs = select(models.Annotator.project_id).where(models.Annotator.user_id == person.id)
    query = (
        select(models.Project)
        .where(or_(models.Project.owner_id == person.id, models.Project.id.in_(theirs)))
        .order_by(models.Project.id.desc())
    )
    with workbench.database.reading() as session:
        return [_record(session, row, person) for row in session.scalars(query).all()]


def find_project(workbench: Workbench, person: Person, project_id: int) -> ProjectRecord:
    """A project that somebody may see.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    with workbench.database.reading() as session:
        return _record(session, seen(session, person, project_id), person)


def n_changes(workbench: Workbench, person: Person, project_id: int) -> int:
    """How often something was asked, judged, decided or removed in a project; it only grows.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
    """
    changes = func.count() + func.coalesce(func.sum(models.Question.version), 0)
    query = select(changes).where(models.Question.project_id == project_id)
    with workbench.database.reading() as session:
        owned(session, person, project_id)
        return int(session.scalar(query) or 0)


def annotators(workbench: Workbench, person: Person, project_id: int) -> list[str]:
    """Who judges in a project, by name.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
    """
    query = (
        select(models.User.name)
        .join(models.Annotator, models.Annotator.user_id == models.User.id)
        .where(models.Annotator.project_id == project_id)
        .order_by(models.User.name)
    )
    with workbench.database.reading() as session:
        owned(session, person, project_id)
        return list(session.scalars(query))


def add_annotator(workbench: Workbench, person: Person, project_id: int, name: str) -> None:
    """Let somebody judge in a project.

    Raises:
        NotFoundError: there is no such project for them, or nobody is called so.
        AccessError: somebody else made the project.
        ConflictError: participants may not, who would know the gold of a challenge.
    """
    with workbench.database.writing() as session:
        made_by(session, person, project_id)
        judge = find_person(session, name)
        if judge.role is Role.PARTICIPANT:
            raise ConflictError(
                f"{name!r} is here to take part in challenges, whose gold judges may come to know",
                hint="judges are annotators or organizers",
            )
        if not is_annotator(session, judge, project_id):
            session.add(models.Annotator(project_id=project_id, user_id=judge.id))
            note(session, person, "project.annotator", f"project {project_id}", user=judge.id)


def remove_annotator(workbench: Workbench, person: Person, project_id: int, name: str) -> None:
    """Let somebody judge no more; what they judged stays.

    Raises:
        NotFoundError: there is no such project for them, or nobody of this name judges in it.
        AccessError: somebody else made the project.
    """
    with workbench.database.writing() as session:
        made_by(session, person, project_id)
        row = session.scalar(
            select(models.Annotator)
            .join(models.User, models.User.id == models.Annotator.user_id)
            .where(models.Annotator.project_id == project_id, models.User.name == name)
        )
        if row is None:
            raise NotFoundError(f"{name!r} does not judge here")
        session.delete(row)
        note(session, person, "project.annotator_gone", f"project {project_id}", user=row.user_id)


def set_guidelines(
    workbench: Workbench, person: Person, project_id: int, guidelines: str, version: int
) -> None:
    """Tell judges something else from now on.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
        ConflictError: they were changed since `version`.
        SettingError: there are none.
    """
    if not guidelines.strip():
        raise SettingError("judges need guidelines")
    with workbench.database.writing() as session:
        row = made_by(session, person, project_id)
        if row.version != version:
            raise ConflictError(
                "the guidelines were changed meanwhile", hint="open the page again, and compare"
            )
        row.guidelines, row.version = guidelines.strip(), version + 1
        note(session, person, "project.guidelines", f"project {row.id}", version=row.version)


def set_closed(workbench: Workbench, person: Person, project_id: int, *, closed: bool) -> None:
    """Take no more judgments, or take them again.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
    """
    with workbench.database.writing() as session:
        row = made_by(session, person, project_id)
        row.is_closed = closed
        note(session, person, "project.close", f"project {row.id}", closed=closed)


def _record(session: Session, row: models.Project, person: Person) -> ProjectRecord:
    here = models.Question.project_id == row.id
    done = models.Question.n_judgments >= row.n_judges
    mine = (
        select(func.count())
        .select_from(models.Judgment)
        .join(models.Question, models.Question.id == models.Judgment.question_id)
        .where(here, models.Judgment.user_id == person.id)
    )
    return ProjectRecord(
        id=row.id,
        name=row.name,
        kind=Kind(row.kind),
        view=View(row.view),
        n_judges=row.n_judges,
        guidelines=row.guidelines,
        version=row.version,
        owner=session.get_one(models.User, row.owner_id).name,
        created=row.created,
        is_closed=row.is_closed,
        n_questions=session.scalar(select(func.count()).where(here)) or 0,
        n_done=session.scalar(select(func.count()).where(here, done)) or 0,
        n_mine=session.scalar(mine) or 0,
        is_own=row.owner_id == person.id,
        is_annotator=is_annotator(session, person, row.id),
    )
