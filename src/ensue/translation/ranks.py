"""Rank tables of systems, from segment or corpus scores, with intervals and clusters.

Segments are drawn with replacement (Koehn 2004); rank ranges and clusters are those of the WMT
since 2013 (Koehn 2012; Bojar et al. 2013), for a metric's scores in place of people's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ensue.statistics import (
    DRAWS,
    LEVEL,
    Estimate,
    bootstrap_p,
    check_resampling,
    drawn_counts,
    percentile_interval,
)
from ensue.translation.segments import Indices, MetricScores, Numbers, OutputKey
from ensue.translation.systems import (
    ScoreTable,
    SystemMethod,
    score_tables,
    segment_credits,
    settled_epsilon,
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


def rank_systems(
    scores: MetricScores,
    method: SystemMethod,
    *,
    epsilon: float | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    level: float = LEVEL,
) -> tuple[SystemRank, ...]:
    """The systems of each language pair, best first.

    All systems of a pair see the same draws, and a pair's draws do not depend on other pairs. A
    rank range leaves out (1 − level)/2 of the draws at either end. A cluster ends where the
    range of no system above reaches that of any below. ε is not drawn again: it is a setting.

    Args:
        scores: Of the outputs.
        method: How segments become a system's score.
        epsilon: For `with-ties`; None takes that of `tie_interval`.
        draws: How many resamples of segments; 0 for no intervals, ranges and clusters.
        seed: Of the random numbers.
        level: Of the intervals and rank ranges.

    Raises:
        SettingError: ε, draws or level make no sense.
        UndefinedError, DataError: as for `system_scores`.
    """
    check_resampling(draws, level)
    epsilon = settled_epsilon(scores, method, epsilon)
    rows: list[SystemRank] = []
    for table in score_tables(scores):
        added = segment_credits(table, method, epsilon)
        rng = np.random.default_rng(seed)
        counts = drawn_counts(len(added), draws, rng)
        drawn = [weighted_means(added, some) for some in counts]
        as_it_is = weighted_means(added, np.ones((1, len(added))))
        means = np.concatenate([as_it_is, *drawn])
        rows.extend(ranked(table, means, (~np.isnan(added)).sum(axis=0), level))
    return tuple(rows)


def ranked(
    table: ScoreTable, means: Numbers, n_segments: Indices, level: float
) -> list[SystemRank]:
    """The lines of one language pair.

    Args:
        table: Its systems.
        means: Their scores, and in the rows after the first those of the draws.
        n_segments: How many segments count for each system.
        level: Of the intervals and rank ranges.
    """
    compared = _comparable(means)
    ranks = _ranks(compared)
    # undefined ranks sort last, and equal ones stay in the order given
    order = np.argsort(ranks[0], kind="stable").tolist()
    ranges = [_rank_range(ranks[1:, i], level) for i in order]
    clusters = _clusters(ranges)
    rows = []
    for place, i in enumerate(order):
        below = order[place + 1] if place + 1 < len(order) else None
        wins, p = _against(compared, i, below)
        best_rank, worst_rank = ranges[place] or (None, None)
        rows.append(
            SystemRank(
                language_pair=table.language_pair,
                system=table.systems[i],
                score=_estimate(means[:, i], level),
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


def _rank_range(ranks: Numbers, level: float) -> tuple[int, int] | None:
    """The middle `level` of the drawn ranks; None where there is none."""
    defined = np.sort(ranks[~np.isnan(ranks)])
    if defined.size == 0:
        return None
    # 0.1 / 2 * 100 may be a little less than 5
    n_left_out = int(defined.size * (1 - level) / 2 + 1e-9)
    return int(defined[n_left_out]), int(defined[-1 - n_left_out])


def _clusters(ranges: Sequence[tuple[int, int] | None]) -> list[int | None]:
    """For each system, best first, the number of its cluster; None where it has no range."""
    numbers: list[int | None] = []
    number = 1
    for place, own in enumerate(ranges):
        above = [one[1] for one in ranges[:place] if one]
        from_here = [one[0] for one in ranges[place:] if one]
        if own and above and max(above) < min(from_here):
            number += 1
        numbers.append(number if own else None)
    return numbers


def _against(compared: Numbers, i: int, below: int | None) -> tuple[float | None, float | None]:
    """The share of draws that system i wins against the one below it, and p."""
    if below is None:
        return None, None
    differences = compared[1:, i] - compared[1:, below]
    defined = differences[~np.isnan(differences)]
    if np.isnan(compared[0, [i, below]]).any() or defined.size == 0:
        return None, None
    return float((defined > 0).mean()), bootstrap_p(defined)


def _estimate(means: Numbers, level: float) -> Estimate:
    if np.isnan(means[0]):
        return Estimate(None, reason=_ALONE)
    low, high = percentile_interval(means[1:], level)
    return Estimate(float(means[0]), low, high, n_undefined=int(np.isnan(means[1:]).sum()))


# Rank tables by scores of whole texts: statistics are summed over segments, then scored.


def rank_corpora(
    outputs: Sequence[OutputKey],
    statistics: Numbers,
    scored: Callable[[Numbers], Numbers],
    *,
    name: str = "corpus",
    draws: int = DRAWS,
    seed: int = 0,
    level: float = LEVEL,
) -> tuple[SystemRank, ...]:
    """The systems of each language pair, best first, each by all its outputs as one text.

    Args:
        outputs: Whose statistics they are.
        statistics: A row an output.
        scored: The score that each row of summed statistics makes.
        name: Of the metric, in messages.
        draws: How many resamples of segments; 0 for no intervals, ranges and clusters.
        seed: Of the random numbers.
        level: Of the intervals and rank ranges.
    """
    check_resampling(draws, level)
    # the tables are of row numbers, by which the statistics are found
    numbers = MetricScores(name, tuple(outputs), np.arange(len(outputs), dtype=np.float64))
    rows: list[SystemRank] = []
    for table in score_tables(numbers):
        counts = [np.ones((1, len(table.segments)), np.int64)]
        counts += drawn_counts(len(table.segments), draws, np.random.default_rng(seed))
        means = np.concatenate([_scores(table, statistics, scored, some) for some in counts])
        rows += ranked(table, means, (~np.isnan(table.scores)).sum(axis=0), level)
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
