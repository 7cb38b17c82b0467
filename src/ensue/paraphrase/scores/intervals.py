"""Intervals of scores over judges and terms, differences of methods, curves over k.

As many judges as there are, are drawn with replacement, the same for all lists. Few judges have
few distinct outcomes (three have ten), so that each outcome is scored and counted, not each draw.

A list's interval is over judges; that of a mean over lists is over judges and terms together, the
lists of one term being drawn together (Efron & Tibshirani 1993, chapter 13). All lists and methods
see the same draws, so that differences between methods are paired.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ensue.errors import SettingError, UnknownNameError
from ensue.paraphrase.lists import NOT_JUDGED, YES, Indices, Labels, Numbers, RankedLists
from ensue.paraphrase.scores.measures import NO_LIST, ScoredLists, values_at
from ensue.paraphrase.scores.preparation import MEASURES, PatternMeasure
from ensue.statistics import (
    RESAMPLING,
    Counts,
    Difference,
    Estimate,
    Resampling,
    drawn_counts,
    holm,
    numbered,
    paired_difference,
    ratio,
)

# Draws of judges: what each list would score had other judges been asked.

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
            "not-share-judges",
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


# Intervals of scores by resampling judges and terms, and paired differences between methods.

ONE_TERM = "the lists are of one term only, so that no others can be drawn"
NO_SHARED_TERM = "the two methods have no term in common whose lists define it"

_MOST_NUMBERS = 4_000_000
"""Scores of lists in all outcomes that are held in memory at once; sorting takes some times that."""


@dataclass(frozen=True, slots=True)
class MethodDifference:
    """The first method's mean minus the second's, over the terms that both have lists of."""

    first: str
    second: str
    measure: PatternMeasure
    k: int
    n_terms: int
    difference: Difference
    p_holm: float | None
    """Corrected for the number of pairs of methods (Holm)."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreIntervals:
    """Scores with their intervals."""

    scored: ScoredLists
    low: Numbers
    """Lists × measures × ks: the lower ends over judges; NaN where there is none."""
    high: Numbers
    lists_reason: str | None
    """Why lists have no intervals."""
    methods: tuple[str, ...]
    _means: Numbers
    """Draws × methods × measures × ks, the means as they are first; all lists come last."""
    means_reason: str | None
    """Why means have no intervals."""
    differences: tuple[MethodDifference, ...]
    """For every two methods, every measure and every k."""
    resampling: Resampling

    def of_list(self, i: int, measure: PatternMeasure, k: int) -> Estimate:
        """A list's score with its interval; where it has none the reason says why."""
        value = self.scored.value(i, measure, k)
        if value is None or self.lists_reason or not self.resampling.draws:
            found = self.scored.estimate(i, measure, k)
            return Estimate(found.value, reason=found.reason or self.lists_reason)
        place = i, MEASURES.index(measure), self.scored.place_of(k)
        return Estimate(value, float(self.low[place]), float(self.high[place]))

    def of_method(self, method: str | None, measure: PatternMeasure, k: int) -> Estimate:
        """A method's mean with its interval; of all lists where the method is None.

        Raises:
            UnknownNameError: no list is of that method.
        """
        if method is not None and method not in self.methods:
            raise UnknownNameError.of("method", method, self.methods)
        row = len(self.methods) if method is None else self.methods.index(method)
        values = self._means[:, row, MEASURES.index(measure), self.scored.place_of(k)]
        if self.means_reason is not None:
            values = values[:1]
        found = self.resampling.estimate(values, NO_LIST)
        if found.value is not None and self.means_reason is not None:
            return Estimate(found.value, reason=self.means_reason)
        return found


def score_intervals(scored: ScoredLists, *, resampling: Resampling = RESAMPLING) -> ScoreIntervals:
    """Resample judges and terms.

    Where Q is not by judges, or by a single one, only terms are drawn: lists have no intervals then.

    Args:
        scored: The lists.
        resampling: Draws, level and seed of the intervals.

    Raises:
        SettingError: the number of draws or the level makes no sense, or Q is not by the judges
            that the settings name.
    """
    rng = resampling.rng()
    judges = judge_draws(scored, resampling.draws, rng)
    low, high = _list_intervals(judges, resampling.level)
    table = _ByTerm.of(scored)
    means, pairs = table.resampled(judges, resampling.draws, rng)
    reason = ONE_TERM if table.n_terms == 1 else None
    return ScoreIntervals(
        scored=scored,
        low=low,
        high=high,
        lists_reason=judges.reason,
        methods=scored.lists.methods,
        _means=means,
        means_reason=reason,
        differences=tuple(_differences(scored, table, pairs, resampling, reason)),
        resampling=resampling,
    )


