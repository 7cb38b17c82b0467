"""Features of outputs as Parquet, CSV or JSONL, a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from ensue.features.rows import FileFormat, Row, row_bytes, write_rows
from ensue.translation.features.measuring import Meter, batches
from ensue.translation.features.sets import FeatureSet, feature_names
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
    seen = SeenFeatures(len(names))

    def rows() -> Iterator[list[Row]]:
        for batch in batches(segments):
            table = meter.table(batch)
            yield output_rows(table)
            seen.add(table)
            if progress:
                progress(len(table))

    write_rows(file, output_columns(meter.feature_set), rows(), format=format, numbers=set(names))
    return seen.summary(names)


class SeenFeatures:
    """Adds up features while they go by."""

    def __init__(self, n_features: int) -> None:
        self._n_outputs = self._n_worded = 0
        self._sums, self._squares = np.zeros(n_features), np.zeros(n_features)
        self._least, self._most = np.full(n_features, np.inf), np.full(n_features, -np.inf)

    def add(self, table: FeatureTable) -> None:
        """Add up the features of some outputs."""
        values = table.values[table.worded]
        self._n_outputs += len(table)
        self._n_worded += len(values)
        self._sums += values.sum(axis=0)
        self._squares += (values**2).sum(axis=0)
        self._least = np.minimum(self._least, values.min(axis=0, initial=np.inf))
        self._most = np.maximum(self._most, values.max(axis=0, initial=-np.inf))

    def state(self) -> list[Any]:
        """The sums so far, in values that JSON can hold; nothing where no output has words."""
        if not self._n_worded:
            return [self._n_outputs, 0]
        each = (self._sums, self._squares, self._least, self._most)
        return [self._n_outputs, self._n_worded, *(values.tolist() for values in each)]

    def extend(self, state: Sequence[Any]) -> None:
        """Add the sums of other outputs, as their `state` has them."""
        n_outputs, n_worded, *each = state
        self._n_outputs += n_outputs
        if not n_worded:
            return
        self._n_worded += n_worded
        sums, squares, least, most = map(np.array, each)
        self._sums += sums
        self._squares += squares
        self._least, self._most = np.minimum(self._least, least), np.maximum(self._most, most)

    def summary(self, names: tuple[str, ...]) -> FeatureSummary:
        """What all of them were like."""
        n = max(self._n_worded, 1)
        means = self._sums / n
        deviations = np.sqrt(np.maximum(self._squares / n - means**2, 0.0))
        return FeatureSummary(
            names, self._n_outputs, self._n_worded, means, deviations, self._least, self._most
        )


def output_columns(feature_set: FeatureSet) -> list[str]:
    """The names of the columns: which output it is, and the features."""
    return [*OutputKey._fields, *feature_names(feature_set)]


def output_bytes(rows: Sequence[Row], feature_set: FeatureSet, format: FileFormat) -> bytes:
    """Rows as part of a file, without its head."""
    numbers = set(feature_names(feature_set))
    return row_bytes(output_columns(feature_set), list(rows), format=format, numbers=numbers)


def output_rows(table: FeatureTable) -> list[Row]:
    """A row an output; cells are empty where it has no features."""
    values: list[Row] = table.values.astype(object).tolist()
    for row in np.flatnonzero(~table.worded).tolist():
        values[row] = [None] * len(table.names)
    return [[*key, *row] for key, row in zip(table.outputs, values, strict=True)]
