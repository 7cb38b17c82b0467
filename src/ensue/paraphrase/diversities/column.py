"""D from a column of numbers that stands in the file of lists."""

from __future__ import annotations

import numpy as np

from ensue.errors import SettingError, UnknownNameError
from ensue.paraphrase.diversities.checking import require_range
from ensue.paraphrase.model import (
    LARGEST_DIVERSITY,
    DiversityFunction,
    DiversityKind,
    Numbers,
    RankedLists,
)
from ensue.paraphrase.words import PatternWords


def column_diversity(lists: RankedLists, name: str) -> Numbers:
    """The numbers of a column; NaN where a cell is empty.

    Raises:
        UnknownNameError: the lists have no such column of numbers.
        DataError: a number is not in [0, 3].
    """
    if name not in lists.columns:
        there = ", ".join(sorted(lists.columns))
        raise UnknownNameError(
            f"no column of numbers is called {name!r}",
            place=lists.name or None,
            hint=f"there are: {there}" if there else "these lists have none at all",
        )
    values = np.array(lists.columns[name], np.float64)
    require_range(values, LARGEST_DIVERSITY, f"diversity {name!r}", lists)
    return values


def _made(argument: str) -> DiversityFunction:
    if not argument:
        raise SettingError("diversity 'column' needs a name", hint="e.g. column:novelty")

    def diversity(lists: RankedLists, words: PatternWords) -> Numbers:  # noqa: ARG001
        return column_diversity(lists, argument)

    return diversity


COLUMN = DiversityKind("column", "a column of the file with numbers in [0, 3]: column:NAME", _made)
