"""Align every pair of a batch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.kernels.candidates import Candidates
from ensue.alignment.kernels.edges import (
    NONE,
    NORMALIZED,
    PATH,
    SAME,
    EdgeTables,
    EdgeWorth,
    edge_tables,
)
from ensue.alignment.kernels.graphs import FlatGraphs, Graph, Numbers, Offsets, Reals, graph_at
from ensue.alignment.kernels.searching import Problem, chain, greedy
from ensue.alignment.kernels.trees import tree_search
from ensue.compiling import compiled

TREE, CHAIN, GREEDY = range(3)


class SearchPlan(NamedTuple):
    """Which search, and its settings."""

    search: int
    conditions: int
    sweeps: int
    seeds: NDArray[np.uint64]
    """Of each pair."""


class Aligned(NamedTuple):
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
) -> Aligned:
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
def room_for(flat: FlatGraphs, hypotheses: Offsets, starts: Offsets, none: int) -> Aligned:
    """Where nothing is aligned yet."""
    edge_starts = np.zeros(hypotheses.size + 1, np.int64)
    for p in range(hypotheses.size):
        graph = hypotheses[p]
        edge_starts[p + 1] = edge_starts[p] + flat.edges[graph + 1] - flat.edges[graph]
    n_nodes, n_edges = starts[-1], edge_starts[-1]
    return Aligned(
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
    found: Aligned, p: int, candidates: Candidates, states: Numbers, weights: Reals
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
    found: Aligned,
    p: int,
    hypothesis: Graph,
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
