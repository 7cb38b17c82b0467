"""Mine profiles: the same numbers as from the cases themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.evaluation.large.columns import LABELS, NONE
from ensue.mining.forms import with_pairs_of_forms
from ensue.mining.large.cases import LargeCases
from ensue.mining.large.profiles import EMPTY, Profiles
from ensue.mining.mining import Counted, check_settings, mined_forms
from ensue.mining.population import ErrorKind, population
from ensue.mining.resampling import total_of
from ensue.mining.results import Mining, Settings, Suspect, WorstCase, shares_of
from ensue.mining.suspicion import Stopping
from ensue.pairs import Label, View


def with_pairs_of_profiles(profiles: Profiles, support: int) -> Profiles:
    """As `with_pairs_of_forms`, for the cases behind profiles.

    Raises:
        SettingError: the support is below 1, or so low that there are too many.
    """
    forms = with_pairs_of_forms(profiles.forms, support, profiles.n_cases_of_sets)
    return replace(profiles, forms=forms)


def mine_profiles(
    profiles: Profiles,
    kind: ErrorKind = ErrorKind.ALL,
    *,
    stopping: Stopping | None = None,
    settings: Settings | None = None,
) -> Mining:
    """Rank the forms by how much they are to blame for a run's errors, as `mine` does.

    Args:
        profiles: The cases, and perhaps another run that only what it gets right counts against.
        kind: What counts as an error, and among which cases.
        stopping: When the iterations end; after 10, where it is not given.
        settings: Measure, resampling and seed.

    Returns:
        What `mine` returns, but for the worst cases, which `with_worst_cases` adds.

    Raises:
        UndefinedError: as `mine`.
        SettingError: a number is out of range.
    """
    settings, stopping = settings or Settings(), stopping or Stopping()
    check_settings(settings)
    other = profiles.outcomes(1) if len(profiles.runs) > 1 else None
    chosen = population(profiles.outcomes(0), kind, other)
    run, against = (*profiles.runs, None)[:2]
    sets, n_cases, n_errors = _of_sets(profiles, chosen.cases, chosen.errors)
    counted = Counted(kind, str(run), against, profiles.forms.take(sets), n_errors, n_cases)
    errors = chosen.cases & chosen.errors
    return mined_forms(
        counted, lambda rates: ProfiledCases(profiles, errors, rates), stopping, settings
    )


def with_worst_cases(minings: Sequence[Mining], cases: LargeCases, n: int) -> list[Mining]:
    """The same with n worst cases of each suspect that is shown, read from where they lie.

    Args:
        minings: What `mine_profiles` found.
        cases: Where the cases are.
        n: At most as many as the profiles keep.
    """
    found = [
        {suspect.form: _profiled(mining).places(suspect, n) for suspect in _shown(mining)}
        for mining in minings
    ]
    rows = {place.row for places in found for each in places.values() for place in each}
    pairs = cases.pairs(sorted(rows))
    return [
        replace(
            mining,
            cases=ShownCases(
                mining.view,
                n,
                {
                    form: tuple(WorstCase(pairs[p.row], p.share, p.answer) for p in each)
                    for form, each in places.items()
                },
            ),
        )
        for mining, places in zip(minings, found, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a worst case is, and what is known of it."""

    row: int
    """Its number in the gold, from 0."""
    share: float
    answer: Label | None


@dataclass(frozen=True, slots=True, eq=False)
class ProfiledCases:
    """Cases of which profiles and places are known, and not the texts."""

    profiles: Profiles
    errors: NDArray[np.bool_]
    """Which profiles are errors."""
    rates: NDArray[np.float64]
    """The suspicion rate of each form."""

    @property
    def view(self) -> View:
        """The labels in which gold and run were compared."""
        return self.profiles.view

    def worst(self, suspect: Suspect, n: int) -> tuple[WorstCase, ...]:
        """Refuse: the texts have not been read."""
        raise SettingError(
            f"the worst cases of {suspect.form!r} have not been read: {n}",
            hint="read them with with_worst_cases",
        )

    def places(self, suspect: Suspect, n: int) -> tuple[Place, ...]:
        """The n worst cases of a suspect; as many as are kept, where these are fewer."""
        profiles, kept = self.profiles, self.profiles.kept
        if kept.most == 0:
            return ()
        form = profiles.forms.names.index(suspect.form)
        shares = np.full(profiles.forms.n_cases, np.nan)
        with_form = profiles.forms.cases_with(form)
        shares[with_form] = shares_of(form, profiles.forms, with_form, self.rates)
        erring = np.flatnonzero(self.errors & ~np.isnan(shares[profiles.sets]))
        shelves = kept.shelves[erring]
        rows, confidence = kept.rows[shelves].ravel(), kept.confidence[shelves].ravel()
        of_profile = np.repeat(erring, kept.most)
        share = shares[profiles.sets[of_profile]]
        order = np.lexsort([rows, -confidence, -share.round(12)])
        chosen = order[confidence[order] > EMPTY][:n].tolist()
        return tuple(
            Place(int(rows[i]), float(share[i]), self._answer(int(of_profile[i]))) for i in chosen
        )

    def _answer(self, profile: int) -> Label | None:
        code = int(self.profiles.answers[0][profile])
        return None if code == NONE else self.view.of(LABELS[code])


@dataclass(frozen=True, slots=True, eq=False)
class ShownCases:
    """The worst cases of the suspects that are shown."""

    view: View
    n: int
    """How many of each suspect."""
    of_form: dict[str, tuple[WorstCase, ...]]

    def worst(self, suspect: Suspect, n: int) -> tuple[WorstCase, ...]:
        """As `Mining.worst_cases`.

        Raises:
            SettingError: so many were not read, or the suspect is none of those that are shown.
        """
        if n > self.n or suspect.form not in self.of_form:
            raise SettingError(
                f"{n} worst cases of {suspect.form!r} have not been read",
                hint=f"{self.n} were read, of the first {len(self.of_form)} suspects",
            )
        return self.of_form[suspect.form][:n]


def _of_sets(
    profiles: Profiles, cases: NDArray[np.bool_], errors: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The sets that occur, in the order of their first cases, with their cases and errors."""
    of_cases, times = profiles.sets[cases], profiles.n_cases[cases]
    found, first, kinds = np.unique(of_cases, return_index=True, return_inverse=True)
    order = np.argsort(first)
    n_cases = total_of(kinds, times, len(found))
    n_errors = total_of(kinds, times * errors[cases], len(found))
    return found[order], n_cases[order], n_errors[order]


def _shown(mining: Mining) -> tuple[Suspect, ...]:
    return mining.suspects[: mining.settings.top]


def _profiled(mining: Mining) -> ProfiledCases:
    if not isinstance(mining.cases, ProfiledCases):
        raise SettingError("these are no profiles", hint="the worst cases are at hand already")
    return mining.cases
