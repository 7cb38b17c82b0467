"""Compiled searches for the best alignment: exact along the tree, Markov chain, greedy.

A state of a hypothesis node is one of its candidates, or none: the state behind the last.

Where the hypothesis's graph is a tree, the best states are found by max-sum from the leaves to the
root. Other edges make rings; these are opened by holding one end of each such edge in every state
in turn (cutset conditioning, Dechter 1990). Where that would be too many assignments, the best of
the tree's and the greedy alignment are bettered node by node, and then by holding one such end
after the other.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.candidates import (
    NONE,
    NORMALIZED,
    PATH,
    SAME,
    Candidates,
    EdgeTables,
    EdgeWorth,
    edge_tables,
)
from ensue.alignment.graph_arrays import FlatGraphs, IndexedGraph, Numbers, Offsets, Reals, graph_at
from ensue.compiling import compiled

# The searches for the best alignment of one pair.

COLDEST = 0.02
"""The temperature at which the Markov chain ends; it begins at 1."""

LEAST_GAIN = 1e-12
"""Gains below are rounding."""


class Problem(NamedTuple):
    """What is to be maximized: the sum of node and edge gains."""

    graph: IndexedGraph
    """The hypothesis."""
    counts: Numbers
    """How many candidates each node has."""
    node_gains: Reals
    """Of each candidate of each node."""
    edge_gains: Reals
    """Of each edge, for each candidate of its governor and of its dependent."""


@compiled
def total(problem: Problem, states: Numbers) -> float:
    """The objective."""
    gain = 0.0
    for node in range(states.size):
        if states[node] < problem.counts[node]:
            gain += problem.node_gains[node, states[node]]
    for e in range(problem.graph.governors.size):
        gain += edge_gain(problem, e, states)
    return gain


@compiled
def edge_gain(problem: Problem, e: int, states: Numbers) -> float:
    """What an edge adds; nothing where an end is not aligned."""
    governor, dependent = problem.graph.governors[e], problem.graph.dependents[e]
    i, j = states[governor], states[dependent]
    if i < problem.counts[governor] and j < problem.counts[dependent]:
        return float(problem.edge_gains[e, i, j])
    return 0.0


@compiled
def gain_at(problem: Problem, states: Numbers, node: int, state: int) -> float:
    """What a node adds in a state, with its edges, while the others stay in theirs."""
    if state >= problem.counts[node]:
        return 0.0
    gain, kept = float(problem.node_gains[node, state]), states[node]
    states[node] = state
    for k in range(problem.graph.offsets[node], problem.graph.offsets[node + 1]):
        gain += edge_gain(problem, problem.graph.incident[k], states)
    states[node] = kept
    return gain


@compiled
def greedy(problem: Problem) -> Numbers:
    """Each node's most similar candidate."""
    return np.zeros(problem.counts.size, np.int32)


@compiled
def ascend(problem: Problem, states: Numbers) -> None:
    """Change one node at a time to its best state, until none can be bettered."""
    moved = True
    while moved:
        moved = False
        for node in range(states.size):
            best, most = states[node], gain_at(problem, states, node, states[node]) + LEAST_GAIN
            for state in range(problem.counts[node] + 1):
                gain = gain_at(problem, states, node, state)
                if gain > most:
                    best, most = np.int32(state), gain + LEAST_GAIN
            if best != states[node]:
                states[node], moved = best, True


@compiled
def chain(problem: Problem, seed: np.uint64, sweeps: int) -> Numbers:
    """Gibbs sampling with annealing; the best of all states that were visited.

    MacCartney et al. 2006 sample the alignments of dependency graphs with a Markov chain. Each node
    in turn goes to a state with probability exp(gain / temperature), normalized; the temperature
    falls from 1 to `COLDEST` by equal factors.
    """
    states = greedy(problem)
    best, most = states.copy(), total(problem, states)
    gains = np.empty(problem.node_gains.shape[1] + 1)
    drawn = seed
    for sweep in range(sweeps):
        temperature = COLDEST ** (sweep / max(sweeps - 1, 1))
        for node in range(states.size):
            n = problem.counts[node] + 1
            for state in range(n):
                gains[state] = gain_at(problem, states, node, state) / temperature
            highest, sum_of_all = gains[:n].max(), 0.0
            for state in range(n):
                gains[state] = math.exp(gains[state] - highest)
                sum_of_all += gains[state]
            drawn = next_random(drawn)
            left = fraction(drawn) * sum_of_all
            state = 0
            while state < n - 1 and left >= gains[state]:
                left -= gains[state]
                state += 1
            states[node] = state
        found = total(problem, states)
        if found > most + LEAST_GAIN:
            best[:], most = states, found
    return best


