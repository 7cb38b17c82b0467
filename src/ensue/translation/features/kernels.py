"""Compiled search for the best alignment of the words of an output and a reference.

It is the one that Denkowski & Lavie (2011, section 2.1) define: each word is matched at most once;
of all such alignments those that cover most words; of these those with the fewest chunks; of these
the one with the smallest sum of distances; where that leaves several, the one with the earlier
stages. Theirs is a beam search over all partial alignments, from left to right. So is this, but

- how many words can be covered is known beforehand, and what leaves more alone is given up;
- partial alignments are one if their futures are: if the same words that may still be wanted are
  taken, and the same chunk can be continued;
- they are compared by the chunks that they have and the least that must follow;
- where the beam was too narrow for all, a wider one looks for something better than it found.

So most alignments are the best there is, and are known to be.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.surface import stamped_slot

# Which words of an output match which of a reference, and at which stage, compiled.

EXACT, STEM, SYNONYM, NO_STAGE = 0, 1, 2, 3

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


class WordClasses(NamedTuple):
    """What the stages compare of each distinct word."""

    stems: Int32
    offsets: Int64
    """Where each word's synsets begin, with the end of the last."""
    synsets: Int32
    """Word after word, of each in ascending order."""
    marks: NDArray[np.uint64]
    """A bit for each synset, shared with others: words without a common bit share no synset."""


class DistinctWords(NamedTuple):
    """The words of a string, by what is the same."""

    kinds: Int64
    """Which of the distinct words each word is."""
    distinct: Int64
    """The numbers of the distinct words."""
    starts: Int64
    """Where each distinct word's places begin, with the end of the last."""
    places: Int64


class MatchEdges(NamedTuple):
    """Which distinct words of the output match which of the reference, and how."""

    starts: Int64
    """Where each distinct word of the output has its edges, with the end of the last."""
    targets: Int64
    stages: Int64


@compiled
def stage_of(words: WordClasses, a: int, b: int) -> int:
    """The first stage at which two words match."""
    if a == b:
        return EXACT
    if words.stems[a] == words.stems[b]:
        return STEM
    if words.marks[a] & words.marks[b] == 0:
        return NO_STAGE
    i, j = words.offsets[a], words.offsets[b]
    while i < words.offsets[a + 1] and j < words.offsets[b + 1]:
        if words.synsets[i] == words.synsets[j]:
            return SYNONYM
        if words.synsets[i] < words.synsets[j]:
            i += 1
        else:
            j += 1
    return NO_STAGE


@compiled
def side_of(ids: Int32) -> DistinctWords:
    """The words of a string, from their numbers."""
    # numbers and places in one, for sorting indices takes seconds to compile
    sorted_ids = np.empty(ids.size, np.int64)
    for i in range(ids.size):
        sorted_ids[i] = (np.int64(ids[i]) << 32) | i
    sorted_ids.sort()
    kinds = np.empty(ids.size, np.int64)
    distinct = np.empty(ids.size, np.int64)
    starts = np.empty(ids.size + 1, np.int64)
    places = sorted_ids & 0xFFFFFFFF
    n = 0
    for k in range(ids.size):
        number = sorted_ids[k] >> 32
        if n == 0 or number != distinct[n - 1]:
            distinct[n] = number
            starts[n] = k
            n += 1
        kinds[places[k]] = n - 1
    starts[n] = ids.size
    return DistinctWords(kinds, distinct[:n], starts[: n + 1], places)


@compiled
def match_edges(words: WordClasses, output: DistinctWords, reference: DistinctWords) -> MatchEdges:
    """Compare every distinct word of the output with every one of the reference."""
    starts = np.zeros(output.distinct.size + 1, np.int64)
    targets = np.empty(16, np.int64)
    stages = np.empty(16, np.int64)
    n = 0
    for a in range(output.distinct.size):
        for b in range(reference.distinct.size):
            stage = stage_of(words, output.distinct[a], reference.distinct[b])
            if stage == NO_STAGE:
                continue
            if n == targets.size:
                targets = np.concatenate((targets, np.empty(n, np.int64)))
                stages = np.concatenate((stages, np.empty(n, np.int64)))
            targets[n] = b
            stages[n] = stage
            n += 1
        starts[a + 1] = n
    return MatchEdges(starts, targets[:n], stages[:n])


# Find the best alignment of an output's words with a reference's, compiled.

WIDTH = 64
"""How many partial alignments are carried along, at most."""
_WIDER = 8
"""How much wider the second beam is."""
_WORK = 1 << 20
"""About how many steps a segment may take; very long ones get a narrower beam."""
_SKIP = 1 << 32
"""What a word left alone costs, in chunks."""
_STEP = 1 << 22
"""What a step of distance costs, in stages."""


