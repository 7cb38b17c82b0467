"""Meanings of sentences as events with filled roles, and predicates ready to be filled.

A frame is compiled once and filled millions of times, so it holds a `%`-format for each tense and
number of its subject, and the order in which the roles go into it.

The paper compares sets of triples (predicate, role, filler), in which "Mary sends a book" follows
from "John sends a book and Mary sends a fork". Here a hypothesis follows where each of its events
is contained in one event of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from ensue.suites.grammar import (
    Category,
    Number,
    Pattern,
    PieceKind,
    Predicate,
    RoleDistribution,
    SentenceTense,
)

if TYPE_CHECKING:
    from ensue.suites.repertoire import PredicateEntry, Repertoire


OF_MANNER = -1
"""The slot of an adverb or adjective of manner."""
OF_PRONOUN = -2
"""The slot of a relative pronoun."""
POSSESSIVE = 16
"""Added to a role whose phrase stands in the possessive."""

COORDINATED, ARGUMENT = "C", "S"
"""Constructs that a sentence adds to a frame: coordinated, and argument of another clause."""
AROUND = ("", COORDINATED, ARGUMENT)

_BE = {
    (SentenceTense.PRESENT, Number.SINGULAR): "is",
    (SentenceTense.PRESENT, Number.PLURAL): "are",
    (SentenceTense.PAST, Number.SINGULAR): "was",
    (SentenceTense.PAST, Number.PLURAL): "were",
}


class FrameKind(StrEnum):
    """What a frame makes."""

    CLAUSE = "clause"
    """A whole clause around a verb."""
    RELATIVE = "relative"
    """A noun phrase with a relative clause."""
    NOMINAL = "nominal"
    """A noun phrase around the predicate's noun."""
    COPULA = "copula"
    """A whole clause that says of a nominal how it was: John's arrival was quick."""


@dataclass(frozen=True, slots=True, eq=False)
class PredicateFrame:
    """One pattern of one predicate."""

    predicate: str
    kind: FrameKind
    pattern: Pattern
    mask: int
    """A bit for each role that it realizes, the manner's included."""
    head: int
    """The role that a relative clause is about, or -1."""
    slots: tuple[int, ...]
    """What goes into the format, in its order: roles, possessive roles, manner, pronoun."""
    formats: Mapping[SentenceTense, tuple[str, str]]
    """For a singular and for a plural subject."""
    subject: int
    """The role that the verb agrees with, or -1 for what is always singular."""
    first: int
    """The role at the beginning, or -1."""
    last: int
    """The role at the end, or -1."""
    attachments: frozenset[tuple[str, int]]
    """What stands behind the verb with a preposition before it: the preposition and the role."""
    pronouns: tuple[str, ...]
    """For a thing, a named thing, a person and a named person."""
    comma: bool
    """Whether the pattern ends in a comma of its own."""
    tags: Mapping[str, list[str]]
    """By the construct that the sentence adds, C, S or none: category, voice and one construct or
    none, joined with a hyphen."""
    shape: tuple[object, ...]
    """What frames of two predicates share that differ in the predicate alone."""


def compile_frames(
    predicate: Predicate, distribution: RoleDistribution, pattern: Pattern
) -> Iterator[PredicateFrame]:
    """The frames of a predicate in one pattern: without a manner, with one, and of a nominal."""
    of_verb = pattern.category is Category.VERB
    kind = FrameKind.NOMINAL
    if of_verb:
        kind = FrameKind.CLAUSE if pattern.head is None else FrameKind.RELATIVE
    yield _frame(predicate, distribution, pattern, kind, with_manner=False)
    if predicate.manner is None:
        return
    if pattern.has(PieceKind.ADVERB if of_verb else PieceKind.ADJECTIVE):
        yield _frame(predicate, distribution, pattern, kind, with_manner=True)
    if not of_verb:
        yield _frame(predicate, distribution, pattern, FrameKind.COPULA, with_manner=True)


def role_numbers(predicate: Predicate) -> dict[str, int]:
    """The roles of a predicate by number; the manner comes after them."""
    return {role: i for i, role in enumerate(sorted(predicate.roles))}


