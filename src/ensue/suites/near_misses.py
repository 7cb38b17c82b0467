"""Near misses: hypotheses that differ in one thing from one that follows, and do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from ensue.suites.frames import FrameKind, PredicateFrame
from ensue.suites.meaning import NOBODY, Event, Meaning, follows, may_repeat_itself, refilled
from ensue.suites.repertoire import PredicateEntry, Repertoire
from ensue.suites.sampling import Stream, pick
from ensue.suites.sentences import ClausePlan, Readings, SentencePlan, make_sentence

_DRAWS = 3
"""How often another filler or predicate is drawn where the first does not do."""

Altered = tuple[list[Event], SentencePlan]
"""What the near miss says, and its plan."""


class Hypothesis(NamedTuple):
    """What follows from a text, before it is altered."""

    meaning: Meaning
    parts: Sequence[int]
    """Of which event of the text each event is a part."""
    sentence: SentencePlan


class NearMiss(StrEnum):
    """What a near miss has changed."""

    ROLES_SWAPPED = "roles-swapped"
    """Two of one event have changed places."""
    FILLER_EXCHANGED = "filler-exchanged"
    """Somebody stands there of whom the text says nothing."""
    ARGUMENT_ADDED = "argument-added"
    """A role is filled that the text leaves open."""
    PARTICIPANTS_CROSSED = "participants-crossed"
    """Somebody from another clause of the text stands there."""
    PREDICATE_EXCHANGED = "predicate-exchanged"
    """Another predicate of the same shape."""


class Alterer:
    """Makes near misses of hypotheses."""

    def __init__(self, repertoire: Repertoire, readings: Readings, random: Stream) -> None:
        self._repertoire = repertoire
        self._readings = readings
        self._weaker = repertoire.weaker
        self._names = repertoire.names
        self._indefinite = repertoire.indefinite
        self._random = random
        self._more: dict[int, list[PredicateFrame]] = {}
        self._ways: Mapping[NearMiss, Callable[[Meaning, Hypothesis], Altered | None]] = {
            NearMiss.ROLES_SWAPPED: self._swapped,
            NearMiss.FILLER_EXCHANGED: self._exchanged,
            NearMiss.ARGUMENT_ADDED: self._added,
            NearMiss.PARTICIPANTS_CROSSED: self._crossed,
            NearMiss.PREDICATE_EXCHANGED: self._predicate,
        }

    def alter(self, kind: NearMiss, text: Meaning, hypothesis: Hypothesis) -> Altered | None:
        """A near miss of this kind; None where this hypothesis has none, or none was found."""
        altered = self._ways[kind](text, hypothesis)
        if altered is None:
            return None
        meaning, sentence = altered
        if follows(text, meaning, self._repertoire):
            return None
        if may_repeat_itself(meaning) or not self._readings.is_one(sentence, meaning):
            return None
        return altered

    def _swapped(self, text: Meaning, hypothesis: Hypothesis) -> Altered | None:  # noqa: ARG002
        found = []
        for entry, fillers, mask in hypothesis.meaning:
            for i, j in entry.exchangeable:
                if mask >> i & 1 and mask >> j & 1:
                    one, other = fillers[i], fillers[j]
                    if other in entry.accepts[i] and one in entry.accepts[j]:
                        found.append((one, other))
        if not found:
            return None
        one, other = pick(self._random, found)
        return self._replaced(hypothesis, one, other)

    def _exchanged(self, text: Meaning, hypothesis: Hypothesis) -> Altered | None:
        entry, fillers, _ = pick(self._random, hypothesis.meaning)
        role = pick(
            self._random, [i for i, filler in enumerate(fillers) if filler > NOBODY] or [-1]
        )
        old = fillers[role]
        if old <= NOBODY:
            return None
        choices = entry.fillers[role]
        for _ in range(_DRAWS):
            new = choices[int(self._random() * len(choices))]
            if self._may_replace(old, new) and not _is_in(new, text):
                return self._replaced(hypothesis, old, new)
        return None

    def _crossed(self, text: Meaning, hypothesis: Hypothesis) -> Altered | None:
        if len(text) == 1:
            return None
        found = []
        for (entry, fillers, _), part in zip(hypothesis.meaning, hypothesis.parts, strict=True):
            for i, other in enumerate(text):
                if i == part:
                    continue
                for new in other.fillers[:-1]:
                    if new <= NOBODY or new in fillers:
                        continue
                    for role, old in enumerate(fillers[:-1]):
                        if old > NOBODY and new in entry.accepts[role]:
                            found.append((old, new))
        if not found:
            return None
        old, new = pick(self._random, found)
        return None if new in self._weaker[old] else self._replaced(hypothesis, old, new)

    def _added(self, text: Meaning, hypothesis: Hypothesis) -> Altered | None:
        clause, _ = pick(self._random, hypothesis.sentence.parts)
        event = hypothesis.meaning[clause.event]
        frames = [frame for frame in self._longer(event, clause.frame) if _fits(frame, clause)]
        if not frames:
            return None
        frame = pick(self._random, frames)
        role = (frame.mask ^ clause.frame.mask).bit_length() - 1
        if any(each.entry is event.entry and each.fillers[role] != NOBODY for each in text):
            return None
        choices = event.entry.fillers[role]
        for _ in range(_DRAWS if choices else 0):
            new = choices[int(self._random() * len(choices))]
            if not _is_in(new, text):
                break
        else:
            return None
        fillers = (*event.fillers[:role], new, *event.fillers[role + 1 :])
        meaning = _with(hypothesis.meaning, clause.event, Event(event.entry, fillers, frame.mask))
        return meaning, _with_frame(hypothesis.sentence, clause, frame)

    def _longer(self, event: Event, frame: PredicateFrame) -> Sequence[PredicateFrame]:
        """The frames of the same predicate, place and voice with one more role."""
        key = id(frame)
        if key not in self._more:
            self._more[key] = [
                each
                for each in _same_place(event, frame)
                if each.mask & frame.mask == frame.mask
                and (each.mask ^ frame.mask).bit_count() == 1
            ]
        return self._more[key]

    def _predicate(self, text: Meaning, hypothesis: Hypothesis) -> Altered | None:  # noqa: ARG002
        clause, _ = pick(self._random, hypothesis.sentence.parts)
        siblings = self._repertoire.siblings[id(clause.frame)]
        if not siblings:
            return None
        event = hypothesis.meaning[clause.event]
        for _ in range(_DRAWS):
            entry, frame = siblings[int(self._random() * len(siblings))]
            fillers = refilled(event, entry)
            if _accepts(entry, fillers):
                other = Event(entry, fillers, frame.mask)
                meaning = _with(hypothesis.meaning, clause.event, other)
                return meaning, _with_frame(hypothesis.sentence, clause, frame)
        return None

    def _replaced(self, hypothesis: Hypothesis, old: int, new: int) -> Altered | None:
        """One filler for another all over a hypothesis, and the other for the one."""
        exchanged = {old: new, new: old}
        meaning = []
        for entry, fillers, mask in hypothesis.meaning:
            if old not in fillers and new not in fillers:
                meaning.append(Event(entry, fillers, mask))
                continue
            changed = tuple([exchanged.get(filler, filler) for filler in fillers])
            if not _accepts(entry, changed):
                return None
            meaning.append(Event(entry, changed, mask))
        return meaning, hypothesis.sentence

    def _may_replace(self, old: int, new: int) -> bool:
        """Whether a phrase is of the same kind as another and says something else."""
        return (
            new not in self._weaker[old]
            and (old in self._names) == (new in self._names)
            and (old in self._indefinite) == (new in self._indefinite)
        )


def _is_in(filler: int, meaning: Meaning) -> bool:
    return any(filler in event.fillers for event in meaning)


def _accepts(entry: PredicateEntry, fillers: tuple[int, ...]) -> bool:
    """Whether each filler, a phrase or an event, may fill its role."""
    for role, filler in enumerate(fillers):
        if filler > NOBODY and filler not in entry.accepts[role]:
            return False
        if filler < NOBODY and not entry.nominal[role]:
            return False
    return True


def _same_place(event: Event, frame: PredicateFrame) -> Sequence[PredicateFrame]:
    """The frames of the same predicate that can stand where this one stands."""
    entry = event.entry
    if frame.kind is FrameKind.RELATIVE:
        tables = [frames for (head, _), frames in entry.relatives.items() if head == frame.head]
    elif frame.kind is FrameKind.NOMINAL:
        tables = list(entry.nominals.values())
    else:
        tables = list(entry.sentences.values())
    return [
        each
        for frames in tables
        for each in frames
        if each.kind is frame.kind and each.pattern.voice is frame.pattern.voice
    ]


def _fits(frame: PredicateFrame, clause: ClausePlan) -> bool:
    """Whether what is attached to a clause can be attached to the frame as well."""
    old = clause.frame
    if frame.first != old.first:
        return False
    return old.last == frame.last or old.last not in clause.attached


def _with(meaning: Meaning, i: int, event: Event) -> list[Event]:
    return [event if k == i else each for k, each in enumerate(meaning)]


def _with_frame(sentence: SentencePlan, clause: ClausePlan, frame: PredicateFrame) -> SentencePlan:
    """The plan with another frame for one clause."""

    def changed(each: ClausePlan) -> ClausePlan:
        if each is clause:
            return ClausePlan(frame, each.event, each.attached)
        if not each.attached:
            return each
        inner = {role: changed(attached) for role, attached in each.attached.items()}
        return ClausePlan(each.frame, each.event, inner)

    return make_sentence(sentence.joint, tuple(map(changed, sentence.clauses)))
