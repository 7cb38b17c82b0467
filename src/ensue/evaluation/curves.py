"""Curves of a run: cutoffs with their bootstrap band, risk and coverage, reliability, ROC."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation.judged_runs import TOO_MANY, Judged, Summary, by_task, confidence_gap
from ensue.evaluation.measures import CWS
from ensue.evaluation.results import (
    CutoffBand,
    Evaluation,
    Reliability,
    ReliabilityBin,
    RiskCoverage,
    RocCurve,
)
from ensue.pairs import CutoffCurve, OperatingPoint, cutoff_curve
from ensue.statistics import RESAMPLING, Resampling, ranking

# The cutoffs of a run: its curve, by task, and with a bootstrap band.


@dataclass(frozen=True, slots=True, eq=False)
class ThinnedCutoffs(CutoffCurve):
    """Some points of a curve whose scores are not held; each is exact.

    Among them are the first and the last, the lowest and the highest of every stretch, the best by
    accuracy and by F, and those that were asked for. What others give is not known here.
    """

    n_cutoffs: int
    """How many candidates the whole curve has."""
    n_best: int
    """How many of them have the highest accuracy; `best` may have fewer, the lowest ones."""
    auc: float
    """The area under the ROC curve; NaN where it is undefined."""
    known: frozenset[float] = field(default_factory=frozenset)
    """Cutoffs, candidates or not, that were asked for beforehand."""
    precision_known: float | None = None
    """The precision that was asked for beforehand."""

    def at(self, cutoff: float) -> OperatingPoint:
        """What a cutoff gives that is kept, or was asked for beforehand.

        Raises:
            SettingError: it is not a number, or nothing is known of it.
        """
        if cutoff not in self.known and not np.isnan(cutoff) and cutoff not in self.cutoffs:
            raise SettingError(
                f"what the cutoff {cutoff!r} gives on {TOO_MANY} is not known",
                hint="ask for it before the scores are read",
            )
        return CutoffCurve.at(self, cutoff)

    def for_precision(self, wanted: float) -> OperatingPoint:
        """The lowest cutoff that reaches the precision that was asked for beforehand.

        Raises:
            SettingError: another precision is wanted, or it is not in (0, 1].
            UndefinedError: no cutoff reaches it.
        """
        if wanted != self.precision_known:
            raise SettingError(
                f"which cutoff reaches a precision of {wanted!r} on {TOO_MANY} is not known",
                hint="ask for it before the scores are read",
            )
        return CutoffCurve.for_precision(self, wanted)


@dataclass(frozen=True, slots=True, eq=False)
class RunCutoffs:
    """The curve of a run's scores, as a whole and by task."""

    name: str
    """What the run is called."""
    whole: CutoffCurve
    tasks: Mapping[str, CutoffCurve]
    """Empty unless asked for."""


def scored(judged: Judged) -> Judged:
    """The pairs that have a score, decided or not.

    Raises:
        UndefinedError: none has.
    """
    chosen = ~np.isnan(judged.score)
    if not chosen.any():
        raise no_scores(judged.name)
    return judged.subset(chosen)


def no_scores(run: str) -> UndefinedError:
    """What is said of a run that has no cutoff."""
    return UndefinedError(
        "the run has no scores, so there is no cutoff to choose",
        place=run,
        hint="a run of a recognizer with scores, written by 'ensue judge', has them",
    )


def run_cutoffs(judged: Judged) -> CutoffCurve:
    """What every cutoff gives on the run's scored pairs: entailment against the rest.

    Raises:
        UndefinedError: no pair has a score.
        SettingError: the pairs are not held, and their cutoffs were not asked for.
    """
    if judged.summary is not None:
        return _summarized_cutoffs(judged.name, judged.summary)
    pairs = scored(judged)
    return cutoff_curve(pairs.score, pairs.is_yes)


def _summarized_cutoffs(run: str, summary: Summary) -> CutoffCurve:
    if summary.cutoffs is not None:
        return summary.cutoffs
    if summary.n_scored == 0:
        raise no_scores(run)
    raise SettingError(
        f"the cutoffs of {TOO_MANY} were not computed",
        place=run,
        hint="ask for them when the run is evaluated",
    )


def cutoffs_by_task(judged: Judged, *, tasks: bool = False) -> RunCutoffs:
    """The curve of a run on all scored pairs and, where that is asked for, on those of each task.

    Raises:
        UndefinedError: no pair has a score.
    """
    whole = scored(judged)
    of_tasks = by_task(whole) if tasks else {}
    curves = {task: run_cutoffs(part) for task, part in of_tasks.items()}
    return RunCutoffs(judged.name, run_cutoffs(whole), curves)


