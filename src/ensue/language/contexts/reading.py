"""Reading the word lists: rows between tabs, where comments begin with a number sign."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from importlib.resources import files
from typing import TypeVar

from ensue.errors import DataError

Choice = TypeVar("Choice", bound=StrEnum)


def read_rows(name: str, n_columns: int) -> Iterator[tuple[str, list[str]]]:
    """The place and the cells of each row of a word list of this package."""
    content = files(__package__).joinpath("words", name).read_text("utf-8")
    return rows_of(name, content, n_columns)


def rows_of(name: str, content: str, n_columns: int) -> Iterator[tuple[str, list[str]]]:
    """The place and the cells of each row of a word list.

    Raises:
        DataError: a row has too few or too many cells, or an empty one.
    """
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        place, cells = f"{name}:{number}", line.split("\t")
        if len(cells) != n_columns or not all(cell.strip() for cell in cells):
            raise DataError(
                f"a row of {len(cells)} cells: {line!r}",
                place=place,
                hint=f"each row has {n_columns} cells that are not empty, between tabs",
            )
        yield place, cells


def choice(kind: type[Choice], cell: str, place: str) -> Choice:
    """The member of a closed choice that a cell names.

    Raises:
        DataError: there is no such member.
    """
    try:
        return kind(cell)
    except ValueError:
        known = ", ".join(each.value for each in kind if each.value)
        raise DataError(
            f"no {kind.__name__.lower()} is called {cell!r}",
            place=place,
            hint=f"known are: {known}",
        ) from None
