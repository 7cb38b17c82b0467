"""Draws of judges: what each list would score had other judges been asked.

As many judges as there are, are drawn with replacement, the same for all lists. Few judges have
few distinct outcomes (three have ten), so that each outcome is scored and counted, not each draw.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ensue.errors import SettingError
from ensue.evaluation.measuring.ranks import Counts
from ensue.paraphrase.model import NOT_JUDGED, YES, Indices, Labels, Numbers, RankedLists
from ensue.paraphrase.scores.scoring import ScoredLists, values_at

ONE_JUDGE = "there is one judge only, so that no others can be drawn"
NOT_BY_JUDGES = "Q is not by judges, so that none can be drawn"

_CLOSE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class JudgeDraws:
    """Draws of judges by their distinct outcomes.

    Scores are made when asked for: those of all lists in all outcomes may not fit into memory.
    """

    scored: ScoredLists
    yes: Numbers
    """Patterns × judges: 1 where the judge said yes."""
    judged: Numbers
    """The same where the judge said anything."""
    outcomes: Numbers
    """Outcomes × judges: how often each judge was drawn; the first is the scores as they are."""
    outcome_of: Indices
    """For each draw its outcome, ascending: draws have no order, and who draws terms beside needs
    each outcome once, where the same ones stand together."""
    reason: str | None = None
    """Why no judges were drawn: there is one outcome then, and it is the scores as they are."""

    @property
    def counts(self) -> Counts:
        """How often each outcome was drawn."""
        return np.bincount(self.outcome_of, minlength=len(self.outcomes)).astype(np.int64)

    def values(self, outcome: int) -> Numbers:
        """Lists × measures × ks: the scores in one outcome."""
        if outcome == 0:
            return self.scored.values
        quality = self.scored.quality.copy()
        n_judged = self.judged @ self.outcomes[outcome]
        np.divide(self.yes @ self.outcomes[outcome], n_judged, out=quality, where=n_judged > 0)
        return values_at(self.scored, self.scored.settings.ks, quality)

    def all_values(self) -> Numbers:
        """Outcomes × lists × measures × ks."""
        found = np.empty((len(self.outcomes), *self.scored.values.shape))
        for outcome in range(len(found)):
            found[outcome] = self.values(outcome)
        return found

    def of_lists(self, start: int, end: int) -> JudgeDraws:
        """The same draws for some lists that stand together."""
        first, last = self.scored.lists.offsets[[start, end]].tolist()
        patterns = slice(first, last)
        scored = _part(self.scored, slice(start, end), patterns)
        return replace(self, scored=scored, yes=self.yes[patterns], judged=self.judged[patterns])


def _part(scored: ScoredLists, which: slice, patterns: slice) -> ScoredLists:
    """Some lists with what their scores need, without copies."""
    lists = scored.lists
    return replace(
        scored,
        lists=RankedLists(
            lists.name,
            lists.keys[which],
            lists.offsets[which.start : which.stop + 1] - patterns.start,
            lists.paraphrases[patterns],
        ),
        quality=scored.quality[patterns],
        diversity=scored.diversity[patterns],
        credited=scored.credited[patterns],
        gains=scored.gains[patterns],
        values=scored.values[which],
    )


def judge_draws(scored: ScoredLists, draws: int, rng: np.random.Generator) -> JudgeDraws:
    """Draw judges.

    A pattern that none of the judges drawn has judged keeps its Q.

    Raises:
        SettingError: Q is not the share of these judges' labels.
    """
    found = _judged(scored)
    if isinstance(found, str):
        nobody = np.zeros((scored.lists.n_patterns, 0))
        outcome_of = np.zeros(draws, np.int64)
        return JudgeDraws(scored, nobody, nobody, np.zeros((1, 0)), outcome_of, found)
    n_judges = found.shape[1]
    drawn = rng.multinomial(n_judges, np.full(n_judges, 1 / n_judges), size=draws)
    outcomes, outcome_of = np.unique(drawn, axis=0, return_inverse=True)
    return JudgeDraws(
        scored,
        (found == YES).astype(np.float64),
        (found != NOT_JUDGED).astype(np.float64),
        np.concatenate([np.ones((1, n_judges)), outcomes]),
        np.sort(outcome_of.reshape(-1)) + 1,
    )


def _judged(scored: ScoredLists) -> Labels | str:
    """The labels that Q is the share of, or why judges cannot be drawn.

    Judges who said nothing with this strictness stay, so that both see the same draws.
    """
    judgments, strictness = scored.lists.judgments, scored.settings.strictness
    if judgments is None or strictness is None or strictness not in judgments.labels:
        return NOT_BY_JUDGES
    labels = judgments.labels[strictness]
    if np.count_nonzero((labels != NOT_JUDGED).any(axis=0)) < 2:
        return ONE_JUDGE
    differs = np.abs(judgments.shares(strictness) - scored.quality) > _CLOSE
    if differs.any():
        raise SettingError(
            f"Q is not the share of the {strictness.value} judges,"
            f" e.g. of {scored.lists.paraphrases[int(np.argmax(differs))]!r}",
            hint="settings for another Q have no strictness",
        )
    return labels


def counted_interval(values: Numbers, counts: Counts, level: float) -> tuple[Numbers, Numbers]:
    """The middle `level` of values that were drawn so often, column by column.

    What `numpy.quantile` gives for the draws one by one, interpolating between neighbors. A value
    is NaN in all rows or in none.

    Args:
        values: A row for each outcome, any shape behind.
        counts: How often each was drawn; in all, at least once.
        level: Of the interval.
    """
    drawn = np.flatnonzero(counts)
    values = values[drawn]
    order = np.argsort(values, axis=0)
    ordered = np.take_along_axis(values, order, axis=0)
    ends = np.cumsum(counts[drawn][order], axis=0)
    low = _order_statistic(ordered, ends, (1 - level) / 2)
    return low, _order_statistic(ordered, ends, (1 + level) / 2)


def _order_statistic(ordered: Numbers, ends: Counts, share: float) -> Numbers:
    """The value below which a share of the draws lies, between the two draws nearest to it."""
    n = int(ends.reshape(len(ends), -1)[-1].max(initial=1))
    at = share * (n - 1)
    below = int(at)
    found = []
    for place in (below, min(below + 1, n - 1)):
        row = np.argmax(ends > place, axis=0)[None]
        found.append(np.take_along_axis(ordered, row, axis=0)[0])
    return np.asarray(found[0] + (at - below) * (found[1] - found[0]), np.float64)
