"""Compiled: how an edge of the hypothesis matches what is between two text nodes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.graph_arrays import IndexedGraph, Numbers, Reals, components
from ensue.compiling import compiled

SAME, NORMALIZED, PATH, MERGED, NONE = range(5)

TOGETHER = 1e-7
"""What it is worth that two unconnected targets are in one sentence: it decides between equals."""


class EdgeWorth(NamedTuple):
    """What each way in which an edge can be met is worth."""

    same: float
    normalized: float
    path: float
    merged: float
    decay: float
    weight: float
    """By which all are multiplied in the objective."""
    limit: int
    """The longest way that counts."""


class EdgeTables(NamedTuple):
    """For each edge of a hypothesis, and each candidate of its governor and of its dependent."""

    gains: Reals
    """What it adds to the objective."""
    matches: NDArray[np.int8]
    steps: NDArray[np.int8]
    """The length of the way; 0 for one node, -1 for no way that is short enough."""


class Ways(NamedTuple):
    """The nodes around one node; room that is used again for the next."""

    seen: Numbers
    """For each node the last start from which it was reached."""
    steps: Numbers
    """In how many steps."""
    queue: Numbers


@compiled
def edge_tables(
    text: IndexedGraph,
    hypothesis: IndexedGraph,
    targets: Numbers,
    counts: Numbers,
    worth: EdgeWorth,
) -> EdgeTables:
    """Compare each edge with what is between the candidates of its ends."""
    n_edges, most = hypothesis.governors.size, targets.shape[1]
    tables = EdgeTables(
        np.zeros((n_edges, most, most)),
        np.full((n_edges, most, most), NONE, np.int8),
        np.full((n_edges, most, most), -1, np.int8),
    )
    m = text.offsets.size - 1
    ways = Ways(np.full(m, -1, np.int32), np.empty(m, np.int32), np.empty(m, np.int32))
    sentences = components(text)
    start = 0
    for node in range(counts.size):
        for i in range(counts[node]):
            walked = False
            for k in range(hypothesis.offsets[node], hypothesis.offsets[node + 1]):
                e = hypothesis.incident[k]
                if hypothesis.governors[e] == node:
                    if not walked:
                        walk(text, targets[node, i], start, worth.limit, ways)
                        walked, start = True, start + 1
                    compare_edge(
                        text, hypothesis, e, i, targets, counts, worth, ways, sentences, tables
                    )
    return tables


@compiled
def walk(graph: IndexedGraph, node: int, start: int, limit: int, ways: Ways) -> None:
    """Find all nodes within some steps of one, edges taken in either direction."""
    ways.queue[0], ways.seen[node], ways.steps[node] = node, start, 0
    size, k = 1, 0
    while k < size:
        at = ways.queue[k]
        if ways.steps[at] < limit:
            for i in range(graph.offsets[at], graph.offsets[at + 1]):
                edge = graph.incident[i]
                other = graph.governors[edge] + graph.dependents[edge] - at
                if ways.seen[other] != start:
                    ways.seen[other], ways.steps[other] = start, ways.steps[at] + 1
                    ways.queue[size] = other
                    size += 1
        k += 1


@compiled
def compare_edge(
    text: IndexedGraph,
    hypothesis: IndexedGraph,
    e: int,
    i: int,
    targets: Numbers,
    counts: Numbers,
    worth: EdgeWorth,
    ways: Ways,
    sentences: Numbers,
    tables: EdgeTables,
) -> None:
    """Compare an edge with the ways from its governor's i-th candidate, where they were walked."""
    source, dependent = targets[hypothesis.governors[e], i], hypothesis.dependents[e]
    for j in range(counts[dependent]):
        target = targets[dependent, j]
        steps = ways.steps[target] if ways.seen[target] == ways.seen[source] else -1
        if steps < 0:
            together = sentences[source] == sentences[target]
            tables.gains[e, i, j] = worth.weight * TOGETHER if together else 0.0
            continue
        match, value = MERGED, worth.merged
        if steps > 0:
            match, value = PATH, worth.path * worth.decay ** (steps - 1)
        if steps == 1:
            direct = direct_match(text, hypothesis.relations[e], source, target)
            if direct == SAME and worth.same >= value:
                match, value = SAME, worth.same
            elif direct == NORMALIZED and worth.normalized >= value:
                match, value = NORMALIZED, worth.normalized
        tables.gains[e, i, j] = worth.weight * value
        tables.matches[e, i, j] = match
        tables.steps[e, i, j] = steps


@compiled
def direct_match(text: IndexedGraph, relation: Numbers, source: int, target: int) -> int:
    """The best match of a relation with the edges between two nodes; PATH where none is like it."""
    best = PATH
    for k in range(text.offsets[source], text.offsets[source + 1]):
        edge = text.incident[k]
        other = text.relations[edge]
        if text.governors[edge] == source and text.dependents[edge] == target:
            if other[0] == relation[0]:
                return SAME
            if other[1] & relation[1] or other[2] & relation[2]:
                best = NORMALIZED
        is_turned = text.governors[edge] == target and text.dependents[edge] == source
        if is_turned and (other[1] & relation[2] or other[2] & relation[1]):
            best = NORMALIZED
    return best
