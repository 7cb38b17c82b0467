"""Random choices, and random meanings of texts and hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ensue.suites.meaning import NOBODY, Event, Meaning, as_filler, embedded, renumbered
from ensue.suites.repertoire import PredicateEntry, Repertoire

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
