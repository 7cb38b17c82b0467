"""Of how many something is said."""

import pytest

ON = [
    ("quantifiers.same", "All guests arrived.", "Every guest arrived."),
    ("quantifiers.same", "Some students passed the exam.", "Several students passed the exam."),
    ("quantifiers.same", "Few guests arrived.", "Few guests arrived."),
    ("quantifiers.same", "Most of the students passed the exam.", "Most students passed the exam."),
    ("quantifiers.same", "Anna has no car.", "Anna does not have a car."),
    ("quantifiers.weaker", "All guests arrived.", "Some guests arrived."),
    ("quantifiers.weaker", "Most students passed the exam.", "Some students passed the exam."),
    ("quantifiers.weaker", "Many students passed the exam.", "Several students passed the exam."),
    ("quantifiers.weaker", "No guest arrived.", "Not every guest arrived."),
    ("quantifiers.weaker", "Three guests arrived.", "Some guests arrived."),
    ("quantifiers.stronger", "Some guests arrived.", "All guests arrived."),
    ("quantifiers.stronger", "Most students passed the exam.", "All students passed the exam."),
    ("quantifiers.stronger", "Some students passed the exam.", "Most students passed the exam."),
    ("quantifiers.stronger", "Some guests did not arrive.", "No guest arrived."),
    ("quantifiers.stronger", "The guests arrived.", "All guests arrived."),
    ("quantifiers.opposed", "No guests arrived.", "Some guests arrived."),
    ("quantifiers.opposed", "All guests arrived.", "No guest arrived."),
    ("quantifiers.opposed", "Few guests arrived.", "Many guests arrived."),
    ("quantifiers.opposed", "Few guests arrived.", "Most guests arrived."),
    ("quantifiers.opposed", "Not every guest arrived.", "Every guest arrived."),
    (
        "quantifiers.opposed",
        "The students passed the exam.",
        "None of the students passed the exam.",
    ),
]

OFF = [
    ("quantifiers.same", "The guests arrived.", "The guests arrived."),
    ("quantifiers.same", "All guests arrived.", "Most guests arrived."),
    ("quantifiers.same", "Three guests arrived.", "Three guests arrived."),
    ("quantifiers.weaker", "Some guests arrived.", "All guests arrived."),
    ("quantifiers.weaker", "No guests arrived.", "Some guests arrived."),
    ("quantifiers.weaker", "All guests arrived.", "All guests arrived."),
    ("quantifiers.stronger", "All guests arrived.", "Some guests arrived."),
    ("quantifiers.stronger", "All guests arrived.", "Every guest arrived."),
    ("quantifiers.stronger", "No guests arrived.", "All guests arrived."),
    ("quantifiers.opposed", "No guests arrived.", "No guests arrived."),
    ("quantifiers.opposed", "No guest arrived.", "Few guests arrived."),
    ("quantifiers.opposed", "No guest arrived.", "Not every guest arrived."),
    ("quantifiers.opposed", "Anna has no car.", "Anna does not have a car."),
    ("quantifiers.opposed", "A few guests arrived.", "Some guests arrived."),
    ("quantifiers.opposed", "Few guests arrived.", "Not all guests arrived."),
    ("quantifiers.opposed", "Some guests arrived.", "All guests arrived."),
    ("quantifiers.opposed", "Few guests arrived.", "Some guests arrived."),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_quantifiers_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_quantifiers_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


def test_quantifiers_is_tried_often_enough(untried):
    assert untried("quantifiers", ON, OFF) == []
