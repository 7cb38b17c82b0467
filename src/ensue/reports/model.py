"""What a report is made of, and one cell of a table as people and programs read it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Context, Decimal
from enum import Enum
from itertools import islice
from numbers import Integral, Real
from typing import Any

from ensue.files import Finding
from ensue.statistics import Coefficient, Difference, Estimate, Resampling

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
    """One column of a table: what it holds, and how it is shown."""

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
    get: str | Callable[..., Any] | None = field(default=None, compare=False)
    """What stands in it, for `Table.of`: a function of what the row is of, or an attribute of it,
    with dots for attributes of attributes; the attribute of the column's name where it is None."""
    interval: bool = False
    """Whether a number that is lacking is written as one with an interval, as the others are."""
    full: bool = False
    """Whether it is only there where everything is, for programs."""
    reasons: bool = False
    """Whether it says why numbers of its row are lacking."""
    importance: int = 0
    """On a narrow screen the least important columns are left out first, of equal ones the last;
    the first column of a table stays."""

    def value(self, row: Any) -> Any:
        """What stands in it, for one row; None where an attribute on the way is None.

        A row of several things is a tuple: a function takes all, an attribute is that of the last.
        """
        if self.reasons:
            return None
        things = row if type(row) is tuple else (row,)
        if callable(self.get):
            return self.get(*things)
        found = things[-1]
        for name in (self.get or self.name).split("."):
            found = None if found is None else getattr(found, name)
        return found

    def cell(self, value: Any) -> Cell | Interval:
        """A value as it stands in a row."""
        if isinstance(value, Estimate | Difference):
            return Interval(value.value, value.low, value.high)
        if value is None and self.interval:
            return Interval(None)
        cell: Cell | Interval = value.value if isinstance(value, Enum) else value
        return cell


def share(name: str, title: str | None = None, get: Any = None, **more: Any) -> Column:
    """The column of a share, shown in percent with one decimal."""
    return Column(name, title, **{"digits": 1, **more}, percent=True, get=get)


DASHES = "why there are dashes"
"""Stands among the notes for `Table.of` where those on numbers that are lacking belong."""
MOST_NAMES = 5
"""Names that people see of those whose number is lacking for one reason."""
_MOST_REASONS = 6
_ELSEWHERE = "all are in JSON and CSV"

Lack = tuple[str, str]
"""Whose number is lacking, and why."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns, with a title and notes."""

    name: str
    """The key in JSON."""
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell | Interval]]
    notes: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        columns: Iterable[Column],
        rows: Iterable[Any],
        notes: Iterable[str] = (),
        *,
        called: Callable[..., str] | None = None,
        short_notes: bool = False,
        every: bool = True,
        most: int | None = None,
        n: int | None = None,
        what: str = "rows",
    ) -> Table:
        """Make a table of things, each a row; the columns say how to get and show their values.

        >>> Table.of("words", "Words", [Column("length", get=len)], ["a", "bc"]).rows
        [[1], [2]]

        Args:
            name: The key in JSON.
            title: Above the table.
            columns: Those that are `full` are left out unless `every`.
            rows: What each row is of; a tuple where it is of several things. They may be made one
                by one: those that are not shown are not asked for.
            notes: Below the table; `DASHES` stands for why numbers are lacking.
            called: What a row is called in such a note.
            short_notes: Whether people see a few names and reasons only.
            every: Whether all rows and columns are there, for programs.
            most: How many rows people see; all where it is None.
            n: How many rows there are, where it is known before they are made.
            what: What the rows are called in a note on those that people do not see.
        """
        shown = [column for column in columns if every or not column.full]
        if n is None:
            rows = list(rows)
            n = len(rows)
        why = [i for i, column in enumerate(shown) if column.reasons]
        is_cut = not every and most is not None and n > most
        made: list[list[Cell | Interval]] = []
        lacks: list[Lack] = []
        for row in islice(rows, most) if is_cut else rows:
            values = [column.value(row) for column in shown]
            for i in why:
                values[i] = why_undefined(values)
            made.append([column.cell(each) for column, each in zip(shown, values, strict=True)])
            if called is not None:
                lacks += lacking(called(*(row if type(row) is tuple else (row,))), values)
        more = [f"the first {most} of {n:,} {what}; {_ELSEWHERE}"] if is_cut else []
        said = dash_notes(lacks, every=every) if short_notes else reason_notes(lacks)
        filled = [line for note in notes for line in (said if note == DASHES else [note])]
        return cls(name, title, shown, made, [*filled, *more])

    def without_empty(self, name: str) -> Table:
        """The same without a column in which there is nothing."""
        at = [column.name for column in self.columns].index(name)
        if any(row[at] is not None for row in self.rows):
            return self
        columns = [*self.columns[:at], *self.columns[at + 1 :]]
        rows = [[*row[:at], *row[at + 1 :]] for row in self.rows]
        return Table(self.name, self.title, columns, rows, self.notes)


def lacking(name: str, values: Iterable[Any]) -> Iterator[Lack]:
    """Which estimates among values are lacking, and why."""
    for each in values:
        if isinstance(each, Estimate | Difference) and each.value is None and each.reason:
            yield name, each.reason


def why_undefined(values: Iterable[Any]) -> str | None:
    """The reasons why numbers of one row are lacking, each once; None where none is."""
    return "; ".join(dict.fromkeys(reason for _, reason in lacking("", values))) or None


def reason_notes(lacks: Iterable[Lack]) -> list[str]:
    """Why there are dashes, a note a reason with all that it holds for.

    >>> reason_notes([("bleu", "no words"), ("nist", "no words"), ("ter", "no edits")])
    ['bleu, nist: no words', 'ter: no edits']
    """
    return [f"{', '.join(names)}: {reason}" for reason, names in _by_reason(lacks).items()]


