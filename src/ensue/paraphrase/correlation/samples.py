"""The lists that have all numbers asked for, and draws from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, log10

import numpy as np

from ensue.evaluation.correlation.coefficients import LEAST
from ensue.evaluation.measuring.ranks import Counts
from ensue.evaluation.measuring.resampling import drawn_counts
from ensue.paraphrase.correlation.model import CorrelationSettings, ListScores, Resampled
from ensue.paraphrase.model import Indices, Numbers

_DIGITS = 12
"""Numbers of a column that differ only beyond so many digits of its largest are equal but for
rounding, and tie."""
_MOST_DECIMALS = 300
"""Numbers so small that they would take more are left as they are."""
_CELLS = 2_000_000
"""Draws times lists that are held in memory at once."""

_ONE_TERM = "all lists are of one term, and terms are drawn"


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Some columns of the lists that have a number in each of them."""

    columns: tuple[Numbers, ...]
    names: tuple[str, ...]
    """What messages call the columns."""
    term: Indices
    """For each list the number of its term, from 0 without gaps."""
    n_left_out: int
    settings: CorrelationSettings

    @property
    def n(self) -> int:
        """Lists."""
        return len(self.term)

    @property
    def n_terms(self) -> int:
        """Terms of these lists."""
        return int(self.term.max(initial=-1)) + 1

    def gap(self) -> str | None:
        """Why these columns do not correlate, if they do not."""
        if self.n < LEAST:
            lists = "1 list has" if self.n == 1 else f"{self.n} lists have"
            return f"{lists} the numbers that a correlation takes from at least {LEAST}"
        for name, column in zip(self.names, self.columns, strict=True):
            if np.ptp(column) == 0:
                return f"{name} is {column[0]:.6g} for all {self.n} lists"
        return None

    def no_interval(self) -> str | None:
        """Why there is no interval although draws are asked for, if there is none."""
        by_terms = self.settings.resample is Resampled.TERMS
        return _ONE_TERM if self.settings.draws and by_terms and self.n_terms == 1 else None

    def resampled(self, statistics: Sequence[Callable[[Counts], Numbers]]) -> list[Numbers]:
        """Each statistic of rows of counts: of the lists as they are, then of every draw.

        All statistics see the same draws, and so do all samples with the same terms.
        """
        as_they_are = np.ones((1, self.n), np.int64)
        found = [[statistic(as_they_are)] for statistic in statistics]
        for counts in self._draws():
            for values, statistic in zip(found, statistics, strict=True):
                values.append(statistic(counts))
        return [np.concatenate(values) for values in found]

    def _draws(self) -> Iterator[Counts]:
        settings = self.settings
        if not settings.draws or self.no_interval() is not None:
            return
        by_terms = settings.resample is Resampled.TERMS
        unit = self.term if by_terms else np.arange(self.n)
        n_units = self.n_terms if by_terms else self.n
        rng = np.random.default_rng(settings.seed)
        for counts in drawn_counts(n_units, settings.draws, rng):
            for part in np.array_split(counts, ceil(len(counts) * self.n / _CELLS)):
                yield part[:, unit]


def sample_of(
    scores: ListScores, columns: Sequence[tuple[str, Numbers]], settings: CorrelationSettings
) -> Sample:
    """The lists that have a number in each of these columns, which come with their names."""
    table = [column for _, column in columns]
    whole = ~np.isnan(table).any(axis=0)
    _, term = np.unique(scores.term_of[whole], return_inverse=True)
    return Sample(
        tuple(settled(column[whole]) for column in table),
        tuple(name for name, _ in columns),
        term.astype(np.int64),
        int(np.count_nonzero(~whole)),
        settings,
    )


def settled(values: Numbers) -> Numbers:
    """The numbers without what is but rounding: so 0.1 + 0.2 ties with 0.3.

    >>> settled(np.array([0.1 + 0.2, 0.3])).tolist()
    [0.3, 0.3]
    """
    largest = float(np.abs(values).max(initial=0.0))
    decimals = _DIGITS - ceil(log10(largest)) if largest else 0
    return values if largest == 0 or decimals > _MOST_DECIMALS else np.round(values, decimals)
