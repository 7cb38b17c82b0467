"""Correlation of intrinsic scores with performance in tasks (Shima & Mitamura 2011, section 3.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation.correlation.coefficients import WEIGHTED, Coefficient
from ensue.evaluation.correlation.p_values import PMethod, correlation_p, student_p
from ensue.evaluation.correlation.weighted import TwoVariables
from ensue.evaluation.correlation.within import GroupedVariables, pearson_within, share_between
from ensue.evaluation.measuring.intervals import DRAWS, LEVEL, check_resampling
from ensue.evaluation.measuring.sums import estimate_of
from ensue.evaluation.results import Estimate
from ensue.pairs import Finding, Severity
from ensue.paraphrase.correlation.differences import correlation_differences
from ensue.paraphrase.correlation.model import (
    ALPHA,
    Association,
    Correlations,
    CorrelationSettings,
    ListCorrelation,
    ListScores,
    Resampled,
    TaskLists,
    Variable,
)
from ensue.paraphrase.correlation.samples import Sample, sample_of
from ensue.paraphrase.model import Numbers

_NO_VARIANCE = "one of the two does not vary"


def correlate_lists(
    scores: ListScores,
    *,
    coefficients: Sequence[Coefficient] = tuple(Coefficient),
    draws: int = DRAWS,
    level: float = LEVEL,
    alpha: float = ALPHA,
    seed: int = 0,
    resample: Resampled | str = Resampled.TERMS,
    every_couple: bool = False,
) -> Correlations:
    """Correlate every intrinsic variable with the performance in every task, over lists.

    Lists without one of the two numbers are left out of that correlation, and counted. A number
    that the lists do not define is None, with the reason.

    Args:
        scores: Of the lists.
        coefficients: Those to compute.
        draws: Resamples for the intervals; 0 for none.
        level: Of the intervals.
        alpha: A correlation is significant where its two-sided p is less.
        seed: Of the draws.
        resample: Whether whole terms are drawn, or single lists.
        every_couple: Whether every two variables are compared, and not only those of the same k
            and quality.

    Raises:
        SettingError: there is no variable, task or coefficient, or a setting makes no sense.
    """
    settings = CorrelationSettings(
        tuple(coefficients), draws, level, alpha, seed, _resampled(resample), every_couple
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
        raise SettingError(f"{resample!r} cannot be drawn", hint=hint) from None


def _check(scores: ListScores, settings: CorrelationSettings) -> None:
    check_resampling(settings.draws, settings.level)
    if not 0 < settings.alpha < 1:
        raise SettingError(f"alpha {settings.alpha!r} is not between 0 and 1", hint="e.g. 0.01")
    for what, given in (
        ("coefficient", settings.coefficients),
        ("intrinsic score", scores.intrinsic),
        ("task", scores.extrinsic),
    ):
        if not given:
            raise SettingError(f"there is no {what} to correlate", hint="give at least one")


def _correlation(
    scores: ListScores, task: str, variable: Variable, settings: CorrelationSettings
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


def _associations(sample: Sample) -> tuple[dict[Coefficient, Association], Association]:
    """All coefficients of two columns, and Pearson's r within terms, over the same draws."""
    settings = sample.settings
    x, y = sample.columns
    data, grouped = TwoVariables.of(x, y), GroupedVariables.of(x, y, sample.term)
    statistics = [partial(WEIGHTED[each], data) for each in settings.coefficients]
    *values, within = sample.resampled([*statistics, partial(pearson_within, grouped)])
    return {
        coefficient: _tested(coefficient, each, sample)
        for coefficient, each in zip(settings.coefficients, values, strict=True)
    }, _tested_within(within, sample)


def _tested(coefficient: Coefficient, values: Numbers, sample: Sample) -> Association:
    estimate = estimate_of(values, sample.settings.level, _NO_VARIANCE)
    if estimate.value is None:
        return Association(estimate)
    found = correlation_p(coefficient, estimate.value, *sample.columns)
    degrees = sample.n - 2 if found.method is PMethod.STUDENT else None
    significant = found.p < sample.settings.alpha
    return Association(estimate, found.p, found.method, degrees, significant)


def _tested_within(values: Numbers, sample: Sample) -> Association:
    degrees = sample.n - sample.n_terms - 1
    if degrees < 1:
        reason = f"{sample.n} lists of {sample.n_terms} terms leave no degree of freedom"
        return Association(Estimate(None, reason=reason))
    estimate = estimate_of(values, sample.settings.level, f"{_NO_VARIANCE} within terms")
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
