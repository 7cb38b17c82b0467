"""The subjects of infinitives, participles and predicates without one of their own."""

import pytest


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("Mary wants to leave.", "leave nsubj mary"),
        ("Mary persuaded John to leave.", "leave nsubj john"),
        ("John was forced to resign.", "resign nsubj john"),
        ("John promised Mary to leave.", "leave nsubj john"),
        ("Mary began singing.", "sing nsubj mary"),
    ],
)
def test_control_gives_an_infinitive_its_subject(read, text, edge):
    assert edge in read(text).edges


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("John seems to be happy.", "happy nsubj john"),
        ("She is likely to win.", "win nsubj she"),
        ("He was said to be ill.", "ill nsubj he"),
    ],
)
def test_raising_gives_a_predicate_its_subject(read, text, edge):
    assert edge in read(text).edges


def test_passive_infinitive_has_an_object(read):
    assert "elect dobj he" in read("He tried to be elected.").edges


def test_infinitive_that_is_a_plan_is_not_what_the_plan_does(read):
    assert read("The plan is to win.").between("win", "plan") == set()


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("Mary became a doctor.", "doctor nsubj mary"),
        ("She became rich.", "rich nsubj she"),
        ("They elected him president.", "president nsubj he"),
        ("He was elected president.", "president nsubj he"),
    ],
)
def test_predicate_of_a_verb_is_said_of_its_subject(read, text, edge):
    assert edge in read(text).edges


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("Founded in 1990, the firm grew.", "found dobj firm"),
        ("He went to Rome to see the Pope.", "see nsubj he"),
        ("After eating the apple, he slept.", "eat nsubj he"),
        ("She kept him from leaving.", "leave nsubj he"),
    ],
)
def test_adverbial_has_a_subject_from_above(read, text, edge):
    assert edge in read(text).edges


def test_clause_as_a_subject_is_one(read):
    assert "clear nsubj lie" in read("That he lied is clear.").edges


def test_subject_of_a_clause_stays_there(read):
    found = read("She saw him leave.")
    assert {"see nsubj she", "leave nsubj he"} <= found.edges