def _list_intervals(judges: JudgeDraws, level: float) -> tuple[Numbers, Numbers]:
    """Of every list over judges, some lists at a time; NaN where no judges were drawn."""
    low, high = np.full((2, *judges.scored.values.shape), np.nan)
    if judges.reason is not None or not judges.outcome_of.size:
        return low, high
    n_lists, n_measures, n_ks = low.shape
    rows = max(1, _MOST_NUMBERS // (len(judges.outcomes) * n_measures * n_ks))
    for start in range(0, n_lists, rows):
        end = min(start + rows, n_lists)
        values = judges.of_lists(start, end).all_values()
        low[start:end], high[start:end] = counted_interval(values, judges.counts, level)
    return low, high


@dataclass(frozen=True, slots=True, eq=False)
class _ByTerm:
    """Lists by term and method."""

    term_of: Indices
    """For each list."""
    method_of: Indices
    n_terms: int
    n_methods: int

    @classmethod
    def of(cls, scored: ScoredLists) -> _ByTerm:
        terms, term_of = numbered(key.term for key in scored.lists.keys)
        methods, method_of = numbered(key.method for key in scored.lists.keys)
        return cls(term_of, method_of, len(terms), len(methods))

    def pairs(self) -> list[tuple[int, int]]:
        """Every two methods."""
        return list(combinations(range(self.n_methods), 2))

    def table(self, values: Numbers) -> Numbers:
        """Terms × methods × measures × ks from lists × measures × ks; NaN where there is no list."""
        found = np.full((self.n_terms, self.n_methods, *values.shape[1:]), np.nan)
        found[self.term_of, self.method_of] = values
        return found

    def statistics(self, values: Numbers) -> tuple[Numbers, Numbers]:
        """Terms × statistics, twice: what sums to the numerators, and to the denominators.

        There are the means of methods, that of all lists, and the differences of every two methods,
        each with all measures and ks.
        """
        table = self.table(values)
        defined = ~np.isnan(table)
        filled = np.where(defined, table, 0.0)
        first, second = np.array(self.pairs(), np.int64).reshape(-1, 2).T
        both = defined[:, first] & defined[:, second]
        differences = np.where(both, filled[:, first] - filled[:, second], 0.0)
        whole = filled.sum(axis=1, keepdims=True), defined.sum(axis=1, keepdims=True)
        numerators = np.concatenate([filled, whole[0], differences], axis=1)
        denominators = np.concatenate([defined, whole[1], both], axis=1, dtype=np.float64)
        shape = self.n_terms, math.prod(numerators.shape[1:])
        return numerators.reshape(shape), denominators.reshape(shape)

    def resampled(
        self, judges: JudgeDraws, draws: int, rng: np.random.Generator
    ) -> tuple[Numbers, Numbers]:
        """Draws × methods and all × measures × ks, then draws × pairs …; as they are first."""
        held, (numerators, counted) = 0, self.statistics(judges.values(0))
        sums = np.zeros((2, draws + 1, numerators.shape[1]))
        sums[0, 0], sums[1, 0] = numerators.sum(axis=0), counted.sum(axis=0)
        start = 1
        for counts in drawn_counts(self.n_terms, draws, rng) if self.n_terms else ():
            end, weights = start + len(counts), counts.astype(np.float64)
            outcome_of = judges.outcome_of[start - 1 : end - 1]
            for outcome in np.unique(outcome_of).tolist():
                if outcome != held:  # they ascend, so that one at a time is enough
                    held, (numerators, _) = outcome, self.statistics(judges.values(outcome))
                rows = np.flatnonzero(outcome_of == outcome)
                sums[0, start + rows] = weights[rows] @ numerators
            sums[1, start:end] = weights @ counted  # what is defined is so in all outcomes
            start = end
        found = ratio(sums[0], sums[1]).reshape(draws + 1, -1, *judges.scored.values.shape[1:])
        return found[:, : self.n_methods + 1], found[:, self.n_methods + 1 :]

    def n_shared(self, values: Numbers, first: int, second: int) -> Indices:
        """Measures × ks: how many terms have a defined score by both methods."""
        defined = ~np.isnan(self.table(values)[:, [first, second]])
        return np.asarray(defined.all(axis=1).sum(axis=0), np.int64)


def _differences(
    scored: ScoredLists, table: _ByTerm, pairs: Numbers, resampling: Resampling, reason: str | None
) -> Iterable[MethodDifference]:
    methods, chosen = scored.lists.methods, table.pairs()
    shared = [table.n_shared(scored.values, i, j) for i, j in chosen]
    for a, measure in enumerate(MEASURES):
        for b, k in enumerate(scored.settings.ks):
            found = [_difference(pairs[:, n, a, b], resampling, reason) for n in range(len(chosen))]
            corrected = iter(holm([each.p for each in found if each.p is not None]))
            for (i, j), each, n_terms in zip(chosen, found, shared, strict=True):
                p_holm = None if each.p is None else next(corrected)
                yield MethodDifference(
                    methods[i], methods[j], measure, k, int(n_terms[a, b]), each, p_holm
                )


def _difference(values: Numbers, resampling: Resampling, reason: str | None) -> Difference:
    if np.isnan(values[0]):
        return Difference(None, reason=NO_SHARED_TERM)
    if reason is not None:
        return Difference(float(values[0]), reason=reason)
    return paired_difference(float(values[0]), values[1:], resampling)


# The measures at every k: how much a conclusion hangs on the rank that was chosen.


def curves_over_k(
    scores: Mapping[str, ScoreIntervals], deepest: int | None = None
) -> dict[str, ScoreIntervals]:
    """The same scores at every k from 1 on, with the same draws.

    Args:
        scores: At some ks, by what people call each, e.g. the quality.
        deepest: The last k. Where it is None, the largest of those ks, or the length of the longest
            list, behind which there is nothing to see.

    Raises:
        SettingError: the last k is below 1.
    """
    found = {}
    for name, each in scores.items():
        scored = each.scored
        longest = max(int(np.diff(scored.lists.offsets).max(initial=1)), 1)
        last = min(scored.settings.deepest, longest) if deepest is None else deepest
        ks = tuple(range(1, last + 1)) or (last,)
        settings = replace(scored.settings, ks=ks)
        scored = replace(scored, settings=settings, values=values_at(scored, ks))
        found[name] = score_intervals(scored, resampling=each.resampling)
    return found
