"""Williams' test: do two variables correlate differently with a third?"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose, sqrt

from ensue.errors import UndefinedError
from ensue.evaluation.correlation.coefficients import LEAST


@dataclass(frozen=True, slots=True)
class Williams:
    """The outcome of the test."""

    t: float
    """Above 0 where the first variable correlates more."""
    degrees: int
    """Of freedom: n − 3."""
    p: float
    """Two-sided."""
    p_first: float
    """One-sided, as the metrics tasks report it: that the first is better by chance alone."""


def williams(first: float, second: float, between: float, n: int) -> Williams:
    """Test the difference of two dependent Pearson correlations (Williams 1959).

    With r₁₃ and r₂₃ the two correlations with the third variable, r₁₂ that between the two and
    K = 1 − r₁₂² − r₁₃² − r₂₃² + 2·r₁₂·r₁₃·r₂₃,

    t(n−3) = (r₁₃ − r₂₃)·√((n−1)(1+r₁₂)) / √(2K·(n−1)/(n−3) + (r₂₃+r₁₃)²/4·(1−r₁₂)³)

    (as Graham & Baldwin 2014 give it). Two variables that are the same line, r₁₂ = 1, cannot differ:
    t is 0.

    Args:
        first: The first variable's correlation with the third, e.g. a metric's with people.
        second: The second's.
        between: The correlation of the two with each other.
        n: Observations.

    Raises:
        UndefinedError: there are fewer than four observations, or no such correlations can be.
    """
    if n <= LEAST:
        raise UndefinedError(f"Williams' test needs more than {LEAST} observations, not {n!r}")
    if isclose(between, 1.0, abs_tol=1e-12):
        return Williams(0.0, n - 3, 1.0, 0.5)
    determinant = 1 - between**2 - first**2 - second**2 + 2 * between * first * second
    variance = (
        2 * max(determinant, 0.0) * (n - 1) / (n - 3)
        + (first + second) ** 2 / 4 * (1 - between) ** 3
    )
    if determinant < -1e-9 or variance <= 0:
        raise UndefinedError(
            f"correlations {first!r}, {second!r} and {between!r} leave nothing to test"
        )
    t = (first - second) * sqrt((n - 1) * (1 + between)) / sqrt(variance)
    return Williams(t, n - 3, 2 * _upper_tail(abs(t), n - 3), _upper_tail(t, n - 3))


def _upper_tail(t: float, degrees: int) -> float:
    from scipy.special import stdtr

    return float(stdtr(degrees, -t))
