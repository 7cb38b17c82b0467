"""Consistency with human preferences, WMT's Kendall's τ, and accuracy with calibrated ties.

Consistency is "accuracy in predicting human pairwise preference judgments" (Padó et al. 2009,
section 3). Comparisons that people left undecided are no part of it. Comparisons of which the
metric says nothing, its two scores being equal, count as a policy says.

Both are ratios of the same three counts, so that they are resampled together.

People's ties count: a metric is right where it ties what people tie, and orders what people order.
Since few metrics give equal scores, scores that differ by at most ε are taken as equal, with the ε
that makes the metric's accuracy highest (their acc_eq with tie calibration). That ε is
chosen on the data it is reported on, for every metric alike; to be strict, tune it on other data
and give it to `accuracy_at`.

Comparisons are within segments ("group by item"). Data with one output for each segment define no
such accuracy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.statistics import (
    RESAMPLING,
    Estimate,
    Resampling,
    ratio,
)
from ensue.translation.evaluation.correlation import (
    HumanValues,
    Strata,
    comparison_strata,
    human_values,
    mean_over_pairs,
    scores_of,
    strata,
    stratified_sums,
)
from ensue.translation.systems import MetricScores, Numbers, Preferences

# Consistency: the share of people's preferences that a metric shares, and WMT's Kendall's τ.

_ALL_TIES = "the metric gives equal scores in every comparison, and ties are left out"
_NO_PREFERENCE = "people prefer neither output in any comparison"


class TiePolicy(StrEnum):
    """What becomes of a comparison in which the metric gives both outputs the same score."""

    WRONG = "wrong"
    """It is not right: people did decide."""
    HALF = "half"
    """It is half right, as if a coin decided."""
    LEFT_OUT = "left-out"
    """It is not counted; a metric that says little gains by it."""


_TIE_CREDIT = {
    TiePolicy.WRONG: (0.0, 1.0),
    TiePolicy.HALF: (0.5, 1.0),
    TiePolicy.LEFT_OUT: (0.0, 0.0),
}
"""What a tie of the metric adds to the right ones and to the total."""


class TauVariant(StrEnum):
    """Kendall's τ as a year's metrics task counted it (Macháček & Bojar 2014)."""

    WMT12 = "wmt12"
    """Ties of the metric are discordant."""
    WMT13 = "wmt13"
    """Ties of the metric are left out."""
    WMT14 = "wmt14"
    """Ties of the metric count in the denominator only."""


COEFFICIENTS: Mapping[TauVariant, tuple[float, float, float | None]] = {
    TauVariant.WMT12: (1.0, -1.0, -1.0),
    TauVariant.WMT13: (1.0, -1.0, None),
    TauVariant.WMT14: (1.0, -1.0, 0.0),
}
"""What a concordant, a discordant and a tied comparison adds to the numerator; None: not counted.

The denominator is the number of comparisons that are counted. Ties of people never are.
"""


@dataclass(frozen=True, slots=True)
class Consistency:
    """How far a metric agrees with some preferences."""

    right: int
    wrong: int
    """Comparisons in which the metric prefers the other output."""
    ties: int
    """Comparisons in which the metric's two scores are equal."""
    n_human_ties: int
    """Comparisons that are left out, since people preferred neither."""
    n_segments: int
    """Segments with a preference: what is resampled."""
    share: Estimate
    """Of the right ones, with ties as the policy says."""
    taus: Mapping[TauVariant, Estimate] = field(hash=False)

    @property
    def total(self) -> int:
        """All preferences, ties of the metric among them."""
        return self.right + self.wrong + self.ties


@dataclass(frozen=True, slots=True)
class MetricConsistency:
    """How far a metric agrees with preferences, by language pair and over all."""

    metric: str
    policy: TiePolicy
    by_pair: Mapping[str, Consistency] = field(hash=False)
    overall: Consistency
    """Over all comparisons, so that language pairs with more of them weigh more."""
    mean: Estimate
    """The mean share of the language pairs, each weighing the same."""
    mean_taus: Mapping[TauVariant, Estimate] = field(hash=False)


