"""Tests of differences and against chance: McNemar, binomial, bootstrap; Holm's correction; clusters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ensue.statistics.resampling import RESAMPLING, Difference, Numbers, Resampling

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
