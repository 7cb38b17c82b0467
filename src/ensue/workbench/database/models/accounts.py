"""Who may come in, how they showed it, and what they did."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from ensue.workbench.database.models.table import Table
from ensue.workbench.database.types import now


class User(Table):
    """A person."""

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    role: Mapped[str] = mapped_column(String(20))
    password: Mapped[str | None] = mapped_column(String(200))
    """Hashed; None where nobody can sign in by it."""
    created: Mapped[datetime] = mapped_column(default=now)
    is_closed: Mapped[bool] = mapped_column(default=False)


class Session(Table):
    """A browser that somebody has signed in with."""

    __tablename__ = "sessions"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    """Of what the browser's cookie says, which is kept nowhere."""
    created: Mapped[datetime] = mapped_column(default=now)
    expires: Mapped[datetime]


class Token(Table):
    """What a program signs in with."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created: Mapped[datetime] = mapped_column(default=now)
    used: Mapped[datetime | None]


class AuditEntry(Table):
    """Somebody did something; no text of a pair and no secret is in it."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now, index=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    action: Mapped[str] = mapped_column(String(60))
    """What, e.g. `challenge.publish`."""
    subject: Mapped[str] = mapped_column(String(80))
    """With what, e.g. `challenge 3`."""
    details: Mapped[dict[str, Any]] = mapped_column(default=dict)
