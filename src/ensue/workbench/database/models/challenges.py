"""Challenges: who takes part, what they submitted, and what became of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from ensue.workbench.database.models.table import Table
from ensue.workbench.database.types import now


class Challenge(Table):
    """Development data with gold, test data whose gold is hidden, and the rules."""

    __tablename__ = "challenges"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    description: Mapped[str] = mapped_column(Text, default="")
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    created: Mapped[datetime] = mapped_column(default=now)
    development_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"))
    test_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"))
    opens: Mapped[datetime]
    closes: Mapped[datetime]
    runs_allowed: Mapped[int] = mapped_column(default=2)
    """For each team; withdrawn ones count, or gold could be guessed run by run."""
    measures: Mapped[list[Any]] = mapped_column(default=list)
    """Names; runs are ranked by the first, equal ones by the next."""
    view: Mapped[str] = mapped_column(String(20))
    """The labels in which all runs are compared."""
    published: Mapped[datetime | None]
    """When its board was frozen, for everybody who signs in to see."""
    version: Mapped[int] = mapped_column(default=0)
    """Raised whenever the board changes."""
    board: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)
    """The leaderboard of that version."""


class Team(Table):
    """Those who submit together."""

    __tablename__ = "teams"
    __table_args__ = (Index(None, "challenge_id", "name", unique=True),)

    id: Mapped[int] = mapped_column(primary_key=True)
    challenge_id: Mapped[int] = mapped_column(ForeignKey("challenges.id"))
    name: Mapped[str] = mapped_column(String(80))
    created: Mapped[datetime] = mapped_column(default=now)


class Member(Table):
    """A person in a team; in one team of a challenge at most."""

    __tablename__ = "members"
    __table_args__ = (Index(None, "challenge_id", "user_id", unique=True),)

    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    challenge_id: Mapped[int] = mapped_column(ForeignKey("challenges.id"))


class Invitation(Table):
    """What lets somebody make a team, or join one."""

    __tablename__ = "invitations"

    id: Mapped[int] = mapped_column(primary_key=True)
    challenge_id: Mapped[int] = mapped_column(ForeignKey("challenges.id"), index=True)
    team_id: Mapped[int | None] = mapped_column(ForeignKey("teams.id"))
    """None where whoever comes makes a new one."""
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created: Mapped[datetime] = mapped_column(default=now)
    used_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))


class Submission(Table):
    """A run that a team handed in."""

    __tablename__ = "submissions"
    __table_args__ = (Index(None, "team_id", "number", unique=True),)

    id: Mapped[int] = mapped_column(primary_key=True)
    challenge_id: Mapped[int] = mapped_column(ForeignKey("challenges.id"), index=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    number: Mapped[int]
    """From 1, of its team."""
    name: Mapped[str] = mapped_column(String(120))
    created: Mapped[datetime] = mapped_column(default=now)
    digest: Mapped[str] = mapped_column(String(64))
    """Of the run's bytes; the same run twice is one run."""
    state: Mapped[str] = mapped_column(String(20), index=True)
    """`waiting`, `scored`, `failed` or `withdrawn`."""
    claimed: Mapped[datetime | None]
    """When a worker last took it to score."""
    attempts: Mapped[int] = mapped_column(default=0)
    reason: Mapped[str | None] = mapped_column(Text)
    """Why it failed."""
    signature: Mapped[str | None] = mapped_column(Text)
    scores: Mapped[dict[str, Any] | None]
    """Measures with intervals, as a whole and by task."""
    right: Mapped[bytes | None] = mapped_column(deferred=True)
    """A bit for each pair of the test data in its order: whether it is right."""
    content: Mapped[bytes] = mapped_column(deferred=True)
    """The run's JSONL, packed by zlib."""
