"""Sentences composed of events: relative clauses, coordination, nominal arguments.

The paper's "dedicated procedures". A relative clause stands only on the first or the last argument
of a clause, and in coordinations only where nothing after it could be taken for a part of it; what
can be read in two ways all the same is thrown away (`readings`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ensue.suites.frames import (
    NOBODY,
    FrameKind,
    Meaning,
    PredicateFrame,
    embedded,
    event_of,
    may_repeat_itself,
)
from ensue.suites.near_misses import Stream, pick, shuffled
from ensue.suites.repertoire import Repertoire
from ensue.suites.sentences import ClauseJoint, ClausePlan, Readings, SentencePlan, make_sentence

_COORDINATED = 0.35
"""How often coordination is tried before relative clauses."""
_NOTHING: Mapping[int, ClausePlan] = {}
_NO_FRAMES: list[PredicateFrame] = []
_VERB_PHRASES = 0.7
"""How often clauses about the same are coordinated as verb phrases."""


class Composer:
    """Finds a sentence for a meaning, a random one of those there are."""

    def __init__(self, repertoire: Repertoire, readings: Readings, random: Stream) -> None:
        self._indefinite = repertoire.indefinite
        self._readings = readings
        self._random = random

    def compose(
        self, meaning: Meaning, unlike: PredicateFrame | None = None
    ) -> SentencePlan | None:
        """A sentence that says this; None where none was found.

        Args:
            meaning: Its events.
            unlike: A frame that one event alone is not to have.
        """
        if len(meaning) == 1:
            return self._simple(meaning, unlike)
        if may_repeat_itself(meaning):
            return None
        inner = embedded(meaning)
        free = [i for i in range(len(meaning)) if i not in inner]
        sentence = self._sentence(meaning, free)
        if sentence is None or not self._readings.is_one(sentence, meaning):
            return None
        return sentence

    def _simple(self, meaning: Meaning, unlike: PredicateFrame | None) -> SentencePlan | None:
        frames = meaning[0].entry.sentences.get(meaning[0].mask, _NO_FRAMES)
        if unlike in frames:
            frames = [frame for frame in frames if frame is not unlike]
        if not frames:
            return None
        clause = ClausePlan(frames[int(self._random() * len(frames))], 0, _NOTHING)
        return SentencePlan(ClauseJoint.NONE, (clause,), ((clause, ""),))

    def _sentence(self, meaning: Meaning, free: list[int]) -> SentencePlan | None:
        if len(free) == 1:
            clause = self._clause(meaning, free[0])
            return None if clause is None else make_sentence(ClauseJoint.NONE, (clause,))
        coordinated = self._random() < _COORDINATED
        for _ in range(2):
            if coordinated:
                found = self._coordination(meaning, self._partition(meaning, free))
            else:
                clause = self._tree(meaning, free, last=True)
                found = None if clause is None else make_sentence(ClauseJoint.NONE, (clause,))
            if found is not None:
                return found
            coordinated = not coordinated
        return self._coordination(meaning, [[event] for event in free])

    def _coordination(self, meaning: Meaning, parts: list[list[int]]) -> SentencePlan | None:
        if self._random() < _VERB_PHRASES:
            shared = self._shared(meaning, parts)
            clauses = (
                self._conjuncts(meaning, parts, pick(self._random, shared)) if shared else None
            )
            if clauses is not None:
                return make_sentence(ClauseJoint.VERB_PHRASES, clauses)
        clauses = self._conjuncts(meaning, parts, None)
        return None if clauses is None else make_sentence(ClauseJoint.CLAUSES, clauses)

    def _partition(self, meaning: Meaning, free: list[int]) -> list[list[int]]:
        """Cut the events into at least two parts, in random order; what shares something new stays."""
        order = shuffled(self._random, free)
        if len(order) < 3:
            return [[event] for event in order]
        for i, j in ((0, 1), (0, 2), (1, 2)):
            fillers = meaning[order[j]].fillers
            if any(f in self._indefinite and f in fillers for f in meaning[order[i]].fillers):
                others = [[event] for k, event in enumerate(order) if k not in (i, j)]
                return shuffled(self._random, [[order[i], order[j]], *others])
        if self._random() < 0.5:
            return [order[:1], order[1:]] if self._random() < 0.7 else [order[:2], order[2:]]
        return [[event] for event in order]

    def _conjuncts(
        self, meaning: Meaning, parts: list[list[int]], first: int | None
    ) -> tuple[ClausePlan, ...] | None:
        """A clause for each part; all begin with what `first` says, where it says something."""
        clauses: list[ClausePlan] = []
        for i, part in enumerate(parts):
            clause = self._tree(meaning, part, last=i == len(parts) - 1, first=first)
            if clause is None:
                return None
            if first is not None and (
                clause.frame.kind is not FrameKind.CLAUSE
                or (i > 0 and clause.frame.first in clause.attached)
            ):
                return None
            clauses.append(clause)
        return tuple(clauses)

    def _tree(
        self, meaning: Meaning, events: list[int], *, last: bool, first: int | None = None
    ) -> ClausePlan | None:
        """One clause with the other events in relative clauses; on its last argument if `last`."""
        if len(events) == 1:
            return self._clause(meaning, events[0], first)
        for host, *others in (events, events[::-1]) if first is None else (events,):
            clause = self._clause(meaning, host, first)
            if clause is None:
                continue
            grown = self._grown(meaning, clause, shuffled(self._random, others), last=last)
            if grown is not None:
                return grown
        return None

    def _grown(
        self, meaning: Meaning, clause: ClausePlan, others: list[int], *, last: bool
    ) -> ClausePlan | None:
        """The clause with a relative clause for each of the other events."""
        frame = clause.frame
        places = [frame.last] if last and frame.last >= 0 else []
        if frame.kind is FrameKind.CLAUSE and frame.first >= 0 and frame.first != frame.last:
            places.append(frame.first)
        attached = dict(clause.attached)
        for place in shuffled(self._random, places):
            if not others or place in attached or place == frame.head:
                continue
            nested = others if place == frame.last and self._random() < 0.5 else others[:1]
            relative = self._relative(meaning, clause, place, nested)
            if relative is None and len(nested) > 1:
                nested = others[:1]
                relative = self._relative(meaning, clause, place, nested)
            if relative is not None:
                attached[place] = relative
                others = others[len(nested) :]
        return None if others else ClausePlan(frame, clause.event, attached)

    def _relative(
        self, meaning: Meaning, clause: ClausePlan, place: int, events: list[int]
    ) -> ClausePlan | None:
        """A relative clause of the first event about an argument, with the others inside it."""
        filler = meaning[clause.event].fillers[place]
        if filler <= NOBODY:
            return None
        event = meaning[events[0]]
        if filler not in event.fillers:
            return None
        head = event.fillers.index(filler)
        frames = event.entry.relatives.get((head, event.mask))
        if not frames:
            return None
        relative = self._with_nominals(meaning, pick(self._random, frames), events[0])
        if relative is None or len(events) == 1:
            return relative
        return self._grown(meaning, relative, events[1:], last=True)

    def _clause(self, meaning: Meaning, event: int, first: int | None = None) -> ClausePlan | None:
        """A whole clause for one event, which begins with what `first` says, if anything."""
        entry, fillers, mask = meaning[event]
        frames = entry.sentences.get(mask)
        if not frames:
            return None
        if first is not None:
            frames = [each for each in frames if fillers[each.first] == first and each.first >= 0]
            if not frames:
                return None
        frame = frames[int(self._random() * len(frames))]
        if not entry.takes_events:
            return ClausePlan(frame, event, _NOTHING)
        return self._with_nominals(meaning, frame, event)

    def _with_nominals(
        self, meaning: Meaning, frame: PredicateFrame, event: int
    ) -> ClausePlan | None:
        if not meaning[event].entry.takes_events:
            return ClausePlan(frame, event, _NOTHING)
        attached: dict[int, ClausePlan] = {}
        for role, filler in enumerate(meaning[event].fillers):
            if filler < NOBODY:
                inner = meaning[event_of(filler)]
                frames = inner.entry.nominals.get(inner.mask)
                if not frames:
                    return None
                attached[role] = ClausePlan(pick(self._random, frames), event_of(filler), _NOTHING)
        return ClausePlan(frame, event, attached)

    def _shared(self, meaning: Meaning, parts: list[list[int]]) -> list[int]:
        """What fills a role of the first event of each part."""
        shared = [filler for filler in meaning[parts[0][0]].fillers[:-1] if filler > NOBODY]
        for part in parts[1:]:
            fillers = meaning[part[0]].fillers
            shared = [filler for filler in shared if filler in fillers]
        return shared
