"""Compiled kernels of the lexicon: words found by their bytes, walks up the hierarchy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]
Numbers = NDArray[np.int32]


class Steps(NamedTuple):
    """Where one step leads from each synset."""

    offsets: Offsets
    """Where each synset's targets begin, with the end of the last."""
    targets: Numbers


class Reach(NamedTuple):
    """All that each synset reaches in any number of steps, itself included."""

    offsets: Offsets
    """Where each synset's row begins, with the end of the last."""
    synsets: Numbers
    """What it reaches, increasing in each row."""
    steps: Bytes
    """The fewest steps to it."""


class WordPairs(NamedTuple):
    """Pairs of words, and what each word has: its synsets, or its lemmas."""

    first: Offsets
    """The number of the first word of each pair."""
    second: Offsets
    """The number of the second."""
    offsets: Offsets
    """Where each word's own begin, with the end of the last."""
    ids: Numbers
    """What the words have, word after word."""


@compiled(over=("asked_offsets",))
def find_words(text: Bytes, offsets: Offsets, asked: Bytes, asked_offsets: Offsets) -> Numbers:
    """Which of the sorted words of a text each word asked for is; -1 for none.

    Args:
        text: All words, one behind the other, increasing.
        offsets: Where each begins, with the end of the last.
        asked: The words asked for, one behind the other.
        asked_offsets: Where each of these begins, with the end of the last.
    """
    found = np.full(asked_offsets.size - 1, -1, np.int32)
    for i in range(found.size):
        word = asked[asked_offsets[i] : asked_offsets[i + 1]]
        low, high = 0, offsets.size - 1
        while low < high:
            middle = (low + high) // 2
            order = compare(text, offsets[middle], offsets[middle + 1], word)
            if order == 0:
                found[i] = middle
                break
            if order < 0:
                low = middle + 1
            else:
                high = middle
    return found


@compiled
def compare(text: Bytes, start: int, end: int, word: Bytes) -> int:
    """Below 0 where the part of the text comes before the word, 0 where it is the word."""
    for k in range(min(end - start, word.size)):
        if text[start + k] != word[k]:
            return -1 if text[start + k] < word[k] else 1
    return int(end - start) - word.size


@compiled(over=("words",))
def entries_as(part: int, words: Numbers, offsets: Offsets, parts: Bytes) -> Numbers:
    """The entry of each word as a part of speech; -1 where it has none, or is no word.

    Args:
        part: The number of the part of speech.
        words: The numbers of words; -1 for none.
        offsets: Where each word's entries begin, with the end of the last.
        parts: The part of speech of each entry.
    """
    found = np.full(words.size, -1, np.int32)
    for i in range(words.size):
        if words[i] >= 0:
            for entry in range(offsets[words[i]], offsets[words[i] + 1]):
                if parts[entry] == part:
                    found[i] = entry
    return found


def climb(one: Steps, furthest: Bytes) -> Reach:
    """Go as many steps from each synset as it may; 255 is any number.

    Level by level for all synsets at once: no kernel, since it is done once for the whole table
    and would be all that a single pair waits for.
    """
    n = one.offsets.size - 1
    sizes = np.diff(one.offsets)
    levels: list[Offsets] = [
        np.arange(n) * (n + 1)
    ]  # of what is reached in so many steps, start * n + synset
    for step in range(1, _FURTHEST + 1):
        starts, synsets = np.divmod(levels[-1], n)
        goes = (sizes[synsets] > 0) & (furthest[starts] >= step)
        starts, synsets = starts[goes], synsets[goes]
        there = one.targets[_spans(one.offsets[synsets], sizes[synsets])].astype(np.int64)
        found: Offsets = np.repeat(starts * n, sizes[synsets]) + there
        found.sort()  # much in order already: half the time of the hashes of np.unique
        found = found[_are_first(found)]
        for before in levels[-2:]:  # not back and forth: verbs have circles of two
            found = found[~_are_in(before, found)]
        if not found.size:
            break
        levels.append(found)
    return _reach(n, levels)


_FURTHEST = 255


def _spans(starts: Offsets, sizes: Offsets) -> Offsets:
    """The numbers from each start on, as many as its size says."""
    before = np.cumsum(sizes) - sizes
    return np.repeat(starts - before, sizes) + np.arange(sizes.sum())


