"""Profiles: cases with the same forms and the same outcome, counted together.

The numbers of error mining depend on nothing but how many cases have which forms, and how many of
them are errors. So cases that share both need not be held; of each profile only the few are kept
that may be shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.evaluation.large.columns import LABELS, NONE
from ensue.evaluation.measuring.lineup import view_codes
from ensue.mining.distinct import DistinctRows, Number, grown
from ensue.mining.forms import Forms
from ensue.mining.large.kernels import tally
from ensue.mining.large.sets import MOST, check_number
from ensue.mining.population import Outcomes
from ensue.pairs import View

Numbers = NDArray[np.int64]
Codes = NDArray[np.int8]

EMPTY = -2.0
"""The confidence that stands for no case; that of a case without one is −1."""

_ANSWERS = len(LABELS) + 1
"""Answers that there may be: a label, or none."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """The cases of some profiles that come first, as many of each as may be shown."""

    shelves: Numbers
    """For each profile, its row in the arrays below; −1 where no case is kept."""
    confidence: NDArray[np.float64]
    """Shelves × places: the run's in each case, −1 without one, `EMPTY` where there is no case."""
    rows: Numbers
    """Shelves × places: the numbers of these cases in the gold, from 0."""

    @property
    def most(self) -> int:
        """How many cases of each profile are kept."""
        return int(self.rows.shape[1])


@dataclass(frozen=True, slots=True, eq=False)
class Profiles:
    """Very many cases as profiles, in the order of their first cases."""

    runs: tuple[str, ...]
    """What the run is called, and the one that it is held against, where there is one."""
    view: View
    forms: Forms
    """The distinct sets of forms."""
    sets: Numbers
    """The set of each profile."""
    gold: Codes
    """The gold of each profile, an index into `LABELS`."""
    answers: tuple[Codes, ...]
    """For each run, its answer: the same, or −1."""
    n_cases: Numbers
    """How many cases each profile has."""
    kept: Kept

    def outcomes(self, run: int) -> Outcomes:
        """Gold and the answers of a run, in the view."""
        in_view = view_codes(self.view)
        # the view is chosen so that labels without a place in it do not occur
        codes = np.array([in_view.get(label, NONE) for label in (*LABELS, None)], np.int8)
        return Outcomes(codes[self.gold], codes[self.answers[run]])

    @property
    def n_cases_of_sets(self) -> Numbers:
        """How many cases each set has, whatever their outcome."""
        n_sets = self.forms.n_cases
        return np.bincount(self.sets, self.n_cases, minlength=n_sets).astype(np.int64)


class ProfileTally:
    """Counts cases by profile as they come along.

    Args:
        n_runs: How many runs are side by side; one, or two where one is held against another.
        n_kept: How many cases of each profile may be shown.
    """

    def __init__(self, n_runs: int, n_kept: int) -> None:
        self._n_runs = n_runs
        self._n_kept = n_kept
        self._profiles = DistinctRows()
        self._n_cases: Numbers = np.zeros(0, np.int64)
        self._first_rows: Numbers = np.zeros(0, np.int64)
        self._shelves: Numbers = np.zeros(0, np.int64)
        self._n_shelves = 0
        self._confidence: NDArray[np.float64] = np.zeros(0)
        self._rows: Numbers = np.zeros(0, np.int64)

    def add(
        self,
        rows: Numbers,
        sets: Numbers,
        gold: Codes,
        answers: Sequence[Codes],
        confidence: NDArray[np.float64],
    ) -> None:
        """Count some cases.

        Args:
            rows: Their numbers in the gold, from 0.
            sets: The sets of their forms.
            gold: Their gold, as indices into `LABELS`.
            answers: For each run, its answers; −1 is none.
            confidence: The first run's; NaN where there is none.

        Raises:
            SettingError: there are too many profiles.
        """
        self._n_shelves = tally(
            self._numbers(sets, gold, answers),
            rows,
            np.nan_to_num(confidence, nan=-1.0),
            # what is right in the finest view is right in any
            np.not_equal(gold, answers[0]),
            self._n_cases,
            self._first_rows,
            self._shelves,
            self._n_shelves,
            self._on_shelves(self._confidence),
            self._on_shelves(self._rows),
        )

    def profiles(self, runs: Sequence[str], view: View, forms: Forms) -> Profiles:
        """What was counted.

        Args:
            runs: What the runs are called.
            view: The labels to compare in.
            forms: The sets of forms, by their numbers.
        """
        n = self._profiles.n_rows
        order = np.argsort(self._first_rows[:n], kind="stable")
        sets, outcome = self._profiles.values.reshape(-1, 2)[order].T.astype(np.int64)
        answers: list[Codes] = []
        for _ in range(self._n_runs):
            outcome, answer = np.divmod(outcome, _ANSWERS)
            answers.insert(0, (answer - 1).astype(np.int8))
        return Profiles(
            tuple(runs),
            view,
            forms,
            sets,
            outcome.astype(np.int8),
            tuple(answers),
            self._n_cases[:n][order],
            Kept(
                self._shelves[:n][order],
                self._on_shelves(self._confidence)[: self._n_shelves],
                self._on_shelves(self._rows)[: self._n_shelves],
            ),
        )

    def _numbers(self, sets: Numbers, gold: Codes, answers: Sequence[Codes]) -> Numbers:
        """The profile of each case, with room for those that are new."""
        outcome = gold.astype(np.int64)
        for answer in answers:
            outcome = outcome * _ANSWERS + answer + 1
        keys = np.stack([sets, outcome], axis=1).astype(np.int32).ravel()
        before = self._profiles.n_rows
        found = self._profiles.numbers(np.arange(0, len(keys) + 1, 2), keys)
        n = self._profiles.n_rows
        check_number(n, MOST, "different combinations of forms and outcome")
        self._n_cases = _filled(self._n_cases, before, n, 0)
        self._first_rows = _filled(self._first_rows, before, n, np.iinfo(np.int64).max)
        self._shelves = _filled(self._shelves, before, n, NONE)
        start, end = (self._n_kept * (self._n_shelves + more) for more in (0, n - before))
        self._confidence = _filled(self._confidence, start, end, EMPTY)
        self._rows = _filled(self._rows, start, end, NONE)
        return found

    def _on_shelves(self, flat: NDArray[Number]) -> NDArray[Number]:
        n_kept = self._n_kept
        if n_kept == 0:
            return flat.reshape(0, 0)
        return flat[: len(flat) // n_kept * n_kept].reshape(-1, n_kept)


def _filled(array: NDArray[Number], start: int, end: int, value: float) -> NDArray[Number]:
    """The array, or a longer one, with this value from start to end."""
    array = grown(array, end)
    array[start:end] = value
    return array
