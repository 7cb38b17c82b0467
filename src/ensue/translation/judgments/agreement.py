"""Agreement of judges, ties for the first place, and one human score for each output.

A judge's answer about two outputs A and B of a segment is A > B, A = B or A < B. Every two answers
about the same two outputs are a couple: by two judges (inter-annotator), or by one judge at two
times (intra-annotator). P(A) is the share of couples that agree, and kappa is
(P(A) − P(E)) / (1 − P(E)). WMT takes P(E) = 1/3 up to 2010 (e.g. Callison-Burch et al. 2008), and
later P(A > B)² + P(A = B)² + P(A < B)² from the answers themselves (Callison-Burch et al. 2011).

So counted, the sentence rankings of WMT 2008 have P(A) = 5,080 / 8,787 = 0.578 and kappa 0.367
between judges: what its overview reports, and Padó et al. (2009, section 3) cite as 0.58.

Padó et al. (2009, section 2.2) see in WMT 2007 "a tie for best system for almost 30% of
sentences", and set the tie interval of their system-level ranks by it. Of WMT 2007's rankings over
all language pairs, 1,169 of 4,076 (28.7 %) have a tie for best, of those into English 574 of 1,944
(29.5 %); once each output's ranks are averaged over the judges, 628 of 2,408 segments (26.1 %).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

import numpy as np

from ensue.errors import UndefinedError
from ensue.statistics import (
    RESAMPLING,
    Estimate,
    Resampling,
    check_level,
    kappa,
    numbered,
    ratio,
    wilson_interval,
)
from ensue.translation.judgments.comparisons import TIE, Votes, couples, is_named, votes
from ensue.translation.systems import (
    Assessment,
    AssessmentKind,
    HumanRanking,
    Indices,
    Numbers,
    OutputKey,
    Preferences,
    TranslationJudgments,
    language_pairs,
)

# How far judges agree with each other, and with themselves, as WMT reports it.

UNIFORM_CHANCE = 1 / 3
"""P(E) where all three answers are as likely."""

_NO_COUPLES = "no two outputs were compared twice {}"
_ONE_ANSWER = "all answers are ties, so that agreement by chance is 1"


@dataclass(frozen=True, slots=True)
class AnswerAgreement:
    """How far answers about the same two outputs agree; intervals are over segments."""

    n_couples: int
    """Every two answers about the same two outputs."""
    n_agreeing: int
    observed: Estimate
    """P(A): the share of couples that agree."""
    kappa_uniform: Estimate
    """With P(E) = 1/3, as up to WMT 2010."""
    kappa_empirical: Estimate
    """With P(E) from the answers, as from WMT 2011 on."""


@dataclass(frozen=True, slots=True)
class PreferenceAgreement:
    """How far judges agree with each other and with themselves."""

    n_answers: int
    n_left_out: int
    """Answers of which nobody knows who gave them."""
    n_segments: int
    """Segments with answers; the intervals resample them."""
    tie_share: float | None
    """P(A = B): the share of answers that are ties; None without answers."""
    chance_empirical: float | None
    """P(E) from the answers. A and B are in no order, so that P(A > B) = P(A < B)."""
    inter: AnswerAgreement
    """Between two judges."""
    intra: AnswerAgreement
    """Of a judge who answers again."""


def judge_agreement(
    preferences: Preferences, *, resampling: Resampling = RESAMPLING
) -> PreferenceAgreement:
    """Inter- and intra-annotator agreement, with bootstrap intervals over segments.

    Where judges never meet, the numbers are None and say so. Comparisons by nobody knows whom are
    left out: they may be by the same person or not.

    Args:
        preferences: Comparisons with the ties among them.
        resampling: Draws, level and seed of the intervals.
    """
    named = preferences.chosen(is_named(preferences))
    cast = votes(named)
    sums = resampling.sums(_statistics(cast))
    tie_share = ratio(sums[:, 4], sums[:, 5])
    chance = tie_share**2 + (1 - tie_share) ** 2 / 2
    return PreferenceAgreement(
        n_answers=len(named),
        n_left_out=len(preferences) - len(named),
        n_segments=cast.n_segments,
        tie_share=float(tie_share[0]) if len(named) else None,
        chance_empirical=float(chance[0]) if len(named) else None,
        inter=_agreement(sums[:, 0], sums[:, 1], chance, resampling, "by different judges"),
        intra=_agreement(sums[:, 2], sums[:, 3], chance, resampling, "by the same judge"),
    )


def agreement_by_language_pair(
    preferences: Preferences, *, resampling: Resampling = RESAMPLING
) -> dict[str, PreferenceAgreement]:
    """The agreement on each language pair, with chances of its own, as WMT's tables have it."""
    pair_of = np.array([key.language_pair for key in preferences.outputs], dtype=object)
    return {
        pair: judge_agreement(
            preferences.chosen(pair_of[preferences.better] == pair),
            resampling=resampling,
        )
        for pair in language_pairs(preferences.outputs)
    }


