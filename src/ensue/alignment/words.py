"""How two words match, whatever is around them: all distinct pairs of a batch at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.flattening import Word
from ensue.alignment.matches import Match
from ensue.alignment.names import mean_one, name_of
from ensue.alignment.nations import nation_of
from ensue.alignment.settings import AlignmentSettings
from ensue.alignment.spelling import letters_of, spelling_likenesses
from ensue.language.graphs import Sort
from ensue.language.lexicon import PartOfSpeech
from ensue.language.values import Agreement, agreement

PARTS = {
    Sort.NOUN: PartOfSpeech.NOUN,
    Sort.NAME: PartOfSpeech.NOUN,
    Sort.VERB: PartOfSpeech.VERB,
    Sort.ADJECTIVE: PartOfSpeech.ADJECTIVE,
    Sort.ADVERB: PartOfSpeech.ADVERB,
}
"""As what words of each sort are in the lexicon."""

NO_PART = -1
_AGREEING = frozenset((Agreement.SAME, Agreement.FOLLOWS))

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class WordPairs:
    """Pairs of words, and how they match as far as that is known."""

    words: Sequence[Word]
    """Distinct ones."""
    first: Numbers
    """The hypothesis's word of each pair."""
    second: Numbers
    """The text's."""
    codes: NDArray[np.uint8]
    """The number of each pair's match."""
    similarities: NDArray[np.float64]
    parts: Numbers
    """The number of each word's part of speech; -1 for what is in no lexicon."""

    @classmethod
    def unmatched(cls, words: Sequence[Word], first: Numbers, second: Numbers) -> WordPairs:
        """Pairs of which nothing is known."""
        numbers = {sort: part.number for sort, part in PARTS.items()}
        parts = np.array([numbers.get(word.sort, NO_PART) for word in words], np.int64)
        codes = np.full(len(first), Match.NONE.number, np.uint8)
        return cls(words, first, second, codes, np.zeros(len(first)), parts)

    def open(self, among: Flags | None = None) -> Numbers:
        """The numbers of the pairs for which no match was found yet."""
        is_open = self.codes == Match.NONE.number
        return np.flatnonzero(is_open if among is None else is_open & among)

    def both(self, has: Sequence[bool]) -> Flags:
        """For which pairs both words have something."""
        flags = np.array(has, np.bool_)
        return flags[self.first] & flags[self.second]

    def same_part(self) -> Flags:
        """Which pairs are of one part of speech."""
        one, other = self.parts[self.first], self.parts[self.second]
        same: Flags = (one == other) & (one != NO_PART)
        return same

    def put(self, where: Numbers, match: Match, similarities: float | NDArray[np.float64]) -> None:
        """Set the match of pairs."""
        self.codes[where] = match.number
        self.similarities[where] = similarities


def match_values(pairs: WordPairs, settings: AlignmentSettings) -> None:
    """Match values by what they say; those of two kinds stay open."""
    words, matches = pairs.words, settings.matches
    where = pairs.open(pairs.both([word.value is not None for word in words]))
    found: dict[Match, list[int]] = {Match.SAME: [], Match.VALUE: [], Match.CONFLICT: []}
    for k, i, j in _numbered(pairs, where):
        match = _match_of_values(words[i], words[j])
        if match is not None:
            found[match].append(k)
    for match, places in found.items():
        pairs.put(np.array(places, np.int64), match, getattr(matches, match))


def _match_of_values(hypothesis: Word, text: Word) -> Match | None:
    if hypothesis.value is None or text.value is None:
        return None
    answer = agreement(text.value, hypothesis.value)
    if answer is Agreement.INCOMPARABLE:
        return None
    if answer not in _AGREEING:
        return Match.CONFLICT
    same = answer is Agreement.SAME and hypothesis.lemma == text.lemma
    return Match.SAME if same else Match.VALUE


def _numbered(pairs: WordPairs, where: Numbers) -> Iterator[tuple[int, int, int]]:
    """Some pairs, each with the numbers of its two words."""
    return zip(
        where.tolist(), pairs.first[where].tolist(), pairs.second[where].tolist(), strict=True
    )


