"""Edit distance with shifts (TER) of many outputs, with the counts of its operations.

The search is Snover et al.'s (2006) as sacreBLEU does it, step by step: the same shifts are tried,
the same one is taken, ties fall alike. What it does not do is the work that cannot matter:

- A shift of a block leaves what stands before and behind it as it is. With the cost of each
  beginning (`forward`) and of each end (`backward`) at hand, a shift costs the rows of the block.
- If the output without the block costs E, no place for the block costs less than E less one
  insertion a word, so that most blocks need not be tried anywhere. E is one sum of two rows.
- No order of the output's words costs less than their bag does. Where that much is reached, or
  less is left than a shift must gain, nothing is tried.
- sacreBLEU keeps to a band of the table. A path that leaves it costs at least what `_beyond`
  says; where the output costs less as it stands, so does all that could win, and the band can be
  left out.

Rows are kept askew: a forward cell is short of its cost by one insertion for every reference word
before it, a backward cell has as much too many. Sums of the two are costs, and an insertion is free.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.surface.kernels.compiling import compiled

LONGEST_BLOCK = 10
"""Words that one shift can move."""
FARTHEST = 50
"""How far apart a block and its place in the reference may start."""
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


class Work(NamedTuple):
    """Room for the search, reused from one output to the next."""

    words: Numbers
    """The output as it came: each word's class, 0 for all that the reference lacks."""
    moved: Numbers
    """The output as it is now."""
    places: Numbers
    """The class of each reference word, from 1."""
    first_place: Numbers
    """Where in the reference each class stands first; its end for class 0."""
    next_place: Numbers
    """Where each reference word's class stands again."""
    step: Numbers
    """What it costs to put a class for a reference word, less one insertion."""
    low: Numbers
    """Where the band begins in each row."""
    high: Numbers
    """Where it ends."""
    rows: Numbers
    """Those of five tables, one below the other: forward (from 0) and backward (from `backward`),
    both without a block (from `before` and `behind`), and a block's own (from `block`)."""
    backward: int
    before: int
    """Row k is forward and that of the first k words without the block."""
    behind: int
    """Row k is backward and that of the words from k on, without the block."""
    block: int
    aligned: Numbers
    """The output word that each reference word goes with; -1 before the first."""
    output_errors: Numbers
    """How many of the first k output words are wrong."""
    reference_errors: Numbers
    first: Numbers
    """The first shift of each length."""
    last: Numbers
    following: Numbers
    """The next shift of the same length."""
    start: Numbers
    target: Numbers
    tried_at: Numbers
    """When a length and a target were last met."""


@compiled
def _room(n: int, m: int) -> Work:
    """Room for n output words and m reference words."""
    shifts = MOST_TRIED + LONGEST_BLOCK + 1
    return Work(
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(m, np.int64),
        np.empty(m + 1, np.int64),
        np.empty(m, np.int64),
        np.empty((m + 1, m), np.int64),
        np.empty(n + 1, np.int64),
        np.empty(n + 1, np.int64),
        np.empty((4 * (n + 1) + LONGEST_BLOCK, m + 1), np.int64),
        n + 1,
        2 * (n + 1),
        3 * (n + 1),
        4 * (n + 1),
        np.empty(m, np.int64),
        np.empty(n + 1, np.int64),
        np.empty(m + 1, np.int64),
        np.empty(LONGEST_BLOCK + 1, np.int64),
        np.empty(LONGEST_BLOCK + 1, np.int64),
        np.empty(shifts, np.int64),
        np.empty(shifts, np.int64),
        np.empty(shifts, np.int64),
        np.zeros((LONGEST_BLOCK + 1, n + 1), np.int64),
    )


@compiled
def _advance(
    rows: Numbers, old: int, new: int, step: Numbers, word: int, low: int, high: int, m: int, lost: int
) -> None:
    """Write a forward row between `low` and `high`, from the row before it and its word."""
    if high - low == m + 1:
        least = rows[old, 0] + lost
        rows[new, 0] = least
        for j in range(m):
            least = min(least, min(rows[old, j] + step[word, j], rows[old, j + 1] + lost))
            rows[new, j + 1] = least
        return
    least = _INFINITE
    rows[new, : m + 1] = _INFINITE
    if low == 0:
        least = rows[old, 0] + lost
        rows[new, 0] = least
    for j in range(max(low, 1) - 1, high - 1):
        least = min(least, min(rows[old, j] + step[word, j], rows[old, j + 1] + lost))
        rows[new, j + 1] = least


