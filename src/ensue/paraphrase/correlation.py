"""Correlation of list scores with task performance, and differences of correlations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import ceil, log10

import numpy as np

from ensue.errors import SettingError, UndefinedError
from ensue.pairs import Finding, Severity
from ensue.paraphrase.list_scores import (
    ALPHA,
    Association,
    CorrelationDifference,
    Correlations,
    CorrelationSettings,
    ListCorrelation,
    ListScores,
    Resampled,
    ScoreVariable,
    TaskLists,
)
from ensue.paraphrase.lists import Indices, Numbers
from ensue.statistics import (
    LEAST,
    RESAMPLING,
    WEIGHTED,
    Coefficient,
    Counts,
    Difference,
    Estimate,
    GroupedVariables,
    PMethod,
    Resampling,
    TwoVariables,
    correlation_p,
    defined,
    holm,
    meng,
    paired_difference,
    pearson,
    pearson_within,
    share_between,
    steiger,
    student_p,
    williams,
    zou_interval,
)

# The lists that have all numbers asked for, and draws from them.

_DIGITS = 12
"""Numbers of a column that differ only beyond so many digits of its largest are equal but for
rounding, and tie."""
_MOST_DECIMALS = 300
"""Numbers so small that they would take more are left as they are."""
_CELLS = 2_000_000
"""Draws times lists that are held in memory at once."""

_ONE_TERM = "all lists are of one term, and terms are drawn"


@dataclass(frozen=True, slots=True, eq=False)
class ListSample:
    """Some columns of the lists that have a number in each of them."""

    columns: tuple[Numbers, ...]
    names: tuple[str, ...]
    """What messages call the columns."""
    term: Indices
    """For each list the number of its term, from 0 without gaps."""
    n_left_out: int
    settings: CorrelationSettings

    @property
    def n(self) -> int:
        """Lists."""
        return len(self.term)

    @property
    def n_terms(self) -> int:
        """Terms of these lists."""
        return int(self.term.max(initial=-1)) + 1

    def gap(self) -> str | None:
        """Why these columns do not correlate, if they do not."""
        if self.n < LEAST:
            lists = "1 list has" if self.n == 1 else f"{self.n} lists have"
            return f"{lists} the numbers that a correlation takes from at least {LEAST}"
        for name, column in zip(self.names, self.columns, strict=True):
            if np.ptp(column) == 0:
                return f"{name} is {column[0]:.6g} for all {self.n} lists"
        return None

    def no_interval(self) -> str | None:
        """Why there is no interval although draws are asked for, if there is none."""
        by_terms = self.settings.resample is Resampled.TERMS
        return (
            _ONE_TERM if self.settings.resampling.draws and by_terms and self.n_terms == 1 else None
        )

    def resampled(self, statistics: Sequence[Callable[[Counts], Numbers]]) -> list[Numbers]:
        """Each statistic of rows of counts: of the lists as they are, then of every draw.

        All statistics see the same draws, and so do all samples with the same terms.
        """
        as_they_are = np.ones((1, self.n), np.int64)
        found = [[statistic(as_they_are)] for statistic in statistics]
        for counts in self._draws():
            for values, statistic in zip(found, statistics, strict=True):
                values.append(statistic(counts))
        return [np.concatenate(values) for values in found]

    def _draws(self) -> Iterator[Counts]:
        settings = self.settings
        if not settings.resampling.draws or self.no_interval() is not None:
            return
        by_terms = settings.resample is Resampled.TERMS
        unit = self.term if by_terms else np.arange(self.n)
        n_units = self.n_terms if by_terms else self.n
        for counts in settings.resampling.counts(n_units):
            for part in np.array_split(counts, ceil(len(counts) * self.n / _CELLS)):
                yield part[:, unit]


def sample_of(
    scores: ListScores, columns: Sequence[tuple[str, Numbers]], settings: CorrelationSettings
) -> ListSample:
    """The lists that have a number in each of these columns, which come with their names."""
    table = [column for _, column in columns]
    whole = ~np.isnan(table).any(axis=0)
    _, term = np.unique(scores.term_of[whole], return_inverse=True)
    return ListSample(
        tuple(settled(column[whole]) for column in table),
        tuple(name for name, _ in columns),
        term.astype(np.int64),
        int(np.count_nonzero(~whole)),
        settings,
    )


def settled(values: Numbers) -> Numbers:
    """The numbers without what is but rounding: so 0.1 + 0.2 ties with 0.3.

    >>> settled(np.array([0.1 + 0.2, 0.3])).tolist()
    [0.3, 0.3]
    """
    largest = float(np.abs(values).max(initial=0.0))
    decimals = _DIGITS - ceil(log10(largest)) if largest else 0
    return values if largest == 0 or decimals > _MOST_DECIMALS else np.round(values, decimals)


# Does one variable predict a task better than another? Tests of two dependent correlations.


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
    first: ScoreVariable,
    second: ScoreVariable,
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
    return bare if sample.gap() else _tested_difference(bare, sample)


def _tested_difference(bare: CorrelationDifference, sample: ListSample) -> CorrelationDifference:
    x_1, x_2, y = sample.columns
    draws = sample.resampled([partial(pearson, TwoVariables.of(x, y)) for x in (x_1, x_2)])
    first, second = (float(each[0]) for each in draws)
    between = float(pearson(TwoVariables.of(x_1, x_2), np.ones((1, sample.n), np.int64))[0])
    lacks: list[str] = []
    numbers = first, second, between, sample.n
    level = sample.settings.resampling.level
    return replace(
        bare,
        first_r=first,
        second_r=second,
        between=between,
        williams=defined(lambda: williams(*numbers), lacks.append),
        steiger=defined(lambda: steiger(*numbers), lacks.append),
        meng=defined(lambda: meng(*numbers), lacks.append),
        zou=defined(lambda: zou_interval(*numbers, level=level), lacks.append),
        bootstrap=paired_difference(
            first - second,
            (draws[0] - draws[1])[1:],
            sample.settings.resampling,
            sample.no_interval(),
        ),
        reason="; ".join(lacks) or None,
    )


def _corrected(tests: list[CorrelationDifference]) -> Iterator[CorrelationDifference]:
    corrected = iter(holm([test.williams.p for test in tests if test.williams]))
    for test in tests:
        yield replace(test, p_holm=next(corrected)) if test.williams else test


# Correlation of intrinsic scores with performance in tasks (Shima & Mitamura 2011, section
# 3.5).

_NO_VARIANCE = "one of the two does not vary"


def correlate_lists(
    scores: ListScores,
    *,
    coefficients: Sequence[Coefficient] = tuple(Coefficient),
    resampling: Resampling = RESAMPLING,
    alpha: float = ALPHA,
    resample: Resampled | str = Resampled.TERMS,
    every_couple: bool = False,
) -> Correlations:
    """Correlate every intrinsic variable with the performance in every task, over lists.

    Lists without one of the two numbers are left out of that correlation, and counted. A number
    that the lists do not define is None, with the reason.

    Args:
        scores: Of the lists.
        coefficients: Those to compute.
        resampling: Draws, level and seed of the intervals.
        alpha: A correlation is significant where its two-sided p is less.
        resample: Whether whole terms are drawn, or single lists.
        every_couple: Whether every two variables are compared, and not only those of the same k
            and quality.

    Raises:
        SettingError: there is no variable, task or coefficient, or a setting makes no sense.
    """
    settings = CorrelationSettings(
        tuple(coefficients), resampling, alpha, _resampled(resample), every_couple
    )
    _check(scores, settings)
    found = tuple(
        _correlation(scores, task, variable, settings)
        for task in scores.extrinsic
        for variable in scores.intrinsic
    )
    differences = correlation_differences(scores, settings)
    tasks = tuple(_task_lists(scores, task, settings) for task in scores.extrinsic)
    return Correlations(
        scores, found, differences, tasks, settings, tuple(_findings(scores, found))
    )


def _resampled(resample: Resampled | str) -> Resampled:
    try:
        return Resampled(resample)
    except ValueError:
        hint = f"known are: {', '.join(Resampled)}"
        raise SettingError("cannot-drawn", f"{resample!r} cannot be drawn", hint=hint) from None


def _check(scores: ListScores, settings: CorrelationSettings) -> None:
    if not 0 < settings.alpha < 1:
        raise SettingError(
            "alpha-not-between",
            f"alpha {settings.alpha!r} is not between 0 and 1",
            hint="e.g. 0.01",
        )
    for what, given in (
        ("coefficient", settings.coefficients),
        ("intrinsic score", scores.intrinsic),
        ("task", scores.extrinsic),
    ):
        if not given:
            raise SettingError(
                "no-correlate", f"there is no {what} to correlate", hint="give at least one"
            )


def _correlation(
    scores: ListScores, task: str, variable: ScoreVariable, settings: CorrelationSettings
) -> ListCorrelation:
    columns = [
        (variable.name, scores.intrinsic[variable]),
        (f"performance on {task}", scores.extrinsic[task]),
    ]
    sample = sample_of(scores, columns, settings)
    gap = sample.gap()
    if gap is None:
        coefficients, within = _associations(sample)
    else:
        undefined = Association(Estimate(None, reason=gap))
        coefficients, within = dict.fromkeys(settings.coefficients, undefined), undefined
    return ListCorrelation(
        task,
        variable,
        sample.n,
        sample.n_left_out,
        sample.n_terms,
        coefficients,
        within,
        None if gap else sample.no_interval(),
    )


def _associations(sample: ListSample) -> tuple[dict[Coefficient, Association], Association]:
    """All coefficients of two columns, and Pearson's r within terms, over the same draws."""
    settings = sample.settings
    x, y = sample.columns
    data, grouped = TwoVariables.of(x, y), GroupedVariables.of(x, y, sample.term)
    statistics = [partial(WEIGHTED[each], data) for each in settings.coefficients]
    *values, within = sample.resampled([*statistics, partial(pearson_within, grouped)])
    return {
        coefficient: _tested_association(coefficient, each, sample)
        for coefficient, each in zip(settings.coefficients, values, strict=True)
    }, _tested_within(within, sample)


