"""Tables as lines of text that keep to a width, and as JSON, JSONL and CSV."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import IO, Any

from ensue.errors import UnknownNameError
from ensue.files import STANDARD, csv_lines, open_text_output
from ensue.reports.model import (
    Cell,
    Column,
    Interval,
    Table,
    is_interval,
    is_numeric,
    plain_cell,
    shown_cell,
    shown_heading,
)

# The width, and words broken into lines of it.

PIPED_WIDTH = 120
"""Where there is no terminal and `COLUMNS` does not say how wide lines may be."""
_LEAST_WIDTH = 20
_HARD_SPACE = "\u00a0"
_BREAKS = re.compile(f"[^\\S{_HARD_SPACE}]+")
_UNBROKEN = re.compile(r" (?=%(?:\W|$))|(?<=\bp) (?=[=<])|(?<=[=<≤≥]) (?=\d)")
"""Blanks that are not broken: those of `50 %`, `p = 0.05` and `q ≤ 0.05`."""
_LIST = "|"
"""In a signature, after which a line may end."""
_SEAMS = (
    re.compile(r"(?<=[|])"),
    re.compile(r"(?<=[/\\,;:=&?_.\-])(?!\d)|(?=[([{])"),
    re.compile(r"(?<=.)"),
)
"""Where a word that is longer than a line is broken, the best places first."""


def output_width(file: IO[str]) -> int:
    """How wide a line may be: what `COLUMNS` says, the terminal's width, or that of pipes."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return max(int(said), _LEAST_WIDTH)
    if not file.isatty():
        return PIPED_WIDTH
    return max(shutil.get_terminal_size((PIPED_WIDTH, 24)).columns, _LEAST_WIDTH)


def text_cells(text: str) -> int:
    """How many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def wrapped(text: str, width: int, *, first: str = "", then: str | None = None) -> list[str]:
    """The text in lines of at most a width, broken between words.

    A word that is longer than a line is broken after a slash, a comma and the like, and where
    there is none, anywhere.

    >>> wrapped("a text of six words here", 12, first="- ")
    ['- a text of', '  six words', '  here']

    Args:
        text: What to break.
        width: Of a line, with what it begins with.
        first: What the first line begins with.
        then: What the others begin with; as many blanks where it is None.
    """
    then = " " * text_cells(first) if then is None else then
    if text_cells(first) + text_cells(text) <= width:
        return [first + text]
    room = max(width - max(text_cells(first), text_cells(then)), 1)
    lines = _filled(_BREAKS.split(_UNBROKEN.sub(_HARD_SPACE, text.strip())), room)
    return [(then if i else first) + line for i, line in enumerate(lines)] or [first]


def _filled(words: Sequence[str], room: int) -> list[str]:
    """Words put on lines, as many as there is room for."""
    lines: list[str] = []
    for word in words:
        if lines and text_cells(lines[-1]) + 1 + text_cells(word) <= room:
            lines[-1] += f" {word}"
        elif text_cells(word) <= room and not (lines and _LIST in word):
            lines.append(word)
        else:
            begun = f"{lines.pop()} " if lines else ""
            lines += _broken(word, room, begun)
    return [line.replace(_HARD_SPACE, " ") for line in lines]


def _broken(word: str, room: int, begun: str) -> list[str]:
    """A word that is longer than a line, in pieces that are not, after a line that is begun."""
    lines = [begun]
    for piece in _pieces(word, room):
        if text_cells(lines[-1]) + text_cells(piece) <= room:
            lines[-1] += piece
        else:
            lines.append(piece)
    return [line.rstrip(" ") for line in lines if line]


def _pieces(word: str, room: int, seams: Sequence[re.Pattern[str]] = _SEAMS) -> Iterator[str]:
    for piece in seams[0].split(word):
        if text_cells(piece) <= room or len(seams) == 1:
            yield piece
        else:
            yield from _pieces(piece, room, seams[1:])


# A table in lines: headings and words wrapped, intervals under their numbers, columns left out,
# or records in its place, whatever the width asks for.

_GAP = "  "
_LEAST_TEXT = 16
"""Cells that a column of words gets at least, if they need so many."""
_LONGEST_WORD = 32
"""Longer words, such as signatures, may be broken."""
_ALWAYS = 1_000_000
"""The importance of the first column, which says what a row is of."""
_KEPT_SHARE = 0.5
"""Where fewer of the columns have room, or not all for a single row, a table becomes records."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line with how a terminal shows it: `bold`, `dim` or plain."""

    text: str
    style: str = ""


