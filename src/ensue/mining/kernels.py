"""Compiled inner loops of error mining, and the numbering of distinct rows."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled, inlined

# Compiled inner loops of error mining: the fixed point over many draws, and sets of forms.

_MIXING = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ over the golden ratio: multiplying by it spreads numbers that lie close together."""
_HALF = np.uint64(32)


@compiled
def occurrences(
    offsets: NDArray[np.int64],
    ids: NDArray[np.int32],
    weights: NDArray[np.int64],
    n_forms: int,
) -> NDArray[np.int64]:
    """How often each form occurs, where the i-th case counts `weights[i]` times."""
    found = np.zeros(n_forms, np.int64)
    for case in range(weights.size):
        if weights[case] != 0:
            for k in range(offsets[case], offsets[case + 1]):
                found[ids[k]] += weights[case]
    return found


@compiled
def fixed_point(
    offsets: NDArray[np.int64],
    ids: NDArray[np.int32],
    n_errors: NDArray[np.int64],
    n_cases: NDArray[np.int64],
    iterations: int,
    tolerance: float,
    rates: NDArray[np.float64],
) -> int:
    """Write each form's suspicion rate to `rates`, and return the iterations that it took.

    An iteration multiplies the rate of a form by what it gets of each error case for one unit of
    its own rate, Σ 1/(rates of the case's forms), over its occurrences: one sum and one division a
    case. No sum is 0: an error case has given its forms one unit, so their rates sum to at least 1
    over the number of cases.

    Args:
        offsets: Where each case's forms begin in `ids`, with the end of the last.
        ids: The forms of all cases.
        n_errors: How many times each case is an error.
        n_cases: In how many cases each form occurs.
        iterations: How many to do.
        tolerance: Stop earlier where no rate moves by more than this; below 0, never.
        rates: One for each form; overwritten.
    """
    erring = np.flatnonzero(n_errors)
    gained = np.zeros(rates.size)
    for case in erring:
        size = offsets[case + 1] - offsets[case]
        for k in range(offsets[case], offsets[case + 1]):
            gained[ids[k]] += n_errors[case] / size
    for form in range(rates.size):
        rates[form] = gained[form] / n_cases[form] if n_cases[form] > 0 else 0.0
    for done in range(1, iterations):
        gained[:] = 0.0
        for case in erring:
            start, end = offsets[case], offsets[case + 1]
            total = 0.0
            for k in range(start, end):
                total += rates[ids[k]]
            if end > start:
                unit = n_errors[case] / total
                for k in range(start, end):
                    gained[ids[k]] += unit
        moved = 0.0
        for form in range(rates.size):
            if n_cases[form] > 0:
                rate = rates[form] * gained[form] / n_cases[form]
                moved = max(moved, abs(rate - rates[form]))
                rates[form] = rate
        if moved <= tolerance:
            return done + 1
    return iterations


@compiled
def fixed_points(
    offsets: NDArray[np.int64],
    ids: NDArray[np.int32],
    n_errors: NDArray[np.int64],
    n_cases: NDArray[np.int64],
    n_forms: int,
    iterations: int,
    tolerance: float,
) -> NDArray[np.float64]:
    """The suspicion rates of many draws: draws × forms, NaN where a draw lacks the form.

    Args:
        offsets: Where the forms of each kind of case begin in `ids`, with the end of the last.
        ids: The forms of all kinds of cases.
        n_errors: Draws × kinds of cases: how many of the kind are errors.
        n_cases: Draws × kinds of cases: how many of the kind there are.
        n_forms: How many forms there are.
        iterations: As in `fixed_point`.
        tolerance: As in `fixed_point`.
    """
    rates = np.empty((n_errors.shape[0], n_forms))
    for draw in range(n_errors.shape[0]):
        found = occurrences(offsets, ids, n_cases[draw], n_forms)
        fixed_point(offsets, ids, n_errors[draw], found, iterations, tolerance, rates[draw])
        for form in range(n_forms):
            if found[form] == 0:
                rates[draw, form] = np.nan
    return rates


