"""Do two runs differ? Exact McNemar, the paired bootstrap, Holm's correction, and clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from ensue.evaluation.measuring.intervals import LEVEL, Replicates, percentile_interval
from ensue.evaluation.measuring.judged import Judged
from ensue.evaluation.measuring.measures import (
    ACCURACY,
    ACCURACY_ALL,
    AVERAGE_PRECISION,
    CWS,
    Measure,
)
from ensue.evaluation.measuring.ranks import Numbers
from ensue.evaluation.results import Comparison, Difference

COMPARED = (ACCURACY, ACCURACY_ALL, CWS, AVERAGE_PRECISION)
"""The measures whose differences are bootstrapped."""


def compare(
    runs: Sequence[Judged], draws: Sequence[Replicates], *, level: float = LEVEL
) -> tuple[Comparison, ...]:
    """Compare every two runs on the same pairs.

    Args:
        runs: Runs on the same pairs in the same order.
        draws: For each run what `replicates` gives, with the measures in `COMPARED`.
        level: Of the intervals; two runs differ where the corrected p is at most 1 − level.
    """
    chosen = list(combinations(range(len(runs)), 2))
    discordant = [discordant_pairs(runs[i], runs[j]) for i, j in chosen]
    p_values = [mcnemar(*each) for each in discordant]
    return tuple(
        Comparison(
            first=runs[i].name,
            second=runs[j].name,
            n=runs[i].n_pairs,
            only_first=only_first,
            only_second=only_second,
            p=p,
            p_holm=p_holm,
            differs=p_holm <= _alpha(level),
            differences={
                measure.name: _difference(measure, (runs[i], runs[j]), (draws[i], draws[j]), level)
                for measure in COMPARED
            },
        )
        for (i, j), (only_first, only_second), p, p_holm in zip(
            chosen, discordant, p_values, holm(p_values), strict=True
        )
    )


def discordant_pairs(first: Judged, second: Judged) -> tuple[int, int]:
    """How many pairs the first run alone, and the second alone, gets right."""
    a, b = first.right, second.right
    return first.n(a & ~b), first.n(b & ~a)


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


def bootstrap_p(differences: Numbers) -> float:
    """The two-sided p of "no difference" from bootstrapped differences.

    Twice the smaller share of draws on either side of 0, draws at 0 counting on both; one is added
    above and below so that no p is 0 (Davison & Hinkley 1997, chapter 4).
    """
    n = len(differences)
    smaller = min(int((differences <= 0).sum()), int((differences >= 0).sum()))
    return min(1.0, 2 * (smaller + 1) / (n + 1))


def clusters(
    names: Sequence[str], accuracies: Sequence[float], comparisons: Sequence[Comparison]
) -> tuple[tuple[str, ...], ...]:
    """Maximal sets of runs, consecutive by accuracy, no two of which differ; the best first."""
    order = [names[i] for i in np.argsort(-np.asarray(accuracies), kind="stable")]
    different = {frozenset((each.first, each.second)) for each in comparisons if each.differs}
    found: list[tuple[str, ...]] = []
    end = 0
    for start in range(len(order)):
        last = _reach(order, start, different)
        if last > end:
            found.append(tuple(order[start:last]))
            end = last
    return tuple(found)


def _reach(order: Sequence[str], start: int, different: set[frozenset[str]]) -> int:
    end = start + 1
    while end < len(order) and not any(
        frozenset((name, order[end])) in different for name in order[start:end]
    ):
        end += 1
    return end


def _difference(
    measure: Measure,
    runs: tuple[Judged, Judged],
    draws: tuple[Mapping[str, Numbers], Mapping[str, Numbers]],
    level: float,
) -> Difference:
    values = [measure(judged) for judged in runs]
    if values[0] is None or values[1] is None:
        gaps = [f"{judged.name}: {measure.gap(judged)}" for judged in runs if measure.gap(judged)]
        return Difference(None, reason="; ".join(gaps) or "undefined for these pairs")
    differences = draws[0][measure.name] - draws[1][measure.name]
    defined = differences[~np.isnan(differences)]
    low, high = percentile_interval(defined, level)
    p = bootstrap_p(defined) if defined.size else None
    return Difference(values[0] - values[1], low, high, p)


def _alpha(level: float) -> float:
    # 1 - 0.95 is 0.050000000000000044: a p of exactly 0.05 must compare as people expect
    return round(1 - level, 12)
