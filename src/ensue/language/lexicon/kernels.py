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


@compiled
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


@compiled
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


@compiled
def climb(one: Steps, furthest: Bytes) -> Reach:
    """Go as many steps from each synset as it may; 255 is any number."""
    n = one.offsets.size - 1
    rows = np.zeros(n + 1, np.int64)
    reached = np.empty(n * 8 + 1, np.int32)
    steps = np.empty(reached.size, np.uint8)
    seen = np.full(n, -1, np.int32)
    queue = np.empty(n, np.int32)
    away = np.empty(n, np.int32)
    for start in range(n):
        size = breadth_first(one, furthest[start], start, seen, queue, away)
        at = rows[start]
        if at + size > reached.size:
            reached = np.concatenate((reached, np.empty(reached.size + size, np.int32)))
            steps = np.concatenate((steps, np.empty(reached.size - steps.size, np.uint8)))
        sort_both(queue, away, size)
        for k in range(size):
            reached[at + k] = queue[k]
            steps[at + k] = min(away[k], 255)
        rows[start + 1] = at + size
    return Reach(rows, reached[: rows[n]].copy(), steps[: rows[n]].copy())


@compiled
def breadth_first(
    one: Steps, furthest: int, start: int, seen: Numbers, queue: Numbers, away: Numbers
) -> int:
    """Write what one synset reaches to `queue` and the steps to `away`; return how many they are.

    `seen` holds for each synset the last start from which it was reached.
    """
    queue[0], away[0], seen[start] = start, 0, start
    size, k = 1, 0
    while k < size:
        if furthest == 255 or away[k] < furthest:
            for i in range(one.offsets[queue[k]], one.offsets[queue[k] + 1]):
                target = one.targets[i]
                if seen[target] != start:
                    seen[target] = start
                    queue[size], away[size] = target, away[k] + 1
                    size += 1
        k += 1
    return size


@compiled
def sort_both(keys: Numbers, others: Numbers, size: int) -> None:
    """Sort the first keys in place, and the others with them; by insertion, for they are few."""
    for i in range(1, size):
        key, other, k = keys[i], others[i], i
        while k > 0 and keys[k - 1] > key:
            keys[k], others[k] = keys[k - 1], others[k - 1]
            k -= 1
        keys[k], others[k] = key, other


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


@compiled
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


@compiled
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


@compiled
def longest_ways(one: Steps) -> Numbers:
    """The most steps from each synset to one that leads nowhere; there must be no circle."""
    depths = np.zeros(one.offsets.size - 1, np.int32)
    moved = True
    while moved:
        moved = False
        for synset in range(depths.size):
            for i in range(one.offsets[synset], one.offsets[synset + 1]):
                if depths[one.targets[i]] >= depths[synset]:
                    depths[synset] = depths[one.targets[i]] + 1
                    moved = True
    return depths


@compiled
def shortest_ways(one: Steps, reach: Reach) -> Numbers:
    """The fewest steps from each synset to one that leads nowhere."""
    found = np.full(one.offsets.size - 1, 255, np.int32)
    for synset in range(found.size):
        for k in range(reach.offsets[synset], reach.offsets[synset + 1]):
            end = reach.synsets[k]
            if one.offsets[end] == one.offsets[end + 1]:
                found[synset] = min(found[synset], np.int32(reach.steps[k]))
    return found
