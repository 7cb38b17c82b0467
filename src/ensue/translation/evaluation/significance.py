"""Tests of the difference of two metrics: paired permutations and Williams' test.

If two metrics are equally good, it does not matter which of them scored a segment: all outputs of
a segment swap their two scores together, or none does. That is PERM-INPUTS of Deutsch, Dror & Roth
(2021, "A statistical analysis of summarization evaluation metrics using resampling methods"); where
every segment has one output, it is their PERM-BOTH as well. Tests are two-sided; the data count as
one more permutation, so that no p is 0 (Davison & Hinkley 1997, chapter 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ensue.errors import SettingError, UndefinedError
from ensue.statistics import (
    RESAMPLING,
    Resampling,
    Williams,
    clusters,
    holm,
    r_of_moments,
    ratio,
    simulated_p,
    standardized,
    williams,
)
from ensue.translation.evaluation.correlation import (
    HumanValues,
    human_values,
    scores_of,
    strata,
    undefined_reason,
)
from ensue.translation.evaluation.pairwise_accuracy import TiePolicy, credited, outcome_counts
from ensue.translation.systems import Indices, MetricScores, Numbers, OutputKey, Preferences

# Do two metrics differ? Paired permutation tests over segments, and clusters of metrics.

PERMUTATIONS = Resampling(draws=10_000)
"""How many permutations, unless asked otherwise."""

_CELLS = 2_000_000
"""Permutations times segments that are held in memory at once."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Two metrics on the same judgments."""

    first: str
    second: str
    first_value: float
    second_value: float
    p: float
    """Two-sided."""
    p_holm: float
    """The same, corrected for the number of tests (Holm 1979)."""
    differs: bool
    """Whether the corrected p is at most 1 − level."""

    @property
    def difference(self) -> float:
        """The first metric's value minus the second's."""
        return self.first_value - self.second_value


@dataclass(frozen=True, slots=True)
class MetricComparisons:
    """Every two of some metrics, and which of them cannot be told apart."""

    measure: str
    """`consistency` or `mean segment pearson`."""
    tests: tuple[PairedTest, ...]
    """In the order of the metrics; empty for a single one."""
    clusters: tuple[tuple[str, ...], ...]
    """Maximal sets of metrics, consecutive by value, no two of which differ; best first."""
    resampling: Resampling
    """As many permutations as it has draws."""


def compare_consistency(
    preferences: Preferences,
    metrics: Sequence[MetricScores],
    *,
    policy: TiePolicy = TiePolicy.WRONG,
    resampling: Resampling = PERMUTATIONS,
) -> MetricComparisons:
    """Compare every two metrics by their consistency over all comparisons.

    Raises:
        UndefinedError: people prefer nothing to anything, or a metric ties in every comparison and
            ties are left out.
        DataError: a judged output has no score.
        SettingError: two metrics have one name.
    """
    _check(metrics)
    counts = [credited(outcome_counts(preferences, metric)[0], policy) for metric in metrics]
    values = [_share(*each, metric.name) for each, metric in zip(counts, metrics, strict=True)]

    def p_value(i: int, j: int) -> float:
        each = np.stack([*counts[i], *counts[j]], axis=1)
        return _swapped_shares(each, resampling.draws, resampling.rng())

    return _compared("consistency", metrics, values, p_value, resampling)


def _share(right: Numbers, total: Numbers, name: str) -> float:
    if total.sum() == 0:
        raise UndefinedError(
            "ties-every-comparison-ties",
            f"{name!r} ties in every comparison, and ties are left out",
        )
    return float(right.sum() / total.sum())


