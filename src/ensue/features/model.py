"""What a feature is, and what a group of them is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ensue.features.comparison import Comparison

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
    measure: Callable[[Comparison], Sequence[float]]
    """The values of the features, in their order."""

    @property
    def name(self) -> str:
        """The first part of its features' names."""
        return self.features[0].group
