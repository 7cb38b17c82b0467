"""What the lists of a method do in a task on the whole, with intervals over terms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ensue.evaluation.measuring.intervals import DRAWS, LEVEL, check_resampling
from ensue.evaluation.measuring.sums import estimate_of, ratios, resampled_sums, summed_by
from ensue.evaluation.results import Estimate
from ensue.paraphrase.model import Numbers
from ensue.paraphrase.recognition.results import Recognition


@dataclass(frozen=True, slots=True)
class MethodPerformance:
    """The lists of one method in one task.

    Terms are drawn, with all that belongs to them; all methods and tasks see the same draws.
    """

    method: str
    task: str
    n_lists: int
    """Of the method, whose term is in a positive pair of the task; the means are over these."""
    n_undefined: int
    """Of the method, whose term is in none."""
    performance: Estimate
    """The mean of the lists' performances: every list counts the same."""
    by_unigrams: Estimate
    """The mean share recognized by unigrams alone."""
    by_patterns: Estimate
    """The mean share that the patterns add."""
    pooled: Estimate
    """The share recognized of the positive pairs of all lists: every pair counts the same."""
    false_alarms: Estimate
    """The share recognized of the negative pairs of all lists."""
    precision: Estimate
    """Of all pairs that the lists recognize, the share of positive ones."""


_FIGURES = (
    ("performance", 0, 1),
    ("by_unigrams", 2, 1),
    ("by_patterns", 3, 1),
    ("pooled", 4, 5),
    ("false_alarms", 6, 7),
    ("precision", 4, 8),
)
"""Figures as ratios of the statistics that `_statistics` gives."""


def method_performances(
    recognition: Recognition, *, draws: int = DRAWS, level: float = LEVEL, seed: int = 0
) -> tuple[MethodPerformance, ...]:
    """Put the lists of each method together, in every task.

    Args:
        recognition: What each list does.
        draws: How many resamples of the terms.
        level: Of the intervals.
        seed: Of the random numbers.

    Raises:
        SettingError: the level is not between 0 and 1, or the number of draws is negative.
    """
    check_resampling(draws, level)
    keys = recognition.keys
    terms = list(dict.fromkeys(key.term for key in keys))
    methods = list(dict.fromkeys(key.method for key in keys))
    number = {term: i for i, term in enumerate(terms)}
    term_of = np.array([number[key.term] for key in keys], np.int64)
    results = []
    for method in methods:
        mine = np.array([key.method == method for key in keys], np.bool_)
        for j, task in enumerate(recognition.tasks):
            statistics = _statistics(recognition, j)
            sums = resampled_sums(
                summed_by(term_of, statistics * mine[:, None], len(terms)), draws, seed
            )
            results.append(_performance(method, task, int(mine.sum()), sums, level))
    return tuple(results)


def _statistics(recognition: Recognition, j: int) -> Numbers:
    """What sums over lists; the columns are what `_FIGURES` counts by.

    Performance, one where it is defined, unigrams' share, patterns' share; positive pairs
    recognized, positive pairs, false alarms, negative pairs, all pairs recognized.
    """
    counts = recognition.counts
    n = counts.positive[:, j].astype(np.float64)
    recognized, alarms = counts.recognized[:, j], counts.false_alarms[:, j]
    parts = (recognized, counts.positive_by_unigrams[:, j], counts.positive_by_patterns[:, j])
    performance, unigrams, patterns = (
        np.nan_to_num(ratios(each.astype(float), n)) for each in parts
    )
    rest = (recognized, n, alarms, counts.negative[:, j], recognized + alarms)
    columns = (performance, n > 0, unigrams, patterns, *rest)
    return np.stack(columns, axis=1).astype(np.float64)


def _performance(
    method: str, task: str, n_lists: int, sums: Numbers, level: float
) -> MethodPerformance:
    reasons = {
        "false_alarms": f"no term of the lists is in a negative pair of the task {task!r}",
        "precision": f"the lists recognize no pair of the task {task!r}",
    }
    general = f"no term of the lists is in a positive pair of the task {task!r}"
    found = {
        name: estimate_of(ratios(sums[:, i], sums[:, j]), level, reasons.get(name, general))
        for name, i, j in _FIGURES
    }
    n_defined = int(sums[0, 1])
    return MethodPerformance(method, task, n_defined, n_lists - n_defined, **found)
