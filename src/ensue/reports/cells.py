"""One cell of a table, as people read it and as programs read it."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal
from numbers import Integral, Real

from ensue.reports.model import Cell, Column, Interval, Table

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