@compiled
def _has_edge(edges: MatchEdges, a: int, b: int) -> bool:
    for e in range(edges.starts[a], edges.starts[a + 1]):  # noqa: SIM110 - numba compiles loops
        if edges.targets[e] == b:
            return True
    return False


@compiled
def _wanted_until(output: DistinctWords, reference: DistinctWords, edges: MatchEdges) -> Int64:
    """For each word of the reference, the last word of the output that it matches; -1 for none."""
    of_kind = np.full(reference.distinct.size, -1, np.int64)
    for a in range(output.distinct.size):
        last = output.places[output.starts[a + 1] - 1]
        for e in range(edges.starts[a], edges.starts[a + 1]):
            of_kind[edges.targets[e]] = max(of_kind[edges.targets[e]], last)
    return of_kind[reference.kinds]


@compiled
def _forced_chunks(output: DistinctWords, reference: DistinctWords, edges: MatchEdges) -> Int64:
    """How many chunks begin at each word of the output or after it, if none is left alone.

    One begins where the word cannot be matched beside a match of the word before it.
    """
    n = output.kinds.size
    forced = np.zeros(n + 1, np.int64)
    for i in range(n - 1, -1, -1):
        forced[i] = forced[i + 1]
        a = output.kinds[i]
        begins = edges.starts[a + 1] > edges.starts[a]
        for e in range(edges.starts[a], edges.starts[a + 1]):
            b = edges.targets[e]
            for k in range(reference.starts[b], reference.starts[b + 1]):
                j = reference.places[k]
                if begins and i > 0 and j > 0:
                    begins = not _has_edge(edges, output.kinds[i - 1], reference.kinds[j - 1])
        if begins:
            forced[i] += 1
    return forced


@compiled
def _most_partners(output: DistinctWords, reference: DistinctWords, edges: MatchEdges) -> int:
    most = 0
    for a in range(output.distinct.size):
        partners = 0
        for e in range(edges.starts[a], edges.starts[a + 1]):
            b = edges.targets[e]
            partners += reference.starts[b + 1] - reference.starts[b]
        most = max(most, partners)
    return most


@compiled
def _scrambled(number: int) -> np.uint64:
    """A hash of a number (splitmix64, Steele, Lea & Flood 2014)."""
    x = np.uint64(number + 1) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compiled
def _is_worse(ranks: Int64, spreads: Int64, one: int, other: int) -> bool:
    """Whether one partial alignment is to be given up before another; no two are equal."""
    if ranks[one] != ranks[other]:
        return bool(ranks[one] > ranks[other])
    if spreads[one] != spreads[other]:
        return bool(spreads[one] > spreads[other])
    return one > other


@compiled
def _kept(ranks: Int64, spreads: Int64, width: int) -> Int64:
    """The best of some partial alignments: a heap of so many, the worst on top."""
    heap = np.arange(min(ranks.size, width))
    if ranks.size <= width:
        return heap
    for top in range(heap.size - 1, -1, -1):
        _sink(heap, top, ranks, spreads)
    for i in range(heap.size, ranks.size):
        if _is_worse(ranks, spreads, heap[0], i):
            heap[0] = i
            _sink(heap, 0, ranks, spreads)
    return heap


@compiled
def _sink(heap: Int64, at: int, ranks: Int64, spreads: Int64) -> None:
    """Let what is on top sink to where nothing below it is worse."""
    while True:
        worst = at
        for below in range(2 * at + 1, min(2 * at + 3, heap.size)):
            if _is_worse(ranks, spreads, heap[below], heap[worst]):
                worst = below
        if worst == at:
            return
        heap[at], heap[worst] = heap[worst], heap[at]
        at = worst