def match_equals(pairs: WordPairs, settings: AlignmentSettings) -> None:
    """Match words with one lemma or one form, a little less where their part of speech differs."""
    numbers: dict[str, int] = {}
    lemmas = np.array([numbers.setdefault(word.lemma, len(numbers)) for word in pairs.words])
    forms = np.array([numbers.setdefault(word.form, len(numbers)) for word in pairs.words])
    first, second = pairs.first, pairs.second
    equal = (lemmas[first] == lemmas[second]) | (forms[first] == forms[second])
    other_part = pairs.parts[first] != pairs.parts[second]
    same = settings.matches.same
    pairs.put(pairs.open(equal & ~other_part), Match.SAME, same)
    pairs.put(pairs.open(equal & other_part), Match.SAME, same * settings.other_sort)


def match_names(pairs: WordPairs, settings: AlignmentSettings) -> None:
    """Match names that may mean one."""
    names = [
        name_of(word.lemma, word.kind) if word.sort is Sort.NAME else None for word in pairs.words
    ]
    where = pairs.open(pairs.both([name is not None for name in names]))
    found = []
    for k, i, j in _numbered(pairs, where):
        one, other = names[i], names[j]
        if one is not None and other is not None and mean_one(one, other):
            found.append(k)
    pairs.put(np.array(found, np.int64), Match.NAME, settings.matches.name)


def match_nations(pairs: WordPairs, settings: AlignmentSettings) -> None:
    """Match the names of one place, and the words for what or who is from it: Sweden, Swedish."""
    found = [nation_of(word.lemma) for word in pairs.words]
    places = np.array([place for place, _ in found], np.int64)
    are_names = pairs.both([is_name for _, is_name in found])
    one = (places[pairs.first] == places[pairs.second]) & (places[pairs.first] >= 0)
    pairs.put(pairs.open(one & are_names), Match.NAME, settings.matches.name)
    pairs.put(pairs.open(one & ~are_names), Match.DERIVATION, settings.matches.derivation)


def match_heads(pairs: WordPairs, settings: AlignmentSettings) -> None:
    """Match the name of something with what its last word says it is: Ohio University, university.

    Not of persons: somebody called Baker is no baker.
    """
    numbers: dict[str, int] = {}
    lemmas, heads = np.zeros(len(pairs.words), np.int64), np.zeros(len(pairs.words), np.int64)
    for i, (lemma, sort, kind, _, _) in enumerate(pairs.words):
        is_noun, is_name = sort is Sort.NOUN, sort is Sort.NAME and kind != "PERSON"
        head = lemma.partition(" of ")[0].rpartition(" ")[2] if is_name and " " in lemma else ""
        lemmas[i] = numbers.setdefault(lemma, len(numbers)) if is_noun else -1
        heads[i] = numbers.setdefault(head, len(numbers)) if head else -2
    first, second, matches = pairs.first, pairs.second, settings.matches
    pairs.put(pairs.open(lemmas[first] == heads[second]), Match.HYPERNYM, matches.hypernym)
    pairs.put(pairs.open(heads[first] == lemmas[second]), Match.HYPONYM, matches.hyponym)


def match_spelling(pairs: WordPairs, known: Flags, settings: AlignmentSettings) -> None:
    """Match words that are spelled nearly alike, unless the lexicon knows both.

    Args:
        pairs: Those of which no other match was found.
        known: Which words are in the lexicon.
        settings: How similar two words have to be.
    """
    both_known = known[pairs.first] & known[pairs.second]
    where = pairs.open(pairs.same_part() & ~both_known)
    letters, offsets = letters_of([word.lemma for word in pairs.words])
    cutoff = settings.spelling_cutoff
    alike = spelling_likenesses(letters, offsets, pairs.first[where], pairs.second[where], cutoff)
    near = alike > 0
    pairs.put(where[near], Match.SPELLING, settings.matches.spelling * alike[near])
