"""Passives, agents and recipients: who does what to whom, however it is said."""

import pytest


@pytest.mark.parametrize(
    "text",
    ["The storm destroyed the bridge.", "The bridge was destroyed by the storm."],
)
def test_passive_has_the_roles_of_its_active(read, text):
    assert read(text).edges == {"destroy nsubj storm", "destroy dobj bridge"}


def test_passive_without_an_agent_has_no_subject(read):
    assert read("The letter was written in 1990.").edges == {
        "write dobj letter",
        "write prep_in 1990",
    }


@pytest.mark.parametrize(
    "text",
    [
        "John gave Mary a book.",
        "John gave a book to Mary.",
        "A book was given to Mary by John.",
        "Mary was given a book by John.",
    ],
)
def test_recipient_is_one_in_every_order(read, text):
    assert read(text).edges == {"give nsubj john", "give dobj book", "give iobj mary"}


def test_recipient_passive_without_an_agent_has_no_subject(read):
    assert read("Mary was given a book.").edges == {"give dobj book", "give iobj mary"}


def test_agent_of_a_passive_with_an_object_is_found(read):
    found = read("He was awarded a prize by the committee in 1990.")
    assert found.between("award", "committee") == {"nsubj"}
    assert found.between("award", "prize") == {"dobj"}


def test_day_by_which_something_is_done_does_nothing(read):
    assert read("The house was built by 1990.").between("build", "by 1990") == {"prep_by"}


def test_second_by_phrase_is_a_place(read):
    found = read("The dog was hit by a car by the river.")
    assert found.between("hit", "car") == {"nsubj"}
    assert found.between("hit", "river") == {"prep_by"}


def test_conjunct_of_a_passive_is_passive(read):
    found = read("He was arrested and charged with murder.")
    assert found.between("arrest", "he") == {"dobj"}
    assert found.between("charge", "he") == {"dobj"}


def test_deed_said_by_a_noun_keeps_its_prepositions(read):
    found = read("The killing of John by Mary shocked us.")
    assert {"killing prep_of john", "killing prep_by mary"} <= found.edges
