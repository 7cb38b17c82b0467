"""The exact search: dynamic programming along the hypothesis's tree, under conditions.

Where the hypothesis's graph is a tree, the best states are found by max-sum from the leaves to the
root. Other edges make rings; these are opened by holding one end of each such edge in every state
in turn (cutset conditioning, Dechter 1990). Where that would be too many assignments, the best of
the tree's and the greedy alignment are bettered node by node, and then by holding one such end
after the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ensue.alignment.kernels.graphs import Numbers, Reals
from ensue.alignment.kernels.searching import LEAST_GAIN, Problem, ascend, greedy, total
from ensue.compiling import compiled

FREE = -1


class Tree(NamedTuple):
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
def tree_of(problem: Problem) -> Tree:
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
    return Tree(order, hangs, np.flatnonzero(~in_tree).astype(np.int32))


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
def cutset(problem: Problem, tree: Tree) -> Numbers:
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
        by_one = times[one] / np.log(problem.counts[one] + 1.0)
        by_other = times[other] / np.log(problem.counts[other] + 1.0)
        is_in[one if by_one >= by_other else other] = True
    return np.flatnonzero(is_in).astype(np.int32)


@compiled
def best_of_all(problem: Problem, tree: Tree, cut: Numbers, held: Numbers, room: Room) -> Numbers:
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
    problem: Problem, tree: Tree, cut: Numbers, held: Numbers, room: Room, states: Numbers
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
def propagate(problem: Problem, tree: Tree, held: Numbers, room: Room, states: Numbers) -> float:
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
def start(problem: Problem, tree: Tree, held: Numbers, room: Room) -> float:
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
def send_up(problem: Problem, tree: Tree, node: int, room: Room) -> None:
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