def _frame(
    predicate: Predicate,
    distribution: RoleDistribution,
    pattern: Pattern,
    kind: FrameKind,
    *,
    with_manner: bool,
) -> PredicateFrame:
    numbers = role_numbers(predicate)
    roles = [numbers[role] for role in distribution.roles]
    arguments = [roles[i] for i in pattern.ids(PieceKind.ARGUMENT)]
    inside = with_manner and kind is not FrameKind.COPULA
    writer = _Writer(predicate, distribution, pattern, roles, inside)
    slots = writer.slots + ([OF_MANNER] if kind is FrameKind.COPULA else [])
    mask = sum(1 << role for role in arguments) + (with_manner << len(numbers))
    is_adverb = with_manner and pattern.category is Category.VERB
    constructs = [*pattern.constructs, *(["Adv"] if is_adverb else [])]
    subject = pattern.subject
    return PredicateFrame(
        predicate=predicate.name,
        kind=kind,
        pattern=pattern,
        mask=mask,
        head=-1 if pattern.head is None else roles[pattern.head],
        slots=tuple(slots),
        formats={
            tense: (
                writer.format(tense, Number.SINGULAR, kind),
                writer.format(tense, Number.PLURAL, kind),
            )
            for tense in SentenceTense
            if tense in predicate.tenses
        },
        subject=-1 if subject is None else roles[subject],
        first=-1 if _is_bound(pattern) else _role_at(pattern, 0, roles),
        last=-1 if kind is FrameKind.COPULA else _role_at(pattern, -1, roles),
        attachments=frozenset(_attachments(pattern, distribution, roles)),
        pronouns=_pronouns(pattern),
        comma=pattern.pieces[-1].word == ",",
        tags={around: _tags(pattern, constructs, around) for around in AROUND},
        shape=(distribution.family, pattern.place, distribution.roles, kind, with_manner),
    )


def _tags(pattern: Pattern, constructs: list[str], around: str) -> list[str]:
    voice = [] if pattern.voice is None else [pattern.voice.value]
    start = "-".join([pattern.category.value, *voice])
    all_ = [*constructs, *([around] if around else [])]
    return [f"{start}-{construct}" for construct in all_] or [start]


def _role_at(pattern: Pattern, i: int, roles: list[int]) -> int:
    pieces = [piece for piece in pattern.pieces if piece.word != ","]
    return roles[pieces[i].id] if pieces[i].kind is PieceKind.ARGUMENT else -1


def _is_bound(pattern: Pattern) -> bool:
    """Whether something sticks to the first argument of a clause, which so cannot be left out."""
    of_clause = pattern.category is Category.VERB and pattern.head is None
    return of_clause and any(piece.glued for piece in pattern.pieces[1:2])


def _attachments(
    pattern: Pattern, distribution: RoleDistribution, roles: list[int]
) -> Iterator[tuple[str, int]]:
    behind = False
    for piece, after in pairwise(pattern.pieces):
        behind = behind or piece.kind in (PieceKind.VERB, PieceKind.PARTICIPLE)
        if behind and after.kind is PieceKind.ARGUMENT:
            if piece.kind is PieceKind.PREPOSITION:
                yield distribution.prepositions[piece.id], roles[after.id]
            elif piece.kind is PieceKind.WORD:
                yield piece.word, roles[after.id]


def _pronouns(pattern: Pattern) -> tuple[str, ...]:
    """The relative pronouns, by what is before and after their place; none without a place."""
    kinds = [piece.kind for piece in pattern.pieces]
    if PieceKind.PRONOUN not in kinds:
        return ()
    at = kinds.index(PieceKind.PRONOUN)
    if kinds[at - 1] in (PieceKind.PREPOSITION, PieceKind.WORD):
        return ("which", "which", "whom", "whom")
    if kinds[at + 1 : at + 2] == [PieceKind.ARGUMENT]:
        return ("that", "which", "whom", "whom")
    return ("that", "which", "who", "who")


