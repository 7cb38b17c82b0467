"""Intervals of scores by resampling judges and terms, and paired differences between methods.

A list's interval is over judges; that of a mean over lists is over judges and terms together, the
lists of one term being drawn together (Efron & Tibshirani 1993, chapter 13). All lists and methods
see the same draws, so that differences between methods are paired.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ensue.errors import UnknownNameError
from ensue.evaluation import holm
from ensue.evaluation.measuring.intervals import (
    DRAWS,
    LEVEL,
    check_resampling,
    percentile_interval,
)
from ensue.evaluation.measuring.resampling import drawn_counts
from ensue.evaluation.measuring.sums import estimate_of, ratios
from ensue.evaluation.results import Difference, Estimate
from ensue.evaluation.significance.comparison import bootstrap_p
from ensue.paraphrase.model import Indices, Numbers
from ensue.paraphrase.scores.drawing import JudgeDraws, counted_interval, judge_draws
from ensue.paraphrase.scores.scoring import NO_LIST, ScoredLists
from ensue.paraphrase.scores.settings import MEASURES, PatternMeasure

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
    draws: int
    level: float
    seed: int

    def of_list(self, i: int, measure: PatternMeasure, k: int) -> Estimate:
        """A list's score with its interval; where it has none the reason says why."""
        value = self.scored.value(i, measure, k)
        if value is None or self.lists_reason or not self.draws:
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
        found = estimate_of(
            values if self.means_reason is None else values[:1], self.level, NO_LIST
        )
        if found.value is not None and self.means_reason is not None:
            return Estimate(found.value, reason=self.means_reason)
        return found


def score_intervals(
    scored: ScoredLists, *, draws: int = DRAWS, level: float = LEVEL, seed: int = 0
) -> ScoreIntervals:
    """Resample judges and terms.

    Where Q is not by judges, or by a single one, only terms are drawn: lists have no intervals then.

    Args:
        scored: The lists.
        draws: How many resamples.
        level: Of the intervals.
        seed: Of the random numbers.

    Raises:
        SettingError: the number of draws or the level makes no sense, or Q is not by the judges
            that the settings name.
    """
    check_resampling(draws, level)
    rng = np.random.default_rng(seed)
    judges = judge_draws(scored, draws, rng)
    low, high = _list_intervals(judges, level)
    table = _ByTerm.of(scored)
    means, pairs = table.resampled(judges, draws, rng)
    reason = ONE_TERM if table.n_terms == 1 else None
    return ScoreIntervals(
        scored=scored,
        low=low,
        high=high,
        lists_reason=judges.reason,
        methods=scored.lists.methods,
        _means=means,
        means_reason=reason,
        differences=tuple(_differences(scored, table, pairs, level, reason)),
        draws=draws,
        level=level,
        seed=seed,
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
        terms = {term: i for i, term in enumerate(scored.lists.terms)}
        methods = {method: i for i, method in enumerate(scored.lists.methods)}
        keys = scored.lists.keys
        return cls(
            np.array([terms[key.term] for key in keys], np.int64),
            np.array([methods[key.method] for key in keys], np.int64),
            len(terms),
            len(methods),
        )

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
        found = ratios(sums[0], sums[1]).reshape(draws + 1, -1, *judges.scored.values.shape[1:])
        return found[:, : self.n_methods + 1], found[:, self.n_methods + 1 :]

    def n_shared(self, values: Numbers, first: int, second: int) -> Indices:
        """Measures × ks: how many terms have a defined score by both methods."""
        defined = ~np.isnan(self.table(values)[:, [first, second]])
        return np.asarray(defined.all(axis=1).sum(axis=0), np.int64)


def _differences(
    scored: ScoredLists, table: _ByTerm, pairs: Numbers, level: float, reason: str | None
) -> Iterable[MethodDifference]:
    methods, chosen = scored.lists.methods, table.pairs()
    shared = [table.n_shared(scored.values, i, j) for i, j in chosen]
    for a, measure in enumerate(MEASURES):
        for b, k in enumerate(scored.settings.ks):
            found = [_difference(pairs[:, n, a, b], level, reason) for n in range(len(chosen))]
            corrected = iter(holm([each.p for each in found if each.p is not None]))
            for (i, j), each, n_terms in zip(chosen, found, shared, strict=True):
                p_holm = None if each.p is None else next(corrected)
                yield MethodDifference(
                    methods[i], methods[j], measure, k, int(n_terms[a, b]), each, p_holm
                )


def _difference(values: Numbers, level: float, reason: str | None) -> Difference:
    if np.isnan(values[0]):
        return Difference(None, reason=NO_SHARED_TERM)
    drawn = values[1:][~np.isnan(values[1:])]
    if reason is not None or not drawn.size:
        return Difference(float(values[0]), reason=reason)
    return Difference(float(values[0]), *percentile_interval(drawn, level), bootstrap_p(drawn))
