"""Numbers in groups, sorted on disk: more of them than are held, in bounded memory.

What is added is sorted a buffer at a time and written as *segments*, one for each group. To read in
order, the range of values is cut where about the same number of values lies between two cuts, and
the parts of all segments between two cuts are sorted once more. Values that occur very often are
counted instead, so that no cut ever has to hold them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

BUFFER = 1 << 19
"""How many values are sorted in memory at once."""

_STEP = 4096
"""Of so many values of a segment one is remembered, to find places without reading."""
_OFTEN = 1024
"""A value that occurs so often in one segment is counted from then on."""

Values = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Sorted values of one group, somewhere in the file."""

    start: int
    """How many values of the file come before."""
    n: int
    samples: Values
    """Every so many values, the first one too."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """All values between two cuts, increasing, for each family of groups."""

    families: tuple[Values, ...]
    ties: Values
    """Values that occur very often, increasing; the families may have some of them, too."""
    tied: NDArray[np.int64]
    """Families × ties: how often each occurs."""


class SortedNumbers:
    """Numbers of one type in groups, which are added in any order and read in order.

    Args:
        path: A file to be written.
        dtype: Of the numbers.
        buffer: How many values are sorted in memory at once.
    """

    def __init__(self, path: Path, dtype: Any = np.float64, *, buffer: int = BUFFER) -> None:
        self._path = path
        self._buffer = buffer
        self._file = path.open("w+b", buffering=0)
        self._dtype = np.dtype(dtype)
        self._values: list[Values] = []
        self._groups: list[NDArray[np.int32]] = []
        self._held = 0
        self._written = 0
        self._segments: dict[int, list[Segment]] = {}
        self._often: dict[int, Counter[Any]] = {}

    def close(self) -> None:
        """Let the file go."""
        self._file.close()

    @property
    def groups(self) -> list[int]:
        """The groups that have a value; those that are not written yet are left out."""
        return sorted(self._segments.keys() | self._often.keys())

    def add(self, values: Values, groups: NDArray[np.int32] | None = None) -> None:
        """Take values in, each with the number of its group; all in group 0 where there is none."""
        if len(values) == 0:
            return
        self._values.append(values)
        self._groups.append(np.zeros(len(values), np.int32) if groups is None else groups)
        self._held += len(values)
        if self._held >= self._buffer:
            self.flush()

    def flush(self) -> None:
        """Sort and write what is held; to be called before anything is read."""
        if not self._held:
            return
        from ensue.evaluation.large.ranking.kernels import by_group

        values, groups = np.concatenate(self._values), np.concatenate(self._groups)
        self._values, self._groups, self._held = [], [], 0
        counts = np.bincount(groups)
        ends = np.cumsum(counts)
        apart = by_group(values, groups, counts) if len(counts) > 1 else values
        for group in np.flatnonzero(counts):
            own = apart[ends[group] - counts[group] : ends[group]]
            self._write(int(group), np.sort(own))

    def n(self, groups: Sequence[int]) -> int:
        """How many values the groups have."""
        written = sum(each.n for group in groups for each in self._segments.get(group, ()))
        return written + sum(sum(self._often.get(group, Counter()).values()) for group in groups)

    def pieces(self, *families: Sequence[int], size: int | None = None) -> Iterator[Piece]:
        """Give the values of families of groups between cuts, the highest values first.

        Args:
            families: Groups that are put together.
            size: How many values a piece has, about.
        """
        of_families = [
            [each for group in groups for each in self._segments.get(group, ())]
            for groups in families
        ]
        cuts = self._cuts([each for some in of_families for each in some], size or self._buffer)
        places = [
            [(each, [0, *(self._place(each, cut) for cut in cuts), each.n]) for each in some]
            for some in of_families
        ]
        ties, tied = self._ties(families)
        tie_places = [0, *np.searchsorted(ties, cuts).tolist(), len(ties)]
        for k in range(len(cuts), -1, -1):
            found = [
                [self._read(each.start + at[k], at[k + 1] - at[k]) for each, at in some]
                for some in places
            ]
            between = slice(tie_places[k], tie_places[k + 1])
            yield Piece(
                tuple(self._merged(some) for some in found), ties[between], tied[:, between]
            )

    def _write(self, group: int, ordered: Values) -> None:
        ordered = self._without_ties(group, ordered)
        if len(ordered) == 0:
            return
        self._file.seek(self._written * self._dtype.itemsize)
        ordered.tofile(self._file)
        segment = Segment(self._written, len(ordered), ordered[::_STEP].copy())
        self._segments.setdefault(group, []).append(segment)
        self._written += len(ordered)

    def _without_ties(self, group: int, ordered: Values) -> Values:
        """Count the values that occur very often, and take them out."""
        is_often = ordered[_OFTEN - 1 :] == ordered[: max(len(ordered) - _OFTEN + 1, 0)]
        if not is_often.any():
            return ordered
        often = np.unique(ordered[_OFTEN - 1 :][is_often])
        starts = np.searchsorted(ordered, often, side="left")
        ends = np.searchsorted(ordered, often, side="right")
        counted = self._often.setdefault(group, Counter())
        keep = np.ones(len(ordered), np.bool_)
        for value, start, end in zip(often.tolist(), starts, ends, strict=True):
            counted[value] += int(end - start)
            keep[start:end] = False
        return ordered[keep]

    def _ties(self, families: Sequence[Sequence[int]]) -> tuple[Values, NDArray[np.int64]]:
        counted = [
            sum((self._often.get(group, Counter()) for group in groups), Counter())
            for groups in families
        ]
        ties = np.array(sorted(set().union(*counted)), self._dtype)
        tied = [[counts[value] for value in ties.tolist()] for counts in counted]
        return ties, np.array(tied, np.int64).reshape(len(families), len(ties))

    def _cuts(self, segments: Sequence[Segment], size: int) -> Values:
        """Values between which there are about so many of the segments' values."""
        if not segments:
            return np.empty(0, self._dtype)
        samples = np.concatenate([each.samples for each in segments])
        # a sample stands for the values up to the next one
        weights = np.concatenate(
            [np.diff(np.append(np.arange(0, each.n, _STEP), each.n)) for each in segments]
        )
        order = np.argsort(samples, kind="stable")
        slot = (np.cumsum(weights[order]) - weights[order]) // size
        new = np.flatnonzero(np.diff(slot)) + 1
        return np.unique(samples[order][new])

    def _place(self, segment: Segment, value: Any) -> int:
        """How many values of a segment are below a value."""
        block = int(np.searchsorted(segment.samples, value, side="left")) - 1
        if block < 0:
            return 0
        start = block * _STEP
        found = self._read(segment.start + start, min(_STEP, segment.n - start))
        return start + int(np.searchsorted(found, value, side="left"))

    def _read(self, start: int, n: int) -> Values:
        if n == 0:
            return np.empty(0, self._dtype)
        self._file.seek(start * self._dtype.itemsize)
        return np.fromfile(self._file, self._dtype, n)

    def _merged(self, parts: Sequence[Values]) -> Values:
        some = [part for part in parts if len(part)]
        if len(some) < 2:
            return some[0] if some else np.empty(0, self._dtype)
        return np.sort(np.concatenate(some))
