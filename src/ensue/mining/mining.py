"""Mine a run for the forms that make it fail, as Bedaride & Gardent (2010, section 4) do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation import Estimate, Judged
from ensue.evaluation.measuring.intervals import check_resampling, percentile_interval
from ensue.mining.forms import Forms
from ensue.mining.population import ErrorKind, check_contrast, population
from ensue.mining.resampling import (
    Grouped,
    Significance,
    grouped,
    resampled_rates,
    significance,
)
from ensue.mining.results import Cases, JudgedCases, Mining, Settings, Suspect
from ensue.mining.suspicion import Measure, Stopping, Suspicion, suspicion_rates


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
    counted = Counted(kind, judged.name, against.name if against else None, mined, errors)
    return mined_forms(
        counted,
        lambda rates: JudgedCases(judged.subset(chosen.cases), mined, errors, rates),
        stopping,
        settings,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
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
    counted: Counted,
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


def ranking(forms: Forms, suspicion: Suspicion, measure: Measure) -> NDArray[np.intp]:
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
            seed=settings.seed,
        )
    chosen = order[: settings.top]
    drawn = np.empty((0, len(chosen)))
    if settings.draws:
        drawn = resampled_rates(
            cases, stopping, draws=settings.draws, seed=settings.seed, chosen=chosen
        )
    measures = {measure: suspicion.measure(measure) for measure in Measure}
    return tuple(
        Suspect(
            rank=rank,
            form=forms.names[i],
            suspicion=_estimate(suspicion.rates[i], drawn, rank, settings.level),
            n_errors=int(suspicion.n_errors[i]),
            n_cases=int(suspicion.n_cases[i]),
            measures={measure: float(values[i]) for measure, values in measures.items()},
            p=float(chance.p[i]) if chance else None,
            q=float(chance.q[i]) if chance else None,
        )
        for rank, i in enumerate(order.tolist(), start=1)
    )


def _estimate(rate: float, drawn: NDArray[np.float64], rank: int, level: float) -> Estimate:
    if rank > drawn.shape[1] or len(drawn) == 0:
        return Estimate(float(rate))
    draws = drawn[:, rank - 1]
    low, high = percentile_interval(draws, level)
    return Estimate(float(rate), low, high, n_undefined=int(np.isnan(draws).sum()))


def check_settings(settings: Settings) -> None:
    """Refuse numbers out of range.

    Raises:
        SettingError: draws or permutations cannot be made, or nothing would be shown.
    """
    check_resampling(settings.draws, settings.level)
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
