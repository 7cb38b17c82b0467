"""What the mining room hands out: suspects in their order, and the cases behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ensue.evaluation import Estimate, Judged
from ensue.mining.forms import Forms
from ensue.mining.population import ErrorKind
from ensue.mining.suspicion import Measure, Suspicion
from ensue.pairs import Label, Pair


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
    judged: Judged
    """Gold and run side by side, on the cases that were mined."""
    forms: Forms
    """Their forms."""
    errors: NDArray[np.bool_]
    """Which of them are errors."""

    def worst_cases(self, suspect: Suspect, n: int) -> tuple[WorstCase, ...]:
        """The n error cases of which most suspicion falls on the suspect.

        Of equal ones, those come first in whose answer the run has most confidence.
        """
        form = self.forms.names.index(suspect.form)
        cases = [int(case) for case in self.forms.cases_with(form) if self.errors[case]]
        confidence = np.nan_to_num(self.judged.confidence, nan=-1.0)
        share = {case: self._share(form, case) for case in cases}
        cases.sort(key=lambda case: (-round(share[case], 12), -confidence[case], case))
        return tuple(
            WorstCase(self.judged.pairs[case], share[case], self._answer(case))
            for case in cases[:n]
        )

    def _share(self, form: int, case: int) -> float:
        start, end = self.forms.offsets[case], self.forms.offsets[case + 1]
        total = float(self.suspicion.rates[self.forms.ids[start:end]].sum())
        return float(self.suspicion.rates[form]) / total

    def _answer(self, case: int) -> Label | None:
        if not self.judged.answered[case]:
            return None
        return self.judged.view.labels[int(self.judged.answer[case])]