def _swapped_shares(statistics: Numbers, permutations: int, rng: np.random.Generator) -> float:
    """The p of a difference of shares; columns: right and total of one metric, then the other's.

    Segments with equal differences are interchangeable: how many of a kind are swapped is
    binomial. So the cost does not grow with the segments.
    """
    sums = statistics.sum(axis=0)
    changes, counts = np.unique(statistics[:, 2:] - statistics[:, :2], axis=0, return_counts=True)
    moving = changes.any(axis=1)
    swapped = rng.binomial(counts[moving], 0.5, size=(permutations, int(moving.sum())))
    moved = swapped @ changes[moving]
    first, second = sums[:2] + moved, sums[2:] - moved
    drawn = ratio(first[:, 0], first[:, 1]) - ratio(second[:, 0], second[:, 1])
    return simulated_p(abs(float(sums[0] / sums[1] - sums[2] / sums[3])), np.abs(drawn))


def compare_pearson(
    human: HumanValues,
    metrics: Sequence[MetricScores],
    *,
    resampling: Resampling = PERMUTATIONS,
) -> MetricComparisons:
    """Compare every two metrics by their mean segment Pearson over language pairs.

    Scores are standardized within each language pair before they are swapped, so that metrics with
    other scales can stand in for each other (Deutsch, Dror & Roth 2021).

    Raises:
        UndefinedError: there are no human scores, or a correlation is undefined.
        DataError: a judged output has no score.
        SettingError: two metrics have one name.
    """
    _check(metrics)
    outputs, values = human_values(human)
    segments = list(strata(outputs).observations())
    tables = [_standardized_by_pair(metric, outputs, values, segments) for metric in metrics]
    people = [standardized(values[chosen]) for _, chosen, _ in segments]
    groups = [segment for _, _, segment in segments]
    means = [
        float(np.mean([np.mean(x * y) for x, y in zip(table, people, strict=True)]))
        for table in tables
    ]

    def p_value(i: int, j: int) -> float:
        rng = resampling.rng()
        drawn = [
            _swapped_pearson(x, y, h, segment, resampling.draws, rng)
            for x, y, h, segment in zip(tables[i], tables[j], people, groups, strict=True)
        ]
        return simulated_p(abs(means[i] - means[j]), np.abs(np.mean(drawn, axis=0)))

    return _compared("mean segment pearson", metrics, means, p_value, resampling)


def _standardized_by_pair(
    metric: MetricScores,
    outputs: Sequence[OutputKey],
    values: Numbers,
    segments: Sequence[tuple[str, Indices, Indices]],
) -> list[Numbers]:
    scores = scores_of(outputs, metric)
    for pair, chosen, _ in segments:
        reason = undefined_reason(scores[chosen], values[chosen], "outputs")
        if reason is not None:
            raise UndefinedError(
                "undefined-on-language-pair", f"{metric.name!r} on {pair!r}: {reason}"
            )
    return [standardized(scores[chosen]) for _, chosen, _ in segments]


def _swapped_pearson(
    x: Numbers,
    y: Numbers,
    human: Numbers,
    segment: Indices,
    permutations: int,
    rng: np.random.Generator,
) -> Numbers:
    """The difference of the two correlations in each permutation.

    A swap moves Σx, Σx² and Σx·h by a sum over the swapped segments, and those of y by the
    opposite.
    """
    changes = np.stack([y - x, y * y - x * x, (y - x) * human], axis=1)
    by_segment = np.stack([np.bincount(segment, column) for column in changes.T], axis=1)
    first = np.array([x.sum(), (x * x).sum(), (x * human).sum()])
    second = np.array([y.sum(), (y * y).sum(), (y * human).sum()])
    moved = np.concatenate(
        [swaps @ by_segment for swaps in _swaps(len(by_segment), permutations, rng)]
    )
    return _pearson_of_moments(first + moved, human) - _pearson_of_moments(second - moved, human)


