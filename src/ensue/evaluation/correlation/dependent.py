"""Two correlations that share a variable: tests of their difference, and its interval.

Beside Williams' t (`ensue.evaluation.correlation.williams`) there are tests by Fisher's (1921) z,
artanh r. All take observations as independent and variables as normal. In the formulas r₁ and r₂
are the correlations of two variables with a third, and r₁₂ that of the two with each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, inf, sqrt, tanh

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation.correlation.williams import ROUNDING, require_enough, unexplained


@dataclass(frozen=True, slots=True)
class DependentTest:
    """The outcome of a test."""

    z: float
    """Above 0 where the first variable correlates more."""
    p: float
    """Two-sided, by the normal distribution."""


def steiger(first: float, second: float, between: float, n: int) -> DependentTest:
    """Test the difference by Steiger's (1980) Z̄₁*, his equations 10 and 14.

    Z = (z₁ − z₂)·√(n−3) / √(2 − 2s) with s = ψ / (1 − r̄²)², r̄ = (r₁ + r₂)/2 and
    ψ = r₁₂·(1 − 2r̄²) − ½·r̄²·(1 − 2r̄² − r₁₂²).

    Args:
        first: The first variable's correlation with the third.
        second: The second's.
        between: The correlation of the two with each other.
        n: Observations.

    Raises:
        UndefinedError: there are fewer than four observations, a correlation is perfect, or no
            such correlations can be.
    """
    if _same_line(first, second, between, n, "Steiger's test"):
        return DependentTest(0.0, 1.0)
    square = ((first + second) / 2) ** 2
    psi = between * (1 - 2 * square) - square * (1 - 2 * square - between**2) / 2
    return _tested(first, second, n, 2 - 2 * psi / (1 - square) ** 2)


def meng(first: float, second: float, between: float, n: int) -> DependentTest:
    """Test the difference as Meng, Rosenthal & Rubin (1992) do, their equations 1 to 3.

    Z = (z₁ − z₂)·√((n−3) / (2·(1 − r₁₂)·h)) with h = (1 − f·m) / (1 − m), m = (r₁² + r₂²)/2 and
    f = (1 − r₁₂) / (2·(1 − m)), but at most 1.

    Args:
        first: The first variable's correlation with the third.
        second: The second's.
        between: The correlation of the two with each other.
        n: Observations.

    Raises:
        UndefinedError: there are fewer than four observations, a correlation is perfect, or no
            such correlations can be.
    """
    if _same_line(first, second, between, n, "the test of Meng, Rosenthal and Rubin"):
        return DependentTest(0.0, 1.0)
    mean = (first**2 + second**2) / 2
    f = min((1 - between) / (2 * (1 - mean)), 1.0)
    return _tested(first, second, n, 2 * (1 - between) * (1 - f * mean) / (1 - mean))


def zou_interval(
    first: float, second: float, between: float, n: int, *, level: float = 0.95
) -> tuple[float, float]:
    """The interval of r₁ − r₂ by Zou (2007), for two correlations with one variable in common.

    With (l₁, u₁) and (l₂, u₂) Fisher's intervals of both,

    L = r₁ − r₂ − √((r₁−l₁)² + (u₂−r₂)² − 2c·(r₁−l₁)(u₂−r₂)),
    U = r₁ − r₂ + √((u₁−r₁)² + (r₂−l₂)² − 2c·(u₁−r₁)(r₂−l₂)), and the two correlations correlate by
    c = ((r₁₂ − ½·r₁r₂)(1 − r₁² − r₂² − r₁₂²) + r₁₂³) / ((1 − r₁²)(1 − r₂²)).

    Args:
        first: The first variable's correlation with the third.
        second: The second's.
        between: The correlation of the two with each other.
        n: Observations.
        level: Of the interval.

    Raises:
        UndefinedError: there are fewer than four observations, a correlation is perfect, or no
            such correlations can be.
        SettingError: the level is not between 0 and 1.
    """
    if _same_line(first, second, between, n, "Zou's interval"):
        return 0.0, 0.0
    low_1, high_1 = fisher_interval(first, n, level=level)
    low_2, high_2 = fisher_interval(second, n, level=level)
    a, b = first**2, second**2
    c = (between - first * second / 2) * (1 - a - b - between**2) + between**3
    c /= (1 - a) * (1 - b)
    difference = first - second
    return (
        difference - _joined(first - low_1, high_2 - second, c),
        difference + _joined(high_1 - first, second - low_2, c),
    )


def fisher_interval(correlation: float, n: int, *, level: float = 0.95) -> tuple[float, float]:
    """The interval of one Pearson's r by Fisher's (1921) z: tanh(artanh r ± z / √(n−3)).

    >>> low, high = fisher_interval(0.5, 28)
    >>> round(low, 3), round(high, 3)
    (0.156, 0.736)

    Raises:
        UndefinedError: there are fewer than four observations, or the correlation is perfect.
        SettingError: the level is not between 0 and 1.
    """
    from scipy.special import ndtri

    if not 0 < level < 1:
        raise SettingError(f"level {level!r} is not between 0 and 1", hint="e.g. 0.95")
    _check(correlation, correlation, n, "Fisher's interval")
    z, half = atanh(correlation), float(ndtri((1 + level) / 2)) / sqrt(n - 3)
    return tanh(z - half), tanh(z + half)


def _tested(first: float, second: float, n: int, variance: float) -> DependentTest:
    """(z₁ − z₂)·√(n−3) / √variance, and its p."""
    from scipy.special import ndtr

    difference = atanh(first) - atanh(second)
    if variance <= ROUNDING:
        z = inf * difference if difference else 0.0
    else:
        z = difference * sqrt((n - 3) / variance)
    return DependentTest(z, 2 * float(ndtr(-abs(z))))


def _joined(one: float, other: float, c: float) -> float:
    return sqrt(max(one**2 + other**2 - 2 * c * one * other, 0.0))


def _same_line(first: float, second: float, between: float, n: int, test: str) -> bool:
    """Whether the two variables are one line, and so cannot differ; refuse what cannot be."""
    _check(first, second, n, test)
    return unexplained(first, second, between) is None


def _check(first: float, second: float, n: int, test: str) -> None:
    require_enough(n, test)
    for each in (first, second):
        if abs(each) > 1 - ROUNDING:
            raise UndefinedError(f"{test} is undefined: a correlation of {each:g} has no finite z")
