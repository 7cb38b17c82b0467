"""The consistency that the judgments allow any metric to reach.

A metric gives one answer about two outputs, whoever judges them; where judges differ, it must be
wrong for some. Padó et al. (2009, section 3) take the raw agreement of two judges as the upper
bound, 0.58, which counts ties as answers. Consistency leaves the ties out, and so do the numbers
here. Nor is agreement with another judge a bound: both err, and who knew what most people think
would agree with each of them more often than they do with each other.

Let q be the share of all people who would prefer one output to the other. The best metric is right
with max(q, 1 − q), two people agree with a = q² + (1 − q)² = 1/2 + 2 (q − 1/2)². Hence
a ≤ max(q, 1 − q) = 1/2 + |q − 1/2|, and over many contests, whatever their q, by Jensen's inequality
mean a ≤ mean max(q, 1 − q) ≤ (1 + √(2 mean a − 1)) / 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ensue.evaluation.measuring.intervals import DRAWS, LEVEL, check_resampling
from ensue.evaluation.measuring.sums import estimate_of, ratios, resampled_sums
from ensue.evaluation.results import Estimate
from ensue.translation.judgments.votes import CLOSE, FIRST, SECOND, Votes, couples, votes
from ensue.translation.model import Numbers, Preferences

_NO_OTHERS = "no preference is about outputs that other judges decided, too"
_NO_VOTES = "there are no preferences but ties"
_NO_COUPLES = "no two outputs have preferences by two judges"
_NO_REPEATED = "no two outputs have two preferences"


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What consistency with non-tied preferences can reach; intervals are over segments."""

    n_preferences: int
    """That are no ties."""
    leave_one_out: Estimate
    """The share of preferences that the majority of the other judges decides the same way."""
    n_leave_one_out: int
    """Preferences with such a majority."""
    two_judges: Estimate
    """The share of couples of preferences, by two judges, that agree: mean a above. Contests count
    by their couples. The best metric reaches at least this."""
    n_couples: int
    independent_bound: Estimate
    """(1 + √(2a − 1)) / 2 of it: the best metric reaches at most this, if judges do not influence
    each other."""
    oracle: Estimate
    """Σ max(a, b) / Σ (a + b) over contests with a preferences for the one output and b for the
    other: what a metric reaches that knows all votes. No metric is above it. A contest with one
    vote counts as fully foreseeable, so the fewer judges meet, the more this says too much."""
    oracle_repeated: Estimate
    """The same over contests with two preferences or more."""
    n_repeated: int
    """Preferences in such contests."""


def consistency_ceiling(
    preferences: Preferences, *, draws: int = DRAWS, level: float = LEVEL, seed: int = 0
) -> Ceiling:
    """Bound the consistency of any metric with these preferences.

    Ties are left out: they are neither preferences to foresee nor votes in a majority. Among the
    other judges each has one vote, split over that judge's answers.
    """
    check_resampling(draws, level)
    cast = votes(preferences)
    sums = resampled_sums(_statistics(cast), draws, seed)
    right, decided, foreseen, total, foreseen_repeated, repeated, agreeing, n_couples = sums.T
    agreed = ratios(agreeing, n_couples)
    bound = (1 + np.sqrt(np.maximum(2 * agreed - 1, 0))) / 2
    return Ceiling(
        n_preferences=int(total[0]),
        leave_one_out=estimate_of(ratios(right, decided), level, _NO_OTHERS),
        n_leave_one_out=int(decided[0]),
        two_judges=estimate_of(agreed, level, _NO_COUPLES),
        n_couples=int(n_couples[0]),
        independent_bound=estimate_of(bound, level, _NO_COUPLES),
        oracle=estimate_of(ratios(foreseen, total), level, _NO_VOTES),
        oracle_repeated=estimate_of(ratios(foreseen_repeated, repeated), level, _NO_REPEATED),
        n_repeated=int(repeated[0]),
    )


def _statistics(cast: Votes) -> Numbers:
    """For each segment, the numerators and denominators of the four shares."""
    counts = cast.by_contest(cast.counts)
    foreseen = np.maximum(counts[:, FIRST], counts[:, SECOND])
    total = counts[:, FIRST] + counts[:, SECOND]
    several = total > 1
    columns = [foreseen, total, foreseen * several, total * several]
    others = cast.by_contest(_against_others(cast))
    preferred = [FIRST, SECOND]
    within = cast.by_contest(couples(cast.counts[:, preferred]))
    between = couples(counts[:, preferred]) - within
    return cast.by_segment(np.hstack([others, np.stack(columns, axis=1), between]))


def _against_others(cast: Votes) -> Numbers:
    """For each judge of a contest: preferences as the others' majority has it, and all with one."""
    shares = cast.shares()
    others = cast.by_contest(shares)[cast.contest] - shares
    lead = others[:, FIRST] - others[:, SECOND]
    first, second = cast.counts[:, FIRST], cast.counts[:, SECOND]
    right = np.where(lead > 0, first, second)
    has_majority = np.abs(lead) > CLOSE
    return np.stack([right, first + second], axis=1) * has_majority[:, None]
