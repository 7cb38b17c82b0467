"""Differences between runs: McNemar, paired bootstrap, Holm, and power.

Two runs on the same pairs are told apart by the pairs that exactly one of them gets right. Their
share is the disagreement ψ; the difference of the accuracies is d, and |d| ≤ ψ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation.judged_runs import Judged
from ensue.evaluation.measures import (
    ACCURACY,
    ACCURACY_ALL,
    AVERAGE_PRECISION,
    CWS,
    Measure,
    Replicates,
    paired_replicates,
)
from ensue.evaluation.results import PairsNeeded, Power, RunComparison
from ensue.statistics import (
    RESAMPLING,
    Counts,
    Difference,
    Numbers,
    Resampling,
    holm,
    mcnemar,
    paired_difference,
)

# Do two runs differ? Exact McNemar, the paired bootstrap, Holm's correction.

COMPARED = (ACCURACY, ACCURACY_ALL, CWS, AVERAGE_PRECISION)
"""The measures whose differences are bootstrapped."""


def compare(
    runs: Sequence[Judged],
    drawn: Sequence[Replicates],
    *,
    resampling: Resampling = RESAMPLING,
) -> tuple[RunComparison, ...]:
    """Compare every two runs on the same pairs.

    Args:
        runs: Runs on the same pairs in the same order.
        drawn: For each run what `replicates` gives, with the measures in `COMPARED`.
        resampling: Of its level are the intervals and the tests.
    """
    chosen = list(combinations(range(len(runs)), 2))
    discordant = [discordant_pairs(runs[i], runs[j]) for i, j in chosen]
    p_values = [mcnemar(*each) for each in discordant]
    return tuple(
        RunComparison(
            first=runs[i].name,
            second=runs[j].name,
            n=runs[i].n_pairs,
            only_first=only_first,
            only_second=only_second,
            p=p,
            p_holm=p_holm,
            differs=p_holm <= resampling.alpha,
            differences=_differences((runs[i], runs[j]), (drawn[i], drawn[j]), resampling),
        )
        for (i, j), (only_first, only_second), p, p_holm in zip(
            chosen, discordant, p_values, holm(p_values), strict=True
        )
    )


def discordant_pairs(first: Judged, second: Judged) -> tuple[int, int]:
    """How many pairs the first run alone, and the second alone, gets right."""
    a, b = first.right, second.right
    return int((a & ~b).sum()), int((b & ~a).sum())


def _differences(
    runs: tuple[Judged, Judged], own: tuple[Replicates, Replicates], resampling: Resampling
) -> dict[str, Difference]:
    drawn = paired_replicates(runs, COMPARED, own, resampling)
    return {measure.name: _difference(measure, runs, drawn, resampling) for measure in COMPARED}


def _difference(
    measure: Measure,
    runs: tuple[Judged, Judged],
    drawn: tuple[Mapping[str, Numbers], Mapping[str, Numbers]],
    resampling: Resampling,
) -> Difference:
    values = [measure(judged) for judged in runs]
    if values[0] is None or values[1] is None:
        gaps = [f"{judged.name}: {measure.gap(judged)}" for judged in runs if measure.gap(judged)]
        return Difference(None, reason="; ".join(gaps) or "undefined for these pairs")
    differences = drawn[0][measure.name] - drawn[1][measure.name]
    return paired_difference(values[0] - values[1], differences, resampling)


# How many pairs it takes to see a difference between two runs (Connor 1987, for McNemar's
# test).

_MOST = 10**9
"""No search goes beyond this many pairs."""


def disagreement(first: Judged, second: Judged) -> float:
    """The share of pairs that exactly one of two runs gets right; unanswered is not right.

    Raises:
        UndefinedError: there are no pairs.
    """
    if first.n_pairs == 0:
        raise UndefinedError("no-pairs-disagree", "there are no pairs to disagree on")
    return sum(discordant_pairs(first, second)) / first.n_pairs


def pairs_needed(
    difference: float, disagreement: float, *, alpha: float = 0.05, power: float = 0.8
) -> PairsNeeded:
    """How many pairs it takes to see a difference, by Connor's formula and exactly.

    The formula is n = (z_{α/2}·√ψ + z_β·√(ψ − d²))² / d². Exact McNemar is more cautious than the
    normal approximation behind it, and needs some more.

    Args:
        difference: Of the accuracies, as a share: 0.02 is two points.
        disagreement: The share of pairs that exactly one of the runs gets right.
        alpha: Two-sided level of the test.
        power: The probability wanted to see the difference.

    Raises:
        SettingError: a number is out of range, or the difference exceeds the disagreement.
    """
    d = abs(difference)
    _check(d, disagreement, alpha, power)
    n = math.ceil(_connor(d, disagreement, alpha, power) - 1e-9)
    if n > _MOST:
        raise UndefinedError(
            "difference-takes-more-than", f"a difference of {d:g} takes more than {_MOST:,} pairs"
        )
    exact = _exact_pairs(n, d, disagreement, alpha, power)
    return PairsNeeded(d, disagreement, alpha, power, n, exact)


def power_at(n: int, difference: float, disagreement: float, *, alpha: float = 0.05) -> Power:
    """The probability that exact McNemar sees a difference with n pairs.

    The sum over the number m of pairs that exactly one run gets right, binomial(n, ψ), of the
    probability that the better run's share of them, binomial(m, (ψ + d)/2ψ), is significant.

    Raises:
        SettingError: a number is out of range, or the difference exceeds the disagreement.
    """
    d = abs(difference)
    _check(d, disagreement, alpha, 0.5)
    if n < 1:
        raise SettingError(
            "pairs-show-nothing", f"{n!r} pairs show nothing", hint="give a positive number"
        )
    return Power(n, d, disagreement, alpha, _exact_power(n, d, disagreement, alpha))


def smallest_difference(
    n: int, disagreement: float, *, alpha: float = 0.05, power: float = 0.8
) -> float:
    """The smallest difference that n pairs show with that power, by Connor's formula.

    Raises:
        SettingError: a number is out of range.
        UndefinedError: with so few pairs, not even a difference as large as the disagreement.
    """
    _check(disagreement, disagreement, alpha, power)
    if n < 1 or _connor(disagreement, disagreement, alpha, power) > n:
        needed = math.ceil(_connor(disagreement, disagreement, alpha, power))
        raise UndefinedError(
            "pairs-show-no-difference",
            f"{n} pairs show no difference when {disagreement:.4g} of them set the runs apart",
            hint=f"it takes at least {needed} pairs",
        )
    low, high = 0.0, disagreement
    while high - low > 1e-12:
        middle = (low + high) / 2
        if middle > 0 and _connor(middle, disagreement, alpha, power) <= n:
            high = middle
        else:
            low = middle
    return high


def _connor(d: float, psi: float, alpha: float, power: float) -> float:
    from scipy.special import ndtri

    z_alpha, z_beta = float(ndtri(1 - alpha / 2)), float(ndtri(power))
    return (z_alpha * math.sqrt(psi) + z_beta * math.sqrt(max(psi - d * d, 0.0))) ** 2 / (d * d)


def _exact_power(n: int, d: float, psi: float, alpha: float) -> float:
    from scipy.special import bdtr, bdtrc

    deviation = math.sqrt(n * psi * (1 - psi))
    low = max(0, math.floor(n * psi - 10 * deviation - 1))
    m = np.arange(low, min(n, math.ceil(n * psi + 10 * deviation + 1)) + 1)
    share = min(1.0, (psi + d) / (2 * psi))
    fewest = _critical_count(m, alpha)
    better = np.where(fewest >= 0, bdtrc(np.maximum(m - fewest - 1, 0), m, share), 0.0)
    worse = np.where(fewest >= 0, bdtr(np.maximum(fewest, 0), m, share), 0.0)
    return float(min(1.0, (_binomial(m, n, psi) * (better + worse)).sum()))


def _critical_count(m: Counts, alpha: float) -> Counts:
    """For each m the largest k with 2·P(X ≤ k) ≤ alpha, X binomial(m, 1/2); −1 where none."""
    from scipy.special import bdtr, ndtri

    near = np.floor(m / 2 + float(ndtri(alpha / 2)) * np.sqrt(m) / 2).astype(np.int64)
    best = np.full(m.shape, -1, dtype=np.int64)
    for step in range(-3, 4):
        k = near + step
        fits = (k >= 0) & (k < m) & (2 * bdtr(np.clip(k, 0, m), m, 0.5) <= alpha)
        best = np.where(fits, np.maximum(best, k), best)
    return best


def _binomial(m: Counts, n: int, psi: float) -> Numbers:
    from scipy.special import gammaln, xlog1py, xlogy

    log = gammaln(n + 1) - gammaln(m + 1) - gammaln(n - m + 1)
    return np.asarray(np.exp(log + xlogy(m, psi) + xlog1py(n - m, -psi)), dtype=np.float64)


def _exact_pairs(n: int, d: float, psi: float, alpha: float, power: float) -> int:
    """Search for where the exact power passes the wanted one; it rises in small saw teeth."""
    low, high = 0, max(n, 1)
    while _exact_power(high, d, psi, alpha) < power:
        low, high = high, high + max(1, high // 4)
    while high - low > 1:
        middle = (low + high) // 2
        if _exact_power(middle, d, psi, alpha) >= power:
            high = middle
        else:
            low = middle
    return high


def _check(d: float, psi: float, alpha: float, power: float) -> None:
    for name, number in (("alpha", alpha), ("power", power)):
        if not 0 < number < 1:
            raise SettingError("not-between", f"{name} {number!r} is not between 0 and 1")
    if not 0 < psi <= 1:
        raise SettingError(
            "disagreement-not",
            f"disagreement {psi!r} is not in (0, 1]",
            hint="it is the share of pairs that exactly one of the runs gets right",
        )
    if not 0 < d <= 1:
        raise SettingError(
            "difference-not", f"difference {d!r} is not in (0, 1]", hint="0.02 is two points"
        )
    if d > psi * (1 + 1e-9):  # both may come from runs, with rounding errors of their own
        raise SettingError(
            "difference-impossible-runs-disagree",
            f"a difference of {d:g} is impossible where the runs disagree on {psi:g} of the pairs",
            hint="runs differ by at most their disagreement; raise it or ask for less",
        )
