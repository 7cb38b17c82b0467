"""Which cases are mined, and which of them are errors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.errors import UndefinedError
from ensue.evaluation import Judged


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


def check_contrast(chosen: Population, run: str) -> None:
    """See that there is something to mine: errors, and good cases to hold against them.

    Raises:
        UndefinedError: there are no cases, no errors or nothing but errors.
    """
    n_cases, n_errors = int(chosen.cases.sum()), int(chosen.errors.sum())
    kind = chosen.kind
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


def _cases(judged: Judged, kind: ErrorKind) -> NDArray[np.bool_]:
    match kind:
        case ErrorKind.FALSE_NEGATIVES:
            return judged.answered & judged.is_yes
        case ErrorKind.FALSE_POSITIVES:
            return judged.answered & ~judged.is_yes
        case ErrorKind.ALL:
            return judged.answered
        case ErrorKind.UNANSWERED:
            return np.ones(judged.n_pairs, dtype=np.bool_)


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