def consistency(
    preferences: Preferences,
    scores: MetricScores,
    *,
    policy: TiePolicy = TiePolicy.WRONG,
    resampling: Resampling = RESAMPLING,
) -> MetricConsistency:
    """Measure how far a metric agrees with people's preferences.

    Scores tie where they are equal to the last bit. Intervals are percentiles over resampled
    segments (a cluster bootstrap), within language pairs.

    Raises:
        UndefinedError: people prefer nothing to anything.
        DataError: a judged output has no score.
    """
    by_segment, segments = outcome_counts(preferences, scores)
    human_ties = _human_ties(preferences)
    sums = stratified_sums(by_segment, segments, resampling)
    sizes = {name: len(members) for name, members in segments.members()}
    by_pair = {
        name: summarized(each, sizes[name], human_ties.get(name, 0), policy, resampling)
        for name, each in sums.items()
    }
    undecided = {name: n for name, n in human_ties.items() if name not in by_pair}
    by_pair |= {name: _without_preference(n) for name, n in undecided.items()}
    total = np.sum(list(sums.values()), axis=0)
    return MetricConsistency(
        scores.name,
        policy,
        by_pair,
        summarized(total, segments.n_segments, sum(human_ties.values()), policy, resampling),
        *_means(sums, by_pair, policy, resampling),
    )


def outcomes(preferences: Preferences, scores: MetricScores) -> Numbers:
    """Comparisons × (right, wrong, tie): a 1 for what the metric makes of each preference."""
    values = scores_of(preferences.outputs, scores)
    better, worse = values[preferences.better], values[preferences.worse]
    return np.stack([better > worse, better < worse, better == worse], axis=1).astype(np.float64)


def outcome_counts(preferences: Preferences, scores: MetricScores) -> tuple[Numbers, Strata]:
    """Segments × (right, wrong, ties), human ties left out, and the segments."""
    decided = preferences.decided()
    segments = comparison_strata(decided)
    return segments.sums(outcomes(decided, scores)), segments


def credited(counts: Numbers, policy: TiePolicy) -> tuple[Numbers, Numbers]:
    """The right ones and the total, under a tie policy, of rows of (right, wrong, ties)."""
    to_right, to_total = _TIE_CREDIT[policy]
    right, wrong, ties = counts.T
    return right + to_right * ties, right + wrong + to_total * ties


def tau(counts: Numbers, variant: TauVariant) -> Numbers:
    """Kendall's τ of rows of (right, wrong, ties); NaN where nothing is counted.

    τ = Σ c·n / Σ n over the outcomes that the variant counts, n of each with coefficient c.
    """
    table = COEFFICIENTS[variant]
    counted = [i for i, coefficient in enumerate(table) if coefficient is not None]
    weights = np.array([table[i] for i in counted], np.float64)
    return ratio(counts[:, counted] @ weights, counts[:, counted].sum(axis=1))


def summarized(
    sums: Numbers, n_segments: int, n_human_ties: int, policy: TiePolicy, resampling: Resampling
) -> Consistency:
    """Consistency from rows of (right, wrong, ties): the data's, then those of the draws."""
    right, wrong, ties = (round(each) for each in sums[0])
    return Consistency(
        right,
        wrong,
        ties,
        n_human_ties,
        n_segments,
        resampling.estimate(ratio(*credited(sums, policy)), _ALL_TIES),
        {each: resampling.estimate(tau(sums, each), _ALL_TIES) for each in TauVariant},
    )


def _without_preference(n_human_ties: int) -> Consistency:
    nothing = Estimate(None, reason=_NO_PREFERENCE)
    return Consistency(0, 0, 0, n_human_ties, 0, nothing, dict.fromkeys(TauVariant, nothing))


def _human_ties(preferences: Preferences) -> dict[str, int]:
    """How many comparisons of each language pair people left undecided."""
    found: dict[str, int] = {}
    for i in preferences.better[preferences.is_tie].tolist():
        name = preferences.outputs[i].language_pair
        found[name] = found.get(name, 0) + 1
    return found


def _means(
    sums: Mapping[str, Numbers],
    by_pair: Mapping[str, Consistency],
    policy: TiePolicy,
    resampling: Resampling,
) -> tuple[Estimate, dict[TauVariant, Estimate]]:
    shares = {name: ratio(*credited(each, policy)) for name, each in sums.items()}
    mean = mean_over_pairs(shares, {name: each.share for name, each in by_pair.items()}, resampling)
    taus = {
        variant: mean_over_pairs(
            {name: tau(each, variant) for name, each in sums.items()},
            {name: each.taus[variant] for name, each in by_pair.items()},
            resampling,
        )
        for variant in TauVariant
    }
    return mean, taus


# Pairwise accuracy with calibrated ties (Deutsch, Foster & Freitag 2023, "Ties Matter").

_ROUNDING = 1e-12
"""Accuracies that differ by less are equal."""


class Averaging(StrEnum):
    """What weighs the same."""

    SEGMENTS = "segments"
    """The mean over segments of each segment's accuracy, as the paper groups by item."""
    COMPARISONS = "comparisons"
    """All comparisons in one heap."""


