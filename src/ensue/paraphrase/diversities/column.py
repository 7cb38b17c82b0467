"""D from a column of numbers that stands in the file of lists."""

from __future__ import annotations

from ensue.errors import SettingError
from ensue.paraphrase.columns import column_in_range
from ensue.paraphrase.model import LARGEST_DIVERSITY, DiversityFunction, DiversityKind


def _made(argument: str) -> DiversityFunction:
    if not argument:
        raise SettingError("diversity 'column' needs a name", hint="e.g. column:novelty")
    return lambda lists, _: column_in_range(lists, argument, LARGEST_DIVERSITY, "diversity")


COLUMN = DiversityKind("column", "a column of the file with numbers in [0, 3]: column:NAME", _made)
