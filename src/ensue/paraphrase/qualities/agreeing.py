"""Numbers against yes and no: what they are worth, resampled over rules.

All applications of one rule are drawn together: they hang together (Efron & Tibshirani 1993,
chapter 13). Every number sees the same draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.evaluation.correlation.coefficients import LEAST, WEIGHTED, Coefficient
from ensue.evaluation.correlation.weighted import TwoVariables
from ensue.evaluation.measuring.ranks import Counts, ranking
from ensue.evaluation.measuring.resampling import drawn_counts
from ensue.evaluation.measuring.sums import estimate_of, ratios, resampled_sums, summed_by
from ensue.evaluation.results import Estimate
from ensue.paraphrase.model import Indices, Numbers

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
    draws: int
    level: float
    seed: int

    @property
    def n_rules(self) -> int:
        """How many rules there are."""
        return int(self.rule.max(initial=-1)) + 1

    def counts(self) -> Iterator[Counts]:
        """How often each rule is drawn: once, then in every draw."""
        yield np.ones((1, self.n_rules), np.int64)
        yield from drawn_counts(self.n_rules, self.draws, np.random.default_rng(self.seed))

    def chosen(self, which: NDArray[Any]) -> Rated:
        """Some of the instances; their rules are numbered anew."""
        _, rule = np.unique(self.rule[which], return_inverse=True)
        picked = self.is_right[which], rule.astype(np.int64)
        return Rated(*picked, self.draws, self.level, self.seed)


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
    return ratios(above, (n_right * n_wrong).astype(np.float64))


def area(rated: Rated, quality: Numbers) -> Estimate:
    """The area under the ROC curve."""
    areas = [roc_areas(quality, rated.is_right, counts[:, rated.rule]) for counts in rated.counts()]
    return estimate_of(np.concatenate(areas), rated.level, NO_AREA)


def decisions(rated: Rated, says_yes: Booleans, cutoff: float | None) -> Decisions:
    """How far answers agree with people."""
    right = rated.is_right
    cells = np.stack(
        [says_yes & right, says_yes & ~right, ~says_yes & right, ~says_yes & ~right], axis=1
    )
    table = summed_by(rated.rule, cells.astype(np.float64), rated.n_rules)
    hits, alarms, misses, rest = resampled_sums(table, rated.draws, rated.seed).T
    n = hits + alarms + misses + rest
    observed = ratios(hits + rest, n)
    expected = ratios((hits + alarms) * (hits + misses) + (misses + rest) * (alarms + rest), n * n)
    level = rated.level
    return Decisions(
        cutoff,
        accuracy=estimate_of(observed, level, "there are no instances"),
        kappa=estimate_of(ratios(observed - expected, 1 - expected), level, _NO_KAPPA),
        precision=estimate_of(ratios(hits, hits + alarms), level, "no instance gets a yes"),
        recall=estimate_of(ratios(hits, hits + misses), level, "people find no instance right"),
    )


def brier(rated: Rated, quality: Numbers) -> Estimate:
    """The mean squared distance between a quality and what people say (Brier 1950): 0 is perfect.

    Unlike the area it sees whether qualities are at the right height, and Q is a factor of DIMPLE's
    gain: its height counts.
    """
    squared = (quality - rated.is_right) ** 2
    columns = np.stack([squared, np.ones_like(squared)], axis=1)
    sums = resampled_sums(summed_by(rated.rule, columns, rated.n_rules), rated.draws, rated.seed)
    return estimate_of(ratios(sums[:, 0], sums[:, 1]), rated.level, "there are no instances")


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
    return estimate_of(values, rated.level, _CONSTANT)


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
