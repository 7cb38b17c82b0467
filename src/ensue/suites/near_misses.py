"""Random choices, random meanings of texts and hypotheses, and near misses, which almost follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

from ensue.suites.frames import (
    NOBODY,
    Event,
    FrameKind,
    Meaning,
    PredicateFrame,
    as_filler,
    embedded,
    follows,
    may_repeat_itself,
    refilled,
    renumbered,
)
from ensue.suites.repertoire import PredicateEntry, Repertoire
from ensue.suites.sentences import ClausePlan, Readings, SentencePlan, make_sentence

# Random choices from a stream of numbers in [0, 1): the same on every version of Python.

T = TypeVar("T")

Stream = Callable[[], float]
"""Gives the next number."""


def pick(stream: Stream, choices: Sequence[T]) -> T:
    """One of the choices."""
    return choices[int(stream() * len(choices))]


def shuffled(stream: Stream, items: Sequence[T]) -> list[T]:
    """The items in random order (Fisher & Yates)."""
    order = list(items)
    if len(order) == 2:  # the usual case, and half of the work
        return order if stream() < 0.5 else order[::-1]
    for i in range(len(order) - 1, 0, -1):
        j = int(stream() * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order


# Random meanings: what a text says, and what of it a hypothesis says again.

_FULL = 0.6
"""How often a text realizes as many roles as it can, and a hypothesis all that the text has."""
_WITH_MANNER = 0.3
"""How often a text says how something was done, where it can."""
_LINKED = 0.8
"""How often a further event speaks of somebody that an earlier one speaks of."""
_AGAIN = 0.7
"""How often that is somebody who may be mentioned again, where there is a choice."""
_ABOUT_EVENTS = 0.2
"""How often a further event speaks of an earlier event."""


class Sampler:
    """Draws meanings from some of a repertoire's predicates."""

    def __init__(
        self,
        repertoire: Repertoire,
        entries: Sequence[PredicateEntry],
        random: Stream,
    ) -> None:
        self._random = random
        self._indefinite = repertoire.indefinite
        plain = [entry for entry in entries if not entry.takes_events and entry.sentences]
        types = dict.fromkeys(entry.subcategorization for entry in plain)
        self._by_type = [[e for e in plain if e.subcategorization == name] for name in types]
        self._about_events = [
            entry for entry in repertoire.entries if entry.takes_events and entry.sentences
        ]
        allowed = set(map(id, plain))
        self._users = {
            filler: [(entry, role) for entry, role in users if id(entry) in allowed]
            for filler, users in repertoire.users.items()
        }
        self._masks = {id(entry): entry.masks for entry in repertoire.entries}
        self._masks_by_manner = {id(entry): _by_manner(entry) for entry in repertoire.entries}

    @property
    def is_empty(self) -> bool:
        """Whether there is no predicate of which a whole clause can be made."""
        return not self._by_type

    def text(self, n_events: int) -> list[Event] | None:
        """A meaning of so many events; None where it could not be filled."""
        entry = pick(self._random, pick(self._random, self._by_type))
        used: set[int] = set()
        first = self._event(entry, used)
        if first is None:
            return None
        meaning = [first]
        while len(meaning) < n_events:
            event = self._further(meaning, used)
            if event is None:
                return None
            meaning.append(event)
        return meaning

    def hypothesis(self, text: Meaning) -> tuple[list[Event], list[int]]:
        """Some of what a text says: some of its events, and of those some of the roles.

        Returns:
            The meaning, and of which event of the text each of its events is a part.
        """
        if len(text) == 1:
            return [self._part(text[0])], [0]
        size = 1 + int(self._random() * len(text))
        kept = shuffled(self._random, list(range(len(text))))[:size]
        parts = {i: self._part(text[i]) for i in kept}
        needed = embedded(list(parts.values()))
        parts |= {i: self._part(text[i], nominal=True) for i in needed if i not in parts}
        order = sorted(parts)
        return renumbered([parts.get(i, event) for i, event in enumerate(text)], order), order

    def _further(self, meaning: list[Event], used: set[int]) -> Event | None:
        """One more event, with or without a link to those before it."""
        if self._about_events and self._random() < _ABOUT_EVENTS:
            event = self._about(meaning, used)
            if event is not None:
                return event
        if self._random() < _LINKED:
            host = pick(self._random, meaning)
            known = [f for f in host.fillers[:-1] if f > NOBODY and self._users[f]]
            if self._random() < _AGAIN:
                known = [f for f in known if f not in self._indefinite] or known
            if known:
                filler = pick(self._random, known)
                entry, role = pick(self._random, self._users[filler])
                return self._event(entry, used, role, filler)
        return self._event(pick(self._random, pick(self._random, self._by_type)), used)

    def _about(self, meaning: list[Event], used: set[int]) -> Event | None:
        """An event that an earlier one fills a role of, if that can be a nominal."""
        taken = embedded(meaning)
        possible = [
            i
            for i, event in enumerate(meaning)
            if i not in taken
            and not event.entry.takes_events
            and event.mask in event.entry.nominals
        ]
        if not possible:
            return None
        entry = pick(self._random, self._about_events)
        role = entry.nominal.index(True)
        return self._event(entry, used, role, as_filler(pick(self._random, possible)))

    def _event(
        self, entry: PredicateEntry, used: set[int], role: int | None = None, filler: int = NOBODY
    ) -> Event | None:
        """An event whose roles nobody fills that is in use, but for the one that is given."""
        plain, with_manner = self._masks_by_manner[id(entry)]
        masks = with_manner if self._random() < _WITH_MANNER else plain
        if not masks:
            masks = plain or with_manner
        if role is not None:
            masks = [mask for mask in masks if mask >> role & 1]
            if not masks:
                return None
        mask = masks[-1] if self._random() < _FULL else pick(self._random, masks)
        manner = len(entry.fillers) - 1
        fillers = []
        for i, choices in enumerate(entry.fillers):
            if not mask >> i & 1:
                fillers.append(NOBODY)
            elif i == role:
                fillers.append(filler)
            elif i == manner:
                fillers.append(choices[int(self._random() * len(choices))])
            else:
                chosen = self._unused(choices, used)
                if chosen == NOBODY:
                    return None
                fillers.append(chosen)
        return Event(entry, tuple(fillers), mask)

    def _unused(self, choices: tuple[int, ...], used: set[int]) -> int:
        for _ in range(8 if choices else 0):
            filler = choices[int(self._random() * len(choices))]
            if filler not in used:
                used.add(filler)
                return filler
        return NOBODY

    def _part(self, event: Event, *, nominal: bool = False) -> Event:
        """The event with all of its roles, or with some that can be realized."""
        if self._random() < _FULL:
            return event
        mask = event.mask
        masks: Sequence[int] = self._masks[id(event.entry)]
        if nominal:
            masks = list(event.entry.nominals)
        smaller = [each for each in masks if each & mask == each]
        if not smaller:
            return event
        kept = pick(self._random, smaller)
        fillers = [f if kept >> i & 1 else NOBODY for i, f in enumerate(event.fillers)]
        return Event(event.entry, tuple(fillers), kept)


def _by_manner(entry: PredicateEntry) -> tuple[list[int], list[int]]:
    """The sets of roles that a clause can realize, without and with a manner."""
    manner = 1 << (len(entry.roles) - 1)
    return (
        [mask for mask in entry.masks if not mask & manner],
        [mask for mask in entry.masks if mask & manner],
    )


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