@compiled
def next_random(state: np.uint64) -> np.uint64:
    """The next state of a SplitMix64 generator."""
    return np.uint64(state + np.uint64(0x9E3779B97F4A7C15))


@compiled
def fraction(state: np.uint64) -> float:
    """A number from 0 to below 1 out of a generator's state."""
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * 2.0**-53


# The exact search: dynamic programming along the hypothesis's tree, under conditions.

FREE = -1


class SpanningTree(NamedTuple):
    """The order in which nodes are gone through, and the edges that are not in the tree."""

    order: Numbers
    """Every node behind the one on which it hangs."""
    hangs: Numbers
    """The edge by which each node hangs; -1 for a root."""
    others: Numbers
    """The edges by which none hangs."""


class Room(NamedTuple):
    """What the dynamic programming writes to."""

    own: Reals
    """For each node and state, what it and all below it add."""
    chosen: Numbers
    """For each node and each state of the one above it, its best state."""


@compiled
def tree_of(problem: Problem) -> SpanningTree:
    """Put the nodes in order; one that would hang in a ring hangs on none."""
    graph, n = problem.graph, problem.counts.size
    hangs = np.full(n, -1, np.int32)
    order = np.empty(n, np.int32)
    placed = np.zeros(n, np.bool_)
    in_tree = np.zeros(graph.governors.size, np.bool_)
    size, k = 0, 0
    for may_hang in (False, True):
        for root in range(n):
            if placed[root] or (not may_hang and graph.parents[root] >= 0):
                continue
            order[size], placed[root] = root, True
            size += 1
            while k < size:
                for i in range(graph.offsets[order[k]], graph.offsets[order[k] + 1]):
                    e = graph.incident[i]
                    node = graph.dependents[e]
                    if not placed[node] and graph.parents[node] == e:
                        order[size], placed[node], hangs[node] = node, True, e
                        in_tree[e] = True
                        size += 1
                k += 1
    return SpanningTree(order, hangs, np.flatnonzero(~in_tree).astype(np.int32))


@compiled
def tree_search(problem: Problem, most_conditions: int) -> Numbers:
    """The best states, exactly where there are not too many conditions."""
    tree, n = tree_of(problem), problem.counts.size
    width = problem.node_gains.shape[1] + 1
    room = Room(np.empty((n, width)), np.empty((n, width), np.int32))
    held = np.full(n, FREE, np.int32)
    cut = cutset(problem, tree)
    conditions = 1.0
    for node in cut:
        conditions *= problem.counts[node] + 1
    if conditions <= most_conditions:
        return best_of_all(problem, tree, cut, held, room)
    states = np.zeros(n, np.int32)
    propagate(problem, tree, held, room, states)
    other = greedy(problem)
    ascend(problem, states)
    ascend(problem, other)
    if total(problem, other) > total(problem, states) + LEAST_GAIN:
        states = other
    if (problem.counts[cut] + 1).sum() <= most_conditions:
        better(problem, tree, cut, held, room, states)
    return states


@compiled
def cutset(problem: Problem, tree: SpanningTree) -> Numbers:
    """Nodes of which every edge beside the tree has one, by preference those with few states."""
    graph = problem.graph
    is_in = np.zeros(problem.counts.size, np.bool_)
    times = np.zeros(problem.counts.size, np.int32)
    for e in tree.others:
        times[graph.governors[e]] += 1
        times[graph.dependents[e]] += 1
    for e in tree.others:
        one, other = graph.governors[e], graph.dependents[e]
        # an edge at a node without a candidate adds nothing, whatever the other end does
        if is_in[one] or is_in[other] or problem.counts[one] == 0 or problem.counts[other] == 0:
            continue
        by_one = times[one] / math.log(problem.counts[one] + 1.0)
        by_other = times[other] / math.log(problem.counts[other] + 1.0)
        is_in[one if by_one >= by_other else other] = True
    return np.flatnonzero(is_in).astype(np.int32)


