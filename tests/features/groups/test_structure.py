"""What hangs together in both sides."""

import pytest

from ensue.features.groups import structure

ON = [
    ("structure.arguments", "Boris was seen by Anna.", "Anna saw Boris."),
    ("structure.arguments", "Anna sold the house in May.", "Anna sold the house."),
    ("structure.arguments", "The girl who won the race slept.", "The girl won the race."),
    ("structure.arguments", "Anna bought and painted the house.", "Anna painted the house."),
    ("structure.swapped", "Boris saw Anna.", "Anna saw Boris."),
    ("structure.swapped", "The dog chased the cat.", "The cat chased the dog."),
    ("structure.swapped", "Anna was praised by Boris.", "Anna praised Boris."),
    (
        "structure.swapped",
        "The destruction of the fleet by the storm shocked Rome.",
        "The fleet destroyed the storm.",
    ),
    ("structure.displaced", "Anna sleeps while Boris reads.", "Boris sleeps."),
    ("structure.displaced", "Anna bought the house and Boris sold the car.", "Anna sold the car."),
    (
        "structure.displaced",
        "The judge praised the lawyer who called the police.",
        "The judge called the police.",
    ),
    ("structure.displaced", "Anna praised Boris while Clara drank wine.", "Anna drank wine."),
]

OFF = [
    ("structure.swapped", "The storm killed five soldiers.", "Five soldiers died."),
    ("structure.arguments", "Boris saw Anna.", "Anna saw Boris."),
    ("structure.arguments", "Anna sold the house.", "Anna sold the car."),
    ("structure.arguments", "Anna sold a house at night.", "At night."),
    ("structure.swapped", "Boris saw Anna.", "Anna was seen by Boris."),
    ("structure.swapped", "Boris saw Anna.", "Boris saw Anna."),
    ("structure.swapped", "Boris and Anna saw the king.", "Anna and Boris saw the king."),
    (
        "structure.swapped",
        "Rome's destruction by the Goths was complete.",
        "The Goths destroyed Rome.",
    ),
    ("structure.displaced", "Anna sleeps while Boris reads.", "Boris reads."),
    ("structure.displaced", "Anna sleeps.", "Boris sleeps."),
    ("structure.displaced", "Anna and Boris slept.", "Boris slept."),
    ("structure.displaced", "Boris read while he ate.", "Boris ate."),
    (
        "structure.displaced",
        "Most of the students passed the exam.",
        "The students passed the exam.",
    ),
    ("structure.displaced", "Boris met Anna's brother.", "Boris is Anna's brother."),
]

WORKED = [
    ("structure.edges", "Anna slept in the bathroom.", "Anna slept.", 1 / 1),
    ("structure.edges", "Boris was seen by Anna.", "Anna saw Boris.", 2 / 2),
    (
        "structure.edges",
        "Anna praised Boris while Clara drank wine.",
        "Anna drank wine.",
        1 / 2,
    ),
    ("structure.edges", "Boris saw Anna.", "Anna saw Boris.", 0 / 2),
    ("structure.edges", "Anna slept.", "Anna slept in the bathroom.", 0.0),
    ("structure.nearness", "Anna slept in the bathroom.", "Anna slept.", 1 / 1),
    ("structure.nearness", "Anna sleeps while Boris reads.", "Boris sleeps.", 1 / 2),
    ("structure.nearness", "The girl who won the race slept.", "The race slept.", 1 / 3),
    (
        "structure.nearness",
        "Anna praised Boris while Clara drank wine.",
        "Anna drank wine.",
        (1 / 2 + 1) / 2,
    ),
    ("structure.nearness", "Anna slept.", "Anna slept in the bathroom.", 0.0),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_structure_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_structure_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


@pytest.mark.parametrize(("name", "text", "hypothesis", "expected"), WORKED)
def test_structure_is_what_is_worked_by_hand(value, name, text, hypothesis, expected):
    assert value(name, text, hypothesis) == pytest.approx(expected)


def test_structure_is_tried_often_enough(untried):
    on = [*ON, *(case for case in WORKED if case[-1] > 0)]
    off = [*OFF, *(case for case in WORKED if case[-1] == 0)]
    assert untried("structure", on, off) == []


def test_roles_of_a_predicate_are_read_once(value, monkeypatch):
    read = []
    roles = structure._roles
    monkeypatch.setattr(structure, "_roles", lambda *asked: read.append(asked) or roles(*asked))
    text = "Anna, Boris, Clara and Dora saw dogs, cats, horses and sheep."
    assert value("structure.arguments", text, text) == 1
    assert len(read) == 1
