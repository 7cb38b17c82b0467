"""Curves of a run: cutoffs with their bootstrap band, risk and coverage, reliability, ROC."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation.evaluator import read_line_up
from ensue.evaluation.judged_runs import Judged, confidence_gap, task_parts
from ensue.evaluation.measures import CWS
from ensue.evaluation.results import (
    CutoffBand,
    Evaluation,
    Reliability,
    ReliabilityBin,
    RiskCoverage,
    RocCurve,
)
from ensue.files import OnFinding
from ensue.pairs import CutoffCurve, Finding, ReadKeywords, cutoff_curve
from ensue.statistics import RESAMPLING, Resampling, ranked_parts

# The cutoffs of a run: its curve, by task, and with a bootstrap band.


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
        SettingError: scores were not wanted when the run was read.
    """
    return judged.subset(_with_score(judged))


def run_cutoffs(judged: Judged) -> CutoffCurve:
    """What every cutoff gives on the run's scored pairs: entailment against the rest.

    Raises:
        UndefinedError: no pair has a score.
        SettingError: scores were not wanted when the run was read.
    """
    chosen = _with_score(judged)
    return cutoff_curve(judged.score[chosen], judged.is_yes[chosen])


def _with_score(judged: Judged) -> NDArray[np.bool_]:
    if not judged.has_scores:
        raise SettingError(
            "scores-run-not-kept",
            "the scores of the run were not kept",
            place=judged.name,
            hint="ask for cutoffs when the run is evaluated",
        )
    chosen = ~np.isnan(judged.score)
    if not chosen.any():
        raise UndefinedError(
            "run-no-scores-no",
            "the run has no scores, so there is no cutoff to choose",
            place=judged.name,
            hint="a run of a recognizer with scores, written by 'ensue judge', has them",
        )
    return chosen


def cutoffs_by_task(judged: Judged, *, tasks: bool = False) -> RunCutoffs:
    """The curve of a run on all scored pairs and, where that is asked for, on those of each task.

    Raises:
        UndefinedError: no pair has a score.
    """
    whole = scored(judged)
    of_tasks = task_parts(whole) if tasks else {}
    curves = {task: run_cutoffs(whole.subset(part)) for task, part in of_tasks.items()}
    return RunCutoffs(judged.name, run_cutoffs(whole), curves)


def source_cutoffs(
    gold: str | Path,
    run: str | Path,
    *,
    reading: ReadKeywords | None = None,
    on_finding: OnFinding | None = None,
    tasks: bool = False,
) -> tuple[RunCutoffs, tuple[Finding, ...]]:
    """The curves of a run's scores by the names of gold and run, whatever their size.

    Args:
        gold: A file, a folder, a glob, the URL of one of them, or `-`.
        run: A file or a folder of shards.
        reading: How to read the gold; its labels hold for a plain run, too.
        on_finding: Is told of problems in the gold that do not stop the reading.
        tasks: Whether each task gets its own curve, too.

    Returns:
        The curves, and what does not fit in gold and run.

    Raises:
        UndefinedError: no pair has a score.
        EnsueError: gold or run cannot be read, or do not go together.
    """
    lined = read_line_up(gold, [run], reading=reading, on_finding=on_finding)
    return cutoffs_by_task(lined.judged[0], tasks=tasks), lined.findings


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
    together. The area is the mean risk over the answered pairs, ties in expectation over their
    random order; it is 1 − cws.

    Raises:
        UndefinedError: no pair is answered, or an answer has no confidence.
    """
    _need_confidences(judged, "risk-coverage curve")
    parts = list(ranked_parts(judged.confidence, judged.answered, judged.right))
    ends = np.cumsum(np.concatenate([part.sizes[0] for part in parts]))
    right = np.cumsum(np.concatenate([part.hits[0] for part in parts]))
    return RiskCoverage(
        coverage=ends / judged.n_pairs,
        risk=1 - right / ends,
        confidence=np.concatenate([part.keys for part in parts]),
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
        raise SettingError("bins-hold-nothing", f"{bins!r} bins hold nothing", hint="e.g. 10")
    if not 0 <= floor < 1:
        raise SettingError(
            "floor-not", f"floor {floor!r} is not in [0, 1)", hint="0 reads confidences as is"
        )
    _need_confidences(judged, "reliability curve")
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
        raise UndefinedError(
            "roc-curve-needs-entailments",
            "an ROC curve needs entailments and other pairs in the gold",
        )
    true = curve.right_yes[::-1] / curve.n_yes
    false = 1 - curve.right_no[::-1] / curve.n_no
    area = float((np.diff(false) * (true[1:] + true[:-1])).sum() / 2)
    return RocCurve(false_positive_rate=false, true_positive_rate=true, auc=area)


def _need_confidences(judged: Judged, what: str) -> None:
    gap = confidence_gap(judged)
    if gap:
        raise UndefinedError(
            "no-without-confidences",
            f"no {what} without confidences: {gap}",
            place=judged.name,
            hint="add them to the run",
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
