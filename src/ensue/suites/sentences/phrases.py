"""Everything that can be said with one predicate alone: the paper's section 2.4.1."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ensue.errors import UnknownNameError
from ensue.suites.grammar import Tense
from ensue.suites.sentences.frames import Frame
from ensue.suites.sentences.meaning import NOBODY, Event
from ensue.suites.sentences.plans import Clause, Renderer
from ensue.suites.sentences.repertoire import Entry, Repertoire, all_frames


def phrases(repertoire: Repertoire, predicate: str, tense: Tense | None = None) -> Iterator[str]:
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
    tenses = [each for each in Tense if each in entry.tenses]
    tense = tense or tenses[0]
    if tense not in tenses:
        raise UnknownNameError.of(f"tense of {predicate!r}", tense.value, tenses)
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
