"""Cells of one column as texts, numbers or labels, all at once; what does not fit has its place.

A column of JSONL may hold values that are no texts: numbers stand for what they print as, and
`null` for an empty cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ensue.errors import DataError, LabelError
from ensue.paraphrase.model import NO, NOT_JUDGED, YES, Labels, Numbers
from ensue.paraphrase.reading.tables import Cells

PlaceOf = Callable[[int], str]
"""From the number of a row to its place."""

_YES = ("1", "yes", "true", "y", "t", "1.0")
_NO = ("0", "no", "false", "n", "f", "0.0")
# "1.0" and "0.0" are how tables are written whose column of 1 and 0 has gaps
_LABELS = dict.fromkeys(_YES, YES) | dict.fromkeys(_NO, NO) | {"": NOT_JUDGED}
LABEL_HINT = "a label is 1 or 0, yes or no, true or false, y or n, t or f; empty: not judged"


def texts(cells: Cells, column: str, place: PlaceOf) -> list[str]:
    """Texts without blanks around them; empty where there is none.

    Raises:
        DataError: a value is neither a text nor a number, or holds half a character.
    """
    try:
        found = list(map(str.strip, cells))
    except TypeError:
        found = [_text(cell, column, place, i) for i, cell in enumerate(cells)]
    _refuse_half_characters(found, column, place)
    return found


def needed_texts(cells: Cells, column: str, place: PlaceOf) -> list[str]:
    """Texts of which none may lack.

    Raises:
        DataError: one does.
    """
    found = texts(cells, column, place)
    if not all(found):
        i = found.index("")
        raise DataError(
            f"this row has no {column!r}", place=place(i), hint=f"each row needs a {column}"
        )
    return found


def _text(cell: Any, column: str, place: PlaceOf, i: int) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool) or not isinstance(cell, str | int | float):
        raise DataError(f"{column!r} is no text: {cell!r}", place=place(i))
    return str(cell).strip()


def _refuse_half_characters(found: Sequence[str], column: str, place: PlaceOf) -> None:
    """Refuse what no file in UTF-8 can hold, and only JSON's escapes can bring in."""
    try:
        "".join(found).encode()
    except UnicodeEncodeError:
        for i, text in enumerate(found):
            if any("\ud800" <= character <= "\udfff" for character in text):
                raise DataError(
                    f"{column!r} holds half a character: {text!r}", place=place(i)
                ) from None


def numbers(cells: Cells, column: str, place: PlaceOf) -> Numbers:
    """Finite numbers; NaN where a cell is empty.

    Raises:
        DataError: one is none.
    """
    try:
        found = np.fromiter(map(float, map(_no_truth, cells)), np.float64, len(cells))
    except (ValueError, TypeError, OverflowError):
        return np.array([_number(cell, column, place, i) for i, cell in enumerate(cells)], float)
    if not np.isfinite(found).all():
        i = int(np.flatnonzero(~np.isfinite(found))[0])
        raise _no_number(cells[i], column, place(i))
    return found


def _no_truth(cell: Any) -> Any:
    """A cell as it is, but true and false, which Python takes for numbers."""
    return None if cell is True or cell is False else cell


def _number(cell: Any, column: str, place: PlaceOf, i: int) -> float:
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return math.nan
    try:
        value = math.nan if isinstance(cell, bool) else float(cell)
    except (ValueError, TypeError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise _no_number(cell, column, place(i))
    return value


def _no_number(cell: Any, column: str, place: str) -> DataError:
    return DataError(f"the {column} is no finite number: {cell!r}", place=place)


def ranks(cells: Cells, column: str, place: PlaceOf) -> Numbers:
    """Positive integers, as numbers with NaN where a cell is empty.

    Raises:
        DataError: one is none.
    """
    try:
        found = numbers(cells, column, place)
    except DataError as error:
        raise DataError(
            error.message.replace("finite number", "positive integer"),
            place=error.place,
            hint=_RANK_HINT,
        ) from None
    wrong = np.flatnonzero(~np.isnan(found) & ((found < 1) | (found != np.floor(found))))
    if wrong.size:
        i = int(wrong[0])
        raise DataError(
            f"the {column} is no positive integer: {cells[i]!r}", place=place(i), hint=_RANK_HINT
        )
    return found


_RANK_HINT = "1 is the surest; for numbers of another kind call the column confidence"


class _Codes(dict[Any, int]):
    """Labels by what cells hold; each way to write one is looked at once."""

    def __missing__(self, cell: Any) -> int:
        text = "" if cell is None else str(cell).strip().lower()
        self[cell] = _LABELS[text]
        return self[cell]


def labels(cells: Cells, judge: str, place: PlaceOf) -> Labels:
    """What a judge says.

    Raises:
        LabelError: a cell holds no label.
    """
    codes = _Codes()
    try:
        return np.fromiter(map(codes.__getitem__, cells), np.int8, len(cells))
    except (KeyError, TypeError):  # TypeError: JSON's lists and objects
        for i, cell in enumerate(cells):
            if isinstance(cell, list | dict) or _is_no_label(cell):
                raise LabelError(
                    f"this is no label of the judge {judge!r}: {cell!r}",
                    place=place(i),
                    hint=LABEL_HINT,
                ) from None
        raise


def _is_no_label(cell: Any) -> bool:
    return cell is not None and str(cell).strip().lower() not in _LABELS
