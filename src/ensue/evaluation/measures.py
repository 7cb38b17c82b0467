"""The measures of a run, and the resamples of its pairs over which they are computed.

A draw is a row of counts, one for each pair; the data as they are is a row of ones. A measure is
written once, over rows of counts, and so gives its value and its bootstrap alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ensue.evaluation.judged_runs import (
    Judged,
    cells_of,
    confidence_gap,
    entailment_gap,
    entailment_key,
)
from ensue.pairs import Label, View
from ensue.statistics import (
    RESAMPLING,
    Counts,
    Estimate,
    Numbers,
    Parts,
    Resampling,
    TiedRanking,
    average_precision_of_parts,
    cws_of_parts,
    drawn_multiples,
    ranked_parts,
    ranking,
    ratio,
)

# Resampling with counts: how often each pair is drawn, and the statistics that measures need.


@dataclass(frozen=True, eq=False)
class Prepared:
    """A judged run with what all its draws share."""

    judged: Judged

    @cached_property
    def cells(self) -> Numbers:
        """For each pair a row with a 1 at its cell of the confusion matrix."""
        n_labels = len(self.judged.view.labels)
        return np.asarray(np.eye(n_labels * (n_labels + 1))[cells_of(self.judged)])

    @cached_property
    def by_confidence(self) -> TiedRanking:
        """The answers by decreasing confidence in them."""
        return ranking(self.judged.confidence, self.judged.answered)

    @cached_property
    def by_entailment(self) -> TiedRanking:
        """The answers by decreasing confidence that entailment holds."""
        return ranking(entailment_key(self.judged), self.judged.answered)


@dataclass(frozen=True, eq=False)
class Resample:
    """Some draws from the pairs of a judged run."""

    prepared: Prepared
    counts: Counts
    """Draws × pairs: how often each pair, or all that stand for one stratum, is drawn."""

    @property
    def judged(self) -> Judged:
        """The run that is drawn from."""
        return self.prepared.judged

    @cached_property
    def confusion(self) -> Numbers:
        """Draws × gold labels × answers; the last answer is "unanswered"."""
        n_labels = len(self.judged.view.labels)
        table = self.counts.astype(np.float64) @ self.prepared.cells
        return table.reshape(-1, n_labels, n_labels + 1)

    def ranked_by_confidence(self) -> Parts:
        """Sizes of the tie groups and right answers in them, as parts of the ranking."""
        return [self._ranked(self.prepared.by_confidence, self.judged.right)]

    def ranked_by_entailment(self) -> Parts:
        """Sizes of the tie groups and entailments in them, as parts of the ranking."""
        return [self._ranked(self.prepared.by_entailment, self.judged.is_yes)]

    def _ranked(self, by: TiedRanking, hits: NDArray[np.bool_]) -> tuple[Counts, Counts]:
        return by.sums(self.counts), by.sums(self.counts * hits)


class Whole(Resample):
    """The single "draw" that has every pair once; what is sorted is sorted in parts."""

    @cached_property
    def confusion(self) -> Numbers:
        """1 × gold labels × answers."""
        return self.judged.confusion[None].astype(np.float64)

    def ranked_by_confidence(self) -> Parts:
        """As of any draw."""
        judged = self.judged
        parts = ranked_parts(judged.confidence, judged.answered, judged.right)
        return ((part.sizes, part.hits) for part in parts)

    def ranked_by_entailment(self) -> Parts:
        """As of any draw."""
        judged = self.judged
        parts = ranked_parts(entailment_key(judged), judged.answered, judged.is_yes)
        return ((part.sizes, part.hits) for part in parts)


def as_it_is(judged: Judged) -> Whole:
    """The single "draw" that has every pair once."""
    return Whole(Prepared(judged), np.broadcast_to(np.int64(1), (1, judged.n_pairs)))


# Strata: of very many pairs, those with the same gold, the same answers and neighboring ranks
# are drawn together, so that a draw costs the same whatever their number.

_STEPS = {1: 8, 2: 2}
"""Into how many strata each halving of a ranking is cut, by the number of runs."""
_SAMPLE = 1 << 20
"""From so many pairs it is seen where strata end."""
_LEAST = 16
"""The fewest pairs of this sample in the first stratum."""
_ROWS = 1 << 20
"""Pairs that are put to their strata at once."""


@dataclass(frozen=True, slots=True, eq=False)
class RankStrata:
    """Pairs of one or two runs that are drawn together."""

    runs: tuple[Judged, ...]
    """The runs with one "pair" for each stratum, its keys being the number of its ranks."""
    counts: Counts
    """How many pairs each stratum has."""


def strata(runs: Sequence[Judged]) -> RankStrata:
    """Cut the pairs of runs into strata.

    A ranking is cut at the shares 2^(−k/8) of its pairs (2^(−k/2) where two runs are drawn
    together), so that places near the top, which weigh most, are told apart best. Inside a stratum
    pairs count as tied. What their order adds to the variance of the cws is about
    (ln 2 / 8)²/24, 0.03 % of it, and 0.5 % for two runs.
    """
    keys = [_Ranks.of(judged, _STEPS.get(len(runs), 1)) for judged in runs]
    shape = [len(runs[0].view.labels)]
    for judged, ranks in zip(runs, keys, strict=True):
        shape += [len(judged.view.labels) + 1, *(len(edges) + 1 for edges in ranks.edges)]
    counts = np.zeros(int(np.prod(shape)), np.int64)
    for start in range(0, runs[0].n_pairs, _ROWS):
        rows = slice(start, start + _ROWS)
        columns = [runs[0].gold[rows].astype(np.int64)]
        for judged, ranks in zip(runs, keys, strict=True):
            columns += [judged.answer[rows].astype(np.int64) + 1, *ranks.codes(rows)]
        counts += np.bincount(np.ravel_multi_index(columns, shape), minlength=len(counts))
    found = np.flatnonzero(counts)
    gold, *rest = np.unravel_index(found, shape)
    drawn = []
    for judged, ranks in zip(runs, keys, strict=True):
        answer, *places = (rest.pop(0) for _ in range(1 + len(ranks.edges)))
        drawn.append(ranks.stratified(judged, gold, answer - 1, places))
    return RankStrata(tuple(drawn), counts[found])


@dataclass(frozen=True, slots=True, eq=False)
class _Ranks:
    """The keys by which a run is ranked, and where their strata end."""

    names: tuple[str, ...]
    """`confidence`, `score` or both."""
    keys: tuple[Numbers, ...]
    edges: tuple[Numbers, ...]

    @classmethod
    def of(cls, judged: Judged, steps: int) -> _Ranks:
        found = [] if judged.confidence_gap else ["confidence"]
        found += ["score"] if judged.ranked and not judged.score_gap else []
        keys = [getattr(judged, name) for name in found]
        return cls(tuple(found), tuple(keys), tuple(_edges(judged, key, steps) for key in keys))

    def codes(self, rows: slice) -> list[NDArray[np.int64]]:
        """The strata of some pairs by each key; where there is none, the highest."""
        return [np.searchsorted(e, k[rows]) for k, e in zip(self.keys, self.edges, strict=True)]

    def stratified(
        self,
        judged: Judged,
        gold: NDArray[np.intp],
        answer: NDArray[np.intp],
        places: Sequence[NDArray[np.intp]],
    ) -> Judged:
        """The run on its strata."""
        nothing = np.full(len(gold), np.nan)
        keys = dict(zip(self.names, (place.astype(np.float64) for place in places), strict=True))
        return replace(
            judged,
            gold=gold.astype(np.int8),
            answer=answer.astype(np.int8),
            confidence=keys.get("confidence", nothing),
            score=keys.get("score", nothing),
            status=np.zeros(len(gold), np.int8),
            tasks=judged.tasks.subset(np.zeros(0, np.intp)),
            groups=None,
            pairs=(),
            values={},
        )


def _edges(judged: Judged, key: Numbers, steps: int) -> Numbers:
    """The highest key of each stratum but the last, increasing."""
    step = max(1, len(key) // _SAMPLE)
    some = np.sort(key[::step][judged.answered[::step]])
    n_strata = max(0, int(steps * np.log2(max(len(some) / _LEAST, 1))))
    above = len(some) * 2.0 ** (-np.arange(1, n_strata + 1) / steps)
    return np.unique(some[len(some) - 1 - above.astype(np.int64)])


# The measures: name, definition and range of each, and the function that computes it.

_CHALLENGE = "Dagan, Glickman & Magnini 2005"
_SECOND_CHALLENGE = "Bar-Haim et al. 2006"


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that says how good a run is; call it with a `Judged`."""

    name: str
    summary: str
    formula: str
    source: str
    """Where it is defined."""
    range: tuple[float, float]
    weighted: Callable[[Resample], Numbers]
    """The value of each draw; NaN where the draw does not define it."""
    gap: Callable[[Judged], str | None]
    """Why the run does not define it, or None where it does."""

    def __call__(self, judged: Judged) -> float | None:
        """The value, or None where the run does not define it (`gap` says why)."""
        if self not in judged.values:
            judged.values[self] = self._value(judged)
        return judged.values[self]

    def _value(self, judged: Judged) -> float | None:
        if self.gap(judged) is not None:
            return None
        value = float(self.weighted(as_it_is(judged))[0])
        return None if np.isnan(value) else value


