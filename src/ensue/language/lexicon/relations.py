"""Parts of speech and relations of WordNet, and relations as steps between synsets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import UnknownNameError
from ensue.language.lexicon.kernels import Numbers, Steps

# The closed choices of the lexicon: parts of speech, and relations with their WNDB symbols.


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


# Relations of the table as steps from synset to synset.

ANY = 255
"""Any number of steps."""

PLACES = (15, 17)
"""The lexicographer files noun.location and noun.object: countries and cities; lakes, mountains
and continents."""

PERSONS = 18
"""The lexicographer file noun.person."""

Edges = tuple[Numbers, Numbers]


def edges(table: Mapping[str, NDArray[Any]], relation: Relation) -> Edges:
    """The sources and the targets of a relation."""
    return table[f"{relation}.sources"], table[f"{relation}.targets"]


def as_steps(parts: Sequence[Edges], n_synsets: int) -> Steps:
    """The steps of several relations, the first one's first."""
    sources = np.concatenate([part[0] for part in parts])
    targets = np.concatenate([part[1] for part in parts]).astype(np.int32)
    order = np.argsort(sources, kind="stable")
    sizes = np.bincount(sources, minlength=n_synsets)
    return Steps(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), targets[order])


def hypernym_steps(table: Mapping[str, NDArray[Any]], n_synsets: int) -> Steps:
    """Steps up the hierarchy, instances included."""
    kinds = (Relation.HYPERNYM, Relation.INSTANCE_HYPERNYM)
    return as_steps([edges(table, kind) for kind in kinds], n_synsets)


def general_steps(table: Mapping[str, NDArray[Any]], n_synsets: int) -> Steps:
    """Steps to what is as true and says no more.

    Up the hierarchy; into places (`_places`); from a verb to what it entails or causes; from an
    adjective to a similar one.
    """
    up = (Relation.HYPERNYM, Relation.INSTANCE_HYPERNYM, Relation.ENTAILMENT, Relation.CAUSE)
    near = edges(table, Relation.SIMILAR)
    return as_steps([*(edges(table, kind) for kind in up), *_places(table), near], n_synsets)


def _places(table: Mapping[str, NDArray[Any]]) -> tuple[Edges, Edges]:
    """To the place that something is part of, and from a place to what it is a member of.

    The Eiffel Tower is in Paris, and France in the EU. But a Spaniard, a member of Spain, is not in
    the EU for that, and who meets one does not meet Spain; and the hem of a dress, which is filed as
    a place, is no dress.
    """
    is_place = np.isin(table["synsets.file"], PLACES)
    is_person = table["synsets.file"] == PERSONS
    part, whole = edges(table, Relation.PART_HOLONYM)
    member, group = edges(table, Relation.MEMBER_HOLONYM)
    inside = is_place[whole] & ~is_person[part]
    belongs = is_place[member]
    return (part[inside], whole[inside]), (member[belongs], group[belongs])


def walk(steps: Steps, starts: Iterable[int]) -> dict[int, int]:
    """All that can be reached, nearest first, with the fewest steps to each."""
    away = {int(start): 0 for start in starts}
    queue = list(away)
    for synset in queue:
        for target in steps.targets[steps.offsets[synset] : steps.offsets[synset + 1]].tolist():
            if target not in away:
                away[target] = away[synset] + 1
                queue.append(target)
    return away
