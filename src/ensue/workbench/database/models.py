"""The tables of the workbench."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from sqlalchemy import JSON, DateTime, ForeignKey, Index, LargeBinary, MetaData, String, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, Session as Transaction, mapped_column
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class Moment(TypeDecorator[datetime]):
    """A time with its zone; kept as UTC, since SQLite keeps no zones."""

    impl = DateTime(timezone=False)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:  # noqa: ARG002
        """To UTC, without saying so."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Say that it is UTC."""
        return None if value is None else value.replace(tzinfo=UTC)


def now() -> datetime:
    """The time, to the microsecond."""
    return datetime.now(UTC)


def writable_text(text: str) -> str:
    """What every database takes: no null characters, no halves of characters."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


# What all tables have in common.

_NAMES = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""So that a migration can name what it changes."""


class MappedTable(DeclarativeBase):
    """A table of the workbench's database."""

    metadata = MetaData(naming_convention=_NAMES)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Moment,
        dict[str, Any]: JSON,
        list[Any]: JSON,
        bytes: LargeBinary,
    }


Row = TypeVar("Row", bound=MappedTable)
Record = TypeVar("Record", bound="DataclassInstance")


def held(session: Transaction, table: type[Row], number: int) -> Row:
    """The row of a number, as it is now, which nobody else changes until the transaction ends."""
    return session.get_one(table, number, with_for_update=True, populate_existing=True)


def record_of(kind: type[Record], row: MappedTable, /, **others: Any) -> Record:
    """What is told of a row: columns by the names of the fields, unless `others` have them."""
    names = {each.name for each in fields(kind)} - others.keys()
    return kind(**{name: getattr(row, name) for name in names}, **others)


# Who may come in, how they showed it, and what they did.


class User(MappedTable):
    """A person."""

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    role: Mapped[str] = mapped_column(String(20))
    password: Mapped[str | None] = mapped_column(String(200))
    """Hashed; None where nobody can sign in by it."""
    created: Mapped[datetime] = mapped_column(default=now)
    is_closed: Mapped[bool] = mapped_column(default=False)


class Session(MappedTable):
    """A browser that somebody has signed in with."""

    __tablename__ = "sessions"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    """Of what the browser's cookie says, which is kept nowhere."""
    created: Mapped[datetime] = mapped_column(default=now)
    expires: Mapped[datetime]


class Token(MappedTable):
    """What a program signs in with."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created: Mapped[datetime] = mapped_column(default=now)
    used: Mapped[datetime | None]


class AuditEntry(MappedTable):
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


# Data sets with their pairs, runs over them, and what was tried.


class DataSet(MappedTable):
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


class StoredPair(MappedTable):
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


class StoredRun(MappedTable):
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


class StoredTrial(MappedTable):
    """A pair, or a document with claims, that somebody tried; its key is a link to it."""

    __tablename__ = "trials"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(32), unique=True)
    """The beginning of a hash of the content: the same trial has the same link."""
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    """Who tried it first."""
    created: Mapped[datetime] = mapped_column(default=now)
    content: Mapped[dict[str, Any]]


# Challenges: who takes part, what they submitted, and what became of it.


class Challenge(MappedTable):
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


class Team(MappedTable):
    """Those who submit together."""

    __tablename__ = "teams"
    __table_args__ = (Index(None, "challenge_id", "name", unique=True),)

    id: Mapped[int] = mapped_column(primary_key=True)
    challenge_id: Mapped[int] = mapped_column(ForeignKey("challenges.id"))
    name: Mapped[str] = mapped_column(String(80))
    created: Mapped[datetime] = mapped_column(default=now)


class Member(MappedTable):
    """A person in a team; in one team of a challenge at most."""

    __tablename__ = "members"
    __table_args__ = (Index(None, "challenge_id", "user_id", unique=True),)

    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    challenge_id: Mapped[int] = mapped_column(ForeignKey("challenges.id"))


class Invitation(MappedTable):
    """What lets somebody make a team, or join one."""

    __tablename__ = "invitations"

    id: Mapped[int] = mapped_column(primary_key=True)
    challenge_id: Mapped[int] = mapped_column(ForeignKey("challenges.id"), index=True)
    team_id: Mapped[int | None] = mapped_column(ForeignKey("teams.id"))
    """None where whoever comes makes a new one."""
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created: Mapped[datetime] = mapped_column(default=now)
    used_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))


class Submission(MappedTable):
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


# Annotation: projects, what they ask, and what each judge says.


class Project(MappedTable):
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


class Annotator(MappedTable):
    """Somebody who judges in a project."""

    __tablename__ = "annotators"

    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)


class Question(MappedTable):
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


class Judgment(MappedTable):
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


class Lease(MappedTable):
    """A question that a judge has on the screen, so that others are given other ones."""

    __tablename__ = "leases"

    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    until: Mapped[datetime]


class ProjectData(MappedTable):
    """A data set that was made of a project's pairs."""

    __tablename__ = "project_data"

    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id"), primary_key=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"), primary_key=True, index=True)
