"""Ranked lists of paraphrases with columns and judgments, and their repeated patterns.

A *pattern* is a source term with one of its paraphrases, e.g. "killed" → "assassinated". A *list*
holds the paraphrases that one method gives for one term, the surest first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, EnsueError, UnknownNameError
from ensue.statistics import numbered, ratio

if TYPE_CHECKING:
    from ensue.files import OnFinding
    from ensue.paraphrase.words import PatternWords

# Ranked lists of paraphrases, what people say of them, and what can take a part's place.

T = TypeVar("T")

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]
Labels = NDArray[np.int8]

NO, YES, NOT_JUDGED = 0, 1, -1
"""What a judge may say of a pattern."""

LARGEST_DIVERSITY = 3.0
"""D of a pattern that is all new (Shima & Mitamura 2011, Algorithm 1)."""


class Strictness(StrEnum):
    """What a judge asks of a sentence with the paraphrase in the place of the term."""

    STRICT = "strict"
    """That it means the same and is grammatical."""
    LENIENT = "lenient"
    """That it means the same."""


@dataclass(frozen=True, slots=True, order=True)
class ListKey:
    """Which list."""

    term: str
    """The source term, as the file has it, e.g. `to take`."""
    method: str
    """What made the list; empty where there is but one nameless method."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternJudgments:
    """What judges say of patterns."""

    judges: tuple[str, ...]
    labels: Mapping[Strictness, Labels] = field(hash=False)
    """Patterns × judges: `YES`, `NO` or `NOT_JUDGED`. A strictness that nobody used is not there."""

    def shares(self, strictness: Strictness) -> Numbers:
        """Q of each pattern: the share of positive labels; NaN where nobody judged it.

        Raises:
            KeyError: nobody judged so.
        """
        labels = self.labels[strictness]
        n_yes, n_judged = np.zeros(len(labels)), np.zeros(len(labels))
        for column in labels.T:  # judge by judge: a sum along short rows takes five times as long
            n_yes += column == YES
            n_judged += column != NOT_JUDGED
        return ratio(n_yes, n_judged)

    def chosen(self, which: Indices) -> PatternJudgments:
        """The judgments of some patterns, in that order."""
        return PatternJudgments(
            self.judges, {key: each[which] for key, each in self.labels.items()}
        )


@dataclass(frozen=True, eq=False)
class RankedLists:
    """Many lists in arrays: the patterns of one list stand together, in the order of their ranks."""

    name: str
    """Of the file or files, for messages and signatures."""
    keys: tuple[ListKey, ...]
    """Of the lists; no two are equal."""
    offsets: Indices
    """Where each list's patterns begin, with the end of the last."""
    paraphrases: Sequence[str]
    """Of all patterns, list after list, as the file has them."""
    judgments: PatternJudgments | None = None
    columns: Mapping[str, Numbers] = field(default_factory=dict)
    """Further columns of numbers by name, e.g. `confidence`; NaN where a cell is empty."""
    sentences: Sequence[str | None] | None = None
    """For each pattern a sentence with the term in it, where the file gives some."""
    places: Sequence[str] | None = None
    """For each pattern where it stands, `file:line`."""

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def n_patterns(self) -> int:
        """In all lists."""
        return int(self.offsets[-1])

    @cached_property
    def list_of(self) -> Indices:
        """For each pattern the number of its list."""
        return np.repeat(np.arange(len(self.keys)), np.diff(self.offsets))

    @cached_property
    def ranks(self) -> Indices:
        """For each pattern its rank in its list, from 1."""
        return np.arange(self.n_patterns) - self.offsets[:-1][self.list_of] + 1

    @property
    def terms(self) -> tuple[str, ...]:
        """The distinct terms, in the order of the lists."""
        return tuple(dict.fromkeys(key.term for key in self.keys))

    @property
    def methods(self) -> tuple[str, ...]:
        """The distinct methods, in the order of the lists."""
        return tuple(dict.fromkeys(key.method for key in self.keys))

    def place(self, i: int) -> str | None:
        """Where the i-th pattern stands, for errors."""
        return None if self.places is None else self.places[i]

    def chosen(self, which: Indices) -> RankedLists:
        """Some patterns, list after list; lists of which none is left stay, empty."""
        sizes = np.bincount(self.list_of[which], minlength=len(self.keys))
        return self._with(self.keys, sizes, which)

    def chosen_lists(self, which: Sequence[int]) -> RankedLists:
        """Some lists, in that order."""
        spans = [np.arange(self.offsets[i], self.offsets[i + 1]) for i in which]
        sizes = np.array([len(span) for span in spans], np.int64)
        patterns = np.concatenate([np.empty(0, np.int64), *spans])
        return self._with(tuple(self.keys[i] for i in which), sizes, patterns)

    def _with(self, keys: tuple[ListKey, ...], sizes: Indices, which: Indices) -> RankedLists:
        return RankedLists(
            self.name,
            keys,
            _offsets(sizes),
            _picked(self.paraphrases, which),
            self.judgments and self.judgments.chosen(which),
            {name: column[which] for name, column in self.columns.items()},
            None if self.sentences is None else _picked(self.sentences, which),
            None if self.places is None else _picked(self.places, which),
        )

    @classmethod
    def of(
        cls,
        lists: Mapping[ListKey, Sequence[str]],
        *,
        name: str = "",
        judgments: PatternJudgments | None = None,
        columns: Mapping[str, Numbers] | None = None,
    ) -> RankedLists:
        """Make lists of plain ones; judgments and columns go list after list."""
        sizes = np.array([len(each) for each in lists.values()], np.int64)
        return cls(
            name,
            tuple(lists),
            _offsets(sizes),
            [paraphrase for each in lists.values() for paraphrase in each],
            judgments,
            columns or {},
        )