@compiled
def best_of_all(
    problem: Problem, tree: SpanningTree, cut: Numbers, held: Numbers, room: Room
) -> Numbers:
    """Hold the nodes of the cut in all states in turn, and keep the best of what comes out."""
    states, best = np.zeros(held.size, np.int32), np.zeros(held.size, np.int32)
    most = -1.0
    for node in cut:
        held[node] = 0
    while True:
        gain = propagate(problem, tree, held, room, states)
        if gain > most + LEAST_GAIN:
            best[:], most = states, gain
        k = 0
        while k < cut.size and held[cut[k]] == problem.counts[cut[k]]:
            held[cut[k]] = 0
            k += 1
        if k == cut.size:
            return best
        held[cut[k]] += 1


@compiled
def better(
    problem: Problem, tree: SpanningTree, cut: Numbers, held: Numbers, room: Room, states: Numbers
) -> None:
    """Change one node of the cut at a time, and all others with it, until nothing is gained."""
    for node in cut:
        held[node] = states[node]
    found, most = states.copy(), total(problem, states)
    moved = True
    while moved:
        moved = False
        for node in cut:
            for state in range(problem.counts[node] + 1):
                held[node] = state
                gain = propagate(problem, tree, held, room, found)
                if gain > most + LEAST_GAIN:
                    states[:], most, moved = found, gain, True
            held[node] = states[node]


@compiled
def propagate(
    problem: Problem, tree: SpanningTree, held: Numbers, room: Room, states: Numbers
) -> float:
    """The best states under the conditions, by max-sum; return what they add.

    Edges beside the tree count where an end is held.
    """
    constant = start(problem, tree, held, room)
    for k in range(tree.order.size - 1, -1, -1):
        if tree.hangs[tree.order[k]] >= 0:
            send_up(problem, tree, tree.order[k], room)
    for k in range(tree.order.size):
        node = tree.order[k]
        if tree.hangs[node] < 0:
            states[node] = np.argmax(room.own[node, : problem.counts[node] + 1])
            constant += room.own[node, states[node]]
        else:
            states[node] = room.chosen[node, states[problem.graph.governors[tree.hangs[node]]]]
    return constant


@compiled
def start(problem: Problem, tree: SpanningTree, held: Numbers, room: Room) -> float:
    """What each node adds by itself and by its edges to held nodes; return what held ones add."""
    for node in range(held.size):
        n = problem.counts[node]
        for state in range(n):
            room.own[node, state] = problem.node_gains[node, state]
        room.own[node, n] = 0.0
        if held[node] != FREE:
            for state in range(n + 1):
                if state != held[node]:
                    room.own[node, state] = -np.inf
    constant = 0.0
    for e in tree.others:
        governor, dependent = problem.graph.governors[e], problem.graph.dependents[e]
        i, j = held[governor], held[dependent]
        if i != FREE and j != FREE:
            if i < problem.counts[governor] and j < problem.counts[dependent]:
                constant += problem.edge_gains[e, i, j]
        elif i != FREE and i < problem.counts[governor]:
            for state in range(problem.counts[dependent]):
                room.own[dependent, state] += problem.edge_gains[e, i, state]
        elif j != FREE and j < problem.counts[dependent]:
            for state in range(problem.counts[governor]):
                room.own[governor, state] += problem.edge_gains[e, state, j]
    return constant


@compiled
def send_up(problem: Problem, tree: SpanningTree, node: int, room: Room) -> None:
    """Add to each state of the node above what this one adds at its best."""
    e = tree.hangs[node]
    above = problem.graph.governors[e]
    n, m = problem.counts[node], problem.counts[above]
    for i in range(m + 1):
        best, most = 0, -np.inf
        for j in range(n + 1):
            gain = room.own[node, j]
            if i < m and j < n:
                gain += problem.edge_gains[e, i, j]
            if gain > most:
                best, most = j, gain
        room.chosen[node, i] = best
        room.own[above, i] += most


# Align every pair of a batch.

TREE, CHAIN, GREEDY = range(3)


class SearchPlan(NamedTuple):
    """Which search, and its settings."""

    search: int
    conditions: int
    sweeps: int
    seeds: NDArray[np.uint64]
    """Of each pair."""


class AlignedBatch(NamedTuple):
    """The alignments, one pair behind the other."""

    node_starts: Offsets
    """Where each pair's hypothesis nodes begin, with the end of the last."""
    edge_starts: Offsets
    """Where each pair's hypothesis edges begin, with the end of the last."""
    targets: Numbers
    matches: NDArray[np.uint8]
    similarities: Reals
    edge_matches: NDArray[np.int8]
    edge_similarities: Reals
    steps: Numbers
    scores: Reals


