"""Number distinct rows of numbers, batch after batch, in the order in which they are first met."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ensue.mining.kernels import number_rows, seat_rows

Number = TypeVar("Number", np.int32, np.int64, np.float64)

_ROOM = 1024


class DistinctRows:
    """The distinct ones among rows of numbers, whose lengths may differ.

    Holds each row once: memory grows with the distinct rows, not with all that are met.
    """

    def __init__(self) -> None:
        self._seats: NDArray[np.int64] = np.full(2 * _ROOM, -1, np.int64)
        self._offsets: NDArray[np.int64] = np.zeros(_ROOM + 1, np.int64)
        self._values: NDArray[np.int32] = np.empty(4 * _ROOM, np.int32)
        self.n_rows = 0
        """How many there are."""

    def numbers(self, offsets: NDArray[np.int64], values: NDArray[np.int32]) -> NDArray[np.int64]:
        """The number of each row; those that are new get the next ones.

        Args:
            offsets: Where each row begins in `values`, with the end of the last.
            values: All rows, one after the other.
        """
        self._make_room(len(offsets) - 1, len(values))
        found = np.empty(len(offsets) - 1, np.int64)
        self.n_rows = number_rows(
            offsets, values, self._seats, self._offsets, self._values, self.n_rows, found
        )
        return found

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where each distinct row begins in `values`, with the end of the last."""
        return self._offsets[: self.n_rows + 1].copy()

    @property
    def values(self) -> NDArray[np.int32]:
        """All distinct rows, one after the other."""
        return self._values[: self.n_values].copy()

    @property
    def n_values(self) -> int:
        """The length of all distinct rows together."""
        return int(self._offsets[self.n_rows])

    def _make_room(self, n_rows: int, n_values: int) -> None:
        """See that even rows that are all new find room, half of the seats staying empty."""
        self._values = grown(self._values, self.n_values + n_values)
        self._offsets = grown(self._offsets, self.n_rows + n_rows + 1)
        needed = 2 * (self.n_rows + n_rows)
        if needed > len(self._seats):
            self._seats = np.full(1 << (needed - 1).bit_length(), -1, np.int64)
            seat_rows(self._offsets, self._values, self.n_rows, self._seats)


def grown(array: NDArray[Number], size: int) -> NDArray[Number]:
    """The array itself where it is long enough, or one that begins with it and has room."""
    if size <= len(array):
        return array
    larger = np.empty(max(size, len(array) + len(array) // 2), array.dtype)
    larger[: len(array)] = array
    return larger
