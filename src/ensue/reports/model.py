"""What a report is made of, before it becomes text, JSON or HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Cell = str | int | float | bool | None
"""What a table holds; None is "undefined" and is shown as a dash."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A number with the interval around it."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    """The key in JSON and CSV, e.g. `accuracy`."""
    title: str | None = None
    """The heading that people read; the name where it is None."""
    digits: int | None = None
    """Decimals shown in text and HTML; JSON and CSV keep full precision."""
    percent: bool = False
    """Show 0.538 as 53.8 % (digits still count decimals of the shown number)."""
    signed: bool = False
    """Numbers may be negative, so that one that rounds to 0 is shown as 0 and not as `<0.01`."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns, with a title and notes."""

    name: str
    """The key in JSON."""
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell | Interval]]
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A Vega-Lite specification with its data inside."""

    name: str
    title: str
    spec: Mapping[str, Any] = field(hash=False)
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing that is SVG already: made by `ensue.reports.pictures`, never by anybody else.

    A page holds it as it is, so that whatever words stand in it must have been escaped.
    """

    name: str
    title: str
    svg: str
    caption: str = ""


PagePart = Table | Picture | Figure
"""What a section holds beside words."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: words first, then tables, pictures and figures as they come."""

    title: str
    text: str = ""
    parts: Sequence[PagePart] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """One page."""

    title: str
    sections: Sequence[Section]
    signature: str = ""
    """How to get the same page again: commands, versions, seeds."""
