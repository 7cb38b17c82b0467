"""Sentences as plans of frames, and how they are put into words.

A plan says which event stands in which frame and what is attached to its arguments; who fills the
roles is said by a meaning beside it. So one plan with two meanings gives a minimal pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from ensue.suites.grammar import Tense
from ensue.suites.sentences.frames import (
    ARGUMENT,
    COORDINATED,
    OF_PRONOUN,
    POSSESSIVE,
    Frame,
    FrameKind,
)
from ensue.suites.sentences.meaning import NOBODY, Meaning
from ensue.suites.sentences.repertoire import Repertoire


class Joint(StrEnum):
    """How the clauses of a sentence hang together."""

    NONE = "one clause"
    CLAUSES = "coordinated clauses"
    VERB_PHRASES = "coordinated verb phrases"


class Clause(NamedTuple):
    """An event in a frame, with what is attached to its arguments."""

    frame: Frame
    event: int
    attached: Mapping[int, Clause]
    """By role: a relative clause about what fills it, or the nominal that does."""


class Sentence(NamedTuple):
    """A plan of a whole sentence."""

    joint: Joint
    clauses: tuple[Clause, ...]
    parts: tuple[tuple[Clause, str], ...]
    """Every clause, those inside others too, with the construct that the sentence adds to it."""


def make_sentence(joint: Joint, clauses: tuple[Clause, ...]) -> Sentence:
    """A plan of these clauses."""
    around = "" if joint is Joint.NONE else COORDINATED
    parts: list[tuple[Clause, str]] = []
    for clause in clauses:
        parts.append((clause, around))
        if clause.attached:
            _add_parts(clause, parts)
    return Sentence(joint, clauses, tuple(parts))


def _add_parts(clause: Clause, parts: list[tuple[Clause, str]]) -> None:
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

    def sentence(self, sentence: Sentence, meaning: Meaning, tense: Tense) -> str:
        """The sentence, with its capital and its full stop."""
        clauses = sentence.clauses
        words = self._clause(clauses[0], meaning, tense)
        if sentence.joint is not Joint.NONE:
            bare = sentence.joint is Joint.VERB_PHRASES
            others = [self._clause(each, meaning, tense, bare=bare) for each in clauses[1:]]
            comma = "," if not bare or len(others) > 1 else ""
            for other in others[:-1]:
                words = f"{words.removesuffix(',')}, {other}"
            words = f"{words.removesuffix(',') if comma else words}{comma} and {others[-1]}"
        return capitalized(words.removesuffix(",")) + "."

    def phrase(self, clause: Clause, meaning: Meaning, tense: Tense) -> str:
        """A clause or noun phrase by itself."""
        return capitalized(self._clause(clause, meaning, tense).removesuffix(","))

    def _clause(self, clause: Clause, meaning: Meaning, tense: Tense, *, bare: bool = False) -> str:
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

    def _attached(self, inner: Clause, filler: int, meaning: Meaning, tense: Tense) -> str:
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
