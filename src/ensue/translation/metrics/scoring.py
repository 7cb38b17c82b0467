"""Scores of whole sets, a batch of segments at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ensue.translation.features.measuring import batches
from ensue.translation.metrics.contract import Metric, ProbableMetric, SummingMetric
from ensue.translation.model import Indices, MetricScores, Numbers, OutputKey, Segment
from ensue.translation.numbering import numbered
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


def score_each(
    metrics: Sequence[Metric], segments: Iterable[Segment], *, progress: Progress | None = None
) -> list[MetricScores]:
    """The scores of several metrics, all at once; the segments are read once."""
    found = list(scored_batches(metrics, segments, progress=progress))
    outputs = tuple(key for batch in found for key in batch.outputs)
    values = np.concatenate([np.empty((0, len(metrics))), *(batch.values for batch in found)])
    return [
        MetricScores(
            metric.name,
            outputs,
            values[:, i],
            metric.signature,
            metric.probability if isinstance(metric, ProbableMetric) else None,
        )
        for i, metric in enumerate(metrics)
    ]


def score_all(
    metric: Metric, segments: Iterable[Segment], *, progress: Progress | None = None
) -> MetricScores:
    """The scores of one metric, all at once."""
    (scores,) = score_each([metric], segments, progress=progress)
    return scores


def scores_among(scores: MetricScores, wanted: AbstractSet[OutputKey]) -> MetricScores:
    """The scores of some outputs alone."""
    kept = [i for i, key in enumerate(scores.outputs) if key in wanted]
    outputs = tuple(scores.outputs[i] for i in kept)
    return replace(scores, outputs=outputs, values=scores.values[kept])


def all_statistics(
    metric: SummingMetric, segments: Iterable[Segment], *, progress: Progress | None = None
) -> tuple[tuple[OutputKey, ...], Numbers]:
    """All outputs, and the statistics of each."""
    outputs: list[OutputKey] = []
    rows: list[Numbers] = []
    for batch in batches(segments):
        rows.append(metric.statistics(batch))
        outputs += [key for segment in batch for key in segment.output_keys()]
        if progress:
            progress(len(rows[-1]))
    return tuple(outputs), np.concatenate(rows) if rows else np.empty((0, 0))


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

    def watching(
        self, scored: Iterable[ScoredBatch]
    ) -> Iterator[tuple[tuple[OutputKey, ...], Numbers]]:
        """The outputs and scores of the batches, each added up before it goes on."""
        for batch in scored:
            self.add(batch)
            yield batch.outputs, batch.values

    def add(self, batch: ScoredBatch) -> None:
        """Add up a batch."""
        systems = [SystemKey(key.language_pair, key.system) for key in batch.outputs]
        self._add(systems, batch)

    def state(self) -> list[Any]:
        """The sums so far, in values that JSON can hold."""
        return [
            [
                *system,
                self._counts[system],
                sums.tolist(),
                [
                    [i, self._statistics[system, i].tolist()]
                    for i in range(len(self._metrics))
                    if (system, i) in self._statistics
                ],
            ]
            for system, sums in self._sums.items()
        ]

    def extend(self, state: Sequence[Any]) -> None:
        """Add the sums of batches that follow, as their summary's `state` has them."""
        for language_pair, name, count, sums, statistics in state:
            system = SystemKey(language_pair, name)
            self._counts[system] = self._counts.get(system, 0) + count
            self._sums[system] = self._sums.get(system, 0.0) + np.array(sums)
            for i, row in statistics:
                self._statistics[system, i] = self._statistics.get((system, i), 0.0) + np.array(row)

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

    def _add(self, systems: Sequence[SystemKey], batch: ScoredBatch) -> None:
        names, numbers = numbered(systems)
        counts = np.bincount(numbers, minlength=len(names))
        sums = _summed(numbers, batch.values, len(names))
        for system, count, total in zip(names, counts.tolist(), sums, strict=True):
            self._counts[system] = self._counts.get(system, 0) + count
            self._sums[system] = self._sums.get(system, np.zeros(len(total))) + total
        for i, metric in enumerate(self._metrics):
            if isinstance(metric, SummingMetric):
                rows = _summed(numbers, metric.statistics(batch.segments), len(names))
                for system, row in zip(names, rows, strict=True):
                    self._statistics[system, i] = self._statistics.get((system, i), 0.0) + row

    def _whole(self, system: SystemKey, i: int) -> float | None:
        metric = self._metrics[i]
        if not isinstance(metric, SummingMetric):
            return None
        return float(metric.scored(self._statistics[system, i][None, :])[0])


def _summed(numbers: Indices, rows: Numbers, n: int) -> Numbers:
    sums = np.zeros((n, rows.shape[1]))
    np.add.at(sums, numbers, rows)
    return sums
