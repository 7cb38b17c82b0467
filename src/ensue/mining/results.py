"""What the mining room hands out: suspects in their order, and the cases behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ensue.evaluation import Estimate, Judged
from ensue.mining.forms import Forms
from ensue.mining.population import ErrorKind
from ensue.mining.suspicion import Measure, Suspicion
from ensue.pairs import Label, Pair, View


@dataclass(frozen=True, slots=True)
class Suspect:
    """A form, and how much speaks against it."""

    rank: int
    """From 1, by the measure that was asked for."""
    form: str
    suspicion: Estimate
    """S, with its bootstrap interval where draws were made for this rank."""
    n_errors: int
    """|O_err|: error cases with the form."""
    n_cases: int
    """|O|: cases with the form."""
    measures: Mapping[Measure, float] = field(hash=False)
    p: float | None
    """How likely chance makes it as suspicious, by permutation; None without permutations."""
    q: float | None
    """The same, corrected for the number of forms (Benjamini–Hochberg)."""


@dataclass(frozen=True, slots=True)
class WorstCase:
    """An error case of a suspect."""

    pair: Pair
    share: float
    """Of the suspicion of this case, what falls on the suspect."""
    answer: Label | None
    """What the run says; None where it says nothing."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to mine."""

    measure: Measure = Measure.LN_ERRORS
    """What ranks the suspects."""
    top: int | None = 10
    """How many suspects get an interval; None for all."""
    draws: int = 2000
    """Bootstrap samples; 0 for no intervals."""
    permutations: int = 2000
    """Of the errors; 0 for no p."""
    level: float = 0.95
    """Of the intervals."""
    seed: int = 0
    """Of all random numbers."""


class Cases(Protocol):
    """The cases that were mined: all of them, or those that are worth a look."""

    @property
    def view(self) -> View:
        """The labels in which gold and run were compared."""

    def worst(self, suspect: Suspect, n: int) -> tuple[WorstCase, ...]:
        """As `Mining.worst_cases`."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedCases:
    """All cases that were mined."""

    judged: Judged
    """Gold and run side by side."""
    forms: Forms
    """Their forms."""
    errors: NDArray[np.bool_]
    """Which of them are errors."""
    rates: NDArray[np.float64]
    """The suspicion rate of each form."""

    @property
    def view(self) -> View:
        """The labels in which gold and run were compared."""
        return self.judged.view

    def worst(self, suspect: Suspect, n: int) -> tuple[WorstCase, ...]:
        """As `Mining.worst_cases`."""
        form = self.forms.names.index(suspect.form)
        cases = self.forms.cases_with(form)
        cases = cases[self.errors[cases]]
        shares = shares_of(form, self.forms, cases, self.rates)
        confidence = np.nan_to_num(self.judged.confidence[cases], nan=-1.0)
        chosen = np.lexsort([cases, -confidence, -shares.round(12)])[:n].tolist()
        return tuple(
            WorstCase(self.judged.pairs[cases[i]], float(shares[i]), self._answer(int(cases[i])))
            for i in chosen
        )

    def _answer(self, case: int) -> Label | None:
        if not self.judged.answered[case]:
            return None
        return self.view.labels[int(self.judged.answer[case])]


def shares_of(
    form: int, forms: Forms, cases: NDArray[np.intp], rates: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Of the suspicion of each of these cases, what falls on a form."""
    totals = [rates[forms.ids[forms.offsets[i] : forms.offsets[i + 1]]].sum() for i in cases]
    return np.asarray(rates[form] / np.array(totals, dtype=np.float64), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Mining:
    """Errors of one kind, mined."""

    kind: ErrorKind
    run: str
    """What the run is called."""
    against: str | None
    """What the run is called that gets the errors right; None where there is none."""
    suspects: tuple[Suspect, ...]
    """Every form that occurs in an error case, the most suspicious first."""
    n_cases: int
    """Cases that were mined."""
    n_errors: int
    """Errors among them."""
    n_cases_without_form: int
    """Cases, among those mined, that have no form; they bear on nothing."""
    n_errors_without_form: int
    n_forms: int
    """Forms that occur in a case that was mined."""
    settings: Settings
    suspicion: Suspicion
    cases: Cases

    @property
    def view(self) -> View:
        """The labels in which gold and run were compared."""
        return self.cases.view

    def worst_cases(self, suspect: Suspect, n: int) -> tuple[WorstCase, ...]:
        """The n error cases of which most suspicion falls on the suspect.

        Of equal ones, those come first in whose answer the run has most confidence.
        """
        return self.cases.worst(suspect, n)
