"""Matches of words by meaning in the lexicon, for all pairs of a batch at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.graph_arrays import NodeWord
from ensue.alignment.settings import AlignmentSettings, Match
from ensue.alignment.words import PARTS, Flags, Numbers, WordMatches
from ensue.language.graphs import Sort
from ensue.language.lexicon import Lemma, Lexicon, Meanings, PartOfSpeech

_NOTHING = ("", PartOfSpeech.NOUN, False, False)
_PERSON = ("person", PartOfSpeech.NOUN, False, False)
"""Not too general: of a minister it is worth saying, though texts say it most often of all."""
_PERSON_ROW = 1

_TOO_GENERAL = frozenset(
    (
        *("be", "have", "do", "make", "get", "give", "take", "put", "cause", "act"),
        *("thing", "something", "state", "part", "unit", "measure", "form", "number"),
    )
)
"""Words that follow from nearly all, and from which nothing follows."""

_AS_TRUE = {
    PartOfSpeech.NOUN: Match.PART,
    PartOfSpeech.VERB: Match.ENTAILED,
    PartOfSpeech.ADJECTIVE: Match.SIMILAR,
}
"""What is as true, and is reached otherwise than by hypernyms alone."""


@dataclass(frozen=True, slots=True, eq=False)
class LexicalWords:
    """Words with their rows in the meanings; the first row has no meaning, the next is a person."""

    meanings: Meanings
    rows: Numbers
    adjective_rows: Numbers
    """Of names, as which France is French."""
    verb_rows: Numbers
    """Of nouns, the verb of the same root: of a murder, to murder."""
    too_general: Flags
    """Which rows are of words that say too little."""

    @property
    def known(self) -> Flags:
        """Which words are in the lexicon."""
        known = self.meanings.known
        return known[self.rows] | known[self.adjective_rows]

    @property
    def are_persons(self) -> Flags:
        """Which words mean first of all a person."""
        first = self.meanings.first(1)
        rows = np.arange(len(first))
        return (first.hypernym_distance(rows, np.full(len(first), _PERSON_ROW)) >= 0)[self.rows]


def look_up(words: Sequence[NodeWord], lexicon: Lexicon) -> LexicalWords:
    """Look up what words mean."""
    rows = {_NOTHING: 0, _PERSON: _PERSON_ROW}
    own, adjective, verb = (np.zeros(len(words), np.int64) for _ in range(3))
    for i, word in enumerate(words):
        part = PARTS.get(word.sort)
        if part is not None:
            is_name = word.sort is Sort.NAME
            key = (word.lemma, part, is_name, word.kind == "PERSON")
            own[i] = rows.setdefault(key, len(rows))
            if is_name:
                key = (word.lemma, PartOfSpeech.ADJECTIVE, False, False)
                adjective[i] = rows.setdefault(key, len(rows))
            elif part is PartOfSpeech.NOUN and (root := _verb_of(word.lemma, lexicon)):
                key = (root, PartOfSpeech.VERB, False, False)
                verb[i] = rows.setdefault(key, len(rows))
    meanings = lexicon.meanings([Lemma(word, part) for word, part, _, _ in rows])
    names = np.array([is_name for _, _, is_name, _ in rows], np.bool_)
    persons = np.array([is_person for *_, is_person in rows], np.bool_)
    too_general = np.array([word in _TOO_GENERAL for word, *_ in rows], np.bool_)
    return LexicalWords(_as_names(meanings, names, persons), own, adjective, verb, too_general)


@lru_cache(maxsize=20_000)
def _verb_of(noun: str, lexicon: Lexicon) -> str:
    """The first verb of the same root as a noun; empty where there is none."""
    for kin in lexicon.derivations(noun, PartOfSpeech.NOUN):
        if kin.part is PartOfSpeech.VERB:
            return kin.word
    return ""


def _as_names(meanings: Meanings, is_name: Flags, is_person: Flags) -> Meanings:
    """Let names mean what has a name, and no bushes or bakers; other than persons, if there is one."""
    words = meanings.words
    named = meanings.network.is_instance[meanings.synsets]
    has_named = np.bincount(words[named], minlength=len(is_name)) > 0
    drop = is_name & (has_named | is_person)
    return meanings.where(named | ~drop[words])


def match_meanings(pairs: WordMatches, found: LexicalWords, settings: AlignmentSettings) -> None:
    """Match words of one part of speech by their synonyms, antonyms and what is above them."""
    near = found.meanings.first(settings.senses)
    says_enough = _says_enough(near, settings.least_content)
    far = near.where(says_enough & ~found.too_general[near.words])
    both, matches = near.beside(far), settings.matches
    n, rows, same_part = len(near), found.rows, pairs.same_part()

    where = pairs.open(same_part)
    first, second = rows[pairs.first[where]], rows[pairs.second[where]]
    pairs.put(where[near.is_synonym(first, second)], Match.SYNONYM, matches.synonym)
    pairs.put(where[near.is_antonym(first, second)], Match.ANTONYM, matches.antonym)

    where = pairs.open(same_part)
    first, second = rows[pairs.first[where]], rows[pairs.second[where]]
    above = both.hypernym_distance(second, n + first)
    _put_steps(pairs, where, above, Match.HYPERNYM, matches.hypernym, settings)
    as_true = both.generality_distance(second, n + first)
    for part, match in _AS_TRUE.items():
        own = (pairs.parts[pairs.first[where]] == part.number) & (above < 0)
        steps = np.where(own, as_true, -1)
        _put_steps(pairs, where, steps, match, getattr(matches, match), settings)
    below = both.hypernym_distance(first, n + second)
    _put_steps(pairs, where, below, Match.HYPONYM, matches.hyponym, settings)


def _says_enough(meanings: Meanings, least: float) -> Flags:
    """Which senses are not too general to be worth saying."""
    synsets = meanings.synsets
    start = meanings.offsets[_PERSON_ROW]
    person = synsets[start : meanings.offsets[_PERSON_ROW + 1]][:1]
    return (meanings.network.hierarchy.content[synsets] >= least) | np.isin(synsets, person)


def _put_steps(
    pairs: WordMatches,
    where: Numbers,
    steps: NDArray[np.int32],
    match: Match,
    similarity: float,
    settings: AlignmentSettings,
) -> None:
    """Match pairs that are some steps apart, the less the more these are."""
    is_open = pairs.codes[where] == Match.NONE.number
    is_verb = pairs.parts[pairs.first[where]] == PartOfSpeech.VERB.number
    most = np.where(is_verb, settings.most_verb_steps, settings.most_steps)
    near = is_open & (steps > 0) & (steps <= most)
    pairs.put(where[near], match, similarity * settings.step_decay ** (steps[near] - 1.0))


def match_kin(pairs: WordMatches, found: LexicalWords, settings: AlignmentSettings) -> None:
    """Match words of one root, of whatever part of speech."""
    meanings, rows, adjectives = found.meanings, found.rows, found.adjective_rows
    where = pairs.open((rows[pairs.first] > 0) & (rows[pairs.second] > 0))
    one, other = pairs.first[where], pairs.second[where]
    kin = meanings.is_derivation(rows[one], rows[other])
    kin |= meanings.is_derivation(adjectives[one], rows[other])
    kin |= meanings.is_derivation(rows[one], adjectives[other])
    pairs.put(where[kin], Match.DERIVATION, settings.matches.derivation)


def match_deeds(pairs: WordMatches, found: LexicalWords, settings: AlignmentSettings) -> None:
    """Match a verb with a noun whose own verb means it or implies it: to kill, a murder.

    The hypothesis's word must not say more.
    """
    near, rows, verbs = found.meanings.first(settings.senses), found.rows, found.verb_rows
    is_verb = pairs.parts == PartOfSpeech.VERB.number
    crossing = (is_verb[pairs.first] & (verbs[pairs.second] > 0)) | (
        is_verb[pairs.second] & (verbs[pairs.first] > 0)
    )
    where = pairs.open(crossing)
    one, other = pairs.first[where], pairs.second[where]
    first = np.where(is_verb[one], rows[one], verbs[one])
    second = np.where(is_verb[other], rows[other], verbs[other])
    steps = near.hypernym_distance(second, first)
    says_enough = ~found.too_general[first]
    above = (steps > 0) & (steps <= settings.most_verb_steps) & says_enough
    means = near.is_synonym(first, second) | above
    pairs.put(where[means], Match.DERIVATION, settings.matches.derivation * settings.step_decay)


def match_related(pairs: WordMatches, found: LexicalWords, settings: AlignmentSettings) -> None:
    """Match nouns and verbs that are near each other in the hierarchy; names are not related."""
    common = [word.sort in (Sort.NOUN, Sort.VERB) for word in pairs.words]
    rows = found.rows
    says_enough = ~(found.too_general[rows[pairs.first]] | found.too_general[rows[pairs.second]])
    where = pairs.open(pairs.both(common) & pairs.same_part() & says_enough)
    first, second = rows[pairs.first[where]], rows[pairs.second[where]]
    lin = found.meanings.first(settings.related_senses).similarity("lin", first, second)
    near = lin >= settings.related_cutoff
    pairs.put(where[near], Match.RELATED, settings.matches.related * lin[near])
