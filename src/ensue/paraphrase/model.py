"""Ranked lists of paraphrases, what people say of them, and what can take a part's place.

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

if TYPE_CHECKING:
    from ensue.pairs.formats.model import OnFinding
    from ensue.paraphrase.words import PatternWords

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
class Judgments:
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
        undefined = np.full(len(labels), np.nan)
        return np.asarray(np.divide(n_yes, n_judged, out=undefined, where=n_judged > 0))

    def chosen(self, which: Indices) -> Judgments:
        """The judgments of some patterns, in that order."""
        return Judgments(self.judges, {key: each[which] for key, each in self.labels.items()})


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
    judgments: Judgments | None = None
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
        judgments: Judgments | None = None,
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
