"""A grammar made ready: frames by what they realize, and words that may be exchanged.

A word that means the same as another, or something more general, says nothing false in its place;
WordNet says which do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Protocol, TypeVar

from ensue.language.lexicon import load_lexicon
from ensue.suites.frames import FrameKind, PredicateFrame, compile_frames
from ensue.suites.grammar import (
    MANNER,
    Number,
    Phrase,
    PhraseKind,
    Predicate,
    SentenceTense,
    SuiteGrammar,
)

# What may be exchanged for what in a near miss, so that it is false for a reader.

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
    frames: Sequence[tuple[E, PredicateFrame]], weaker: Mapping[str, frozenset[str]]
) -> dict[int, list[tuple[E, PredicateFrame]]]:
    """Frames of the same shape whose predicate says something else, by `id` of each frame.

    Args:
        frames: All of them, with their predicates.
        weaker: The `weaker_predicates` of each predicate.
    """
    by_shape: dict[tuple[object, ...], list[tuple[E, PredicateFrame]]] = {}
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


# A grammar made ready: every frame of every predicate, found by what it realizes.


@dataclass(frozen=True, slots=True, eq=False)
class PredicateEntry:
    """A predicate with its frames."""

    name: str
    subcategorization: str
    roles: tuple[str, ...]
    """Its roles by number, the manner last."""
    fillers: tuple[tuple[int, ...], ...]
    """The phrases that may fill each role; none for a role that only an event fills."""
    accepts: tuple[frozenset[int], ...]
    """The same as sets."""
    nominal: tuple[bool, ...]
    """Whether an event may fill the role."""
    symmetric: tuple[int, int] | None
    implies: frozenset[str] = frozenset()
    """Other predicates that a reader may take to follow."""
    sentences: dict[int, list[PredicateFrame]] = field(default_factory=dict)
    """Whole clauses by the roles that they realize."""
    relatives: dict[tuple[int, int], list[PredicateFrame]] = field(default_factory=dict)
    """Relative clauses by the role that they are about and the roles that they realize."""
    nominals: dict[int, list[PredicateFrame]] = field(default_factory=dict)
    """Noun phrases by the roles that they realize."""
    tenses: frozenset[SentenceTense] = frozenset(SentenceTense)
    takes_events: bool = False
    """Whether an event may fill one of its roles."""

    exchangeable: tuple[tuple[int, int], ...] = ()
    """Roles that one phrase may fill, two by two, but for symmetric ones."""

    @property
    def masks(self) -> list[int]:
        """The sets of roles that a whole clause can realize, the largest last."""
        return sorted(self.sentences, key=lambda mask: (mask.bit_count(), mask))

    def swapped(self, fillers: tuple[int, ...]) -> tuple[int, ...] | None:
        """The fillers with those of two symmetric roles exchanged; None where there are none."""
        if self.symmetric is None:
            return None
        i, j = self.symmetric
        exchanged = list(fillers)
        exchanged[i], exchanged[j] = fillers[j], fillers[i]
        return tuple(exchanged)


@dataclass(frozen=True, slots=True, eq=False)
class Repertoire:
    """All that sentences are made of: phrases by number, and predicates with their frames."""

    grammar: SuiteGrammar
    phrases: tuple[Phrase, ...]
    texts: tuple[str, ...]
    """The phrases as they stand in a sentence."""
    plural: tuple[bool, ...]
    names: frozenset[int]
    """The phrases that are names."""
    indefinite: frozenset[int]
    """The phrases that speak of another one each time that they are used."""
    entries: tuple[PredicateEntry, ...]
    siblings: Mapping[int, list[tuple[PredicateEntry, PredicateFrame]]]
    """Frames of other predicates of the same shape, by `id` of a frame."""
    weaker: Mapping[int, frozenset[int]]
    """For each phrase, those that may say the same or something more general."""
    weaker_predicates: Mapping[str, frozenset[str]]
    """The same for predicates, by name, and what else may follow."""
    users: Mapping[int, list[tuple[PredicateEntry, int]]]
    """For each phrase, the predicates and roles that it may fill."""

    @property
    def tenses(self) -> frozenset[SentenceTense]:
        """The tenses that every predicate has."""
        return frozenset(SentenceTense).intersection(*(entry.tenses for entry in self.entries))

    @property
    def subcategorizations(self) -> tuple[str, ...]:
        """The types of the predicates that need no event to speak of, in the grammar's order."""
        found = (e.subcategorization for e in self.entries if not e.takes_events and e.sentences)
        return tuple(dict.fromkeys(found))


