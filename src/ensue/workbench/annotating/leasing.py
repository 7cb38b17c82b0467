"""What a judge is to judge next, and nobody else meanwhile."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from ensue.workbench.accounts.people import Person
from ensue.workbench.annotating.finding import open_to
from ensue.workbench.annotating.showing import Asked, asked_as
from ensue.workbench.database import models, now
from ensue.workbench.workbench import Workbench

_LEASE = timedelta(minutes=20)
"""How long others are not given a question that a judge has on the screen."""


def next_question(workbench: Workbench, person: Person, project_id: int) -> Asked | None:
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
