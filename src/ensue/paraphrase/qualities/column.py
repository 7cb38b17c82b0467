"""Q from a column of numbers that stands in the file of lists."""

from __future__ import annotations

from ensue.errors import SettingError
from ensue.pairs.formats.model import OnFinding
from ensue.paraphrase.columns import column_in_range
from ensue.paraphrase.model import QualityFunction, QualityKind


def _made(argument: str, on_finding: OnFinding) -> QualityFunction:  # noqa: ARG001
    if not argument:
        raise SettingError("quality 'column' needs a name", hint="e.g. column:confidence")
    return lambda lists: column_in_range(lists, argument, 1.0, "quality")


COLUMN = QualityKind("column", "a column of the file with numbers in [0, 1]: column:NAME", _made)
