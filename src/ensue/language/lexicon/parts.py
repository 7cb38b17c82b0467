"""The closed choices of the lexicon: parts of speech, and relations with their WNDB symbols."""

from __future__ import annotations

from enum import StrEnum

from ensue.errors import UnknownNameError


class PartOfSpeech(StrEnum):
    """The four parts of speech that WordNet has, in the order in which the table keeps them."""

    NOUN = "noun"
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"

    @property
    def number(self) -> int:
        """Its place in the table."""
        return PARTS.index(self)

    @property
    def letter(self) -> str:
        """WordNet's letter for it: n, v, a or r."""
        return _LETTERS[self.number]


PARTS = tuple(PartOfSpeech)
_LETTERS = "nvar"


def part_of_speech(name: str) -> PartOfSpeech:
    """The part of speech of that name, or of WordNet's letter for it.

    >>> part_of_speech("noun"), part_of_speech("s").value
    (<PartOfSpeech.NOUN: 'noun'>, 'adjective')

    Raises:
        UnknownNameError: there is none.
    """
    if name in PARTS:
        return PartOfSpeech(name)
    if name == "s":  # a satellite: an adjective that is near a more central one
        return PartOfSpeech.ADJECTIVE
    if len(name) == 1 and name in _LETTERS:
        return PARTS[_LETTERS.index(name)]
    raise UnknownNameError.of("part of speech", name, map(str, PARTS))


class Relation(StrEnum):
    """What one synset, or one sense of a word, is to another.

    The last four hold between senses of words, the others between whole synsets.
    """

    HYPERNYM = "hypernym"
    INSTANCE_HYPERNYM = "instance hypernym"
    MEMBER_HOLONYM = "member holonym"
    PART_HOLONYM = "part holonym"
    SUBSTANCE_HOLONYM = "substance holonym"
    ENTAILMENT = "entailment"
    CAUSE = "cause"
    SIMILAR = "similar"
    ANTONYM = "antonym"
    DERIVATION = "derivation"
    PERTAINYM = "pertainym"
    PARTICIPLE = "participle"

    @property
    def of_words(self) -> bool:
        """Whether it holds between senses of words."""
        return self in _OF_WORDS


_OF_WORDS = {Relation.ANTONYM, Relation.DERIVATION, Relation.PERTAINYM, Relation.PARTICIPLE}

SYMBOLS = {
    "@": Relation.HYPERNYM,
    "@i": Relation.INSTANCE_HYPERNYM,
    "#m": Relation.MEMBER_HOLONYM,
    "#p": Relation.PART_HOLONYM,
    "#s": Relation.SUBSTANCE_HOLONYM,
    "*": Relation.ENTAILMENT,
    ">": Relation.CAUSE,
    "&": Relation.SIMILAR,
    "!": Relation.ANTONYM,
    "+": Relation.DERIVATION,
    "\\": Relation.PERTAINYM,
    "<": Relation.PARTICIPLE,
}
"""Pointer symbols of wninput(5WN); those not here are not kept.

An adverb has the symbol of a pertainym for the adjective that it comes from.
"""

HOLONYMS = (Relation.PART_HOLONYM, Relation.MEMBER_HOLONYM, Relation.SUBSTANCE_HOLONYM)

KIN = (Relation.DERIVATION, Relation.PERTAINYM, Relation.PARTICIPLE)
"""Relations between words of the same root."""


def relation(name: str) -> Relation:
    """The relation of that name.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in set(Relation):
        raise UnknownNameError.of("relation", name, map(str, Relation))
    return Relation(name)
