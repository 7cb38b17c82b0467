"""Compiled loops over the bytes of ids and over sorted numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled, inlined

# Compiled loops over the bytes of ids.

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int32]

_SPACE = 0x20
_BEYOND_ASCII = 0x80


@compiled
def has_loose_ends(starts: Offsets, content: Bytes) -> bool:
    """Whether a text is empty, or begins or ends with a blank or with what may be one."""
    for i in range(len(starts) - 1):
        if starts[i] == starts[i + 1]:
            return True
        first, last = content[starts[i]], content[starts[i + 1] - 1]
        if first <= _SPACE or last <= _SPACE or first >= _BEYOND_ASCII or last >= _BEYOND_ASCII:
            return True
    return False


@compiled
def are_increasing(starts: Offsets, content: Bytes) -> bool:
    """Whether each text is longer than the one before, or as long and behind it by its bytes."""
    for i in range(1, len(starts) - 1):
        before, start, size = starts[i - 1], starts[i], starts[i + 1] - starts[i]
        if size > start - before:
            continue
        if size < start - before:
            return False
        k = 0
        while k < size and content[before + k] == content[start + k]:
            k += 1
        if k == size or content[before + k] > content[start + k]:
            return False
    return True


@compiled
def text_hashes(starts: Offsets, content: Bytes) -> NDArray[np.uint64]:
    """A hash of each text: FNV-1a (Fowler, Noll & Vo), then mixed as MurmurHash3 ends."""
    hashes = np.empty(len(starts) - 1, np.uint64)
    for i in range(len(hashes)):
        found = np.uint64(0xCBF29CE484222325)
        for j in range(starts[i], starts[i + 1]):
            found = (found ^ np.uint64(content[j])) * np.uint64(0x100000001B3)
        found = (found ^ (found >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
        found = (found ^ (found >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
        hashes[i] = found ^ (found >> np.uint64(33))
    return hashes


# Compiled loops over sorted numbers.

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]
Groups = NDArray[np.int32]


@compiled
def by_group(values: Numbers, groups: Groups, counts: Counts) -> Numbers:
    """The values of the first group, then those of the second, and so on, each in their order."""
    ends = np.cumsum(counts)
    place = ends - counts
    found = np.empty_like(values)
    for i in range(len(values)):
        group = groups[i]
        found[place[group]] = values[i]
        place[group] += 1
    return found


@inlined
def _next_group(
    hits: Numbers,
    misses: Numbers,
    ties: Numbers,
    tied: Counts,
    i: int,
    j: int,
    k: int,
) -> tuple[float, int, int, int, int, int]:
    """The highest value that is left, how often it occurs in either, and the places after it."""
    value = -np.inf
    if i >= 0:
        value = max(value, hits[i])
    if j >= 0:
        value = max(value, misses[j])
    if k >= 0:
        value = max(value, ties[k])
    n_hits, n_misses = 0, 0
    while i >= 0 and hits[i] == value:
        n_hits += 1
        i -= 1
    while j >= 0 and misses[j] == value:
        n_misses += 1
        j -= 1
    if k >= 0 and ties[k] == value:
        n_hits += tied[0, k]
        n_misses += tied[1, k]
        k -= 1
    return value, n_hits, n_misses, i, j, k


@inlined
def _mark(points: Numbers, row: int, value: float, n_first: int, n_second: int) -> None:
    points[row, 0] = value
    points[row, 1] = n_first
    points[row, 2] = n_second


@inlined
def _keep(
    kept: Numbers,
    low: Numbers,
    high: Numbers,
    group: int,
    stretch: int,
    height: float,
    value: float,
    n_first: int,
    n_second: int,
) -> None:
    """Keep a point where it stands out.

    The first ones are all kept, and in the last row the last one; of each stretch of places, the
    lowest and the highest.
    """
    last = len(kept) - 1
    _mark(kept, min(group, last), value, n_first, n_second)
    _mark(kept, last, value, n_first, n_second)
    if not height >= low[stretch, 3]:
        _mark(low, stretch, value, n_first, n_second)
        low[stretch, 3] = height
    if not height <= high[stretch, 3]:
        _mark(high, stretch, value, n_first, n_second)
        high[stretch, 3] = height


@compiled
def walk_ranking(
    hits: Numbers,
    misses: Numbers,
    ties: Numbers,
    tied: Counts,
    n: int,
    harmonic: float,
    seen: Counts,
    sums: Numbers,
    kept: Numbers,
    low: Numbers,
    high: Numbers,
    edges: Numbers,
    floors: Numbers,
    at_bin: Counts,
    bins: Numbers,
) -> None:
    """Go on through a ranking, the best first, by tie groups; formulas as in `measuring.ranks`.

    Args:
        hits: Values of hits, increasing; all are below those of the call before.
        misses: Values of misses, likewise.
        ties: Values that occur very often, increasing.
        tied: How often each of these is a hit, and a miss.
        n: How many pairs are ranked in all.
        harmonic: H_n.
        seen: Pairs, hits and groups so far.
        sums: H of the pairs so far; sums for cws, average precision and the variance of the cws.
        kept: The first groups: value, pairs up to it, hits up to it; in the last row the last.
        low: Of each stretch the group with the smallest share of hits, and that share; where there
            is no stretch, nothing is kept.
        high: The same with the largest.
        edges: Of the bins of confidence.
        floors: What a confidence of 0 means, for each way to read it.
        at_bin: For each way, the bin that is being filled.
        bins: For each way and bin: pairs, sum of confidences, hits.
    """
    i, j, k = len(hits) - 1, len(misses) - 1, len(ties) - 1
    stretches = len(low)
    while i >= 0 or j >= 0 or k >= 0:
        value, n_hits, n_misses, i, j, k = _next_group(hits, misses, ties, tied, i, j, k)
        size = n_hits + n_misses
        before, found = seen[0], seen[1]
        h, below = sums[0], 0.0
        for place in range(before, before + size):
            below += h
            h += 1.0 / (place + 1)
        gained = h - sums[0]
        sums[0] = h
        # where nothing ties, divisions by 1 are left out: they would be half of the time
        share, others, mean = n_hits * 1.0, n_hits - 1.0, below
        if size > 1:
            share, others, mean = n_hits / size, (n_hits - 1) / (size - 1), below / size
        sums[1] += n_hits + (found - before * share) * gained
        sums[2] += share * ((found + 1) * gained + others * (size - (before + 1) * gained))
        sums[3] += size * (harmonic - mean) ** 2
        seen[0] += size
        seen[1] += n_hits
        if stretches > 0:
            stretch, height = (seen[0] - 1) * stretches // n, seen[1] / seen[0]
            _keep(kept, low, high, seen[2], stretch, height, value, seen[0], seen[1])
        seen[2] += 1
        for way in range(len(floors)):
            confidence = floors[way] + (1 - floors[way]) * value
            while at_bin[way] > 0 and confidence <= edges[at_bin[way]]:
                at_bin[way] -= 1
            bins[way, at_bin[way], 0] += size
            bins[way, at_bin[way], 1] += size * confidence
            bins[way, at_bin[way], 2] += n_hits


@compiled
def walk_cutoffs(
    hits: Numbers,
    misses: Numbers,
    ties: Numbers,
    tied: Counts,
    n_yes: int,
    n_no: int,
    wanted: float,
    asked: Numbers,
    seen: Counts,
    sums: Numbers,
    kept: Numbers,
    low: Numbers,
    high: Numbers,
    best: Numbers,
    marks: Numbers,
    answers: Numbers,
) -> None:
    """Go on through scores, the highest first: what each gives as a cutoff.

    Args:
        hits: Scores of entailments, increasing; all are below those of the call before.
        misses: Scores of other pairs, likewise.
        ties: Scores that occur very often, increasing.
        tied: How often each of these is of an entailment, and of another pair.
        n_yes: Entailments in all.
        n_no: Other pairs in all.
        wanted: A precision that some cutoff is wanted for.
        asked: Cutoffs that are asked for, decreasing.
        seen: Entailments and others above, cutoffs so far, the highest number of right decisions
            and at how many cutoffs, twice the pairs of an entailment above another, answers given.
        sums: The highest F and the highest precision so far.
        kept: The first cutoffs: value, entailments above, others above; in the last row the last.
        low: Of each stretch the cutoff with the fewest right decisions, and these.
        high: The same with the most.
        best: The last cutoffs with the most right decisions, in a ring.
        marks: The lowest cutoffs with the highest F, the highest precision, the wanted precision.
        answers: For each cutoff asked for, the candidate that decides as it does.
    """
    i, j, k = len(hits) - 1, len(misses) - 1, len(ties) - 1
    stretches, n = len(low), n_yes + n_no
    while i >= 0 or j >= 0 or k >= 0:
        value, n_hits, n_misses, i, j, k = _next_group(hits, misses, ties, tied, i, j, k)
        said_yes = seen[0] + seen[1]
        right = seen[0] + n_no - seen[1]
        if right > seen[3]:
            seen[3], seen[4] = right, 0
        if right == seen[3]:
            _mark(best, seen[4] % len(best), value, seen[0], seen[1])
            seen[4] += 1
        if said_yes + n_yes > 0 and 2 * seen[0] / (said_yes + n_yes) >= sums[0]:
            sums[0] = 2 * seen[0] / (said_yes + n_yes)
            _mark(marks, 0, value, seen[0], seen[1])
        if said_yes > 0:
            precision = seen[0] / said_yes
            if precision >= sums[1]:
                sums[1] = precision
                _mark(marks, 1, value, seen[0], seen[1])
            if precision >= wanted:
                _mark(marks, 2, value, seen[0], seen[1])
        while seen[6] < len(asked) and value <= asked[seen[6]]:
            _mark(answers, seen[6], value, seen[0], seen[1])
            seen[6] += 1
        stretch = min(said_yes * stretches // n, stretches - 1)
        _keep(kept, low, high, seen[2], stretch, right, value, seen[0], seen[1])
        seen[5] += n_misses * (2 * seen[0] + n_hits)
        seen[0] += n_hits
        seen[1] += n_misses
        seen[2] += 1
