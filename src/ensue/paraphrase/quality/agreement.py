"""Agreement of qualities with yes and no of people, and trials of their combinations.

All applications of one rule are drawn together: they hang together (Efron & Tibshirani 1993,
chapter 13). Every number sees the same draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import UndefinedError
from ensue.paraphrase.lists import Indices, Numbers
from ensue.paraphrase.quality.entailment import BothWays, Combination, Grade
from ensue.statistics import (
    LEAST,
    WEIGHTED,
    Coefficient,
    Counts,
    Estimate,
    Resampling,
    TwoVariables,
    kappa,
    ranking,
    ratio,
    summed_by,
)

# Numbers against yes and no: what they are worth, resampled over rules.

Booleans = NDArray[np.bool_]

_DIGITS = 12
"""Means of qualities that differ only beyond these are equal."""
NO_AREA = "people say one and the same of all instances"
_NO_KAPPA = "people and recognizer give one label throughout, so that agreement by chance is 1"
_CONSTANT = "one of the two is the same for all rules"


@dataclass(frozen=True, slots=True)
class Decisions:
    """A yes or a no for each instance, against people."""

    cutoff: float | None
    """Yes is a quality above it; None where the recognizer decides by its own."""
    accuracy: Estimate
    kappa: Estimate
    """Cohen's (1960), of recognizer and people."""
    precision: Estimate
    recall: Estimate


@dataclass(frozen=True, slots=True)
class QualityBin:
    """Instances of about the same automatic quality."""

    low: float
    """The least quality in it."""
    high: float
    n: int
    mean_quality: float
    share_right: float
    """By people."""


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """What people say of instances, and how these are resampled."""

    is_right: Booleans
    rule: Indices
    """For each instance the number of its rule, from 0, without gaps."""
    resampling: Resampling

    @property
    def n_rules(self) -> int:
        """How many rules there are."""
        return int(self.rule.max(initial=-1)) + 1

    def counts(self) -> Iterator[Counts]:
        """How often each rule is drawn: once, then in every draw."""
        yield np.ones((1, self.n_rules), np.int64)
        yield from self.resampling.counts(self.n_rules)

    def chosen(self, which: NDArray[Any]) -> Rated:
        """Some of the instances; their rules are numbered anew."""
        _, rule = np.unique(self.rule[which], return_inverse=True)
        picked = self.is_right[which], rule.astype(np.int64)
        return Rated(*picked, self.resampling)


def roc_areas(quality: Numbers, is_right: Booleans, counts: Counts) -> Numbers:
    """The area under the ROC curve in each draw; NaN where a draw has one label only.

    It is the probability that what is right has the larger quality, ties counting half (Hanley &
    McNeil 1982).

    >>> roc_areas(np.array([0.9, 0.5, 0.5]), np.array([True, True, False]), np.ones((1, 3), int))
    array([0.75])

    Args:
        quality: Of each instance.
        is_right: What people say of it.
        counts: Draws × instances: how often each is drawn.
    """
    by = ranking(quality, np.ones(len(quality), np.bool_))
    right, wrong = by.sums(counts * is_right), by.sums(counts * ~is_right)
    n_right, n_wrong = right.sum(axis=1), wrong.sum(axis=1)
    behind = n_wrong[:, None] - np.cumsum(wrong, axis=1)
    above = (right * (behind + wrong / 2)).sum(axis=1)
    return ratio(above, (n_right * n_wrong).astype(np.float64))


def area(rated: Rated, quality: Numbers) -> Estimate:
    """The area under the ROC curve."""
    areas = [roc_areas(quality, rated.is_right, counts[:, rated.rule]) for counts in rated.counts()]
    return rated.resampling.estimate(np.concatenate(areas), NO_AREA)


def decisions(rated: Rated, says_yes: Booleans, cutoff: float | None) -> Decisions:
    """How far answers agree with people."""
    right = rated.is_right
    cells = np.stack(
        [says_yes & right, says_yes & ~right, ~says_yes & right, ~says_yes & ~right], axis=1
    )
    table = summed_by(rated.rule, cells.astype(np.float64), rated.n_rules)
    hits, alarms, misses, rest = rated.resampling.sums(table).T
    n = hits + alarms + misses + rest
    observed = ratio(hits + rest, n)
    expected = ratio((hits + alarms) * (hits + misses) + (misses + rest) * (alarms + rest), n * n)
    estimate = rated.resampling.estimate
    return Decisions(
        cutoff,
        accuracy=estimate(observed, "there are no instances"),
        kappa=estimate(kappa(observed, expected), _NO_KAPPA),
        precision=estimate(ratio(hits, hits + alarms), "no instance gets a yes"),
        recall=estimate(ratio(hits, hits + misses), "people find no instance right"),
    )


def brier(rated: Rated, quality: Numbers) -> Estimate:
    """The mean squared distance between a quality and what people say (Brier 1950): 0 is perfect.

    Unlike the area it sees whether qualities are at the right height, and Q is a factor of DIMPLE's
    gain: its height counts.
    """
    squared = (quality - rated.is_right) ** 2
    columns = np.stack([squared, np.ones_like(squared)], axis=1)
    sums = rated.resampling.sums(summed_by(rated.rule, columns, rated.n_rules))
    return rated.resampling.estimate(ratio(sums[:, 0], sums[:, 1]), "there are no instances")


