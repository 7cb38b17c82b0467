"""Metric scores joined with human ones, and their correlation by segment and by system.

"Mean segment Pearson over the language pairs" is how the metrics tasks with direct assessment
compare metrics (Bojar et al. 2016). System-level ρ is what Padó et al. (2009) report in Table 2.

The unit of resampling is the segment, never the comparison: the comparisons of a segment share its
outputs and its judges. Language pairs are strata: every draw has as many segments of each as there
are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
    numbered,
    summed_by,
)
from ensue.translation.systems import (
    Indices,
    MetricScores,
    Numbers,
    OutputKey,
    Preferences,
    SystemKey,
)

HumanValues = Mapping[OutputKey, float]
"""What people give outputs, on any scale; larger is better."""


def scores_of(outputs: Sequence[OutputKey], scores: MetricScores) -> Numbers:
    """The metric's score of each of the outputs.

    Raises:
        DataError: an output has no score, or one that is not a finite number.
    """
    known = scores.by_output()
    missing = [key for key in outputs if key not in known]
    if outputs and len(missing) == len(outputs):
        raise DataError(
            "no-overlap-between-judgments-outputs-scores",
            f"no overlap between judgments and outputs: {scores.name!r} scores none of the"
            f" {len(outputs)} judged outputs, e.g. {key_text(missing[0])}",
            hint="language pairs, segments and systems must be named alike in both",
        )
    if missing:
        raise DataError(
            "no-score-judged-outputs",
            f"{scores.name!r} has no score for {key_text(missing[0])},"
            f" one of {len(missing)} judged outputs without a score",
            hint="score every judged output, or leave its judgments out",
        )
    values = np.array([known[key] for key in outputs], np.float64)
    _check_finite(scores.name, outputs, values)
    return values


def _check_finite(name: str, outputs: Sequence[OutputKey], values: Numbers) -> None:
    wrong = np.flatnonzero(~np.isfinite(values))
    if wrong.size:
        first = int(wrong[0])
        raise DataError(
            "gives-score",
            f"{name!r} gives {key_text(outputs[first])} the score {float(values[first])!r}",
            hint="scores are finite numbers",
        )


def human_values(human: HumanValues) -> tuple[tuple[OutputKey, ...], Numbers]:
    """The judged outputs, and what people give them.

    Raises:
        UndefinedError: there are none.
        DataError: a human score is not a finite number.
    """
    if not human:
        raise UndefinedError(
            "no-absolute-human-scores",
            "there are no absolute human scores",
            hint="direct assessments, or adequacy and fluency",
        )
    outputs = tuple(human)
    values = np.array(list(human.values()), np.float64)
    _check_finite("the judges", outputs, values)
    return outputs, values


def key_text(key: OutputKey) -> str:
    """An output as messages name it.

    >>> key_text(OutputKey("cs-en", "12", "online"))
    "system 'online', segment '12' of 'cs-en'"
    """
    pair = f" of {key.language_pair!r}" if key.language_pair else ""
    return f"system {key.system!r}, segment {key.segment!r}{pair}"


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """The segments that some observations belong to, by language pair."""

    segment: Indices
    """For each observation its segment, from 0."""
    n_segments: int
    language_pairs: tuple[str, ...]
    language_pair: Indices
    """For each segment the place of its language pair in `language_pairs`."""

    def sums(self, values: Numbers) -> Numbers:
        """Segments × statistics: the rows of observations × statistics summed by segment."""
        return summed_by(self.segment, values, self.n_segments)

    def members(self) -> Iterator[tuple[str, Indices]]:
        """Each language pair with its segments."""
        for i, name in enumerate(self.language_pairs):
            yield name, np.flatnonzero(self.language_pair == i)

    def observations(self) -> Iterator[tuple[str, Indices, Indices]]:
        """Each language pair with its observations, and the segment of each from 0."""
        of_observation = self.language_pair[self.segment]
        for i, name in enumerate(self.language_pairs):
            chosen = np.flatnonzero(of_observation == i)
            _, local = np.unique(self.segment[chosen], return_inverse=True)
            yield name, chosen, local.astype(np.int64)


def strata(outputs: Sequence[OutputKey]) -> Strata:
    """The segments of outputs, in the order of their first; an observation is an output."""
    segments, segment = numbered((key.language_pair, key.segment) for key in outputs)
    pairs, language_pair = numbered(pair for pair, _ in segments)
    return Strata(segment, len(segments), pairs, language_pair)


def comparison_strata(preferences: Preferences) -> Strata:
    """The segments of comparisons; those without a comparison are no part of it.

    Raises:
        UndefinedError: there are no comparisons.
    """
    if not len(preferences):
        raise UndefinedError(
            "no-comparisons-two-outputs",
            "there are no comparisons of two outputs to agree with",
            hint="give rankings that put an output above another",
        )
    of_outputs = strata(preferences.outputs)
    used, segment = np.unique(of_outputs.segment[preferences.better], return_inverse=True)
    pairs, language_pair = np.unique(of_outputs.language_pair[used], return_inverse=True)
    names = tuple(of_outputs.language_pairs[i] for i in pairs.tolist())
    return Strata(segment.astype(np.int64), len(used), names, language_pair.astype(np.int64))


def stratified_sums(
    statistics: Numbers, segments: Strata, resampling: Resampling
) -> dict[str, Numbers]:
    """Sum statistics over the segments of each language pair, as they are and resampled.

    All that is computed on the same segments with the same seed sees the same draws.

    Args:
        statistics: Segments × statistics.
        segments: Whose they are.
        resampling: Draws, level and seed of the intervals.

    Returns:
        For each language pair 1 + draws rows; the first is the sums of the data.
    """
    rng = resampling.rng()
    found: dict[str, Numbers] = {}
    for name, members in segments.members():
        here = statistics[members]
        drawn = [counts @ here for counts in drawn_counts(len(here), resampling.draws, rng)]
        found[name] = np.concatenate([here.sum(axis=0, keepdims=True), *drawn])
    return found


def mean_over_pairs(
    values: Mapping[str, Numbers], estimates: Mapping[str, Estimate], resampling: Resampling
) -> Estimate:
    """The mean of what language pairs give, draw by draw.

    Undefined where one of them is: a mean over the others would be another number.
    """
    undefined = _undefined_pair(estimates)
    if undefined is not None:
        return undefined
    return resampling.estimate(np.mean(list(values.values()), axis=0), "undefined for these data")


def _undefined_pair(estimates: Mapping[str, Estimate]) -> Estimate | None:
    """What says why a mean over language pairs is undefined; None where it is defined."""
    for name, each in estimates.items():
        if each.value is None:
            return Estimate(None, reason=f"{name or 'language pair'}: {each.reason}")
    return None


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
class SystemCorrelation(MetricCorrelation):
    """The same of system scores."""

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
        raise UndefinedError(
            "no-human-scores-systems",
            "there are no human scores of systems",
            hint="judge some systems",
        )
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
                "no-score-system",
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
    undefined = _undefined_pair(estimates)
    if undefined is not None:
        return undefined
    try:
        return Estimate(mean([each.value for each in estimates.values() if each.value is not None]))
    except UndefinedError as error:
        return Estimate(None, reason=error.message)
