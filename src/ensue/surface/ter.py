"""Translation edit rate (Snover et al. 2006), with costs and counts of operations.

The search is Snover et al.'s (2006) as sacreBLEU does it: the same shifts are tried, the same one
is taken, ties fall alike. What it leaves out is work that cannot change the result:

- A shift of a block leaves alone what stands before and behind the words that move. With the cost
  of each beginning (forward rows) and of each end (backward rows) at hand, and both without the
  block, a shift costs no more than the rows of the block itself.
- If the output without the block costs E, no place for the block makes it cost less than E less
  one insertion for each of its words: most blocks need not be tried anywhere.
- No order of the output's words costs less than their bag does. Where less than that is left to
  gain than a shift has to gain, nothing is tried.
- The band around the diagonal, where it cannot matter: see `ensue.surface.edit_table`.

With costs of 1 the numbers are sacreBLEU's, to the last bit. An *insertion* is a reference word that
the output lacks (sacreBLEU's `i`), a *deletion* an output word too many (its `d`): the output is
edited into the reference.

With other costs the search goes by cost: the edit distance, and what a shift gains. A shift is made if
it lowers the cost of the other edits, and by no less than it costs itself: sacreBLEU's rule for whole
numbers, Tercom's for all. sacreBLEU's default tokenization of TER is `WHITESPACE` with lowercase.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.errors import DataError, SettingError
from ensue.surface.edit_table import (
    LONGEST_BLOCK,
    MOST_TRIED,
    Costs,
    EditBuffers,
    Numbers,
    advance,
    backward,
    classify,
    forward,
    joined,
    retreat,
    room,
    start_table,
)
from ensue.surface.tokenizers import SegmentTokens

# Edit distance with shifts (TER) of many outputs, with the counts of its operations.

FARTHEST = 50
"""How far apart a block and its place in the reference may start."""


@compiled
def _trace(work: EditBuffers, n: int, m: int, costs: Costs) -> tuple[int, int, int]:
    """Align the reference with the output; return insertions, deletions and substitutions.

    Where several operations cost the same, a word for a word goes first, then a deletion.
    """
    rows, step, moved, places = work.rows, work.step, work.moved, work.places
    aligned = work.aligned
    output_errors, reference_errors = work.output_errors, work.reference_errors
    insertions, deletions, substitutions = 0, 0, 0
    i, j = n, m
    while i > 0 or j > 0:
        here = rows[i, j]
        if i > 0 and j > 0 and here == rows[i - 1, j - 1] + step[moved[i - 1], j - 1]:
            i -= 1
            j -= 1
            wrong = 0 if places[j] == moved[i] else 1
            substitutions += wrong
            output_errors[i + 1] = wrong
            reference_errors[j + 1] = wrong
            aligned[j] = i
        elif i > 0 and (j == 0 or here == rows[i - 1, j] + costs.deletion):
            deletions += 1
            output_errors[i] = 1
            i -= 1
        else:
            insertions += 1
            reference_errors[j] = 1
            j -= 1
            aligned[j] = i - 1
    output_errors[0], reference_errors[0] = 0, 0
    for i in range(n):
        output_errors[i + 1] += output_errors[i]
    for j in range(m):
        reference_errors[j + 1] += reference_errors[j]
    return insertions, deletions, substitutions


@compiled
def _list_targets(work: EditBuffers, start: int, place: int, length: int, listed: int) -> int:
    """List where a block may move for one place in the reference; say how many are listed now."""
    aligned, met, counters = work.aligned, work.met, work.counters
    first_shift, last_shift, shift_next = work.first_shift, work.last_shift, work.shift_next
    previous = -1
    for j in range(place - 1, place + length):
        target = 0 if j < 0 else aligned[j] + 1
        if target == previous:
            continue
        previous = target
        counters[1] += 1
        if met[length, target] == counters[0]:
            continue
        met[length, target] = counters[0]
        work.shift_start[listed] = start
        work.shift_target[listed] = target
        shift_next[listed] = -1
        if first_shift[length] < 0:
            first_shift[length] = listed
        else:
            shift_next[last_shift[length]] = listed
        last_shift[length] = listed
        listed += 1
    return listed


@compiled
def _list_shifts(work: EditBuffers, n: int, m: int) -> bool:
    """List the shifts to try, each once, by length and start; say if sacreBLEU tries them all.

    A block may move if it is somewhere in the reference, not all right where it is, and not all
    met there. It may move before each reference word of that place, or behind the last.
    """
    moved, places, next_place = work.moved, work.places, work.next_place
    output_errors, reference_errors = work.output_errors, work.reference_errors
    aligned, counters = work.aligned, work.counters
    for length in range(LONGEST_BLOCK + 1):
        work.first_shift[length] = -1
    listed = n - n  # numba would compile once more for a plain 0
    for start in range(n):
        counters[0] += 1
        place = work.first_place[moved[start]]
        while place < m:
            longest = min(LONGEST_BLOCK, min(n - start, m - place))
            if abs(place - start) > FARTHEST:
                longest = 0
            for length in range(1, longest + 1):
                if moved[start + length - 1] != places[place + length - 1]:
                    break
                if (
                    output_errors[start + length] > output_errors[start]
                    and reference_errors[place + length] > reference_errors[place]
                    and not start <= aligned[place] < start + length
                ):
                    listed = _list_targets(work, start, place, length, listed)
                    if counters[1] >= MOST_TRIED:
                        return False
            place = next_place[place]
    return True


@compiled
def _end(start: int, length: int, target: int, n: int) -> int:
    """Where a block that moves back will end: a target inside it is one as far behind it."""
    return target if target > start + length else min(target + length, n)


@compiled
def _best_shift(
    work: EditBuffers, n: int, m: int, costs: Costs, cost: int, left: int, banded: bool
) -> tuple[int, int, int]:
    """The shift that gains most, as length, start and target; length 0 for none.

    Of equal gains the longest block wins, then the earliest, then the earliest target. A shift has
    to gain something, and no less than it costs.

    Args:
        work: The table, and the shifts to try.
        n: How many words the output has.
        m: How many words the reference has.
        costs: Of the operations.
        cost: Of the output as it is, without the shifts already made.
        left: How much can be gained at all.
        banded: Whether the band matters, so that the bounds do not hold.
    """
    rows, step, moved, low, high = work.rows, work.step, work.moved, work.low, work.high
    starts, targets, shift_next = work.shift_start, work.shift_target, work.shift_next
    lost = costs.deletion
    best, best_length, best_start, best_target = max(1, costs.shift) - 1, 0, -1, -1
    for length in range(LONGEST_BLOCK, 0, -1):
        if not banded and min(left, length * (costs.insertion + lost)) <= best:
            break
        start, hopeless, forth, back = -1, False, 0, 0
        shift = work.first_shift[length]
        while shift >= 0:
            target = targets[shift]
            if starts[shift] != start:
                start = starts[shift]
                forth, back = start, start
                if not banded:
                    rear = work.backward + start + length
                    rest = joined(rows, start, rear, low[start], high[start])
                    hopeless = cost - rest + length * costs.insertion <= best
            shift = shift_next[shift]
            if hopeless or target == start:
                continue
            if target < start:
                while back > target:
                    old = work.behind + back
                    if back == start:
                        old = work.backward + start + length
                    back -= 1
                    new, row = work.behind + back, back + length
                    retreat(rows, old, new, step, moved[back], low[row], high[row], m, lost)
                row, front, rear = target, target, work.behind + target
            else:
                row = _end(start, length, target, n) - length
                while forth < row:
                    old = forth if forth == start else work.before + forth
                    word = moved[forth + length]
                    forth += 1
                    new = work.before + forth
                    advance(rows, old, new, step, word, low[forth], high[forth], m, lost)
                front = row if row == start else work.before + row
                rear = work.backward + row + length
            for i in range(length):
                row += 1
                new = work.block + i
                advance(rows, front, new, step, moved[start + i], low[row], high[row], m, lost)
                front = new
            gain = cost - joined(rows, front, rear, low[row], high[row])
            tied = gain == best and length == best_length and start == best_start
            if gain > best or (tied and target < best_target):
                best, best_length, best_start, best_target = gain, length, start, target
    return best_length, best_start, best_target


@compiled
def _turn(words: Numbers, begin: int, end: int) -> None:
    """Reverse the order of some words."""
    for i in range((end - begin) // 2):
        words[begin + i], words[end - 1 - i] = words[end - 1 - i], words[begin + i]


@compiled
def _move(words: Numbers, n: int, length: int, start: int, target: int) -> tuple[int, int]:
    """Shift a block, and say between which places words have changed."""
    begin, middle, end = target, start, start + length
    if target >= start:
        begin, middle, end = start, start + length, _end(start, length, target, n)
    middle = begin + end - middle
    _turn(words, begin, end)  # three turns make a rotation
    _turn(words, begin, middle)
    _turn(words, middle, end)
    return begin, end


@compiled
def _edits(
    work: EditBuffers, n: int, m: int, classes: int, shared: int, costs: Costs
) -> tuple[int, int, int, int, int]:
    """Edit an output into a reference: cost, insertions, deletions, substitutions, shifts."""
    if m == 0:
        return n * costs.deletion, 0, n, 0, 0
    swapped = min(n, m) - shared
    floor = swapped * min(costs.substitution, costs.insertion + costs.deletion)
    floor += max(n - m, 0) * costs.deletion + max(m - n, 0) * costs.insertion
    cost, banded = start_table(work, n, m, classes, costs)
    work.counters[1] = 0
    shifts, end = 0, n
    while True:
        insertions, deletions, substitutions = _trace(work, n, m, costs)
        if cost - floor < max(1, costs.shift) or not _list_shifts(work, n, m):
            break
        backward(work, m, costs, end)
        length, start, target = _best_shift(work, n, m, costs, cost, cost - floor, banded)
        if length == 0:
            break
        shifts += 1
        begin, end = _move(work.moved, n, length, start, target)
        cost = forward(work, n, m, costs, begin)
    return cost + shifts * costs.shift, insertions, deletions, substitutions, shifts


@compiled
def _keep(best: Numbers, found: tuple[int, int, int, int, int]) -> None:
    """Put what was found in the place of what was best, if it is better."""
    cost, insertions, deletions, substitutions, shifts = found
    order = (cost, shifts, substitutions, deletions)
    if best[0] < 0 or order < (best[0], best[4], best[3], best[2]):
        best[0], best[1], best[2] = cost, insertions, deletions
        best[3], best[4] = substitutions, shifts


@compiled
def edit_segments(
    ids: NDArray[np.int32],
    bounds: Numbers,
    outputs: Numbers,
    references: Numbers,
    first: Numbers,
    settings: Numbers,
    class_of: Numbers,
    work: EditBuffers,
) -> Numbers:
    """Edit every output into the reference that costs least, under each setting of costs.

    Of references that cost the same, the one with fewer shifts counts, then with fewer
    substitutions, then deletions.

    Args:
        ids: The numbers of all tokens.
        bounds: Where each string's tokens begin in `ids`, with the end of the last.
        outputs: The string of each output.
        references: The strings of all references.
        first: Where each output's references begin in `references`, with the end of the last.
        settings: A row of costs (insertion, deletion, substitution, shift) for each setting.
        class_of: A 0 for each different token.
        work: Room for the longest output and the longest reference.

    Returns:
        For each setting and output: cost, insertions, deletions, substitutions, shifts.
    """
    edited = np.full((len(settings), outputs.size, 5), -1, np.int64)
    for s in range(outputs.size):
        output = ids[bounds[outputs[s]] : bounds[outputs[s] + 1]]
        for r in range(first[s], first[s + 1]):
            reference = ids[bounds[references[r]] : bounds[references[r] + 1]]
            n, m = output.size, reference.size
            classes, shared = classify(work, output, reference, class_of)
            for k in range(len(settings)):
                costs = Costs(settings[k, 0], settings[k, 1], settings[k, 2], settings[k, 3])
                _keep(edited[k, s], _edits(work, n, m, classes, shared, costs))
    return edited


# Translation edit rate (Snover et al. 2006), with costs that can be set and operations counted.

Reals = NDArray[np.float64]
Counts = NDArray[np.int64]

HIGHEST_COST = 100
_MOST_CELLS = 250_000_000
"""Of the tables that are searched: two gigabytes."""
_PARTS = 1000
"""Costs are counted in whole thousandths, so that equal costs are equal and ties fall alike."""


@dataclass(frozen=True, slots=True)
class EditCosts:
    """What each edit operation costs: thousandths from 0 to 100.

    A substitution has to cost something, and so has an insertion or a deletion: any output could be
    edited into any reference for nothing otherwise. The others may be free.
    """

    insertion: float = 1.0
    """Of a reference word that the output lacks."""
    deletion: float = 1.0
    """Of an output word too many."""
    substitution: float = 1.0
    shift: float = 1.0
    """Of a block of words, whatever its length and way."""

    def __post_init__(self) -> None:
        for cost in (self.insertion, self.deletion, self.substitution, self.shift):
            if not 0 <= cost <= HIGHEST_COST or abs(cost * _PARTS - round(cost * _PARTS)) > 1e-6:
                raise SettingError(
                    "no-cost-edit",
                    f"{cost!r} is no cost of an edit",
                    hint=f"a number from 0 to {HIGHEST_COST} with no more than three decimals",
                )
        if self.substitution == 0 or self.insertion == self.deletion == 0:
            raise SettingError(
                "under-every-output-good",
                f"under {self!r} every output is as good as its reference",
                hint="let substitutions cost something, and insertions or deletions too",
            )

    def thousandths(self) -> tuple[int, int, int, int]:
        """Insertion, deletion, substitution and shift in whole numbers."""
        costs = (self.insertion, self.deletion, self.substitution, self.shift)
        whole = [round(cost * _PARTS) for cost in costs]
        return whole[0], whole[1], whole[2], whole[3]


UNIFORM = EditCosts()

COST_SETTINGS: dict[str, EditCosts] = {
    # TER itself
    "uniform": UNIFORM,
    # what the output has and should not have: leaving out is close to free
    "light-insertion": EditCosts(insertion=0.1),
    # the same in any order, so far as the words are there
    "light-insertion-shift": EditCosts(insertion=0.1, shift=0.1),
    # the same where another word may well be a synonym
    "light-insertion-substitution": EditCosts(insertion=0.1, substitution=0.5),
    # what the reference has and the output lacks: saying more is close to free
    "light-deletion": EditCosts(deletion=0.1, shift=0.5),
    # saying more is worse than leaving out
    "heavy-deletion": EditCosts(deletion=2.0),
    # another word may well be a synonym
    "light-substitution": EditCosts(substitution=0.5),
    # choice and order of words count little, length much
    "light-substitution-shift": EditCosts(substitution=0.5, shift=0.1),
    # another word is one too many and one too few: what the two share, in its order
    "heavy-substitution": EditCosts(substitution=2.0),
    # order counts: a block moves only where that spares two edits
    "heavy-shift": EditCosts(shift=2.0),
}
"""The ten cost settings of the TradMT features, by name.

