"""Mining a run for the forms that make it fail: suspects in order, and their cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation import UNANSWERED, Judged, LineUp, line_up, lined_up, open_run
from ensue.files import OnFinding
from ensue.mining.columns import ReadCases, read_cases
from ensue.mining.forms import TAGS, CaseForms, Forms, FormSets
from ensue.mining.suspicion import (
    ErrorKind,
    Grouped,
    Significance,
    Stopping,
    Suspicion,
    SuspicionMeasure,
    check_contrast,
    grouped,
    population,
    resampled_rates,
    significance,
    suspicion_rates,
)
from ensue.pairs import Finding, Label, Pair, ReadKeywords, Run, View
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


@dataclass(frozen=True, slots=True, eq=False)
class MinedCases:
    """The cases of a run, those that were mined among them."""

    judged: Judged
    """Gold and run side by side."""
    forms: CaseForms
    """Their forms."""
    errors: NDArray[np.bool_]
    """Which of them are errors among those that were mined."""
    rates: NDArray[np.float64]
    """The suspicion rate of each form."""
    pairs: Sequence[Pair] | Mapping[int, Pair]
    """The pairs, or those of them that were read to be shown."""

    def worst_rows(self, suspect: Suspect, n: int) -> tuple[list[int], list[float]]:
        """The n worst cases of a suspect by their numbers, and its shares of them."""
        form = self.forms.sets.names.index(suspect.form)
        sets = self.forms.sets.cases_with(form)
        shares = np.full(self.forms.sets.n_cases, np.nan)
        shares[sets] = shares_of(form, self.forms.sets, sets, self.rates)
        cases = np.flatnonzero(self.errors)
        cases = cases[~np.isnan(shares[self.forms.of_case[cases]])]
        share = shares[self.forms.of_case[cases]]
        confidence = np.nan_to_num(self.judged.confidence[cases], nan=-1.0)
        chosen = np.lexsort([cases, -confidence, -share.round(12)])[:n]
        return cases[chosen].tolist(), share[chosen].tolist()

    def worst(self, suspect: Suspect, n: int) -> tuple[WorstCase, ...]:
        """As `Mining.worst_cases`.

        Raises:
            SettingError: the pairs were not read.
        """
        rows, shares = self.worst_rows(suspect, n)
        try:
            pairs = [self.pairs[row] for row in rows]
        except (KeyError, IndexError):
            raise SettingError(
                "worst-cases-not-read",
                f"{n} worst cases of {suspect.form!r} have not been read",
                hint="ask for them when the run is mined",
            ) from None
        return tuple(
            WorstCase(pair, share, self._answer(row))
            for pair, share, row in zip(pairs, shares, rows, strict=True)
        )

    def _answer(self, case: int) -> Label | None:
        code = int(self.judged.answer[case])
        return None if code == UNANSWERED else self.judged.view.labels[code]


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
    cases: MinedCases

    @property
    def view(self) -> View:
        """The labels in which gold and run were compared."""
        return self.cases.judged.view

    def worst_cases(self, suspect: Suspect, n: int) -> tuple[WorstCase, ...]:
        """The n error cases of which most suspicion falls on the suspect.

        Of equal ones, those come first in whose answer the run has most confidence.
        """
        return self.cases.worst(suspect, n)


# Mine a run for the forms that make it fail, as Bedaride & Gardent (2010, section 4) do.


def mine(
    judged: Judged,
    forms: Forms | CaseForms,
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
    cases = CaseForms.of(forms) if isinstance(forms, Forms) else forms
    check_settings(settings)
    _check(judged, cases, against)
    chosen = population(judged, kind, against)
    errors = chosen.cases & chosen.errors
    n_cases, n_errors = int(chosen.cases.sum()), int(errors.sum())
    check_contrast(kind, n_cases, n_errors, judged.name)
    groups = grouped(cases, errors, chosen.cases)
    n_formed, n_errors_formed = int(groups.n_cases.sum()), int(groups.n_errors.sum())
    if n_errors_formed == 0:
        raise UndefinedError(
            "nothing-mine-no-case",
            f"{judged.name}: nothing to mine: no case among the {kind.called} has a form",
            hint="mine other forms, e.g. words",
        )
    suspicion = suspicion_rates(groups.forms, groups.n_errors, stopping, n_cases=groups.n_cases)
    return Mining(
        kind=kind,
        run=judged.name,
        against=against.name if against else None,
        suspects=_suspects(groups, suspicion, stopping, settings),
        n_cases=n_cases,
        n_errors=n_errors,
        n_cases_without_form=n_cases - n_formed,
        n_errors_without_form=n_errors - n_errors_formed,
        n_forms=int((suspicion.n_cases > 0).sum()),
        settings=settings,
        suspicion=suspicion,
        cases=MinedCases(judged, cases, errors, suspicion.rates, judged.pairs),
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
            "permutations-cannot-made",
            f"{settings.permutations!r} permutations cannot be made",
            hint="0 for no p",
        )
    if settings.top is not None and settings.top < 1:
        raise SettingError(
            "first-make-no-sense", f"the first {settings.top!r} make no sense", hint="at least 1"
        )


def _check(judged: Judged, forms: CaseForms, against: Judged | None) -> None:
    if forms.n_cases != judged.n_pairs:
        raise SettingError(
            "forms-cases-not-go",
            f"forms of {forms.n_cases} cases do not go with {judged.n_pairs} pairs",
            hint="find the forms of the judged pairs: find_forms(judged.pairs)",
        )
    if against is not None and _ids(against) != _ids(judged):
        raise SettingError(
            "not-runs-same-pairs",
            f"{judged.name} and {against.name} are not runs on the same pairs",
            hint="line both up with the same gold",
        )


def _ids(judged: Judged) -> Sequence[str]:
    return [pair.id for pair in judged.pairs]


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


def mine_pairs(pairs: Sequence[Pair], runs: Sequence[Run], wanted: Wanted) -> MinedSources:
    """Mine a run over pairs that are held, as `mine_sources` does by their names.

    Args:
        pairs: The gold.
        runs: The run, and another to hold it against, where only what that gets right counts.
        wanted: What is to be mined.

    Raises:
        EnsueError: pairs and runs do not go together, or the forms cannot be found.
    """
    sets = FormSets(wanted.forms)
    numbers = [sets.of_pairs([pair for pair in pairs if pair.gold is not None])]
    return _mined(line_up(pairs, runs), sets, numbers, wanted)


def mine_sources(
    gold: str | Path,
    runs: Sequence[str | Path],
    wanted: Wanted,
    *,
    reading: ReadKeywords | None = None,
    on_finding: OnFinding | None = None,
) -> MinedSources:
    """Mine a run for the forms that make it fail, whatever its size.

    Of more than `LARGE` pairs, worst cases are there for as many suspects as are shown.

    Args:
        gold: A file, a folder, a glob, the URL of one of them, or `-`.
        runs: The run, and another to hold it against, where only what that gets right counts.
        wanted: What is to be mined.
        reading: How to read the gold; its labels hold for plain runs, too.
        on_finding: Is told of problems in the gold that do not stop the reading.

    Raises:
        EnsueError: gold or a run cannot be read, they do not go together, or the forms cannot be
            found.
    """
    options: ReadKeywords = reading or {}
    cases = read_cases(gold, wanted.forms, options, on_finding)
    opened = [open_run(run, labels=options.get("labels")) for run in runs]
    lined = lined_up(cases.gold, opened, scores=False)
    found = _mined(lined, cases.sets, cases.numbers, wanted)
    if cases.gold.pairs:
        return found
    return replace(found, minings=_with_worst_cases(found.minings, lined, cases, wanted.n_worst))


def _mined(
    lined: LineUp, sets: FormSets, numbers: Sequence[NDArray[np.int64]], wanted: Wanted
) -> MinedSources:
    judged, *others = lined.judged
    of_case = np.concatenate([np.zeros(0, np.int32), *(each.astype(np.int32) for each in numbers)])
    forms = CaseForms(sets.forms(), of_case)
    if wanted.support is not None:
        forms = forms.with_pairs_of_forms(wanted.support)
    minings: list[Mining] = []
    gaps: list[UndefinedError] = []
    for kind in dict.fromkeys(wanted.kinds):
        try:
            minings.append(
                mine(
                    judged,
                    forms,
                    kind,
                    against=others[0] if others else None,
                    stopping=wanted.stopping,
                    settings=wanted.settings,
                )
            )
        except UndefinedError as error:
            gaps.append(error)
    return MinedSources(tuple(minings), tuple(gaps), lined.findings)


def _with_worst_cases(
    minings: Sequence[Mining], lined: LineUp, cases: ReadCases, n: int
) -> tuple[Mining, ...]:
    """The same with the pairs of n worst cases of each suspect that is shown."""
    shown = {
        row
        for mining in minings
        for suspect in mining.suspects[: mining.settings.top]
        for row in (mining.cases.worst_rows(suspect, n)[0] if n else ())
    }
    rows = {row: row if lined.rows is None else int(lined.rows[row]) for row in shown}
    found = cases.pairs_at(sorted(rows.values()))
    pairs = {row: found[number] for row, number in rows.items()}
    return tuple(replace(each, cases=replace(each.cases, pairs=pairs)) for each in minings)