class _Writer:
    """Writes a pattern as a format, word after word."""

    def __init__(
        self,
        predicate: Predicate,
        distribution: RoleDistribution,
        pattern: Pattern,
        roles: list[int],
        with_manner: bool,
    ) -> None:
        self._predicate = predicate
        self._distribution = distribution
        self._pieces = pattern.pieces
        self._manner = with_manner
        self.slots = [
            self._slot(i, roles)
            for i, piece in enumerate(self._pieces)
            if piece.kind in (PieceKind.ARGUMENT, PieceKind.PRONOUN) or self._is_manner(i)
        ]

    def format(self, tense: SentenceTense, number: Number, kind: FrameKind) -> str:
        """The pattern with its words, and `%s` for each slot."""
        words: list[str] = []
        for i, piece in enumerate(self._pieces):
            word = self._word(i, tense, number)
            if word is None or self._is_possessive(i):
                continue
            if piece.glued and words:
                words[-1] += word
            else:
                words.append(word)
        if words[-1].endswith(","):
            words[-1] = words[-1].removesuffix(",")  # commas are set where the phrase is used
        if kind is FrameKind.COPULA:
            words += [_BE[tense, Number.SINGULAR], "%s"]
        return " ".join(words)

    def _slot(self, i: int, roles: list[int]) -> int:
        piece = self._pieces[i]
        if piece.kind is PieceKind.PRONOUN:
            return OF_PRONOUN
        if piece.kind is not PieceKind.ARGUMENT:
            return OF_MANNER
        possessive = i + 1 < len(self._pieces) and self._is_possessive(i + 1)
        return roles[piece.id] + POSSESSIVE * possessive

    def _is_manner(self, i: int) -> bool:
        return self._manner and self._pieces[i].kind in (PieceKind.ADVERB, PieceKind.ADJECTIVE)

    def _is_possessive(self, i: int) -> bool:
        return self._pieces[i].word == "'s" and self._pieces[i].glued

    def _word(self, i: int, tense: SentenceTense, number: Number) -> str | None:
        """The word of a piece in a sentence; None where it has none there."""
        piece, predicate = self._pieces[i], self._predicate
        if piece.kind in (PieceKind.ARGUMENT, PieceKind.PRONOUN) or self._is_manner(i):
            return "%s"
        words: dict[PieceKind, str | None] = {
            PieceKind.VERB: _finite(predicate, tense, number),
            PieceKind.PARTICIPLE: predicate.participle,
            PieceKind.NOUN: predicate.noun,
            PieceKind.BE: _BE[tense, number],
            PieceKind.WORD: piece.word,
        }
        if piece.kind is PieceKind.PREPOSITION:
            words[piece.kind] = self._distribution.prepositions[piece.id]
        word = words.get(piece.kind)
        return word if word is None else word.replace("%", "%%")


def _finite(predicate: Predicate, tense: SentenceTense, number: Number) -> str | None:
    """The finite verb; where it lacks a number, no subject is of it, and the other stands in."""
    forms = [predicate.verbs.get((tense, each)) for each in (number, *Number)]
    return next((form for form in forms if form is not None), None)


NOBODY = -1
"""Fills a role of which nothing is said."""


class Event(NamedTuple):
    """A predicate with a filler for each of its roles."""

    entry: PredicateEntry
    fillers: tuple[int, ...]
    """By role, the manner last: the number of a phrase, `NOBODY`, or that of an event."""
    mask: int
    """A bit for each role that is filled."""


Meaning = Sequence[Event]
"""The events of one sentence; fillers that are events are numbers of these."""


def as_filler(event: int) -> int:
    """The number by which an event fills a role of another.

    >>> event_of(as_filler(3)), as_filler(0) < NOBODY
    (3, True)
    """
    return -2 - event


def event_of(filler: int) -> int:
    """The event that a filler stands for; negative where it is none."""
    return -2 - filler


def embedded(meaning: Meaning) -> list[int]:
    """The events that fill a role of another."""
    return [
        -2 - filler
        for event in meaning
        if event.entry.takes_events
        for filler in event.fillers
        if filler < NOBODY
    ]


