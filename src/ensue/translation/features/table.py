"""Features of outputs as a table: a row an output, a column a feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.translation.model import Indices, Numbers, OutputKey


@dataclass(frozen=True, slots=True, eq=False)
class FeatureTable:
    """What was measured of outputs."""

    outputs: tuple[OutputKey, ...]
    names: tuple[str, ...]
    values: Numbers
    """A row an output; NaN where the output has no words, and a feature needs some."""

    def __len__(self) -> int:
        return len(self.outputs)

    @property
    def worded(self) -> NDArray[np.bool_]:
        """Which outputs have words."""
        return np.asarray(~np.isnan(self.values).any(axis=1))

    def places(self, outputs: Sequence[OutputKey]) -> Indices:
        """The rows of these outputs.

        Raises:
            DataError: one of them was not measured.
        """
        row_of = {key: row for row, key in enumerate(self.outputs)}
        missing = next((key for key in outputs if key not in row_of), None)
        if missing is not None:
            raise DataError(
                f"segment {missing.segment!r} of {missing.language_pair!r} has no output"
                f" of system {missing.system!r}",
                hint="the judgments are of other outputs than these",
            )
        return np.array([row_of[key] for key in outputs], np.int64)

    def chosen(self, rows: Indices) -> FeatureTable:
        """Some of the rows."""
        return FeatureTable(
            tuple(self.outputs[row] for row in rows.tolist()), self.names, self.values[rows]
        )


def joined(tables: Sequence[FeatureTable]) -> FeatureTable:
    """The rows of several tables with the same columns."""
    return FeatureTable(
        tuple(key for table in tables for key in table.outputs),
        tables[0].names,
        np.concatenate([table.values for table in tables]),
    )