def joined(parts: Sequence[RankedLists]) -> RankedLists:
    """Put lists together that have no key in common; what a part has no column of is NaN.

    Judgments, sentences and places are not kept: this is for lists that were just made.
    """
    names = dict.fromkeys(name for part in parts for name in part.columns)
    sizes = [np.diff(part.offsets) for part in parts]
    return RankedLists(
        ", ".join(dict.fromkeys(part.name for part in parts if part.name)),
        tuple(key for part in parts for key in part.keys),
        _offsets(np.concatenate([np.empty(0, np.int64), *sizes])),
        [paraphrase for part in parts for paraphrase in part.paraphrases],
        columns={
            name: np.concatenate(
                [part.columns.get(name, np.full(part.n_patterns, np.nan)) for part in parts]
            )
            for name in names
        },
    )


def _picked(values: Sequence[T], which: Indices) -> list[T]:
    if (which[1:] > which[:-1]).all():
        is_picked = np.zeros(len(values), np.bool_)
        is_picked[which] = True
        return list(compress(values, is_picked.tolist()))
    return [values[i] for i in which.tolist()]


def _offsets(sizes: Indices) -> Indices:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])


QualityFunction = Callable[[RankedLists], Numbers]
"""Gives each pattern its Q in [0, 1]; NaN where it has none."""

DiversityFunction = Callable[["RankedLists", "PatternWords"], Numbers]
"""Gives each pattern its D, from 0 to the kind's `largest`; NaN where it has none."""


@dataclass(frozen=True, slots=True)
class QualityKind:
    """What an entry point of the group `ensue.qualities` names; chosen as `NAME` or `NAME:ARGUMENT`."""

    name: str
    summary: str
    make: Callable[[str, OnFinding], QualityFunction]
    """From what stands after the colon, empty where nothing does; what is given beside it is told
    of problems when the function is called, e.g. why patterns get no Q."""


@dataclass(frozen=True, slots=True)
class DiversityKind:
    """What an entry point of the group `ensue.diversities` names."""

    name: str
    summary: str
    make: Callable[[str], DiversityFunction]
    """From what stands after the colon; empty where nothing does."""
    largest: float = LARGEST_DIVERSITY
    """What D can be at most: the gain of a perfect pattern is 2^largest − 1."""


# Numbers of patterns: those of a column, and the check that they are in range.


