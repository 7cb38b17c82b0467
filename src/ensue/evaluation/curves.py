"""Curves over confidence: risk against coverage, and confidence against accuracy."""

from __future__ import annotations

import numpy as np

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation.cutoffs import ThinnedCutoffs
from ensue.evaluation.measuring.judged import Judged, confidence_gap
from ensue.evaluation.measuring.measures import CWS
from ensue.evaluation.measuring.ranks import ranking
from ensue.evaluation.measuring.summary import TOO_MANY, Summary
from ensue.evaluation.results import Reliability, ReliabilityBin, RiskCoverage, RocCurve
from ensue.pairs.cutoffs import CutoffCurve

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
        return _summarized(judged.summary, bins, floor)
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


def _summarized(summary: Summary, bins: int, floor: float) -> Reliability:
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
