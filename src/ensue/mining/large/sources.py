"""Mining gold and runs of any size, by their names and by profile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation import line_up
from ensue.evaluation.large import (
    LABELS,
    NONE,
    Files,
    MemoryLimits,
    Source,
    parquet_rows,
    verdict_columns,
)
from ensue.files import OnFinding, shown_name
from ensue.mining.forms import TAGS, find_forms, with_pairs_of_forms
from ensue.mining.large.profiles import (
    EMPTY,
    LargeCases,
    Profiles,
    cases_of_pairs,
    count_profiles,
    read_cases,
)
from ensue.mining.resampling import total_of
from ensue.mining.suspects import (
    CountedErrors,
    Mining,
    Settings,
    Suspect,
    WorstCase,
    check_settings,
    mine,
    mined_forms,
    shares_of,
)
from ensue.mining.suspicion import ErrorKind, Stopping, population
from ensue.pairs import (
    Finding,
    Label,
    Pair,
    ReadKeywords,
    Run,
    View,
    is_folder,
    load_pairs,
    open_run_folder,
    read_files,
    read_run,
    with_unique_ids,
)

# Mine profiles: the same numbers as from the cases themselves.


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
    counted = CountedErrors(kind, str(run), against, profiles.forms.take(sets), n_errors, n_cases)
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
class WorstCasePlace:
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

    def places(self, suspect: Suspect, n: int) -> tuple[WorstCasePlace, ...]:
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
            WorstCasePlace(int(rows[i]), float(share[i]), self._answer(int(of_profile[i])))
            for i in chosen
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


# Mine gold and runs of any size, by their names.


@dataclass(frozen=True, slots=True, eq=False)
class MinedSources:
    """What was mined, and what was not."""

    minings: tuple[Mining, ...]
    """One for each kind of errors of which there is something to mine."""
    gaps: tuple[UndefinedError, ...]
    """Why there is nothing to mine of the others."""
    findings: tuple[Finding, ...]
    """What does not fit in gold and runs."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be mined."""

    kinds: Sequence[ErrorKind]
    forms: Sequence[str] = (TAGS,)
    """Kinds of forms, as in `find_forms`."""
    support: int | None = None
    """Every two forms that occur together in so many cases are a form, too."""
    n_worst: int = 0
    """How many of the worst cases of each suspect are shown."""
    stopping: Stopping = field(default_factory=Stopping)
    settings: Settings = field(default_factory=Settings)


def mine_sources(
    gold: Source,
    runs: Sequence[Source],
    wanted: Wanted,
    *,
    reading: ReadKeywords | None = None,
    on_finding: OnFinding | None = None,
    limits: MemoryLimits | None = None,
) -> MinedSources:
    """Mine a run for the forms that make it fail, whatever its size.

    Up to `LARGE` pairs are held and mined as `mine` does. More are streamed: every number is the
    same, and worst cases are there for as many suspects as are shown.

    Args:
        gold: A file, a folder, a glob, the URL of one of them, or `-`.
        runs: The run, and another to hold it against, where only what that gets right counts.
        wanted: What is to be mined.
        reading: How to read the gold; its labels hold for plain runs, too.
        on_finding: Is told of problems in the gold that do not stop the reading.
        limits: How much is in memory at once.

    Raises:
        EnsueError: gold or a run cannot be read, they do not go together, or the forms cannot be
            found.
    """
    options, limits = reading or ReadKeywords(), limits or MemoryLimits()
    with TemporaryDirectory(prefix="ensue-mining-") as name:
        found = _opened(gold, runs, wanted.forms, Path(name), options, on_finding, limits.pairs)
        if isinstance(found, list):
            return _of_pairs(found, runs, wanted, options)
        return _of_cases(found, runs, wanted, Path(name), options, limits.partition)


def _of_pairs(
    pairs: Sequence[Pair], runs: Sequence[Source], wanted: Wanted, reading: ReadKeywords
) -> MinedSources:
    return mine_pairs(pairs, [read_run(run, labels=reading.get("labels")) for run in runs], wanted)


