"""The main predicate."""

import pytest

ON = [
    ("root.unaligned", "Anna saw the house.", "Anna painted the house."),
    ("root.unaligned", "Anna bought a car.", "Anna slept."),
    ("root.unaligned", "The price rose.", "The price fell."),
    ("root.unaligned", "Boris slept.", "The price rose."),
    ("root.main", "Anna sold the house in May.", "Anna sold the house."),
    ("root.main", "Anna purchased a car.", "Anna bought a car."),
    ("root.main", "Anna is a doctor from Rome.", "Anna is a doctor."),
    ("root.main", "The house was sold by Anna.", "Anna sold the house."),
]

OFF = [
    ("root.unaligned", "Anna saw the house.", "Anna saw the house."),
    ("root.unaligned", "Anna purchased a car.", "Anna bought a car."),
    ("root.unaligned", "Boris said that Anna left.", "Anna left."),
    ("root.main", "Boris said that Anna left.", "Anna left."),
    ("root.main", "Anna saw the house.", "Anna painted the house."),
    ("root.main", "The girl who won the race slept.", "The girl won the race."),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_root_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_root_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


def test_root_is_tried_often_enough(untried):
    assert untried("root", ON, OFF) == []