@compiled
def _search(
    output: DistinctWords,
    reference: DistinctWords,
    edges: MatchEdges,
    n_skips: int,
    most_chunks: int,
    width: int,
) -> tuple[Int32, bool, bool]:
    """Go along the output with as many partial alignments as the beam is wide.

    One long function, since it is one loop over one state: what each partial alignment has taken,
    the place that would continue its last chunk, and its costs. Sets of words are told apart by
    hashes of 64 bits.

    Args:
        output: The output's words.
        reference: The reference's words.
        edges: Which match.
        n_skips: How many words that have a match may be left alone; those of the whole output for
            as few as the beam finds.
        most_chunks: Alignments with more are not wanted.
        width: How wide the beam is.

    Returns:
        Each output word's place in the reference, -1 for none; whether there is an alignment;
        whether none was given up on the way.
    """
    n, m = output.kinds.size, reference.kinds.size
    partners = _most_partners(output, reference, edges) + 1
    width = max(1, min(width, _WORK // (max(n, 1) * partners)))
    most = width * partners
    until = _wanted_until(output, reference, edges)
    forced = _forced_chunks(output, reference, edges)
    hashes = np.empty(m + 1, np.uint64)
    for j in range(m + 1):
        hashes[j] = _scrambled(j)
    size = 4
    while size < 2 * most:
        size *= 2
    slot_hash = np.empty(size, np.uint64)
    slot_layer = np.full(size, -1, np.int64)
    slot_entry = np.empty(size, np.int64)

    taken = np.zeros((width, m), np.bool_)
    old_taken = np.zeros((width, m), np.bool_)
    ahead = np.zeros(width, np.uint64)  # a hash of what is taken and may still be wanted
    last = np.full(width, -1, np.int64)
    cost = np.zeros(width, np.int64)
    spread = np.zeros(width, np.int64)
    parents = np.empty((n, width), np.int32)
    choices = np.empty((n, width), np.int32)
    new_parent = np.empty(most, np.int32)
    new_choice = np.empty(most, np.int32)
    new_last = np.empty(most, np.int64)
    new_ahead = np.empty(most, np.uint64)
    new_cost = np.empty(most, np.int64)
    new_rank = np.empty(most, np.int64)
    new_spread = np.empty(most, np.int64)
    n_states, complete = 1, True

    for i in range(n):
        a = output.kinds[i]
        first_edge, last_edge = edges.starts[a], edges.starts[a + 1]
        n_new = 0
        for s in range(n_states):
            for e in range(first_edge, last_edge):
                b = edges.targets[e]
                for k in range(reference.starts[b], reference.starts[b + 1]):
                    j = reference.places[k]
                    if until[j] == i and taken[s, j]:  # nobody will want it any more
                        ahead[s] ^= hashes[j]
            for e in range(first_edge, last_edge + 1):
                start, end = -1, 0  # the last turn leaves the word alone
                if e < last_edge:
                    start = reference.starts[edges.targets[e]]
                    end = reference.starts[edges.targets[e] + 1]
                elif first_edge < last_edge and cost[s] // _SKIP >= n_skips:
                    continue
                for k in range(start, end):
                    j, following = -1, -1
                    its_cost, its_spread, its_ahead = cost[s], spread[s], ahead[s]
                    if k >= 0:
                        j = reference.places[k]
                        if taken[s, j]:
                            continue
                        if last[s] < 0 or j != last[s] + 1:
                            its_cost += 1
                        its_spread += abs(i - j) * _STEP + edges.stages[e]
                        if until[j] > i:
                            its_ahead ^= hashes[j]
                        if (
                            i + 1 < n
                            and j + 1 < m
                            and not taken[s, j + 1]
                            and _has_edge(edges, output.kinds[i + 1], reference.kinds[j + 1])
                        ):
                            following = j
                    elif first_edge < last_edge:
                        its_cost += _SKIP
                    its_skips = its_cost // _SKIP
                    least = (
                        its_cost - its_skips * _SKIP + max(0, forced[i + 1] - n_skips + its_skips)
                    )
                    if least > most_chunks:
                        continue
                    its_hash = its_ahead ^ (hashes[following + 1] >> np.uint64(1))
                    slot = stamped_slot(slot_hash, slot_layer, its_hash, i)
                    if slot_layer[slot] == i:
                        at = slot_entry[slot]
                        worse = its_cost > new_cost[at] or (
                            its_cost == new_cost[at] and its_spread >= new_spread[at]
                        )
                        if worse:
                            continue
                    else:
                        slot_hash[slot] = its_hash
                        slot_layer[slot] = i
                        slot_entry[slot] = n_new
                        at = n_new
                        n_new += 1
                    new_parent[at] = s
                    new_choice[at] = j
                    new_last[at] = following
                    new_ahead[at] = its_ahead
                    new_cost[at] = its_cost
                    new_rank[at] = its_cost if n_skips >= n else least
                    new_spread[at] = its_spread
        if n_new == 0:
            return np.full(n, -1, np.int32), False, False
        complete = complete and n_new <= width
        kept = _kept(new_rank[:n_new], new_spread[:n_new], width)
        taken, old_taken = old_taken, taken
        n_states = kept.size
        for s in range(n_states):
            at = kept[s]
            for j in range(m):
                taken[s, j] = old_taken[new_parent[at], j]
            if new_choice[at] >= 0:
                taken[s, new_choice[at]] = True
            ahead[s] = new_ahead[at]
            last[s] = new_last[at]
            cost[s] = new_cost[at]
            spread[s] = new_spread[at]
            parents[i, s] = new_parent[at]
            choices[i, s] = new_choice[at]

    links = np.full(n, -1, np.int32)
    s = _kept(cost[:n_states], spread[:n_states], 1)[0]
    for i in range(n - 1, -1, -1):
        links[i] = choices[i, s]
        s = parents[i, s]
    return links, True, complete


@compiled
def n_chunks(links: Int32) -> int:
    """How many runs of words that are neighbors, and in one order, on both sides there are."""
    found = 0
    for i in range(links.size):
        if links[i] >= 0 and (i == 0 or links[i - 1] < 0 or links[i] != links[i - 1] + 1):
            found += 1
    return found


@compiled
def best_links(
    output: DistinctWords, reference: DistinctWords, edges: MatchEdges, covered: int, width: int
) -> tuple[Int32, bool]:
    """The best alignment that is found, and whether it is known to be the best there is.

    Args:
        output: The output's words.
        reference: The reference's words.
        edges: Which match.
        covered: How many words can be matched.
        width: How wide the beam is at first.

    Returns:
        Each output word's place in the reference, -1 for none; whether no alignment was given up.
    """
    n_skips = -covered
    for a in range(output.distinct.size):
        if edges.starts[a + 1] > edges.starts[a]:
            n_skips += output.starts[a + 1] - output.starts[a]
    links, found, complete = np.full(output.kinds.size, -1, np.int32), False, False
    most, attempt = output.kinds.size, 0
    while attempt < 2 or not found:  # with one call, for it is compiled once for each
        if attempt == 2:  # the beam lost all that cover as much as can be
            n_skips = output.kinds.size
        better, is_there, complete = _search(
            output, reference, edges, n_skips, most, width if attempt == 0 else _WIDER * width
        )
        if is_there:
            links, found, most = better, True, n_chunks(better)
        if complete:
            break
        attempt += 1
    return links, complete and attempt < 2


# How many words of an output and a reference can be matched at most, compiled.


@compiled
def most_covered(
    output: DistinctWords, reference: DistinctWords, edges: MatchEdges, last_stage: int
) -> int:
    """The most words that can be matched: a maximum flow, by augmenting paths (Ford & Fulkerson)."""
    free = output.starts[1:] - output.starts[:-1]
    room = reference.starts[1:] - reference.starts[:-1]
    flow = np.zeros(edges.targets.size, np.int64)
    total = 0
    for a in range(free.size):
        for e in range(edges.starts[a], edges.starts[a + 1]):
            if edges.stages[e] <= last_stage:
                flow[e] = min(free[a], room[edges.targets[e]])
                free[a] -= flow[e]
                room[edges.targets[e]] -= flow[e]
                total += flow[e]
    for a in range(free.size):
        while free[a] > 0 and edges.starts[a + 1] > edges.starts[a]:
            if not _augmented(edges, a, last_stage, room, flow):
                break
            free[a] -= 1
            total += 1
    return total


@compiled
def _augmented(edges: MatchEdges, start: int, last_stage: int, room: Int64, flow: Int64) -> bool:
    """Match one more of a word of the output, and rearrange others for that, if it can be done."""
    n = edges.starts.size - 1
    owner = np.empty(edges.targets.size, np.int64)
    for a in range(n):
        owner[edges.starts[a] : edges.starts[a + 1]] = a
    came_by = np.full(n, -1, np.int64)  # the edge whose flow was taken back to come here
    reached_by = np.full(room.size, -1, np.int64)  # the edge that leads here
    queue = np.empty(n, np.int64)
    queue[0], head, tail = start, 0, 1
    while head < tail:
        a = queue[head]
        head += 1
        for e in range(edges.starts[a], edges.starts[a + 1]):
            b = edges.targets[e]
            if edges.stages[e] > last_stage or reached_by[b] >= 0:
                continue
            reached_by[b] = e
            if room[b] > 0:
                room[b] -= 1
                while True:
                    flow[reached_by[b]] += 1
                    a = owner[reached_by[b]]
                    if a == start:
                        return True
                    flow[came_by[a]] -= 1
                    b = edges.targets[came_by[a]]
            for back in range(edges.targets.size):
                other = owner[back]
                is_new = other != start and came_by[other] < 0
                if is_new and edges.targets[back] == b and flow[back] > 0:
                    came_by[other] = back
                    queue[tail] = other
                    tail += 1
    return False
