"""Words with their predicates and senses, and facts about two of them in plain English.

The likelihood of a sense is how often WordNet's texts (SemCor) have it among all of its word's, with
half an occurrence added to each. It is of all senses, so that to look at more of them takes nothing
from the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError, UnknownNameError
from ensue.language.lexicon import (
    PERSONS,
    PLACES,
    Edges,
    Lexicon,
    PartOfSpeech,
    Relation,
    Steps,
    as_steps,
    edges,
    walk,
)
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
    CONVERSIVE = "conversive"
    """What an event or a relation is called from its other side: sold to, bought by."""
    RELATION = "relation"
    """What holds of relations whatever their words: before and after, more and less."""
    MONOTONICITY = "monotonicity"
    """That one sentence leads to another, which differs from it in one place."""


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
            raise SettingError(
                "first-senses-make-no",
                f"the first {self.senses!r} senses make no sense",
                hint="at least 1",
            )
        if not 0 <= self.share <= 1:
            raise SettingError(
                "share-makes-no-sense",
                f"a share of {self.share!r} makes no sense",
                hint="from 0 to 1",
            )


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


# Senses of words, how likely each is, and where it leads in WordNet.

Weights = dict[int, float]
"""Synsets, and how likely each is."""


class SynsetPath(StrEnum):
    """Which steps lead from synset to synset."""

    UP = "up"
    """To hypernyms."""
    GENERAL = "general"
    """To hypernyms, and to what a verb entails."""
    WHOLE = "whole"
    """To the place that a place is part of."""


_KEPT = 1 << 14
_ADDED = 0.5
_PARTS = {
    WordCategory.NOUN: PartOfSpeech.NOUN,
    WordCategory.VERB: PartOfSpeech.VERB,
    WordCategory.ADJECTIVE: PartOfSpeech.ADJECTIVE,
    WordCategory.NAME: PartOfSpeech.NOUN,
}


@dataclass(frozen=True, slots=True, eq=False)
class SenseReading:
    """The senses of a word that count, and all that they lead to."""

    synsets: Weights
    """The likelihood of each sense, by its synset."""
    above: Weights
    """How likely the word means each synset, or something below it."""
    general: Weights
    """The same, with what verbs entail."""
    caused: Weights
    """How likely the word makes each happen."""
    wholes: Weights
    """How likely it names a place that is part of each."""


@dataclass(frozen=True, eq=False)
class SenseInventory:
    """Readings of words; what was asked once is kept."""

    lexicon: Lexicon
    most: int | None
    """How many first senses of a word count."""

    @cached_property
    def reading(self) -> Callable[[str, WordCategory], SenseReading]:
        """The senses of a lemma as a part of speech, or as a name."""
        return lru_cache(_KEPT)(self._reading)

    def of(self, word: PredicateWord) -> SenseReading:
        """The senses of a word."""
        return self.reading(word.lemma, word.part)

    @cached_property
    def _ways(self) -> dict[SynsetPath, Steps]:
        table, n = self.lexicon.table.arrays, self.lexicon.network.n_synsets
        up = self.lexicon.network.hypernyms
        entailed = edges(table, Relation.ENTAILMENT)
        above = [edges(table, kind) for kind in (Relation.HYPERNYM, Relation.INSTANCE_HYPERNYM)]
        general = as_steps([*above, entailed], n)
        return {
            SynsetPath.UP: up,
            SynsetPath.GENERAL: general,
            SynsetPath.WHOLE: as_steps([self._places()], n),
        }

    def _places(self) -> Edges:
        """From the places that are part of others to these."""
        table = self.lexicon.table.arrays
        part, whole = edges(table, Relation.PART_HOLONYM)
        place = np.isin(table["synsets.file"], PLACES)
        inside = place[part] & place[whole]
        return part[inside], whole[inside]

    def steps(self, way: SynsetPath) -> Steps:
        """The steps of one kind between synsets."""
        return self._ways[way]

    def _reading(self, lemma: str, part: WordCategory) -> SenseReading:
        synsets = self._likely(lemma, part)
        is_verb, is_name = part == WordCategory.VERB, part == WordCategory.NAME
        above = self._reached(synsets, SynsetPath.UP)
        if part == WordCategory.ADJECTIVE:
            above = self._with_centers(synsets)
        return SenseReading(
            synsets,
            above,
            self._reached(synsets, SynsetPath.GENERAL) if is_verb else above,
            self._caused(synsets) if is_verb else {},
            self._parts_of(synsets) if is_name else {},
        )

    def _likely(self, lemma: str, part: WordCategory) -> Weights:
        """The first senses of the word itself, or of the first lemma that it is a form of."""
        vocabulary, table = self.lexicon.vocabulary, self.lexicon.table
        entries = vocabulary.entries([lemma], _PARTS[part])[0][:1]
        senses = vocabulary.senses(entries)
        if part == WordCategory.NAME:
            senses = senses[self._named(lemma, table["senses.synset"][senses])]
        counts = table["senses.count"][senses] + _ADDED
        shares = counts / counts.sum() if len(counts) else counts
        synsets = table["senses.synset"][senses[: self.most]]
        return dict(zip(synsets.tolist(), shares.tolist(), strict=False))

    def _named(self, lemma: str, synsets: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Which synsets are of one thing; of a person only if the name is more than one word.

        Of the many who are called Smith, WordNet knows few.
        """
        named = self.lexicon.network.is_instance[synsets]
        if " " not in lemma and "_" not in lemma:
            named &= self.lexicon.table["synsets.file"][synsets] != PERSONS
        return named

    def _reached(self, synsets: Weights, way: SynsetPath) -> Weights:
        found: Weights = {}
        for synset, share in synsets.items():
            for other in walk(self.steps(way), [synset]):
                found[other] = found.get(other, 0.0) + share
        return found

    def _with_centers(self, synsets: Weights) -> Weights:
        """Adjectives with those at the center of their clusters, which have opposites: gigantic, large."""
        found = dict(synsets)
        for synset, share in synsets.items():
            if targets(self._opposed, synset):
                continue
            for center in self.lexicon.network.targets(Relation.SIMILAR, [synset]).tolist():
                if targets(self._opposed, center):
                    found[center] = found.get(center, 0.0) + share
        return found

    def _parts_of(self, places: Weights) -> Weights:
        """The places that each is part of, but not the place itself."""
        found = self._reached(places, SynsetPath.WHOLE)
        rest = {place: found[place] - share for place, share in places.items()}
        return {place: share for place, share in (found | rest).items() if share > 0}

    def _caused(self, synsets: Weights) -> Weights:
        found: Weights = {}
        network = self.lexicon.network
        for synset, share in synsets.items():
            above = list(walk(network.hypernyms, [synset]))
            effects = network.targets(Relation.CAUSE, above).tolist()
            for other in walk(network.hypernyms, effects):
                found[other] = found.get(other, 0.0) + share
        return found

    @cached_property
    def _opposed(self) -> Steps:
        """Steps from a synset to those that have an opposite of one of its words."""
        synset = self.lexicon.table["senses.synset"]
        one, other = edges(self.lexicon.table.arrays, Relation.ANTONYM)
        return as_steps([(synset[one], synset[other])], self.lexicon.network.n_synsets)

    def opposites(self, one: PredicateWord, other: PredicateWord) -> list[tuple[int, int, float]]:
        """The synsets of two words that are opposites, and how likely both are."""
        steps, there = self._opposed, self.of(other).synsets
        return [
            (synset, target, share * there[target])
            for synset, share in self.of(one).synsets.items()
            for target in targets(steps, synset)
            if target in there
        ]

    def called(self, names: Iterable[str]) -> tuple[int, ...]:
        """The synsets of those names, without those that the lexicon has not."""
        found = []
        for name in names:
            try:
                found.append(self.lexicon.synset(name))
            except UnknownNameError:  # a lexicon of a few words
                continue
        return tuple(found)

    def chain(self, one: PredicateWord, other: PredicateWord, way: SynsetPath) -> tuple[str, ...]:
        """The names from the likeliest sense of one word to one of the other, by the fewest steps."""
        there = self.of(other).synsets
        if one.part == WordCategory.ADJECTIVE:
            return self._center_chain(one, there)
        found = [
            (share * there[chain[-1]], chain)
            for start, share in self.of(one).synsets.items()
            for chain in chains(self.steps(way), start, there)
        ]
        return self._names(found)

    def _center_chain(self, one: PredicateWord, there: Weights) -> tuple[str, ...]:
        """From an adjective to one at the center of its cluster."""
        found = [
            (share * there[center], [synset, center])
            for synset, share in self.of(one).synsets.items()
            for center in self._with_centers({synset: share})
            if center in there
        ]
        return self._names(found)

    def cause_chain(self, one: PredicateWord, other: PredicateWord) -> tuple[str, ...]:
        """The same, up from one verb to one that makes happen what is the other or below it."""
        up, there = self.steps(SynsetPath.UP), self.of(other).synsets
        network = self.lexicon.network
        found = []
        for start, share in self.of(one).synsets.items():
            for first in chains(up, start, walk(up, [start])):
                for effect in network.targets(Relation.CAUSE, first[-1:]).tolist():
                    for rest in chains(up, effect, there):
                        found.append((share * there[rest[-1]], [*first, *rest]))
        return self._names(found)

    def _names(self, found: Iterable[tuple[float, list[int]]]) -> tuple[str, ...]:
        """Those of the likeliest chain; of equals the shortest."""
        best = max(found, key=lambda each: (each[0], -len(each[1])), default=(0.0, []))
        return tuple(map(self.lexicon.name, best[1]))


def targets(steps: Steps, synset: int) -> list[int]:
    """Where one step leads, each once."""
    found = steps.targets[steps.offsets[synset] : steps.offsets[synset + 1]].tolist()
    return list(dict.fromkeys(found))


def chains(steps: Steps, start: int, ends: Iterable[int]) -> list[list[int]]:
    """A shortest way from a synset to each of some others that it reaches."""
    before = {start: start}
    queue = [start]
    for synset in queue:
        for target in targets(steps, synset):
            if target not in before:
                before[target] = synset
                queue.append(target)
    return [_back(before, end) for end in ends if end in before]


def _back(before: dict[int, int], end: int) -> list[int]:
    way = [end]
    while before[way[-1]] != way[-1]:
        way.append(before[way[-1]])
    return way[::-1]


def shared(one: Weights, other: Weights) -> float:
    """How likely two words meet, of which each means one thing at a time."""
    if len(one) > len(other):
        one, other = other, one
    return sum(share * other[key] for key, share in one.items() if key in other)
