"""The paper's data analysis, and where a metric and people disagree most.

Padó et al. (2009), section 3, "Data Analysis". Both look at rankings, since which outputs a person
put first and last is not in single comparisons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, SettingError, UndefinedError
from ensue.statistics import (
    RESAMPLING,
    Estimate,
    Resampling,
    numbered,
    ratio,
)
from ensue.translation.evaluation.correlation import (
    comparison_strata,
    scores_of,
    strata,
    stratified_sums,
)
from ensue.translation.evaluation.pairwise_accuracy import (
    Consistency,
    TiePolicy,
    credited,
    outcomes,
    summarized,
)
from ensue.translation.systems import (
    HumanRanking,
    Indices,
    MetricScores,
    Numbers,
    OutputKey,
    Preferences,
)

# The paper's data analysis: top and bottom outputs, and how sure right and wrong choices are.

Chosen = NDArray[np.bool_]

_NEVER_RIGHT = "no single best output of the metric is among those ranked first"
_NEVER_WRONG = "every single best output of the metric is among those ranked first"


@dataclass(frozen=True, slots=True)
class PublishedAnalysis:
    """What the paper reports of one of its models, on WMT 2008."""

    top_minus_bottom: float
    """Consistency on the top outputs minus that on the bottom ones."""
    right_margin: float
    """The mean difference of the best and the second best score of right choices."""
    wrong_margin: float


PUBLISHED: Mapping[str, PublishedAnalysis] = {
    "rte": PublishedAnalysis(0.015, 0.30, 0.16),
    "tradmt": PublishedAnalysis(-0.02, 0.17, 0.13),
}
"""By feature set. The scale of the margins is that of the paper's models."""


@dataclass(frozen=True, slots=True)
class PlaceConsistency:
    """Consistency on comparisons with an output that a person put first, and last."""

    metric: str
    policy: TiePolicy
    top: Consistency
    """Over comparisons of an output ranked first with one ranked lower."""
    bottom: Consistency
    """Over comparisons of an output ranked last with one ranked higher."""
    difference: Estimate
    """The share on top minus the share on bottom, from the same draws."""


def place_consistency(
    rankings: Sequence[HumanRanking],
    scores: MetricScores,
    *,
    policy: TiePolicy = TiePolicy.WRONG,
    resampling: Resampling = RESAMPLING,
) -> PlaceConsistency:
    """Measure consistency on the top and on the bottom outputs of each ranking.

    A comparison of the first with the last belongs to both; of two outputs, all do. Intervals are
    over resampled segments, language pairs being strata.

    Raises:
        UndefinedError: no ranking prefers an output to another.
        DataError: a ranked output has no score.
    """
    comparisons, top, bottom = _placed(rankings)
    decided = ~comparisons.is_tie
    preferences = comparisons.decided()
    segments = comparison_strata(preferences)
    found = outcomes(preferences, scores)
    chosen = np.hstack([found * top[decided, None], found * bottom[decided, None]])
    by_segment = segments.sums(chosen)
    by_pair = stratified_sums(by_segment, segments, resampling)
    sums = np.sum(list(by_pair.values()), axis=0)
    shares = [ratio(*credited(part, policy)) for part in (sums[:, :3], sums[:, 3:])]
    ties = [int((each & comparisons.is_tie).sum()) for each in (top, bottom)]
    n = segments.n_segments  # a ranking that is not one tie has a first and a last
    return PlaceConsistency(
        scores.name,
        policy,
        summarized(sums[:, :3], n, ties[0], policy, resampling),
        summarized(sums[:, 3:], n, ties[1], policy, resampling),
        resampling.estimate(shares[0] - shares[1], "one of the two is undefined"),
    )


def _placed(rankings: Sequence[HumanRanking]) -> tuple[Preferences, Chosen, Chosen]:
    """Every two outputs of each ranking, and whether one of them is its first, and its last."""
    outputs, tables = rank_tables(rankings)
    found = [np.empty((5, 0), np.int64)]
    for table in tables:
        i, j = np.triu_indices(table.ranks.shape[1], 1)
        swapped = table.ranks[:, i] > table.ranks[:, j]
        better, worse = np.where(swapped, j, i), np.where(swapped, i, j)
        rows = np.arange(len(better))[:, None]
        above, below = table.ranks[rows, better], table.ranks[rows, worse]
        first, last = table.ranks.min(axis=1), table.ranks.max(axis=1)
        both = table.outputs[rows, better], table.outputs[rows, worse]
        marks = above == below, above == first[:, None], below == last[:, None]
        found.append(np.stack([*both, *marks]).reshape(5, -1))
    better, worse, tie, top, bottom = np.concatenate(found, axis=1)
    nobody = np.zeros(len(better), np.int64)
    preferences = Preferences(outputs, better, worse, tie == 1, ("",), nobody)
    return preferences, top == 1, bottom == 1