def _nothing_answered(judged: Judged) -> str | None:
    return None if judged.n_answered else "no pair is answered"


def _no_pairs(judged: Judged) -> str | None:
    return None if judged.n_pairs else "there are no pairs"


def _nothing_positive(judged: Judged) -> str | None:
    gap = entailment_gap(judged)
    if gap is None and judged.confusion[0].sum() == 0:
        return "no pair is an entailment"
    return gap


def _right(draw: Resample) -> Numbers:
    return np.asarray(np.trace(draw.confusion[:, :, :-1], axis1=1, axis2=2))


def _answered(draw: Resample) -> Numbers:
    return np.asarray(draw.confusion[:, :, :-1].sum(axis=(1, 2)))


def _all(draw: Resample) -> Numbers:
    return np.asarray(draw.confusion.sum(axis=(1, 2)))


def _accuracy(draw: Resample) -> Numbers:
    return ratio(_right(draw), _answered(draw))


def _accuracy_all(draw: Resample) -> Numbers:
    return ratio(_right(draw), _all(draw))


def _coverage(draw: Resample) -> Numbers:
    return ratio(_answered(draw), _all(draw))


def _cws(draw: Resample) -> Numbers:
    return cws_of_parts(draw.ranked_by_confidence())


def _average_precision(draw: Resample) -> Numbers:
    wanted = draw.confusion[:, 0].sum(axis=1)
    return average_precision_of_parts(draw.ranked_by_entailment(), wanted)