def may_repeat_itself(meaning: Meaning) -> bool:
    """Whether two events of one predicate may be the same event: no role tells them apart.

    "An orange that is quickly eaten is eaten by Tom" leaves open whether Tom eats it quickly.
    """
    for i, (entry, fillers, _) in enumerate(meaning):
        for other in meaning[i + 1 :]:
            if other.entry is entry and not _tells_apart(fillers, other.fillers):
                return True
    return False


def _tells_apart(fillers: tuple[int, ...], others: tuple[int, ...]) -> bool:
    return any(
        one != other and NOBODY not in (one, other)
        for one, other in zip(fillers, others, strict=True)
    )


def follows(text: Meaning, hypothesis: Meaning, words: Repertoire | None = None) -> bool:
    """Whether each event of the hypothesis is contained in one event of the text.

    Args:
        text: What is given.
        hypothesis: What may follow from it.
        words: Where they are given, a word may also stand for one that says the same or something
            more special, as a reader may take it: "a car was burned" says that a vehicle was, and
            "Tom and Ann embrace" that they meet.
    """
    inner = embedded(hypothesis)
    for i, event in enumerate(hypothesis):
        if i in inner:
            continue
        for each in text:
            if _contains(text, each, hypothesis, event, words):
                break
        else:
            return False
    return True


def _contains(
    text: Meaning, outer: Event, hypothesis: Meaning, inner: Event, words: Repertoire | None
) -> bool:
    """Whether all that one event says, another says too."""
    if outer.entry is inner.entry:
        wholes = outer.fillers
    elif words is not None and inner.entry.name in words.weaker_predicates[outer.entry.name]:
        wholes = refilled(outer, inner.entry)
    else:
        return False
    if _fills(text, wholes, hypothesis, inner.fillers, words):
        return True
    swapped = inner.entry.swapped(inner.fillers)
    return swapped is not None and _fills(text, wholes, hypothesis, swapped, words)


def _fills(
    text: Meaning,
    outer: tuple[int, ...],
    hypothesis: Meaning,
    inner: tuple[int, ...],
    words: Repertoire | None,
) -> bool:
    for whole, part in zip(outer, inner, strict=True):
        if part == NOBODY or (part == whole and part > NOBODY):
            continue
        if part > NOBODY:
            if words is None or whole <= NOBODY or part not in words.weaker[whole]:
                return False
        elif whole >= NOBODY or not _contains(
            text, text[event_of(whole)], hypothesis, hypothesis[event_of(part)], words
        ):
            return False
    return True


def refilled(event: Event, entry: PredicateEntry) -> tuple[int, ...]:
    """The fillers of an event in the roles of the same names of another predicate."""
    if event.entry.roles == entry.roles:
        return event.fillers
    by_role = dict(zip(event.entry.roles, event.fillers, strict=True))
    return tuple(by_role.get(role, NOBODY) for role in entry.roles)


def meaning_to_json(meaning: Meaning, repertoire: Repertoire) -> list[dict[str, Any]]:
    """The events as `{"predicate": "send", "roles": {"0": "John", "manner": "quick"}}`.

    A role that an event fills has that event's place in the list.
    """
    texts = repertoire.texts
    return [
        {
            "predicate": event.entry.name,
            "roles": {
                role: texts[filler] if filler > NOBODY else event_of(filler)
                for role, filler in zip(event.entry.roles, event.fillers, strict=True)
                if filler != NOBODY
            },
        }
        for event in meaning
    ]


def renumbered(meaning: Meaning, kept: Sequence[int]) -> list[Event]:
    """Some events of a meaning by themselves, with the numbers of events as fillers put right."""
    if all(min(meaning[i].fillers) >= NOBODY for i in kept):
        return [meaning[i] for i in kept]
    numbers: Mapping[int, int] = {as_filler(old): as_filler(new) for new, old in enumerate(kept)}
    return [
        meaning[i]._replace(fillers=tuple(numbers.get(f, f) for f in meaning[i].fillers))
        for i in kept
    ]