@dataclass(frozen=True, slots=True, eq=False)
class RankTable:
    """Rankings of as many outputs each."""

    outputs: Indices
    """Rankings × outputs: which output each is."""
    ranks: Indices
    """Rankings × outputs."""


def rank_tables(rankings: Sequence[HumanRanking]) -> tuple[tuple[OutputKey, ...], list[RankTable]]:
    """The ranked outputs, and the rankings as arrays, by how many outputs they have."""
    by_size: dict[int, list[HumanRanking]] = {}
    for ranking in rankings:
        by_size.setdefault(len(ranking.ranks), []).append(ranking)
    chosen = {size: each for size, each in sorted(by_size.items()) if size > 0}
    outputs, place = numbered(
        chain.from_iterable(ranking.output_keys() for each in chosen.values() for ranking in each)
    )
    tables: list[RankTable] = []
    start = 0
    for size, each in chosen.items():
        ranks = np.array([list(ranking.ranks.values()) for ranking in each], np.int64)
        end = start + ranks.size
        tables.append(RankTable(place[start:end].reshape(-1, size), ranks))
        start = end
    return outputs, tables


@dataclass(frozen=True, slots=True)
class Margins:
    """How far the metric's best output is ahead of its second best, on average.

    A choice is right where the metric's best output is among those that the person put first.
    """

    metric: str
    n_right: int
    n_wrong: int
    n_ties: int
    """Rankings in which the metric has no single best output; left out."""
    n_undecided: int
    """Rankings in which all outputs tie, or that have one only; left out."""
    right: Estimate
    """The mean margin of right choices, on the metric's own scale."""
    wrong: Estimate
    ratio: Estimate
    """The right ones' mean over the wrong ones'."""
    deviation: float
    """The standard deviation of the scores of the ranked outputs."""
    right_standardized: Estimate
    """Over the standard deviation, so that metrics compare."""
    wrong_standardized: Estimate


def margins(
    rankings: Sequence[HumanRanking], scores: MetricScores, *, resampling: Resampling = RESAMPLING
) -> Margins:
    """Measure how sure a metric is of its best output where it is right and where it is wrong.

    Intervals are over resampled segments, language pairs being strata; the standard deviation that
    standardizes stays that of the data.

    Raises:
        UndefinedError: no ranking prefers an output to another.
        DataError: a ranked output has no score.
    """
    decided = [each for each in rankings if len(set(each.ranks.values())) > 1]
    if not decided:
        raise UndefinedError("no-ranking-prefers-output", "no ranking prefers an output to another")
    outputs, tables = rank_tables(decided)
    values = scores_of(outputs, scores)
    found = np.concatenate([_choices(table, values) for table in tables])
    segments = strata([outputs[i] for table in tables for i in table.outputs[:, 0].tolist()])
    by_pair = stratified_sums(segments.sums(found), segments, resampling)
    sums = np.sum(list(by_pair.values()), axis=0)
    return _margins(
        scores.name, sums, len(rankings) - len(decided), float(values.std()), resampling
    )


def _choices(table: RankTable, values: Numbers) -> Numbers:
    """Rankings × (right, wrong, tied, margin where right, margin where wrong)."""
    scored = values[table.outputs]
    order = np.argsort(-scored, axis=1, kind="stable")
    rows = np.arange(len(scored))
    best, second = order[:, 0], order[:, 1]
    margin = scored[rows, best] - scored[rows, second]
    is_first = table.ranks[rows, best] == table.ranks.min(axis=1)
    right, wrong = is_first & (margin > 0), ~is_first & (margin > 0)
    return np.stack([right, wrong, margin == 0, right * margin, wrong * margin], axis=1)


def _margins(
    name: str, sums: Numbers, n_undecided: int, deviation: float, resampling: Resampling
) -> Margins:
    n_right, n_wrong, n_ties, right, wrong = sums.T
    of_right, of_wrong = ratio(right, n_right), ratio(wrong, n_wrong)
    with np.errstate(invalid="ignore"):
        quotient = ratio(of_right, of_wrong)
    # where all scores are equal, there is no choice and no mean to be divided
    unit = deviation if deviation > 0 else 1.0
    return Margins(
        metric=name,
        n_right=round(n_right[0]),
        n_wrong=round(n_wrong[0]),
        n_ties=round(n_ties[0]),
        n_undecided=n_undecided,
        right=resampling.estimate(of_right, _NEVER_RIGHT),
        wrong=resampling.estimate(of_wrong, _NEVER_WRONG),
        ratio=resampling.estimate(quotient, "needs right choices and wrong ones"),
        deviation=deviation,
        right_standardized=resampling.estimate(of_right / unit, _NEVER_RIGHT),
        wrong_standardized=resampling.estimate(of_wrong / unit, _NEVER_WRONG),
    )


