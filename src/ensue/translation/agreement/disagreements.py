"""Where people agree most and a metric is most sure of the opposite."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ensue.errors import DataError, SettingError
from ensue.translation.agreement.lineup import scores_of
from ensue.translation.model import Indices, MetricScores, Numbers, OutputKey, Preferences


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two outputs of a segment that people and a metric order in opposite ways."""

    preferred: OutputKey
    """By people."""
    other: OutputKey
    """By the metric."""
    votes: int
    """People for the preferred one."""
    votes_against: int
    ties: int
    """People for neither."""
    preferred_score: float
    other_score: float
    margin: float
    """How far the metric puts the other one ahead; above 0."""
    probability: float | None
    """That the preferred one is better, as the metric has it; None where it gives none."""
    severity: float
    """By which they are sorted: people's agreement times the metric's certainty."""


def worst_disagreements(
    preferences: Preferences, scores: MetricScores, n: int = 20
) -> tuple[Disagreement, ...]:
    """Find the comparisons in which a metric contradicts people most.

    With v votes for an output, w against it and t ties, people's agreement is
    (v − w) / (v + w + t + 1): one vote is half of what very many would be. The metric's certainty
    is 1 − 2p, for the probability p that it gives to the preferred output, where it says any, and
    else the margin over the standard deviation of its scores. Equal severities stay
    in the order of the comparisons.

    Raises:
        SettingError: n is below 0.
        DataError: a judged output has no score, or a probability is none.
    """
    if n < 0:
        raise SettingError(f"the worst {n!r} make no sense", hint="0 or more")
    values = scores_of(preferences.outputs, scores)
    first, second, votes = _votes(preferences)
    net = votes[:, 0] - votes[:, 1]
    preferred, other = np.where(net > 0, first, second), np.where(net > 0, second, first)
    chance = _probabilities(scores, values[preferred], values[other])
    margin = values[other] - values[preferred]
    certainty = _over_deviation(margin, values) if chance is None else 1 - 2 * chance
    severity = np.abs(net) / (votes.sum(axis=1) + 1) * certainty
    order = np.argsort(-severity, kind="stable")
    return tuple(
        Disagreement(
            preferred=preferences.outputs[preferred[i]],
            other=preferences.outputs[other[i]],
            votes=int(votes[i, :2].max()),
            votes_against=int(votes[i, :2].min()),
            ties=int(votes[i, 2]),
            preferred_score=float(values[preferred[i]]),
            other_score=float(values[other[i]]),
            margin=float(margin[i]),
            probability=None if chance is None else float(chance[i]),
            severity=float(severity[i]),
        )
        for i in order[:n].tolist()
        if severity[i] > 0
    )


def _votes(preferences: Preferences) -> tuple[Indices, Indices, Indices]:
    """Every two compared outputs, with the votes for the first, for the second, and for neither."""
    swapped = preferences.better > preferences.worse
    couples = np.sort(np.stack([preferences.better, preferences.worse], axis=1), axis=1)
    distinct, first_at, place = np.unique(couples, axis=0, return_index=True, return_inverse=True)
    place = place.reshape(-1)  # numpy 2.0 gives it another shape
    answer = np.where(preferences.is_tie, 2, swapped.astype(np.int64))
    votes = np.bincount(place * 3 + answer, minlength=len(distinct) * 3).reshape(-1, 3)
    order = np.argsort(first_at)
    return distinct[order, 0], distinct[order, 1], votes[order].astype(np.int64)


def _probabilities(scores: MetricScores, preferred: Numbers, other: Numbers) -> Numbers | None:
    """How likely the metric holds people right, if it says probabilities."""
    if scores.probability is None:
        return None
    found = scores.probability(preferred, other)
    wrong = np.flatnonzero(~((found >= 0) & (found <= 1)))
    if wrong.size:
        raise DataError(
            f"{scores.name!r}: {float(found[wrong[0]])!r} is no probability",
            hint="the metric must give numbers from 0 to 1",
        )
    return found


def _over_deviation(margin: Numbers, values: Numbers) -> Numbers:
    deviation = float(values.std()) if values.size else 0.0
    return margin / deviation if deviation > 0 else np.zeros_like(margin)
