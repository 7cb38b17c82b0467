"""Agreement of annotators: raw, Cohen's and Fleiss' kappa, Krippendorff's alpha.

Labels come as a matrix of codes 0, 1, …: a row for each unit, a column for each annotator. Each
coefficient is a ratio of statistics that sum over units, so that any resample of them gives it. A
kappa is (observed − expected) / (1 − expected); where all annotators always give one and the same
label the expected agreement is 1, and kappa is undefined.

α = 1 − D_o / D_e (Krippendorff 2004, "Content Analysis", chapter 11), the observed over the expected
disagreement. A unit with m ≥ 2 labels has m(m−1) ordered couples of labels, each of weight 1/(m−1),
so that every label counts once; units with fewer say nothing. With n such labels, n_c of them c, and
v_uc of them in unit u,

D_o = (1/n) Σ_u Σ_c v_uc·(m_u − v_uc)/(m_u − 1),    D_e = Σ_c n_c·(n − n_c) / (n·(n − 1)).

Where only one label is used, D_e is 0 and alpha is undefined.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ensue.errors import UndefinedError
from ensue.statistics.resampling import (
    RESAMPLING,
    Estimate,
    Resampling,
    drawn_multiples,
    ratio,
    summed_by,
)

SparseCodes = NDArray[np.signedinteger]
Floats = NDArray[np.float64]

NO_LABEL = -1
"""The code of a label that an annotator did not give."""

NO_COUPLE = "no unit has labels from two annotators"
ONE_LABEL = "all annotators give one label throughout, so that no disagreement is to be expected"
_NO_UNIT = "no unit has labels from all annotators"
_CHANCE_IS_1 = "all annotators give one label throughout, so that agreement by chance is 1"

# Raw agreement, Cohen's kappa (1960) and Fleiss' kappa (1971), of units that all annotators label.


def kappa(observed: Floats, expected: Floats) -> Floats:
    """(observed − expected) / (1 − expected), NaN where nothing is left beyond chance."""
    room = 1 - expected
    undefined = np.full_like(observed, np.nan)
    return np.divide(observed - expected, room, out=undefined, where=room > 0)


def kappa_statistics(codes: SparseCodes, n_labels: int | None = None) -> Floats:
    """For each unit what sums up to raw agreement and kappa; zeros where a label is lacking.

    Args:
        codes: Units × annotators: labels 0, 1, …, or `NO_LABEL`.
        n_labels: How many codes there are; as many as are used where it is None.

    Returns:
        Whether all label the unit, whether all agree, the share of couples that do, and what each
        annotator says: a column for each annotator and label.
    """
    if n_labels is None:
        n_labels = int(codes.max(initial=0)) + 1
    n_units, n = codes.shape
    counted = (codes != NO_LABEL).all(axis=1)
    given = (codes[:, :, None] == np.arange(n_labels)) & counted[:, None, None]
    votes = given.sum(axis=1)
    couples = (votes * (votes - 1)).sum(axis=1) / max(n * (n - 1), 1)
    columns = [counted, (votes == n).any(axis=1), couples, given.reshape(n_units, -1)]
    return np.column_stack(columns).astype(np.float64)


def raw_agreement(sums: Floats) -> Floats:
    """The share of units on which all agree, of rows of summed statistics."""
    return ratio(sums[:, 1], sums[:, 0])


def cohen_kappa(sums: Floats) -> Floats:
    """Agreement of two annotators beyond chance, each with a chance of their own (Cohen 1960)."""
    said = sums[:, 3:].reshape(len(sums), 2, -1)
    shares = ratio(said, np.broadcast_to(sums[:, 0, None, None], said.shape))
    return kappa(raw_agreement(sums), shares.prod(axis=1).sum(axis=1))


def fleiss_kappa(sums: Floats, n_annotators: int) -> Floats:
    """Agreement of many annotators, with one chance for all (Fleiss 1971, equation 7)."""
    said = sums[:, 3:].reshape(len(sums), n_annotators, -1).sum(axis=1)
    shares = ratio(said, np.broadcast_to(sums[:, :1] * n_annotators, said.shape))
    return kappa(ratio(sums[:, 2], sums[:, 0]), (shares**2).sum(axis=1))


@dataclass(frozen=True, slots=True)
class KappaReasons:
    """Why there is no agreement."""

    no_unit: str = _NO_UNIT
    one_label: str = _CHANCE_IS_1


def kappa_estimates(
    sums: Floats, kappas: Floats, resampling: Resampling, reasons: KappaReasons
) -> tuple[Estimate, Estimate]:
    """Raw agreement and kappa, of the first row, with the interval of the others."""
    reason = reasons.one_label if sums[0, 0] else reasons.no_unit
    raw = resampling.estimate(raw_agreement(sums), reasons.no_unit)
    return raw, resampling.estimate(kappas, reason)


@dataclass(frozen=True, slots=True)
class TwoAnnotators:
    """How far two annotators agree."""

    first: int
    """The column of the one."""
    second: int
    """The column of the other."""
    raw: Estimate
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """How far annotators agree, two by two and all together."""

    n_pairs: int
    raw: Estimate
    """The share of pairs on which all agree."""
    fleiss: Estimate
    couples: tuple[TwoAnnotators, ...]


def annotator_agreement(
    codes: SparseCodes, *, resampling: Resampling = RESAMPLING
) -> AnnotatorAgreement:
    """All agreement of these annotators, with bootstrap intervals over pairs.

    Pairs with the same labels are interchangeable, so a resample is a draw of how often each row
    of labels occurs. All numbers see the same draws.

    Raises:
        UndefinedError: there are no pairs, or fewer than two annotators.
    """
    if len(codes) == 0:
        raise UndefinedError(
            "no-agreement-without-pairs",
            "there is no agreement without pairs that all annotators judged",
            hint="let every annotator label the same pairs",
        )
    _check_annotators(codes)
    rows, n_times = np.unique(codes, axis=0, return_counts=True)
    drawn = drawn_multiples(n_times.astype(np.int64), resampling.draws, resampling.rng())
    weights = np.vstack([n_times[None, :], *drawn]).astype(np.float64)
    reasons = KappaReasons()
    couples = []
    for i, j in combinations(range(codes.shape[1]), 2):
        sums = weights @ kappa_statistics(rows[:, [i, j]])
        estimates = kappa_estimates(sums, cohen_kappa(sums), resampling, reasons)
        couples.append(TwoAnnotators(i, j, *estimates))
    sums = weights @ kappa_statistics(rows)
    fleiss = fleiss_kappa(sums, codes.shape[1])
    together = kappa_estimates(sums, fleiss, resampling, reasons)
    return AnnotatorAgreement(len(codes), *together, tuple(couples))


def _check_annotators(codes: SparseCodes) -> None:
    if codes.ndim != 2 or codes.shape[1] < 2:
        raise UndefinedError(
            "agreement-needs-two-annotators", "agreement needs two annotators or more"
        )


# Krippendorff's alpha for nominal labels: agreement of any number of annotators, some of whom
# skip.


def krippendorff_alpha(
    codes: SparseCodes,
    *,
    group: NDArray[np.int64] | None = None,
    resampling: Resampling = RESAMPLING,
) -> Estimate:
    """Alpha with a bootstrap interval.

    Args:
        codes: Units × annotators: labels 0, 1, …, or `NO_LABEL`.
        group: For each unit the number of its group, 0, 1, …; whole groups are drawn, since what
            belongs to one hangs together. Every unit is its own where it is None.
        resampling: Draws, level and seed of the intervals.

    Raises:
        UndefinedError: a label is none of these codes, or there are fewer than two annotators.
    """
    _check_annotators(codes)
    if codes.size and codes.min() < NO_LABEL:
        raise UndefinedError("no-code-label", f"{int(codes.min())!r} is no code of a label")
    statistics = alpha_statistics(codes)
    if group is not None:
        n_groups = int(group.max()) + 1 if group.size else 0
        statistics = summed_by(group, statistics, n_groups)
    sums = resampling.sums(statistics)
    return alpha_estimate(sums, resampling)


def alpha_statistics(codes: SparseCodes, n_labels: int | None = None) -> Floats:
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


def alpha_of(sums: Floats) -> Floats:
    """Alpha of rows of summed statistics; NaN where it is undefined."""
    disagreement, counts = sums[:, 0], sums[:, 1:]
    n = counts.sum(axis=1)
    expected = (counts * (n[:, None] - counts)).sum(axis=1)
    return np.asarray(1 - ratio((n - 1) * disagreement, expected), dtype=np.float64)


def alpha_estimate(sums: Floats, resampling: Resampling) -> Estimate:
    """Alpha of the first row with the interval of the others, or the reason why there is none."""
    reason = ONE_LABEL if sums[0, 1:].sum() > 0 else NO_COUPLE
    return resampling.estimate(alpha_of(sums), reason)
