"""Cutoffs: where yes begins, and how many pairs each choice gets right.

A score above the cutoff is a yes. The candidates are minus infinity (everything is a yes) and every
distinct score, in full precision: no other number gives another decision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.statistics import ratio


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """What one cutoff gives."""

    cutoff: float
    right_yes: int
    """Entailments with a score above the cutoff."""
    right_no: int
    """The rest with a score at or below it."""
    accuracy: float
    precision: float | None
    """Of the entailments; None where no score is above the cutoff."""
    recall: float | None
    """Of the entailments; None where there are none."""
    f: float | None
    """2·right yes / (yes answers + entailments); None where both are 0."""


@dataclass(frozen=True, slots=True, eq=False)
class CutoffCurve:
    """What every candidate cutoff gives, from the lowest to the highest."""

    cutoffs: NDArray[np.float64]
    """Minus infinity and every distinct score, increasing."""
    right_yes: NDArray[np.int64]
    """For each cutoff, the entailments with a score above it."""
    right_no: NDArray[np.int64]
    """For each cutoff, the other pairs with a score at or below it."""
    n_yes: int
    """Entailments in the gold."""
    n_no: int
    """Other pairs in the gold."""

    @property
    def n_pairs(self) -> int:
        """How many pairs the curve is about."""
        return self.n_yes + self.n_no

    @property
    def n_right(self) -> NDArray[np.int64]:
        """For each cutoff, the pairs that it gets right."""
        return self.right_yes + self.right_no

    @property
    def accuracy(self) -> NDArray[np.float64]:
        """For each cutoff, the share of pairs that it gets right."""
        return self.n_right / self.n_pairs

    @property
    def n_said_yes(self) -> NDArray[np.int64]:
        """For each cutoff, the pairs with a score above it."""
        return self.right_yes + self.n_no - self.right_no

    @property
    def precision(self) -> NDArray[np.float64]:
        """For each cutoff, the precision of its yes; NaN where it never says yes."""
        return ratio(self.right_yes, self.n_said_yes)

    @property
    def recall(self) -> NDArray[np.float64]:
        """For each cutoff, the share of the entailments it finds; NaN where there are none."""
        return ratio(self.right_yes, np.full_like(self.right_yes, self.n_yes))

    @property
    def f(self) -> NDArray[np.float64]:
        """For each cutoff, the harmonic mean of precision and recall; NaN where undefined."""
        return ratio(2 * self.right_yes, self.n_said_yes + self.n_yes)

    @property
    def best(self) -> NDArray[np.float64]:
        """All cutoffs with the highest accuracy, increasing."""
        right = self.n_right
        tied: NDArray[np.float64] = self.cutoffs[right == right.max()]
        return tied

    @property
    def tuned(self) -> float:
        """The cutoff with the highest accuracy; of several, the lowest."""
        return float(self.best[0])

    def at(self, cutoff: float) -> OperatingPoint:
        """What any cutoff gives, a candidate or not."""
        if np.isnan(cutoff):
            raise SettingError("cutoff-not-number", f"cutoff {cutoff!r} is not a number")
        return self._point(int(np.searchsorted(self.cutoffs, cutoff, side="right")) - 1, cutoff)

    def accuracy_at(self, cutoff: float) -> float:
        """The accuracy of any cutoff, a candidate or not."""
        return self.at(cutoff).accuracy

    def best_f(self) -> OperatingPoint:
        """The cutoff with the highest F for entailment; of several, the lowest.

        Raises:
            UndefinedError: the gold has no entailment, so no F means anything.
        """
        if self.n_yes == 0:
            raise UndefinedError(
                "no-pair-entailment-undefined",
                "no pair is an entailment, so F is undefined at every cutoff",
            )
        return self._point(int(np.nanargmax(self.f)))

    def for_precision(self, wanted: float) -> OperatingPoint:
        """The lowest cutoff, hence the one with the highest recall, that reaches a precision.

        Raises:
            SettingError: the wanted precision is not in (0, 1].
            UndefinedError: no cutoff reaches it.
        """
        if not 0 < wanted <= 1:
            raise SettingError(
                "precision-not", f"precision {wanted!r} is not in (0, 1]", hint="e.g. 0.8"
            )
        precision = np.nan_to_num(self.precision, nan=-1.0)
        enough = np.flatnonzero(precision >= wanted)
        if enough.size == 0:
            top = int(np.argmax(precision))
            raise UndefinedError(
                "no-cutoff-reaches-precision",
                f"no cutoff reaches a precision of {wanted:g};"
                f" the highest is {precision[top]:.4g}, at cutoff {self.cutoffs[top]:.6g}",
                hint="ask for less, or use a recognizer that separates better",
            )
        return self._point(int(enough[0]))

    def _point(self, i: int, cutoff: float | None = None) -> OperatingPoint:
        return OperatingPoint(
            cutoff=float(self.cutoffs[i]) if cutoff is None else float(cutoff),
            right_yes=int(self.right_yes[i]),
            right_no=int(self.right_no[i]),
            accuracy=float(self.accuracy[i]),
            precision=_defined(self.precision[i]),
            recall=_defined(self.recall[i]),
            f=_defined(self.f[i]),
        )


def cutoff_curve(scores: ArrayLike, is_yes: ArrayLike) -> CutoffCurve:
    """What every cutoff gives for these scores, against gold that is yes or not.

    >>> curve = cutoff_curve([0.1, 0.4, 0.4, 0.9], [False, True, False, True])
    >>> curve.cutoffs.tolist(), curve.accuracy.tolist()
    ([-inf, 0.1, 0.4, 0.9], [0.5, 0.75, 0.75, 0.5])
    >>> curve.tuned, curve.best.tolist()
    (0.1, [0.1, 0.4])

    Raises:
        UndefinedError: there are no scores, or one of them is not a number.
    """
    numbers, yes = _checked(scores, is_yes)
    cutoffs = np.unique(np.append(numbers, -np.inf))
    # a score at or below a cutoff is a no
    found_yes = np.searchsorted(np.sort(numbers[yes]), cutoffs, side="right")
    found_no = np.searchsorted(np.sort(numbers[~yes]), cutoffs, side="right")
    n_yes = int(yes.sum())
    return CutoffCurve(
        cutoffs=cutoffs,
        right_yes=(n_yes - found_yes).astype(np.int64),
        right_no=found_no.astype(np.int64),
        n_yes=n_yes,
        n_no=len(yes) - n_yes,
    )


def _checked(scores: ArrayLike, is_yes: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    numbers = np.asarray(scores, dtype=np.float64)
    yes = np.asarray(is_yes, dtype=np.bool_)
    if numbers.shape != yes.shape or numbers.ndim != 1:
        raise ValueError(f"{numbers.shape} scores do not go with {yes.shape} gold labels")
    if numbers.size == 0:
        raise UndefinedError(
            "cutoff-needs-scores-none", "a cutoff needs scores, and there are none"
        )
    bad = int(np.isnan(numbers).sum())
    if bad:
        raise UndefinedError(
            "scores-not-numbers", f"{bad} of {numbers.size} scores are not numbers"
        )
    return numbers, yes


def _defined(number: np.float64) -> float | None:
    return None if np.isnan(number) else float(number)