def chosen_cutoffs(curve: CutoffCurve, precision: float | None = None) -> list[float]:
    """The cutoffs that are best by accuracy and by F, and that reach a precision; if there are."""
    choices: list[Callable[[], float]] = [lambda: curve.tuned, lambda: curve.best_f().cutoff]
    if precision is not None:
        choices.append(lambda: curve.for_precision(precision).cutoff)
    found = []
    for choose in choices:
        with suppress(UndefinedError):
            found.append(choose())
    return found


def n_cutoffs(curve: CutoffCurve) -> int:
    """How many candidates a curve has, shown or not."""
    return curve.n_cutoffs if isinstance(curve, ThinnedCutoffs) else len(curve.cutoffs)


def n_best(curve: CutoffCurve) -> int:
    """How many candidates have the highest accuracy."""
    return curve.n_best if isinstance(curve, ThinnedCutoffs) else len(curve.best)


def cutoff_band(
    scores: ArrayLike, is_yes: ArrayLike, cutoffs: ArrayLike, *, resampling: Resampling = RESAMPLING
) -> CutoffBand:
    """The accuracy at fixed cutoffs with a pointwise bootstrap interval.

    Raises:
        UndefinedError: there are no scores, or one of them is not a number.
    """
    curve = cutoff_curve(scores, is_yes)
    return curve_band(curve, cutoffs, resampling=resampling)


def curve_band(
    curve: CutoffCurve, cutoffs: ArrayLike, *, resampling: Resampling = RESAMPLING
) -> CutoffBand:
    """The accuracy at cutoffs of a curve, with a pointwise bootstrap interval.

    What a resample does to the curve depends only on how many pairs of either kind it has between
    two neighboring cutoffs, and these counts are multinomial: what is made has the size of draws ×
    cutoffs, whatever the number of pairs.
    """
    grid = np.unique(np.asarray(cutoffs, dtype=np.float64))
    cells = _between(curve, grid)
    width, n = len(grid) + 1, curve.n_pairs
    accuracy = _right_at(cells[None, :], width)[0] / n
    if resampling.draws == 0:
        return CutoffBand(grid, accuracy, accuracy, accuracy)
    drawn = resampling.rng().multinomial(n, cells / n, size=resampling.draws)
    ends = [(1 - resampling.level) / 2, (1 + resampling.level) / 2]
    low, high = np.quantile(_right_at(drawn, width) / n, ends, axis=0)
    return CutoffBand(grid, accuracy, low, high)


