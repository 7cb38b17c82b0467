"""Measure the features of outputs: the job of `ensue mt features`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ensue import __version__
from ensue.engine.jobs.translation import KnownReferences, segment_key
from ensue.engine.model import Shard, ShardSizes
from ensue.errors import EngineError
from ensue.features.reading import open_reader
from ensue.features.rows import FileFormat
from ensue.language.analysis import analysis_counts, installed_model
from ensue.pairs import Finding
from ensue.translation import Segment
from ensue.translation.features import (
    FeatureSet,
    FeatureTable,
    Meter,
    feature_names,
    fingerprint,
    joined,
)
from ensue.translation.features.writing import SeenFeatures, output_bytes, output_rows


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredSegment:
    """The features of a segment's outputs."""

    table: FeatureTable
    has_failed: bool = False


@dataclass(frozen=True, slots=True)
class OutputFeaturesJob:
    """Measure the outputs of segments."""

    feature_set: FeatureSet
    signature: str
    """The driver's; every worker's has to be the same."""
    references: KnownReferences
    format: FileFormat
    batch_size: int
    sizes: ShardSizes

    @property
    def identity(self) -> Mapping[str, Any]:
        """The recipe of the rows."""
        return {
            "job": "mt features",
            "features": self.signature,
            "language pair": self.references.sources.language_pair,
            "encoding": self.references.sources.encoding,
        }

    @property
    def suffix(self) -> str:
        """By the format."""
        return f".{self.format.value}"

    def begin(self) -> MeasuringOutputs:
        """Load what the set needs, and count the references."""
        found = output_features_signature(self.feature_set)
        if found != self.signature:
            raise EngineError(
                f"a worker measures other features: {found}, not {self.signature}",
                hint="install the same version everywhere",
            )
        reader = open_reader() if self.feature_set.needs_analyzer else None
        meter = Meter(self.feature_set, reader).informed(self.references.read())
        return MeasuringOutputs(self, meter)


def output_features_signature(feature_set: FeatureSet) -> str:
    """What features depend on beside the texts; nothing is loaded."""
    analyzer = f"|analyzer:{installed_model()}" if feature_set.needs_analyzer else ""
    return f"{feature_set.value}|{fingerprint(feature_set)}{analyzer}|version:{__version__}"


class MeasuringOutputs:
    """A meter at work on shards."""

    def __init__(self, job: OutputFeaturesJob, meter: Meter) -> None:
        self._job = job
        self._meter = meter
        self.batch_size = job.batch_size

    def items(self, shard: Shard, on_finding: Callable[[Finding], None]) -> Sequence[Segment]:  # noqa: ARG002
        """Its segments, which the driver has read."""
        return shard.items or ()

    def results(self, items: Sequence[Segment]) -> Sequence[MeasuredSegment]:
        """Their features."""
        table = self._meter.table(items)
        ends = np.cumsum([len(segment.outputs) for segment in items])
        places = np.split(np.arange(len(table)), ends[:-1])
        return [MeasuredSegment(table.chosen(rows)) for rows in places]

    def failed(self, item: Segment, reason: str) -> MeasuredSegment:  # noqa: ARG002 - the account has it
        """Empty cells."""
        keys, names = tuple(item.output_keys()), feature_names(self._job.feature_set)
        table = FeatureTable(keys, names, np.full((len(keys), len(names)), np.nan))
        return MeasuredSegment(table, has_failed=True)

    def key(self, item: Segment) -> str:
        """Its language pair and id."""
        return segment_key(item)

    def encoded(self, results: Sequence[MeasuredSegment]) -> bytes:
        """The lines, or the table."""
        rows = [row for result in results for row in output_rows(result.table)]
        return output_bytes(rows, self._job.feature_set, self._job.format)

    def counts(self, results: Sequence[MeasuredSegment]) -> dict[str, dict[str, int]]:
        """Segments by what became of them."""
        n_failed = sum(result.has_failed for result in results)
        found = {"measured": len(results) - n_failed, "failed": n_failed}
        return {"status": {name: n for name, n in found.items() if n}}

    def content(self, items: Sequence[Segment]) -> Any:  # noqa: ARG002 - nobody compares it
        """Nothing."""
        return None

    def figures(self) -> dict[str, int]:
        """Texts analyzed, and found analyzed."""
        return analysis_counts()

    def n_rows(self, results: Sequence[MeasuredSegment]) -> int:
        """One for each output."""
        return sum(len(result.table) for result in results)

    def summary(self, results: Sequence[MeasuredSegment]) -> Any:
        """The sums of features, as `SeenFeatures` has them."""
        seen = SeenFeatures(len(feature_names(self._job.feature_set)))
        if results:
            seen.add(joined([result.table for result in results]))
        return seen.state()
