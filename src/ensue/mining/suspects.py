"""Mining a run for the forms that make it fail: suspects in order, and their cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation import Judged
from ensue.mining.forms import Forms
from ensue.mining.resampling import Grouped, Significance, grouped, resampled_rates, significance
from ensue.mining.suspicion import (
    ErrorKind,
    Stopping,
    Suspicion,
    SuspicionMeasure,
    check_contrast,
    population,
    suspicion_rates,
)
from ensue.pairs import Label, Pair, View
from ensue.statistics import RESAMPLING, Estimate, Resampling

# What the mining room hands out: suspects in their order, and the cases behind them.


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
    measures: Mapping[SuspicionMeasure, float] = field(hash=False)
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

    measure: SuspicionMeasure = SuspicionMeasure.LN_ERRORS
    """What ranks the suspects."""
    top: int | None = 10
    """How many suspects get an interval; None for all."""
    resampling: Resampling = RESAMPLING
    """Of the cases, for the intervals; its seed is that of the permutations, too."""
    permutations: int = 2000
    """Of the errors; 0 for no p."""


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


# Mine a run for the forms that make it fail, as Bedaride & Gardent (2010, section 4) do.


def mine(
    judged: Judged,
    forms: Forms,
    kind: ErrorKind = ErrorKind.ALL,
    *,
    against: Judged | None = None,
    stopping: Stopping | None = None,
    settings: Settings | None = None,
) -> Mining:
    """Rank the forms by how much they are to blame for a run's errors.

    Args:
        judged: Gold and run side by side, as `evaluation.line_up` puts them.
        forms: The forms of its pairs, in their order, as `find_forms` finds them.
        kind: What counts as an error, and among which cases.
        against: Another run on the same pairs: only what it gets right counts as an error.
        stopping: When the iterations end; after 10, where it is not given.
        settings: Measure, resampling and seed.

    Raises:
        UndefinedError: there is no error, or no good case, among the cases to mine, or no error
            case has a form.
        SettingError: forms or runs are of other pairs, or a number is out of range.
    """
    settings, stopping = settings or Settings(), stopping or Stopping()
    check_settings(settings)
    _check(judged, forms, against)
    chosen = population(judged, kind, against)
    mined, errors = forms.subset(chosen.cases), chosen.errors[chosen.cases]
    counted = CountedErrors(kind, judged.name, against.name if against else None, mined, errors)
    return mined_forms(
        counted,
        lambda rates: JudgedCases(judged.subset(chosen.cases), mined, errors, rates),
        stopping,
        settings,
    )


@dataclass(frozen=True, slots=True, eq=False)
class CountedErrors:
    """Errors of one kind, counted: all that the numbers depend on."""

    kind: ErrorKind
    run: str
    """What the run is called."""
    against: str | None
    """What the run is called that gets the errors right; None where there is none."""
    forms: Forms
    """The forms of each case, or of each of many cases that have the same."""
    errors: NDArray[np.bool_] | NDArray[np.int64]
    """Which cases are errors; of how many cases, where each stands for many."""
    times: NDArray[np.int64] | None = None
    """For how many cases each stands; None where it is itself alone."""

    @property
    def n_cases(self) -> int:
        """All cases."""
        return self.forms.n_cases if self.times is None else int(self.times.sum())

    @property
    def n_errors(self) -> int:
        """All errors."""
        return int(self.errors.sum())


def mined_forms(
    counted: CountedErrors,
    cases: Callable[[NDArray[np.float64]], Cases],
    stopping: Stopping,
    settings: Settings,
) -> Mining:
    """Rank the forms of counted cases.

    Args:
        counted: Cases and errors.
        cases: Makes of the suspicion rates what shows the worst cases.
        stopping: When the iterations end.
        settings: Measure, resampling and seed.

    Raises:
        UndefinedError: as `mine`.
    """
    check_contrast(counted.kind, counted.n_cases, counted.n_errors, counted.run)
    groups = grouped(counted.forms, counted.errors, counted.times)
    n_formed, n_errors_formed = int(groups.n_cases.sum()), int(groups.n_errors.sum())
    if n_errors_formed == 0:
        raise UndefinedError(
            f"{counted.run}: nothing to mine: no case among the {counted.kind.called} has a form",
            hint="mine other forms, e.g. words",
        )
    suspicion = suspicion_rates(groups.forms, groups.n_errors, stopping, n_cases=groups.n_cases)
    return Mining(
        kind=counted.kind,
        run=counted.run,
        against=counted.against,
        suspects=_suspects(groups, suspicion, stopping, settings),
        n_cases=counted.n_cases,
        n_errors=counted.n_errors,
        n_cases_without_form=counted.n_cases - n_formed,
        n_errors_without_form=counted.n_errors - n_errors_formed,
        n_forms=int((suspicion.n_cases > 0).sum()),
        settings=settings,
        suspicion=suspicion,
        cases=cases(suspicion.rates),
    )


def ranking(forms: Forms, suspicion: Suspicion, measure: SuspicionMeasure) -> NDArray[np.intp]:
    """The forms in error cases by decreasing measure; then by rate, errors and name."""
    found = np.flatnonzero(suspicion.n_errors > 0)
    value, rate = suspicion.measure(measure).round(12), suspicion.rates.round(12)
    order = sorted(
        found.tolist(),
        key=lambda i: (-value[i], -rate[i], -suspicion.n_errors[i], forms.names[i]),
    )
    return np.array(order, dtype=np.intp)


def _suspects(
    cases: Grouped, suspicion: Suspicion, stopping: Stopping, settings: Settings
) -> tuple[Suspect, ...]:
    forms = cases.forms
    order = ranking(forms, suspicion, settings.measure)
    chance: Significance | None = None
    if settings.permutations:
        chance = significance(
            cases,
            suspicion.rates,
            stopping,
            permutations=settings.permutations,
            seed=settings.resampling.seed,
        )
    chosen = order[: settings.top]
    drawn = np.empty((0, len(chosen)))
    if settings.resampling.draws:
        drawn = resampled_rates(cases, stopping, resampling=settings.resampling, chosen=chosen)
    measures = {measure: suspicion.measure(measure) for measure in SuspicionMeasure}
    return tuple(
        Suspect(
            rank=rank,
            form=forms.names[i],
            suspicion=_estimate(suspicion.rates[i], drawn, rank, settings.resampling),
            n_errors=int(suspicion.n_errors[i]),
            n_cases=int(suspicion.n_cases[i]),
            measures={measure: float(values[i]) for measure, values in measures.items()},
            p=float(chance.p[i]) if chance else None,
            q=float(chance.q[i]) if chance else None,
        )
        for rank, i in enumerate(order.tolist(), start=1)
    )


def _estimate(
    rate: float, drawn: NDArray[np.float64], rank: int, resampling: Resampling
) -> Estimate:
    if rank > drawn.shape[1] or len(drawn) == 0:
        return Estimate(float(rate))
    draws = drawn[:, rank - 1]
    low, high = resampling.interval(draws)
    return Estimate(float(rate), low, high, n_undefined=int(np.isnan(draws).sum()))


def check_settings(settings: Settings) -> None:
    """Refuse numbers out of range.

    Raises:
        SettingError: permutations cannot be made, or nothing would be shown.
    """
    if settings.permutations < 0:
        raise SettingError(
            f"{settings.permutations!r} permutations cannot be made", hint="0 for no p"
        )
    if settings.top is not None and settings.top < 1:
        raise SettingError(f"the first {settings.top!r} make no sense", hint="at least 1")


def _check(judged: Judged, forms: Forms, against: Judged | None) -> None:
    if forms.n_cases != judged.n_pairs:
        raise SettingError(
            f"forms of {forms.n_cases} cases do not go with {judged.n_pairs} pairs",
            hint="find the forms of the judged pairs: find_forms(judged.pairs)",
        )
    if against is not None and _ids(against) != _ids(judged):
        raise SettingError(
            f"{judged.name} and {against.name} are not runs on the same pairs",
            hint="line both up with the same gold",
        )


def _ids(judged: Judged) -> Sequence[str]:
    return [pair.id for pair in judged.pairs]