def _between(curve: CutoffCurve, grid: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many entailments, and then how many others, lie up to each cutoff and above the last."""
    place = np.searchsorted(curve.cutoffs, grid, side="right") - 1
    up_to = (curve.n_yes - curve.right_yes[place], curve.right_no[place])
    of_kind = zip(up_to, (curve.n_yes, curve.n_no), strict=True)
    return np.concatenate([np.diff(found, prepend=0, append=n) for found, n in of_kind])


def _right_at(cells: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Draws × cutoffs: entailments above the cutoff and other pairs at or below it.

    A score in place g lies above g cutoffs: it is a yes for the cutoffs before g, a no from g on.
    """
    yes, no = cells[:, :width], cells[:, width:]
    above = yes.sum(axis=1, keepdims=True) - np.cumsum(yes, axis=1)
    return np.asarray((above + np.cumsum(no, axis=1))[:, :-1])


# Curves over confidence: risk against coverage, and confidence against accuracy.

BINS = 10
"""Bins of the reliability curve, unless asked otherwise."""


def risk_coverage(judged: Judged) -> RiskCoverage:
    """Risk and coverage when answers below a confidence are withheld (El-Yaniv & Wiener 2010).

    There is one point for each distinct confidence: answers that tie are given or withheld
    together. Of pairs that are not held there are at most `MOST_POINTS`. The area is the mean risk over the answered pairs, ties in expectation over their
    random order; it is 1 − cws.

    Raises:
        UndefinedError: no pair is answered, or an answer has no confidence.
    """
    _need_confidences(judged, "risk-coverage curve")
    if judged.summary is not None and judged.summary.risk_coverage is not None:
        return judged.summary.risk_coverage
    by = ranking(judged.confidence, judged.answered)
    ends = np.append(by.starts[1:], len(by.order))
    right = np.cumsum(judged.right[by.order])[ends - 1]
    return RiskCoverage(
        coverage=ends / judged.n_pairs,
        risk=1 - right / ends,
        confidence=judged.confidence[by.order][by.starts],
        area=1 - (CWS(judged) or 0.0),
    )


def reliability(judged: Judged, *, bins: int = BINS, floor: float = 0.0) -> Reliability:
    """Accuracy against confidence in equal bins, and the expected calibration error.

    The error is that of Naeini, Cooper & Hauskrecht (2015): the mean over the answers of the
    distance between accuracy and mean confidence in their bin. A bin holds the confidences above
    its lower end up to its upper end; the first one holds 0 too.

    Args:
        judged: Gold and run side by side.
        bins: How many bins cut [0, 1].
        floor: What a confidence of 0 means: c is read as floor + (1 − floor)·c. With the view's
            chance, a run that is not confident at all is expected to guess.

    Raises:
        SettingError: there is no bin, or the floor is not in [0, 1).
        UndefinedError: no pair is answered, or an answer has no confidence.
    """
    if bins < 1:
        raise SettingError(f"{bins!r} bins hold nothing", hint="e.g. 10")
    if not 0 <= floor < 1:
        raise SettingError(f"floor {floor!r} is not in [0, 1)", hint="0 reads confidences as is")
    _need_confidences(judged, "reliability curve")
    if judged.summary is not None:
        return _summarized_reliability(judged.summary, bins, floor)
    confidence = floor + (1 - floor) * judged.confidence[judged.answered]
    right = judged.right[judged.answered]
    edges = np.linspace(0, 1, bins + 1)
    place = np.clip(np.searchsorted(edges, confidence, side="left") - 1, 0, bins - 1)
    n = np.bincount(place, minlength=bins)
    sums = np.bincount(place, weights=confidence, minlength=bins)
    hits = np.bincount(place, weights=right, minlength=bins)
    return Reliability(
        bins=tuple(
            ReliabilityBin(
                low=float(edges[i]),
                high=float(edges[i + 1]),
                n=int(n[i]),
                confidence=float(sums[i] / n[i]) if n[i] else None,
                accuracy=float(hits[i] / n[i]) if n[i] else None,
            )
            for i in range(bins)
        ),
        error=float(np.abs(hits - sums).sum() / len(confidence)),
        n=len(confidence),
        floor=floor,
    )


def roc(curve: CutoffCurve) -> RocCurve:
    """The receiver operating characteristic of a cutoff curve, and the area under it.

    Raises:
        UndefinedError: the gold has only entailments, or none.
    """
    if curve.n_yes == 0 or curve.n_no == 0:
        raise UndefinedError("an ROC curve needs entailments and other pairs in the gold")
    true = curve.right_yes[::-1] / curve.n_yes
    false = 1 - curve.right_no[::-1] / curve.n_no
    if isinstance(curve, ThinnedCutoffs):
        area = curve.auc
    else:
        area = float((np.diff(false) * (true[1:] + true[:-1])).sum() / 2)
    return RocCurve(false_positive_rate=false, true_positive_rate=true, auc=area)


def _summarized_reliability(summary: Summary, bins: int, floor: float) -> Reliability:
    if bins != BINS or floor not in summary.reliability:
        known = " and ".join(f"{each:.3g}" for each in summary.reliability)
        raise SettingError(
            f"{bins!r} bins from {floor!r} were not counted on {TOO_MANY}",
            hint=f"there are {BINS} bins, from {known}",
        )
    return summary.reliability[floor]


def _need_confidences(judged: Judged, what: str) -> None:
    gap = confidence_gap(judged)
    if gap:
        raise UndefinedError(
            f"no {what} without confidences: {gap}", place=judged.name, hint="add them to the run"
        )


@dataclass(frozen=True, slots=True)
class ConfidenceCurves:
    """What the confidences of one run are worth."""

    run: str
    plain: Reliability
    raised: Reliability
    """The same with a confidence of 0 read as a guess."""
    risk: RiskCoverage


def confidence_curves(evaluation: Evaluation) -> list[ConfidenceCurves]:
    """Of the runs that have confidences."""
    found = []
    for run in evaluation.runs:
        with suppress(UndefinedError):
            raised = reliability(run.judged, floor=evaluation.view.chance)
            plain, risk = reliability(run.judged), risk_coverage(run.judged)
            found.append(ConfidenceCurves(run.name, plain, raised, risk))
    return found
