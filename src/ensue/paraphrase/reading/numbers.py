"""Numbers of lists from files: one row a list, with any columns of numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ensue.errors import DataError
from ensue.pairs.files import shown_name
from ensue.pairs.rows import RowFormat, read_rows, row_format
from ensue.paraphrase.model import ListKey, Numbers

_KEY = ("term", "method")


def read_list_numbers(
    path: str | Path, *, encoding: str | None = None
) -> tuple[tuple[ListKey, ...], dict[str, Numbers]]:
    """Read a row for each list: `term`, `method`, and numbers under any other names.

    Args:
        path: CSV, TSV or JSONL by the end of its name; CSV where that says nothing.
        encoding: Of the file.

    Returns:
        The lists, and each column of numbers; NaN where a cell is empty.

    Raises:
        DataError: the file is empty, a list stands there twice, there is no column of numbers, or a
            cell is no number.
    """
    places: dict[ListKey, str] = {}
    rows: list[dict[str, float]] = []
    for row in read_rows(path, row_format(path) or RowFormat.CSV, encoding):
        key = ListKey(row.needed("term"), row.text("method"))
        if key in places:
            raise DataError(
                f"the list of {key.term!r} by {key.method!r} is at {places[key]} already",
                place=row.place,
                hint="one row for each term and method",
            )
        places[key] = row.place
        found = {name: row.number(name) for name in row.values if name not in _KEY}
        rows.append({name: number for name, number in found.items() if number is not None})
    names = dict.fromkeys(name for row in rows for name in row)
    if not names:
        raise DataError(
            "the file has no numbers of lists",
            place=shown_name(path),
            hint="columns: term, method, and one for each score or task",
        )
    columns = {name: np.array([row.get(name, np.nan) for row in rows]) for name in names}
    return tuple(places), columns
