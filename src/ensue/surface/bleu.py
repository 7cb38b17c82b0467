"""BLEU and its two relatives: how n-gram precisions become one score."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.surface.ngrams import NgramStatistics


class Mean(StrEnum):
    """How the precisions of all orders are averaged."""

    GEOMETRIC = "geometric"
    """exp(sum of w_n log s_n): one order without a match makes the score zero."""
    LINEAR = "linear"
    """sum of w_n s_n."""


@dataclass(frozen=True, slots=True)
class BleuScorer:
    """A member of the BLEU family.

    BLEU is the geometric mean with the brevity penalty (Papineni et al. 2002); modified BLEU the
    linear mean without it ("Recognizing Textual Entailment With a Modified BLEU Algorithm",
    section 2.2); linear BLEU the linear mean with it (the same paper, section 3.6: its reading of
    Pérez & Alfonseca 2005).
    """

    mean: Mean
    penalty: bool
    weights: tuple[float, ...]
    """The weight of each order, summing to 1."""
    smoothed: bool = False
    """Whether orders above 1 get one match and one n-gram more (Lin & Och 2004: BLEU-S)."""

    def __post_init__(self) -> None:
        shares = bool(self.weights) and all(weight >= 0 for weight in self.weights)
        if not (shares and abs(sum(self.weights) - 1) <= 1e-9):
            raise SettingError(
                f"weights {list(self.weights)!r} are not shares that sum to 1",
                hint="give one weight for each order, e.g. 0.4,0.3,0.2,0.1",
            )

    def score(self, statistics: NgramStatistics) -> NDArray[np.float64]:
        """The score of every pair, in [0, 1]."""
        precisions = statistics.smoothed_precisions() if self.smoothed else statistics.precisions()
        if self.mean is Mean.LINEAR:
            scores = self._weighted_sum(precisions)
        else:
            with np.errstate(divide="ignore"):
                scores = np.exp(self._weighted_sum(np.log(precisions)))
        scores = np.minimum(scores, 1.0)  # sums of weights may exceed 1 in the last place
        return scores * statistics.brevity_penalty() if self.penalty else scores

    def _weighted_sum(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Order by order, so that a pair's score is the same to the last bit in every batch.

        A matrix product is not: it sums in another order for other numbers of rows, and a tuned
        cutoff, being a score, tells the difference.
        """
        total = np.zeros(len(columns))
        for i, weight in enumerate(self.weights):
            if weight > 0:
                total += weight * columns[:, i]
        return total
