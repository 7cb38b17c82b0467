"""Scores of whole sets, a batch of segments at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ensue.translation.features.measuring import batches
from ensue.translation.metrics.contract import Metric, SummingMetric
from ensue.translation.model import MetricScores, Numbers, OutputKey, Segment
from ensue.translation.ranking import SystemKey

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredBatch:
    """Some segments, scored."""

    segments: Sequence[Segment]
    outputs: tuple[OutputKey, ...]
    values: Numbers
    """A row an output, a column a metric."""


def scored_batches(
    metrics: Sequence[Metric], segments: Iterable[Segment], *, progress: Progress | None = None
) -> Iterator[ScoredBatch]:
    """The scores of several metrics, some segments at a time.

    Args:
        metrics: They know all references they need to know.
        segments: What to score.
        progress: Is told of each batch how many outputs are done.
    """
    for batch in batches(segments):
        outputs = tuple(key for segment in batch for key in segment.output_keys())
        values = np.column_stack([metric.scores(batch) for metric in metrics])
        yield ScoredBatch(batch, outputs, values)
        if progress:
            progress(len(outputs))


def score_all(
    metric: Metric, segments: Iterable[Segment], *, progress: Progress | None = None
) -> MetricScores:
    """The scores of one metric, all at once."""
    found = list(scored_batches([metric], segments, progress=progress))
    return MetricScores(
        metric.name,
        tuple(key for batch in found for key in batch.outputs),
        np.concatenate([batch.values[:, 0] for batch in found]) if found else np.empty(0),
        metric.signature,
    )


@dataclass(frozen=True, slots=True)
class SystemSummary:
    """What metrics say of a system on the whole."""

    key: SystemKey
    n_outputs: int
    means: tuple[float, ...]
    """Of the scores of each metric."""
    whole: tuple[float | None, ...]
    """The score of all outputs as one text, of metrics that have one."""


class ScoreSummary:
    """Adds up scores while they go by, so that none need be kept."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._metrics = metrics
        self._sums: dict[SystemKey, Numbers] = {}
        self._counts: dict[SystemKey, int] = {}
        self._statistics: dict[tuple[SystemKey, int], Numbers] = {}

    def watching(self, scored: Iterable[ScoredBatch]) -> Iterator[ScoredBatch]:
        """The same batches, each added up before it goes on."""
        for batch in scored:
            systems = [SystemKey(key.language_pair, key.system) for key in batch.outputs]
            for system, values in zip(systems, batch.values, strict=True):
                self._sums[system] = self._sums.get(system, 0.0) + values
                self._counts[system] = self._counts.get(system, 0) + 1
            self._add_statistics(batch, systems)
            yield batch

    def rows(self) -> list[SystemSummary]:
        """The systems, in the order of their first outputs."""
        return [
            SystemSummary(
                system,
                self._counts[system],
                tuple((sums / self._counts[system]).tolist()),
                tuple(self._whole(system, i) for i in range(len(self._metrics))),
            )
            for system, sums in self._sums.items()
        ]

    def _add_statistics(self, batch: ScoredBatch, systems: Sequence[SystemKey]) -> None:
        for i, metric in enumerate(self._metrics):
            if isinstance(metric, SummingMetric):
                for system, row in zip(systems, metric.statistics(batch.segments), strict=True):
                    self._statistics[system, i] = self._statistics.get((system, i), 0.0) + row

    def _whole(self, system: SystemKey, i: int) -> float | None:
        metric = self._metrics[i]
        if not isinstance(metric, SummingMetric):
            return None
        return float(metric.scored(self._statistics[system, i][None, :])[0])
