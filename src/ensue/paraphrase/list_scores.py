"""Scores of lists from measures, recognition and files, and values of their correlation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from ensue.errors import DataError, SettingError
from ensue.pairs import Finding
from ensue.paraphrase.lists import Indices, ListKey, Numbers
from ensue.paraphrase.recognition.performance import Recognition
from ensue.paraphrase.scores.measures import ScoredLists
from ensue.paraphrase.scores.preparation import MEASURES
from ensue.statistics import (
    RESAMPLING,
    Coefficient,
    DependentTest,
    Difference,
    Estimate,
    PMethod,
    Resampling,
    Williams,
    numbered,
)

# Scores of lists beside what the lists do in tasks, and how far the ones predict the others.

ALPHA = 0.01
"""The paper's level of significance."""


@dataclass(frozen=True, slots=True, order=True)
class ScoreVariable:
    """An intrinsic score of lists."""

    measure: str
    """E.g. `DIMPLE`."""
    k: int | None = None
    """How many patterns of each list it looks at; None where it has no such cutoff."""
    quality: str = ""
    """What Q is, e.g. `strict`; empty for a score that has none."""

    @property
    def column(self) -> str:
        """Its name among variables of one quality.

        >>> ScoreVariable("DIMPLE", 10, "strict").column
        'DIMPLE_10'
        """
        return self.measure if self.k is None else f"{self.measure}_{self.k}"

    @property
    def name(self) -> str:
        """Its name among all.

        >>> ScoreVariable("DIMPLE", 10, "strict").name
        'DIMPLE_10 (strict)'
        """
        return f"{self.column} ({self.quality})" if self.quality else self.column


@dataclass(frozen=True, slots=True, eq=False)
class ListScores:
    """Numbers of the same lists: intrinsic scores, and performance in tasks.

    Raises:
        DataError: a column is longer or shorter than the lists, or holds an infinity.
    """

    keys: tuple[ListKey, ...]
    intrinsic: Mapping[ScoreVariable, Numbers]
    """NaN where a list has no such score."""
    extrinsic: Mapping[str, Numbers]
    """Performance by the name of the task; NaN where a list has none, e.g. since its term is in
    no pair of the task."""

    def __post_init__(self) -> None:
        for name, column in self.columns():
            if len(column) != len(self.keys):
                raise DataError(
                    "numbers-lists",
                    f"{name!r} has {len(column)} numbers for {len(self.keys)} lists",
                )
            if np.isinf(column).any():
                key = self.keys[int(np.flatnonzero(np.isinf(column))[0])]
                raise DataError(
                    "infinite-list",
                    f"{name!r} is infinite for the list of {key.term!r} by {key.method!r}",
                    hint="leave the number out where a list has none",
                )

    @classmethod
    def of_scores(cls, keys: Sequence[ListKey], columns: Mapping[str, Numbers]) -> ListScores:
        """Scores from elsewhere, by name."""
        named = {ScoreVariable(name, None, ""): each for name, each in columns.items()}
        return cls(tuple(keys), named, {})

    @classmethod
    def of_performance(cls, keys: Sequence[ListKey], columns: Mapping[str, Numbers]) -> ListScores:
        """Performance from elsewhere, by the name of the task."""
        return cls(tuple(keys), {}, columns)

    def columns(self) -> list[tuple[str, Numbers]]:
        """All columns with their names, the intrinsic ones first."""
        named = [(variable.name, column) for variable, column in self.intrinsic.items()]
        return [*named, *self.extrinsic.items()]

    @property
    def terms(self) -> tuple[str, ...]:
        """The distinct terms, in the order of the lists."""
        return tuple(dict.fromkeys(key.term for key in self.keys))

    @property
    def methods(self) -> tuple[str, ...]:
        """The distinct methods, in the order of the lists."""
        return tuple(dict.fromkeys(key.method for key in self.keys))

    @property
    def term_of(self) -> Indices:
        """For each list the number of its term."""
        return numbered(key.term for key in self.keys)[1]


class Resampled(StrEnum):
    """What the bootstrap draws."""

    TERMS = "terms"
    """Whole terms with all their lists, which share the pairs of a task."""
    LISTS = "lists"
    """Single lists, as if they were independent; the paper's p-values take them so."""


@dataclass(frozen=True, slots=True)
class CorrelationSettings:
    """How correlations are computed."""

    coefficients: tuple[Coefficient, ...] = tuple(Coefficient)
    resampling: Resampling = RESAMPLING
    alpha: float = ALPHA
    """A correlation is significant where its p is less."""
    resample: Resampled = Resampled.TERMS
    every_couple: bool = False
    """Whether every two variables are compared, and not only those of the same k and quality."""


@dataclass(frozen=True, slots=True)
class Association:
    """One coefficient of correlation, and whether there is any."""

    estimate: Estimate
    p: float | None = None
    """Two-sided, against no correlation; lists are taken as independent."""
    method: PMethod | None = None
    """How p was computed."""
    degrees: int | None = None
    """Of freedom, where p is by Student's t."""
    significant: bool | None = None
    """Whether p is less than the level asked for."""


