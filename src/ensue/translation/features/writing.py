"""Features of outputs as Parquet, CSV or JSONL, a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

import numpy as np

from ensue.features.rows import FileFormat, Row, write_rows
from ensue.translation.features.measuring import Meter, batches
from ensue.translation.features.sets import feature_names
from ensue.translation.features.table import FeatureTable
from ensue.translation.model import OutputKey, Segment


def write_output_features(
    file: BinaryIO,
    segments: Iterable[Segment],
    meter: Meter,
    *,
    format: FileFormat,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Measure outputs and write their features, in constant memory; give the number of outputs.

    Args:
        file: Where the bytes go.
        segments: What to measure.
        meter: Knows all references that it needs to know.
        format: What to write; cells are empty where an output has no features.
        progress: Is told of each batch how many outputs are done.
    """
    names = feature_names(meter.feature_set)
    done = 0

    def rows() -> Iterator[list[Row]]:
        nonlocal done
        for batch in batches(segments):
            table = meter.table(batch)
            yield _rows(table)
            done += len(table)
            if progress:
                progress(len(table))

    write_rows(file, [*OutputKey._fields, *names], rows(), format=format, numbers=set(names))
    return done


def _rows(table: FeatureTable) -> list[Row]:
    values: list[Row] = table.values.astype(object).tolist()
    for row in np.flatnonzero(~table.worded).tolist():
        values[row] = [None] * len(table.names)
    return [[*key, *row] for key, row in zip(table.outputs, values, strict=True)]
