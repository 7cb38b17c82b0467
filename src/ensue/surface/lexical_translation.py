"""Probabilities that a word of one text stands for a word of another: IBM's models 1 and 2.

Brown, Della Pietra, Della Pietra and Mercer (1993, "The mathematics of statistical machine
translation", sections 4.1 to 4.5): each word of the target comes from one word of the source or
from none, and t(target word | source word) is learned by expectation maximization. Model 1 takes
every place of the source for equally likely, model 2 learns which, by the lengths of both.

The texts may be of one language: then a word mostly stands for itself, and next for what is said in
its place. The empty source word has the number 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.errors import DataError
from ensue.surface.interning import FREE, fill_table, key_slot, pair_key
from ensue.surface.tokenizers import Tokenizer, tokenize_sides

Numbers = NDArray[np.int32]
Offsets = NDArray[np.int64]
Reals = NDArray[np.float64]

NULL = 0
"""The number of the empty word, from which comes what no word of the source stands for."""


class Bitext(NamedTuple):
    """Pairs of texts as numbers of words, and the cell of each two words that are in one pair."""

    sources: Numbers
    """The words of all sources, each source with the empty word before it."""
    source_starts: Offsets
    targets: Numbers
    target_starts: Offsets
    cells: Numbers
    """For each pair, each target word and each source word the number of these two."""
    cell_starts: Offsets
    shapes: Offsets
    """For each pair where the places of texts of these lengths begin in an alignment's table."""


@compiled(over=("sources", "targets"))
def number_cells(
    sources: Numbers,
    source_starts: Offsets,
    targets: Numbers,
    target_starts: Offsets,
    cell_starts: Offsets,
    cells: Numbers,
    table: NDArray[np.uint64],
    numbers: Numbers,
    keys: NDArray[np.uint64],
    next_pair: int,
    n_cells: int,
) -> tuple[int, int]:
    """Give each two words that are in one pair a number, until the table is half full.

    Returns:
        The next pair, and how many numbers are given.
    """
    mask, room = table.size - 1, table.size // 2
    for pair in range(next_pair, source_starts.size - 1):
        at = cell_starts[pair]
        if n_cells + cell_starts[pair + 1] - at > room:
            return pair, n_cells
        for j in range(target_starts[pair], target_starts[pair + 1]):
            for i in range(source_starts[pair], source_starts[pair + 1]):
                key = pair_key(sources[i], targets[j])
                slot = key_slot(table, key, mask)
                if table[slot] == FREE:
                    table[slot], numbers[slot], keys[n_cells] = key, n_cells, key
                    n_cells += 1
                cells[at] = numbers[slot]
                at += 1
    return source_starts.size - 1, n_cells


@compiled(over=("cells",))
def expected_counts(
    source_starts: Offsets,
    target_starts: Offsets,
    cells: Numbers,
    cell_starts: Offsets,
    shapes: Offsets,
    lexical: Reals,
    places: Reals,
    lexical_counts: Reals,
    place_counts: Reals,
) -> float:
    """Count how often each word is expected to stand for each, and each place for each.

    Args:
        source_starts: Of a bitext, as the next four.
        target_starts: …
        cells: …
        cell_starts: …
        shapes: …
        lexical: t(target word | source word) of each cell.
        places: a(source place | target place) of texts of each two lengths.
        lexical_counts: To which the counts of cells are added.
        place_counts: To which those of places are; empty where they are not learned.

    Returns:
        The logarithm of the likelihood of all targets given their sources.
    """
    total_log = 0.0
    shares = np.empty(cells.size and np.max(source_starts[1:] - source_starts[:-1]))
    learns_places = place_counts.size > 0
    for pair in range(source_starts.size - 1):
        n = source_starts[pair + 1] - source_starts[pair]
        at, place = cell_starts[pair], shapes[pair]
        for _ in range(target_starts[pair + 1] - target_starts[pair]):
            total = 0.0
            for i in range(n):
                shares[i] = places[place + i] * lexical[cells[at + i]]
                total += shares[i]
            total_log += np.log(total)
            for i in range(n):
                lexical_counts[cells[at + i]] += shares[i] / total
            if learns_places:
                for i in range(n):
                    place_counts[place + i] += shares[i] / total
            at, place = at + n, place + n
    return total_log


