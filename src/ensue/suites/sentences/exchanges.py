"""What may be exchanged for what in a near miss, so that it is false for a reader.

A word that means the same as another, or something more general, says nothing false in its place;
WordNet says which do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Protocol, TypeVar

from ensue.language.lexicon import load_lexicon
from ensue.suites.grammar import Phrase, PhraseKind
from ensue.suites.sentences.frames import Frame

E = TypeVar("E", bound="Named")


class Named(Protocol):
    """A predicate."""

    @property
    def name(self) -> str:
        """The lemma, with a hyphen and something more where there are two."""

    @property
    def implies(self) -> frozenset[str]:
        """Predicates that a reader may take to follow."""


class Dictionary(Protocol):
    """Knows which words say no more than others."""

    def is_as_general(
        self, first: Sequence[str], second: Sequence[str], pos: str, /
    ) -> Iterable[bool]:
        """Whether each second word may say the same as the first, or something more general."""


def wordnet() -> Dictionary:
    """The dictionary that comes with the package."""
    return load_lexicon()


def weaker_predicates(
    predicates: Iterable[Named], dictionary: Dictionary
) -> dict[str, frozenset[str]]:
    """For each predicate, by name, those that a reader may take to follow; it is one of them itself."""
    implied = {predicate.name: predicate.implies for predicate in predicates}
    weaker = _pairs(dictionary, {name: _lemma(name) for name in sorted(implied)}, "verb")
    return {name: implied[name] | weaker[name] for name in implied}


def siblings(
    frames: Sequence[tuple[E, Frame]], weaker: Mapping[str, frozenset[str]]
) -> dict[int, list[tuple[E, Frame]]]:
    """Frames of the same shape whose predicate says something else, by `id` of each frame.

    Args:
        frames: All of them, with their predicates.
        weaker: The `weaker_predicates` of each predicate.
    """
    by_shape: dict[tuple[object, ...], list[tuple[E, Frame]]] = {}
    for predicate, frame in frames:
        by_shape.setdefault(frame.shape, []).append((predicate, frame))
    return {
        id(frame): [
            (other, each)
            for other, each in by_shape[frame.shape]
            if other is not predicate and other.name not in weaker[predicate.name]
        ]
        for predicate, frame in frames
    }


def _lemma(name: str) -> str:
    """The verb of a predicate's name.

    >>> _lemma("look-after")
    'look'
    """
    return name.partition("-")[0]


def weaker_phrases(
    fillers: Iterable[Sequence[Sequence[int]]], phrases: Sequence[Phrase], dictionary: Dictionary
) -> dict[int, frozenset[int]]:
    """For each phrase those that may stand for it in the same role; it is one of them itself.

    Args:
        fillers: Of each predicate, the phrases of each role.
        phrases: All of them, by number.
        dictionary: Says which words may stand for which.
    """
    nouns = {i: _noun(p.text) for i, p in enumerate(phrases) if _is_noun(p)}
    manners = {i: p.text for i, p in enumerate(phrases) if p.adverb is not None}
    heads = {i: noun.split()[-1] for i, noun in nouns.items()}
    found = [
        _pairs(dictionary, nouns, "noun"),
        _pairs(dictionary, heads, "noun"),
        _pairs(dictionary, manners, "adjective"),
    ]
    together: dict[int, set[int]] = {i: {i} for i in range(len(phrases))}
    for group in {tuple(each) for roles in fillers for each in roles}:
        for i in group:
            together[i].update(group)
    return {
        i: frozenset(
            j
            for j in others
            if i == j
            or _same_names(phrases[i], phrases[j])
            or any(j in f.get(i, ()) for f in found)
        )
        for i, others in together.items()
    }


K = TypeVar("K", int, str)


def _pairs(dictionary: Dictionary, words: Mapping[K, str], pos: str) -> dict[K, set[K]]:
    """For each word those that say no more."""
    keys = list(product(words, repeat=2))
    first, second = [words[i] for i, _ in keys], [words[j] for _, j in keys]
    weaker: dict[K, set[K]] = {key: set() for key in words}
    for (i, j), is_weaker in zip(keys, dictionary.is_as_general(first, second, pos), strict=True):
        if is_weaker or words[i] == words[j]:
            weaker[i].add(j)
    return weaker


def _is_noun(phrase: Phrase) -> bool:
    return phrase.adverb is None and phrase.kind is not PhraseKind.NAME


def _same_names(one: Phrase, other: Phrase) -> bool:
    """Whether two phrases name the same in another order: John and Mary, Mary and John."""
    return set(one.text.split()) == set(other.text.split())


def _noun(text: str) -> str:
    """A phrase without its article.

    >>> _noun("the ice cream"), _noun("an apple")
    ('ice cream', 'apple')
    """
    first, _, rest = text.partition(" ")
    return rest if rest and first in ("a", "an", "the") else text
