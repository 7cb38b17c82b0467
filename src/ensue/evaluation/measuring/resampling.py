"""Resampling with counts: how often each pair is drawn, and the statistics that measures need.

A draw is a row of counts, one for each pair; the data as they are is a row of ones. A measure is
written once, over rows of counts, and so gives its value and its bootstrap alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ensue.errors import UndefinedError
from ensue.evaluation.measuring.judged import Judged, entailment_key
from ensue.evaluation.measuring.ranks import Counts, Numbers, Ranking, ranking
from ensue.evaluation.measuring.summary import TOO_MANY

_CELLS = 200_000
"""Draws times pairs that are held in memory at once; what fits a processor's cache is fastest."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """A judged run with what all its draws share."""

    judged: Judged

    @cached_property
    def cells(self) -> Numbers:
        """For each pair a row with a 1 at its cell of the confusion matrix."""
        n_labels = len(self.judged.view.labels)
        columns = np.where(self.judged.answered, self.judged.answer, n_labels).astype(np.intp)
        cell = self.judged.gold.astype(np.intp) * (n_labels + 1) + columns
        return np.asarray(np.eye(n_labels * (n_labels + 1))[cell], dtype=np.float64)

    @cached_property
    def by_confidence(self) -> Ranking:
        """The answers by decreasing confidence in them."""
        return ranking(self.judged.confidence, self.judged.answered)

    @cached_property
    def by_entailment(self) -> Ranking:
        """The answers by decreasing confidence that entailment holds."""
        return ranking(entailment_key(self.judged), self.judged.answered)


@dataclass(frozen=True, eq=False)
class Resample:
    """Some draws from the pairs of a judged run."""

    prepared: Prepared
    counts: Counts
    """Draws × rows: how often each pair, or all that a row stands for, is drawn."""

    @property
    def judged(self) -> Judged:
        """The run that is drawn from."""
        return self.prepared.judged

    @cached_property
    def confusion(self) -> Numbers:
        """Draws × gold labels × answers; the last answer is "unanswered"."""
        n_labels = len(self.judged.view.labels)
        table = self.counts.astype(np.float64) @ self.prepared.cells
        return table.reshape(-1, n_labels, n_labels + 1)

    def ranked_by_confidence(self) -> tuple[Counts, Counts]:
        """Sizes of the tie groups and right answers in them."""
        return self._ranked(self.prepared.by_confidence, self.judged.right)

    def ranked_by_entailment(self) -> tuple[Counts, Counts]:
        """Sizes of the tie groups and entailments in them."""
        return self._ranked(self.prepared.by_entailment, self.judged.is_yes)

    def _ranked(self, by: Ranking, hits: NDArray[np.bool_]) -> tuple[Counts, Counts]:
        if self.judged.summary is not None:
            raise UndefinedError(f"rankings are not drawn from {TOO_MANY}")
        return by.sums(self.counts), by.sums(self.counts * hits)


def as_it_is(judged: Judged) -> Resample:
    """The single "draw" that has every pair once."""
    return Resample(Prepared(judged), judged.counts[None, :])


def draws_of(judged: Judged, draws: int, rng: np.random.Generator) -> Iterator[Counts]:
    """Draw from the pairs of a judged run, many times; yield the rows' counts, some draws at a time.

    How often each row is drawn is multinomial where rows stand for many pairs.
    """
    if judged.summary is None:
        yield from drawn_counts(judged.n_pairs, draws, rng)
        return
    n, shares = judged.n_pairs, judged.counts / judged.n_pairs
    rows = max(1, _CELLS // len(shares))
    for start in range(0, draws, rows):
        yield rng.multinomial(n, shares, size=min(rows, draws - start))


def drawn_counts(n: int, draws: int, rng: np.random.Generator) -> Iterator[Counts]:
    """Draw n of n pairs with replacement, many times; yield the counts, some draws at a time."""
    rows = max(1, _CELLS // max(n, 1))
    for start in range(0, draws, rows):
        size = min(rows, draws - start)
        picks = rng.integers(0, n, size=(size, n))
        picks += np.arange(size)[:, None] * n
        yield np.bincount(picks.ravel(), minlength=size * n).reshape(size, n)
