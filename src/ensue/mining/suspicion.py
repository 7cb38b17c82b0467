"""Which cases are mined, which are errors, and the suspicion rates of their forms.

With s_i the forms of case i, O_f the cases with form f, and error(i) 1 for an error and 0 for a
good case:

- at first every error case shares its suspicion evenly: S_if = error(i) / |s_i|;
- a form's rate is the mean over its occurrences: S_f = Σ_{i ∈ O_f} S_if / |O_f|;
- then each error case shares its suspicion in proportion: S_if = error(i) · S_f / Σ_{g ∈ s_i} S_g.

S_f after n iterations has been computed n times: the first is the mean of the even shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation import Judged
from ensue.mining.forms import CaseForms, Forms
from ensue.mining.kernels import deal, fixed_point, fixed_points
from ensue.statistics import Resampling, benjamini_hochberg

# Which cases are mined, and which of them are errors.


class ErrorKind(StrEnum):
    """What counts as an error, and among which cases."""

    FALSE_NEGATIVES = "fn"
    """Entailments answered otherwise, among the answered entailments."""
    FALSE_POSITIVES = "fp"
    """Others answered with entailment, among the answered others."""
    ALL = "all"
    """Wrong answers, among all answers."""
    UNANSWERED = "unanswered"
    """Cases without an answer, among all cases."""

    @property
    def called(self) -> str:
        """The errors as people call them."""
        return _NAMES[self][0]

    @property
    def among(self) -> str:
        """The cases that they are among."""
        return _NAMES[self][1]


_NAMES = {
    ErrorKind.FALSE_NEGATIVES: ("false negatives", "answered entailments"),
    ErrorKind.FALSE_POSITIVES: ("false positives", "answered non-entailments"),
    ErrorKind.ALL: ("wrong answers", "answered cases"),
    ErrorKind.UNANSWERED: ("unanswered cases", "cases"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """The cases to mine, over the pairs of a judged run."""

    kind: ErrorKind
    cases: NDArray[np.bool_]
    """Which pairs are mined."""
    errors: NDArray[np.bool_]
    """Which of them are errors."""


def population(judged: Judged, kind: ErrorKind, against: Judged | None = None) -> Population:
    """Choose the cases to mine.

    Cases without an answer are outside, both as errors and as occurrences, unless they are what
    is mined.

    Args:
        judged: Gold and run side by side.
        kind: What counts as an error.
        against: Another run on the same pairs: a case is an error only where this run gets it
            right (or, among the unanswered, answers it), and is mined where both answer.
    """
    errors = _errors(judged, kind)
    cases = _cases(judged, kind)
    if against is None:
        return Population(kind, cases, errors)
    if kind is ErrorKind.UNANSWERED:
        return Population(kind, cases, errors & against.answered)
    return Population(kind, cases & against.answered, errors & against.right)


def check_contrast(kind: ErrorKind, n_cases: int, n_errors: int, run: str) -> None:
    """See that there is something to mine: errors, and good cases to hold against them.

    Raises:
        UndefinedError: there are no cases, no errors or nothing but errors.
    """
    if n_cases == 0:
        raise UndefinedError(
            "nothing-mine-no",
            f"{run}: nothing to mine: there are no {kind.among}",
            hint="mine other errors",
        )
    if n_errors == 0:
        raise UndefinedError(
            "nothing-mine-no-among",
            f"{run}: nothing to mine: no {kind.called} among {n_cases} {kind.among}",
            hint="mine other errors, or be content",
        )
    if n_errors == n_cases:
        raise UndefinedError(
            "nothing-mine-all-no",
            f"{run}: nothing to mine: all {n_cases} {kind.among} are {kind.called},"
            " so no form does worse than another",
            hint="mine other errors, or see whether the labels are mapped as they should be",
        )


def _cases(judged: Judged, kind: ErrorKind) -> NDArray[np.bool_]:
    match kind:
        case ErrorKind.FALSE_NEGATIVES:
            return judged.answered & judged.is_yes
        case ErrorKind.FALSE_POSITIVES:
            return judged.answered & ~judged.is_yes
        case ErrorKind.ALL:
            return judged.answered
        case ErrorKind.UNANSWERED:
            return np.ones(len(judged.answer), dtype=np.bool_)


def _errors(judged: Judged, kind: ErrorKind) -> NDArray[np.bool_]:
    match kind:
        case ErrorKind.FALSE_NEGATIVES:
            return judged.answered & judged.is_yes & ~judged.right
        case ErrorKind.FALSE_POSITIVES:
            return ~judged.is_yes & np.equal(judged.answer, 0)
        case ErrorKind.ALL:
            return judged.answered & ~judged.right
        case ErrorKind.UNANSWERED:
            return ~judged.answered


# Suspicion rates by the fixed point of Sagot & de La Clergerie (2006), and the ranking
# measures.

ITERATIONS = 10
"""As in the paper's tables."""

TOLERANCE = 1e-9
"""Converged: no rate moves by more than this in an iteration."""

PATIENCE = 100_000
"""The most iterations to convergence."""


class SuspicionMeasure(StrEnum):
    """What ranks the suspects: the rate by itself, or times a number of cases or its logarithm."""

    SUSPICION = "suspicion"
    """S, the most certain first."""
    CASES = "cases"
    """S·|O|: the errors that are laid to the form."""
    LN_CASES = "ln-cases"
    """S·ln|O|, which the paper's tables print."""
    ERRORS = "errors"
    """S·|O_err|, the expected gain."""
    LN_ERRORS = "ln-errors"
    """S·ln|O_err|, by which the paper's tables are ordered."""


