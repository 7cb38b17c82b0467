"""Numbers of patterns: those of a column, and the check that they are in range."""

from __future__ import annotations

import numpy as np

from ensue.errors import DataError, EnsueError, UnknownNameError
from ensue.paraphrase.model import Numbers, RankedLists


def column_in_range(lists: RankedLists, name: str, largest: float, kind: str) -> Numbers:
    """The numbers of a column, of one's own to change; NaN where a cell is empty.

    Args:
        lists: Which bring it.
        name: Of the column.
        largest: What a number can be at most.
        kind: What the numbers are to be, for errors: `quality` or `diversity`.

    Raises:
        UnknownNameError: the lists have no such column of numbers.
        DataError: a number is not from 0 to the largest.
    """
    if name not in lists.columns:
        raise _unknown(lists, name)
    values = np.array(lists.columns[name], np.float64)
    require_range(values, largest, f"{kind} {name!r}", lists)
    return values


def require_range(values: Numbers, largest: float, what: str, lists: RankedLists) -> None:
    """Check that each pattern has a number from 0 to the largest, or none (NaN).

    Raises:
        EnsueError: there are more numbers than patterns, or fewer.
        DataError: a number is outside; the place is that of the first.
    """
    if values.shape != (lists.n_patterns,):
        raise EnsueError(
            f"{lists.n_patterns} patterns, but {what} has the shape {values.shape!r}",
            hint="the function has to give one number a pattern",
        )
    outside = np.flatnonzero((values < 0) | (values > largest))
    if outside.size:
        first = int(outside[0])
        raise DataError(
            f"{what} of {lists.paraphrases[first]!r} is {float(values[first])!r},"
            f" which is not in [0, {largest:g}]",
            place=lists.place(first),
            hint=f"{outside.size} of {values.size} are outside: scale them first",
        )


def _unknown(lists: RankedLists, name: str) -> UnknownNameError:
    error = UnknownNameError.of("column of numbers", name, lists.columns)
    hint = error.hint if lists.columns else "these lists have none at all"
    return UnknownNameError(error.message, place=lists.name or None, hint=hint)