@compiled
def _retreat(
    rows: Numbers, old: int, new: int, step: Numbers, word: int, low: int, high: int, m: int, lost: int
) -> None:
    """Write a backward row between `low` and `high`, from the row behind it and its word."""
    least = _INFINITE
    if high - low < m + 1:
        rows[new, : m + 1] = _INFINITE
    if high == m + 1:
        least = rows[old, m] + lost
        rows[new, m] = least
    for j in range(min(high, m) - 1, low - 1, -1):
        least = min(least, min(rows[old, j + 1] + step[word, j], rows[old, j] + lost))
        rows[new, j] = least


@compiled
def _joined(rows: Numbers, front: int, back: int, low: int, high: int) -> int:
    """The cost of the best way from one row on to the other."""
    least = rows[front, low] + rows[back, low]
    for j in range(low + 1, high):
        least = min(least, rows[front, j] + rows[back, j])
    return least


@compiled
def _forward(work: Work, n: int, m: int, costs: Costs, begin: int) -> int:
    """Make the forward rows after `begin`, and say what the output costs."""
    rows, step, moved, low, high = work.rows, work.step, work.moved, work.low, work.high
    for i in range(begin, n):
        _advance(rows, i, i + 1, step, moved[i], low[i + 1], high[i + 1], m, costs.deletion)
    return rows[n, m] + m * costs.insertion


@compiled
def _backward(work: Work, m: int, costs: Costs, end: int) -> None:
    """Make the backward rows before `end`."""
    rows, step, moved, low, high = work.rows, work.step, work.moved, work.low, work.high
    for i in range(end - 1, -1, -1):
        at = work.backward + i
        _retreat(rows, at + 1, at, step, moved[i], low[i], high[i], m, costs.deletion)


@compiled
def _beyond(work: Work, n: int, m: int, costs: Costs) -> int:
    """Lay the band, and say what a path that leaves it costs at least.

    The width and the slope are sacreBLEU's. A path through a cell needs an insertion or a deletion
    for each step off the diagonal, before the cell and behind it; the nearest cells outside cost
    least.
    """
    slope = m / n if n > 0 else 1.0
    width = BEAM
    if slope / 2 > BEAM:
        width = int(np.ceil(slope / 2 + BEAM))
    work.low[0], work.high[0] = 0, m + 1
    least = _INFINITE
    for i in range(1, n + 1):
        diagonal = int(np.floor(i * slope))
        work.low[i] = max(0, diagonal - width)
        work.high[i] = m + 1 if i == n else min(m + 1, diagonal + width)
        for j in (work.low[i] - 1, work.high[i]):
            if 0 <= j <= m:
                off, rest = j - i, (m - j) - (n - i)
                surplus, lack = max(off, 0) + max(rest, 0), max(-off, 0) + max(-rest, 0)
                least = min(least, surplus * costs.insertion + lack * costs.deletion)
    return least


@compiled
def _classify(
    work: Work,
    output: NDArray[np.int32],
    reference: NDArray[np.int32],
    class_of: Numbers,
    count: Numbers,
) -> tuple[int, int]:
    """Number the reference's words; say how many there are, and how many the output shares."""
    n, m, classes = output.size, reference.size, 0
    for j in range(m - 1, -1, -1):
        found = class_of[reference[j]]
        if found == 0:
            classes += 1
            found = classes
            class_of[reference[j]] = found
            count[found] = 0
            work.first_place[found] = m
        work.places[j] = found
        work.next_place[j] = work.first_place[found]
        work.first_place[found] = j
        count[found] += 1
    work.first_place[0] = m
    shared = 0
    for i in range(n):
        found = class_of[output[i]]
        work.words[i] = found
        if found > 0 and count[found] > 0:
            count[found] -= 1
            shared += 1
    for j in range(m):
        class_of[reference[j]] = 0
    return classes, shared


@compiled
def _start(work: Work, n: int, m: int, classes: int, costs: Costs) -> tuple[int, bool]:
    """Fill the table with the output as it came; say its cost, and whether the band matters."""
    work.moved[:n] = work.words[:n]
    for found in range(classes + 1):
        work.step[found, :m] = costs.substitution - costs.insertion
    for j in range(m):
        work.step[work.places[j], j] = -costs.insertion
    work.rows[0, : m + 1] = 0
    work.rows[work.backward + n, : m + 1] = m * costs.insertion
    work.low[: n + 1] = 0
    work.high[: n + 1] = m + 1
    cost = _forward(work, n, m, costs, 0)
    if cost < _beyond(work, n, m, costs):
        work.low[: n + 1] = 0
        work.high[: n + 1] = m + 1
        return cost, False
    return _forward(work, n, m, costs, 0), True


