"""A text as a graph of content words: what alignment and the features look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ensue.language.contexts.categories import Contexts
from ensue.language.sentence import Sentence
from ensue.language.values.value import Value


class Sort(StrEnum):
    """What sort of word a node is."""

    NOUN = "noun"
    NAME = "name"
    """A proper noun or a named entity."""
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"
    VALUE = "value"
    """A number, an amount, a date or a time."""
    PRONOUN = "pronoun"
    OTHER = "other"


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """The content words of a text and how they depend on each other.

    A node is one or more tokens: a word, a name, a collocation, a verb with its particle, a value.
    Articles, auxiliaries, prepositions, conjunctions, negations and punctuation are no nodes: what
    they say is in the relations of the edges and in the contexts. A node has any number of edges to
    others, so that the subject of two conjoined verbs depends on both.
    """

    sentence: Sentence
    tokens: tuple[tuple[int, ...], ...]
    """The tokens of each node, in their order."""
    heads: tuple[int, ...]
    """Of the tokens of each node, the one on which the others depend."""
    lemmas: tuple[str, ...]
    """In lower case; of a node of several tokens with spaces: `new york`, `blow up`, `hot dog`."""
    sorts: tuple[Sort, ...]
    kinds: tuple[str, ...]
    """The kind of named entity that the node is, as `PERSON`, `ORG`, `GPE`; empty for others."""
    copulas: tuple[int, ...]
    """For each node that is said of a subject by a form of *be*, the token of that; -1 for others."""
    governors: NDArray[np.int32]
    """For each edge the node from which it leads."""
    dependents: NDArray[np.int32]
    """For each edge the node to which it leads."""
    relations: tuple[str, ...]
    """For each edge, as `nsubj`, `dobj`, `iobj`, `prep_to`, `poss`, `amod`, `appos`, `conj_and`."""
    parents: NDArray[np.int32]
    """For each node the number of the edge by which it hangs in the tree; -1 for a root."""
    values: tuple[Value | None, ...]
    """What a node stands for as a value."""
    contexts: Contexts
    """Negation, quantifiers, modality, tense and embedding, for each token of the sentence."""

    def __len__(self) -> int:
        return len(self.lemmas)

    @property
    def roots(self) -> tuple[int, ...]:
        """The nodes that hang on none."""
        return tuple(np.flatnonzero(self.parents < 0).tolist())

    def node_of(self) -> NDArray[np.int32]:
        """For each token its node; -1 for tokens that are in none."""
        found = np.full(len(self.sentence), -1, np.int32)
        for node, tokens in enumerate(self.tokens):
            found[list(tokens)] = node
        return found

    def span(self, node: int) -> tuple[int, int]:
        """Where a node's first token begins in the text, and its last one ends."""
        tokens = self.tokens[node]
        return int(self.sentence.starts[tokens[0]]), int(self.sentence.ends[tokens[-1]])

    def edges_from(self, node: int) -> Sequence[int]:
        """The numbers of the edges that lead from a node."""
        return np.flatnonzero(self.governors == node).tolist()
