"""Suspicion rates by the fixed point of Sagot & de La Clergerie (2006), and the ranking measures.

With s_i the forms of case i, O_f the cases with form f, and error(i) 1 for an error and 0 for a
good case:

- at first every error case shares its suspicion evenly: S_if = error(i) / |s_i|;
- a form's rate is the mean over its occurrences: S_f = Σ_{i ∈ O_f} S_if / |O_f|;
- then each error case shares its suspicion in proportion: S_if = error(i) · S_f / Σ_{g ∈ s_i} S_g.

S_f after n iterations has been computed n times: the first is the mean of the even shares.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.mining.forms import Forms
from ensue.mining.kernels import fixed_point

ITERATIONS = 10
"""As in the paper's tables."""

TOLERANCE = 1e-9
"""Converged: no rate moves by more than this in an iteration."""

PATIENCE = 100_000
"""The most iterations to convergence."""


class Measure(StrEnum):
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
            raise SettingError(f"{self.iterations!r} iterations make no rate", hint="at least 1")

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

    def measure(self, measure: Measure) -> NDArray[np.float64]:
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
    measure: Measure,
    rates: NDArray[np.float64],
    n_cases: NDArray[np.int64],
    n_errors: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The measure of each form, from its rate and its numbers of cases and of error cases.

    >>> rate, cases, errors = np.array([0.6102]), np.array([65]), np.array([61])
    >>> measured(Measure.LN_CASES, rate, cases, errors).round(3)
    array([2.547])
    """
    times = {
        Measure.SUSPICION: np.ones_like(rates),
        Measure.CASES: n_cases.astype(np.float64),
        Measure.LN_CASES: np.log(np.maximum(n_cases, 1)),
        Measure.ERRORS: n_errors.astype(np.float64),
        Measure.LN_ERRORS: np.log(np.maximum(n_errors, 1)),
    }
    return np.asarray(rates * times[measure], dtype=np.float64)
