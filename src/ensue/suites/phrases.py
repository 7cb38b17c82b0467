"""Everything that can be said with one predicate alone: the paper's section 2.4.1."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ensue.suites.frames import Frame
from ensue.suites.grammar import Tense
from ensue.suites.meaning import NOBODY, Event
from ensue.suites.repertoire import Entry, Repertoire, all_frames
from ensue.suites.sentences import Clause, Renderer


def phrases(repertoire: Repertoire, predicate: str, tense: Tense = Tense.PRESENT) -> Iterator[str]:
    """The clauses and noun phrases of a predicate, in each of its patterns with all its arguments.

    Nobody stands twice in one phrase. Roles that only events fill are left out, with the frames
    that need them.
    """
    renderer = Renderer(repertoire)
    entry = next(each for each in repertoire.entries if each.name == predicate)
    for frame in all_frames(entry):
        for event in _events(entry, frame):
            yield renderer.phrase(Clause(frame, 0, {}), [event], tense)


def _events(entry: Entry, frame: Frame) -> Iterator[Event]:
    choices = [
        fillers if frame.mask >> role & 1 else (NOBODY,)
        for role, fillers in enumerate(entry.fillers)
    ]
    for fillers in product(*choices):
        filled = [filler for filler in fillers if filler != NOBODY]
        if len(set(filled)) == len(filled):
            yield Event(entry, fillers, frame.mask)
