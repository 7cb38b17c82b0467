"""Annotation: projects, what they ask, and what each judge says."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from ensue.workbench.database.models.table import Table
from ensue.workbench.database.types import now


class Project(Table):
    """Pairs or patterns that several people judge."""

    __tablename__ = "projects"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    kind: Mapped[str] = mapped_column(String(20))
    """`pairs` or `patterns`."""
    view: Mapped[str] = mapped_column(String(20))
    """The labels of pairs; no matter for patterns."""
    guidelines: Mapped[str] = mapped_column(Text)
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    created: Mapped[datetime] = mapped_column(default=now)
    n_judges: Mapped[int]
    """For each question; who made a pair is one of them."""
    is_closed: Mapped[bool] = mapped_column(default=False)
    version: Mapped[int] = mapped_column(default=1)
    """Raised whenever the guidelines change."""


class Annotator(Table):
    """Somebody who judges in a project."""

    __tablename__ = "annotators"

    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)


class Question(Table):
    """A pair, or a pattern in a sentence, that judges are asked about."""

    __tablename__ = "questions"
    __table_args__ = (
        Index(None, "project_id", "digest", unique=True),
        Index(None, "project_id", "n_judgments", "lot"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id"))
    digest: Mapped[str] = mapped_column(String(64))
    """Of what a judge reads: nothing is asked twice."""
    content: Mapped[dict[str, Any]]
    maker_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    """Who made the pair and judged it first."""
    created: Mapped[datetime] = mapped_column(default=now)
    lot: Mapped[int]
    """Questions are asked in this order, which tells nothing of where they came from."""
    n_judgments: Mapped[int] = mapped_column(default=0)
    decision: Mapped[str | None] = mapped_column(String(20))
    """What the organizer says where judges disagree."""
    is_removed: Mapped[bool] = mapped_column(default=False)
    """By the organizer's review."""
    reason: Mapped[str] = mapped_column(Text, default="")
    """Why it was removed."""
    version: Mapped[int] = mapped_column(default=1)
    """Raised by every judgment and decision: nobody decides on what they have not seen."""


class Judgment(Table):
    """What one judge says of one question; there is a row for each, which nobody else writes."""

    __tablename__ = "judgments"

    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    answer: Mapped[str] = mapped_column(String(20))
    remark: Mapped[str] = mapped_column(Text, default="")
    """For the organizer."""
    created: Mapped[datetime] = mapped_column(default=now)
    changed: Mapped[datetime | None]
    version: Mapped[int] = mapped_column(default=1)


class Lease(Table):
    """A question that a judge has on the screen, so that others are given other ones."""

    __tablename__ = "leases"

    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    until: Mapped[datetime]


class ProjectData(Table):
    """A data set that was made of a project's pairs."""

    __tablename__ = "project_data"

    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id"), primary_key=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"), primary_key=True, index=True)
