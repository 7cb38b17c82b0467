"""Sentences as plans of frames, their words, and whether they read one way only.

A plan says which event stands in which frame and what is attached to its arguments; who fills the
roles is said by a meaning beside it. So one plan with two meanings gives a minimal pair.

Ruled out are things said twice that may be two, arguments and adverbs that may belong to another
clause, and a form of *be* that may govern a second verb.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import islice, product
from typing import NamedTuple

from ensue.errors import UnknownNameError
from ensue.suites.frames import (
    ARGUMENT,
    COORDINATED,
    NOBODY,
    OF_PRONOUN,
    POSSESSIVE,
    Event,
    FrameKind,
    Meaning,
    PredicateFrame,
)
from ensue.suites.grammar import SentenceTense, Voice
from ensue.suites.repertoire import PredicateEntry, Repertoire, all_frames

# Sentences as plans of frames, and how they are put into words.


class ClauseJoint(StrEnum):
    """How the clauses of a sentence hang together."""

    NONE = "one clause"
    CLAUSES = "coordinated clauses"
    VERB_PHRASES = "coordinated verb phrases"


class ClausePlan(NamedTuple):
    """An event in a frame, with what is attached to its arguments."""

    frame: PredicateFrame
    event: int
    attached: Mapping[int, ClausePlan]
    """By role: a relative clause about what fills it, or the nominal that does."""


class SentencePlan(NamedTuple):
    """A plan of a whole sentence."""

    joint: ClauseJoint
    clauses: tuple[ClausePlan, ...]
    parts: tuple[tuple[ClausePlan, str], ...]
    """Every clause, those inside others too, with the construct that the sentence adds to it."""


def make_sentence(joint: ClauseJoint, clauses: tuple[ClausePlan, ...]) -> SentencePlan:
    """A plan of these clauses."""
    around = "" if joint is ClauseJoint.NONE else COORDINATED
    parts: list[tuple[ClausePlan, str]] = []
    for clause in clauses:
        parts.append((clause, around))
        if clause.attached:
            _add_parts(clause, parts)
    return SentencePlan(joint, clauses, tuple(parts))


def _add_parts(clause: ClausePlan, parts: list[tuple[ClausePlan, str]]) -> None:
    for inner in clause.attached.values():
        parts.append((inner, ARGUMENT if inner.frame.kind is FrameKind.NOMINAL else ""))
        if inner.attached:
            _add_parts(inner, parts)


class Renderer:
    """Puts plans into words."""

    def __init__(self, repertoire: Repertoire) -> None:
        self._texts = repertoire.texts
        self._plural = repertoire.plural
        self._names = repertoire.names
        self._adverbs = [phrase.adverb or "" for phrase in repertoire.phrases]
        self._pronoun = [
            2 * phrase.human + (i in repertoire.names)
            for i, phrase in enumerate(repertoire.phrases)
        ]

    def sentence(self, sentence: SentencePlan, meaning: Meaning, tense: SentenceTense) -> str:
        """The sentence, with its capital and its full stop."""
        clauses = sentence.clauses
        words = self._clause(clauses[0], meaning, tense)
        if sentence.joint is not ClauseJoint.NONE:
            bare = sentence.joint is ClauseJoint.VERB_PHRASES
            others = [self._clause(each, meaning, tense, bare=bare) for each in clauses[1:]]
            comma = "," if not bare or len(others) > 1 else ""
            for other in others[:-1]:
                words = f"{words.removesuffix(',')}, {other}"
            words = f"{words.removesuffix(',') if comma else words}{comma} and {others[-1]}"
        return capitalized(words.removesuffix(",")) + "."

    def phrase(self, clause: ClausePlan, meaning: Meaning, tense: SentenceTense) -> str:
        """A clause or noun phrase by itself."""
        return capitalized(self._clause(clause, meaning, tense).removesuffix(","))

    def _clause(
        self, clause: ClausePlan, meaning: Meaning, tense: SentenceTense, *, bare: bool = False
    ) -> str:
        """A clause in words; a bare one is without its first argument."""
        frame, event, attached = clause
        fillers = meaning[event].fillers
        texts = self._texts
        words = []
        for slot in frame.slots:
            if slot >= POSSESSIVE:
                words.append(self._possessive(fillers[slot - POSSESSIVE]))
            elif slot >= 0:
                filler = fillers[slot]
                if attached and slot in attached:
                    words.append(self._attached(attached[slot], filler, meaning, tense))
                elif slot == frame.head and filler in self._names:
                    words.append(f"{texts[filler]},")
                else:
                    words.append(texts[filler])
            elif slot == OF_PRONOUN:
                words.append(frame.pronouns[self._pronoun[fillers[frame.head]]])
            elif frame.pattern.voice is None:
                words.append(texts[fillers[-1]])
            else:
                words.append(self._adverbs[fillers[-1]])
        singular, plural = frame.formats[tense]
        subject = fillers[frame.subject] if frame.subject >= 0 else NOBODY
        format_ = plural if subject >= 0 and self._plural[subject] else singular
        if bare:
            return format_.removeprefix("%s ") % tuple(words[1:])
        return format_ % tuple(words)

    def _possessive(self, filler: int) -> str:
        words = self._texts[filler]
        return f"{words}'" if self._plural[filler] and words.endswith("s") else f"{words}'s"

    def _attached(
        self, inner: ClausePlan, filler: int, meaning: Meaning, tense: SentenceTense
    ) -> str:
        """A nominal, or a noun phrase with a relative clause and the comma after it."""
        words = self._clause(inner, meaning, tense)
        if inner.frame.kind is FrameKind.NOMINAL:
            return words
        if inner.frame.comma or filler in self._names:
            return f"{words.removesuffix(',')},"
        return words


def capitalized(words: str) -> str:
    """The same with a capital at its beginning."""
    return words[:1].upper() + words[1:]


# Everything that can be said with one predicate alone: the paper's section 2.4.1.


def phrases(
    repertoire: Repertoire, predicate: str, tense: SentenceTense | None = None
) -> Iterator[str]:
    """The clauses and noun phrases of a predicate, in each of its patterns with all its arguments.

    Nobody stands twice in one phrase. Roles that only events fill are left out, with the frames
    that need them.

    Args:
        repertoire: What phrases are made of.
        predicate: The name of one of its predicates.
        tense: One that the predicate has; the present, where it has it, if none is given.

    Raises:
        UnknownNameError: there is no such predicate, or it does not have the tense.
    """
    renderer = Renderer(repertoire)
    entries = {each.name: each for each in repertoire.entries}
    if predicate not in entries:
        raise UnknownNameError.of("predicate", predicate, entries)
    entry = entries[predicate]
    tenses = [each for each in SentenceTense if each in entry.tenses]
    tense = tense or tenses[0]
    if tense not in tenses:
        raise UnknownNameError.of(f"tense of {predicate!r}", tense.value, tenses)
    for frame in all_frames(entry):
        for event in _events(entry, frame):
            yield renderer.phrase(ClausePlan(frame, 0, {}), [event], tense)


def _events(entry: PredicateEntry, frame: PredicateFrame) -> Iterator[Event]:
    choices = [
        fillers if frame.mask >> role & 1 else (NOBODY,)
        for role, fillers in enumerate(entry.fillers)
    ]
    for fillers in product(*choices):
        filled = [filler for filler in fillers if filler != NOBODY]
        if len(set(filled)) == len(filled):
            yield Event(entry, fillers, frame.mask)


# Whether a sentence reads one way: what a person could take otherwise has no gold.


class Readings:
    """Tells plans of sentences that can be read in one way only."""

    def __init__(self, repertoire: Repertoire) -> None:
        self._names = repertoire.names
        self._indefinite = repertoire.indefinite
        self._open: dict[int, frozenset[str]] = {}

    def is_one(self, sentence: SentencePlan, meaning: Meaning) -> bool:
        """Whether the sentence has no other reading that we know of."""
        if len(meaning) == 1:
            return True
        if sentence.joint is ClauseJoint.VERB_PHRASES and _one_reaches_another(sentence, meaning):
            return False
        for clause in sentence.clauses:
            if clause.attached and not self._attaches(clause, meaning, frozenset()):
                return False
        return self._mentions_once(sentence, meaning)

    def _attaches(self, clause: ClausePlan, meaning: Meaning, outside: frozenset[str]) -> bool:
        """Whether everything in the relative clauses of a clause belongs to them alone.

        Args:
            clause: The clause around.
            meaning: What the events are.
            outside: Prepositions with which clauses further out could take an argument.
        """
        frame, event, attached = clause
        entry, fillers, _ = meaning[event]
        for role, inner in attached.items():
            if inner.frame.kind is not FrameKind.RELATIVE:
                continue
            if role == frame.last:
                # "explains the method that Tom explains to Ann": to whom is it explained?
                outside = outside | self._open_to(entry, frame)
                if not outside.isdisjoint(
                    preposition for preposition, _ in inner.frame.attachments
                ):
                    return False
            elif has_adverb(frame, entry) and fillers[role] not in self._names:
                return False  # "the man who blushed calmly yawned"
            if not self._attaches(inner, meaning, outside):
                return False
        return True

    def _open_to(self, entry: PredicateEntry, frame: PredicateFrame) -> frozenset[str]:
        """Prepositions with which a clause could take another argument at its end."""
        key = id(frame)
        if key not in self._open:
            self._open[key] = frozenset(_open_prepositions(entry, frame))
        return self._open[key]

    def _mentions_once(self, sentence: SentencePlan, meaning: Meaning) -> bool:
        """Whether what is new in a sentence, or marked off by a relative clause, is said once.

        "A book" said twice is two books, and "the book that Mary reads" beside "the book" is
        another one; names may come again.
        """
        phrases = [f for event in meaning for f in event.fillers[:-1] if f > NOBODY]
        if len(set(phrases)) == len(phrases):
            return True
        mentioned: set[int] = set()
        twice: set[int] = set()
        modified: set[int] = set()
        bare = sentence.clauses[1:] if sentence.joint is ClauseJoint.VERB_PHRASES else ()
        for clause, _ in sentence.parts:
            fillers = meaning[clause.event].fillers
            skipped = clause.frame.head
            if skipped >= 0:
                modified.add(fillers[skipped])
            elif any(clause is each for each in bare):
                skipped = clause.frame.first
            for role, filler in enumerate(fillers[:-1]):
                if role != skipped:
                    (twice if filler in mentioned else mentioned).add(filler)
        return not any(
            filler in self._indefinite or (filler in modified and filler not in self._names)
            for filler in twice
            if filler > NOBODY
        )


def has_manner(frame: PredicateFrame, entry: PredicateEntry) -> bool:
    """Whether a clause says how."""
    return bool(frame.mask >> (len(entry.roles) - 1))


def has_adverb(frame: PredicateFrame, entry: PredicateEntry) -> bool:
    """Whether a clause has an adverb right before its finite verb."""
    return frame.pattern.voice is Voice.ACTIVE and has_manner(frame, entry)


def _open_prepositions(entry: PredicateEntry, frame: PredicateFrame) -> Iterator[str]:
    """Those of arguments that a frame leaves out; `by` only where it is passive."""
    for frames in entry.sentences.values():
        for each in frames:
            if frame.pattern.voice is Voice.PASSIVE or each.pattern.voice is not Voice.PASSIVE:
                for preposition, role in each.attachments:
                    if not frame.mask >> role & 1:
                        yield preposition


def _one_reaches_another(sentence: SentencePlan, meaning: Meaning) -> bool:
    """Whether an adverb or a form of *be* in one verb phrase could be taken with a later one."""
    frames = [(clause.frame, meaning[clause.event].entry) for clause in sentence.clauses]
    for i, (frame, entry) in enumerate(frames):
        later = frames[i + 1 :]
        if frame.pattern.voice is Voice.PASSIVE:
            # "was paid and lent the gloves"
            if any(each.pattern.voice is Voice.ACTIVE for each, _ in later):
                return True
        elif has_adverb(frame, entry) and not all(has_manner(*each) for each in later):
            return True  # "secretly met and left"
    return False


_LOOKED_THROUGH = 5_000
"""So many phrases of a predicate are there to choose an example from."""


def sample_phrases(
    repertoire: Repertoire, seed: int = 0, most: int = 3
) -> list[tuple[str, str, str]]:
    """Some phrases of one predicate of each subcategorization type: type, predicate, phrase."""
    rng = random.Random(seed)
    by_type: dict[str, list[PredicateEntry]] = {}
    for entry in repertoire.entries:
        by_type.setdefault(entry.subcategorization, []).append(entry)
    rows = []
    for family, entries in by_type.items():
        entry = rng.choice(entries)
        found = list(islice(phrases(repertoire, entry.name), _LOOKED_THROUGH))
        rows += [(family, entry.name, each) for each in rng.sample(found, min(most, len(found)))]
    return rows