def make_repertoire(grammar: SuiteGrammar, dictionary: Dictionary | None = None) -> Repertoire:
    """Compile every frame of a grammar, and say what may be exchanged for what.

    Args:
        grammar: One that `check_grammar` has nothing against.
        dictionary: Says which words may stand for which; WordNet where it is not given.
    """
    dictionary = dictionary or wordnet()
    phrases = tuple(
        dict.fromkeys(phrase for name in grammar.types for phrase in grammar.phrases(name))
    )
    numbers = {phrase: i for i, phrase in enumerate(phrases)}
    entries = tuple(
        _entry(grammar, predicate, numbers)
        for predicate in grammar.predicates.values()
        if grammar.subcategorization(predicate) is not None
    )
    weaker = weaker_predicates(entries, dictionary)
    return Repertoire(
        grammar=grammar,
        phrases=phrases,
        texts=tuple(phrase.text for phrase in phrases),
        plural=tuple(phrase.number is Number.PLURAL for phrase in phrases),
        names=_of_kind(phrases, PhraseKind.NAME),
        indefinite=_of_kind(phrases, PhraseKind.INDEFINITE),
        entries=entries,
        siblings=siblings([(e, f) for e in entries for f in all_frames(e)], weaker),
        weaker=weaker_phrases([e.fillers for e in entries], phrases, dictionary),
        weaker_predicates=weaker,
        users=_users(entries, len(phrases)),
    )


def _of_kind(phrases: tuple[Phrase, ...], kind: PhraseKind) -> frozenset[int]:
    return frozenset(
        i for i, phrase in enumerate(phrases) if phrase.kind is kind and phrase.adverb is None
    )


def _entry(
    grammar: SuiteGrammar, predicate: Predicate, numbers: Mapping[Phrase, int]
) -> PredicateEntry:
    roles = sorted(predicate.roles)
    types = [predicate.roles[role] for role in roles]
    manner = [predicate.manner] if predicate.manner is not None else []
    fillers = tuple(
        tuple(numbers[phrase] for phrase in grammar.phrases(name)) for name in [*types, *manner]
    )
    if not manner:
        fillers = (*fillers, ())
    symmetric = _symmetric(predicate, roles)
    accepts = tuple(frozenset(each) for each in fillers)
    entry = PredicateEntry(
        name=predicate.name,
        subcategorization=str(grammar.subcategorization(predicate)),
        roles=(*roles, MANNER),
        fillers=fillers,
        accepts=accepts,
        nominal=(*(grammar.types[name].nominal for name in types), False),
        symmetric=symmetric,
        implies=frozenset(predicate.implies),
        tenses=predicate.tenses,
        takes_events=any(grammar.types[name].nominal for name in types),
        exchangeable=tuple(
            (i, j)
            for i, j in combinations(range(len(roles)), 2)
            if (i, j) != symmetric and accepts[i] & accepts[j]
        ),
    )
    for distribution in predicate.distributions:
        for pattern in grammar.patterns[distribution.family]:
            for frame in compile_frames(predicate, distribution, pattern):
                _add(entry, frame)
    return entry


def _symmetric(predicate: Predicate, roles: list[str]) -> tuple[int, int] | None:
    if not predicate.symmetric:
        return None
    i, j = (roles.index(role) for role in sorted(predicate.symmetric))
    return i, j


def _add(entry: PredicateEntry, frame: PredicateFrame) -> None:
    if frame.kind is FrameKind.RELATIVE:
        entry.relatives.setdefault((frame.head, frame.mask), []).append(frame)
    elif frame.kind is FrameKind.NOMINAL:
        entry.nominals.setdefault(frame.mask, []).append(frame)
    else:
        entry.sentences.setdefault(frame.mask, []).append(frame)


def all_frames(entry: PredicateEntry) -> Iterable[PredicateFrame]:
    """Every frame of a predicate."""
    for table in (entry.sentences, entry.relatives, entry.nominals):
        for frames in table.values():
            yield from frames


def _users(
    entries: tuple[PredicateEntry, ...], n_phrases: int
) -> dict[int, list[tuple[PredicateEntry, int]]]:
    users: dict[int, list[tuple[PredicateEntry, int]]] = {i: [] for i in range(n_phrases)}
    for entry in entries:
        for role, fillers in enumerate(entry.fillers[:-1]):
            for filler in fillers:
                users[filler].append((entry, role))
    return users
