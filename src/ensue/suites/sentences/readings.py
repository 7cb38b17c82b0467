"""Whether a sentence reads one way: what a person could take otherwise has no gold.

Ruled out are things said twice that may be two, arguments and adverbs that may belong to another
clause, and a form of *be* that may govern a second verb.
"""

from __future__ import annotations

from collections.abc import Iterator

from ensue.suites.grammar import Voice
from ensue.suites.sentences.frames import Frame, FrameKind
from ensue.suites.sentences.meaning import NOBODY, Meaning
from ensue.suites.sentences.plans import Clause, Joint, Sentence
from ensue.suites.sentences.repertoire import Entry, Repertoire


class Readings:
    """Tells plans of sentences that can be read in one way only."""

    def __init__(self, repertoire: Repertoire) -> None:
        self._names = repertoire.names
        self._indefinite = repertoire.indefinite
        self._open: dict[int, frozenset[str]] = {}

    def is_one(self, sentence: Sentence, meaning: Meaning) -> bool:
        """Whether the sentence has no other reading that we know of."""
        if len(meaning) == 1:
            return True
        if sentence.joint is Joint.VERB_PHRASES and _one_reaches_another(sentence, meaning):
            return False
        for clause in sentence.clauses:
            if clause.attached and not self._attaches(clause, meaning, frozenset()):
                return False
        return self._mentions_once(sentence, meaning)

    def _attaches(self, clause: Clause, meaning: Meaning, outside: frozenset[str]) -> bool:
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

    def _open_to(self, entry: Entry, frame: Frame) -> frozenset[str]:
        """Prepositions with which a clause could take another argument at its end."""
        key = id(frame)
        if key not in self._open:
            self._open[key] = frozenset(_open_prepositions(entry, frame))
        return self._open[key]

    def _mentions_once(self, sentence: Sentence, meaning: Meaning) -> bool:
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
        bare = sentence.clauses[1:] if sentence.joint is Joint.VERB_PHRASES else ()
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


def has_manner(frame: Frame, entry: Entry) -> bool:
    """Whether a clause says how."""
    return bool(frame.mask >> (len(entry.roles) - 1))


def has_adverb(frame: Frame, entry: Entry) -> bool:
    """Whether a clause has an adverb right before its finite verb."""
    return frame.pattern.voice is Voice.ACTIVE and has_manner(frame, entry)


def _open_prepositions(entry: Entry, frame: Frame) -> Iterator[str]:
    """Those of arguments that a frame leaves out; `by` only where it is passive."""
    for frames in entry.sentences.values():
        for each in frames:
            if frame.pattern.voice is Voice.PASSIVE or each.pattern.voice is not Voice.PASSIVE:
                for preposition, role in each.attachments:
                    if not frame.mask >> role & 1:
                        yield preposition


def _one_reaches_another(sentence: Sentence, meaning: Meaning) -> bool:
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