def table_lines(table: Table, width: int, *, option: str = "") -> Iterator[TextLine]:
    """The title, the rows as they fit into the width, what was left out, and the notes.

    Args:
        table: What to write.
        width: Cells of a line.
        option: The option of the command that shows all columns, e.g. `--format csv`.
    """
    yield from (TextLine(line, "bold") for line in wrapped(table.title, width))
    left_out = ""
    if table.rows:
        layout = _Layout(table, width)
        yield from layout.lines()
        left_out = layout.left_out(option)
    else:
        yield TextLine("  (no rows)", "dim")
    for note in (*table.notes, *([left_out] if left_out else [])):
        yield from (TextLine(line, "dim") for line in wrapped(note, width, first="  "))


def aligned_rows(rows: Sequence[Sequence[str]], width: int) -> list[list[str]]:
    """The lines of each row of texts that stand in columns.

    >>> aligned_rows([["a", "b c d"], ["aa", "b"]], 20)
    [['a   b c d'], ['aa  b']]
    """
    if not rows:
        return []
    return _Layout(Table("", "", [Column("")] * len(rows[0]), rows), width).bare_rows()


@dataclass(frozen=True, slots=True, eq=False)
class _TextColumn:
    """A column as text, and what it takes."""

    heading: str
    cells: Sequence[Sequence[str]]
    """Each in parts that stay whole, a number and its interval, or as one text."""
    is_text: Sequence[bool]
    """Which cells may be broken between words."""
    is_right: bool
    """Whether it is set flush right."""
    rank: tuple[int, int]
    """The lowest is left out first."""
    numbers: tuple[int, int]
    """Cells that its numbers take, with intervals beside them and under them."""
    texts: int
    """Cells that its longest text takes."""
    longest_word: int

    @classmethod
    def of(cls, table: Table, i: int) -> _TextColumn:
        """The i-th column of a table."""
        column = table.columns[i]
        raw = [row[i] for row in table.rows]
        cells = [_parts(cell, shown_cell(cell, column)) for cell in raw]
        is_text = [isinstance(cell, str) for cell in raw]
        numbers = [parts for parts, text in zip(cells, is_text, strict=True) if not text]
        texts = [parts[0] for parts, text in zip(cells, is_text, strict=True) if text]
        return cls(
            shown_heading(column),
            cells,
            is_text,
            is_numeric(table, i),
            (column.importance if i else _ALWAYS, -i),
            (
                max((text_cells(" ".join(parts)) for parts in numbers), default=0),
                max((text_cells(part) for parts in numbers for part in parts), default=0),
            ),
            max(map(text_cells, texts), default=0),
            max((text_cells(word) for text in texts for word in text.split()), default=0),
        )

    def least(self, *, stacked: bool) -> int:
        """The width that it needs, with its heading and its texts broken between words."""
        words = max(map(text_cells, self.heading_words), default=0)
        texts = max(min(self.longest_word, _LONGEST_WORD), min(self.texts, _LEAST_TEXT))
        return max(words, self.numbers[stacked], texts)

    def natural(self, *, stacked: bool) -> int:
        """The width at which nothing is broken."""
        return max(text_cells(self.heading), self.numbers[stacked], self.texts)

    def used(self, width: int) -> int:
        """What it takes of a width that it is given: less where only the heading is broken."""
        if width < self.texts:
            return width
        heading = max(map(text_cells, self.heading_lines(width)))
        return max(heading, *(size for size in self.numbers if size <= width), self.texts)

    @property
    def heading_words(self) -> list[str]:
        """The words of its heading; a unit stays with the last one."""
        return self.heading.replace(" %", f"{_HARD_SPACE}%").split(" ")

    def least_of(self, row: int) -> int:
        """The width that one cell needs."""
        parts = self.cells[row]
        size = max(map(text_cells, parts))
        if not self.is_text[row]:
            return size
        longest = max(map(text_cells, parts[0].split()), default=0)
        return max(min(longest, _LONGEST_WORD), min(size, _LEAST_TEXT))

    def heading_lines(self, width: int) -> list[str]:
        """The heading, broken between words."""
        return _filled(self.heading_words, width)

    def cell_lines(self, row: int, width: int) -> list[str]:
        """A cell, broken between words or between a number and its interval."""
        parts = self.cells[row]
        whole = " ".join(parts)
        if text_cells(whole) <= width:
            return [whole]
        return wrapped(whole, width) if self.is_text[row] else list(parts)