def _are_in(known: Offsets, keys: Offsets) -> NDArray[np.bool_]:
    """Which keys are among the known ones; both increase."""
    found: NDArray[np.bool_] = (
        known[np.minimum(np.searchsorted(known, keys), known.size - 1)] == keys
    )
    return found


def _are_first(keys: Offsets) -> NDArray[np.bool_]:
    """Which of increasing keys differ from the one before."""
    first = np.ones(keys.size, np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return first


def _reach(n: int, levels: list[Offsets]) -> Reach:
    """Rows of all levels; of a synset that is on several of them the first counts."""
    keys = np.concatenate([found << 8 | step for step, found in enumerate(levels)])
    keys.sort()
    steps = keys.astype(np.uint8)
    keys >>= 8
    is_first = _are_first(keys)
    keys, steps = keys[is_first], steps[is_first]
    rows = np.searchsorted(keys, np.arange(n + 1) * n).astype(np.int64)
    return Reach(rows, (keys % max(n, 1)).astype(np.int32), steps)


@compiled
def steps_to(reach: Reach, synset: int, other: int) -> int:
    """The fewest steps from one synset to another; -1 where it does not reach it."""
    low, high = reach.offsets[synset], reach.offsets[synset + 1]
    while low < high:
        middle = (low + high) // 2
        if reach.synsets[middle] < other:
            low = middle + 1
        else:
            high = middle
    if low < reach.offsets[synset + 1] and reach.synsets[low] == other:
        return int(reach.steps[low])
    return -1


@compiled(over=("pairs",))
def fewest_steps(pairs: WordPairs, reach: Reach) -> Numbers:
    """For each pair of words, the fewest steps from a synset of the first to one of the second.

    -1 where there is no way.
    """
    found = np.full(pairs.first.size, -1, np.int32)
    for k in range(found.size):
        a, b = pairs.first[k], pairs.second[k]
        for i in range(pairs.offsets[a], pairs.offsets[a + 1]):
            for j in range(pairs.offsets[b], pairs.offsets[b + 1]):
                away = steps_to(reach, pairs.ids[i], pairs.ids[j])
                if away >= 0 and (found[k] < 0 or away < found[k]):
                    found[k] = away
    return found


@compiled
def any_shared(pairs: WordPairs) -> NDArray[np.bool_]:
    """Whether the two words of each pair have something in common."""
    found = np.zeros(pairs.first.size, np.bool_)
    for k in range(found.size):
        a, b = pairs.first[k], pairs.second[k]
        for i in range(pairs.offsets[a], pairs.offsets[a + 1]):
            for j in range(pairs.offsets[b], pairs.offsets[b + 1]):
                if pairs.ids[i] == pairs.ids[j]:
                    found[k] = True
    return found


@compiled(over=("pairs",))
def any_step(pairs: WordPairs, steps: Steps) -> NDArray[np.bool_]:
    """Whether one step leads from something of the first word of each pair to the second's."""
    found = np.zeros(pairs.first.size, np.bool_)
    for k in range(found.size):
        b = pairs.second[k]
        for i in range(pairs.offsets[pairs.first[k]], pairs.offsets[pairs.first[k] + 1]):
            for step in range(steps.offsets[pairs.ids[i]], steps.offsets[pairs.ids[i] + 1]):
                for j in range(pairs.offsets[b], pairs.offsets[b + 1]):
                    if steps.targets[step] == pairs.ids[j]:
                        found[k] = True
    return found


def longest_ways(one: Steps) -> Numbers:
    """The most steps from each synset to one that leads nowhere; there must be no circle."""
    depths = np.zeros(one.offsets.size - 1, np.int32)
    sources = np.repeat(np.arange(depths.size), np.diff(one.offsets))
    while True:
        longer = np.zeros_like(depths)
        np.maximum.at(longer, sources, depths[one.targets] + 1)
        if np.array_equal(longer, depths):
            return depths
        depths = longer


def shortest_ways(one: Steps, reach: Reach) -> Numbers:
    """The fewest steps from each synset to one that leads nowhere."""
    is_end = np.diff(one.offsets) == 0
    steps = np.where(is_end[reach.synsets], reach.steps, _FURTHEST)
    return np.minimum.reduceat(steps, reach.offsets[:-1]).astype(np.int32)
