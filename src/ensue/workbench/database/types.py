"""Columns that all databases keep alike."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator


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