@compiled
def normalize_groups(counts: Reals, groups: Numbers, totals: Reals) -> None:
    """Divide counts by the sum of their group."""
    totals[:] = 0.0
    for k in range(counts.size):
        totals[groups[k]] += counts[k]
    for k in range(counts.size):
        if totals[groups[k]] > 0:
            counts[k] /= totals[groups[k]]


@dataclass(frozen=True, eq=False)
class TranslationTable:
    """t(target word | source word) for words that were seen in one pair; rows by source word."""

    words: tuple[str, ...]
    """Sorted; the empty string is the empty word."""
    starts: Offsets
    """Where the row of each source word begins, with the end of the last."""
    targets: Numbers
    """Numbers of target words, ascending in each row."""
    probabilities: Reals

    def __len__(self) -> int:
        return len(self.probabilities)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    def of(self, source: str) -> dict[str, float]:
        """What a word stands for, the most probable first."""
        number = self.numbers.get(source, -1)
        if number < 0:
            return {}
        row = slice(self.starts[number], self.starts[number + 1])
        found = zip(self.targets[row].tolist(), self.probabilities[row].tolist(), strict=True)
        ordered = sorted(found, key=lambda each: (-each[1], self.words[each[0]]))
        return {self.words[target]: probability for target, probability in ordered}

    def pruned(self, least: float, most: int) -> TranslationTable:
        """The most probable targets of each source word; what is left no longer sums to 1.

        Args:
            least: The least probability that is kept.
            most: How many are kept of each word.
        """
        rows = np.repeat(np.arange(len(self.words)), np.diff(self.starts))
        order = np.lexsort((self.targets, -self.probabilities, rows))
        rank = np.arange(len(order)) - self.starts[rows[order]]
        kept = np.sort(order[(rank < most) & (self.probabilities[order] >= least)])
        used = np.zeros(len(self.words), np.bool_)
        used[rows[kept]] = used[self.targets[kept]] = True
        used[:1] = True
        place = np.cumsum(used) - 1
        counts = np.bincount(place[rows[kept]], minlength=int(used.sum()))
        return TranslationTable(
            tuple(word for word, is_used in zip(self.words, used.tolist(), strict=True) if is_used),
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            place[self.targets[kept]].astype(np.int32),
            self.probabilities[kept],
        )


@dataclass(frozen=True, slots=True, eq=False)
class TranslationModel:
    """What was learned, and how likely the texts became on the way."""

    table: TranslationTable
    log_likelihoods: tuple[float, ...]
    """Of the targets before each step, and after the last."""


def train_translation(
    sources: Sequence[str],
    targets: Sequence[str],
    tokenizer: Tokenizer,
    *,
    steps: int = 5,
    place_steps: int = 0,
    longest: int = 100,
) -> TranslationModel:
    """Learn which words of the sources stand for which of the targets.

    Args:
        sources: Texts.
        targets: For each of them one that says the same, or follows from it.
        tokenizer: Cuts both, in lower case.
        steps: Of expectation maximization by model 1.
        place_steps: After them, by model 2.
        longest: Pairs with a side of more words are left out, as is usual.

    Raises:
        DataError: there is no pair with words on both sides, or sides are of different number.
    """
    if len(sources) != len(targets):
        raise DataError(
            "sides-different-number",
            f"{len(sources)} sources do not fit {len(targets)} targets",
            hint="give one target for each source",
        )
    tokens, of_source, of_target = tokenize_sides(sources, targets, tokenizer)
    n_source, n_target = np.diff(of_source), np.diff(of_target)
    kept = np.flatnonzero(
        (np.minimum(n_source, n_target) > 0) & (np.maximum(n_source, n_target) <= longest)
    )
    if not kept.size:
        raise DataError(
            "none-pairs-words-translations-no",
            "none of the pairs has words on both sides, so no translations can be learned",
            hint=f"sides of more than {longest} words are left out",
        )
    ids = tokens.ids + 1  # 0 is the empty word
    bitext, keys = numbered_bitext(
        _gathered(ids, of_source[:-1][kept], n_source[kept], before=1),
        _gathered(ids, of_target[:-1][kept], n_target[kept], before=0),
    )
    lexical, log_likelihoods = _learned(bitext, keys, tokens.n_distinct + 1, steps, place_steps)
    return TranslationModel(_table(["", *tokens.vocabulary()], keys, lexical), log_likelihoods)


