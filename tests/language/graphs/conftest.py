"""Fixtures: texts as graphs, with edges that can be read."""

from dataclasses import dataclass

import pytest

from ensue.language.analyzer import load_analyzer
from ensue.language.graphs import Graph, build_graphs


@dataclass(frozen=True)
class Read:
    """A graph, asked by lemmas."""

    graph: Graph

    @property
    def edges(self) -> set[str]:
        """Each edge as its governor, relation and dependent: `write nsubj mary`."""
        lemmas, graph = self.graph.lemmas, self.graph
        triples = zip(
            graph.governors.tolist(), graph.relations, graph.dependents.tolist(), strict=True
        )
        return {f"{lemmas[a]} {relation} {lemmas[b]}" for a, relation, b in triples}

    @property
    def lemmas(self) -> tuple[str, ...]:
        """Of the nodes, in their order."""
        return self.graph.lemmas

    @property
    def roots(self) -> list[str]:
        """The lemmas of the nodes that hang on none."""
        return [self.graph.lemmas[root] for root in self.graph.roots]

    def at(self, lemma: str, field: str):
        """What a field holds at the node of a lemma."""
        return getattr(self.graph, field)[self.graph.lemmas.index(lemma)]

    def between(self, first: str, second: str) -> set[str]:
        """The relations that lead from one lemma to another."""
        start, end = f"{first} ", f" {second}"
        return {
            edge[len(start) : -len(end)]
            for edge in self.edges
            if edge.startswith(start) and edge.endswith(end)
        }


@pytest.fixture(scope="session")
def build(lexicon):
    """Gives the graph of an analyzed sentence."""
    return lambda sentence: build_graphs([sentence], lexicon=lexicon)[0]


@pytest.fixture(scope="session")
def read(build):
    """Gives a text as a graph."""
    return lambda text: Read(build(load_analyzer().analyze([text])[0]))