An output of t words has t - r deletions more than insertions for a reference of r words, whatever
the edits, so that the search only sees what an insertion and a deletion cost together: each setting
has proportions of that sum, substitution and shift of its own, and finds edits of its own. A cheap
shift with all else at 1 is not among them: it finds the edits of TER, where every shift that gains
anything gains 1.
"""


@dataclass(frozen=True, slots=True, eq=False)
class EditStatistics:
    """What TER is made from, under one setting of costs; a row is an output.

    Of several references the one that costs least to reach is counted (then the one with fewest
    shifts, substitutions, deletions).
    """

    insertions: Counts
    """Reference words that the output lacks."""
    deletions: Counts
    """Output words too many."""
    substitutions: Counts
    shifts: Counts
    cost: Reals
    """Of all edits; their number where each costs 1."""
    reference_length: Reals
    """The mean over the output's references."""

    def ter(self) -> Reals:
        """Cost over reference length; where references are empty 1 for a cost, else 0."""
        empty = np.where(self.cost > 0, 1.0, 0.0)
        return np.divide(
            self.cost, self.reference_length, out=empty, where=self.reference_length > 0
        )

    def counts(self) -> Counts:
        """Insertions, deletions, substitutions and shifts, a column each."""
        columns = (self.insertions, self.deletions, self.substitutions, self.shifts)
        return np.stack(columns, axis=1)

    def summed(self) -> EditStatistics:
        """The statistics of all outputs as one corpus, in a single row."""
        return EditStatistics(
            self.insertions.sum(keepdims=True),
            self.deletions.sum(keepdims=True),
            self.substitutions.sum(keepdims=True),
            self.shifts.sum(keepdims=True),
            self.cost.sum(keepdims=True),
            self.reference_length.sum(keepdims=True),
        )


