"""Graphs as the kernels see them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

Numbers = NDArray[np.int32]
Offsets = NDArray[np.int64]
Reals = NDArray[np.float64]


class FlatGraphs(NamedTuple):
    """Many graphs, one behind the other; nodes and edges are numbered in each from 0."""

    nodes: Offsets
    """Where each graph's nodes begin, with the end of the last."""
    edges: Offsets
    """Where each graph's edges begin, with the end of the last."""
    words: Numbers
    """The word of each node."""
    weights: Reals
    """How much each node counts."""
    parents: Numbers
    """The edge by which each node hangs in the tree; -1 for a root."""
    governors: Numbers
    """The node from which each edge leads."""
    dependents: Numbers
    """The node to which it leads."""
    relations: Numbers
    """Of each edge its relation, the roles of its dependent, and those of its governor."""


class Graph(NamedTuple):
    """One graph, with the edges at each node."""

    parents: Numbers
    governors: Numbers
    dependents: Numbers
    relations: Numbers
    offsets: Offsets
    """Where each node's edges begin in `incident`, with the end of the last."""
    incident: Numbers
    """The edges that lead from or to each node."""


@compiled
def graph_at(flat: FlatGraphs, number: int) -> Graph:
    """One of many graphs."""
    start, end = flat.edges[number], flat.edges[number + 1]
    governors, dependents = flat.governors[start:end], flat.dependents[start:end]
    n = flat.nodes[number + 1] - flat.nodes[number]
    offsets = np.zeros(n + 1, np.int64)
    for e in range(governors.size):
        offsets[governors[e] + 1] += 1
        if dependents[e] != governors[e]:
            offsets[dependents[e] + 1] += 1
    for node in range(n):
        offsets[node + 1] += offsets[node]
    filled = offsets.copy()
    incident = np.empty(offsets[n], np.int32)
    for e in range(governors.size):
        incident[filled[governors[e]]] = e
        filled[governors[e]] += 1
        if dependents[e] != governors[e]:
            incident[filled[dependents[e]]] = e
            filled[dependents[e]] += 1
    parents = flat.parents[flat.nodes[number] : flat.nodes[number + 1]]
    return Graph(parents, governors, dependents, flat.relations[start:end], offsets, incident)


@compiled
def components(graph: Graph) -> Numbers:
    """For each node a number that all nodes connected with it share."""
    n = graph.offsets.size - 1
    found = np.full(n, -1, np.int32)
    queue = np.empty(n, np.int32)
    for start in range(n):
        if found[start] >= 0:
            continue
        found[start], queue[0] = start, start
        size, k = 1, 0
        while k < size:
            for i in range(graph.offsets[queue[k]], graph.offsets[queue[k] + 1]):
                edge = graph.incident[i]
                other = graph.governors[edge] + graph.dependents[edge] - queue[k]
                if found[other] < 0:
                    found[other], queue[size] = start, other
                    size += 1
            k += 1
    return found
