"""Meanings of sentences as events with filled roles, and what follows from what.

The paper compares sets of triples (predicate, role, filler), in which "Mary sends a book" follows
from "John sends a book and Mary sends a fork". Here a hypothesis follows where each of its events
is contained in one event of the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ensue.suites.repertoire import PredicateEntry, Repertoire

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