def _precision(draw: Resample, label: int) -> Numbers:
    return ratio(draw.confusion[:, label, label], draw.confusion[:, :, label].sum(axis=1))


def _recall(draw: Resample, label: int) -> Numbers:
    return ratio(draw.confusion[:, label, label], draw.confusion[:, label].sum(axis=1))


def _f(draw: Resample, label: int) -> Numbers:
    both = draw.confusion[:, :, label].sum(axis=1) + draw.confusion[:, label].sum(axis=1)
    return ratio(2 * draw.confusion[:, label, label], both)


def _macro_f(draw: Resample) -> Numbers:
    each = np.stack([_f(draw, i) for i in range(len(draw.judged.view.labels))])
    return ratio(np.nansum(each, axis=0), (~np.isnan(each)).sum(axis=0).astype(np.float64))


def _never_answered(label: int, judged: Judged) -> str | None:
    if judged.confusion[:, label].any():
        return None
    return f"the run never answers {judged.view.labels[label].value}"


def _never_gold(label: int, judged: Judged) -> str | None:
    if judged.confusion[label].any():
        return None
    return f"no pair is {judged.view.labels[label].value} in the gold"


def _never_either(label: int, judged: Judged) -> str | None:
    gap = _never_gold(label, judged)
    return gap and _never_answered(label, judged) and f"{gap}, and no answer says so"