def _parts(cell: object, shown: str) -> list[str]:
    if isinstance(cell, Interval) and " [" in shown:
        number, interval = shown.split(" [", 1)
        return [number, f"[{interval}"]
    return [shown]


class _Layout:
    """How the rows of a table fit into a width."""

    def __init__(self, table: Table, width: int) -> None:
        self.width = width
        self.n_rows = len(table.rows)
        self.columns = [_TextColumn.of(table, i) for i in range(len(table.columns))]
        self.kept = list(self.columns)
        """The columns that have room, the most important ones."""
        while len(self.kept) > 1 and _least(self.kept, stacked=True) > width:
            self.kept.remove(min(self.kept, key=lambda column: column.rank))
        n = len(self.columns)
        few = len(self.kept) < max(2, n * _KEPT_SHARE) or (self.n_rows == 1 and len(self.kept) < n)
        too_wide = _least(self.kept, stacked=True) > width
        self.is_records = n > 1 and (few or too_wide)
        self.is_stacked = _least(self.kept, stacked=False) > width

    def lines(self) -> Iterator[TextLine]:
        """The rows under their headings, or as records."""
        yield from self._records() if self.is_records else self._rows()

    def bare_rows(self) -> list[list[str]]:
        """The lines of each row, without headings; one line where not all columns have room."""
        if self.is_records or len(self.kept) < len(self.columns):
            rows = zip(*(column.cells for column in self.columns), strict=True)
            lines = (_GAP.join(cell for (cell,) in row if cell) for row in rows)
            return [wrapped(line, self.width, then=_GAP * 2) for line in lines]
        widths = self._widths()
        return [list(self._row(row, widths)) for row in range(self.n_rows)]

    def left_out(self, option: str) -> str:
        """Which columns are not shown, and what shows them; nothing where all are."""
        missing = [column.heading for column in self.columns if column not in self.kept]
        if self.is_records or not missing:
            return ""
        wide = f"COLUMNS={_least(self.columns, stacked=True)}"
        shows = f"{option} or {wide} shows" if option else f"{wide} shows"
        them = "it" if len(missing) == 1 else "them"
        return f"left out at this width: {', '.join(missing)}; {shows} {them}"

    def _widths(self) -> list[int]:
        """The width of each column: what it needs, and its part of the rest."""
        stacked = self.is_stacked
        widths = [column.least(stacked=stacked) for column in self.kept]
        if len(widths) == 1:
            return [min(max(widths[0], self.kept[0].natural(stacked=stacked)), self.width)]
        _share_out(widths, [column.natural(stacked=stacked) for column in self.kept], self.width)
        widths = [column.used(width) for column, width in zip(self.kept, widths, strict=True)]
        texts = [max(w, column.texts) for column, w in zip(self.kept, widths, strict=True)]
        _share_out(widths, texts, self.width)
        return widths

    def _rows(self) -> Iterator[TextLine]:
        widths = self._widths()
        headings = [c.heading_lines(w) for c, w in zip(self.kept, widths, strict=True)]
        height = max(map(len, headings))
        heads = [[""] * (height - len(lines)) + lines for lines in headings]
        for line in self._set(heads, widths):
            yield TextLine(line, "bold")
        total = sum(widths) + len(_GAP) * (len(widths) - 1)
        yield TextLine("─" * min(total + 1, self.width))
        for row in range(self.n_rows):
            yield from map(TextLine, self._row(row, widths))

    def _row(self, row: int, widths: Sequence[int]) -> Iterator[str]:
        cells = [c.cell_lines(row, w) for c, w in zip(self.kept, widths, strict=True)]
        return self._set(cells, widths)

    def _set(self, cells: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
        """The lines of cells that stand side by side."""
        for parts in zip_longest(*cells, fillvalue=""):
            padded = [
                _padded(part, width, column.is_right)
                for part, width, column in zip(parts, widths, self.kept, strict=True)
            ]
            yield _GAP.join(padded).rstrip()

    def _records(self) -> Iterator[TextLine]:
        """Each row as lines of heading and cell."""
        names = max(text_cells(column.heading) for column in self.columns)
        words = max(text_cells(word) for c in self.columns for word in c.heading_words)
        name_width = max(min(names, self.width // 3), words)
        for row in range(self.n_rows):
            yield TextLine("─" * min(self.width, name_width + len(_GAP) + _LEAST_TEXT))
            for column in self.columns:
                yield from map(TextLine, self._record_lines(column, row, name_width))

    def _record_lines(self, column: _TextColumn, row: int, name_width: int) -> Iterator[str]:
        room = self.width - name_width - len(_GAP)
        names = column.heading_lines(name_width)
        if room < column.least_of(row):
            yield from names  # the cell has no room beside its name
            for line in column.cell_lines(row, self.width - len(_GAP)):
                yield _GAP + line
            return
        for name, line in zip_longest(names, column.cell_lines(row, room), fillvalue=""):
            yield f"{_padded(name, name_width)}{_GAP}{line}".rstrip()


def _least(columns: Sequence[_TextColumn], *, stacked: bool) -> int:
    """The width that columns need side by side."""
    gaps = len(_GAP) * (len(columns) - 1)
    return sum(column.least(stacked=stacked) for column in columns) + gaps


def _share_out(widths: list[int], wanted: Sequence[int], width: int) -> None:
    """Give columns what they want, a cell at a time while there is room."""
    rest = width - sum(widths) - len(_GAP) * (len(widths) - 1)
    while rest > 0 and any(have < want for have, want in zip(widths, wanted, strict=True)):
        for i, want in enumerate(wanted):
            if widths[i] < want and rest > 0:
                widths[i] += 1
                rest -= 1


def _padded(text: str, width: int, is_right: bool = False) -> str:
    blanks = " " * (width - text_cells(text))
    return blanks + text if is_right else text + blanks


_FORMULAS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""How a cell begins that a spreadsheet would take for a formula; the last four are wide forms."""


def write_tables(
    tables: Sequence[Table],
    *,
    output: str = "-",
    format: str = "table",
    table: str | None = None,
    option: str = "",
    answer: str = "",
) -> None:
    """Write tables to a file or to standard output, whole or not at all.

    Args:
        tables: What to write; their names differ.
        output: A file's name, or `-`.
        format: `table` is text for people, with rounded numbers and the notes; it keeps to the
            width of the terminal, or to `COLUMNS`, and is colored on a terminal only. `json` is one object with rows and notes by
            table name; `jsonl` a row a line, with its table's name; `csv` the rows, each table
            after a line `# name` where there are several. The last three keep full precision.
        table: The name of the only one to write; all are written where it is not given.
        option: The option of the command that shows the columns for which text has no room.
        answer: A sentence that stands above all tables as text.

    Raises:
        UnknownNameError: there is no such format, or no such table.
        OutputError: the output cannot be written.
    """
    writers: dict[str, Callable[[IO[str], Sequence[Table]], None]] = {
        "table": partial(_write_text, option=option, answer="" if table else answer),
        "json": _write_json,
        "jsonl": _write_jsonl,
        "csv": _write_csv,
    }
    if format not in writers:
        raise UnknownNameError.of("table format", format, writers)
    _check_names(tables)
    if table is not None:
        tables = [_named(tables, table)]
    if output == STANDARD:
        sys.stdout.flush()
    with open_text_output(output) as file:
        writers[format](file, tables)


def tables_to_json(tables: Sequence[Table]) -> dict[str, Any]:
    """The tables by name, each with its rows and notes, in values that strict JSON can hold."""
    return {
        table.name: {"rows": list(_records(table)), "notes": list(table.notes)} for table in tables
    }


def table_to_csv(table: Table, *, guarded: bool = False) -> str:
    """A table as `write_tables` writes it as CSV.

    Args:
        table: What to write.
        guarded: Whether it is for people who open it in a spreadsheet, and who did not write what
            stands in it: texts are `harmless` then, and no longer what they were to the letter.
            Programs need them as they are, so that the command line does without.
    """
    file = io.StringIO()
    _write_csv(file, [table], harmless if guarded else str)
    return file.getvalue()


def harmless(text: str) -> str:
    """A text that a spreadsheet shows and does not compute; numbers stay numbers.

    A line break in it, which some take for a new row, becomes a blank, as all that is not printed.

    >>> harmless("=1+1"), harmless("-0.5"), harmless("- he said")
    ("'=1+1", '-0.5', "'- he said")
    """
    line = "".join(each if each.isprintable() else " " for each in text)
    is_formula = line.lstrip().startswith(_FORMULAS) and not _is_a_number(line)
    return f"'{line}" if is_formula else line


def _is_a_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _check_names(tables: Sequence[Table]) -> None:
    names = [table.name for table in tables]
    if len(set(names)) < len(names):
        raise ValueError(f"two tables have one name: {names}")


def _named(tables: Sequence[Table], name: str) -> Table:
    for table in tables:
        if table.name == name:
            return table
    known = ", ".join(table.name for table in tables)
    raise UnknownNameError(
        "no-table-called", f"no table is called {name!r}", hint=f"there are: {known}"
    )


def _records(table: Table) -> Iterator[dict[str, Any]]:
    for row in table.rows:
        yield {
            column.name: _json_cell(cell) for column, cell in zip(table.columns, row, strict=True)
        }


def _json_cell(cell: Cell | Interval) -> Any:
    if isinstance(cell, Interval):
        return {
            "value": plain_cell(cell.value),
            "low": plain_cell(cell.low),
            "high": plain_cell(cell.high),
        }
    return plain_cell(cell)


def _write_json(file: IO[str], tables: Sequence[Table]) -> None:
    json.dump(tables_to_json(tables), file, ensure_ascii=False, indent=2, allow_nan=False)
    file.write("\n")


def _write_jsonl(file: IO[str], tables: Sequence[Table]) -> None:
    for table in tables:
        for record in _records(table):
            line = {"table": table.name, **record}
            file.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")


def _write_csv(file: IO[str], tables: Sequence[Table], as_text: Callable[[str], str] = str) -> None:
    for i, table in enumerate(tables):
        if len(tables) > 1:
            file.write(f"{chr(10) if i else ''}# {table.name}\n")
        wide = [is_interval(table, i) for i in range(len(table.columns))]
        rows = [_csv_heading(table, wide), *(_csv_row(row, wide) for row in table.rows)]
        file.writelines(csv_lines(list(map(as_text, row)) for row in rows))


def _csv_heading(table: Table, wide: Sequence[bool]) -> list[str]:
    heading: list[str] = []
    for column, is_wide in zip(table.columns, wide, strict=True):
        heading.append(column.name)
        if is_wide:
            heading += [f"{column.name}_low", f"{column.name}_high"]
    return heading


def _csv_row(row: Sequence[Cell | Interval], wide: Sequence[bool]) -> list[str]:
    values: list[str] = []
    for cell, is_wide in zip(row, wide, strict=True):
        interval = cell if isinstance(cell, Interval) else None
        values.append(_csv_cell(interval.value if interval else cell))
        if is_wide:
            values.append(_csv_cell(interval.low if interval else None))
            values.append(_csv_cell(interval.high if interval else None))
    return values


def _csv_cell(cell: Any) -> str:
    plain = plain_cell(cell)
    if isinstance(plain, bool):
        return "true" if plain else "false"
    return "" if plain is None else str(plain)


def _write_text(file: IO[str], tables: Sequence[Table], option: str = "", answer: str = "") -> None:
    width, is_terminal = output_width(file), file.isatty()
    if answer:
        file.writelines(f"{line}\n" for line in [*wrapped(answer, width), ""])
    for i, table in enumerate(tables):
        lines = table_lines(table, width, option=option)
        file.write("\n" * bool(i))
        if is_terminal:
            file.write(_styled(file, width, lines))
        else:
            file.writelines(f"{line.text}\n" for line in lines)


def _styled(file: IO[str], width: int, lines: Iterable[TextLine]) -> str:
    """The lines with what makes a terminal show them bold or dim."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=file, width=width, highlight=False, soft_wrap=True)
    with console.capture() as capture:
        for line in lines:
            console.print(Text(line.text, style=line.style))
    return capture.get()
