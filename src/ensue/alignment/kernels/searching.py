"""The searches for the best alignment of one pair.

A state of a hypothesis node is one of its candidates, or none: the state behind the last.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ensue.alignment.kernels.graphs import Graph, Numbers, Reals
from ensue.compiling import compiled

COLDEST = 0.02
"""The temperature at which the Markov chain ends; it begins at 1."""

LEAST_GAIN = 1e-12
"""Gains below are rounding."""


class Problem(NamedTuple):
    """What is to be maximized: the sum of node and edge gains."""

    graph: Graph
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
                gains[state] = np.exp(gains[state] - highest)
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
