"""How nodes and edges of a hypothesis meet those of a text."""

from __future__ import annotations

from enum import StrEnum


class Match(StrEnum):
    """How a hypothesis's node meets its text's node."""

    SAME = "same"
    """The same lemma, or the same form."""
    VALUE = "value"
    """A value that is the text's, or follows from it."""
    NAME = "name"
    """Another name of the same: Curie and Marie Curie, UN and United Nations."""
    SYNONYM = "synonym"
    ANTONYM = "antonym"
    HYPERNYM = "hypernym"
    """The hypothesis's word is the more general one, so it follows: dog, animal."""
    HYPONYM = "hyponym"
    """The hypothesis's word is the more specific one: animal, dog."""
    ENTAILED = "entailed"
    """What the text's verb entails or causes: kill, die."""
    PART = "part"
    """The place in which the text's place is: Paris, France."""
    SIMILAR = "similar"
    """A similar adjective."""
    DERIVATION = "derivation"
    """Of the same root: destroy, destruction; France, French."""
    SPELLING = "spelling"
    """Nearly the same letters."""
    RELATED = "related"
    """Near in the hierarchy of meanings: bus, train."""
    CONFLICT = "conflict"
    """A value of the same kind that does not follow: 62, 64."""
    PRONOUN = "pronoun"
    """A pronoun and what it may stand for."""
    NONE = "none"

    @property
    def number(self) -> int:
        """By which the kernels know it."""
        return MATCHES.index(self)


class EdgeMatch(StrEnum):
    """How a hypothesis's edge meets what is between the text's nodes of its two ends."""

    SAME = "same"
    """An edge of the same relation and direction."""
    NORMALIZED = "normalized"
    """An edge that says the same in another way: `dobj` of destroy, `prep_of` of destruction."""
    PATH = "path"
    """A way of a few edges, of whatever relations."""
    MERGED = "merged"
    """Both ends are at one node."""
    NONE = "none"


class Search(StrEnum):
    """How the best alignment is sought."""

    TREE = "tree"
    """Exactly, by dynamic programming along the hypothesis's tree."""
    CHAIN = "chain"
    """By a Markov chain with annealing."""
    GREEDY = "greedy"
    """Each node goes to the most similar one, whatever the edges."""


MATCHES = tuple(Match)
EDGE_MATCHES = tuple(EdgeMatch)
SEARCHES = tuple(Search)
