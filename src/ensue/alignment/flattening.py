"""Graphs of a batch as flat arrays, and their distinct words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field
from itertools import chain
from typing import NamedTuple

import numpy as np

from ensue.alignment.kernels.graphs import FlatGraphs
from ensue.alignment.relations import PREDICATES, roles
from ensue.alignment.settings import NodeWeights
from ensue.language.graphs import Graph, Sort
from ensue.language.values import Value

SORTS = tuple(Sort)


class Word(NamedTuple):
    """What is known of a node without its neighbors: equal ones are compared once."""

    lemma: str
    sort: Sort
    kind: str
    form: str
    value: Value | None
    """Without its place, so that what is said twice is one word."""


@dataclass(slots=True)
class Flattening:
    """Numbers for the words and relations of a batch, as they are met."""

    weights: NodeWeights
    words: dict[Word, int] = field(default_factory=dict)
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
        words, forms = self.words, graph.sentence.forms
        found = []
        for lemma, sort, kind, tokens, value in zip(
            graph.lemmas, graph.sorts, graph.kinds, graph.tokens, graph.values, strict=True
        ):
            form = forms[tokens[0]] if len(tokens) == 1 else " ".join([forms[k] for k in tokens])
            said = value.without_place() if value is not None else None
            word = Word(lemma, sort, kind, form.lower(), said)
            found.append(words.setdefault(word, len(words)))
        return found

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
