"""Does one variable predict a task better than another? Tests of two dependent correlations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TypeVar

import numpy as np

from ensue.errors import UndefinedError
from ensue.evaluation.correlation.dependent import meng, steiger, zou_interval
from ensue.evaluation.correlation.weighted import TwoVariables, pearson
from ensue.evaluation.correlation.williams import williams
from ensue.evaluation.measuring.intervals import percentile_interval
from ensue.evaluation.results import Difference
from ensue.evaluation.significance.comparison import bootstrap_p, holm
from ensue.paraphrase.correlation.model import (
    CorrelationDifference,
    CorrelationSettings,
    ListScores,
    Variable,
)
from ensue.paraphrase.correlation.samples import Sample, sample_of
from ensue.paraphrase.model import Numbers

T = TypeVar("T")


def correlation_differences(
    scores: ListScores, settings: CorrelationSettings
) -> tuple[CorrelationDifference, ...]:
    """Compare variables in Pearson's r with each task, over the lists that have all numbers.

    Those of the same k and quality are compared, or every two where the settings say so. Holm's
    correction is for all tests of one task.
    """
    couples = [
        (first, second)
        for first, second in combinations(scores.intrinsic, 2)
        if settings.every_couple or (first.k, first.quality) == (second.k, second.quality)
    ]
    found: list[CorrelationDifference] = []
    for task in scores.extrinsic:
        tests = [_difference(scores, task, *couple, settings) for couple in couples]
        found += _corrected(tests)
    return tuple(found)


def _difference(
    scores: ListScores,
    task: str,
    first: Variable,
    second: Variable,
    settings: CorrelationSettings,
) -> CorrelationDifference:
    columns = [
        (first.name, scores.intrinsic[first]),
        (second.name, scores.intrinsic[second]),
        (f"performance on {task}", scores.extrinsic[task]),
    ]
    sample = sample_of(scores, columns, settings)
    bare = CorrelationDifference(
        task=task,
        first=first,
        second=second,
        n=sample.n,
        n_terms=sample.n_terms,
        first_r=None,
        second_r=None,
        between=None,
        williams=None,
        p_holm=None,
        steiger=None,
        meng=None,
        zou=None,
        bootstrap=Difference(None, reason=sample.gap()),
        reason=sample.gap(),
    )
    return bare if sample.gap() else _tested(bare, sample)


def _tested(bare: CorrelationDifference, sample: Sample) -> CorrelationDifference:
    x_1, x_2, y = sample.columns
    draws = sample.resampled([partial(pearson, TwoVariables.of(x, y)) for x in (x_1, x_2)])
    first, second = (float(each[0]) for each in draws)
    between = float(pearson(TwoVariables.of(x_1, x_2), np.ones((1, sample.n), np.int64))[0])
    lacks: list[str] = []
    level, numbers = sample.settings.level, (first, second, between, sample.n)
    return replace(
        bare,
        first_r=first,
        second_r=second,
        between=between,
        williams=_or_none(lambda: williams(*numbers), lacks),
        steiger=_or_none(lambda: steiger(*numbers), lacks),
        meng=_or_none(lambda: meng(*numbers), lacks),
        zou=_or_none(lambda: zou_interval(*numbers, level=level), lacks),
        bootstrap=_bootstrapped(draws[0] - draws[1], sample),
        reason="; ".join(lacks) or None,
    )


def _or_none(test: Callable[[], T], lacks: list[str]) -> T | None:
    """What the test finds; where it is undefined, None, and its reason is added."""
    try:
        return test()
    except UndefinedError as error:
        lacks.append(error.message)
        return None


def _bootstrapped(differences: Numbers, sample: Sample) -> Difference:
    value, draws = float(differences[0]), differences[1:]
    defined = draws[~np.isnan(draws)]
    if not defined.size:
        return Difference(value, reason=sample.no_interval())
    low, high = percentile_interval(defined, sample.settings.level)
    return Difference(value, low, high, bootstrap_p(defined))


def _corrected(tests: list[CorrelationDifference]) -> Iterator[CorrelationDifference]:
    corrected = iter(holm([test.williams.p for test in tests if test.williams]))
    for test in tests:
        yield replace(test, p_holm=next(corrected)) if test.williams else test
