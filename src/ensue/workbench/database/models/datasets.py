"""Data sets with their pairs, runs over them, and what was tried."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from ensue.workbench.database.models.table import Table
from ensue.workbench.database.types import now


class DataSet(Table):
    """Pairs that were uploaded, or made here."""

    __tablename__ = "datasets"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    created: Mapped[datetime] = mapped_column(default=now)
    n_pairs: Mapped[int]
    n_gold: Mapped[int]
    """Pairs with gold."""
    digest: Mapped[str] = mapped_column(String(64))
    """`pairs_hash` of the pairs."""
    is_shared: Mapped[bool] = mapped_column(default=False)
    """Whether everybody who is signed in sees it, gold and all; else its owner alone."""
    was_shared: Mapped[bool] = mapped_column(default=False)
    """Whether it ever was."""
    findings: Mapped[list[Any]] = mapped_column(default=list)
    """What was found when it was read."""


class StoredPair(Table):
    """A pair of a data set."""

    __tablename__ = "pairs"
    __table_args__ = (
        Index(None, "dataset_id", "pair_id", unique=True),
        Index(None, "dataset_id", "gold"),
        Index(None, "dataset_id", "task"),
    )

    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """From 0, in the order of the file."""
    pair_id: Mapped[str] = mapped_column(String(255))
    text: Mapped[str] = mapped_column(Text)
    hypothesis: Mapped[str] = mapped_column(Text)
    gold: Mapped[str | None] = mapped_column(String(20))
    task: Mapped[str | None] = mapped_column(String(120))
    meta: Mapped[dict[str, Any]] = mapped_column(default=dict)


class StoredRun(Table):
    """A run over a data set, for looking at and comparing; submissions are kept apart."""

    __tablename__ = "runs"

    id: Mapped[int] = mapped_column(primary_key=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"), index=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(120))
    created: Mapped[datetime] = mapped_column(default=now)
    signature: Mapped[str | None] = mapped_column(Text)
    n_verdicts: Mapped[int]
    content: Mapped[bytes] = mapped_column(deferred=True)
    """The run's JSONL, packed by zlib."""


class Trial(Table):
    """A pair, or a document with claims, that somebody tried; its key is a link to it."""

    __tablename__ = "trials"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(32), unique=True)
    """The beginning of a hash of the content: the same trial has the same link."""
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    """Who tried it first."""
    created: Mapped[datetime] = mapped_column(default=now)
    content: Mapped[dict[str, Any]]
