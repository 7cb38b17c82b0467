"""Q from a column of numbers that stands in the file of lists."""

from __future__ import annotations

import numpy as np

from ensue.errors import DataError, SettingError, UnknownNameError
from ensue.paraphrase.model import Numbers, QualityFunction, QualityKind, RankedLists


def column_quality(lists: RankedLists, name: str) -> Numbers:
    """The numbers of a column; NaN where a cell is empty.

    Raises:
        UnknownNameError: the lists have no such column of numbers.
        DataError: a number is not in [0, 1].
    """
    if name not in lists.columns:
        raise _unknown(lists, name)
    values = np.asarray(lists.columns[name], np.float64)
    outside = np.flatnonzero((values < 0) | (values > 1))
    if outside.size:
        first = int(outside[0])
        raise DataError(
            f"{name!r} is {float(values[first])!r}, and no quality is outside [0, 1]",
            place=lists.place(first),
            hint=f"{outside.size} of {len(values)} are: divide them by their largest, for one",
        )
    return values.copy()


def _unknown(lists: RankedLists, name: str) -> UnknownNameError:
    if lists.columns:
        return UnknownNameError.of("column of numbers", name, lists.columns)
    return UnknownNameError(
        f"no column of numbers is called {name!r}",
        place=lists.name or None,
        hint="these lists have none at all",
    )


def _made(argument: str) -> QualityFunction:
    if not argument:
        raise SettingError("quality 'column' needs a name", hint="e.g. column:confidence")
    return lambda lists: column_quality(lists, argument)


COLUMN = QualityKind("column", "a column of the file with numbers in [0, 1]: column:NAME", _made)
