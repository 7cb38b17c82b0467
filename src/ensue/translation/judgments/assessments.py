"""One human score for each output, from whatever people gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

import numpy as np

from ensue.errors import UndefinedError
from ensue.translation.segments import (
    Assessment,
    AssessmentKind,
    Indices,
    Numbers,
    OutputKey,
    TranslationJudgments,
    numbered,
)


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
    means = np.divide(sums, counts, out=np.full(n_groups, np.nan), where=counts > 0)
    return means, counts.astype(np.int64)


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
