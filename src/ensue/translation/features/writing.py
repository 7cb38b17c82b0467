"""Features of outputs as Parquet, CSV or JSONL, a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from ensue.features.rows import FileFormat, Row, write_rows
from ensue.translation.features.measuring import Meter, batches
from ensue.translation.features.sets import feature_names
from ensue.translation.features.table import FeatureTable
from ensue.translation.model import Numbers, OutputKey, Segment


@dataclass(frozen=True, slots=True, eq=False)
class FeatureSummary:
    """What the features of many outputs were like."""

    names: tuple[str, ...]
    n_outputs: int
    n_worded: int
    """Outputs with features: those that have words, and whose reference has some."""
    means: Numbers
    """Over the outputs with features, as all that follows."""
    deviations: Numbers
    least: Numbers
    most: Numbers


def write_output_features(
    file: BinaryIO,
    segments: Iterable[Segment],
    meter: Meter,
    *,
    format: FileFormat,
    progress: Callable[[int], None] | None = None,
) -> FeatureSummary:
    """Measure outputs and write their features, in constant memory; say what they were like.

    Args:
        file: Where the bytes go.
        segments: What to measure.
        meter: Knows all references that it needs to know.
        format: What to write; cells are empty where an output has no features.
        progress: Is told of each batch how many outputs are done.
    """
    names = feature_names(meter.feature_set)
    seen = _Seen(len(names))

    def rows() -> Iterator[list[Row]]:
        for batch in batches(segments):
            table = meter.table(batch)
            yield _rows(table)
            seen.add(table)
            if progress:
                progress(len(table))

    write_rows(file, [*OutputKey._fields, *names], rows(), format=format, numbers=set(names))
    return seen.summary(names)


class _Seen:
    """Adds up features while they go by."""

    def __init__(self, n_features: int) -> None:
        self._n_outputs = self._n_worded = 0
        self._sums, self._squares = np.zeros(n_features), np.zeros(n_features)
        self._least, self._most = np.full(n_features, np.inf), np.full(n_features, -np.inf)

    def add(self, table: FeatureTable) -> None:
        values = table.values[table.worded]
        self._n_outputs += len(table)
        self._n_worded += len(values)
        self._sums += values.sum(axis=0)
        self._squares += (values**2).sum(axis=0)
        self._least = np.minimum(self._least, values.min(axis=0, initial=np.inf))
        self._most = np.maximum(self._most, values.max(axis=0, initial=-np.inf))

    def summary(self, names: tuple[str, ...]) -> FeatureSummary:
        n = max(self._n_worded, 1)
        means = self._sums / n
        deviations = np.sqrt(np.maximum(self._squares / n - means**2, 0.0))
        return FeatureSummary(
            names, self._n_outputs, self._n_worded, means, deviations, self._least, self._most
        )


def _rows(table: FeatureTable) -> list[Row]:
    values: list[Row] = table.values.astype(object).tolist()
    for row in np.flatnonzero(~table.worded).tolist():
        values[row] = [None] * len(table.names)
    return [[*key, *row] for key, row in zip(table.outputs, values, strict=True)]