def column_in_range(lists: RankedLists, name: str, largest: float, kind: str) -> Numbers:
    """The numbers of a column, of one's own to change; NaN where a cell is empty.

    Args:
        lists: Which bring it.
        name: Of the column.
        largest: What a number can be at most.
        kind: What the numbers are to be, for errors: `quality` or `diversity`.

    Raises:
        UnknownNameError: the lists have no such column of numbers.
        DataError: a number is not from 0 to the largest.
    """
    if name not in lists.columns:
        raise _unknown(lists, name)
    values = np.array(lists.columns[name], np.float64)
    require_range(values, largest, f"{kind} {name!r}", lists)
    return values


def require_range(values: Numbers, largest: float, what: str, lists: RankedLists) -> None:
    """Check that each pattern has a number from 0 to the largest, or none (NaN).

    Raises:
        EnsueError: there are more numbers than patterns, or fewer.
        DataError: a number is outside; the place is that of the first.
    """
    if values.shape != (lists.n_patterns,):
        raise EnsueError(
            "patterns-shape",
            f"{lists.n_patterns} patterns, but {what} has the shape {values.shape!r}",
            hint="the function has to give one number a pattern",
        )
    outside = np.flatnonzero((values < 0) | (values > largest))
    if outside.size:
        first = int(outside[0])
        raise DataError(
            "is-which-is-not",
            f"{what} of {lists.paraphrases[first]!r} is {float(values[first])!r},"
            f" which is not in [0, {largest:g}]",
            place=lists.place(first),
            hint=f"{outside.size} of {values.size} are outside: scale them first",
        )


def _unknown(lists: RankedLists, name: str) -> UnknownNameError:
    error = UnknownNameError.of("column of numbers", name, lists.columns)
    hint = error.hint if lists.columns else "these lists have none at all"
    return UnknownNameError(error.code, error.message, place=lists.name or None, hint=hint)


# How many of something, in words.


def counted(n: int, unit: str) -> str:
    """A number with its unit in the singular or plural.

    >>> counted(1, "pattern"), counted(2_000, "label")
    ('1 pattern', '2,000 labels')
    """
    return f"{n:,} {unit}{'' if n == 1 else 's'}"


# Patterns that occur more than once, and judges who say two things of one.


@dataclass(frozen=True, slots=True)
class LabelContradiction:
    """One judge says yes here and no there, of the same term and paraphrase."""

    judge: str
    strictness: Strictness
    yes: int
    """The first pattern with a yes."""
    no: int
    """The first with a no."""


def pattern_numbers(lists: RankedLists) -> Indices:
    """For each pattern a number that all with the same term and paraphrase share.

    They are the same where they are equal as `normalized`, in whichever list.
    """
    # not above: it brings the compiler with it, which reading a file without labels does not need
    from ensue.paraphrase.words import normalized

    terms = [normalized(key.term) for key in lists.keys]
    patterns = zip(lists.list_of.tolist(), lists.paraphrases, strict=True)
    return numbered((terms[k], normalized(paraphrase)) for k, paraphrase in patterns)[1]


def contradictions(lists: RankedLists) -> list[LabelContradiction]:
    """Where judges disagree with themselves, in the order of judges within a strictness."""
    if lists.judgments is None:
        return []
    numbers = pattern_numbers(lists)
    if numbers.size == 0 or int(numbers.max()) + 1 == numbers.size:
        return []  # nothing is repeated
    return [
        LabelContradiction(judge, strictness, yes, no)
        for strictness, labels in lists.judgments.labels.items()
        for j, judge in enumerate(lists.judgments.judges)
        for yes, no in _both(numbers, labels[:, j])
    ]


def _both(numbers: Indices, labels: Labels) -> list[tuple[int, int]]:
    """For each pattern number with a yes and a no, the first of either."""
    first = [_first(numbers, labels == label) for label in (YES, NO)]
    both = np.flatnonzero((first[0] >= 0) & (first[1] >= 0))
    return list(zip(first[0][both].tolist(), first[1][both].tolist(), strict=True))


def _first(numbers: Indices, which: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Indices:
    """For each pattern number the first pattern of those chosen; -1 where there is none."""
    found = np.full(int(numbers.max()) + 1, -1, np.int64)
    chosen = np.flatnonzero(which)[::-1]  # backward, so that the first is written last
    found[numbers[chosen]] = chosen
    return found
