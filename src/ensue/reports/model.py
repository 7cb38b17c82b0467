"""What a report is made of, and one cell of a table as people and programs read it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Context, Decimal
from numbers import Integral, Real
from typing import Any

# What a report is made of, before it becomes text, JSON or HTML.

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


# One cell of a table, as people read it and as programs read it.

DASH = "–"
"""What stands where there is no number."""

_CONTROL_PICTURES = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421}
_ON_A_LINE = (
    _CONTROL_PICTURES
    | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
    | dict.fromkeys(map(ord, "\t\n\v\f\r\x85\u2028\u2029"), " ")
)
_DEFAULT_SIGNIFICANT_DIGITS = 4
_AS_THEY_ARE = (str, bool)
_NUMBERS = (float, Interval, int)
"""What most numbers are."""
_ROUNDING = Context(prec=400, rounding=ROUND_HALF_UP)


def shown_cell(cell: Cell | Interval, column: Column) -> str:
    """The cell in text and HTML: rounded, with its interval, a dash where it is undefined.

    >>> shown_cell(Interval(0.538, 0.501, 0.573), Column("accuracy", digits=1, percent=True))
    '53.8 [50.1, 57.3]'
    >>> shown_cell(1e-9, Column("p", digits=4))
    '<0.0001'
    """
    if isinstance(cell, Interval):
        value = _shown_plain(cell.value, column)
        if cell.value is None or cell.low is None or cell.high is None:
            return value
        return f"{value} [{_shown_plain(cell.low, column)}, {_shown_plain(cell.high, column)}]"
    return _shown_plain(cell, column)


def on_a_line(string: str) -> str:
    r"""The string for a terminal: no line breaks, nothing that commands it, all places as before.

    >>> on_a_line("red\x1b[31m\nline")
    'red␛[31m line'
    """
    return string.translate(_ON_A_LINE)


def shown_heading(column: Column) -> str:
    """The heading that people read, with the unit where the numbers are percentages."""
    heading = column.title or column.name
    return f"{heading} %" if column.percent else heading


def is_numeric(table: Table, i: int) -> bool:
    """Whether the i-th column holds numbers, and so is set flush right."""
    cells = [row[i] for row in table.rows if row[i] is not None]
    if not cells:
        return table.columns[i].digits is not None
    return all(_is_number(cell) for cell in cells)


def is_interval(table: Table, i: int) -> bool:
    """Whether the i-th column holds a number with an interval anywhere."""
    return any(isinstance(row[i], Interval) for row in table.rows)


def plain_cell(cell: Cell) -> Cell:
    """The cell in values that strict JSON can hold: infinities are texts, NaN is None.

    >>> plain_cell(float("-inf")), plain_cell(float("nan")), plain_cell(0.5)
    ('-inf', None, 0.5)
    """
    if cell is None or isinstance(cell, _AS_THEY_ARE):
        return cell
    if isinstance(cell, Integral):
        return int(cell)
    number = float(cell)
    if math.isnan(number):
        return None
    return number if math.isfinite(number) else str(number)


def _shown_plain(cell: Cell, column: Column) -> str:
    if type(cell) is float and math.isfinite(cell):  # most are, and a table may be long
        return _shown_number(cell, column)
    cell = plain_cell(cell)
    if cell is None:
        return DASH
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return cell.translate(_CONTROL_PICTURES)
    return _shown_number(cell, column)


def _shown_number(number: float, column: Column) -> str:
    if isinstance(number, int) and not column.percent:
        return str(number)
    if column.digits is None:
        scaled = number * 100 if column.percent else number
        return f"{scaled:.{_DEFAULT_SIGNIFICANT_DIGITS}g}"
    return _rounded(number, column.digits, column.percent, column.signed)


def _rounded(number: float, digits: int, percent: bool, signed: bool) -> str:
    """As people round: 442 of 800 is 55.25 %, and that is 55.3."""
    places = digits + 2 if percent else digits
    written = repr(number)
    # formatting rounds the same number otherwise only where what is written ends with a half
    is_half = written[-1] == "5" and len(written) - written.find(".") - 2 == places
    if is_half or "e" in written:
        exact = Decimal(written).quantize(Decimal(1).scaleb(-places), context=_ROUNDING)
        text = f"{exact:f}"
    else:
        text = f"{number:.{places}f}"
    shown = _shifted(text) if percent else text
    if not shown.strip("-0."):
        is_tiny = number > 0 and not (percent or signed)
        return f"<{shown[:-1]}1" if is_tiny else shown.lstrip("-")
    return shown


def _shifted(text: str) -> str:
    """A hundred times a number that has two decimals at least.

    >>> _shifted("0.538"), _shifted("-1.0"), _shifted("-0.06")
    ('53.8', '-100', '-6')
    """
    sign, text = ("-", text[1:]) if text[0] == "-" else ("", text)
    whole, _, decimals = text.partition(".")
    decimals = decimals.ljust(2, "0")
    whole = f"{whole}{decimals[:2]}".lstrip("0") or "0"
    return f"{sign}{whole}.{decimals[2:]}" if decimals[2:] else f"{sign}{whole}"


def _is_number(cell: Cell | Interval) -> bool:
    if isinstance(cell, _NUMBERS):
        return not isinstance(cell, bool)
    return isinstance(cell, Real)
