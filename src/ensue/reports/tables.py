"""Tables as text for people, and as JSON, JSONL and CSV for programs."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import IO, Any

from ensue.errors import UnknownNameError
from ensue.files import STANDARD, csv_lines, open_text_output
from ensue.reports.model import (
    Cell,
    Interval,
    Table,
    is_interval,
    plain_cell,
)
from ensue.reports.text import TextLine, output_width, table_lines, wrapped

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
