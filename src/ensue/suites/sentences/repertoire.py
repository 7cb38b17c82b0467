"""A grammar made ready: every frame of every predicate, found by what it realizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from ensue.suites.grammar import MANNER, Grammar, Number, Phrase, PhraseKind, Predicate, Tense
from ensue.suites.sentences.exchanges import (
    Dictionary,
    siblings,
    weaker_phrases,
    weaker_predicates,
    wordnet,
)
from ensue.suites.sentences.frames import Frame, FrameKind, compile_frames


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
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
    sentences: dict[int, list[Frame]] = field(default_factory=dict)
    """Whole clauses by the roles that they realize."""
    relatives: dict[tuple[int, int], list[Frame]] = field(default_factory=dict)
    """Relative clauses by the role that they are about and the roles that they realize."""
    nominals: dict[int, list[Frame]] = field(default_factory=dict)
    """Noun phrases by the roles that they realize."""
    tenses: frozenset[Tense] = frozenset(Tense)
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

    grammar: Grammar
    phrases: tuple[Phrase, ...]
    texts: tuple[str, ...]
    """The phrases as they stand in a sentence."""
    plural: tuple[bool, ...]
    names: frozenset[int]
    """The phrases that are names."""
    indefinite: frozenset[int]
    """The phrases that speak of another one each time that they are used."""
    entries: tuple[Entry, ...]
    siblings: Mapping[int, list[tuple[Entry, Frame]]]
    """Frames of other predicates of the same shape, by `id` of a frame."""
    weaker: Mapping[int, frozenset[int]]
    """For each phrase, those that may say the same or something more general."""
    weaker_predicates: Mapping[str, frozenset[str]]
    """The same for predicates, by name, and what else may follow."""
    users: Mapping[int, list[tuple[Entry, int]]]
    """For each phrase, the predicates and roles that it may fill."""

    @property
    def tenses(self) -> frozenset[Tense]:
        """The tenses that every predicate has."""
        return frozenset(Tense).intersection(*(entry.tenses for entry in self.entries))

    @property
    def subcategorizations(self) -> tuple[str, ...]:
        """The types of the predicates that need no event to speak of, in the grammar's order."""
        found = (e.subcategorization for e in self.entries if not e.takes_events and e.sentences)
        return tuple(dict.fromkeys(found))


def make_repertoire(grammar: Grammar, dictionary: Dictionary | None = None) -> Repertoire:
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


def _entry(grammar: Grammar, predicate: Predicate, numbers: Mapping[Phrase, int]) -> Entry:
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
    entry = Entry(
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


def _add(entry: Entry, frame: Frame) -> None:
    if frame.kind is FrameKind.RELATIVE:
        entry.relatives.setdefault((frame.head, frame.mask), []).append(frame)
    elif frame.kind is FrameKind.NOMINAL:
        entry.nominals.setdefault(frame.mask, []).append(frame)
    else:
        entry.sentences.setdefault(frame.mask, []).append(frame)


def all_frames(entry: Entry) -> Iterable[Frame]:
    """Every frame of a predicate."""
    for table in (entry.sentences, entry.relatives, entry.nominals):
        for frames in table.values():
            yield from frames


def _users(entries: tuple[Entry, ...], n_phrases: int) -> dict[int, list[tuple[Entry, int]]]:
    users: dict[int, list[tuple[Entry, int]]] = {i: [] for i in range(n_phrases)}
    for entry in entries:
        for role, fillers in enumerate(entry.fillers[:-1]):
            for filler in fillers:
                users[filler].append((entry, role))
    return users
