"""Rank tables of systems, from segment or corpus scores, with intervals and clusters.

Segments are drawn with replacement (Koehn 2004); rank ranges and clusters are those of the WMT
since 2013 (Koehn 2012; Bojar et al. 2013), for a metric's scores in place of people's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ensue.engine import Pool
from ensue.errors import SettingError, UndefinedError
from ensue.progress import Advance, Stages, unwatched
from ensue.statistics import (
    RESAMPLING,
    Estimate,
    Resampling,
    bootstrap_p,
    drawn_counts,
    range_clusters,
)
from ensue.translation.evaluation.correlation import (
    SystemCorrelation,
    SystemScores,
    system_correlation,
)
from ensue.translation.evaluation.metric_evaluation import people_system_scores
from ensue.translation.formats.sets import TranslationSet
from ensue.translation.judgments.agreement import TieUnit, tie_share
from ensue.translation.metrics.scores import Metric, SummingMetric, all_statistics, score_all
from ensue.translation.metrics.trained_metrics import WeightedMetric, ready_metric
from ensue.translation.systems import (
    TIED_SHARE,
    Indices,
    MetricScores,
    Numbers,
    OutputKey,
    ScoreTable,
    SystemKey,
    SystemMethod,
    TieInterval,
    given_interval,
    score_tables,
    segment_credits,
    settled_epsilon,
    tie_interval,
    weighted_means,
)

# Rank tables of systems, with bootstrap intervals, rank ranges and clusters.

_ALONE = "no other system has an output for any of its segments"


@dataclass(frozen=True, slots=True)
class SystemRank:
    """A line of a rank table."""

    language_pair: str
    system: str
    score: Estimate
    """None, with the reason, where no segment counts; such systems come last, without a rank."""
    n_segments: int
    """Segments that count for the score."""
    rank: int | None
    """1 is best; systems with equal scores share the better rank."""
    best_rank: int | None
    """The lower end of the rank range; None where nothing was drawn."""
    worst_rank: int | None
    cluster: int | None
    """From 1: the rank ranges of different clusters do not overlap."""
    wins: float | None
    """The share of draws in which it is strictly better than the system below."""
    p: float | None
    """Two-sided, of "no difference from the system below", by the paired bootstrap."""

    @property
    def key(self) -> SystemKey:
        """Which system."""
        return SystemKey(self.language_pair, self.system)


def rank_systems(
    scores: MetricScores,
    method: SystemMethod,
    *,
    epsilon: float | None = None,
    resampling: Resampling = RESAMPLING,
) -> tuple[SystemRank, ...]:
    """The systems of each language pair, best first.

    All systems of a pair see the same draws, and a pair's draws do not depend on other pairs. A
    rank range leaves out (1 − level)/2 of the draws at either end. A cluster ends where the
    range of no system above reaches that of any below. ε is not drawn again: it is a setting.

    Args:
        scores: Of the outputs.
        method: How segments become a system's score.
        epsilon: For `with-ties`; None takes that of `tie_interval`.
        resampling: Draws, level and seed of the intervals.

    Raises:
        SettingError: ε, draws or level make no sense.
        UndefinedError, DataError: as for `system_scores`.
    """
    epsilon = settled_epsilon(scores, method, epsilon)
    rows: list[SystemRank] = []
    for table in score_tables(scores):
        added = segment_credits(table, method, epsilon)
        drawn = [weighted_means(added, some) for some in resampling.counts(len(added))]
        as_it_is = weighted_means(added, np.ones((1, len(added))))
        means = np.concatenate([as_it_is, *drawn])
        rows.extend(ranked(table, means, (~np.isnan(added)).sum(axis=0), resampling))
    return tuple(rows)


def ranked(
    table: ScoreTable, means: Numbers, n_segments: Indices, resampling: Resampling
) -> list[SystemRank]:
    """The lines of one language pair.

    Args:
        table: Its systems.
        means: Their scores, and in the rows after the first those of the draws.
        n_segments: How many segments count for each system.
        resampling: Draws, level and seed of the intervals.
    """
    compared = _comparable(means)
    ranks = _ranks(compared)
    # undefined ranks sort last, and equal ones stay in the order given
    order = np.argsort(ranks[0], kind="stable").tolist()
    ranges = [_rank_range(ranks[1:, i], resampling) for i in order]
    clusters = range_clusters(ranges)
    rows = []
    for place, i in enumerate(order):
        below = order[place + 1] if place + 1 < len(order) else None
        wins, p = _against(compared, i, below)
        best_rank, worst_rank = ranges[place] or (None, None)
        rows.append(
            SystemRank(
                language_pair=table.language_pair,
                system=table.systems[i],
                score=resampling.estimate(means[:, i], _ALONE),
                n_segments=int(n_segments[i]),
                rank=None if np.isnan(ranks[0, i]) else int(ranks[0, i]),
                best_rank=best_rank,
                worst_rank=worst_rank,
                cluster=clusters[place],
                wins=wins,
                p=p,
            )
        )
    return rows


def _comparable(means: Numbers) -> Numbers:
    """Rounded to 12 digits of the largest: sums in another order are no difference."""
    scale = float(np.nan_to_num(abs(means)).max(initial=0.0)) or 1.0
    return np.asarray((means / scale).round(12), dtype=np.float64)


def _ranks(compared: Numbers) -> Numbers:
    """In each row, one more than the systems that are better; NaN where there is no score."""
    ranks = np.empty_like(compared)
    for i in range(compared.shape[1]):
        ranks[:, i] = 1 + (compared > compared[:, [i]]).sum(axis=1)
    return np.where(np.isnan(compared), np.nan, ranks)


def _rank_range(ranks: Numbers, resampling: Resampling) -> tuple[int, int] | None:
    """The middle `level` of the drawn ranks; None where there is none."""
    defined = np.sort(ranks[~np.isnan(ranks)])
    if defined.size == 0:
        return None
    # 0.1 / 2 * 100 may be a little less than 5
    n_left_out = int(defined.size * (1 - resampling.level) / 2 + 1e-9)
    return int(defined[n_left_out]), int(defined[-1 - n_left_out])


def _against(compared: Numbers, i: int, below: int | None) -> tuple[float | None, float | None]:
    """The share of draws that system i wins against the one below it, and p."""
    if below is None:
        return None, None
    differences = compared[1:, i] - compared[1:, below]
    defined = differences[~np.isnan(differences)]
    if np.isnan(compared[0, [i, below]]).any() or defined.size == 0:
        return None, None
    return float((defined > 0).mean()), bootstrap_p(defined)


# Rank tables by scores of whole texts: statistics are summed over segments, then scored.


def rank_corpora(
    outputs: Sequence[OutputKey],
    statistics: Numbers,
    scored: Callable[[Numbers], Numbers],
    *,
    name: str = "corpus",
    resampling: Resampling = RESAMPLING,
) -> tuple[SystemRank, ...]:
    """The systems of each language pair, best first, each by all its outputs as one text.

    Args:
        outputs: Whose statistics they are.
        statistics: A row an output.
        scored: The score that each row of summed statistics makes.
        name: Of the metric, in messages.
        resampling: Draws, level and seed of the intervals.
    """
    # the tables are of row numbers, by which the statistics are found
    numbers = MetricScores(name, tuple(outputs), np.arange(len(outputs), dtype=np.float64))
    rows: list[SystemRank] = []
    for table in score_tables(numbers):
        counts = [np.ones((1, len(table.segments)), np.int64)]
        counts += drawn_counts(len(table.segments), resampling.draws, resampling.rng())
        means = np.concatenate([_scores(table, statistics, scored, some) for some in counts])
        rows += ranked(table, means, (~np.isnan(table.scores)).sum(axis=0), resampling)
    return tuple(rows)


def _scores(
    table: ScoreTable, statistics: Numbers, scored: Callable[[Numbers], Numbers], counts: Indices
) -> Numbers:
    """Draws × systems."""
    drawn = counts.astype(np.float64)
    columns = []
    for of_system in table.scores.T:
        has = ~np.isnan(of_system)
        summed = drawn[:, has] @ statistics[of_system[has].astype(np.int64)]
        columns.append(scored(summed))
    return np.column_stack(columns)


# The systems of a set ranked by a metric, beside what people think of them: `ensue mt rank`.


@dataclass(frozen=True, slots=True)
class TieRule:
    """What counts as a tie for first place; at most one of the three is set."""

    share: float | None = None
    """The share of segments with a tie."""
    of_judges: bool = False
    """Whether the share is that of the judges: of those at hand, or whom the metric learned from."""
    epsilon: float | None = None
    """How far below the best still counts as best."""


@dataclass(frozen=True, slots=True, eq=False)
class SystemRanking:
    """Systems ranked by a metric and, where people judged them, by people."""

    ranks: tuple[SystemRank, ...]
    metric: str
    signature: str
    method: SystemMethod
    interval: TieInterval | None = None
    """Of `with-ties`."""
    people: SystemScores | None = None
    """What people give the systems; None where nobody judged any."""
    resampling: Resampling = RESAMPLING
    name: str = ""
    """Of the data."""

    @property
    def scores(self) -> dict[SystemKey, float | None]:
        """By the metric."""
        return {each.key: each.score.value for each in self.ranks}

    def people_rank(self, key: SystemKey) -> int | None:
        """Among all systems of the language pair that people judged; equal scores share a rank."""
        people = self.people or {}
        own = people.get(key)
        if own is None:
            return None
        others = (
            score for other, score in people.items() if other.language_pair == key.language_pair
        )
        return 1 + sum(score > own for score in others if score is not None)

    def correlation(self) -> SystemCorrelation:
        """How the scores of the metric go with people's.

        Raises:
            UndefinedError: there are no systems that have both.
        """
        scores = self.scores
        met = {key: score for key, score in (self.people or {}).items() if key in scores}
        return system_correlation(self.metric, scores, met)


def rank(
    found: TranslationSet,
    metric: str,
    method: SystemMethod = SystemMethod.WITH_TIES,
    *,
    ties: TieRule | None = None,
    resampling: Resampling = RESAMPLING,
    pool: Pool | None = None,
    stages: Stages = unwatched,
) -> SystemRanking:
    """Rank the systems of a set by a metric, with intervals and clusters.

    Args:
        found: Outputs, and judgments where there are some.
        metric: Its name, or the directory of a trained one.
        method: What a system's score is.
        ties: What counts as a tie for first place, for `with-ties`.
        resampling: Draws, level and seed of the intervals.
        pool: Processes that analyze sentences.
        stages: Is told what is being done.

    Raises:
        SettingError: the metric has no score of a whole text, or there are no rankings to take a
            share of ties from.
    """
    ready = ready_metric(metric, found.references(), pool)
    interval = None
    with stages("scoring", found.n_outputs) as progress:
        if method is SystemMethod.CORPUS:
            ranks = _ranked_corpora(ready, found, resampling, progress)
        else:
            scores = score_all(ready, found.segments(), progress=progress)
            if method is SystemMethod.WITH_TIES:
                interval = _interval(ready, scores, found, ties or TieRule())
            epsilon = interval.epsilon if interval else None
            ranks = rank_systems(scores, method, epsilon=epsilon, resampling=resampling)
    return SystemRanking(
        ranks,
        ready.name,
        ready.signature,
        method,
        interval,
        _people(found),
        resampling=resampling,
        name=found.name,
    )


def _ranked_corpora(
    metric: Metric, found: TranslationSet, resampling: Resampling, progress: Advance
) -> tuple[SystemRank, ...]:
    if not isinstance(metric, SummingMetric):
        raise SettingError(
            "metric-no-score-whole",
            f"metric {metric.name!r} has no score of a whole text",
            hint="use --method with-ties, basic or mean, or a metric such as bleu, nist or ter",
        )
    outputs, statistics = all_statistics(metric, found.segments(), progress=progress)
    return rank_corpora(outputs, statistics, metric.scored, name=metric.name, resampling=resampling)


def _interval(
    metric: Metric, scores: MetricScores, found: TranslationSet, ties: TieRule
) -> TieInterval:
    if ties.epsilon is not None:
        return given_interval(scores, ties.epsilon)
    if ties.of_judges:
        return tie_interval(scores, _share_of_judges(metric, found))
    return tie_interval(scores, TIED_SHARE if ties.share is None else ties.share)


def _share_of_judges(metric: Metric, found: TranslationSet) -> float:
    """How often judges tie for first place: those at hand, or those the metric learned from."""
    if found.judgments.rankings:
        share = tie_share(found.judgments.rankings, TieUnit.RANKING).share.value
        assert share is not None
        return share
    learned = metric.trained_on.get("tie_share") if isinstance(metric, WeightedMetric) else None
    if learned is None:
        raise SettingError(
            "no-rankings-take-share",
            "there are no rankings to take a share of ties from: neither in the data, nor among"
            f" what metric {metric.name!r} learned from",
            hint="name rankings with --judgments, or the share with --ties",
        )
    return float(learned)


def _people(found: TranslationSet) -> SystemScores | None:
    try:
        return people_system_scores(found.judgments)
    except UndefinedError:  # nobody judged anything
        return None
