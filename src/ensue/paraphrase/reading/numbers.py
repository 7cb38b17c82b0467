"""Numbers of lists from files: one row a list, with any columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ensue.errors import DataError
from ensue.pairs.files import shown_name
from ensue.pairs.formats.model import OnFinding, ignore
from ensue.pairs.model import Finding, Severity
from ensue.pairs.rows import Row, RowFormat, read_rows, row_format
from ensue.paraphrase.model import ListKey, Numbers

_KEY = ("term", "method")
_HINT = "columns: term, method, and one for each score or task"


def read_list_numbers(
    path: str | Path, *, encoding: str | None = None, on_finding: OnFinding = ignore
) -> tuple[tuple[ListKey, ...], dict[str, Numbers]]:
    """Read a row for each list: `term`, `method`, and numbers under any other names.

    Args:
        path: CSV, TSV or JSONL by the end of its name; CSV where that says nothing.
        encoding: Of the file.
        on_finding: Is told of columns that hold no numbers, which are left out.

    Returns:
        The lists, and each column of numbers; NaN where a cell is empty.

    Raises:
        DataError: the file is empty, a list stands there twice, there is no column of numbers, or a
            cell of one is none.
    """
    rows: dict[ListKey, Row] = {}
    for row in read_rows(path, row_format(path) or RowFormat.CSV, encoding):
        key = ListKey(row.needed("term", _HINT), row.text("method"))
        if key in rows:
            raise DataError(
                f"the list of {key.term!r} by {key.method!r} is at {rows[key].place} already",
                place=row.place,
                hint="one row for each term and method",
            )
        rows[key] = row
    names = dict.fromkeys(name for row in rows.values() for name in row.values if name not in _KEY)
    columns = {name: _column(name, list(rows.values())) for name in names}
    texts = [name for name, column in columns.items() if column is None]
    if texts:
        message = f"columns that hold no numbers are left out: {', '.join(texts)}"
        place = shown_name(path)
        on_finding(Finding("column-left-out", Severity.NOTE, message, place=place))
    found = {name: column for name, column in columns.items() if column is not None}
    if not found:
        raise DataError("the file has no numbers of lists", place=shown_name(path), hint=_HINT)
    return tuple(rows), found


def _column(name: str, rows: Sequence[Row]) -> Numbers | None:
    """The numbers of a column, NaN where there is none; None where no cell is a number."""
    if not any(_is_number(row.text(name)) for row in rows):
        return None
    numbers = [row.number(name) for row in rows]
    return np.array([np.nan if number is None else number for number in numbers], np.float64)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
