"""Graphs of a batch as flat arrays with numbered words and relations, for the kernels.

An edge has roles: what its dependent is to its governor, and what its governor is to its
dependent. Two edges are the same up to normalization where they share a role, read in one
direction: who destroys a city (`nsubj`) is whose destruction of it there is (`poss`); and a car
that is red (`nsubj` of an adjective) is a red car (`amod`, the other way round).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.settings import NodeWeights
from ensue.compiling import compiled
from ensue.language.graphs import Graph, Sort
from ensue.language.values import Value

# Relations that say the same in another way.

_AGENT, _PATIENT, _RECIPIENT, _MODIFIER, _IDENTITY, _PLACE, _CLAUSE, _CONJUNCT = (
    1 << k for k in range(8)
)

_ROLES = {
    "nsubj": _AGENT,
    "csubj": _AGENT,
    "agent": _AGENT,
    "prep_by": _AGENT,
    "poss": _AGENT | _PATIENT | _MODIFIER,
    "prep_of": _AGENT | _PATIENT | _MODIFIER,
    "dobj": _PATIENT,
    "nsubjpass": _PATIENT,
    "compound": _PATIENT | _MODIFIER,
    "iobj": _RECIPIENT,
    "dative": _RECIPIENT,
    "prep_to": _RECIPIENT,
    "amod": _MODIFIER,
    "nmod": _MODIFIER,
    "appos": _IDENTITY | _MODIFIER,
    "npadvmod": _PLACE,
    "prep_in": _PLACE | _MODIFIER,
    "prep_at": _PLACE,
    "prep_on": _PLACE,
    "prep_within": _PLACE,
    "prep_inside": _PLACE,
    "prep_during": _PLACE,
    "ccomp": _CLAUSE,
    "xcomp": _CLAUSE,
    "conj_and": _CONJUNCT,
    "conj_but": _CONJUNCT,
}
"""What a dependent is to its governor."""

PREDICATES = frozenset((Sort.NOUN, Sort.NAME, Sort.ADJECTIVE, Sort.VALUE))
"""Sorts of nodes that, with a subject, say what it is."""


@cache
def roles(relation: str, is_predicate: bool) -> tuple[int, int]:
    """The roles of an edge's dependent to its governor, and of the governor to the dependent.

    Args:
        relation: Of the edge.
        is_predicate: Whether the governor, with a subject, says what that is.
    """
    if relation == "nsubj" and is_predicate:
        return _IDENTITY, _IDENTITY | _MODIFIER
    if relation == "appos":
        return _ROLES[relation], _IDENTITY
    if relation in ("conj_and", "conj_but"):
        return _CONJUNCT, _CONJUNCT
    return _ROLES.get(relation, 0), 0


# Graphs as the kernels see them.

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


class IndexedGraph(NamedTuple):
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
def graph_at(flat: FlatGraphs, number: int) -> IndexedGraph:
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
    return IndexedGraph(
        parents, governors, dependents, flat.relations[start:end], offsets, incident
    )


@compiled
def components(graph: IndexedGraph) -> Numbers:
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


# Graphs of a batch as flat arrays, and their distinct words.

SORTS = tuple(Sort)


class NodeWord(NamedTuple):
    """What is known of a node without its neighbors: equal ones are compared once."""

    lemma: str
    sort: Sort
    kind: str
    form: str
    value: Value | None
    """Without its place, so that what is said twice is one word."""


def node_words(graph: Graph) -> Iterator[NodeWord]:
    """What is known of each node by itself."""
    forms = graph.sentence.forms
    for lemma, sort, kind, tokens, value in zip(
        graph.lemmas, graph.sorts, graph.kinds, graph.tokens, graph.values, strict=True
    ):
        form = forms[tokens[0]] if len(tokens) == 1 else " ".join([forms[k] for k in tokens])
        said = value.without_place() if value is not None else None
        yield NodeWord(lemma, sort, kind, form.lower(), said)


@dataclass(slots=True)
class Flattening:
    """Numbers for the words and relations of a batch, as they are met."""

    weights: NodeWeights
    words: dict[NodeWord, int] = field(default_factory=dict)
    relations: dict[str, int] = field(default_factory=dict)

    def flat(self, graphs: Sequence[Graph]) -> FlatGraphs:
        """The graphs, one behind the other."""
        weights = np.array(astuple(self.weights))
        sorts = _numbers(SORTS.index(sort) for graph in graphs for sort in graph.sorts)
        words = [self._words(graph) for graph in graphs]
        edges = [self._edges(graph) for graph in graphs]
        return FlatGraphs(
            _offsets(len(graph.lemmas) for graph in graphs),
            _offsets(len(graph.relations) for graph in graphs),
            _numbers(chain.from_iterable(words)),
            weights[sorts],
            _joined(graph.parents for graph in graphs),
            _joined(graph.governors for graph in graphs),
            _joined(graph.dependents for graph in graphs),
            np.array([*chain.from_iterable(edges)], np.int32).reshape(-1, 3),
        )

    def _words(self, graph: Graph) -> list[int]:
        """The number of each node's word."""
        words = self.words
        return [words.setdefault(word, len(words)) for word in node_words(graph)]

    def _edges(self, graph: Graph) -> list[tuple[int, int, int]]:
        """Of each edge the number of its relation, and its roles in both directions."""
        relations, sorts = self.relations, graph.sorts
        found = []
        for governor, relation in zip(graph.governors.tolist(), graph.relations, strict=True):
            number = relations.setdefault(relation, len(relations))
            found.append((number, *roles(relation, sorts[governor] in PREDICATES)))
        return found


def _numbers(numbers: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.fromiter(numbers, np.int32)


def _offsets(sizes: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.concatenate([[0], np.cumsum(np.fromiter(sizes, np.int64))])


def _joined(
    arrays: Iterable[np.ndarray[tuple[int], np.dtype[np.int32]]],
) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.concatenate([np.zeros(0, np.int32), *arrays])
