"""Every cutoff of a run as tables, picture and page; the pairs that a difference takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ensue import __version__
from ensue.errors import UndefinedError
from ensue.evaluation import (
    Judged,
    RunCutoffs,
    curve_band,
    cutoffs_by_task,
    pairs_needed,
    power_at,
    roc,
    smallest_difference,
)
from ensue.pairs import CutoffCurve
from ensue.reports.measures import BEST_ACCURACY, CUTOFF_COLUMNS, aims
from ensue.reports.model import (
    Cell,
    Column,
    Picture,
    Report,
    Section,
    Table,
    number_in_words,
    share,
)
from ensue.reports.pictures.curves import Line, cutoff_picture, listed, thinned
from ensue.statistics import RESAMPLING, Resampling

# What every cutoff of a run gives, as tables, a picture and a page.

DEVELOPMENT = "development"
TEST = "test"
ALL_TASKS = "(all)"
"""The name under which the tasks are taken together."""

_SHOWN_CUTOFFS = 24


@dataclass(frozen=True, slots=True, eq=False)
class TaskCurve:
    """One curve: a data set, whole or one task of it."""

    set: str
    """`development` or `test`."""
    task: str
    run: str
    """What the run is called."""
    curve: CutoffCurve


@dataclass(frozen=True, slots=True, eq=False)
class CutoffStudy:
    """The curves of a run on development pairs and, where there are some, on test pairs."""

    parts: tuple[TaskCurve, ...]
    """Development first; each set first as a whole, then by task where that was asked for."""
    precision: float | None = None
    """A precision that some cutoff is wanted for."""

    @classmethod
    def of(
        cls,
        development: RunCutoffs,
        test: RunCutoffs | None = None,
        *,
        precision: float | None = None,
    ) -> CutoffStudy:
        """The study of curves on which the cutoff is tuned and, where there are some, tried."""
        parts = [
            TaskCurve(name, task, cutoffs.name, curve)
            for name, cutoffs in ((DEVELOPMENT, development), (TEST, test))
            if cutoffs is not None
            for task, curve in {ALL_TASKS: cutoffs.whole, **cutoffs.tasks}.items()
        ]
        return cls(tuple(parts), precision)

    @property
    def tuned(self) -> float:
        """The cutoff tuned on development: highest accuracy, of several the lowest."""
        return self.parts[0].curve.tuned


def cutoff_study(
    development: Judged,
    test: Judged | None = None,
    *,
    tasks: bool = False,
    precision: float | None = None,
) -> CutoffStudy:
    """Compute the curve of every cutoff.

    Args:
        development: Gold and run on which the cutoff is tuned.
        test: Gold and run on which it is tried.
        tasks: Whether each task gets its own curve, too.
        precision: A precision that some cutoff is wanted for.

    Raises:
        UndefinedError: a run has no scores.
    """
    tried = None if test is None else cutoffs_by_task(test, tasks=tasks)
    return CutoffStudy.of(cutoffs_by_task(development, tasks=tasks), tried, precision=precision)


def cutoff_tables(study: CutoffStudy, *, every: bool = True) -> list[Table]:
    """The sets, the chosen cutoffs, and what every cutoff gives.

    Args:
        study: What to show.
        every: Whether the last table is whole; otherwise a few cutoffs of each set stand for all.
    """
    return [_sets_table(study), _points_table(study), _curve_table(study, every)]


def cutoff_study_picture(study: CutoffStudy, *, resampling: Resampling = RESAMPLING) -> Picture:
    """The curves in one panel, or in one for all tasks and one for each; the tuned cutoff dotted."""
    by_tasks = any(part.task != ALL_TASKS for part in study.parts)
    lines = [
        banded_line(
            part.set,
            part.curve,
            panel=part.task if by_tasks else "",
            resampling=resampling,
        )
        for part in study.parts
    ]
    title = "Accuracy by cutoff and task" if by_tasks else "Accuracy by cutoff"
    band = (
        f" Bands: {resampling.percent} bootstrap intervals, point by point."
        if resampling.draws
        else ""
    )
    caption = f"Dotted: the cutoff tuned on the development pairs.{band}"
    return cutoff_picture(lines, tuned=study.tuned, title=title, caption=caption)


def cutoff_report(study: CutoffStudy, picture: Picture, *, signature: Sequence[str]) -> Report:
    """The page of a cutoff study."""
    sets, points, curve = cutoff_tables(study, every=False)
    run = study.parts[0].run
    text = "A score above the cutoff is a yes; the cutoff −∞ says yes to every pair."
    return Report(
        title=f"Cutoffs of {run}",
        sections=[
            Section("Chosen cutoffs", text, [sets, points]),
            Section("Every cutoff", "", [picture, curve]),
        ],
        signature="\n".join([f"ensue {__version__}", *signature]),
        answer=cutoff_answer(study),
    )


def cutoff_answer(study: CutoffStudy) -> str:
    """Where yes begins best, and what that gives on the test pairs."""
    first = study.parts[0]
    found = first.curve.at(study.tuned)
    right = f"{number_in_words(found.accuracy)} of {first.curve.n_pairs:,} {DEVELOPMENT} pairs"
    if study.tuned == float("-inf"):
        said = f"No cutoff of {first.run} does better than yes to every pair, right in {right}"
    else:
        said = f"A cutoff of {study.tuned:.4g} is best for {first.run}: right in {right}"
    n_others = len(first.curve.best) - 1
    if n_others:
        said += f", as {'is 1 other' if n_others == 1 else f'are {n_others:,} others'}"
    for part in study.parts:
        if part.set == TEST and part.task == ALL_TASKS:
            here, most = part.curve.at(study.tuned).accuracy, float(part.curve.accuracy.max())
            said += f"; in {number_in_words(here)} of {part.curve.n_pairs:,} test pairs"
            said += f", where the best cutoff would be right in {number_in_words(most)}"
    return f"{said}."


def banded_line(
    name: str, curve: CutoffCurve, *, panel: str = "", resampling: Resampling = RESAMPLING
) -> Line:
    """The curve as a line with its bootstrap band, thinned where it is long."""
    keep = thinned(curve.accuracy)
    cutoffs, accuracy = curve.cutoffs[keep], curve.accuracy[keep]
    if resampling.draws == 0:
        return Line(name, cutoffs, accuracy, panel=panel)
    band = curve_band(curve, cutoffs, resampling=resampling)
    return Line(name, cutoffs, accuracy, band.low, band.high, panel)


def _sets_table(study: CutoffStudy) -> Table:
    columns = [
        Column("set"),
        Column("task"),
        Column("pairs", get="curve.n_pairs"),
        Column("entailments", get="curve.n_yes"),
        Column("cutoffs", get=lambda part: len(part.curve.cutoffs), importance=-1),
        share("best_accuracy", "best accuracy", lambda part: float(part.curve.accuracy.max())),
        Column(
            "best_cutoffs",
            "at so many cutoffs",
            get=lambda part: len(part.curve.best),
            importance=-1,
        ),
        Column("auc", "area under ROC", digits=3, get=lambda part: _auc(part.curve)),
    ]
    notes = [f"{part.set}: {part.run}" for part in study.parts if part.task == ALL_TASKS]
    return Table.of("sets", "Scored pairs", columns, study.parts, notes)


def _auc(curve: CutoffCurve) -> float | None:
    try:
        return roc(curve).auc
    except UndefinedError:
        return None


_SET = Column("set", get=lambda part, *_: part.set)
_TASK = Column("task", get=lambda part, *_: part.task)


def _points_table(study: CutoffStudy) -> Table:
    columns = [
        _SET,
        _TASK,
        Column("chosen", get=lambda *row: row[1]),
        *CUTOFF_COLUMNS[:1],
        Column("right_yes", title="yes right", importance=-1),
        Column("right_no", title="no right", importance=-1),
        Column("right", get=lambda *row: row[-1].right_yes + row[-1].right_no, importance=-1),
        *CUTOFF_COLUMNS[1:],
    ]
    notes = [
        "tuned, best F, precision: chosen on all development pairs; of several cutoffs the lowest"
    ]
    if study.tuned == -math.inf:
        notes.append(always_yes(study.parts[0].curve.n_pairs))
    chosen = _chosen_on_development(study, notes)
    rows = [
        (part, name, part.curve.at(cutoff))
        for part in study.parts
        for name, cutoff in [*chosen, *_chosen_here(study, part)]
    ]
    return Table.of("points", "Chosen cutoffs", columns, rows, notes)


def _chosen_on_development(study: CutoffStudy, notes: list[str]) -> list[tuple[str, float]]:
    chosen = []
    for aim, choose in aims(study.precision).items():
        try:
            name = "tuned" if aim == BEST_ACCURACY else aim
            chosen.append((name, choose(study.parts[0].curve).cutoff))
        except UndefinedError as error:
            notes.append(f"{DEVELOPMENT}: {error.message}")
    return chosen


def _chosen_here(study: CutoffStudy, part: TaskCurve) -> list[tuple[str, float]]:
    """The best cutoff of this very curve, where it is not the tuned one, and all that tie."""
    best = [float(cutoff) for cutoff in part.curve.best]
    ties = [("ties with it", cutoff) for cutoff in best[1:]] if part.task == ALL_TASKS else []
    if part is study.parts[0]:
        return [("ties with tuned", cutoff) for _, cutoff in ties]
    return [("best accuracy here", best[0]), *ties]


def _curve_table(study: CutoffStudy, every: bool) -> Table:
    columns = [
        Column("set"),
        Column("task"),
        *CUTOFF_COLUMNS[:1],
        Column("right"),
        *CUTOFF_COLUMNS[1:],
    ]
    rows: list[list[Cell]] = []
    n = 0
    for part in study.parts:
        if part.task != ALL_TASKS and not every:
            continue
        found, whole = _curve_rows(part, every)
        rows += found
        n += whole
    left_out = f"{len(rows)} of {n} cutoffs, peaks and lows included" if len(rows) < n else ""
    return Table("cutoffs", "Accuracy by cutoff", columns, rows, [left_out] if left_out else [])


def _curve_rows(part: TaskCurve, every: bool) -> tuple[list[list[Cell]], int]:
    """The rows of one curve, and how many there would be in all; NaN is shown as undefined."""
    curve = part.curve
    keep = listed(curve.accuracy) if every else thinned(curve.accuracy, _SHOWN_CUTOFFS)
    columns = (curve.cutoffs, curve.n_right, curve.accuracy, curve.precision, curve.recall, curve.f)
    numbers = zip(*(column[keep].tolist() for column in columns), strict=True)
    return [[part.set, part.task, *row] for row in numbers], len(curve.cutoffs)


# How many pairs it takes to see a difference, as tables.

_DIFFERENCE = share("difference", digits=2)


def power_tables(
    disagreement: float,
    *,
    difference: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    n_pairs: int | None = None,
) -> list[Table]:
    """How many pairs a difference takes, and what a number of pairs shows.

    Args:
        disagreement: The share of pairs that exactly one of two runs gets right.
        difference: Of the two accuracies, as a share; None where only `n_pairs` matters.
        alpha: Two-sided level of the test.
        power: The wanted probability to see the difference.
        n_pairs: Pairs that there are; None where only the difference matters.

    Raises:
        SettingError: a number is out of range, or the difference exceeds the disagreement.
    """
    tables = []
    if difference is not None:
        tables.append(_needed_table(difference, disagreement, alpha, power))
    if n_pairs is not None:
        tables.append(_shown_table(n_pairs, difference, disagreement, alpha, power))
    return tables


def _needed_table(difference: float, disagreement: float, alpha: float, power: float) -> Table:
    columns = [
        _DIFFERENCE,
        share("disagreement"),
        Column("level", digits=3, get="alpha"),
        Column("power", digits=2),
        Column("pairs", title="pairs (exact McNemar)", get="exact"),
        Column("pairs_formula", title="pairs (Connor's formula)", get="formula"),
    ]
    notes = [
        "disagreement: the share of pairs that exactly one of the two runs gets right",
        "the exact test is more cautious than the formula's normal approximation",
    ]
    found = pairs_needed(difference, disagreement, alpha=alpha, power=power)
    title = "Pairs needed to see a difference"
    return Table.of("pairs_needed", title, columns, [found], notes)


def _shown_table(
    n_pairs: int, difference: float | None, disagreement: float, alpha: float, power: float
) -> Table:
    notes = [f"smallest difference: what is seen with probability {power:g}, by the formula"]
    smallest = None
    try:
        smallest = smallest_difference(n_pairs, disagreement, alpha=alpha, power=power)
    except UndefinedError as error:
        notes.append(f"{error.message}; {error.hint}")
    seen = None
    if difference is not None:
        seen = power_at(n_pairs, difference, disagreement, alpha=alpha).power
    columns = [
        Column("pairs"),
        _DIFFERENCE,
        Column("power", title="probability to see it", digits=3),
        share("smallest_difference", "smallest difference", digits=2),
    ]
    row: list[Cell] = [n_pairs, difference, seen, smallest]
    return Table("at_pairs", f"What {n_pairs} pairs show", columns, [row], notes)


def always_yes(n_pairs: int | None) -> str:
    """What a tuned cutoff of minus infinity means."""
    return (
        "every pair is called entailment: the cutoff is -inf, because no other cutoff on"
        f" {n_pairs or 0:,} pairs is more accurate than to say yes always"
    )