@dataclass(frozen=True, slots=True)
class Stopping:
    """When the iterations end."""

    iterations: int = ITERATIONS
    """The most of them."""
    tolerance: float | None = None
    """Stop earlier where no rate moves by more than this; None is never."""

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise SettingError(
                "iterations-make-no-rate",
                f"{self.iterations!r} iterations make no rate",
                hint="at least 1",
            )

    @property
    def limit(self) -> float:
        """The tolerance as the kernels take it."""
        return -1.0 if self.tolerance is None else self.tolerance


CONVERGENCE = Stopping(PATIENCE, TOLERANCE)
"""Go on until nothing moves."""


@dataclass(frozen=True, slots=True, eq=False)
class Suspicion:
    """The suspicion rate of each form, and the numbers that it is ranked with."""

    rates: NDArray[np.float64]
    """S: for each form, in [0, 1]; 0 where it does not occur."""
    n_cases: NDArray[np.int64]
    """|O|: in how many cases each form occurs."""
    n_errors: NDArray[np.int64]
    """|O_err|: in how many error cases."""
    n_iterations: int
    converged: bool
    """Whether the iterations ended because no rate moved."""

    def measure(self, measure: SuspicionMeasure) -> NDArray[np.float64]:
        """The measure of each form; 0 for a form in no error case."""
        return measured(measure, self.rates, self.n_cases, self.n_errors)


def suspicion_rates(
    forms: Forms,
    errors: NDArray[np.bool_] | NDArray[np.int64],
    stopping: Stopping | None = None,
    *,
    n_cases: NDArray[np.int64] | None = None,
) -> Suspicion:
    """Compute how suspicious each form is, from which cases are errors.

    Args:
        forms: The forms of each case, or of each of many cases that have the same.
        errors: Which cases are errors; of how many cases, where each stands for many.
        stopping: When the iterations end; after 10, where it is not given.
        n_cases: For how many cases each stands; for itself, where it is not given.
    """
    stopping = stopping or Stopping()
    occurring = forms.counts(n_cases)
    rates = np.empty(len(forms.names))
    done = fixed_point(
        forms.offsets,
        forms.ids,
        errors.astype(np.int64),
        occurring,
        stopping.iterations,
        stopping.limit,
        rates,
    )
    converged = stopping.tolerance is not None and done < stopping.iterations
    return Suspicion(rates, occurring, forms.counts(errors), done, converged)


def measured(
    measure: SuspicionMeasure,
    rates: NDArray[np.float64],
    n_cases: NDArray[np.int64],
    n_errors: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The measure of each form, from its rate and its numbers of cases and of error cases.

    >>> rate, cases, errors = np.array([0.6102]), np.array([65]), np.array([61])
    >>> measured(SuspicionMeasure.LN_CASES, rate, cases, errors).round(3)
    array([2.547])
    """
    times = {
        SuspicionMeasure.SUSPICION: np.ones_like(rates),
        SuspicionMeasure.CASES: n_cases.astype(np.float64),
        SuspicionMeasure.LN_CASES: np.log(np.maximum(n_cases, 1)),
        SuspicionMeasure.ERRORS: n_errors.astype(np.float64),
        SuspicionMeasure.LN_ERRORS: np.log(np.maximum(n_errors, 1)),
    }
    return np.asarray(rates * times[measure], dtype=np.float64)


# Permutations and bootstrap of suspicion rates, over kinds of cases instead of cases. The rates
# depend only on how many cases, and how many errors, there are of each set of forms. So a permutation
# deals the errors to the distinct sets, and a bootstrap sample is a draw from the multinomial
# distribution over them: iterating costs no more where more cases have the same forms.

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
    cases: CaseForms, errors: NDArray[np.bool_], chosen: NDArray[np.bool_] | None = None
) -> Grouped:
    """Count the cases of each distinct set of forms; those without a form are left out.

    Args:
        cases: The forms of each case.
        errors: Which cases are errors.
        chosen: Which cases are counted; all, where it is not given. Sets come in the order of the
            first of them.
    """
    of_case = cases.of_case if chosen is None else cases.of_case[chosen]
    wrong = errors if chosen is None else errors[chosen]
    first = np.full(cases.sets.n_cases, len(of_case), np.int64)
    first[of_case[::-1]] = np.arange(len(of_case) - 1, -1, -1)  # the last that is written stays
    n_cases = np.bincount(of_case, minlength=len(first))
    n_errors = np.bincount(of_case[wrong], minlength=len(first))
    found = np.flatnonzero((n_cases > 0) & (cases.sets.sizes > 0))
    order = found[np.argsort(first[found])]
    return Grouped(cases.sets.take(order), n_cases[order], n_errors[order])


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
            "cases-more-too-many",
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


def _sizes(n: int, rows: int) -> Iterator[int]:
    for start in range(0, n, rows):
        yield min(rows, n - start)


def _twice(draw: Callable[[], Iterator[Numbers]], n: int) -> Callable[[], Iterator[Numbers]]:
    """What gives the same draws twice: from memory where they fit, else by drawing them again."""
    if n > _KEPT:
        return draw
    kept = list(draw())
    return lambda: iter(kept)
