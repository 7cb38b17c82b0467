"""Compiled table of edit distances, on which TER's search for shifts works.

Rows are kept askew: a forward cell has one insertion too few for each reference word before it, a
backward cell as many too many. Sums of the two are costs, and to insert a word costs nothing.

sacreBLEU keeps to a band of the table. A path that leaves it costs at least what `_band` says.
Where the output costs less as it came, so does all that a shift could gain, and the band is left out.

Arrays are taken out of the tuple that holds them before a loop, not in it: numba counts a reference
each time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

LONGEST_BLOCK = 10
"""How many words one shift can move."""
BEAM = 25
"""Half the width of the band around the diagonal."""
MOST_TRIED = 1000
"""Shifts tried for an output and a reference, in all rounds, before the search ends."""

_INFINITE = 1 << 40

Numbers = NDArray[np.int64]


class Costs(NamedTuple):
    """What each operation costs, in whole numbers."""

    insertion: int
    deletion: int
    substitution: int
    shift: int


class EditBuffers(NamedTuple):
    """Room for the search, reused from one output to the next."""

    words: Numbers
    """The output as it came: the class of each word, 0 for all that the reference lacks."""
    moved: Numbers
    """The output as it is now."""
    places: Numbers
    """The class of each reference word, from 1."""
    first_place: Numbers
    """Where in the reference each class stands first; its end for class 0."""
    next_place: Numbers
    """Where the class of each reference word stands next; its end for none."""
    step: Numbers
    """What it costs to put a class for a reference word, less one insertion."""
    low: Numbers
    """Where the band begins in each row."""
    high: Numbers
    """Where it ends."""
    rows: Numbers
    """Five tables, one below the other: forward; then from the four numbers below on, backward,
    forward and backward without the block, and the block's own."""
    backward: int
    before: int
    behind: int
    block: int
    aligned: Numbers
    """The output word that each reference word goes with, or the one before; -1 for none."""
    output_errors: Numbers
    """How many of the first k output words are wrong."""
    reference_errors: Numbers
    """How many of the first k reference words are not met."""
    shift_start: Numbers
    shift_target: Numbers
    shift_next: Numbers
    """The next shift of as long a block; -1 for none."""
    first_shift: Numbers
    """The first shift of each length; -1 for none."""
    last_shift: Numbers
    met: Numbers
    """At which start, of all so far, a length and a target were last met."""
    counters: Numbers
    """How many starts there were so far; how many shifts sacreBLEU has tried on this output."""


def room(n: int, m: int) -> EditBuffers:
    """Room for up to n output words and m reference words."""
    n, m = max(n, 1), max(m, 1)

    def empty(*shape: int) -> Numbers:
        return np.empty(shape, np.int64)

    n_shifts = MOST_TRIED + LONGEST_BLOCK + 1
    return EditBuffers(
        words=empty(n),
        moved=empty(n),
        places=empty(m),
        first_place=empty(m + 1),
        next_place=empty(m),
        step=empty(m + 1, m),
        low=empty(n + 1),
        high=empty(n + 1),
        rows=empty(4 * (n + 1) + LONGEST_BLOCK, m + 1),
        backward=n + 1,
        before=2 * (n + 1),
        behind=3 * (n + 1),
        block=4 * (n + 1),
        aligned=empty(m),
        output_errors=empty(n + 1),
        reference_errors=empty(m + 1),
        shift_start=empty(n_shifts),
        shift_target=empty(n_shifts),
        shift_next=empty(n_shifts),
        first_shift=empty(LONGEST_BLOCK + 1),
        last_shift=empty(LONGEST_BLOCK + 1),
        met=np.zeros((LONGEST_BLOCK + 1, n + 1), np.int64),
        counters=np.zeros(2, np.int64),
    )


@compiled
def advance(
    rows: Numbers,
    old: int,
    new: int,
    step: Numbers,
    word: int,
    low: int,
    high: int,
    m: int,
    lost: int,
) -> None:
    """Write a forward row between `low` and `high`, from the row before it and its word."""
    if high - low == m + 1:  # apart, because it is nearly always so and twice as fast
        left = rows[old, 0]
        least = left + lost
        rows[new, 0] = least
        for j in range(m):
            above = rows[old, j + 1]
            least = min(least, min(left + step[word, j], above + lost))
            rows[new, j + 1] = least
            left = above
        return
    least = _INFINITE
    for j in range(m + 1):
        rows[new, j] = _INFINITE
    if low == 0:
        least = rows[old, 0] + lost
        rows[new, 0] = least
    for j in range(max(low - 1, 0), high - 1):
        least = min(least, min(rows[old, j] + step[word, j], rows[old, j + 1] + lost))
        rows[new, j + 1] = least


