"""Rank tables by scores of whole texts: statistics are summed over segments, then scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ensue.evaluation.measuring.intervals import DRAWS, LEVEL, check_resampling
from ensue.evaluation.measuring.resampling import drawn_counts
from ensue.translation.model import Indices, MetricScores, Numbers, OutputKey
from ensue.translation.ranking.systems import ScoreTable, score_tables
from ensue.translation.ranking.tables import SystemRank, ranked


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
