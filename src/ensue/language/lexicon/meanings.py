"""Words looked up once, to be asked many questions about pairs of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.language.lexicon.kernels import (
    Numbers,
    Offsets,
    WordPairs,
    any_shared,
    any_step,
    fewest_steps,
)
from ensue.language.lexicon.likeness import word_likenesses
from ensue.language.lexicon.measures import measure_called
from ensue.language.lexicon.morphology import normalized
from ensue.language.lexicon.network import Network
from ensue.language.lexicon.parts import PARTS, PartOfSpeech
from ensue.language.lexicon.vocabulary import offsets_of, ranges


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