def dash_notes(lacks: Iterable[Lack], *, every: bool) -> list[str]:
    """Why there are dashes, a note a reason; people see a few names and a few reasons.

    >>> dash_notes([(str(i), "no words") for i in range(7)], every=False)
    ['0, 1, 2, 3, 4 and 2 more: no words']
    """
    if every:
        return reason_notes(lacks)
    notes = [f"{_some(list(names))}: {reason}" for reason, names in _by_reason(lacks).items()]
    n_more = len(notes) - _MOST_REASONS
    more = [f"{n_more} more reasons for dashes; {_ELSEWHERE}"] if n_more > 0 else []
    return notes[:_MOST_REASONS] + more


def _by_reason(lacks: Iterable[Lack]) -> dict[str, dict[str, None]]:
    found: dict[str, dict[str, None]] = {}
    for name, reason in lacks:
        found.setdefault(reason, {})[name] = None
    return found


def _some(names: Sequence[str]) -> str:
    n_more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {n_more} more" if n_more > 0 else "")


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
    answer: str = ""
    """What was found, in a sentence or two."""


# What many tables need: numbers with their intervals, names of coefficients, findings.

Row = list[Cell | Interval]

COEFFICIENT_TITLES = {
    Coefficient.PEARSON: "Pearson's r",
    Coefficient.SPEARMAN: "Spearman's ρ",
    Coefficient.KENDALL: "Kendall's τ-b",
}
"""How people write them."""
COEFFICIENT_SIGNS = {
    Coefficient.PEARSON: "r",
    Coefficient.SPEARMAN: "ρ",
    Coefficient.KENDALL: "τ",
}
"""The same in short."""


def shown_estimate(estimate: Estimate | None) -> Interval:
    """An estimate as a cell; a dash where there is none."""
    if estimate is None:
        return Interval(None)
    return Interval(estimate.value, estimate.low, estimate.high)


def lack_of(name: str, estimate: Estimate) -> list[Lack]:
    """Why an estimate is lacking, if it is."""
    return list(lacking(name, [estimate]))


def interval_notes(resampling: Resampling, *, over: str) -> list[str]:
    """What stands in brackets, if anything does.

    Args:
        resampling: Draws, level and seed of the intervals.
        over: What was drawn, e.g. `segments`.
    """
    if not resampling.draws:
        return []
    return [
        f"in brackets: {resampling.percent} bootstrap intervals over {over}"
        f" ({resampling.draws:,} draws, seed {resampling.seed})"
    ]


def findings_table(findings: Sequence[Finding], *notes: str) -> Table:
    """Findings with their places."""
    columns = [
        Column("severity"),
        Column("code", importance=-1),
        Column("place"),
        Column("message", importance=1),
    ]
    return Table.of("findings", "Findings", columns, findings, notes)


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


# Results in a sentence.

SHARE = share("share")
"""A share in a sentence, in percent with one decimal."""


def names_in_words(names: Sequence[str]) -> str:
    """Some names as people list them.

    >>> names_in_words(["a", "b", "c"]), names_in_words(list("abcdefg"))
    ('a, b and c', 'a, b, c, d, e and 2 more')
    """
    n_more = len(names) - MOST_NAMES
    *first, last = [*names[:MOST_NAMES], f"{n_more} more"] if n_more > 0 else names
    return f"{', '.join(first)} and {last}" if first else last


def number_in_words(number: float, column: Column = SHARE) -> str:
    """A number as it stands in its column, with its unit."""
    return shown_cell(number, column) + " %" * column.percent


def interval_in_words(
    estimate: Estimate, resampling: Resampling, column: Column = SHARE, *, more: str = ""
) -> str:
    """The interval of a number, in parentheses; nothing where there is none, nor anything more.

    >>> interval_in_words(Estimate(0.5, 0.4, 0.6), Resampling(), more="p = 0.5")
    ' (95 % interval 40.0 to 60.0 %; p = 0.5)'
    """
    said = []
    if estimate.low is not None and estimate.high is not None:
        low, high = (shown_cell(end, column) for end in (estimate.low, estimate.high))
        said.append(f"{resampling.percent} interval {low} to {high}{' %' * column.percent}")
    said += [more] if more else []
    return f" ({'; '.join(said)})" if said else ""


def p_in_words(p: float) -> str:
    """A p-value.

    >>> p_in_words(0.03), p_in_words(1e-9)
    ('p = 0.0300', 'p < 0.0001')
    """
    shown = shown_cell(p, Column("p", digits=4))
    return f"p {shown[0]} {shown[1:]}" if shown.startswith("<") else f"p = {shown}"


def best_of(numbers: Mapping[str, float | None]) -> list[str]:
    """Those with the largest number; nobody where none has one.

    >>> best_of({"a": 0.5, "b": 0.7, "c": None, "d": 0.7})
    ['b', 'd']
    """
    most = max((number for number in numbers.values() if number is not None), default=None)
    return [name for name, number in numbers.items() if number is not None and number == most]


def others_in_words(others: Sequence[str], worse: Collection[str]) -> str:
    """Which of those that are not the best are significantly worse: the end of a sentence.

    >>> others_in_words(["a", "b"], ["b"]), others_in_words(["a", "b"], [])
    ('; of the others, b is significantly worse', '; no other is significantly worse')
    """
    found = [name for name in others if name in worse]
    if len(others) < 2:
        return "".join(f"; {o} is {'' if found else 'not '}significantly worse" for o in others)
    if not found:
        return "; no other is significantly worse"
    if len(found) == len(others):
        return "; all others are significantly worse"
    verb = "is" if len(found) == 1 else "are"
    return f"; of the others, {names_in_words(found)} {verb} significantly worse"
