"""When things are said to happen."""

import pytest

ON = [
    ("tense.same", "Boris left.", "Boris has left."),
    ("tense.same", "Anna is sleeping.", "Anna sleeps."),
    ("tense.same", "The bank will close.", "The bank is going to close."),
    ("tense.same", "The car was sold.", "Anna sold the car."),
    ("tense.different", "Boris will leave.", "Boris left."),
    ("tense.different", "Anna slept.", "Anna sleeps."),
    ("tense.different", "The bank closes.", "The bank will close."),
    ("tense.different", "Anna was a doctor.", "Anna is a doctor."),
]

OFF = [
    ("tense.same", "Boris will leave.", "Boris left."),
    ("tense.same", "Anna slept.", "Anna sleeps."),
    ("tense.same", "Anna slept.", "Boris left."),
    ("tense.different", "Boris left.", "Boris has left."),
    ("tense.different", "Boris wants to leave.", "Boris left."),
    ("tense.different", "Anna slept.", "Boris leaves."),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_tense_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_tense_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


def test_tense_is_tried_often_enough(untried):
    assert untried("tense", ON, OFF) == []
