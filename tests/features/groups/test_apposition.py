"""What is said to be what."""

import pytest

ON = [
    (
        "apposition.match",
        "Clara Wood, the mayor of the town, resigned.",
        "Clara Wood is the mayor of the town.",
    ),
    ("apposition.match", "Anna is a doctor.", "Anna is a doctor."),
    ("apposition.match", "The mayor, Clara Wood, resigned.", "Clara Wood is the mayor."),
    ("apposition.match", "President Clara Wood resigned.", "Clara Wood is the president."),
    ("apposition.match", "Clara Wood is a singer from Rome.", "Clara Wood is a singer."),
    ("apposition.mismatch", "Clara Wood met the mayor.", "Clara Wood is the mayor."),
    ("apposition.mismatch", "Anna, a teacher, called a doctor.", "Anna is a doctor."),
    ("apposition.mismatch", "The senator praised the judge.", "The senator is the judge."),
    ("apposition.mismatch", "Anna is not a doctor.", "Anna is a doctor."),
]

OFF = [
    (
        "apposition.match",
        "Clara Wood met the mayor of the town.",
        "Clara Wood is the mayor of the town.",
    ),
    ("apposition.match", "Anna is not a doctor.", "Anna is a doctor."),
    ("apposition.match", "Anna is a doctor.", "Anna slept."),
    ("apposition.match", "Anna is a doctor.", "Anna is a lawyer."),
    ("apposition.mismatch", "Clara Wood, the mayor, resigned.", "Clara Wood is the mayor."),
    ("apposition.mismatch", "Clara Wood resigned.", "Clara Wood is the mayor."),
    ("apposition.mismatch", "Anna is not a doctor.", "Anna is not a doctor."),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_apposition_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_apposition_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


def test_apposition_is_tried_often_enough(untried):
    assert untried("apposition", ON, OFF) == []