@dataclass(frozen=True, slots=True)
class ListCorrelation:
    """How far one variable predicts the performance in one task, over lists."""

    task: str
    variable: ScoreVariable
    n: int
    """Lists with both numbers."""
    n_left_out: int
    """Lists that lack one of them."""
    n_terms: int
    """Of the lists with both."""
    coefficients: Mapping[Coefficient, Association] = field(hash=False)
    within: Association
    """Pearson's r after the mean of each term was taken off both: what is left is the comparison
    of methods. Its p has n − terms − 1 degrees of freedom."""
    no_interval: str | None = None
    """Why there are no intervals though they were asked for."""


@dataclass(frozen=True, slots=True)
class CorrelationDifference:
    """Two variables that may differ in Pearson's r with one task, over the lists that have all."""

    task: str
    first: ScoreVariable
    second: ScoreVariable
    n: int
    """Lists with all three numbers."""
    n_terms: int
    first_r: float | None
    second_r: float | None
    between: float | None
    """Pearson's r of the two variables with each other."""
    williams: Williams | None
    p_holm: float | None
    """The two-sided p of Williams' test, corrected for the tests of the task."""
    steiger: DependentTest | None
    meng: DependentTest | None
    zou: tuple[float, float] | None
    """Zou's interval of first minus second."""
    bootstrap: Difference
    """First minus second by the paired bootstrap: both see the same draws."""
    reason: str | None = None
    """Why something is None."""


@dataclass(frozen=True, slots=True)
class TaskLists:
    """The lists that a task has numbers for."""

    task: str
    n: int
    n_left_out: int
    n_terms: int
    n_methods: int
    between_terms: float | None
    """The share of the variance of performance that lies between terms; None for a constant."""


@dataclass(frozen=True, slots=True, eq=False)
class Correlations:
    """The answer to `correlate_lists`."""

    scores: ListScores
    correlations: tuple[ListCorrelation, ...]
    """Task after task, each with all variables in the order given."""
    differences: tuple[CorrelationDifference, ...]
    """Task after task."""
    tasks: tuple[TaskLists, ...]
    settings: CorrelationSettings
    findings: tuple[Finding, ...]

    def of(self, task: str, variable: ScoreVariable) -> ListCorrelation:
        """The correlation of one variable with one task.

        Raises:
            KeyError: they were not correlated.
        """
        for each in self.correlations:
            if (each.task, each.variable) == (task, variable):
                return each
        raise KeyError((task, variable))


# Numbers of lists from where they come: scores, recognition, and files of others.


def intrinsic_scores(scored: ScoredLists, quality: str) -> ListScores:
    """EP, EPR and DIMPLE of lists at every k.

    Args:
        scored: The lists.
        quality: What Q is; of `judges:strict` only the strictness is shown.
    """
    shown = quality.removeprefix("judges:")
    found = {
        ScoreVariable(measure.value, k, shown): scored.values[:, i, j]
        for i, measure in enumerate(MEASURES)
        for j, k in enumerate(scored.settings.ks)
    }
    return ListScores(scored.lists.keys, found, {})


def performance_scores(recognition: Recognition, *, by_patterns: bool = False) -> ListScores:
    """What lists do in tasks.

    Args:
        recognition: Of the lists.
        by_patterns: Whether only what the patterns add to matching stems counts, which is the same
            for all lists of a term.
    """
    shares = recognition.added if by_patterns else recognition.performances
    found = {task: shares[:, j] for j, task in enumerate(recognition.tasks)}
    return ListScores(recognition.keys, {}, found)


def joined_scores(parts: Sequence[ListScores]) -> ListScores:
    """Put numbers of lists together by term and method; what a list lacks is NaN.

    Raises:
        SettingError: two parts have a column of one name, or no list has numbers of both kinds.
    """
    _refuse_doubles(name for part in parts for name, _ in part.columns())
    scored = {key for part in parts if part.intrinsic for key in part.keys}
    performing = {key for part in parts if part.extrinsic for key in part.keys}
    keys = tuple(dict.fromkeys(key for part in parts for key in part.keys))
    if not scored & performing:
        raise SettingError(
            "no-list-both-score",
            "no list has both a score and a performance",
            hint="lists are the same where term and method are",
        )
    return ListScores(
        keys,
        {v: _aligned(keys, part.keys, x) for part in parts for v, x in part.intrinsic.items()},
        {t: _aligned(keys, part.keys, x) for part in parts for t, x in part.extrinsic.items()},
    )


def _refuse_doubles(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise SettingError(
                "two-columns-called",
                f"two columns are called {name!r}",
                hint="give each its own name",
            )
        seen.add(name)


def _aligned(keys: Sequence[ListKey], known: Sequence[ListKey], column: Numbers) -> Numbers:
    numbers = dict(zip(known, column.tolist(), strict=True))
    return np.array([numbers.get(key, np.nan) for key in keys], np.float64)
