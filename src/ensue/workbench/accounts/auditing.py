"""Who did what: entries that are written with what they tell of, and never changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from ensue.workbench.database import models

if TYPE_CHECKING:
    from ensue.workbench.accounts.people import Person
    from ensue.workbench.workbench import Workbench


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that somebody did."""

    at: datetime
    who: str | None
    action: str
    subject: str
    details: dict[str, Any]


def note(
    session: Session, person: Person | None, action: str, subject: str, **details: Any
) -> None:
    """Write that somebody does something, in the transaction that does it.

    Args:
        session: That transaction.
        person: Who; None where nobody is signed in.
        action: What, e.g. `challenge.publish`.
        subject: With what, e.g. `challenge 3`.
        **details: Values that JSON can hold; no text of a pair, no answer, and no secret:
            every organizer reads it, also one who takes part in a challenge of another.
    """
    user_id = person.id if person else None
    session.add(
        models.AuditEntry(user_id=user_id, action=action, subject=subject[:80], details=details)
    )


def entries(workbench: Workbench, *, page: int = 1, size: int = 100) -> Sequence[Entry]:
    """What was done, the latest first."""
    query = (
        select(models.AuditEntry, models.User.name)
        .join(models.User, models.AuditEntry.user_id == models.User.id, isouter=True)
        .order_by(models.AuditEntry.id.desc())
        .limit(size)
        .offset((page - 1) * size)
    )
    with workbench.database.reading() as session:
        return [
            Entry(each.at, name, each.action, each.subject, each.details)
            for each, name in session.execute(query)
        ]
