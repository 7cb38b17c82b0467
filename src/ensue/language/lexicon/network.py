"""Synsets, their words and the paths between them; words looked up for many questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.errors import UnknownNameError
from ensue.language.lexicon.kernels import (
    Numbers,
    Offsets,
    Reach,
    Steps,
    WordPairs,
    any_shared,
    any_step,
    climb,
    fewest_steps,
)
from ensue.language.lexicon.similarity import (
    Hierarchy,
    hierarchy_of,
    measure_called,
    word_likenesses,
)
from ensue.language.lexicon.vocabulary import (
    ANY,
    HOLONYMS,
    KIN,
    PARTS,
    Edges,
    PartOfSpeech,
    Relation,
    Vocabulary,
    as_steps,
    edges,
    general_steps,
    hypernym_steps,
    normalized,
    offsets_of,
    part_of_speech,
    ranges,
)

# Synsets, their words, and the ways between them.


@dataclass(frozen=True, eq=False)
class Network:
    """The synsets of the table; each graph is made when it is first asked for."""

    vocabulary: Vocabulary

    @property
    def n_synsets(self) -> int:
        """Synsets of all parts of speech."""
        return len(self.vocabulary.table["synsets.offset"])

    @cached_property
    def member_offsets(self) -> Offsets:
        """Where each synset's senses begin in `members`, with the end of the last."""
        return offsets_of(self.vocabulary.table["synsets.members"])

    @cached_property
    def members(self) -> NDArray[np.int64]:
        """The senses of each synset, in its own order of words."""
        table = self.vocabulary.table
        places = self.member_offsets[table["senses.synset"]] + table["senses.rank"]
        found = np.empty(len(places), np.int64)
        found[places] = np.arange(len(places))
        return found

    @cached_property
    def hypernyms(self) -> Steps:
        """Steps up the hierarchy, instances included."""
        return hypernym_steps(self.vocabulary.table.arrays, self.n_synsets)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """All ancestors, depths and information content."""
        reach = climb(self.hypernyms, np.full(self.n_synsets, ANY, np.uint8))
        return hierarchy_of(self.vocabulary.table, self.hypernyms, reach)

    @cached_property
    def generality(self) -> Reach:
        """All that says no more than each synset; an adjective goes one step, others any number."""
        table = self.vocabulary.table
        furthest = np.full(self.n_synsets, ANY, np.uint8)
        start, end = table["synsets.starts"][PartOfSpeech.ADJECTIVE.number :][:2]
        furthest[start:end] = 1
        return climb(general_steps(table.arrays, self.n_synsets), furthest)

    @cached_property
    def wholes(self) -> Steps:
        """Steps to what a synset is part, member or substance of."""
        table = self.vocabulary.table
        return as_steps([edges(table.arrays, kind) for kind in HOLONYMS], self.n_synsets)

    @cached_property
    def is_instance(self) -> NDArray[np.bool_]:
        """Whether each synset is one thing that has a name, as Paris is, and no kind of things."""
        found = np.zeros(self.n_synsets, np.bool_)
        found[edges(self.vocabulary.table.arrays, Relation.INSTANCE_HYPERNYM)[0]] = True
        return found

    @cached_property
    def antonyms(self) -> Steps:
        """Steps from a sense to its opposites."""
        return self._between_senses((Relation.ANTONYM,), both_ways=False)

    @cached_property
    def kin(self) -> Steps:
        """Steps between senses of one root: derivations, pertainyms, participles, both ways."""
        return self._between_senses(KIN, both_ways=True)

    def _between_senses(self, relations: Sequence[Relation], *, both_ways: bool) -> Steps:
        table = self.vocabulary.table
        there = [edges(table.arrays, relation) for relation in relations]
        back = [(target, source) for source, target in there] if both_ways else []
        return as_steps([*there, *back], len(table["senses.synset"]))

    @cached_property
    def backward(self) -> Mapping[Relation, Edges]:
        """Of each relation the targets, increasing, and their sources."""
        found = {}
        for relation in Relation:
            here, there = edges(self.vocabulary.table.arrays, relation)
            order = np.argsort(there, kind="stable")
            found[relation] = there[order], here[order]
        return found

    def part(self, synset: int) -> PartOfSpeech:
        """The part of speech of a synset."""
        starts = self.vocabulary.table["synsets.starts"]
        return PARTS[int(np.searchsorted(starts, synset, "right")) - 1]

    def words(self, synset: int) -> tuple[str, ...]:
        """The words of a synset."""
        start, end = self.member_offsets[synset : synset + 2]
        vocabulary = self.vocabulary
        senses = self.members[start:end].tolist()
        return tuple(vocabulary.word(vocabulary.entry_of_sense(sense)) for sense in senses)

    def words_of(self, synsets: Iterable[int]) -> tuple[str, ...]:
        """The words of many synsets, each once."""
        return tuple(dict.fromkeys(word for synset in synsets for word in self.words(synset)))

    def name(self, synset: int) -> str:
        """The first word of a synset, its part of speech and the number of that word's sense."""
        sense = int(self.members[self.member_offsets[synset]])
        entry = self.vocabulary.entry_of_sense(sense)
        number = sense - int(self.vocabulary.sense_offsets[entry]) + 1
        word = self.vocabulary.word(entry).replace(" ", "_")
        return f"{word}.{self.part(synset).letter}.{number:02d}"

    def called(self, name: str) -> int:
        """The synset of that name: a word, a part of speech and a number, with dots between.

        Raises:
            UnknownNameError: there is none.
        """
        word, letter, number = name.rsplit(".", 2) if name.count(".") > 1 else (name, "n", "")
        found = self.vocabulary.find([normalized(word)])
        entry = int(self.vocabulary.entry(found, part_of_speech(letter))[0])
        senses = self.vocabulary.senses([entry] if entry >= 0 else [])
        if not number.isdecimal() or not 0 < int(number) <= len(senses):
            raise UnknownNameError(
                "no-synset-called", f"no synset is called {name!r}", hint="e.g. 'dog.n.01'"
            )
        return int(self.vocabulary.table["senses.synset"][senses[int(number) - 1]])

    def targets(self, relation: Relation, sources: Sequence[int] | NDArray[np.integer]) -> Numbers:
        """Where a relation leads from synsets, or from senses if it is one of words."""
        return _looked_up(*edges(self.vocabulary.table.arrays, relation), sources)

    def sources(self, relation: Relation, targets: Sequence[int] | NDArray[np.integer]) -> Numbers:
        """Whence a relation leads to synsets or senses."""
        return _looked_up(*self.backward[relation], targets)


