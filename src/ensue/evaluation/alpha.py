"""Krippendorff's alpha for nominal labels: agreement of any number of annotators, some of whom skip.

α = 1 − D_o / D_e (Krippendorff 2004, "Content Analysis", chapter 11), the observed over the expected
disagreement. A unit with m ≥ 2 labels has m(m−1) ordered couples of labels, each of weight 1/(m−1),
so that every label counts once; units with fewer say nothing. With n such labels, n_c of them c, and
v_uc of them in unit u,

D_o = (1/n) Σ_u Σ_c v_uc·(m_u − v_uc)/(m_u − 1),    D_e = Σ_c n_c·(n − n_c) / (n·(n − 1)).

Where only one label is used, D_e is 0 and alpha is undefined.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.errors import UndefinedError
from ensue.evaluation.measuring.intervals import DRAWS, LEVEL, check_resampling
from ensue.evaluation.measuring.sums import estimate_of, ratios, resampled_sums, summed_by
from ensue.evaluation.results import Estimate

MISSING = -1
"""The code of a label that an annotator did not give."""

NO_COUPLE = "no unit has labels from two annotators"
ONE_LABEL = "all annotators give one label throughout, so that no disagreement is to be expected"

Codes = NDArray[np.signedinteger]
Numbers = NDArray[np.float64]


def krippendorff_alpha(
    codes: Codes,
    *,
    group: NDArray[np.int64] | None = None,
    draws: int = DRAWS,
    level: float = LEVEL,
    seed: int = 0,
) -> Estimate:
    """Alpha with a bootstrap interval.

    Args:
        codes: Units × annotators: labels 0, 1, …, or `MISSING`.
        group: For each unit the number of its group, 0, 1, …; whole groups are drawn, since what
            belongs to one hangs together. Every unit is its own where it is None.
        draws: How many resamples; 0 for no interval.
        level: Of the interval.
        seed: Of the random numbers.

    Raises:
        UndefinedError: a label is none of these codes, or there are fewer than two annotators.
    """
    check_resampling(draws, level)
    if codes.ndim != 2 or codes.shape[1] < 2:
        raise UndefinedError("agreement needs two annotators or more")
    if codes.size and codes.min() < MISSING:
        raise UndefinedError(f"{int(codes.min())!r} is no code of a label")
    statistics = alpha_statistics(codes)
    if group is not None:
        n_groups = int(group.max()) + 1 if group.size else 0
        statistics = summed_by(group, statistics, n_groups)
    sums = resampled_sums(statistics, draws, seed)
    return alpha_estimate(sums, level)


def alpha_statistics(codes: Codes, n_labels: int | None = None) -> Numbers:
    """For each unit what sums up to alpha: its disagreement, and its labels by code.

    Args:
        codes: Units × annotators.
        n_labels: How many codes there are; as many as are used where it is None.
    """
    if n_labels is None:
        n_labels = int(codes.max(initial=0)) + 1
    counts = np.stack([np.count_nonzero(codes == c, axis=1) for c in range(n_labels)], axis=1)
    n_given = counts.sum(axis=1, keepdims=True)
    counts = np.where(n_given >= 2, counts, 0).astype(np.float64)
    couples = (counts * (n_given - counts)).sum(axis=1)
    disagreement = couples / np.maximum(n_given[:, 0] - 1, 1)
    return np.column_stack([disagreement, counts])


def alpha_of(sums: Numbers) -> Numbers:
    """Alpha of rows of summed statistics; NaN where it is undefined."""
    disagreement, counts = sums[:, 0], sums[:, 1:]
    n = counts.sum(axis=1)
    expected = (counts * (n[:, None] - counts)).sum(axis=1)
    return np.asarray(1 - ratios((n - 1) * disagreement, expected), dtype=np.float64)


def alpha_estimate(sums: Numbers, level: float) -> Estimate:
    """Alpha of the first row with the interval of the others, or the reason why there is none."""
    reason = ONE_LABEL if sums[0, 1:].sum() > 0 else NO_COUPLE
    return estimate_of(alpha_of(sums), level, reason)