# Where people agree most and a metric is most sure of the opposite.


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two outputs of a segment that people and a metric order in opposite ways."""

    preferred: OutputKey
    """By people."""
    other: OutputKey
    """By the metric."""
    votes: int
    """People for the preferred one."""
    votes_against: int
    ties: int
    """People for neither."""
    preferred_score: float
    other_score: float
    margin: float
    """How far the metric puts the other one ahead; above 0."""
    probability: float | None
    """That the preferred one is better, as the metric has it; None where it gives none."""
    severity: float
    """By which they are sorted: people's agreement times the metric's certainty."""


def worst_disagreements(
    preferences: Preferences, scores: MetricScores, n: int = 20
) -> tuple[Disagreement, ...]:
    """Find the comparisons in which a metric contradicts people most.

    With v votes for an output, w against it and t ties, people's agreement is
    (v − w) / (v + w + t + 1): one vote is half of what very many would be. The metric's certainty
    is 1 − 2p, for the probability p that it gives to the preferred output, where it says any, and
    else the margin over the standard deviation of its scores. Equal severities stay
    in the order of the comparisons.

    Raises:
        SettingError: n is below 0.
        DataError: a judged output has no score, or a probability is none.
    """
    if n < 0:
        raise SettingError(
            "worst-make-no-sense", f"the worst {n!r} make no sense", hint="0 or more"
        )
    values = scores_of(preferences.outputs, scores)
    first, second, votes = _votes(preferences)
    net = votes[:, 0] - votes[:, 1]
    preferred, other = np.where(net > 0, first, second), np.where(net > 0, second, first)
    chance = _probabilities(scores, values[preferred], values[other])
    margin = values[other] - values[preferred]
    certainty = _over_deviation(margin, values) if chance is None else 1 - 2 * chance
    severity = np.abs(net) / (votes.sum(axis=1) + 1) * certainty
    order = np.argsort(-severity, kind="stable")
    return tuple(
        Disagreement(
            preferred=preferences.outputs[preferred[i]],
            other=preferences.outputs[other[i]],
            votes=int(votes[i, :2].max()),
            votes_against=int(votes[i, :2].min()),
            ties=int(votes[i, 2]),
            preferred_score=float(values[preferred[i]]),
            other_score=float(values[other[i]]),
            margin=float(margin[i]),
            probability=None if chance is None else float(chance[i]),
            severity=float(severity[i]),
        )
        for i in order[:n].tolist()
        if severity[i] > 0
    )


def _votes(preferences: Preferences) -> tuple[Indices, Indices, Indices]:
    """Every two compared outputs, with the votes for the first, for the second, and for neither."""
    swapped = preferences.better > preferences.worse
    couples = np.sort(np.stack([preferences.better, preferences.worse], axis=1), axis=1)
    distinct, first_at, place = np.unique(couples, axis=0, return_index=True, return_inverse=True)
    place = place.reshape(-1)  # numpy 2.0 gives it another shape
    answer = np.where(preferences.is_tie, 2, swapped.astype(np.int64))
    votes = np.bincount(place * 3 + answer, minlength=len(distinct) * 3).reshape(-1, 3)
    order = np.argsort(first_at)
    return distinct[order, 0], distinct[order, 1], votes[order].astype(np.int64)


def _probabilities(scores: MetricScores, preferred: Numbers, other: Numbers) -> Numbers | None:
    """How likely the metric holds people right, if it says probabilities."""
    if scores.probability is None:
        return None
    found = scores.probability(preferred, other)
    wrong = np.flatnonzero(~((found >= 0) & (found <= 1)))
    if wrong.size:
        raise DataError(
            "no-probability",
            f"{scores.name!r}: {float(found[wrong[0]])!r} is no probability",
            hint="the metric must give numbers from 0 to 1",
        )
    return found


def _over_deviation(margin: Numbers, values: Numbers) -> Numbers:
    deviation = float(values.std()) if values.size else 0.0
    return margin / deviation if deviation > 0 else np.zeros_like(margin)