def precision_of(label: Label, view: View) -> Measure:
    """Precision of one label: how many of the pairs answered so are so."""
    i = view.labels.index(label)
    return Measure(
        name="precision" if i == 0 else f"precision-{label.value}",
        summary=f"share of the {label.value} answers that are right",
        formula="right / answered so",
        source=_CHALLENGE,
        range=(0.0, 1.0),
        weighted=lambda draw: _precision(draw, i),
        gap=lambda judged: _never_answered(i, judged),
    )


def recall_of(label: Label, view: View) -> Measure:
    """Recall of one label: how many of the pairs that are so are answered so."""
    i = view.labels.index(label)
    return Measure(
        name="recall" if i == 0 else f"recall-{label.value}",
        summary=f"share of the {label.value} pairs that are answered so; unanswered ones are not",
        formula="right / so in the gold",
        source=_CHALLENGE,
        range=(0.0, 1.0),
        weighted=lambda draw: _recall(draw, i),
        gap=lambda judged: _never_gold(i, judged),
    )


def f_of(label: Label, view: View) -> Measure:
    """F of one label: the harmonic mean of its precision and recall."""
    i = view.labels.index(label)
    return Measure(
        name="f" if i == 0 else f"f-{label.value}",
        summary=f"harmonic mean of precision and recall of {label.value}",
        formula="2·right / (answered so + so in the gold)",
        source=f"van Rijsbergen 1979; {_CHALLENGE}",
        range=(0.0, 1.0),
        weighted=lambda draw: _f(draw, i),
        gap=lambda judged: _never_either(i, judged),
    )


ACCURACY = Measure(
    name="accuracy",
    summary="share of the answers that are right",
    formula="right / answered",
    source=_CHALLENGE,
    range=(0.0, 1.0),
    weighted=_accuracy,
    gap=_nothing_answered,
)
ACCURACY_ALL = Measure(
    name="accuracy-all",
    summary="share of all pairs that are answered right",
    formula="right / pairs",
    source=_CHALLENGE,
    range=(0.0, 1.0),
    weighted=_accuracy_all,
    gap=_no_pairs,
)
COVERAGE = Measure(
    name="coverage",
    summary="share of the pairs that are answered",
    formula="answered / pairs",
    source=_CHALLENGE,
    range=(0.0, 1.0),
    weighted=_coverage,
    gap=_no_pairs,
)
CWS = Measure(
    name="cws",
    summary="confidence-weighted score of the answers, ties in expectation",
    formula="1/n Σ_i (right up to i)/i, by decreasing confidence in the answer",
    source=_CHALLENGE,
    range=(0.0, 1.0),
    weighted=_cws,
    gap=confidence_gap,
)
AVERAGE_PRECISION = Measure(
    name="average-precision",
    summary="average precision of the entailments, ties in expectation",
    formula="1/R Σ_i yes(i)·(yes up to i)/i, by decreasing confidence that entailment holds,"
    " for R entailments, answered or not",
    source=_SECOND_CHALLENGE,
    range=(0.0, 1.0),
    weighted=_average_precision,
    gap=_nothing_positive,
)
MACRO_F = Measure(
    name="macro-f",
    summary="mean F of the labels that occur",
    formula="mean of F over the labels in gold or answers",
    source="Lewis 1991",
    range=(0.0, 1.0),
    weighted=_macro_f,
    gap=_no_pairs,
)
PRECISION = precision_of(Label.ENTAILMENT, View.TWO_WAY)
RECALL = recall_of(Label.ENTAILMENT, View.TWO_WAY)
F = f_of(Label.ENTAILMENT, View.TWO_WAY)

