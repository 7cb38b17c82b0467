"""What rankings say of the judges: the ceiling and the floor of consistency, and a summary.

A metric gives one answer about two outputs, whoever judges them; where judges differ, it must be
wrong for some. Padó et al. (2009, section 3) take the raw agreement of two judges as the upper
bound, 0.58, which counts ties as answers. Consistency leaves the ties out, and so do the numbers
here. Nor is agreement with another judge a bound: both err, and who knew what most people think
would agree with each of them more often than they do with each other.

Let q be the share of all people who would prefer one output to the other. The best metric is right
with max(q, 1 − q), two people agree with a = q² + (1 − q)² = 1/2 + 2 (q − 1/2)². Hence
a ≤ max(q, 1 − q) = 1/2 + |q − 1/2|, and over many contests, whatever their q, by Jensen's inequality
mean a ≤ mean max(q, 1 − q) ≤ (1 + √(2 mean a − 1)) / 2.

Padó et al. (2009, section 3) say that metrics must give complete rankings, and that "this
introduces transitivity constraints so that the performance of a random baseline is not at 50%, but
substantially lower". Transitivity alone does not do that: a random complete ranking puts any one
output before any other with probability 1/2, and an expectation is a sum, however the comparisons
hang together; they only widen its spread. Chance is below 50 % where ties are counted: people's
ties, which a ranking without ties never meets, or a metric's own.

On WMT 2008, where 17.3 % of the answers are ties, a random complete ranking reaches 41.3 % of all
comparisons (`complete-all`). The agreement that the paper calls the upper bound, 0.58, counts ties
likewise; for preferences without ties it is 0.78 (`ceiling`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.statistics import RESAMPLING, Estimate, Resampling, defined, ratio
from ensue.translation.judgments.agreement import (
    PreferenceAgreement,
    TieShare,
    TieUnit,
    agreement_by_language_pair,
    judge_agreement,
    tie_share,
)
from ensue.translation.judgments.comparisons import (
    CLOSE,
    FIRST,
    SECOND,
    PreferenceContradictions,
    Votes,
    contradictions,
    couples,
    preferences,
    votes,
)
from ensue.translation.systems import Indices, Numbers, Preferences, TranslationJudgments

# The consistency that the judgments allow any metric to reach.

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
    preferences: Preferences, *, resampling: Resampling = RESAMPLING
) -> Ceiling:
    """Bound the consistency of any metric with these preferences.

    Ties are left out: they are neither preferences to foresee nor votes in a majority. Among the
    other judges each has one vote, split over that judge's answers.
    """
    cast = votes(preferences)
    sums = resampling.sums(_statistics(cast))
    right, decided, foreseen, total, foreseen_repeated, repeated, agreeing, n_couples = sums.T
    agreed = ratio(agreeing, n_couples)
    bound = (1 + np.sqrt(np.maximum(2 * agreed - 1, 0))) / 2
    return Ceiling(
        n_preferences=int(total[0]),
        leave_one_out=resampling.estimate(ratio(right, decided), _NO_OTHERS),
        n_leave_one_out=int(decided[0]),
        two_judges=resampling.estimate(agreed, _NO_COUPLES),
        n_couples=int(n_couples[0]),
        independent_bound=resampling.estimate(bound, _NO_COUPLES),
        oracle=resampling.estimate(ratio(foreseen, total), _NO_VOTES),
        oracle_repeated=resampling.estimate(ratio(foreseen_repeated, repeated), _NO_REPEATED),
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


# The consistency that chance reaches, under each way to treat ties.

FLOOR_DRAWS = 200
"""How many random metrics are tried, unless asked otherwise."""

N_RANKS = 5
"""Ranks that people use in WMT."""

_UNIFORM = 1 / 3
"""The chance of each of three answers that are as likely."""


class FloorPolicy(StrEnum):
    """Which random answers are given, and which comparisons count."""

    COMPLETE = "complete"
    COMPLETE_ALL = "complete-all"
    RANKS = "ranks"
    RANKS_ALL = "ranks-all"
    UNIFORM_ANSWERS = "uniform-answers"
    HUMAN_ANSWERS = "human-answers"

    @property
    def meaning(self) -> str:
        """In a sentence, for tables."""
        return _MEANINGS[self]

    @property
    def keeps_ties(self) -> bool:
        """Whether people's ties count."""
        return self not in (FloorPolicy.COMPLETE, FloorPolicy.RANKS)


