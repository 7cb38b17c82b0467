"""Checks of the numbers that patterns get."""

from __future__ import annotations

import numpy as np

from ensue.errors import DataError, EnsueError
from ensue.paraphrase.model import Numbers, RankedLists


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
