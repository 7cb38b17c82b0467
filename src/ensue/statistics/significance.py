"""Tests of significance: of paired answers, of many tests at once, and of correlations.

Beside Williams' t there are tests by Fisher's (1921) z, artanh r. All take observations as independent and variables as normal. In the formulas r₁ and r₂
are the correlations of two variables with a third, and r₁₂ that of the two with each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import atanh, inf, isclose, sqrt, tanh
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.statistics.correlation import LEAST, Coefficient
from ensue.statistics.resampling import RESAMPLING, Difference, Numbers, Resampling, check_level

# Is there any correlation? Two-sided p-values, and the r from which the answer is yes.

_MOST_EXACT = 33
"""Up to so many untied observations, τ's distribution is counted out, as scipy does."""


class PMethod(StrEnum):
    """How a p-value was computed."""

    STUDENT = "t"
    """Student's t: exact for Pearson's r of normal variables, an approximation for Spearman's ρ."""
    EXACT = "exact"
    """Kendall's τ over all orders of untied observations."""
    NORMAL = "normal"
    """Kendall's τ by its normal approximation, its variance corrected for ties."""


@dataclass(frozen=True, slots=True)
class PValue:
    """Against no correlation, two-sided."""

    p: float
    method: PMethod


def student_p(correlation: float, degrees: int) -> float:
    """The two-sided p of a correlation: t = r·√(df / (1 − r²)) with df degrees of freedom.

    For a correlation of n observations df is n − 2; each variable that was partialled out costs
    one more.

    Raises:
        UndefinedError: there is no degree of freedom.
    """
    from scipy.special import stdtr

    if degrees < 1:
        raise UndefinedError(
            "degrees-freedom-leave-nothing", f"{degrees!r} degrees of freedom leave nothing to test"
        )
    rest = 1 - correlation**2
    t = abs(correlation) * sqrt(degrees / rest) if rest > 0 else inf
    return 2 * float(stdtr(degrees, -t))


def correlation_p(coefficient: Coefficient, value: float, x: Numbers, y: Numbers) -> PValue:
    """The two-sided p of a correlation against none, as scipy computes it.

    Pearson's and Spearman's by Student's t with n − 2 degrees of freedom (`scipy.stats.pearsonr`,
    `spearmanr`), Kendall's as `scipy.stats.kendalltau` does: exactly where nothing ties and there
    are few observations or next to no disorder, by the normal approximation otherwise.

    Args:
        coefficient: Which.
        value: The coefficient of x and y.
        x: One variable.
        y: The other.

    Raises:
        UndefinedError: there are fewer than three observations.
    """
    if len(x) < LEAST:
        raise UndefinedError(
            "observations-define-no-correlation",
            f"{len(x)} observations define no correlation; it takes {LEAST}",
        )
    if coefficient is not Coefficient.KENDALL:
        return PValue(student_p(value, len(x) - 2), PMethod.STUDENT)
    return _kendall_p(value, x, y)


def critical_correlation(n: int, alpha: float) -> float:
    """The least |r| of n observations whose two-sided p is at most alpha: t / √(t² + n − 2).

    >>> round(critical_correlation(40, 0.01), 3)
    0.403

    Raises:
        SettingError: alpha is not between 0 and 1.
        UndefinedError: there are fewer than three observations.
    """
    from scipy.special import stdtrit

    if not 0 < alpha < 1:
        raise SettingError(
            "alpha-not-between", f"alpha {alpha!r} is not between 0 and 1", hint="e.g. 0.01"
        )
    if n < LEAST:
        raise UndefinedError(
            "observations-define-no-correlation",
            f"{n} observations define no correlation; it takes {LEAST}",
        )
    t = float(stdtrit(n - 2, 1 - alpha / 2))
    return t / sqrt(t * t + n - 2)


def _kendall_p(tau: float, x: Numbers, y: Numbers) -> PValue:
    from scipy.stats import kendalltau

    n = len(x)
    n_pairs = n * (n - 1) // 2
    n_discordant = round((1 - tau) / 2 * n_pairs)
    orderly = min(n_discordant, n_pairs - n_discordant) <= 1
    untied = len(np.unique(x)) == n == len(np.unique(y))
    exact = untied and (n <= _MOST_EXACT or orderly)
    found = kendalltau(x, y, method="exact" if exact else "asymptotic")
    return PValue(float(found.pvalue), PMethod.EXACT if exact else PMethod.NORMAL)


# Williams' test: do two variables correlate differently with a third?

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
            "correlations-leave-nothing-test",
            f"correlations {first!r}, {second!r} and {between!r} leave nothing to test",
        )
    t = (first - second) * sqrt((n - 1) * (1 + between)) / sqrt(variance)
    return Williams(t, n - 3, 2 * _upper_tail(abs(t), n - 3), _upper_tail(t, n - 3))


def require_enough(n: int, test: str) -> None:
    """Check that there are enough observations to compare two correlations.

    Raises:
        UndefinedError: there are fewer than four.
    """
    if n <= LEAST:
        raise UndefinedError(
            "needs-more-than-observations",
            f"{test} needs more than {LEAST} observations, not {n!r}",
        )


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
            "no-three-variables-correlate",
            f"no three variables correlate by {first!r}, {second!r} and {between!r}: they leave"
            " nothing to test",
        )
    return max(determinant, 0.0)


def _upper_tail(t: float, degrees: int) -> float:
    from scipy.special import stdtr

    return float(stdtr(degrees, -t))


# Two correlations that share a variable: tests of their difference, and its interval.


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

    check_level(level)
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
            raise UndefinedError(
                "undefined-correlation-no-finite",
                f"{test} is undefined: a correlation of {each:g} has no finite z",
            )


