"""Kinds of matches and of searches, and the settings of an alignment."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, field
from enum import StrEnum

from ensue.errors import SettingError

# How nodes and edges of a hypothesis meet those of a text.


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


class SearchMethod(StrEnum):
    """How the best alignment is sought."""

    TREE = "tree"
    """Exactly, by dynamic programming along the hypothesis's tree."""
    CHAIN = "chain"
    """By a Markov chain with annealing."""
    GREEDY = "greedy"
    """Each node goes to the most similar one, whatever the edges."""


MATCHES = tuple(Match)
EDGE_MATCHES = tuple(EdgeMatch)
SEARCHES = tuple(SearchMethod)


# What an alignment is worth, and how it is sought.


@dataclass(frozen=True, slots=True)
class MatchSimilarities:
    """How similar two nodes are by the way in which they match, from 0 to 1.

    Antonyms are as similar as synonyms on purpose: aligned, the features see them.
    """

    same: float = 1.0
    value: float = 0.95
    name: float = 0.9
    synonym: float = 0.9
    antonym: float = 0.9
    hypernym: float = 0.85
    hyponym: float = 0.6
    entailed: float = 0.8
    part: float = 0.7
    similar: float = 0.7
    derivation: float = 0.8
    spelling: float = 0.6
    related: float = 0.5
    conflict: float = 0.2
    pronoun: float = 0.15


@dataclass(frozen=True, slots=True)
class EdgeSimilarities:
    """How similar an edge is to what is between the nodes of its ends, from 0 to 1."""

    same: float = 1.0
    normalized: float = 0.8
    path: float = 0.5
    """Of one step; of more, times `decay` for each."""
    merged: float = 0.4
    decay: float = 0.7


@dataclass(frozen=True, slots=True)
class NodeWeights:
    """How much nodes of each sort count."""

    noun: float = 1.0
    name: float = 1.2
    verb: float = 1.0
    adjective: float = 0.7
    adverb: float = 0.5
    value: float = 1.0
    pronoun: float = 0.3
    other: float = 0.3


@dataclass(frozen=True, slots=True)
class AlignmentSettings:
    """The objective and the search.

    Raises:
        SettingError: a number is out of its range.
    """

    search: SearchMethod = SearchMethod.TREE
    matches: MatchSimilarities = field(default_factory=MatchSimilarities)
    edges: EdgeSimilarities = field(default_factory=EdgeSimilarities)
    weights: NodeWeights = field(default_factory=NodeWeights)
    edge_weight: float = 0.5
    """How much an edge counts beside a node."""
    other_sort: float = 0.9
    """By what the similarity of equal words of two parts of speech is multiplied."""
    step_decay: float = 0.9
    """By what each step in the hierarchy after the first multiplies the similarity."""
    most_steps: int = 5
    """The furthest that a word may be from one that is more general."""
    most_verb_steps: int = 2
    """As `most_steps`, for verbs, of which those further up say little."""
    senses: int = 3
    """Of each word, only the first few count for what is above and beside it."""
    related_senses: int = 2
    least_content: float = 2.5
    """Meanings that say less, in nats, are too general to follow; persons excepted."""
    related_cutoff: float = 0.7
    """The least Lin similarity of related words."""
    spelling_cutoff: float = 0.8
    """One less the edits per letter: one edit in five letters, two in ten."""
    candidates: int = 12
    """How many text nodes are kept for each hypothesis node."""
    path_limit: int = 4
    """The longest way between two nodes that counts."""
    conditions: int = 512
    """The most assignments of nodes with several edges that the exact search goes through."""
    seed: int = 0
    sweeps: int = 60
    """How often the Markov chain goes through all nodes."""

    def __post_init__(self) -> None:
        for group in (self.matches, self.edges):
            for name, number in asdict(group).items():
                if not 0 <= number <= 1:
                    raise SettingError("not-in-range", f"{name} is {number!r}", hint="from 0 to 1")
        if min(*astuple(self.weights), self.edge_weight) < 0:
            raise SettingError("weight-below", "a weight is below 0")
        counts = ("candidates", "path_limit", "conditions", "sweeps", "senses", "related_senses")
        for name in counts:
            if getattr(self, name) < 1:
                raise SettingError(
                    "not-in-range", f"{name} is {getattr(self, name)!r}", hint="at least 1"
                )