@compiled
def align_all(
    flat: FlatGraphs,
    texts: Offsets,
    hypotheses: Offsets,
    candidates: Candidates,
    worth: EdgeWorth,
    plan: SearchPlan,
    none: int,
) -> AlignedBatch:
    """Search for the best alignment of each pair; `none` is the match of what is not aligned."""
    found = room_for(flat, hypotheses, candidates.starts, none)
    for p in range(texts.size):
        text, hypothesis = graph_at(flat, texts[p]), graph_at(flat, hypotheses[p])
        rows = slice(candidates.starts[p], candidates.starts[p + 1])
        counts, targets = candidates.counts[rows], candidates.targets[rows]
        first = flat.nodes[hypotheses[p]]
        weights = flat.weights[first : first + counts.size]
        gains = candidates.similarities[rows] * weights.reshape(-1, 1)
        tables = edge_tables(text, hypothesis, targets, counts, worth)
        problem = Problem(hypothesis, counts, gains, tables.gains)
        states = search(problem, plan, p)
        write_nodes(found, p, candidates, states, weights)
        write_edges(found, p, hypothesis, tables, counts, states, worth)
    return found


@compiled
def search(problem: Problem, plan: SearchPlan, p: int) -> Numbers:
    """The states of a pair's hypothesis nodes."""
    if plan.search == TREE:
        return tree_search(problem, plan.conditions)
    if plan.search == CHAIN:
        return chain(problem, plan.seeds[p], plan.sweeps)
    return greedy(problem)


@compiled
def room_for(flat: FlatGraphs, hypotheses: Offsets, starts: Offsets, none: int) -> AlignedBatch:
    """Where nothing is aligned yet."""
    edge_starts = np.zeros(hypotheses.size + 1, np.int64)
    for p in range(hypotheses.size):
        graph = hypotheses[p]
        edge_starts[p + 1] = edge_starts[p] + flat.edges[graph + 1] - flat.edges[graph]
    n_nodes, n_edges = starts[-1], edge_starts[-1]
    return AlignedBatch(
        starts,
        edge_starts,
        np.full(n_nodes, -1, np.int32),
        np.full(n_nodes, none, np.uint8),
        np.zeros(n_nodes),
        np.full(n_edges, NONE, np.int8),
        np.zeros(n_edges),
        np.full(n_edges, -1, np.int32),
        np.zeros(hypotheses.size),
    )


@compiled
def write_nodes(
    found: AlignedBatch, p: int, candidates: Candidates, states: Numbers, weights: Reals
) -> None:
    """Write where each node of a pair's hypothesis goes."""
    for node in range(states.size):
        row, state = candidates.starts[p] + node, states[node]
        if state < candidates.counts[row]:
            found.targets[row] = candidates.targets[row, state]
            found.matches[row] = candidates.matches[row, state]
            found.similarities[row] = candidates.similarities[row, state]
            found.scores[p] += weights[node] * found.similarities[row]


@compiled
def write_edges(
    found: AlignedBatch,
    p: int,
    hypothesis: IndexedGraph,
    tables: EdgeTables,
    counts: Numbers,
    states: Numbers,
    worth: EdgeWorth,
) -> None:
    """Write how each edge of a pair's hypothesis is met."""
    for e in range(hypothesis.governors.size):
        governor, dependent = hypothesis.governors[e], hypothesis.dependents[e]
        i, j = states[governor], states[dependent]
        if i < counts[governor] and j < counts[dependent] and tables.steps[e, i, j] >= 0:
            at, steps = found.edge_starts[p] + e, tables.steps[e, i, j]
            found.edge_matches[at] = tables.matches[e, i, j]
            found.edge_similarities[at] = value_of(tables.matches[e, i, j], steps, worth)
            found.steps[at] = steps
            found.scores[p] += worth.weight * found.edge_similarities[at]


@compiled
def value_of(match: int, steps: int, worth: EdgeWorth) -> float:
    """The similarity of an edge that is met in some way."""
    if match == SAME:
        return worth.same
    if match == NORMALIZED:
        return worth.normalized
    if match == PATH:
        return worth.path * worth.decay ** (steps - 1)
    return worth.merged
