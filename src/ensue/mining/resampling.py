"""Permutations and bootstrap of suspicion rates, over kinds of cases instead of cases.

The rates depend only on how many cases, and how many errors, there are of each set of forms. So a
permutation deals the errors to the distinct sets, and a bootstrap sample is a draw from the
multinomial distribution over them: iterating costs no more where more cases have the same forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.mining.forms import Forms
from ensue.mining.kernels import deal, fixed_points
from ensue.mining.suspicion import Stopping
from ensue.statistics import Resampling
from ensue.surface import DistinctRows

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]

_CELLS = 2_000_000
"""Draws times forms and kinds of cases that are held in memory at once."""

_KEPT = 20_000_000
"""Draws times forms that are kept for a second look instead of being drawn again."""

_DEALT_A_SET = 10
"""Up to so many errors for each set of forms it is quicker to deal them one by one (measured)."""

_DEALT = 20_000
"""So few errors are dealt one by one in any case."""

_HELD = 2_000_000
"""Cases that are held to deal errors to them."""

_MOST_CASES = 1_000_000_000
"""As many as numpy draws from without replacement."""

_ROUNDING = 1e-9
"""A permutation that equals the data but for rounding is as high as they are."""


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Cases with the same forms counted together."""

    forms: Forms
    """A case for each distinct set of forms."""
    n_cases: Counts
    """How many cases have the set."""
    n_errors: Counts
    """How many of them are errors."""

    def rates(self, n_errors: Counts, n_cases: Counts, stopping: Stopping) -> Numbers:
        """The rates of many draws: draws × forms."""
        return fixed_points(
            self.forms.offsets,
            self.forms.ids,
            np.ascontiguousarray(n_errors),
            np.ascontiguousarray(n_cases),
            len(self.forms.names),
            stopping.iterations,
            stopping.limit,
        )

    @property
    def rows(self) -> int:
        """How many draws to make at once."""
        return max(1, _CELLS // (len(self.n_cases) + len(self.forms.names)))


def grouped(
    forms: Forms, errors: NDArray[np.bool_] | Counts, n_cases: Counts | None = None
) -> Grouped:
    """Count the cases of each distinct set of forms; those without a form are left out.

    Args:
        forms: The forms of each case, or of each of many cases that have the same.
        errors: Which cases are errors; of how many cases, where each stands for many.
        n_cases: For how many cases each stands; for itself, where it is not given.
    """
    times = np.ones(forms.n_cases, np.int64) if n_cases is None else n_cases
    formed = forms.sizes > 0
    sets = DistinctRows()
    chosen = forms.subset(formed)
    kind = sets.numbers(chosen.offsets, chosen.ids).astype(np.int64)
    return Grouped(
        Forms(forms.names, sets.offsets, sets.values),
        total_of(kind, times[formed], sets.n_rows),
        total_of(kind, errors[formed], sets.n_rows),
    )


def total_of(kinds: Counts, numbers: NDArray[np.bool_] | Counts, n_kinds: int) -> Counts:
    """The sum of the numbers of each kind; exact, as no count is beyond 2⁵³."""
    return np.bincount(kinds, numbers, minlength=n_kinds).astype(np.int64)


def permuted_rates(
    cases: Grouped, stopping: Stopping, *, permutations: int, seed: int
) -> Iterator[Numbers]:
    """The rates where the same number of errors falls on the cases at random, some at a time.

    Raises:
        SettingError: there are more cases than can be dealt.
    """
    few = max(_DEALT, _DEALT_A_SET * len(cases.n_cases))
    are_few = cases.n_errors.sum() <= few and cases.n_cases.sum() <= _HELD
    dealt = _one_by_one if are_few else _set_by_set
    for drawn in dealt(cases, permutations, np.random.default_rng(seed)):
        n_cases = np.broadcast_to(cases.n_cases, drawn.shape)
        yield cases.rates(drawn, n_cases, stopping)


def _one_by_one(cases: Grouped, permutations: int, rng: np.random.Generator) -> Iterator[Counts]:
    """Deal errors to cases: costs as much as there are errors."""
    n_sets, n_errors = len(cases.n_cases), int(cases.n_errors.sum())
    kinds = np.repeat(np.arange(n_sets), cases.n_cases)
    for size in _sizes(permutations, min(cases.rows, max(1, _CELLS // max(n_errors, 1)))):
        yield deal(kinds, rng.random((size, n_errors)), n_sets)


def _set_by_set(cases: Grouped, permutations: int, rng: np.random.Generator) -> Iterator[Counts]:
    """The same by how many errors each set gets: costs as much as there are sets."""
    if cases.n_cases.sum() >= _MOST_CASES:
        raise SettingError(
            f"{_MOST_CASES:,} cases or more are too many for permutations",
            hint="-s permutations=0; the intervals remain",
        )
    n_errors = int(cases.n_errors.sum())
    for size in _sizes(permutations, cases.rows):
        yield rng.multivariate_hypergeometric(cases.n_cases, n_errors, size, method="marginals")


def resampled_rates(
    cases: Grouped, stopping: Stopping, *, resampling: Resampling, chosen: NDArray[np.intp]
) -> Numbers:
    """The rates of the chosen forms in bootstrap samples: draws × chosen, NaN where undefined."""
    rng = resampling.rng()
    cells = np.concatenate([cases.n_errors, cases.n_cases - cases.n_errors])
    occupied = np.flatnonzero(cells)
    n, n_sets = int(cells.sum()), len(cases.n_cases)
    found = [np.empty((0, len(chosen)))]
    for size in _sizes(resampling.draws, cases.rows):
        drawn = np.zeros((size, len(cells)), np.int64)
        drawn[:, occupied] = rng.multinomial(n, cells[occupied] / n, size=size)
        errors = drawn[:, :n_sets]
        found.append(cases.rates(errors, errors + drawn[:, n_sets:], stopping)[:, chosen])
    return np.concatenate(found)


@dataclass(frozen=True, slots=True, eq=False)
class Significance:
    """How often chance makes a form as suspicious; NaN for forms that do not occur."""

    p: Numbers
    """For each form, the share of permutations in which its own rate is at least as high."""
    q: Numbers
    """The false-discovery rate where this form and all more conspicuous ones are believed."""


def significance(
    cases: Grouped, rates: Numbers, stopping: Stopping, *, permutations: int, seed: int
) -> Significance:
    """Hold rates against those where the errors fall on the cases at random.

    The q of a form is what Benjamini and Hochberg's procedure makes of p-values pooled over the
    forms: how many forms are expected to be as conspicuous by chance, over how many are. It is
    never below the form's own p.
    """
    n_cases = cases.forms.counts(cases.n_cases)
    occurring = n_cases > 0
    found, n_cases = rates[occurring], n_cases[occurring]

    def drawn() -> Iterator[Numbers]:
        for block in permuted_rates(cases, stopping, permutations=permutations, seed=seed):
            yield block[:, occurring]

    blocks = _twice(drawn, permutations * len(found))
    total, as_high = found.copy(), np.zeros(len(found), np.int64)
    for block in blocks():
        total += block.sum(axis=0)
        as_high += (block >= found * (1 - _ROUNDING)).sum(axis=0)
    mean = total / (permutations + 1)
    own = (1 + as_high) / (1 + permutations)
    pooled = _pooled_p(blocks(), conspicuousness(found, mean, n_cases), mean, n_cases)
    p, q = np.full(len(rates), np.nan), np.full(len(rates), np.nan)
    p[occurring], q[occurring] = own, np.maximum(own, benjamini_hochberg(pooled.tolist()))
    return Significance(p, q)


def _pooled_p(blocks: Iterator[Numbers], found: Numbers, mean: Numbers, n_cases: Counts) -> Numbers:
    """For each form the share of permutations and forms that are at least as conspicuous."""
    order = np.sort(found)
    passed = np.zeros(len(order) + 1, np.int64)  # by how many forms a permuted one gets past
    for block in blocks:
        chance = conspicuousness(block, mean, n_cases) * (1 + _ROUNDING)
        places = np.searchsorted(order, chance.ravel(), "right")
        passed += np.bincount(places, minlength=len(order) + 1)
    reaching = np.cumsum(passed[::-1])[::-1]
    as_high = reaching[np.searchsorted(order, found, "left") + 1]
    return np.asarray((1 + as_high) / (1 + reaching[0]), dtype=np.float64)


def conspicuousness(rates: Numbers, mean: Numbers, n_cases: Counts) -> Numbers:
    """How far each form's rate stands out: n·KL(s‖m), 0 where s ≤ m.

    With s the rate, m its mean under permutation, n the form's number of cases and
    KL(s‖m) = s·ln(s/m) + (1−s)·ln((1−s)/(1−m)). It is the exponent of Chernoff's bound on the mean
    of n numbers in [0, 1], and so makes rare and frequent forms comparable.
    """
    above = rates > mean
    s, m = np.where(above, rates, 0.5), np.broadcast_to(np.where(above, mean, 0.5), rates.shape)
    rest = 1 - s
    with np.errstate(divide="ignore", invalid="ignore"):
        low = np.where(rest > 0, rest * np.log(rest / (1 - m)), 0.0)
        divergence = s * np.log(s / m) + low
    return np.asarray(np.where(above, n_cases * divergence, 0.0), dtype=np.float64)


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


def _sizes(n: int, rows: int) -> Iterator[int]:
    for start in range(0, n, rows):
        yield min(rows, n - start)


def _twice(draw: Callable[[], Iterator[Numbers]], n: int) -> Callable[[], Iterator[Numbers]]:
    """What gives the same draws twice: from memory where they fit, else by drawing them again."""
    if n > _KEPT:
        return draw
    kept = list(draw())
    return lambda: iter(kept)
