"""Words with their predicates, facts about two of them, and these facts in plain English."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ensue.errors import SettingError
from ensue.logic.formulas import Formula

# Words with their predicates, and facts about two of them, as values.


class WordCategory(StrEnum):
    """What a word is in the logic."""

    NOUN = "noun"
    VERB = "verb"
    ADJECTIVE = "adjective"
    """Adverbs of manner too: they have the predicate of their adjective."""
    NAME = "name"
    """Of one thing: a constant, where the others are predicates."""


@dataclass(frozen=True, slots=True)
class PredicateWord:
    """A word and what the formulas write for it."""

    predicate: str
    """Or the constant, if it is a name. The noun and the verb of one spelling have two."""
    lemma: str
    part: WordCategory


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


# Facts about words in plain English.

_VOWELS = "aeiou"
_LIKE_CONSONANTS = ("eu", "one", "once", "ubi", "uni", "use", "usu", "uto")
"""Beginnings that are written with a vowel and spoken with a consonant."""
_LIKE_VOWELS = ("heir", "honest", "honor", "hour")
_OPPOSITES = {
    FactKind.ANTONYM: "{} is the opposite of {}",
    FactKind.DISJOINT: "nothing is both {} and {}",
}


def with_article(noun: str) -> str:
    """A noun with *a* or *an*.

    >>> with_article("animal"), with_article("university"), with_article("hour")
    ('an animal', 'a university', 'an hour')
    """
    like_vowel = noun.startswith(_LIKE_VOWELS)
    vowel = noun[:1].lower() in _VOWELS and not noun.startswith(_LIKE_CONSONANTS)
    return f"{'an' if vowel or like_vowel else 'a'} {noun}"


def gerund(verb: str) -> str:
    """The form in -ing; of a verb of several words, that of the first.

    >>> gerund("kill"), gerund("make"), gerund("die"), gerund("put out")
    ('killing', 'making', 'dying', 'putting out')
    """
    first, space, rest = verb.partition(" ")
    if first.endswith("ie"):
        first = first[:-2] + "y"
    elif first.endswith("e") and not first.endswith(("ee", "oe", "ye")):
        first = first[:-1]
    elif _doubles(first):
        first += first[-1]
    return f"{first}ing{space}{rest}"


def _doubles(verb: str) -> bool:
    """Whether a verb of one syllable ends in one vowel and one consonant."""
    if len(verb) < 3 or verb[-1] in "aeiouwxy" or verb[-2] not in _VOWELS:
        return False
    return not any(letter in _VOWELS for letter in verb[:-2])


def said(word: PredicateWord) -> str:
    """A word as it stands in a sentence: *a dog*, *to buy*, *big*, *Paris*."""
    match word.part:
        case WordCategory.NOUN:
            return with_article(word.lemma)
        case WordCategory.VERB:
            return f"to {word.lemma}"
        case WordCategory.NAME if word.lemma.islower():
            return " ".join(map(str.capitalize, word.lemma.split()))
    return word.lemma


def sentence(kind: FactKind, one: PredicateWord, other: PredicateWord) -> str:
    """What a fact says."""
    match kind:
        case FactKind.SYNONYM:
            return _same(one, other)
        case FactKind.ANTONYM | FactKind.DISJOINT:
            plain = one.lemma, other.lemma
            words = (said(one), said(other)) if kind is FactKind.DISJOINT else plain
            return _OPPOSITES[kind].format(*words)
        case FactKind.DERIVATION:
            noun, verb = (one, other) if one.part == WordCategory.NOUN else (other, one)
            return f"{noun.lemma} is the noun for {said(verb)}"
        case FactKind.PART:
            return f"{said(one)} is in {said(other)}"
        case FactKind.VERB_ENTAILMENT:
            return f"{said(one)} entails {said(other)}"
        case FactKind.CAUSE:
            return f"{gerund(one.lemma)} something makes it {other.lemma}"
    return f"{said(one)} is {said(other)}"


def _same(one: PredicateWord, other: PredicateWord) -> str:
    if one.part == WordCategory.NAME:
        return f"{said(one)} is the same as {said(other)}"
    if one.part == WordCategory.VERB:
        return f"{said(one)} means the same as {said(other)}"
    return f"{one.lemma} means the same as {other.lemma}"
