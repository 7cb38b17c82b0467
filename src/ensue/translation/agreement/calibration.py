"""Pairwise accuracy with calibrated ties (Deutsch, Foster & Freitag 2023, "Ties Matter").

People's ties count: a metric is right where it ties what people tie, and orders what people order.
Since few metrics give equal scores, scores that differ by at most ε are taken as equal, with the ε
that makes the metric's accuracy highest (their acc_eq with tie calibration). That ε is
chosen on the data it is reported on, for every metric alike; to be strict, tune it on other data
and give it to `accuracy_at`.

Comparisons are within segments ("group by item"). Data with one output for each segment define no
such accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.translation.agreement.lineup import (
    HumanValues,
    comparison_strata,
    human_values,
    scores_of,
    strata,
)
from ensue.translation.model import MetricScores, Numbers, Preferences

_ROUNDING = 1e-12
"""Accuracies that differ by less are equal."""


class Averaging(StrEnum):
    """What weighs the same."""

    SEGMENTS = "segments"
    """The mean over segments of each segment's accuracy, as the paper groups by item."""
    COMPARISONS = "comparisons"
    """All comparisons in one heap."""


@dataclass(frozen=True, slots=True, eq=False)
class CalibratedAccuracy:
    """The highest accuracy over all tie intervals."""

    metric: str
    accuracy: float
    epsilon: float
    """The smallest tie interval that reaches it."""
    n_comparisons: int
    n_human_ties: int
    n_metric_ties: int
    """Comparisons whose scores differ by at most ε."""
    epsilons: Numbers
    """The curve: 0 and every distinct difference of two compared scores, increasing."""
    accuracies: Numbers
    """At each of them; constant up to the next."""


def calibrated_accuracy(
    preferences: Preferences,
    scores: MetricScores,
    *,
    averaging: Averaging = Averaging.SEGMENTS,
) -> CalibratedAccuracy:
    """Find the tie interval with the highest accuracy, exactly, by sorting.

    As ε grows past the difference of two scores, they become a tie: right where people tie, wrong
    where the metric was right before, and no change where it was wrong. So the accuracy at every
    ε is a cumulative sum over the sorted differences.

    Raises:
        UndefinedError: there are no comparisons.
        DataError: a judged output has no score.
    """
    difference, weights = _weighted_differences(preferences, scores, averaging)
    ties, size = preferences.is_tie, np.abs(difference)
    epsilons, place = np.unique(np.append(size, 0.0), return_inverse=True)
    gain = np.where(ties, weights, np.where(difference > 0, -weights, 0.0))
    steps = np.bincount(place[:-1], gain, minlength=len(epsilons))
    # before any ε, not even equal scores tie: right is what the metric orders as people do
    start = float(weights[~ties & (difference > 0)].sum())
    # equal scores tie already at ε = 0, and cost nothing: their difference is not above 0
    accuracies = start + np.cumsum(steps)
    best = int(np.flatnonzero(accuracies >= accuracies.max() - _ROUNDING)[0])
    epsilon = float(epsilons[best])
    return CalibratedAccuracy(
        metric=scores.name,
        accuracy=_accuracy(difference, ties, weights, epsilon),
        epsilon=epsilon,
        n_comparisons=len(preferences),
        n_human_ties=int(ties.sum()),
        n_metric_ties=int((size <= epsilon).sum()),
        epsilons=epsilons,
        accuracies=np.asarray(accuracies, dtype=np.float64),
    )


def accuracy_at(
    preferences: Preferences,
    scores: MetricScores,
    epsilon: float,
    *,
    averaging: Averaging = Averaging.SEGMENTS,
) -> float:
    """The accuracy with a tie interval that comes from elsewhere.

    Raises:
        UndefinedError: there are no comparisons.
        DataError: a judged output has no score.
        SettingError: the tie interval is negative, or no number.
    """
    if not epsilon >= 0:
        raise SettingError(f"tie interval {epsilon!r} is not at least 0", hint="e.g. 0.01")
    difference, weights = _weighted_differences(preferences, scores, averaging)
    return _accuracy(difference, preferences.is_tie, weights, epsilon)


def comparisons_of_scores(human: HumanValues) -> Preferences:
    """Every two outputs of a segment, compared by their absolute human scores; equal ones tie.

    Raises:
        UndefinedError: no segment has two outputs.
    """
    outputs, values = human_values(human)
    members: dict[int, list[int]] = {}
    for i, segment in enumerate(strata(outputs).segment.tolist()):
        members.setdefault(segment, []).append(i)
    both = [couple for each in members.values() for couple in combinations(each, 2)]
    if not both:
        raise UndefinedError(
            "no segment has two judged outputs to compare",
            hint="correlate the scores instead: one output a segment defines no comparison",
        )
    first, second = np.array(both, np.int64).T
    swapped = values[first] < values[second]
    better, worse = np.where(swapped, second, first), np.where(swapped, first, second)
    nobody = np.zeros(len(both), np.int64)
    return Preferences(outputs, better, worse, values[first] == values[second], ("",), nobody)


def _weighted_differences(
    preferences: Preferences, scores: MetricScores, averaging: Averaging
) -> tuple[Numbers, Numbers]:
    """Better minus worse by the metric, and each comparison's weight; weights sum to 1."""
    segments = comparison_strata(preferences)
    values = scores_of(preferences.outputs, scores)
    difference = values[preferences.better] - values[preferences.worse]
    if averaging is Averaging.COMPARISONS:
        return difference, np.full(len(difference), 1 / len(difference))
    sizes = np.bincount(segments.segment, minlength=segments.n_segments)
    return difference, 1 / (sizes[segments.segment] * segments.n_segments)


def _accuracy(
    difference: Numbers, ties: NDArray[np.bool_], weights: Numbers, epsilon: float
) -> float:
    right = np.where(ties, np.abs(difference) <= epsilon, difference > epsilon)
    return float(np.clip((weights * right).sum(), 0.0, 1.0))