@compiled
def _trace(work: Work, n: int, m: int, costs: Costs) -> tuple[int, int, int]:
    """Align the reference with the output; return insertions, deletions and substitutions.

    Where several operations cost the same, a word for a word goes first, then a deletion: in
    sacreBLEU the first of the least.
    """
    insertions, deletions, substitutions = 0, 0, 0
    rows = work.rows
    i, j = n, m
    work.output_errors[0] = 0
    work.reference_errors[0] = 0
    while i > 0 or j > 0:
        here = rows[i, j]
        word = work.moved[i - 1] if i > 0 else 0
        if i > 0 and j > 0 and here == rows[i - 1, j - 1] + work.step[word, j - 1]:
            wrong = 0 if work.places[j - 1] == word else 1
            substitutions += wrong
            work.output_errors[i] = wrong
            work.reference_errors[j] = wrong
            work.aligned[j - 1] = i - 1
            i -= 1
            j -= 1
        elif i > 0 and (j == 0 or here == rows[i - 1, j] + costs.deletion):
            deletions += 1
            work.output_errors[i] = 1
            i -= 1
        else:
            insertions += 1
            work.reference_errors[j] = 1
            work.aligned[j - 1] = i - 1
            j -= 1
    for i in range(n):
        work.output_errors[i + 1] += work.output_errors[i]
    for j in range(m):
        work.reference_errors[j + 1] += work.reference_errors[j]
    return insertions, deletions, substitutions


@compiled
def _collect(work: Work, n: int, m: int, tried: int, stamp: int) -> tuple[int, int]:
    """List the shifts to try, each once, by length and start; say how many sacreBLEU has tried.

    A block may move if it is somewhere in the reference, not all right where it is, and not all
    right there. It may move before each reference word of that place, or behind the last.
    """
    work.first[:] = -1
    listed = 0
    for start in range(n):
        stamp += 1
        following = work.first_place[work.moved[start]]
        while following < m:
            place = following
            following = work.next_place[place]
            if abs(place - start) > FARTHEST:
                continue
            length = 0
            while (
                length < LONGEST_BLOCK
                and start + length < n
                and place + length < m
                and work.moved[start + length] == work.places[place + length]
            ):
                length += 1
                if (
                    work.output_errors[start + length] == work.output_errors[start]
                    or work.reference_errors[place + length] == work.reference_errors[place]
                    or start <= work.aligned[place] < start + length
                ):
                    continue
                previous = -1
                for j in range(place - 1, place + length):
                    target = 0 if j < 0 else work.aligned[j] + 1
                    if target == previous:
                        continue
                    previous = target
                    tried += 1
                    if work.tried_at[length, target] != stamp:
                        work.tried_at[length, target] = stamp
                        work.start[listed] = start
                        work.target[listed] = target
                        work.following[listed] = -1
                        if work.first[length] < 0:
                            work.first[length] = listed
                        else:
                            work.following[work.last[length]] = listed
                        work.last[length] = listed
                        listed += 1
                if tried >= MOST_TRIED:
                    return tried, stamp
    return tried, stamp


@compiled
def _end(start: int, length: int, target: int, n: int) -> int:
    """Where a block that moves back ends: sacreBLEU takes a target inside it as one behind it."""
    return target if target > start + length else min(target + length, n)


@compiled
def _best_shift(
    work: Work, n: int, m: int, costs: Costs, cost: int, room: int, banded: bool
) -> tuple[int, int, int, int]:
    """The shift that gains most, as gain, length, start, target; a gain of 0 for none.

    Of equal gains the longest block wins, then the earliest, then the earliest target. A shift has
    to gain something, and no less than it costs.

    Args:
        work: The table, and the shifts to try.
        n: Words of the output.
        m: Words of the reference.
        costs: Of the operations.
        cost: Of the output as it is, without the shifts already made.
        room: How much can be gained at all.
        banded: Whether the band matters, so that the bounds do not hold.
    """
    rows, step, moved, low, high = work.rows, work.step, work.moved, work.low, work.high
    lost = costs.deletion
    best = max(1, costs.shift) - 1
    best_length, best_start, best_target = 0, -1, -1
    for length in range(LONGEST_BLOCK, 0, -1):
        if not banded and min(room, length * (costs.insertion + costs.deletion)) <= best:
            break
        start, hopeless, forth, back = -1, True, 0, 0
        shift = work.first[length]
        while shift >= 0:
            target = work.target[shift]
            if work.start[shift] != start:
                start = work.start[shift]
                forth, back = start, start
                hopeless = False
                if not banded:
                    rest = _joined(rows, start, work.backward + start + length, 0, m + 1)
                    hopeless = cost - rest + length * costs.insertion <= best
            shift = work.following[shift]
            if hopeless or target == start:
                continue
            if target < start:
                while back > target:
                    old = work.behind + back
                    if back == start:
                        old = work.backward + start + length
                    back -= 1
                    new, row = work.behind + back, back + length
                    _retreat(rows, old, new, step, moved[back], low[row], high[row], m, lost)
                row, front, rear = target, target, work.behind + target
            else:
                row = _end(start, length, target, n) - length
                while forth < row:
                    old = forth if forth == start else work.before + forth
                    word = moved[forth + length]
                    forth += 1
                    new = work.before + forth
                    _advance(rows, old, new, step, word, low[forth], high[forth], m, lost)
                front = row if row == start else work.before + row
                rear = work.backward + row + length
            for i in range(length):
                row += 1
                new = work.block + i
                _advance(
                    rows, front, new, step, moved[start + i], low[row], high[row], m, lost
                )
                front = new
            gain = cost - _joined(rows, front, rear, low[row], high[row])
            if gain > best or (
                gain == best
                and length == best_length
                and start == best_start
                and target < best_target
            ):
                best, best_length, best_start, best_target = gain, length, start, target
    return (best if best_length > 0 else 0), best_length, best_start, best_target


