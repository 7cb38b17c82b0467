"""Words with their predicates, and facts about two of them, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ensue.errors import SettingError
from ensue.logic.formulas import Formula


class Part(StrEnum):
    """What a word is in the logic."""

    NOUN = "noun"
    VERB = "verb"
    ADJECTIVE = "adjective"
    """Adverbs of manner too: they have the predicate of their adjective."""
    NAME = "name"
    """Of one thing: a constant, where the others are predicates."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word and what the formulas write for it."""

    predicate: str
    """Or the constant, if it is a name. The noun and the verb of one spelling have two."""
    lemma: str
    part: Part


class FactKind(StrEnum):
    """Why a fact holds."""

    SYNONYM = "synonym"
    HYPERNYM = "hypernym"
    """Instances too: Paris is a city."""
    ANTONYM = "antonym"
    DISJOINT = "disjoint"
    """Kinds that have nothing in common; only where settings ask for them."""
    DERIVATION = "derivation"
    PART = "part"
    VERB_ENTAILMENT = "verb entailment"
    CAUSE = "cause"
    NAME = "name"
    """What a name is the name of."""
    RELATION = "relation"
    """What holds of relations whatever their words: before and after, more and less."""


@dataclass(frozen=True, slots=True)
class WordFact:
    """An axiom about a word of the text and a word of the hypothesis."""

    kind: FactKind
    formula: Formula
    words: str
    """In plain English: a dog is an animal."""
    path: tuple[str, ...]
    """The names of WordNet's synsets from the one word to the other."""


@dataclass(frozen=True, slots=True)
class KnowledgeSettings:
    """How much is taken for a fact."""

    senses: int | None = 3
    """How many first senses of each word count; None for all."""
    share: float = 0.2
    """How likely it must be that the two words are meant in senses of which the fact holds, each by
    how often WordNet's texts have its senses; 0 takes every fact that holds of any two senses."""
    disjoint: bool = False
    """Whether animals, persons, artifacts, plants and places are taken to have nothing in common."""
    backward: bool = False
    """Whether words of the hypothesis may lead to words of the text too, as in *no animal barks, so
    no dog barks*."""

    def __post_init__(self) -> None:
        if self.senses is not None and self.senses < 1:
            raise SettingError(f"the first {self.senses!r} senses make no sense", hint="at least 1")
        if not 0 <= self.share <= 1:
            raise SettingError(f"a share of {self.share!r} makes no sense", hint="from 0 to 1")
