"""What a page shows, in values that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

from ensue.pairs import Pair, Signature, Verdict
from ensue.pairs.runs import verdict_to_json
from ensue.recognizers import Explanation
from ensue.reports.model import Figure, Picture, Report, Table
from ensue.reports.tables import tables_to_json
from ensue.web.showing.remembering import ShownBoard
from ensue.workbench.database.models import Table as Row


def to_json(value: Any) -> Any:
    """The same in values that JSON can hold: tables as rows, pictures as specifications.

    Raises:
        TypeError: a value is of a kind that pages do not show.
    """
    if value is None or isinstance(value, str | bool | int):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, Mapping):
        return {_key(key): to_json(each) for key, each in value.items()}
    if isinstance(value, Sequence | Set) and not isinstance(value, bytes):
        return [to_json(each) for each in value]
    if isinstance(value, Path):
        return str(value)
    return _object(value)


def _key(key: Any) -> str:
    if isinstance(key, Enum):
        return str(key.value)
    return "" if key is None else str(key)


def _object(value: Any) -> Any:
    if isinstance(value, Table):
        return {"title": value.title, **tables_to_json([value])[value.name]}
    if isinstance(value, Picture):
        return {"title": value.title, "caption": value.caption, "specification": dict(value.spec)}
    if isinstance(value, Figure):
        return {"title": value.title, "caption": value.caption, "svg": value.svg}
    if isinstance(value, Report):
        return {
            "title": value.title,
            "signature": value.signature,
            "sections": [to_json(each) for each in value.sections],
        }
    if isinstance(value, ShownBoard):
        return value.once("json", lambda: to_json(value.table))
    if isinstance(value, Explanation):
        return value.to_json()
    if isinstance(value, Verdict):
        return verdict_to_json(value)
    if isinstance(value, Signature):
        return value.to_json()
    if isinstance(value, Pair) or (is_dataclass(value) and not isinstance(value, type)):
        return {each.name: to_json(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Row):
        raise TypeError(f"{type(value).__name__}: a row of the database is not for showing")
    raise TypeError(f"{type(value).__name__} cannot be shown")