_MEANINGS = {
    FloorPolicy.COMPLETE: "a random complete ranking without ties; human ties left out",
    FloorPolicy.COMPLETE_ALL: (
        "a random complete ranking without ties; human ties count, and it is wrong on each"
    ),
    FloorPolicy.RANKS: "a random rank for each output; human ties left out, its own ties wrong",
    FloorPolicy.RANKS_ALL: (
        "a random rank for each output; human ties count, and are right where it ties, too"
    ),
    FloorPolicy.UNIFORM_ANSWERS: (
        "one of three answers for each comparison, all as likely; human ties count"
    ),
    FloorPolicy.HUMAN_ANSWERS: (
        "one of three answers for each comparison, as likely as people give it; human ties count"
    ),
}


@dataclass(frozen=True, slots=True)
class Floor:
    """What chance reaches under one policy."""

    policy: FloorPolicy
    meaning: str
    n_comparisons: int
    """That count under the policy."""
    expected: float
    """The exact expectation of consistency."""
    simulated: float
    """The mean over random metrics, which should be near it."""
    spread: float
    """The standard deviation between random metrics: how far from it chance alone strays."""


def consistency_floors(
    preferences: Preferences, *, n_ranks: int = N_RANKS, draws: int = FLOOR_DRAWS, seed: int = 0
) -> list[Floor]:
    """What chance reaches on these comparisons, for every policy.

    With t the share of human ties and k ranks, the expectations are 1/2; (1 − t)/2; (1 − 1/k)/2;
    (1 − t)(1 − 1/k)/2 + t/k; 1/3; and t² + (1 − t)²/2.

    Args:
        preferences: Comparisons with the ties among them.
        n_ranks: From how many ranks the random ones are drawn.
        draws: How many random metrics are tried.
        seed: Of the random numbers.

    Raises:
        UndefinedError: there are no comparisons, or only ties.
        SettingError: there is no rank, or no draw.
    """
    if n_ranks < 1 or draws < 1:
        raise SettingError(
            "ranks-draws-make-no",
            f"{n_ranks!r} ranks and {draws!r} draws make no sense",
            hint="at least 1 of each",
        )
    if preferences.is_tie.all():
        raise UndefinedError(
            "no-preferences-ties-no",
            "there are no preferences but ties, so there is no consistency by chance",
            hint="give judgments that prefer some outputs",
        )
    rng = np.random.default_rng(seed)
    tie_share = float(preferences.is_tie.mean())
    return [_floor(policy, preferences, tie_share, n_ranks, draws, rng) for policy in FloorPolicy]


def _floor(
    policy: FloorPolicy,
    preferences: Preferences,
    tie_share: float,
    n_ranks: int,
    draws: int,
    rng: np.random.Generator,
) -> Floor:
    counted = preferences if policy.keeps_ties else preferences.decided()
    answer = _answerer(policy, counted, tie_share, n_ranks, rng)
    gold = np.where(counted.is_tie, 0, 1)
    shares = [float((answer() == gold).mean()) for _ in range(draws)]
    return Floor(
        policy=policy,
        meaning=policy.meaning,
        n_comparisons=len(counted),
        expected=_expected(policy, tie_share, n_ranks),
        simulated=float(np.mean(shares)),
        spread=float(np.std(shares)),
    )