@compiled
def two_by_two(
    offsets: NDArray[np.int64], ids: NDArray[np.int32], n_found: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Every two forms of every case: the case, the first and the second."""
    cases = np.empty(n_found, np.int64)
    first = np.empty(n_found, np.int32)
    second = np.empty(n_found, np.int32)
    at = 0
    for case in range(offsets.size - 1):
        for i in range(offsets[case], offsets[case + 1]):
            for j in range(i + 1, offsets[case + 1]):
                cases[at] = case
                first[at] = ids[i]
                second[at] = ids[j]
                at += 1
    return cases, first, second


@compiled
def deal(kinds: NDArray[np.int64], uniform: NDArray[np.float64], n_kinds: int) -> NDArray[np.int64]:
    """Draw cases without replacement, many times: draws × kinds of cases, how many of each.

    The first steps of Fisher and Yates' shuffle. `kinds` is reordered; whatever its order, what
    comes first after a shuffle is a random choice, so no draw needs the original order.

    Args:
        kinds: The kind of each case.
        uniform: Draws × cases to draw: random numbers in [0, 1).
        n_kinds: How many kinds there are.
    """
    drawn = np.zeros((uniform.shape[0], n_kinds), np.int64)
    for draw in range(uniform.shape[0]):
        for i in range(uniform.shape[1]):
            j = i + np.int64(uniform[draw, i] * (kinds.size - i))
            kinds[i], kinds[j] = kinds[j], kinds[i]
            drawn[draw, kinds[i]] += 1
    return drawn


@inlined
def _seat_of(values: NDArray[np.int32], start: int, end: int, n_seats: int) -> np.int64:
    """Where to look first for a row; the number of seats is a power of two."""
    mixed = np.uint64(end - start)
    for k in range(start, end):
        mixed = (mixed ^ np.uint64(values[k])) * _MIXING
        mixed = mixed ^ (mixed >> _HALF)
    return np.int64(mixed & np.uint64(n_seats - 1))


@compiled
def seat_rows(
    offsets: NDArray[np.int64], values: NDArray[np.int32], n_rows: int, seats: NDArray[np.int64]
) -> None:
    """Give each of the distinct rows a seat among empty ones (-1)."""
    for row in range(n_rows):
        seat = _seat_of(values, offsets[row], offsets[row + 1], seats.size)
        while seats[seat] >= 0:
            seat = (seat + 1) & (seats.size - 1)
        seats[seat] = row


@compiled
def number_rows(
    offsets: NDArray[np.int64],
    values: NDArray[np.int32],
    seats: NDArray[np.int64],
    known_offsets: NDArray[np.int64],
    known_values: NDArray[np.int32],
    n_known: int,
    numbers: NDArray[np.int64],
) -> int:
    """Write each row's number to `numbers`, add new rows to the known, and return how many are known.

    A hash table with open addressing; the caller sees to it that there is room for all rows.

    Args:
        offsets: Where each row begins in `values`, with the end of the last.
        values: All rows.
        seats: The number of the known row that sits there, or -1.
        known_offsets: Where each known row begins in `known_values`.
        known_values: All known rows.
        n_known: How many there are.
        numbers: One for each row; overwritten.
    """
    for row in range(numbers.size):
        start, size = offsets[row], offsets[row + 1] - offsets[row]
        seat = _seat_of(values, start, start + size, seats.size)
        while True:
            known = seats[seat]
            if known < 0:
                seats[seat] = n_known
                end = known_offsets[n_known]
                known_values[end : end + size] = values[start : start + size]
                known_offsets[n_known + 1] = end + size
                numbers[row] = n_known
                n_known += 1
                break
            at = known_offsets[known]
            same = known_offsets[known + 1] - at == size
            k = 0
            while same and k < size:
                same = known_values[at + k] == values[start + k]
                k += 1
            if same:
                numbers[row] = known
                break
            seat = (seat + 1) & (seats.size - 1)
    return n_known


# Number distinct rows of numbers, batch after batch, in the order in which they are first met.

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
