"""What all tables have in common."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, LargeBinary, MetaData
from sqlalchemy.orm import DeclarativeBase

from ensue.workbench.database.types import Moment

_NAMES = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""So that a migration can name what it changes."""


class Table(DeclarativeBase):
    """A table of the workbench's database."""

    metadata = MetaData(naming_convention=_NAMES)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Moment,
        dict[str, Any]: JSON,
        list[Any]: JSON,
        bytes: LargeBinary,
    }
