"""Samples drawn anew: bootstrap intervals, Wilson's interval of a share, folds for cross-validation.

A draw is a row of counts, one for each unit: how often it is drawn. What belongs to one group hangs
together (comparisons of one segment, lists of one term), so that whole groups are drawn (Efron &
Tibshirani 1993, chapter 13).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UndefinedError

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]

_CELLS = 200_000
"""Draws times units that are held in memory at once; what fits a processor's cache is fastest."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its bootstrap interval, or the reason why there is none."""

    value: float | None
    """None where the data do not define the number."""
    low: float | None = None
    """The lower end of the interval; None where no draw was asked for or defined it."""
    high: float | None = None
    reason: str | None = None
    """Why the value is None."""
    n_undefined: int = 0
    """Draws that did not define the number; the interval is over the others."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One number minus another, by the paired bootstrap."""

    value: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    """Two-sided."""
    reason: str | None = None
    """Why the value is None."""


def check_level(level: float) -> None:
    """Check the level of an interval.

    Raises:
        SettingError: it is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise SettingError(
            "level-not-between", f"level {level!r} is not between 0 and 1", hint="e.g. 0.95"
        )


@dataclass(frozen=True, slots=True)
class Resampling:
    """How numbers are resampled for their intervals.

    Raises:
        SettingError: the level is not in (0, 1), or the number of draws is negative.
    """

    draws: int = 2000
    """How many resamples; 0 for no intervals."""
    level: float = 0.95
    """Of the intervals; two things differ where a corrected p is at most 1 − level."""
    seed: int = 0
    """Of all random numbers."""

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.draws < 0:
            hint = "e.g. 2000; 0 for no intervals"
            raise SettingError(
                "draws-cannot-made", f"{self.draws!r} draws cannot be made", hint=hint
            )

    @property
    def alpha(self) -> float:
        """1 − level, so that a p of exactly 0.05 compares as people expect."""
        return round(1 - self.level, 12)  # 1 - 0.95 is 0.050000000000000044

    @property
    def percent(self) -> str:
        """The level as people write it: `95 %`."""
        return f"{self.level * 100:g} %"

    def __str__(self) -> str:
        return f"seed: {self.seed}, draws: {self.draws}, level: {self.level:g}"

    def rng(self) -> np.random.Generator:
        """Random numbers from the seed on."""
        return np.random.default_rng(self.seed)

    def counts(self, n: int) -> Iterator[Counts]:
        """Draw n of n units with replacement in every draw, as `drawn_counts`."""
        return drawn_counts(n, self.draws, self.rng())

    def sums(self, statistics: Numbers) -> Numbers:
        """Sum the groups' statistics, as they are in the first row, then in every draw.

        Args:
            statistics: A row for each group, a column for each statistic.
        """
        sums = [statistics.sum(axis=0, keepdims=True)]
        if len(statistics):
            sums += [counts @ statistics for counts in self.counts(len(statistics))]
        return np.concatenate(sums)

    def interval(self, draws: Numbers) -> tuple[float | None, float | None]:
        """The middle `level` of the draws that are defined."""
        defined = draws[~np.isnan(draws)]
        if defined.size == 0:
            return None, None
        low, high = np.quantile(defined, [(1 - self.level) / 2, (1 + self.level) / 2])
        return float(low), float(high)

    def estimate(self, values: Numbers, reason: str) -> Estimate:
        """The first value with the interval of the others; where it is NaN, the reason."""
        if np.isnan(values[0]):
            return Estimate(None, reason=reason)
        low, high = self.interval(values[1:])
        return Estimate(float(values[0]), low, high, n_undefined=int(np.isnan(values[1:]).sum()))


RESAMPLING = Resampling()
"""2,000 draws, 95 % intervals, seed 0."""


def drawn_counts(n: int, draws: int, rng: np.random.Generator) -> Iterator[Counts]:
    """Draw n of n units with replacement, many times; yield the counts, some draws at a time."""
    rows = max(1, _CELLS // max(n, 1))
    for start in range(0, draws, rows):
        size = min(rows, draws - start)
        picks = rng.integers(0, n, size=(size, n))
        picks += np.arange(size)[:, None] * n
        yield np.bincount(picks.ravel(), minlength=size * n).reshape(size, n)


def drawn_multiples(counts: Counts, draws: int, rng: np.random.Generator) -> Iterator[Counts]:
    """The same where a row stands for many units alike: how often rows of such counts are drawn."""
    n = int(counts.sum())
    rows = max(1, _CELLS // len(counts))
    for start in range(0, draws, rows):
        yield rng.multinomial(n, counts / n, size=min(rows, draws - start))


# Statistics of each group that sum, so that any ratio of them has its interval.


def summed_by(group: Counts, values: Numbers, n_groups: int) -> Numbers:
    """The sum of each column in each group; `values` has a row for each entry of `group`."""
    columns = [np.bincount(group, column, minlength=n_groups) for column in values.T]
    return np.stack(columns, axis=1).astype(np.float64)  # of nothing, bincount makes integers


def ratio(above: NDArray[Any], below: NDArray[Any]) -> Numbers:
    """Each number over the other; NaN where the other is 0."""
    result = np.full(above.shape, np.nan)
    np.divide(above, below, out=result, where=below != 0)
    return result


# Units and numbers that may not be there.

Thing = TypeVar("Thing", bound=Hashable)
Found = TypeVar("Found")


def numbered(things: Iterable[Thing]) -> tuple[tuple[Thing, ...], Counts]:
    """The distinct things in the order of their first occurrence, and each one's number.

    >>> numbered("abca")
    (('a', 'b', 'c'), array([0, 1, 2, 0]))
    """
    number: dict[Thing, int] = {}
    codes = [number.setdefault(thing, len(number)) for thing in things]
    return tuple(number), np.array(codes, np.int64)


def defined(make: Callable[[], Found], on_missing: Callable[[str], None]) -> Found | None:
    """What `make` gives; None, with the reason told, where the data do not define it."""
    try:
        return make()
    except UndefinedError as error:
        on_missing(error.message)
        return None


# Shares of independent units, with intervals that need no resampling.


def wilson_interval(n_hits: int, n: int, level: float = RESAMPLING.level) -> tuple[float, float]:
    """The score interval of a share (Wilson 1927, equation 1).

    Raises:
        UndefinedError: it is a share of nothing.
    """
    if n == 0:
        raise UndefinedError("share-nothing-no-interval", "a share of nothing has no interval")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, room = n_hits / n, 1 + z**2 / n
    middle = (share + z**2 / (2 * n)) / room
    half = z * sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / room
    # what is rounded must not push the share out of its interval
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def share_estimate(n_hits: int, n: int, level: float | None, reason: str) -> Estimate:
    """A share with Wilson's interval.

    Args:
        n_hits: How many of them.
        n: Of how many.
        level: Of the interval; None for none.
        reason: What is said where there is nothing to take a share of.
    """
    if n == 0:
        return Estimate(None, reason=reason)
    low, high = (None, None) if level is None else wilson_interval(n_hits, n, level)
    return Estimate(n_hits / n, low, high)


Fold = tuple[Counts, Counts]
"""The rows to learn from, and those held out."""


def most_folds(labels: NDArray[Any], group: NDArray[Any] | Sequence[int]) -> int:
    """Into how many folds rows can be cut: there are as many groups, and rows of each label."""
    _, counts = np.unique(labels, return_counts=True)
    return min(len(np.unique(group)), int(counts.min(initial=len(labels))))


def stratified_folds(
    labels: NDArray[Any], group: NDArray[Any] | Sequence[int], n: int, *, seed: int
) -> Counts:
    """The fold of each row, 0 to n − 1: labels evenly spread, and no group in two folds.

    Args:
        labels: Of each row.
        group: For each row the number of its group.
        n: How many folds; at most `most_folds`.
        seed: Of the order in which groups are dealt out.
    """
    from sklearn.model_selection import StratifiedGroupKFold

    splitter = StratifiedGroupKFold(n, shuffle=True, random_state=seed)
    found = np.zeros(len(labels), np.int64)
    for fold, (_, held_out) in enumerate(splitter.split(np.zeros(len(labels)), labels, group)):
        found[held_out] = fold
    return found


def random_folds(group: Counts, n: int, *, seed: int) -> Counts:
    """The fold of each row: groups 0, 1, … are dealt out at random, as many to each fold."""
    n_groups = int(group.max(initial=-1)) + 1
    fold_of = np.random.default_rng(seed).permutation(n_groups) % n
    return np.asarray(fold_of[group], np.int64)


def random_half(group: Counts, *, seed: int) -> NDArray[np.bool_]:
    """Whether each row belongs to the one half of the groups 0, 1, …, dealt out at random."""
    n_groups = int(group.max(initial=-1)) + 1
    order = np.random.default_rng(seed).permutation(n_groups)
    return np.asarray((order < n_groups // 2)[group], np.bool_)


def split_folds(fold_of: Counts) -> list[Fold]:
    """For each fold in turn the rows to learn from, and those held out."""
    folds = range(int(fold_of.max(initial=-1)) + 1)
    return [(np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)) for fold in folds]