def _tested_association(
    coefficient: Coefficient, values: Numbers, sample: ListSample
) -> Association:
    estimate = sample.settings.resampling.estimate(values, _NO_VARIANCE)
    if estimate.value is None:
        return Association(estimate)
    found = correlation_p(coefficient, estimate.value, *sample.columns)
    degrees = sample.n - 2 if found.method is PMethod.STUDENT else None
    significant = found.p < sample.settings.alpha
    return Association(estimate, found.p, found.method, degrees, significant)


def _tested_within(values: Numbers, sample: ListSample) -> Association:
    degrees = sample.n - sample.n_terms - 1
    if degrees < 1:
        reason = f"{sample.n} lists of {sample.n_terms} terms leave no degree of freedom"
        return Association(Estimate(None, reason=reason))
    estimate = sample.settings.resampling.estimate(values, f"{_NO_VARIANCE} within terms")
    if estimate.value is None:
        return Association(estimate)
    p = student_p(estimate.value, degrees)
    return Association(estimate, p, PMethod.STUDENT, degrees, p < sample.settings.alpha)


def _task_lists(scores: ListScores, task: str, settings: CorrelationSettings) -> TaskLists:
    performance = scores.extrinsic[task]
    sample = sample_of(scores, [(task, performance)], settings)
    has_number = ~np.isnan(performance)
    methods = {key.method for key, has in zip(scores.keys, has_number, strict=True) if has}
    try:
        between = share_between(sample.columns[0], sample.term)
    except UndefinedError:
        between = None
    return TaskLists(task, sample.n, sample.n_left_out, sample.n_terms, len(methods), between)


def _findings(scores: ListScores, found: Sequence[ListCorrelation]) -> Iterator[Finding]:
    for name, column in scores.columns():
        n_without = int(np.count_nonzero(np.isnan(column)))
        if n_without:
            message = f"{name}: {n_without} of {len(column)} lists have no number and are left out"
            details = {"n_lists": n_without}
            yield Finding("list-without-number", Severity.NOTE, message, details=details)
    lacks = [
        (each.task, association.estimate.reason)
        for each in found
        for association in each.coefficients.values()
        if association.estimate.reason is not None
    ]
    for task, reason in dict.fromkeys(lacks):
        message = f"no correlation with {task}: {reason}"
        yield Finding("no-correlation", Severity.WARNING, message)
    for reason in dict.fromkeys(each.no_interval for each in found if each.no_interval):
        yield Finding("no-interval", Severity.WARNING, f"no intervals: {reason}")
