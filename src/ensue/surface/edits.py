"""Translation edit rate (Snover et al. 2006), with costs that can be set and operations counted.

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

from ensue.errors import DataError, SettingError
from ensue.surface.kernels.edit import edit_segments
from ensue.surface.kernels.edit_table import Work, room
from ensue.surface.segments import SegmentTokens

Numbers = NDArray[np.float64]
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
                    f"{cost!r} is no cost of an edit",
                    hint=f"a number from 0 to {HIGHEST_COST} with no more than three decimals",
                )
        if self.substitution == 0 or self.insertion == self.deletion == 0:
            raise SettingError(
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
    cost: Numbers
    """Of all edits; their number where each costs 1."""
    reference_length: Numbers
    """The mean over the output's references."""

    def ter(self) -> Numbers:
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


def _room(segments: SegmentTokens) -> Work:
    n = int(segments.output_length.max(initial=0))
    m = int(segments.reference_lengths.max(initial=0))
    if (4 * n + m) * m > _MOST_CELLS:
        raise DataError(
            f"outputs of up to {n:,} words and references of up to {m:,} are too long for TER",
            hint="a line is a segment, of a sentence or a few: cut longer texts into segments",
        )
    return room(n, m)
