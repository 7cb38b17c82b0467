"""Coefficients of correlation, and what they need to be defined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

import numpy as np

from ensue.errors import UndefinedError
from ensue.evaluation.correlation.weighted import TwoVariables, kendall, pearson, spearman
from ensue.evaluation.measuring.ranks import Counts, Numbers

LEAST = 3
"""Two points always lie on a line: fewer observations than this define no correlation."""

_ROUNDING = 1e-12
"""A correlation that is nearer to 1 is 1 but for rounding."""


class Coefficient(StrEnum):
    """Of correlation."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"
    """τ-b."""


WEIGHTED: Mapping[Coefficient, Callable[[TwoVariables, Counts], Numbers]] = {
    Coefficient.PEARSON: pearson,
    Coefficient.SPEARMAN: spearman,
    Coefficient.KENDALL: kendall,
}
"""Each coefficient of rows of counts."""


def fisher_mean(correlations: Sequence[float]) -> float:
    """The mean of correlations by Fisher's (1921) z: tanh(mean(artanh r)).

    >>> round(fisher_mean([0.0, 0.8]), 3)
    0.5

    Raises:
        UndefinedError: one is 1 or −1, whose z is infinite.
    """
    values = np.asarray(correlations, np.float64)
    if (np.abs(values) > 1 - _ROUNDING).any():
        raise UndefinedError("a correlation of 1 or -1 has no finite z")
    return float(np.tanh(np.mean(np.arctanh(values))))