MEASURES = (ACCURACY, ACCURACY_ALL, COVERAGE, CWS, AVERAGE_PRECISION, PRECISION, RECALL, F)
"""The built-in measures that have a name of their own, in the order they are shown."""


# Bootstrap intervals, written once for every measure (Efron & Tibshirani 1993, chapter 13).

Replicates = dict[str, Numbers]
"""For each measure by name, its value in every draw; NaN where the draw does not define it."""


def replicates(
    runs: Sequence[Judged],
    measures: Sequence[Measure],
    *,
    resampling: Resampling = RESAMPLING,
) -> list[Replicates]:
    """The measures of each run over resampled pairs.

    All runs see the same draws, so that differences between them are paired. Of more than `LARGE`
    pairs strata are drawn, one or two runs at a time; what a draw differs from the run as it is, it
    does from the exact value.

    Args:
        runs: Runs on the same pairs in the same order.
        measures: What to compute; where a run does not define one, all its draws are NaN.
        resampling: Draws and seed.
    """
    results = [{m.name: np.full(resampling.draws, np.nan) for m in measures} for _ in runs]
    if not runs or runs[0].n_pairs == 0 or resampling.draws == 0:
        return results
    defined = [[m for m in measures if m.gap(judged) is None] for judged in runs]
    if not runs[0].is_large:
        prepared, counted = [Prepared(judged) for judged in runs], None
        drawn = resampling.counts(runs[0].n_pairs)
    else:
        cut = strata(runs)
        prepared, counted = [Prepared(judged) for judged in cut.runs], cut.counts[None, :]
        drawn = drawn_multiples(cut.counts, resampling.draws, resampling.rng())
    start = 0
    for counts in drawn:
        here = slice(start, start + len(counts))
        for one, chosen, result in zip(prepared, defined, results, strict=True):
            resample = Resample(one, counts)
            for measure in chosen:
                result[measure.name][here] = measure.weighted(resample)
        start += len(counts)
    if counted is not None:
        for judged, one, chosen, result in zip(runs, prepared, defined, results, strict=True):
            whole = Resample(one, counted)
            for measure in chosen:
                exact = measure(judged)
                result[measure.name] += np.nan if exact is None else exact - measure.weighted(whole)
    return results


def paired_replicates(
    runs: tuple[Judged, Judged],
    measures: Sequence[Measure],
    own: tuple[Replicates, Replicates],
    resampling: Resampling,
) -> tuple[Replicates, Replicates]:
    """The measures of two runs in the same draws.

    Args:
        runs: Runs on the same pairs in the same order.
        measures: What to compute.
        own: What `replicates` gave for each; of few pairs these are the same draws already.
        resampling: Draws and seed.
    """
    if not runs[0].is_large:
        return own
    first, second = replicates(runs, measures, resampling=resampling)
    return first, second


def estimate(
    judged: Judged, measure: Measure, drawn: Numbers, resampling: Resampling = RESAMPLING
) -> Estimate:
    """A measure's value with the percentile interval of its draws."""
    value = measure(judged)
    if value is None:
        return Estimate(None, reason=measure.gap(judged) or "undefined for these pairs")
    low, high = resampling.interval(drawn)
    return Estimate(value, low, high, n_undefined=int(np.isnan(drawn).sum()))


def interval(judged: Judged, measure: Measure, *, resampling: Resampling = RESAMPLING) -> Estimate:
    """One measure of one run, with its bootstrap interval."""
    (result,) = replicates([judged], [measure], resampling=resampling)
    return estimate(judged, measure, result[measure.name], resampling)
