"""Correlation of a metric with absolute human scores, segment by segment and system by system.

"Mean segment Pearson over the language pairs" is how the metrics tasks with direct assessment
compare metrics (Bojar et al. 2016). System-level ρ is what Padó et al. (2009) report in Table 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ensue.errors import DataError, UndefinedError
from ensue.statistics import (
    LEAST,
    RESAMPLING,
    WEIGHTED,
    Coefficient,
    Estimate,
    Resampling,
    TwoVariables,
    drawn_counts,
    fisher_mean,
)
from ensue.translation.evaluation.joined_scores import (
    HumanValues,
    human_values,
    mean_over_pairs,
    scores_of,
    strata,
)
from ensue.translation.segments import Indices, MetricScores, Numbers
from ensue.translation.systems import SystemKey


@dataclass(frozen=True, slots=True)
class Correlation:
    """How a metric goes with people in one language pair."""

    n: int
    """Outputs, or systems."""
    coefficients: Mapping[Coefficient, Estimate] = field(hash=False)


@dataclass(frozen=True, slots=True)
class MetricCorrelation:
    """How a metric's segment scores go with absolute human scores."""

    metric: str
    by_pair: Mapping[str, Correlation] = field(hash=False)
    mean: Mapping[Coefficient, Estimate] = field(hash=False)
    """Over language pairs, each weighing the same."""


def segment_correlation(
    human: HumanValues, scores: MetricScores, *, resampling: Resampling = RESAMPLING
) -> MetricCorrelation:
    """Correlate a metric with absolute human scores of outputs.

    Intervals are percentiles over resampled segments: all outputs of a segment are drawn together.
    All three coefficients see the same draws, and as many: a draw of Kendall's τ costs n log n.

    Raises:
        UndefinedError: there are no human scores.
        DataError: a judged output has no score.
    """
    outputs, values = human_values(human)
    metric = scores_of(outputs, scores)
    rng = resampling.rng()
    by_pair: dict[str, Correlation] = {}
    drawn: dict[str, dict[Coefficient, Numbers]] = {}
    for name, chosen, segment in strata(outputs).observations():
        x, y = metric[chosen], values[chosen]
        drawn[name] = _coefficients(TwoVariables.of(x, y), segment, resampling.draws, rng)
        by_pair[name] = _correlation(x, y, drawn[name], resampling)
    means = {each: _mean(each, drawn, by_pair, resampling) for each in Coefficient}
    return MetricCorrelation(scores.name, by_pair, means)


def _coefficients(
    data: TwoVariables, segment: Indices, draws: int, rng: np.random.Generator
) -> dict[Coefficient, Numbers]:
    """Each coefficient of the data, followed by those of its draws."""
    once = np.ones((1, len(segment)), np.int64)
    blocks = [once]
    blocks += [c[:, segment] for c in drawn_counts(int(segment.max()) + 1, draws, rng)]
    return {
        name: np.concatenate([weighted(data, block) for block in blocks])
        for name, weighted in WEIGHTED.items()
    }


def _correlation(
    x: Numbers, y: Numbers, drawn: Mapping[Coefficient, Numbers], resampling: Resampling
) -> Correlation:
    reason = undefined_reason(x, y, "outputs")
    if reason is not None:
        nothing = Estimate(None, reason=reason)
        return Correlation(len(x), dict.fromkeys(Coefficient, nothing))
    return Correlation(
        len(x),
        {
            name: resampling.estimate(each, "constant but for rounding")
            for name, each in drawn.items()
        },
    )


def _mean(
    name: Coefficient,
    drawn: Mapping[str, Mapping[Coefficient, Numbers]],
    by_pair: Mapping[str, Correlation],
    resampling: Resampling,
) -> Estimate:
    return mean_over_pairs(
        {pair: each[name] for pair, each in drawn.items()},
        {pair: each.coefficients[name] for pair, each in by_pair.items()},
        resampling,
    )


def undefined_reason(x: Numbers, y: Numbers, unit: str) -> str | None:
    """Why a metric's scores x and human scores y have no correlation, or None."""
    if len(x) < LEAST:
        there = "is" if len(x) == 1 else "are"
        return f"a correlation needs {LEAST} {unit}, and there {there} {len(x)}"
    if np.ptp(x) == 0:
        return f"the metric gives all {unit} the same score"
    if np.ptp(y) == 0:
        return f"people give all {unit} the same score"
    return None


SystemScores = Mapping[SystemKey, float | None]
"""Larger is better; None where the data give a system no score."""


@dataclass(frozen=True, slots=True)
class SystemCorrelation:
    """How a metric's system scores go with human ones."""

    metric: str
    by_pair: Mapping[str, Correlation] = field(hash=False)
    mean: Mapping[Coefficient, Estimate] = field(hash=False)
    """Over language pairs, each weighing the same."""
    fisher_mean: Mapping[Coefficient, Estimate] = field(hash=False)
    """tanh of the mean of artanh (Fisher 1921), which weighs high correlations more."""


def system_correlation(name: str, metric: SystemScores, human: SystemScores) -> SystemCorrelation:
    """Correlate a metric's scores of systems with human ones.

    Systems to which people give no score are left out. There are no intervals: the systems are all
    there are, and no sample.

    Raises:
        UndefinedError: people give no system a score.
        DataError: a judged system is not among those of the metric.
    """
    judged = {key: value for key, value in human.items() if value is not None}
    if not judged:
        raise UndefinedError("there are no human scores of systems", hint="judge some systems")
    by_pair = {
        pair: _of_systems(name, {key: judged[key] for key in judged if key[0] == pair}, metric)
        for pair in dict.fromkeys(key[0] for key in judged)
    }
    found = {c: {pair: each.coefficients[c] for pair, each in by_pair.items()} for c in Coefficient}
    return SystemCorrelation(
        name,
        by_pair,
        {c: _mean_of(found[c], lambda values: float(np.mean(values))) for c in Coefficient},
        {c: _mean_of(found[c], fisher_mean) for c in Coefficient},
    )


def _of_systems(name: str, judged: Mapping[SystemKey, float], metric: SystemScores) -> Correlation:
    """One language pair."""
    for key in judged:
        if key not in metric:
            raise DataError(
                f"{name!r} has no score for system {key.system!r} of {key.language_pair!r}",
                hint="score every judged system",
            )
    found = [metric[key] for key in judged]
    x = np.array([value for value in found if value is not None], np.float64)
    y = np.array(list(judged.values()), np.float64)
    if len(x) < len(y):
        lacking = next(key.system for key in judged if metric[key] is None)
        reason: str | None = f"the metric has no score for system {lacking!r}"
    else:
        reason = undefined_reason(x, y, "systems")
    if reason is not None:
        return Correlation(len(y), dict.fromkeys(Coefficient, Estimate(None, reason=reason)))
    data, once = TwoVariables.of(x, y), np.ones((1, len(x)), np.int64)
    return Correlation(
        len(y), {each: Estimate(float(f(data, once)[0])) for each, f in WEIGHTED.items()}
    )


def _mean_of(
    estimates: Mapping[str, Estimate], mean: Callable[[Sequence[float]], float]
) -> Estimate:
    for pair, each in estimates.items():
        if each.value is None:
            return Estimate(None, reason=f"{pair or 'language pair'}: {each.reason}")
    try:
        return Estimate(mean([each.value for each in estimates.values() if each.value is not None]))
    except UndefinedError as error:
        return Estimate(None, reason=error.message)
