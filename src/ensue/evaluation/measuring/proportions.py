"""Shares of independent units, with intervals that need no resampling."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from ensue.errors import UndefinedError
from ensue.evaluation.measuring.intervals import LEVEL
from ensue.evaluation.results import Estimate


def wilson_interval(n_hits: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """The score interval of a share (Wilson 1927, equation 1).

    Raises:
        UndefinedError: it is a share of nothing.
    """
    if n == 0:
        raise UndefinedError("a share of nothing has no interval")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, room = n_hits / n, 1 + z**2 / n
    middle = (share + z**2 / (2 * n)) / room
    half = z * sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / room
    # what is rounded must not push the share out of its interval
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def share_estimate(n_hits: int, n: int, level: float | None, reason: str) -> Estimate:
    """A share with Wilson's interval.

    Args:
        n_hits: How many of them.
        n: Of how many.
        level: Of the interval; None for none.
        reason: What is said where there is nothing to take a share of.
    """
    if n == 0:
        return Estimate(None, reason=reason)
    low, high = (None, None) if level is None else wilson_interval(n_hits, n, level)
    return Estimate(n_hits / n, low, high)