@dataclass(frozen=True, slots=True, eq=False)
class CalibratedAccuracy:
    """The highest accuracy over all tie intervals."""

    metric: str
    accuracy: float
    epsilon: float
    """The smallest tie interval that reaches it."""
    n_comparisons: int
    n_human_ties: int
    n_metric_ties: int
    """Comparisons whose scores differ by at most ε."""
    epsilons: Numbers
    """The curve: 0 and every distinct difference of two compared scores, increasing."""
    accuracies: Numbers
    """At each of them; constant up to the next."""


def calibrated_accuracy(
    preferences: Preferences,
    scores: MetricScores,
    *,
    averaging: Averaging = Averaging.SEGMENTS,
) -> CalibratedAccuracy:
    """Find the tie interval with the highest accuracy, exactly, by sorting.

    As ε grows past the difference of two scores, they become a tie: right where people tie, wrong
    where the metric was right before, and no change where it was wrong. So the accuracy at every
    ε is a cumulative sum over the sorted differences.

    Raises:
        UndefinedError: there are no comparisons.
        DataError: a judged output has no score.
    """
    difference, weights = _weighted_differences(preferences, scores, averaging)
    ties, size = preferences.is_tie, np.abs(difference)
    epsilons, place = np.unique(np.append(size, 0.0), return_inverse=True)
    gain = np.where(ties, weights, np.where(difference > 0, -weights, 0.0))
    steps = np.bincount(place[:-1], gain, minlength=len(epsilons))
    # before any ε, not even equal scores tie: right is what the metric orders as people do
    start = float(weights[~ties & (difference > 0)].sum())
    # equal scores tie already at ε = 0, and cost nothing: their difference is not above 0
    accuracies = start + np.cumsum(steps)
    best = int(np.flatnonzero(accuracies >= accuracies.max() - _ROUNDING)[0])
    epsilon = float(epsilons[best])
    return CalibratedAccuracy(
        metric=scores.name,
        accuracy=_accuracy(difference, ties, weights, epsilon),
        epsilon=epsilon,
        n_comparisons=len(preferences),
        n_human_ties=int(ties.sum()),
        n_metric_ties=int((size <= epsilon).sum()),
        epsilons=epsilons,
        accuracies=np.asarray(accuracies, dtype=np.float64),
    )


def accuracy_at(
    preferences: Preferences,
    scores: MetricScores,
    epsilon: float,
    *,
    averaging: Averaging = Averaging.SEGMENTS,
) -> float:
    """The accuracy with a tie interval that comes from elsewhere.

    Raises:
        UndefinedError: there are no comparisons.
        DataError: a judged output has no score.
        SettingError: the tie interval is negative, or no number.
    """
    if not epsilon >= 0:
        raise SettingError(
            "tie-interval-not-least",
            f"tie interval {epsilon!r} is not at least 0",
            hint="e.g. 0.01",
        )
    difference, weights = _weighted_differences(preferences, scores, averaging)
    return _accuracy(difference, preferences.is_tie, weights, epsilon)


def comparisons_of_scores(human: HumanValues) -> Preferences:
    """Every two outputs of a segment, compared by their absolute human scores; equal ones tie.

    Raises:
        UndefinedError: no segment has two outputs.
    """
    outputs, values = human_values(human)
    members: dict[int, list[int]] = {}
    for i, segment in enumerate(strata(outputs).segment.tolist()):
        members.setdefault(segment, []).append(i)
    both = [couple for each in members.values() for couple in combinations(each, 2)]
    if not both:
        raise UndefinedError(
            "no-segment-two-judged",
            "no segment has two judged outputs to compare",
            hint="correlate the scores instead: one output a segment defines no comparison",
        )
    first, second = np.array(both, np.int64).T
    swapped = values[first] < values[second]
    better, worse = np.where(swapped, second, first), np.where(swapped, first, second)
    nobody = np.zeros(len(both), np.int64)
    return Preferences(outputs, better, worse, values[first] == values[second], ("",), nobody)


def _weighted_differences(
    preferences: Preferences, scores: MetricScores, averaging: Averaging
) -> tuple[Numbers, Numbers]:
    """Better minus worse by the metric, and each comparison's weight; weights sum to 1."""
    segments = comparison_strata(preferences)
    values = scores_of(preferences.outputs, scores)
    difference = values[preferences.better] - values[preferences.worse]
    if averaging is Averaging.COMPARISONS:
        return difference, np.full(len(difference), 1 / len(difference))
    sizes = np.bincount(segments.segment, minlength=segments.n_segments)
    return difference, 1 / (sizes[segments.segment] * segments.n_segments)


def _accuracy(
    difference: Numbers, ties: NDArray[np.bool_], weights: Numbers, epsilon: float
) -> float:
    right = np.where(ties, np.abs(difference) <= epsilon, difference > epsilon)
    return float(np.clip((weights * right).sum(), 0.0, 1.0))