def mine_pairs(pairs: Sequence[Pair], runs: Sequence[Run], wanted: Wanted) -> MinedSources:
    """Mine a run over pairs that are held, as `mine_sources` does by their names.

    Args:
        pairs: The gold.
        runs: The run, and another to hold it against, where only what that gets right counts.
        wanted: What is to be mined.

    Raises:
        EnsueError: pairs and runs do not go together, or the forms cannot be found.
    """
    lined = line_up(pairs, runs)
    judged, *others = lined.judged
    forms = find_forms(judged.pairs, wanted.forms, support=wanted.support)

    def mined(kind: ErrorKind) -> Mining:
        return mine(
            judged,
            forms,
            kind,
            against=others[0] if others else None,
            stopping=wanted.stopping,
            settings=wanted.settings,
        )

    minings, gaps = _of_kinds(mined, wanted.kinds)
    return MinedSources(tuple(minings), tuple(gaps), lined.findings)


def _of_cases(
    cases: LargeCases,
    runs: Sequence[Source],
    wanted: Wanted,
    folder: Path,
    reading: ReadKeywords,
    partition: int,
) -> MinedSources:
    columns = [
        verdict_columns(run, folder / f"verdicts-{i}", labels=reading.get("labels"))
        for i, run in enumerate(runs)
    ]
    counted = count_profiles(cases, columns, folder, n_kept=wanted.n_worst, partition=partition)
    profiles = counted.profiles
    if wanted.support is not None:
        profiles = with_pairs_of_profiles(profiles, wanted.support)

    def mined(kind: ErrorKind) -> Mining:
        return mine_profiles(profiles, kind, stopping=wanted.stopping, settings=wanted.settings)

    minings, gaps = _of_kinds(mined, wanted.kinds)
    shown = with_worst_cases(minings, cases, wanted.n_worst)
    return MinedSources(tuple(shown), tuple(gaps), counted.findings)


def _of_kinds(
    mined: Callable[[ErrorKind], Mining], kinds: Iterable[ErrorKind]
) -> tuple[list[Mining], list[UndefinedError]]:
    minings: list[Mining] = []
    gaps: list[UndefinedError] = []
    for kind in dict.fromkeys(kinds):
        try:
            minings.append(mined(kind))
        except UndefinedError as error:
            gaps.append(error)
    return minings, gaps


def _opened(
    gold: Source,
    runs: Sequence[Source],
    forms: Sequence[str],
    folder: Path,
    reading: ReadKeywords,
    on_finding: OnFinding | None,
    most: int,
) -> list[Pair] | LargeCases:
    """All pairs, or what is kept of them where there are too many."""
    n_rows = parquet_rows(gold, reading.get("format"))
    if (n_rows or 0) > most or any(_n_rows(run) > most for run in runs):
        return read_cases(gold, forms, folder, on_finding=on_finding, **reading)
    if n_rows is not None:
        return load_pairs(gold, on_finding=on_finding, **reading)
    found = _held(read_files(gold, on_finding=on_finding, **reading), most)
    if isinstance(found, list):
        return found
    return cases_of_pairs(found, shown_name(gold), forms, folder)


def _n_rows(run: Source) -> int:
    return open_run_folder(run).n_rows if is_folder(run) else 0


def _held(files: Files, most: int) -> list[Pair] | Files:
    """The pairs of files that are read once; the files as they were, where these are too many."""
    held: list[tuple[str, list[tuple[int, Pair]]]] = []
    n_pairs = 0
    for file, located in files:
        own: list[tuple[int, Pair]] = []
        held.append((file, own))
        for each in located:
            own.append(each)
            n_pairs += 1
            if n_pairs > most:
                *before, last = ((name, iter(pairs)) for name, pairs in held)
                return chain(before, [(file, chain(last[1], located))], files)
    first: dict[str, str] = {}
    return [pair for file, own in held for _, pair in with_unique_ids(own, file, first)]
