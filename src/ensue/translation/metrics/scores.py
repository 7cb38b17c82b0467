"""The metric contract, scores of whole sets in batches, and the likeliest order of outputs.

Padó et al. (2009, section 2.2) combine pairwise decisions into "the highest-likelihood total
ordering of hypotheses".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, Protocol, runtime_checkable

import numpy as np

from ensue.errors import SettingError
from ensue.files import RowFormat, short_number, write_rows
from ensue.statistics import numbered
from ensue.translation.features.tables import batches
from ensue.translation.output_orders import order_value, orders
from ensue.translation.systems import Indices, MetricScores, Numbers, OutputKey, Segment, SystemKey

# What a metric is: anything that scores outputs beside their references.


class Metric(Protocol):
    """Scores outputs; larger is better, always."""

    @property
    def name(self) -> str:
        """What tables call it."""

    @property
    def signature(self) -> str:
        """The recipe that repeats its scores."""

    def informed(self, references: Iterable[Sequence[str]]) -> Metric:
        """The metric with what it needs to know of all references of a set, a segment's at a time."""

    def scores(self, segments: Sequence[Segment]) -> Numbers:
        """A score for each output of each segment, in their order."""


@runtime_checkable
class SummingMetric(Metric, Protocol):
    """A metric whose score of a whole text is made from statistics that sum over its segments."""

    def statistics(self, segments: Sequence[Segment]) -> Numbers:
        """A row of statistics for each output of each segment, in their order."""

    def scored(self, statistics: Numbers) -> Numbers:
        """The score that each row of (summed) statistics makes."""


@runtime_checkable
class ProbableMetric(Metric, Protocol):
    """A metric that says how likely one output is better than another."""

    def probability(self, first: Numbers, second: Numbers) -> Numbers:
        """How likely outputs with the first scores are better than those with the second."""


class MetricKind(Protocol):
    """What an entry point in the group `ensue.metrics` names."""

    @property
    def name(self) -> str:
        """The name of the entry point."""

    @property
    def summary(self) -> str:
        """A line for people."""

    def build(self) -> Metric:
        """The metric."""


# Scores of whole sets, a batch of segments at a time.

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


# The likeliest order of each segment's outputs, with the probability of each step.


@dataclass(frozen=True, slots=True)
class OrderedOutput:
    """An output in the order of its segment."""

    key: OutputKey
    place: int
    """1 is best."""
    score: float
    beats_next: float | None
    """The probability that it is better than the one below; None for the last."""
    likelihood: float
    """Of the segment's whole order: the product of the probabilities of all its pairs."""


def ordered_outputs(metric: Metric, scored: Iterable[ScoredBatch]) -> Iterator[list[OrderedOutput]]:
    """The outputs of each segment in the likeliest order, the best first, batch by batch.

    Args:
        metric: One that says probabilities.
        scored: Its scores, in the first column.

    Raises:
        SettingError: the metric says no probabilities.
    """
    if not isinstance(metric, ProbableMetric):
        raise SettingError(
            "metric-says-no-probabilities",
            f"metric {metric.name!r} says no probabilities, from which an order is made",
            hint="use a trained one, such as pair-comb",
        )
    return (_ordered(metric, batch) for batch in scored)


def _ordered(metric: ProbableMetric, batch: ScoredBatch) -> list[OrderedOutput]:
    ends = np.cumsum([len(segment.outputs) for segment in batch.segments])
    scores = np.split(batch.values[:, 0], ends[:-1])
    matrices = [metric.probability(each[:, None], each[None, :]) for each in scores]
    found: list[OrderedOutput] = []
    keys = (segment.output_keys() for segment in batch.segments)
    for of_segment, each, matrix, best in zip(
        keys, scores, matrices, orders(matrices), strict=True
    ):
        found += _placed(of_segment, each, matrix, best.tolist())
    return found


def _placed(
    keys: Sequence[OutputKey], scores: Numbers, matrix: Numbers, best: Sequence[int]
) -> Iterator[OrderedOutput]:
    likelihood = float(np.exp(order_value(matrix, best)))
    for place, i in enumerate(best):
        below = best[place + 1] if place + 1 < len(best) else None
        beats = None if below is None else float(matrix[i, below])
        yield OrderedOutput(keys[i], place + 1, float(scores[i]), beats, likelihood)


_NUMBERS = ("place", "score", "beats_next", "likelihood")


def write_orders(
    file: BinaryIO, ordered: Iterable[Sequence[OrderedOutput]], *, format: RowFormat
) -> None:
    """Write orders as they come: a row an output, segment after segment, the best first."""
    rows = (
        [*each.key, each.place, *map(short_number, (each.score, each.beats_next, each.likelihood))]
        for some in ordered
        for each in some
    )
    names = [*OutputKey._fields, *_NUMBERS]
    write_rows(file, names, rows, format=format, numbers=set(_NUMBERS))
