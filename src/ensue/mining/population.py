"""Which cases are mined, and which of them are errors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ensue.errors import UndefinedError
from ensue.evaluation.measuring.judged import UNANSWERED


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
