"""What is kept of pairs that are too many to be held: counts of equal rows, and their rankings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ensue.evaluation.results import Reliability, RiskCoverage
from ensue.pairs.cutoffs import CutoffCurve

LARGE = 200_000
"""Data of more pairs are not held: they are streamed, and a summary is kept."""

TOO_MANY = f"more than {LARGE:,} pairs"
"""Why something is not there."""


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """What a judged run over many pairs holds instead of them.

    Its rows are the distinct ways in which gold and the runs go together. What depends on the order
    of the pairs by confidence or score was computed while they were streamed.
    """

    counts: NDArray[np.int64]
    """How many pairs each row stands for."""
    n_without: Mapping[str, int] = field(default_factory=dict)
    """How many answers have no `confidence`, and how many no `score`."""
    cws: float | None = None
    cws_deviation: float | None = None
    """The standard deviation of the cws of guesses whose confidences tie as these do."""
    average_precision: float | None = None
    risk_coverage: RiskCoverage | None = None
    """At most `MOST_POINTS` points of the curve, the lowest and the highest among them."""
    reliability: Mapping[float, Reliability] = field(default_factory=dict)
    """By floor: 0 and the view's chance."""
    n_scored: int = 0
    """How many pairs have a score, answered or not."""
    cutoffs: CutoffCurve | None = None
    """None where no pair has a score, or the curve was not asked for."""


MOST_POINTS = 2000
"""How many points of a curve a summary keeps."""