def _swaps(n: int, permutations: int, rng: np.random.Generator) -> Iterator[Numbers]:
    """Permutations × segments, some rows at a time: 1 where the segment is swapped."""
    rows = max(1, _CELLS // n)
    yield np.empty((0, n))
    for start in range(0, permutations, rows):
        size = (min(rows, permutations - start), n)
        yield rng.integers(0, 2, size=size, dtype=np.int8).astype(np.float64)


def _pearson_of_moments(moments: Numbers, human: Numbers) -> Numbers:
    """Pearson's r with people, of rows of Σx, Σx², Σx·h."""
    n = np.full(len(moments), float(len(human)))
    x, xx, xh = moments.T
    h, hh = n * human.mean(), n * np.mean(human * human)
    return r_of_moments(np.stack([n, x, h, xx, hh, xh], axis=1))


def _compared(
    measure: str,
    metrics: Sequence[MetricScores],
    values: Sequence[float],
    p_value: Callable[[int, int], float],
    resampling: Resampling,
) -> MetricComparisons:
    names = [metric.name for metric in metrics]
    couples = list(combinations(range(len(names)), 2))
    p_values = [p_value(i, j) for i, j in couples]
    tests = tuple(
        PairedTest(names[i], names[j], values[i], values[j], p, p_holm, p_holm <= resampling.alpha)
        for (i, j), p, p_holm in zip(couples, p_values, holm(p_values), strict=True)
    )
    return MetricComparisons(measure, tests, clusters(names, values, tests), resampling)


def _check(metrics: Sequence[MetricScores]) -> None:
    names = [metric.name for metric in metrics]
    if not names:
        raise SettingError(
            "no-metrics-compare", "there are no metrics to compare", hint="give at least one"
        )
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise SettingError(
            "two-metrics-called", f"two metrics are called {twice[0]!r}", hint="name them apart"
        )


# Williams' test: do two metrics correlate differently with the same human scores?


@dataclass(frozen=True, slots=True)
class WilliamsComparison:
    """Two metrics on one language pair."""

    language_pair: str
    first: str
    second: str
    n: int
    """Outputs."""
    first_pearson: float
    second_pearson: float
    between: float
    """Pearson's r of the metrics with each other."""
    test: Williams
    p_holm: float
    """The two-sided p, corrected for the number of comparisons in the language pair."""
    differs: bool


def compare_by_williams(
    human: HumanValues, metrics: Sequence[MetricScores], *, resampling: Resampling = RESAMPLING
) -> tuple[WilliamsComparison, ...]:
    """Compare every two metrics on every language pair by Williams' test.

    The test takes outputs as independent; where segments have several, `compare_pearson` does not.

    Raises:
        UndefinedError: there are no human scores, or a correlation is undefined.
        DataError: a judged output has no score.
    """
    outputs, values = human_values(human)
    segments = list(strata(outputs).observations())
    tables = [_standardized_by_pair(metric, outputs, values, segments) for metric in metrics]
    names = [metric.name for metric in metrics]
    found: list[WilliamsComparison] = []
    for i, (pair, chosen, _) in enumerate(segments):
        of_pair = [table[i] for table in tables]
        found += _on_one_pair(pair, names, of_pair, standardized(values[chosen]), resampling)
    return tuple(found)


def _on_one_pair(
    pair: str,
    names: Sequence[str],
    table: Sequence[Numbers],
    people: Numbers,
    resampling: Resampling,
) -> list[WilliamsComparison]:
    n = len(people)
    with_people = [_pearson(each, people) for each in table]
    couples = list(combinations(range(len(names)), 2))
    between = [_pearson(table[i], table[j]) for i, j in couples]
    tests = [
        williams(with_people[i], with_people[j], r, n)
        for (i, j), r in zip(couples, between, strict=True)
    ]
    corrected = holm([test.p for test in tests])
    return [
        WilliamsComparison(
            pair,
            names[i],
            names[j],
            n,
            with_people[i],
            with_people[j],
            r,
            test,
            p_holm,
            differs=p_holm <= resampling.alpha,
        )
        for (i, j), r, test, p_holm in zip(couples, between, tests, corrected, strict=True)
    ]


def _pearson(x: Numbers, y: Numbers) -> float:
    """Pearson's r of standardized variables."""
    return float(np.clip(np.mean(x * y), -1.0, 1.0))