def _looked_up(
    keys: Numbers, values: Numbers, wanted: Sequence[int] | NDArray[np.integer]
) -> Numbers:
    """The values of the wanted keys, in the order in which they are wanted; keys are sorted."""
    starts = np.searchsorted(keys, wanted, "left")
    ends = np.searchsorted(keys, wanted, "right")
    parts = [values[start:end] for start, end in zip(starts, ends, strict=True)]
    return np.concatenate([np.zeros(0, np.int32), *parts])


# Words looked up once, to be asked many questions about pairs of them.


class Lemma(NamedTuple):
    """A word as one part of speech."""

    word: str
    part: PartOfSpeech


@dataclass(frozen=True, slots=True, eq=False)
class Meanings:
    """Words and the senses of each; a word that is not in the lexicon has none.

    Pairs of words are two arrays of their numbers, in the order in which they were looked up. Words
    of two parts of speech can be asked about as well as those of one.
    """

    network: Network
    offsets: Offsets
    """Where each word's senses begin, with the end of the last."""
    senses: Numbers
    """The numbers of the senses, word after word, of each the most frequent first."""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def known(self) -> NDArray[np.bool_]:
        """Whether each word has a sense."""
        return np.diff(self.offsets) > 0

    @property
    def synsets(self) -> Numbers:
        """The synset of each sense."""
        return self.network.vocabulary.table["senses.synset"][self.senses]

    @property
    def words(self) -> NDArray[np.int64]:
        """The number of the word that has each sense."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def first(self, most: int) -> Meanings:
        """The same words with only so many senses each."""
        place = np.arange(len(self.senses)) - np.repeat(self.offsets[:-1], np.diff(self.offsets))
        return self.where(place < most)

    def where(self, kept: NDArray[np.bool_]) -> Meanings:
        """The same words with only some of all their senses."""
        before = offsets_of(kept.astype(np.int64))
        return Meanings(self.network, before[self.offsets], self.senses[kept])

    def beside(self, other: Meanings) -> Meanings:
        """The words of both, the other's numbered behind these."""
        offsets = np.concatenate([self.offsets, self.offsets[-1] + other.offsets[1:]])
        return Meanings(self.network, offsets, np.concatenate([self.senses, other.senses]))

    def is_synonym(self, first: Offsets, second: Offsets) -> NDArray[np.bool_]:
        """Whether the two words of each pair share a synset."""
        return any_shared(self._synset_pairs(first, second))

    def is_antonym(self, first: Offsets, second: Offsets) -> NDArray[np.bool_]:
        """Whether the two words of each pair are opposites."""
        return any_step(self._sense_pairs(first, second), self.network.antonyms)

    def is_derivation(self, first: Offsets, second: Offsets) -> NDArray[np.bool_]:
        """Whether the two words of each pair have one root."""
        return any_step(self._sense_pairs(first, second), self.network.kin)

    def hypernym_distance(self, first: Offsets, second: Offsets) -> Numbers:
        """The fewest steps from the first word of each pair up to the second; -1 for none."""
        return fewest_steps(self._synset_pairs(first, second), self.network.hierarchy.reach)

    def generality_distance(self, first: Offsets, second: Offsets) -> Numbers:
        """The fewest steps from the first word to the second, each to what is as true; -1 for none.

        The steps are those of `Lexicon.is_as_general`.
        """
        return fewest_steps(self._synset_pairs(first, second), self.network.generality)

    def similarity(self, measure: str, first: Offsets, second: Offsets) -> NDArray[np.float64]:
        """How alike the most alike senses are; NaN for other than two nouns or two verbs."""
        number = measure_called(measure).number
        return word_likenesses(number, self.network.hierarchy, self._synset_pairs(first, second))

    def _synset_pairs(self, first: Offsets, second: Offsets) -> WordPairs:
        return WordPairs(first, second, self.offsets, self.synsets)

    def _sense_pairs(self, first: Offsets, second: Offsets) -> WordPairs:
        return WordPairs(first, second, self.offsets, self.senses)


def meanings_of(network: Network, lemmas: Sequence[Lemma]) -> Meanings:
    """Look up words as they are: other than elsewhere, no base forms are sought."""
    vocabulary = network.vocabulary
    numbers = vocabulary.find([normalized(lemma.word) for lemma in lemmas])
    places = {part: part.number for part in PARTS}
    parts = np.array([places[lemma.part] for lemma in lemmas], np.int64)
    entries = np.full(len(lemmas), -1, np.int64)
    for part, number in places.items():
        own = parts == number
        entries[own] = vocabulary.entry(numbers[own], part)
    starts = vocabulary.sense_offsets[entries]
    sizes = np.where(entries < 0, 0, vocabulary.sense_offsets[entries + 1] - starts)
    return Meanings(network, offsets_of(sizes), ranges(starts, sizes).astype(np.int32))