def edit_statistics(
    segments: SegmentTokens, settings: Sequence[EditCosts] = (UNIFORM,)
) -> tuple[EditStatistics, ...]:
    """Edit each output into its references, under one setting of costs or several.

    Time and memory grow with the product of the lengths of an output and its reference.

    Returns:
        Statistics for each setting, in their order.

    Raises:
        DataError: the longest output and the longest reference are too long for that.
    """
    costs = [each.thousandths() for each in settings]
    parts = [gcd(*each) for each in costs]
    tokens = segments.tokens
    edited = edit_segments(
        tokens.ids,
        tokens.offsets,
        segments.outputs,
        segments.references,
        segments.first,
        np.array(costs, np.int64).reshape(-1, 4) // np.array(parts, np.int64)[:, None],
        np.zeros(max(tokens.n_distinct, 1), np.int64),
        _room(segments),
    )
    length = segments.mean_reference_length()
    return tuple(
        EditStatistics(
            insertions=found[:, 1],
            deletions=found[:, 2],
            substitutions=found[:, 3],
            shifts=found[:, 4],
            cost=found[:, 0] * part / _PARTS,
            reference_length=length,
        )
        for found, part in zip(edited, parts, strict=True)
    )


def _room(segments: SegmentTokens) -> EditBuffers:
    n = int(segments.output_length.max(initial=0))
    m = int(segments.reference_lengths.max(initial=0))
    if (4 * n + m) * m > _MOST_CELLS:
        raise DataError(
            "outputs-words-references-too",
            f"outputs of up to {n:,} words and references of up to {m:,} are too long for TER",
            hint="a line is a segment, of a sentence or a few: cut longer texts into segments",
        )
    return room(n, m)
