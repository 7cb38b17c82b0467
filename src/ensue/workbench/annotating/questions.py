"""What judges are asked, each thing once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from ensue.errors import LimitError, SettingError
from ensue.pairs import Finding
from ensue.workbench.accounts.auditing import note
from ensue.workbench.accounts.people import Person
from ensue.workbench.annotating.answers import Kind
from ensue.workbench.annotating.finding import check_open, held, seen
from ensue.workbench.database import models

ROWS = 1000
"""That one statement writes, or asks for."""
_TOLD = 20
"""Findings that are told."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import."""

    n_added: int
    n_known: int
    """Asked before, and left as they are."""
    n_judged: int
    """With gold, which is the first judgment."""
    n_without: int
    """Patterns for whose term there is no sentence."""
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewQuestion:
    """A question that is to be asked."""

    content: dict[str, Any]
    words: tuple[str, ...]
    """What a judge reads."""
    answer: str | None = None
    """Of whoever brings it."""

    @property
    def digest(self) -> str:
        """Of what a judge reads."""
        return sha256("\x1f".join(self.words).encode()).hexdigest()


def taking(session: Session, person: Person, project_id: int, kind: Kind) -> models.Project:
    """The row of an open project of a kind, held until the transaction ends.

    Raises:
        NotFoundError: there is none, or it is not for them.
        ConflictError: it is closed.
        SettingError: it is of the other kind.
    """
    seen(session, person, project_id)
    row = held(session, project_id)
    check_open(row)
    if row.kind != kind:
        raise SettingError(f"this project is about {row.kind}, and not about {kind}")
    return row


def add_all(
    session: Session,
    project: models.Project,
    person: Person,
    new: Sequence[NewQuestion],
    most: int,
    findings: Sequence[Finding],
) -> Imported:
    """Add what an import brings, in a transaction that goes on.

    Raises:
        LimitError: there would be more than `most`.
    """
    added = add_questions(session, project, person, new, most)
    note(session, person, "question.import", f"project {project.id}", questions=len(added))
    n_judged = sum(each.answer is not None for each in added.values())
    told = tuple(f"{each.severity.value}: {each.message}" for each in findings[:_TOLD])
    return Imported(len(added), len(new) - len(added), n_judged, 0, told)


def add_questions(
    session: Session,
    project: models.Project,
    person: Person,
    new: Iterable[NewQuestion],
    most: int,
) -> dict[int, NewQuestion]:
    """Add the questions that are not asked yet, with the answers they bring, by their numbers.

    Raises:
        LimitError: there would be more than `most`.
    """
    here = models.Question.project_id == project.id
    known = set(session.scalars(select(models.Question.digest).where(here)))
    fresh: dict[str, NewQuestion] = {}
    for each in new:
        if each.digest not in known:
            fresh.setdefault(each.digest, each)
    if len(known) + len(fresh) > most:
        raise LimitError(
            f"the project would have {len(known) + len(fresh):,} questions",
            hint=f"at most {most:,} are kept here",
        )
    return _inserted(session, project, person, list(fresh.values()))


def _inserted(
    session: Session, project: models.Project, person: Person, new: Sequence[NewQuestion]
) -> dict[int, NewQuestion]:
    added: dict[int, NewQuestion] = {}
    statement = insert(models.Question).returning(models.Question.id, sort_by_parameter_order=True)
    for i in range(0, len(new), ROWS):
        batch = new[i : i + ROWS]
        ids = session.scalars(statement, [_row(project, person, each) for each in batch]).all()
        added.update(zip(ids, batch, strict=True))
    said = [
        {"question_id": number, "user_id": person.id, "answer": each.answer}
        for number, each in added.items()
        if each.answer is not None
    ]
    for i in range(0, len(said), ROWS):
        session.execute(insert(models.Judgment), said[i : i + ROWS])
    return added


def _row(project: models.Project, person: Person, new: NewQuestion) -> dict[str, Any]:
    is_judged = new.answer is not None
    return {
        "project_id": project.id,
        "digest": new.digest,
        "content": new.content,
        "maker_id": person.id if is_judged else None,
        "lot": int(new.digest[:7], 16),
        "n_judgments": int(is_judged),
    }
