"""Which cases are mined, which are errors, and the suspicion rates of their forms.

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
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation import UNANSWERED
from ensue.mining.forms import Forms
from ensue.mining.kernels import fixed_point

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


class Answers(Protocol):
    """Gold and answers side by side; a judged run has them, and so have the profiles of one."""

    @property
    def answer(self) -> NDArray[np.int8]:
        """0 is entailment."""

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Where there is an answer."""

    @property
    def right(self) -> NDArray[np.bool_]:
        """Where the answer is that of the gold."""

    @property
    def is_yes(self) -> NDArray[np.bool_]:
        """Where the gold is entailment."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Gold and answers by themselves, where there is no pair for each."""

    gold: NDArray[np.int8]
    """Index into the labels of a view; 0 is entailment."""
    answer: NDArray[np.int8]
    """The same, or `UNANSWERED`."""

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Where there is an answer."""
        return np.not_equal(self.answer, UNANSWERED)

    @property
    def right(self) -> NDArray[np.bool_]:
        """Where the answer is that of the gold."""
        return np.equal(self.answer, self.gold)

    @property
    def is_yes(self) -> NDArray[np.bool_]:
        """Where the gold is entailment."""
        return np.equal(self.gold, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """The cases to mine, over the pairs of a judged run."""

    kind: ErrorKind
    cases: NDArray[np.bool_]
    """Which pairs are mined."""
    errors: NDArray[np.bool_]
    """Which of them are errors."""


def population(judged: Answers, kind: ErrorKind, against: Answers | None = None) -> Population:
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
            f"{run}: nothing to mine: there are no {kind.among}", hint="mine other errors"
        )
    if n_errors == 0:
        raise UndefinedError(
            f"{run}: nothing to mine: no {kind.called} among {n_cases} {kind.among}",
            hint="mine other errors, or be content",
        )
    if n_errors == n_cases:
        raise UndefinedError(
            f"{run}: nothing to mine: all {n_cases} {kind.among} are {kind.called},"
            " so no form does worse than another",
            hint="mine other errors, or see whether the labels are mapped as they should be",
        )


def _cases(judged: Answers, kind: ErrorKind) -> NDArray[np.bool_]:
    match kind:
        case ErrorKind.FALSE_NEGATIVES:
            return judged.answered & judged.is_yes
        case ErrorKind.FALSE_POSITIVES:
            return judged.answered & ~judged.is_yes
        case ErrorKind.ALL:
            return judged.answered
        case ErrorKind.UNANSWERED:
            return np.ones(len(judged.answer), dtype=np.bool_)


def _errors(judged: Answers, kind: ErrorKind) -> NDArray[np.bool_]:
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
