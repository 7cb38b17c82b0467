"""An aligned pair as the features see it, and what a feature and a group of them are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ensue.alignment import Alignment, Match
from ensue.language.contexts import Commitment
from ensue.language.graphs import Graph, Sort

# An aligned pair as the features look at it: what several of them ask for, found once.

APART = frozenset((Match.NONE, Match.ANTONYM, Match.CONFLICT, Match.PRONOUN))
"""Matches by which a hypothesis node has no support in the text."""

Edge = tuple[int, str]
"""The node at the other end of an edge, and the edge's relation."""


@dataclass(frozen=True)
class Predicates:
    """A predicate of the hypothesis and the one of the text that it is aligned with, as tokens."""

    hypothesis: int
    text: int
    is_root: bool


class ComparedGraph:
    """A graph in lists, which are quicker to ask than arrays."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.contexts = graph.contexts
        self.edges: list[tuple[int, int, str]] = list(
            zip(
                graph.governors.tolist(),
                graph.dependents.tolist(),
                graph.relations,
                strict=True,
            )
        )
        self.out: list[list[Edge]] = [[] for _ in range(len(graph))]
        self.into: list[list[Edge]] = [[] for _ in range(len(graph))]
        for governor, dependent, relation in self.edges:
            self.out[governor].append((dependent, relation))
            self.into[dependent].append((governor, relation))

    def predicate(self, node: int) -> int:
        """The token that carries what a node's clause says of time and truth."""
        copula = self.graph.copulas[node]
        return copula if copula >= 0 else self.graph.heads[node]

    def is_predicate(self, node: int) -> bool:
        """Whether a node is a verb or is said of a subject by a form of *be*."""
        return self.graph.sorts[node] is Sort.VERB or self.graph.copulas[node] >= 0

    def denies(self, token: int) -> bool:
        """Whether a predicate is said not to hold: by a negation, or by what embeds it.

        Two that cancel each other deny nothing: "it is false that Boris did not leave".
        """
        said = self.contexts.commitments[token]
        if said is Commitment.OPEN:
            return not self.contexts.polarity[token]
        return said is Commitment.FALSE

    @cached_property
    def roots(self) -> list[int]:
        """The nodes that hang on none."""
        return list(self.graph.roots)

    @cached_property
    def main(self) -> int:
        """The root of the main clause: the first that is a predicate, else the first; -1 if none."""
        for root in self.roots:
            if self.is_predicate(root):
                return root
        return self.roots[0] if self.roots else -1


class PairComparison:
    """An aligned pair, with the rarity of the hypothesis's words."""

    def __init__(self, alignment: Alignment, rarities: list[float]) -> None:
        self.alignment = alignment
        self.text = ComparedGraph(alignment.text)
        self.hypothesis = ComparedGraph(alignment.hypothesis)
        self.targets: list[int] = alignment.targets.tolist()
        self.matches = alignment.matches
        self.similarities: list[float] = alignment.similarities.tolist()
        self.rarities = rarities
        """For each node of the hypothesis, from 0 for the commonest words to 1 for rare ones."""
        self.aligned = {target for target in self.targets if target >= 0}
        """The text's nodes with which one of the hypothesis is aligned."""

    def is_supported(self, node: int) -> bool:
        """Whether a node of the hypothesis is aligned with one that may mean the same."""
        return self.matches[node] not in APART

    def nodes(self, *sorts: Sort) -> list[int]:
        """The nodes of the hypothesis of some sorts; of all where none is named."""
        every = self.hypothesis.graph.sorts
        return [node for node, sort in enumerate(every) if not sorts or sort in sorts]

    @cached_property
    def unsupported(self) -> float:
        """The share of the hypothesis's nodes that have no support in the text."""
        n_nodes = len(self.matches)
        return sum(match in APART for match in self.matches) / n_nodes if n_nodes else 0.0

    @property
    def is_covered(self) -> bool:
        """Whether every node of the hypothesis has support, so that only structure can tell."""
        return bool(self.matches) and self.unsupported == 0

    @property
    def is_loose(self) -> bool:
        """Whether over a third of the hypothesis's nodes are without support."""
        return self.unsupported > 1 / 3

    @cached_property
    def predicates(self) -> list[Predicates]:
        """The predicates of the hypothesis that are aligned, each with its partner in the text."""
        return list(self._predicates())

    def _predicates(self) -> Iterator[Predicates]:
        for node, target in enumerate(self.targets):
            root = node == self.hypothesis.main
            if target >= 0 and (root or self.hypothesis.is_predicate(node)):
                yield Predicates(self.hypothesis.predicate(node), self.text.predicate(target), root)


# What a feature is, and what a group of them is.

TERMS = {
    "node": "a content word, a name, a value, or a verb with its particle; articles, auxiliaries,"
    " prepositions, conjunctions and negations are none",
    "edge": "between two nodes: subject, object (of a passive verb too, whose agent is a subject),"
    " a preposition, a modifier",
    "aligned": "a node of the hypothesis with one of the text at most, by likeness of words and edges",
    "similarity": "of an aligned node to its text node, from 0 to 1 by how they match, as 1 for the"
    " same word, 0.9 for a synonym; of an edge, as 1 for the same relation, 0.8 for one that says the"
    " same",
    "weight": "1.2 for a name, 1 for a noun, verb or value, 0.7 for an adjective, 0.5 for an adverb,"
    " 0.3 for others",
    "support": "a node of the hypothesis has it where it is aligned, and not with an antonym, a value"
    " that does not bear it out, or as or with a pronoun",
    "predicate": "a verb, or what a form of *be* says of its subject",
    "rarity": "1 - log(1 + count in WordNet's tagged texts) / log(10,001), at least 0.05; 1 for names,"
    " values and unknown words",
}
"""What the words mean by which features are defined."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One of the numbers that are measured on an aligned pair."""

    name: str
    """The group and what it measures: `polarity.text-negated`."""
    definition: str
    """What it measures, so that it can be worked by hand."""
    example: tuple[str, str]
    """A text and a hypothesis for which it is above 0."""
    is_share: bool = False
    """Whether it is any number from 0 to 1, and not only 0 or 1."""

    @property
    def group(self) -> str:
        """The name of its group."""
        return self.name.partition(".")[0]

    @property
    def range(self) -> str:
        """The values that it can have."""
        return "0 to 1" if self.is_share else "0 or 1"


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """Features that look at one phenomenon, and are measured together."""

    title: str
    """What the paper's Table 1 calls it."""
    features: tuple[Feature, ...]
    measure: Callable[[PairComparison], Sequence[float]]
    """The values of the features, in their order."""

    @property
    def name(self) -> str:
        """The first part of its features' names."""
        return self.features[0].group