def rule_correlation(rated: Rated, quality: Numbers, coefficient: Coefficient) -> Estimate:
    """Between the mean quality of each rule and the share of its instances that are right."""
    if rated.n_rules < LEAST:
        return Estimate(None, reason=f"{rated.n_rules} rules define no correlation")
    n = np.bincount(rated.rule)
    # a mean of equal qualities may differ from them in the last place, and is to tie with others
    mean = np.round(np.bincount(rated.rule, quality) / n, _DIGITS)
    share = np.bincount(rated.rule, rated.is_right) / n
    data = TwoVariables.of(mean, share)
    values = np.concatenate([WEIGHTED[coefficient](data, counts) for counts in rated.counts()])
    return rated.resampling.estimate(values, _CONSTANT)


def quality_bins(rated: Rated, quality: Numbers, n_bins: int) -> tuple[QualityBin, ...]:
    """Instances by increasing quality in about equal parts; equal qualities are not torn apart."""
    edges = np.quantile(quality, np.linspace(0, 1, n_bins + 1)[1:-1])
    place = np.searchsorted(edges, quality, side="left")
    parts = [place == i for i in np.unique(place)]
    return tuple(_bin(quality[part], rated.is_right[part]) for part in parts)


def _bin(quality: Numbers, is_right: Booleans) -> QualityBin:
    return QualityBin(
        low=float(quality.min()),
        high=float(quality.max()),
        n=len(quality),
        mean_quality=float(quality.mean()),
        share_right=float(is_right.mean()),
    )


# The ways to make a quality of two verdicts, tried on what people judged.

NO_DECISION = "the recognizer decides about no instance of the choosing half"
_NOTHING_IN_COMMON = "no instance of the choosing half has a quality in all ways to make one"

_Way = tuple[Grade, Combination]


@dataclass(frozen=True, slots=True)
class QualityTrial:
    """One way to make a quality of two verdicts, tried on the choosing half.

    All ways are tried on the same instances: those that get a quality by each way that gives any.
    """

    grade: Grade
    combination: Combination
    area: float | None
    """Under the ROC curve."""
    brier: float | None
    """The mean squared distance from what people say."""
    reason: str | None = None
    """Why there is no area, or neither of the two."""


def tried_ways(
    ways: BothWays,
    is_right: Booleans,
    choosing: Booleans,
    grade: Grade | None,
    combination: Combination | None,
) -> tuple[QualityTrial, ...]:
    """Try what is not given on the choosing half; one trial where both are given.

    Args:
        ways: The verdicts on all instances.
        is_right: What people say of them.
        choosing: Which of them are of the choosing half.
        grade: What one verdict counts; None for every grade.
        combination: How two verdicts become one number; None for every combination.
    """
    grades = [grade] if grade else list(Grade)
    combinations = [combination] if combination else list(Combination)
    tried = list(product(grades, combinations))
    reasons: dict[_Way, str] = {}
    qualities: dict[_Way, Numbers] = {}
    for way in tried:
        try:
            quality = ways.qualities(*way)[choosing]
        except UndefinedError as error:
            reasons[way] = error.message
            continue
        if np.isnan(quality).all():
            reasons[way] = NO_DECISION
        else:
            qualities[way] = quality
    found = _compared(qualities, is_right[choosing])
    return tuple(found.get(way) or QualityTrial(*way, None, None, reasons[way]) for way in tried)


def _compared(qualities: Mapping[_Way, Numbers], is_right: Booleans) -> dict[_Way, QualityTrial]:
    """Trials on the instances that all of them decide."""
    if not qualities:
        return {}
    common = ~np.isnan(np.stack(list(qualities.values()))).any(axis=0)
    if not common.any():
        return {way: QualityTrial(*way, None, None, _NOTHING_IN_COMMON) for way in qualities}
    right = is_right[common]
    return {way: _trial(way, quality[common], right) for way, quality in qualities.items()}


def _trial(way: _Way, quality: Numbers, is_right: Booleans) -> QualityTrial:
    (found,) = roc_areas(quality, is_right, np.ones((1, len(quality)), np.int64)).tolist()
    distance = float(np.mean((quality - is_right) ** 2))
    if np.isnan(found):
        return QualityTrial(*way, None, distance, NO_AREA)
    return QualityTrial(*way, found, distance)


def best_trial(trials: Sequence[QualityTrial]) -> QualityTrial:
    """The nearest to people, by the mean squared distance; of equal ones the first.

    Raises:
        UndefinedError: none of them has a distance.
    """
    defined = [trial for trial in trials if trial.brier is not None]
    if not defined:
        raise UndefinedError(
            f"no way to make a quality can be chosen: {trials[-1].reason}",
            hint="verdicts are needed on the choosing half, with confidences for the grade 'soft';"
            " or give both grade and combination",
        )
    return min(defined, key=lambda trial: trial.brier or 0.0)