@compiled
def _move(work: Work, n: int, length: int, start: int, target: int) -> tuple[int, int]:
    """Shift a block, and say between which places words have changed."""
    block = work.moved[start : start + length].copy()
    if target < start:
        for i in range(start - 1, target - 1, -1):
            work.moved[i + length] = work.moved[i]
        work.moved[target : target + length] = block
        return target, start + length
    end = _end(start, length, target, n)
    for i in range(start + length, end):
        work.moved[i - length] = work.moved[i]
    work.moved[end - length : end] = block
    return start, end


@compiled
def _edits(
    work: Work, n: int, m: int, classes: int, shared: int, costs: Costs, stamp: int
) -> tuple[int, int, int, int, int, int]:
    """Edit one output into one reference, as cost, counts of operations and the last stamp."""
    if m == 0:
        return n * costs.deletion, 0, n, 0, 0, stamp
    surplus, lack = n - shared, m - shared
    swapped = min(surplus, lack)
    floor = swapped * min(costs.substitution, costs.insertion + costs.deletion)
    floor += (surplus - swapped) * costs.deletion + (lack - swapped) * costs.insertion
    cost, banded = _start(work, n, m, classes, costs)
    shifts, tried, end = 0, 0, n
    while True:
        insertions, deletions, substitutions = _trace(work, n, m, costs)
        if cost - floor < max(1, costs.shift):
            break
        tried, stamp = _collect(work, n, m, tried, stamp)
        if tried >= MOST_TRIED:
            break
        _backward(work, m, costs, end)
        gain, length, start, target = _best_shift(work, n, m, costs, cost, cost - floor, banded)
        if gain == 0:
            break
        shifts += 1
        begin, end = _move(work, n, length, start, target)
        cost = _forward(work, n, m, costs, begin)
    cost += shifts * costs.shift
    return cost, insertions, deletions, substitutions, shifts, stamp


@compiled
def edit_segments(
    ids: NDArray[np.int32],
    bounds: Numbers,
    outputs: Numbers,
    references: Numbers,
    first: Numbers,
    n_distinct: int,
    settings: Numbers,
) -> Numbers:
    """Edit every output into the reference that costs least, under each setting of costs.

    Of references that cost the same, the one with fewer shifts counts, then that with fewer
    substitutions, deletions and insertions.

    Args:
        ids: The numbers of all tokens.
        bounds: Where each string's tokens begin in `ids`, with the end of the last.
        outputs: The string of each output.
        references: The strings of all references.
        first: Where each output's references begin in `references`, with the end of the last.
        n_distinct: How many different token numbers there are.
        settings: A row of costs (insertion, deletion, substitution, shift) for each setting.

    Returns:
        For each setting and output: cost, insertions, deletions, substitutions, shifts.
    """
    edited = np.full((len(settings), outputs.size, 5), -1, np.int64)
    work = _room(64, 64)
    class_of = np.zeros(n_distinct, np.int64)
    stamp = 0
    for s in range(outputs.size):
        output = ids[bounds[outputs[s]] : bounds[outputs[s] + 1]]
        for r in references[first[s] : first[s + 1]]:
            reference = ids[bounds[r] : bounds[r + 1]]
            n, m = output.size, reference.size
            if n > work.words.size or m > work.places.size:
                work = _room(max(n, work.words.size), max(m, work.places.size))
            classes, shared = _classify(work, output, reference, class_of, work.reference_errors)
            for k in range(len(settings)):
                costs = Costs(settings[k, 0], settings[k, 1], settings[k, 2], settings[k, 3])
                cost, added, lost, swapped, shifts, stamp = _edits(
                    work, n, m, classes, shared, costs, stamp
                )
                row = edited[k, s]
                found = (cost, shifts, swapped, lost, added)
                if row[0] < 0 or found < (row[0], row[4], row[3], row[2], row[1]):
                    row[0], row[1], row[2], row[3], row[4] = cost, added, lost, swapped, shifts
    return edited