def _expected(policy: FloorPolicy, tie_share: float, n_ranks: int) -> float:
    t, k = tie_share, n_ranks
    return {
        FloorPolicy.COMPLETE: 1 / 2,
        FloorPolicy.COMPLETE_ALL: (1 - t) / 2,
        FloorPolicy.RANKS: (1 - 1 / k) / 2,
        FloorPolicy.RANKS_ALL: (1 - t) * (1 - 1 / k) / 2 + t / k,
        FloorPolicy.UNIFORM_ANSWERS: _UNIFORM,
        FloorPolicy.HUMAN_ANSWERS: t**2 + (1 - t) ** 2 / 2,
    }[policy]


def _answerer(
    policy: FloorPolicy,
    preferences: Preferences,
    tie_share: float,
    n_ranks: int,
    rng: np.random.Generator,
) -> Callable[[], Indices]:
    """What gives random answers to all comparisons: 1 for the better output, 0 for a tie, or −1.

    Scores drawn for each output make a random complete ranking of every segment.
    """
    n_outputs, n = len(preferences.outputs), len(preferences)
    if policy in (FloorPolicy.COMPLETE, FloorPolicy.COMPLETE_ALL):
        return lambda: _compared(preferences, rng.permutation(n_outputs))
    if policy in (FloorPolicy.RANKS, FloorPolicy.RANKS_ALL):
        return lambda: _compared(preferences, rng.integers(0, n_ranks, n_outputs))
    ties = _UNIFORM if policy is FloorPolicy.UNIFORM_ANSWERS else tie_share
    return lambda: _drawn(ties, n, rng)


def _compared(preferences: Preferences, scores: Indices) -> Indices:
    margin = scores[preferences.better] - scores[preferences.worse]
    return np.asarray(np.sign(margin), dtype=np.int64)


def _drawn(tie_share: float, n: int, rng: np.random.Generator) -> Indices:
    """Ties at their share, and either output as often."""
    uniform: NDArray[np.float64] = rng.random(n)
    side = np.where(uniform < tie_share + (1 - tie_share) / 2, 1, -1)
    return np.where(uniform < tie_share, 0, side)


@dataclass(frozen=True, slots=True)
class JudgeSummary:
    """What judgments say of the judges; None, with the reason, what they do not define."""

    overall: PreferenceAgreement
    by_pair: Mapping[str, PreferenceAgreement] = field(hash=False)
    ceiling: Ceiling
    floors: tuple[Floor, ...]
    """One for each policy; none where people prefer nothing to anything."""
    tie_shares: tuple[TieShare, ...]
    contradictions: PreferenceContradictions
    missing: tuple[str, ...] = ()
    """Why floors or tie shares are not there."""
    resampling: Resampling = RESAMPLING

    @property
    def chance(self) -> float | None:
        """What a random complete ranking reaches where human ties are left out."""
        for floor in self.floors:
            if floor.policy is FloorPolicy.COMPLETE:
                return floor.expected
        return None


def judge_summary(
    judgments: TranslationJudgments, *, resampling: Resampling = RESAMPLING
) -> JudgeSummary | None:
    """All that rankings say of the judges; None where no judge ranks two outputs."""
    compared = preferences(judgments)
    if not len(compared):
        return None
    missing: list[str] = []
    seed, level = resampling.seed, resampling.level
    floors = defined(lambda: consistency_floors(compared, seed=seed), missing.append)
    tie_shares = defined(
        lambda: [tie_share(judgments.rankings, unit, level=level) for unit in TieUnit],
        missing.append,
    )
    return JudgeSummary(
        overall=judge_agreement(compared, resampling=resampling),
        by_pair=agreement_by_language_pair(compared, resampling=resampling),
        ceiling=consistency_ceiling(compared, resampling=resampling),
        floors=tuple(floors or ()),
        tie_shares=tuple(tie_shares or ()),
        contradictions=contradictions(judgments),
        missing=tuple(missing),
        resampling=resampling,
    )
