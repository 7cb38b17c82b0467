"""The likeliest order of each segment's outputs, with the probability of each step.

Padó et al. (2009, section 2.2) combine pairwise decisions into "the highest-likelihood total
ordering of hypotheses".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from ensue.errors import SettingError
from ensue.features.rows import FileFormat, write_rows
from ensue.translation.metrics.contract import Metric, ProbableMetric
from ensue.translation.metrics.scoring import ScoredBatch
from ensue.translation.model import Numbers, OutputKey
from ensue.translation.ranking import order_value, orders


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
            f"metric {metric.name!r} says no probabilities, from which an order is made",
            hint="use a trained one, such as pair-comb",
        )
    for batch in scored:
        yield _ordered(metric, batch)


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
    file: BinaryIO, ordered: Iterable[Sequence[OrderedOutput]], *, format: FileFormat
) -> None:
    """Write orders as they come: a row an output, segment after segment, the best first."""
    batches = (
        [
            [*each.key, float(each.place), each.score, each.beats_next, each.likelihood]
            for each in some
        ]
        for some in ordered
    )
    names = [*OutputKey._fields, *_NUMBERS]
    write_rows(file, names, batches, format=format, numbers=set(_NUMBERS))