def _gathered(
    ids: Numbers, starts: Offsets, sizes: Offsets, *, before: int
) -> tuple[Numbers, Offsets]:
    """The words of some texts one after the other, each with empty words before it."""
    ends = np.cumsum(sizes + before)
    offsets = np.concatenate([[0], ends]).astype(np.int64)
    text = np.repeat(np.arange(len(sizes)), sizes + before)
    place = np.arange(int(offsets[-1])) - offsets[text] - before
    words = np.where(place < 0, NULL, ids[np.maximum(starts[text] + place, 0)])
    return words.astype(np.int32), offsets


def numbered_bitext(
    sources: tuple[Numbers, Offsets], targets: tuple[Numbers, Offsets]
) -> tuple[Bitext, NDArray[np.uint64]]:
    """The cells of pairs of texts, and the two words of each cell as a key.

    Args:
        sources: The words of all sources and where each source begins.
        targets: The same of the targets.
    """
    sizes = np.diff(sources[1]) * np.diff(targets[1])
    cell_starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    cells = np.empty(int(cell_starts[-1]), np.int32)
    capacity = 1 << max(16, int(2 * sizes.max()).bit_length())
    pair, n_cells = 0, 0
    keys = np.zeros(0, np.uint64)
    while pair < len(sizes):
        table, numbers = np.full(capacity, FREE), np.empty(capacity, np.int32)
        fill_table(keys, table, numbers)
        keys = np.concatenate([keys, np.zeros(capacity // 2 - len(keys), np.uint64)])
        pair, n_cells = number_cells(
            *sources, *targets, cell_starts, cells, table, numbers, keys, pair, n_cells
        )
        keys, capacity = keys[:n_cells], 4 * capacity
    # cells of one target word together: those that are looked up one after the other are near
    target_of = (keys & np.uint64(0xFFFFFFFF)) << np.uint64(32)
    order = np.argsort(target_of | (keys >> np.uint64(32)))
    place = np.empty(len(keys), np.int32)
    place[order] = np.arange(len(keys), dtype=np.int32)
    cells, keys = place[cells], keys[order]
    _, shape_of, shapes = _shapes(np.diff(sources[1]), np.diff(targets[1]))
    return Bitext(*sources, *targets, cells, cell_starts, shapes[shape_of]), keys


def _shapes(n_sources: Offsets, n_targets: Offsets) -> tuple[Offsets, Offsets, Offsets]:
    """The distinct pairs of lengths, which each pair has, and where their places begin."""
    lengths = np.stack([n_sources, n_targets], axis=1)
    distinct, shape_of = np.unique(lengths, axis=0, return_inverse=True)
    starts = np.concatenate([[0], np.cumsum(distinct.prod(axis=1))]).astype(np.int64)
    return distinct, shape_of.reshape(-1), starts


def _learned(
    bitext: Bitext, keys: NDArray[np.uint64], n_words: int, steps: int, place_steps: int
) -> tuple[Reals, tuple[float, ...]]:
    """The probability of each cell, and the log likelihood before each step and after the last."""
    source_of = (keys >> np.uint64(32)).astype(np.int32)
    n_source, n_target = np.diff(bitext.source_starts), np.diff(bitext.target_starts)
    distinct, *_ = _shapes(n_source, n_target)
    widths = np.repeat(distinct[:, 0], distinct[:, 1])
    places = np.repeat(1 / widths, widths)
    row_of = np.repeat(np.arange(len(widths)), widths).astype(np.int32)
    n_target_words = np.count_nonzero(np.bincount(bitext.targets))
    lexical = np.full(len(keys), 1 / n_target_words)
    totals, row_totals = np.empty(n_words), np.empty(len(widths))
    found = []
    for step in range(steps + place_steps + 1):
        counts = np.zeros(len(lexical))
        place_counts = np.zeros(len(places) if steps <= step < steps + place_steps else 0)
        found.append(
            expected_counts(
                bitext.source_starts,
                bitext.target_starts,
                bitext.cells,
                bitext.cell_starts,
                bitext.shapes,
                lexical,
                places,
                counts,
                place_counts,
            )
        )
        if step == steps + place_steps:
            break
        normalize_groups(counts, source_of, totals)
        lexical = counts
        if step >= steps:
            normalize_groups(place_counts, row_of, row_totals)
            places = place_counts
    return lexical, tuple(found)


def _table(
    words: Sequence[str], keys: NDArray[np.uint64], probabilities: Reals
) -> TranslationTable:
    """The cells as rows by source word, the words sorted."""
    order = sorted(range(len(words)), key=words.__getitem__)
    place = np.empty(len(words), np.int64)
    place[order] = np.arange(len(words))
    sources = place[(keys >> np.uint64(32)).astype(np.int64)]
    targets = place[(keys & np.uint64(0xFFFFFFFF)).astype(np.int64)]
    by_row = np.argsort(sources * len(words) + targets)
    counts = np.bincount(sources, minlength=len(words))
    return TranslationTable(
        tuple(words[number] for number in order),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        targets[by_row].astype(np.int32),
        probabilities[by_row],
    )


# What the words of a target most probably stand for.


class Translations(NamedTuple):
    """For each word of some targets the source word that it most probably comes from."""

    probabilities: Reals
    """0 where no word of the source stands for it."""
    origins: Offsets
    """The place of that word among the words of its source; -1 for none."""
    starts: Offsets
    """Where each target's words begin, with the end of the last."""
    source_lengths: Offsets


@compiled(over=("sources", "targets"))
def best_origins(
    sources: Numbers,
    source_starts: Offsets,
    targets: Numbers,
    target_starts: Offsets,
    known: Numbers,
    table: tuple[Offsets, Numbers, Reals],
    own: float,
    probabilities: Reals,
    origins: Offsets,
) -> None:
    """The most probable origin of each target word, of several the first.

    Args:
        sources: The words of all sources.
        source_starts: Where each source begins.
        targets: The words of all targets.
        target_starts: Where each target begins.
        known: The number of each word in the table, -1 for words that it does not have.
        table: Starts of rows, targets and probabilities.
        own: How much it counts that a word is the same; all, where the table does not have it.
        probabilities: Where the probability of each target word goes.
        origins: Where the place of its origin goes.
    """
    starts, row_targets, row_probabilities = table
    for pair in range(source_starts.size - 1):
        for j in range(target_starts[pair], target_starts[pair + 1]):
            best, origin, wanted = 0.0, -1, known[targets[j]]
            for i in range(source_starts[pair], source_starts[pair + 1]):
                row, same = known[sources[i]], sources[i] == targets[j]
                value = 1.0 if same else 0.0
                if row >= 0:
                    value *= own
                    if wanted >= 0:
                        low, high = starts[row], starts[row + 1]
                        while low < high:
                            middle = (low + high) // 2
                            if row_targets[middle] < wanted:
                                low = middle + 1
                            else:
                                high = middle
                        if low < starts[row + 1] and row_targets[low] == wanted:
                            value += (1.0 - own) * row_probabilities[low]
                if value > best:
                    best, origin = value, i - source_starts[pair]
            probabilities[j], origins[j] = best, origin


def translations(
    sources: Sequence[str],
    targets: Sequence[str],
    table: TranslationTable,
    tokenizer: Tokenizer,
    *,
    own: float,
) -> Translations:
    """Which word of its source each word of a target most probably stands for.

    Args:
        sources: Texts.
        targets: One for each of them.
        table: What stands for what.
        tokenizer: Cuts both, in lower case.
        own: How much it counts that a word is the same, from 0 to 1; the table counts the rest.
    """
    tokens, of_target, of_source = tokenize_sides(targets, sources, tokenizer)
    numbers = table.numbers
    known = np.array([numbers.get(word, -1) for word in tokens.vocabulary()], np.int32)
    n_words = int(of_target[-1])
    found = Translations(
        np.empty(n_words), np.empty(n_words, np.int64), of_target.copy(), np.diff(of_source)
    )
    if n_words:
        best_origins(
            tokens.ids,
            of_source.astype(np.int64),
            tokens.ids,
            of_target.astype(np.int64),
            known,
            (table.starts, table.targets, table.probabilities),
            own,
            found.probabilities,
            found.origins,
        )
    return found
