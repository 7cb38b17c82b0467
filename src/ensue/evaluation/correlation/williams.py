"""Williams' test: do two variables correlate differently with a third?"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose, sqrt

from ensue.errors import UndefinedError
from ensue.evaluation.correlation.coefficients import LEAST

ROUNDING = 1e-12
"""Correlations that are nearer to 1 are 1."""
_IMPOSSIBLE = -1e-9
"""A determinant below this is no rounding error."""


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
    require_enough(n, "Williams' test")
    left = unexplained(first, second, between)
    if left is None:
        return Williams(0.0, n - 3, 1.0, 0.5)
    variance = 2 * left * (n - 1) / (n - 3) + (first + second) ** 2 / 4 * (1 - between) ** 3
    if variance <= 0:
        raise UndefinedError(
            f"correlations {first!r}, {second!r} and {between!r} leave nothing to test"
        )
    t = (first - second) * sqrt((n - 1) * (1 + between)) / sqrt(variance)
    return Williams(t, n - 3, 2 * _upper_tail(abs(t), n - 3), _upper_tail(t, n - 3))


def require_enough(n: int, test: str) -> None:
    """Check that there are enough observations to compare two correlations.

    Raises:
        UndefinedError: there are fewer than four.
    """
    if n <= LEAST:
        raise UndefinedError(f"{test} needs more than {LEAST} observations, not {n!r}")


def unexplained(first: float, second: float, between: float) -> float | None:
    """K, the determinant of three variables' correlations; None if two are the same line.

    Raises:
        UndefinedError: no such correlations can be.
    """
    if isclose(between, 1.0, abs_tol=ROUNDING):
        return None
    determinant = 1 - between**2 - first**2 - second**2 + 2 * between * first * second
    if determinant < _IMPOSSIBLE:
        raise UndefinedError(
            f"no three variables correlate by {first!r}, {second!r} and {between!r}: they leave"
            " nothing to test"
        )
    return max(determinant, 0.0)


def _upper_tail(t: float, degrees: int) -> float:
    from scipy.special import stdtr

    return float(stdtr(degrees, -t))