def _statistics(cast: Votes) -> Numbers:
    """For each segment: couples that agree, couples; the same within a judge; ties, answers."""
    counts = cast.by_contest(cast.counts)
    within = cast.by_contest(couples(cast.counts))
    between = couples(counts) - within
    answers = np.stack([counts[:, TIE], counts.sum(axis=1)], axis=1)
    return cast.by_segment(np.hstack([between, within, answers]))


def _agreement(
    agreeing: Numbers, n_couples: Numbers, chance: Numbers, resampling: Resampling, who: str
) -> AnswerAgreement:
    observed = ratio(agreeing, n_couples)
    uniform = np.full_like(observed, UNIFORM_CHANCE)
    no_couples = _NO_COUPLES.format(who)
    return AnswerAgreement(
        n_couples=int(n_couples[0]),
        n_agreeing=int(agreeing[0]),
        observed=resampling.estimate(observed, no_couples),
        kappa_uniform=resampling.estimate(kappa(observed, uniform), no_couples),
        kappa_empirical=resampling.estimate(
            kappa(observed, chance), no_couples if n_couples[0] == 0 else _ONE_ANSWER
        ),
    )


# How often outputs tie for first place.


class TieUnit(StrEnum):
    """What has a tie for first place or not."""

    RANKING = "ranking"
    """One person's ranking."""
    SEGMENT = "segment"
    """All rankings of a segment: each output has the mean of its ranks."""


@dataclass(frozen=True, slots=True)
class TieShare:
    """How often two outputs or more share the first place."""

    unit: TieUnit
    n: int
    """Rankings or segments."""
    n_tied: int
    """Those with a tie for first place."""
    share: Estimate
    """With Wilson's interval."""
    n_left_out: int
    """Rankings or segments with too few outputs."""


def tie_share(
    rankings: Sequence[HumanRanking],
    unit: TieUnit = TieUnit.SEGMENT,
    *,
    at_least: int = 2,
    level: float = RESAMPLING.level,
) -> TieShare:
    """The share of rankings, or of segments, with a tie for first place.

    Args:
        rankings: All, or those of interest.
        unit: What is counted.
        at_least: Rankings or segments with fewer outputs are left out; one output cannot tie.
        level: Of the interval. It takes the units as independent, which rankings of one segment
            are only roughly.

    Raises:
        UndefinedError: no ranking or segment has that many outputs.
    """
    check_level(level)
    ranks = _mean_ranks(rankings) if unit is TieUnit.SEGMENT else [r.ranks for r in rankings]
    lists = [list(by_system.values()) for by_system in ranks]
    counted = [values for values in lists if len(values) >= at_least]
    if not counted:
        raise UndefinedError(
            "no-outputs-more-no",
            f"no {unit.value} has {at_least!r} outputs or more, so there is no share of ties",
            hint="give rankings of several outputs",
        )
    n_tied = sum(values.count(min(values)) > 1 for values in counted)
    return TieShare(
        unit=unit,
        n=len(counted),
        n_tied=n_tied,
        share=Estimate(n_tied / len(counted), *wilson_interval(n_tied, len(counted), level)),
        n_left_out=len(lists) - len(counted),
    )


def _mean_ranks(rankings: Iterable[HumanRanking]) -> list[dict[str, float]]:
    """For each segment, each system's mean rank.

    Equal means are equal to the last bit: sums are whole numbers, and a division is rounded once.
    """
    given: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for ranking in rankings:
        for system, rank in ranking.ranks.items():
            given[ranking.language_pair, ranking.segment][system].append(rank)
    return [
        {system: sum(ranks) / len(ranks) for system, ranks in by_system.items()}
        for by_system in given.values()
    ]


class ScoreKind(StrEnum):
    """What a human score was made from, the best first."""

    DIRECT = "direct"
    """The mean of the direct assessments, as given."""
    ADEQUACY_FLUENCY = "adequacy-fluency"
    """The mean of adequacy and fluency, each standardized by judge."""
    RANKS = "ranks"
    """The mean of the ranks, standardized within each ranking, with the sign turned."""


@dataclass(frozen=True, slots=True, eq=False)
class HumanScores:
    """What people think of each output; larger is better."""

    outputs: tuple[OutputKey, ...]
    """Each once, in the order of the judgments."""
    values: Numbers
    counts: Indices
    """How many judgments each value is the mean of."""
    kind: ScoreKind
    n_left_out: int = 0
    """Rankings of a single output, which say nothing."""

    def __len__(self) -> int:
        return len(self.outputs)

    def by_output(self) -> dict[OutputKey, float]:
        """Each output's score."""
        return dict(zip(self.outputs, self.values.tolist(), strict=True))


