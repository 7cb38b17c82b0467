"""Mine a run for the forms that make it fail, as Bedaride & Gardent (2010, section 4) do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation import Estimate, Judged
from ensue.evaluation.measuring.intervals import check_resampling, percentile_interval
from ensue.mining.forms import Forms
from ensue.mining.population import ErrorKind, check_contrast, population
from ensue.mining.resampling import Significance, grouped, resampled_rates, significance
from ensue.mining.results import Mining, Settings, Suspect
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
    _check(judged, forms, against, settings)
    chosen = population(judged, kind, against)
    check_contrast(chosen, judged.name)
    mined, errors = forms.subset(chosen.cases), chosen.errors[chosen.cases]
    bare = mined.sizes == 0
    if bare[errors].all():
        raise UndefinedError(
            f"{judged.name}: nothing to mine: no case among the {kind.called} has a form",
            hint="mine other forms, e.g. words",
        )
    suspicion = suspicion_rates(mined, errors, stopping)
    return Mining(
        kind=kind,
        run=judged.name,
        against=against.name if against else None,
        suspects=_suspects(mined, errors, suspicion, stopping, settings),
        n_cases=len(errors),
        n_errors=int(errors.sum()),
        n_cases_without_form=int(bare.sum()),
        n_errors_without_form=int((bare & errors).sum()),
        n_forms=int((suspicion.n_cases > 0).sum()),
        settings=settings,
        suspicion=suspicion,
        judged=judged.subset(chosen.cases),
        forms=mined,
        errors=errors,
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
    forms: Forms,
    errors: NDArray[np.bool_],
    suspicion: Suspicion,
    stopping: Stopping,
    settings: Settings,
) -> tuple[Suspect, ...]:
    order = ranking(forms, suspicion, settings.measure)
    cases = grouped(forms, errors)
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


def _check(judged: Judged, forms: Forms, against: Judged | None, settings: Settings) -> None:
    check_resampling(settings.draws, settings.level)
    if settings.permutations < 0:
        raise SettingError(
            f"{settings.permutations!r} permutations cannot be made", hint="0 for no p"
        )
    if settings.top is not None and settings.top < 1:
        raise SettingError(f"the first {settings.top!r} make no sense", hint="at least 1")
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