_ROUNDING = 1e-12


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p of McNemar's (1947) test: is either as likely to be right alone?

    >>> round(mcnemar(1, 5), 12) == 2 * (1 + 6) / 2**6
    True
    """
    from scipy.special import bdtr

    n = only_first + only_second
    if n == 0:
        return 1.0
    return min(1.0, 2 * float(bdtr(min(only_first, only_second), n, 0.5)))


def binomial_p(n_right: int, n: int, chance: float) -> float:
    """The probability of at least so many right answers among n guesses."""
    from scipy.special import bdtrc

    return 1.0 if n_right <= 0 else float(bdtrc(n_right - 1, n, chance))


def normal_p(value: float, chance: float, deviation: float) -> float:
    """The probability of at least this value where guesses are normal around chance."""
    from scipy.special import ndtr

    if deviation == 0:
        return float(value <= chance)
    return float(ndtr((chance - value) / deviation))


def bootstrap_p(differences: Numbers) -> float:
    """The two-sided p of "no difference" from bootstrapped differences.

    Twice the smaller share of draws on either side of 0, draws at 0 counting on both; one is added
    above and below so that no p is 0 (Davison & Hinkley 1997, chapter 4).
    """
    n = len(differences)
    smaller = min(int((differences <= 0).sum()), int((differences >= 0).sum()))
    return min(1.0, 2 * (smaller + 1) / (n + 1))


def simulated_p(value: float, simulated: Numbers) -> float:
    """The one-sided p of a value among permuted or simulated ones; two-sided of absolute values.

    One is added above and below so that no p is 0; one that is undefined is taken for extreme.
    """
    # what equals the value but for rounding is as extreme as it is
    less = simulated < value - _ROUNDING
    return float((1 + (~less).sum()) / (1 + len(simulated)))


def paired_difference(
    value: float, drawn: Numbers, resampling: Resampling, reason: str | None = None
) -> Difference:
    """A difference with the interval and the p of its draws, or why it has none."""
    defined = drawn[~np.isnan(drawn)]
    if not defined.size:
        return Difference(value, reason=reason)
    return Difference(value, *resampling.interval(defined), bootstrap_p(defined))


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number by Holm's (1979) step-down procedure.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = holm_corrected(np.asarray(p_values, dtype=np.float64))
    return [float(each) for each in corrected]


def holm_corrected(p: Numbers) -> Numbers:
    """The same of an array, which may be long."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Correct p-values by Benjamini & Hochberg's (1995) step-up procedure.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    raised = p[order] * len(p) / np.arange(1, len(p) + 1)
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(np.minimum.accumulate(raised[::-1])[::-1], 1.0)
    return [float(each) for each in corrected]


# Which of very many runs differ: the same tests as for a few, on all of them at once.


def differing(
    right: NDArray[np.bool_], *, resampling: Resampling = RESAMPLING
) -> NDArray[np.bool_]:
    """Whether every two runs differ, by exact McNemar with Holm's correction.

    Args:
        right: A row for each run: whether each pair is right; without an answer it is not.
        resampling: Two runs differ where the corrected p is at most its alpha.
    """
    from scipy.special import bdtr

    n = len(right)
    found = np.zeros((n, n), np.bool_)
    if n < 2:
        return found
    rows = right.astype(np.float32)
    both = rows @ rows.T
    alone = np.rint(both.diagonal()[:, None] - both).astype(np.int64)
    i, j = np.triu_indices(n, 1)
    first, second = alone[i, j], alone[j, i]
    total = first + second
    p = np.where(total > 0, 2 * bdtr(np.minimum(first, second), np.maximum(total, 1), 0.5), 1.0)
    found[i, j] = found[j, i] = holm_corrected(np.minimum(p, 1.0)) <= resampling.alpha
    return found


# Clusters: what cannot be told apart.


class Compared(Protocol):
    """Two of some things, and whether they differ."""

    @property
    def first(self) -> str:
        """The name of the one."""

    @property
    def second(self) -> str:
        """The name of the other."""

    @property
    def differs(self) -> bool:
        """Whether they do, after correction."""


def clusters(
    names: Sequence[str], values: Sequence[float], comparisons: Iterable[Compared]
) -> tuple[tuple[str, ...], ...]:
    """Maximal sets, consecutive by value, no two of which differ; the best first."""
    ordered = [names[i] for i in np.argsort(-np.asarray(values), kind="stable")]
    place = {name: i for i, name in enumerate(ordered)}
    different = np.zeros((len(ordered), len(ordered)), np.bool_)
    for each in comparisons:
        i, j = place[each.first], place[each.second]
        different[i, j] = different[j, i] = each.differs
    return tuple(tuple(ordered[start:end]) for start, end in cluster_spans(different))


def cluster_spans(different: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Maximal stretches of runs, the best first, no two of which differ: first, and after the last.

    Args:
        different: For every two runs, in the order of their ranks.
    """
    spans: list[tuple[int, int]] = []
    end = 0
    for start in range(len(different)):
        last = max(end, start + 1)  # what the stretch before holds is known not to differ
        while last < len(different) and not different[start:last, last].any():
            last += 1
        if last > end:
            spans.append((start, last))
            end = last
    return spans


def range_clusters(ranges: Sequence[tuple[int, int] | None]) -> list[int | None]:
    """For each thing, best first, the number of its cluster; None where it has no range of ranks.

    A cluster ends where the range of none above reaches that of any below (Koehn 2012).
    """
    numbers: list[int | None] = []
    number = 1
    for place, own in enumerate(ranges):
        above = [one[1] for one in ranges[:place] if one]
        from_here = [one[0] for one in ranges[place:] if one]
        if own and above and max(above) < min(from_here):
            number += 1
        numbers.append(number if own else None)
    return numbers
