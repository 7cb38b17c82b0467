"""The measures of a run, and the resamples of its pairs over which they are computed.

A draw is a row of counts, one for each pair; the data as they are is a row of ones. A measure is
written once, over rows of counts, and so gives its value and its bootstrap alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ensue.errors import UndefinedError
from ensue.evaluation.judged_runs import (
    TOO_MANY,
    Judged,
    Summary,
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
    Resampling,
    TiedRanking,
    drawn_multiples,
    expected_average_precision,
    expected_cws,
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
        columns = np.where(self.judged.answered, self.judged.answer, n_labels).astype(np.intp)
        cell = self.judged.gold.astype(np.intp) * (n_labels + 1) + columns
        return np.asarray(np.eye(n_labels * (n_labels + 1))[cell], dtype=np.float64)

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
    """Draws × rows: how often each pair, or all that a row stands for, is drawn."""

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

    def ranked_by_confidence(self) -> tuple[Counts, Counts]:
        """Sizes of the tie groups and right answers in them."""
        return self._ranked(self.prepared.by_confidence, self.judged.right)

    def ranked_by_entailment(self) -> tuple[Counts, Counts]:
        """Sizes of the tie groups and entailments in them."""
        return self._ranked(self.prepared.by_entailment, self.judged.is_yes)

    def _ranked(self, by: TiedRanking, hits: NDArray[np.bool_]) -> tuple[Counts, Counts]:
        if self.judged.summary is not None:
            raise UndefinedError(f"rankings are not drawn from {TOO_MANY}")
        return by.sums(self.counts), by.sums(self.counts * hits)


def as_it_is(judged: Judged) -> Resample:
    """The single "draw" that has every pair once."""
    return Resample(Prepared(judged), judged.counts[None, :])


def draws_of(judged: Judged, resampling: Resampling) -> Iterator[Counts]:
    """Draw from the pairs of a judged run, many times; yield the rows' counts, some draws at a time.

    How often each row is drawn is multinomial where rows stand for many pairs.
    """
    if judged.summary is None:
        return resampling.counts(judged.n_pairs)
    return drawn_multiples(judged.counts, resampling.draws, resampling.rng())


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
    summarized: Callable[[Summary], float | None] | None = None
    """Where pairs are not held: the value that was computed of their ranking."""

    def __call__(self, judged: Judged) -> float | None:
        """The value, or None where the run does not define it (`gap` says why)."""
        if self.gap(judged) is not None:
            return None
        if judged.summary is not None and self.summarized is not None:
            return self.summarized(judged.summary)
        value = float(self.weighted(as_it_is(judged))[0])
        return None if np.isnan(value) else value

    def is_drawn(self, judged: Judged) -> bool:
        """Whether the measure has a bootstrap: a ranking of pairs that are not held has none."""
        return judged.summary is None or self.summarized is None


def _nothing_answered(judged: Judged) -> str | None:
    return None if judged.n_answered else "no pair is answered"


def _no_pairs(judged: Judged) -> str | None:
    return None if judged.n_pairs else "there are no pairs"


def _nothing_positive(judged: Judged) -> str | None:
    gap = entailment_gap(judged)
    if gap is None and not judged.is_yes.any():
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
    return expected_cws(*draw.ranked_by_confidence())


def _average_precision(draw: Resample) -> Numbers:
    return expected_average_precision(
        *draw.ranked_by_entailment(), draw.confusion[:, 0].sum(axis=1)
    )


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
    if (judged.answer == label).any():
        return None
    return f"the run never answers {judged.view.labels[label].value}"


def _never_gold(label: int, judged: Judged) -> str | None:
    if (judged.gold == label).any():
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
    summarized=lambda summary: summary.cws,
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
    summarized=lambda summary: summary.average_precision,
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
"""For each measure by name, its value in every draw; NaN where the draw does not define it.

There is none of a measure that is not drawn.
"""


def replicates(
    runs: Sequence[Judged],
    measures: Sequence[Measure],
    *,
    resampling: Resampling = RESAMPLING,
) -> list[Replicates]:
    """The measures of each run over resampled pairs.

    All runs see the same draws, so that differences between them are paired.

    Args:
        runs: Runs on the same pairs in the same order.
        measures: What to compute; where a run does not define one, all its draws are NaN.
        resampling: Draws and seed.
    """
    prepared = [Prepared(judged) for judged in runs]
    drawn = [[m for m in measures if m.is_drawn(judged)] for judged in runs]
    defined = [
        [m for m in chosen if m.gap(judged) is None]
        for judged, chosen in zip(runs, drawn, strict=True)
    ]
    results = [
        {m.name: np.full(resampling.draws if m in chosen else 0, np.nan) for m in measures}
        for chosen in drawn
    ]
    if not runs or runs[0].n_pairs == 0:
        return results
    start = 0
    for counts in draws_of(runs[0], resampling):
        here = slice(start, start + len(counts))
        for one, chosen, result in zip(prepared, defined, results, strict=True):
            resample = Resample(one, counts)
            for measure in chosen:
                result[measure.name][here] = measure.weighted(resample)
        start += len(counts)
    return results


def estimate(
    judged: Judged, measure: Measure, drawn: Numbers, resampling: Resampling = RESAMPLING
) -> Estimate:
    """A measure's value with the percentile interval of its draws."""
    value = measure(judged)
    if value is None:
        return Estimate(None, reason=measure.gap(judged) or "undefined for these pairs")
    if not measure.is_drawn(judged):
        return Estimate(value, no_interval=TOO_MANY)
    low, high = resampling.interval(drawn)
    return Estimate(value, low, high, n_undefined=int(np.isnan(drawn).sum()))


def interval(judged: Judged, measure: Measure, *, resampling: Resampling = RESAMPLING) -> Estimate:
    """One measure of one run, with its bootstrap interval."""
    (result,) = replicates([judged], [measure], resampling=resampling)
    return estimate(judged, measure, result[measure.name], resampling)
