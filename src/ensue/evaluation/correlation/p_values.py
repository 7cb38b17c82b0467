"""Is there any correlation? Two-sided p-values, and the r from which the answer is yes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf, sqrt

import numpy as np

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation.correlation.coefficients import LEAST, Coefficient
from ensue.evaluation.measuring.ranks import Numbers

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
        raise UndefinedError(f"{degrees!r} degrees of freedom leave nothing to test")
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
        raise UndefinedError(f"{len(x)} observations define no correlation; it takes {LEAST}")
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
        raise SettingError(f"alpha {alpha!r} is not between 0 and 1", hint="e.g. 0.01")
    if n < LEAST:
        raise UndefinedError(f"{n} observations define no correlation; it takes {LEAST}")
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