@compiled
def retreat(
    rows: Numbers,
    old: int,
    new: int,
    step: Numbers,
    word: int,
    low: int,
    high: int,
    m: int,
    lost: int,
) -> None:
    """Write a backward row between `low` and `high`, from the row behind it and its word."""
    if high - low == m + 1:
        right = rows[old, m]
        least = right + lost
        rows[new, m] = least
        for k in range(m):
            j = m - 1 - k
            below = rows[old, j]
            least = min(least, min(right + step[word, j], below + lost))
            rows[new, j] = least
            right = below
        return
    least = _INFINITE
    for j in range(m + 1):
        rows[new, j] = _INFINITE
    if high == m + 1:
        least = rows[old, m] + lost
        rows[new, m] = least
    for j in range(min(high, m) - 1, low - 1, -1):
        least = min(least, min(rows[old, j + 1] + step[word, j], rows[old, j] + lost))
        rows[new, j] = least


@compiled
def joined(rows: Numbers, front: int, back: int, low: int, high: int) -> int:
    """The cost of the best way from a forward row on to a backward row."""
    least = _INFINITE
    for k in range(high - low):
        least = min(least, rows[front, low + k] + rows[back, low + k])
    return least


@compiled
def forward(work: EditBuffers, n: int, m: int, costs: Costs, begin: int) -> int:
    """Make the forward rows after `begin`, and say what the output costs."""
    rows, step, moved, low, high = work.rows, work.step, work.moved, work.low, work.high
    for i in range(begin, n):
        advance(rows, i, i + 1, step, moved[i], low[i + 1], high[i + 1], m, costs.deletion)
    cost: int = rows[n, m] + m * costs.insertion
    return cost


@compiled
def backward(work: EditBuffers, m: int, costs: Costs, end: int) -> None:
    """Make the backward rows before `end`."""
    rows, step, moved, low, high = work.rows, work.step, work.moved, work.low, work.high
    for i in range(end - 1, -1, -1):
        at = work.backward + i
        retreat(rows, at + 1, at, step, moved[i], low[i], high[i], m, costs.deletion)


@compiled
def _band(low: Numbers, high: Numbers, n: int, m: int, costs: Costs) -> int:
    """Lay the band, and say what a path that leaves it costs at least.

    Width and slope are sacreBLEU's. A path through a cell needs an insertion or a deletion for each
    step off the diagonal, before the cell and behind it; those next to the band need fewest.
    """
    slope = m / n if n > 0 else 1.0
    width = int(np.ceil(slope / 2 + BEAM)) if slope / 2 > BEAM else BEAM
    least = _INFINITE
    for i in range(1, n + 1):
        diagonal = int(np.floor(i * slope))
        low[i] = max(0, diagonal - width)
        high[i] = m + 1 if i == n else min(m + 1, diagonal + width)
        for j in (low[i] - 1, high[i]):
            if 0 <= j <= m:
                off, rest = j - i, (m - j) - (n - i)
                inserted, deleted = max(off, 0) + max(rest, 0), max(-off, 0) + max(-rest, 0)
                least = min(least, inserted * costs.insertion + deleted * costs.deletion)
    return least


@compiled
def _no_band(low: Numbers, high: Numbers, n: int, m: int) -> None:
    for i in range(n + 1):
        low[i] = 0
        high[i] = m + 1


@compiled
def classify(
    work: EditBuffers, output: NDArray[np.int32], reference: NDArray[np.int32], class_of: Numbers
) -> tuple[int, int]:
    """Number the words of the reference; say how many there are, and how many the output shares.

    `class_of` is 0 for each token before and after.
    """
    words, places, count = work.words, work.places, work.reference_errors
    first_place, next_place = work.first_place, work.next_place
    m, classes, shared = reference.size, 0, 0
    for j in range(m - 1, -1, -1):
        found = class_of[reference[j]]
        if found == 0:
            classes += 1
            found = classes
            class_of[reference[j]] = found
            count[found] = 0
            first_place[found] = m
        places[j] = found
        next_place[j] = first_place[found]
        first_place[found] = j
        count[found] += 1
    first_place[0] = m
    for i in range(output.size):
        found = class_of[output[i]]
        words[i] = found
        if found > 0 and count[found] > 0:
            count[found] -= 1
            shared += 1
    for j in range(m):
        class_of[reference[j]] = 0
    return classes, shared


@compiled
def start_table(work: EditBuffers, n: int, m: int, classes: int, costs: Costs) -> tuple[int, bool]:
    """Make the forward rows of the output as it came; say its cost, and if the band matters."""
    moved, words, places, step, rows = work.moved, work.words, work.places, work.step, work.rows
    for i in range(n):
        moved[i] = words[i]
    for found in range(classes + 1):
        for j in range(m):
            step[found, j] = costs.substitution - costs.insertion
    for j in range(m):
        step[places[j], j] = -costs.insertion
    for j in range(m + 1):
        rows[0, j] = 0
        rows[work.backward + n, j] = m * costs.insertion
    _no_band(work.low, work.high, n, m)
    begin = work.low[0]
    cost = forward(work, n, m, costs, begin)
    if cost >= _band(work.low, work.high, n, m, costs):
        return forward(work, n, m, costs, begin), True
    _no_band(work.low, work.high, n, m)
    return cost, False
