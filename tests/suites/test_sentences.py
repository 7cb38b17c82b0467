"""Sentences in words: agreement, pronouns, commas, possessives, capitals, full stops."""

import pytest

from ensue.suites.frames import NOBODY, Event, as_filler
from ensue.suites.grammar import SentenceTense
from ensue.suites.sentences import ClauseJoint, ClausePlan, Renderer, make_sentence


class Wording:
    """Builds clauses of a grammar by pattern and fillers."""

    def __init__(self, repertoire):
        self.entries = {entry.name: entry for entry in repertoire.entries}
        self.numbers = {text: i for i, text in enumerate(repertoire.texts)}
        self.renderer = Renderer(repertoire)

    def event(self, predicate, *fillers):
        entry = self.entries[predicate]
        numbered = [self.numbers[f] if isinstance(f, str) else f for f in fillers]
        numbered += [NOBODY] * (len(entry.roles) - len(numbered))
        mask = sum(1 << i for i, filler in enumerate(numbered) if filler != NOBODY)
        return Event(entry, tuple(numbered), mask)

    def frame(self, event, type_, kind):
        tables = (event.entry.sentences, event.entry.relatives, event.entry.nominals)
        return next(
            frame
            for table in tables
            for frames in table.values()
            for frame in frames
            if frame.pattern.type == type_ and frame.kind == kind and frame.mask == event.mask
        )

    def sentence(self, events, clauses, joint=ClauseJoint.NONE, tense=SentenceTense.PRESENT):
        return self.renderer.sentence(make_sentence(joint, tuple(clauses)), events, tense)

    def clause(self, events, i, type_="V-A", kind="clause", **attached):
        return ClausePlan(
            self.frame(events[i], type_, kind),
            i,
            {int(role.removeprefix("r")): clause for role, clause in attached.items()},
        )


@pytest.fixture(scope="module")
def wording(small):
    return Wording(small)


@pytest.mark.parametrize(
    ("fillers", "type_", "tense", "sentence"),
    [
        (("John", "a book"), "V-A", SentenceTense.PRESENT, "John reads a book."),
        (("the students", "a book"), "V-A", SentenceTense.PRESENT, "The students read a book."),
        (("John", "a book"), "V-A", SentenceTense.PAST, "John read a book."),
        (("John", "a book"), "V-P", SentenceTense.PRESENT, "A book is read by John."),
        (("John", "the maps"), "V-P", SentenceTense.PRESENT, "The maps are read by John."),
        (("John", "the maps"), "V-P", SentenceTense.PAST, "The maps were read by John."),
        ((NOBODY, "a book"), "V-P", SentenceTense.PAST, "A book was read."),
        (
            ("the nurse", "a book", "quick"),
            "V-A",
            SentenceTense.PRESENT,
            "The nurse quickly reads a book.",
        ),
        (("John", "a book", "slow"), "V-P", SentenceTense.PAST, "A book was slowly read by John."),
    ],
)
def test_clauses(wording, fillers, type_, tense, sentence):
    events = [wording.event("read", *fillers)]
    assert wording.sentence(events, [wording.clause(events, 0, type_)], tense=tense) == sentence


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        ("John", "John's reading of a book is quick."),
        ("the students", "The students' reading of a book is quick."),
        ("a teacher", "A teacher's reading of a book is quick."),
    ],
)
def test_nominals_say_how_it_was(wording, who, sentence):
    events = [wording.event("read", who, "a book", "quick")]
    assert wording.sentence(events, [wording.clause(events, 0, "N-Poss-PP0", "copula")]) == sentence


def test_nominals_are_arguments(wording):
    events = [
        wording.event("arrive", "John", "quick"),
        wording.event("surprise", as_filler(0), "the nurse"),
    ]
    nominal = wording.clause(events, 0, "N-Poss", "nominal")
    assert (
        wording.sentence(events, [wording.clause(events, 1, r0=nominal)], tense=SentenceTense.PAST)
        == "John's quick arrival surprised the nurse."
    )


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        ("John", "John, who arrives, reads a book."),
        ("the nurse", "The nurse who arrives reads a book."),
        ("the students", "The students who arrive read a book."),
    ],
)
def test_relative_clauses_on_the_subject(wording, who, sentence):
    events = [wording.event("read", who, "a book"), wording.event("arrive", who)]
    relative = wording.clause(events, 1, "V-R0-A", "relative")
    assert wording.sentence(events, [wording.clause(events, 0, r0=relative)]) == sentence


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("Mary", "Mark visits Mary, whom John marries."),
        ("the nurse", "Mark visits the nurse whom John marries."),
    ],
)
def test_relative_clauses_on_the_last_argument(wording, what, sentence):
    events = [wording.event("visit", "Mark", what), wording.event("marry", "John", what)]
    relative = wording.clause(events, 1, "V-R1-A", "relative")
    assert wording.sentence(events, [wording.clause(events, 0, r1=relative)]) == sentence


def test_relative_pronouns_after_a_preposition_and_for_things(wording):
    events = [wording.event("arrive", "a teacher"), wording.event("read", "a teacher", "a book")]
    by_whom = wording.clause(events, 1, "V-R0-P", "relative")
    assert (
        wording.sentence(events, [wording.clause(events, 0, r0=by_whom)])
        == "A teacher by whom a book is read arrives."
    )
    events = [wording.event("read", "Mary", "a book"), wording.event("read", "John", "a book")]
    that = wording.clause(events, 1, "V-R1-A", "relative")
    assert (
        wording.sentence(events, [wording.clause(events, 0, r1=that)])
        == "Mary reads a book that John reads."
    )


def test_coordination_of_clauses(wording):
    events = [wording.event("arrive", name) for name in ("John", "Mary", "the students")]
    clauses = [wording.clause(events, i) for i in range(3)]
    assert (
        wording.sentence(events[:2], clauses[:2], ClauseJoint.CLAUSES)
        == "John arrives, and Mary arrives."
    )
    assert (
        wording.sentence(events, clauses, ClauseJoint.CLAUSES)
        == "John arrives, Mary arrives, and the students arrive."
    )


def test_coordination_of_verb_phrases(wording):
    events = [
        wording.event("arrive", "John"),
        wording.event("visit", "John", "Mary"),
        wording.event("read", "John", "a book"),
    ]
    clauses = [wording.clause(events, i) for i in range(3)]
    assert (
        wording.sentence(events, clauses[:2], ClauseJoint.VERB_PHRASES)
        == "John arrives and visits Mary."
    )
    assert (
        wording.sentence(events, clauses, ClauseJoint.VERB_PHRASES)
        == "John arrives, visits Mary, and reads a book."
    )


def test_a_comma_that_ends_a_relative_clause_does_not_stand_before_another(wording):
    events = [
        wording.event("visit", "Mark", "Mary"),
        wording.event("arrive", "Mary"),
        wording.event("read", "John", "a book"),
    ]
    relative = wording.clause(events, 1, "V-R0-A", "relative")
    clauses = [wording.clause(events, 0, r1=relative), wording.clause(events, 2)]
    assert (
        wording.sentence(events, clauses, ClauseJoint.CLAUSES)
        == "Mark visits Mary, who arrives, and John reads a book."
    )