def human_scores(judgments: TranslationJudgments, kind: ScoreKind | None = None) -> HumanScores:
    """Score every judged output, from the best kind of judgment that is there.

    Direct assessments are taken as they are: data sets give them standardized already. Adequacy
    and fluency are standardized by judge, each for itself: z = (x − mean) / sd over all that the
    judge gave, with the sd over n, as WMT does with direct assessments (Bojar et al. 2016); a judge
    who always gives the same score says nothing, z = 0. Scores without a judge's name are taken
    as one judge's. An output's value is the mean of its mean adequacy and its
    mean fluency, or the one that there is. Ranks are standardized within each ranking: mean 0,
    sd 1, larger is better; a ranking whose outputs all tie gives zeros.

    Args:
        judgments: What people said.
        kind: Which judgments to use; the first of `ScoreKind` that is there, where it is None.

    Raises:
        UndefinedError: there are no judgments, or none of that kind.
    """
    there = _kinds(judgments)
    if kind is None and there:
        kind = there[0]
    if kind is None or kind not in there:
        wanted = f"{kind.value!r} scores" if kind else "human scores"
        raise UndefinedError(
            "no-judgments-make",
            f"there are no judgments to make {wanted} from",
            hint=f"there are judgments for: {', '.join(there)}" if there else None,
        )
    if kind is ScoreKind.RANKS:
        return _from_ranks(judgments)
    if kind is ScoreKind.DIRECT:
        return _from_direct(judgments)
    return _from_adequacy_and_fluency(judgments)


def _kinds(judgments: TranslationJudgments) -> list[ScoreKind]:
    """The scores that can be made, the best first."""
    assessed = {one.kind for one in judgments.assessments}
    there = {
        ScoreKind.DIRECT: AssessmentKind.DIRECT in assessed,
        ScoreKind.ADEQUACY_FLUENCY: bool(assessed - {AssessmentKind.DIRECT}),
        ScoreKind.RANKS: any(len(ranking.ranks) > 1 for ranking in judgments.rankings),
    }
    return [kind for kind in ScoreKind if there[kind]]


def _from_direct(judgments: TranslationJudgments) -> HumanScores:
    given = [one for one in judgments.assessments if one.kind is AssessmentKind.DIRECT]
    outputs, output = numbered(one.key for one in given)
    means, counts = _means(_scores(given), output, len(outputs))
    return HumanScores(outputs, means, counts, ScoreKind.DIRECT)


def _from_adequacy_and_fluency(judgments: TranslationJudgments) -> HumanScores:
    given = [one for one in judgments.assessments if one.kind is not AssessmentKind.DIRECT]
    _, group = numbered((one.judge, one.kind) for one in given)
    outputs, output = numbered(one.key for one in given)
    standard = _standardized(_scores(given), group)
    is_fluency = np.array([one.kind is AssessmentKind.FLUENCY for one in given])
    halves, counts = _means(standard, output * 2 + is_fluency, len(outputs) * 2)
    values = np.nanmean(halves.reshape(-1, 2), axis=1)
    total = counts.reshape(-1, 2).sum(axis=1)
    return HumanScores(outputs, values, total, ScoreKind.ADEQUACY_FLUENCY)


def _from_ranks(judgments: TranslationJudgments) -> HumanScores:
    rankings = [ranking for ranking in judgments.rankings if len(ranking.ranks) > 1]
    outputs, output = numbered(chain.from_iterable(ranking.output_keys() for ranking in rankings))
    ranks = [rank for ranking in rankings for rank in ranking.ranks.values()]
    group = np.repeat(np.arange(len(rankings)), [len(ranking.ranks) for ranking in rankings])
    standard = _standardized(-np.array(ranks, dtype=np.float64), group)
    means, counts = _means(standard, output, len(outputs))
    n_left_out = len(judgments.rankings) - len(rankings)
    return HumanScores(outputs, means, counts, ScoreKind.RANKS, n_left_out)


def _scores(given: Sequence[Assessment]) -> Numbers:
    return np.array([one.score for one in given], dtype=np.float64)


def _means(values: Numbers, group: Indices, n_groups: int) -> tuple[Numbers, Indices]:
    """The mean of each group, NaN for an empty one, and its size."""
    counts = np.bincount(group, minlength=n_groups)
    sums = np.bincount(group, values, minlength=n_groups)
    return ratio(sums, counts), counts.astype(np.int64)


def _standardized(values: Numbers, group: Indices) -> Numbers:
    """Mean 0 and sd 1 within each group; 0 where all its values are equal."""
    n_groups = int(group.max()) + 1
    low, high = np.full(n_groups, np.inf), np.full(n_groups, -np.inf)
    np.minimum.at(low, group, values)
    np.maximum.at(high, group, values)
    means, _ = _means(values, group, n_groups)
    centered = values - means[group]
    variance, _ = _means(centered**2, group, n_groups)
    # equal values are told by their range: rounding may leave them a variance above 0
    return np.divide(
        centered, np.sqrt(variance)[group], out=np.zeros_like(values), where=(high > low)[group]
    )
