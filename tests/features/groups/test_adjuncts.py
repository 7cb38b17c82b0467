"""Adjuncts that only one side has."""

import pytest

ON = [
    ("adjuncts.added-positive", "A man sang.", "A man sang in the church."),
    ("adjuncts.added-positive", "Anna bought a car.", "Anna bought a red car."),
    ("adjuncts.added-positive", "The boys played.", "The boys played while it rained."),
    ("adjuncts.added-positive", "Anna works.", "Anna works slowly."),
    ("adjuncts.added-negative", "Anna did not sing.", "Anna did not sing in the church."),
    ("adjuncts.added-negative", "No man sang.", "No man sang in the church."),
    ("adjuncts.added-negative", "Anna never bought a car.", "Anna never bought a red car."),
    ("adjuncts.added-negative", "Nobody complained.", "Nobody complained loudly."),
    ("adjuncts.added-universal", "Every guest arrived.", "Every hungry guest arrived."),
    (
        "adjuncts.added-universal",
        "All students passed the exam.",
        "All lazy students passed the exam.",
    ),
    ("adjuncts.added-universal", "Anna read every book.", "Anna read every old book."),
    ("adjuncts.added-universal", "Each child got a present.", "Each small child got a present."),
    ("adjuncts.dropped-positive", "A man sang in the church.", "A man sang."),
    ("adjuncts.dropped-positive", "Anna bought a red car.", "Anna bought a car."),
    ("adjuncts.dropped-positive", "Every guest arrived at noon.", "Every guest arrived."),
    ("adjuncts.dropped-positive", "Anna works slowly.", "Anna works."),
    ("adjuncts.dropped-negative", "No man sang in the church.", "No man sang."),
    ("adjuncts.dropped-negative", "Anna did not buy a red car.", "Anna did not buy a car."),
    ("adjuncts.dropped-negative", "Nobody complained loudly.", "Nobody complained."),
    ("adjuncts.dropped-negative", "Few guests arrived at noon.", "Few guests arrived."),
    ("adjuncts.dropped-universal", "Every hungry guest arrived.", "Every guest arrived."),
    (
        "adjuncts.dropped-universal",
        "All lazy students passed the exam.",
        "All students passed the exam.",
    ),
    ("adjuncts.dropped-universal", "Anna read every old book.", "Anna read every book."),
    ("adjuncts.dropped-universal", "Each small child got a present.", "Each child got a present."),
    ("adjuncts.exchanged", "A man sang in the church.", "A man sang in the kitchen."),
    ("adjuncts.exchanged", "Anna bought a red car.", "Anna bought a cheap car."),
    ("adjuncts.exchanged", "Anna left before the war.", "Anna left before the concert."),
    ("adjuncts.exchanged", "Anna drove slowly.", "Anna drove carelessly."),
]

OFF = [
    ("adjuncts.added-positive", "A man sang in the church.", "A man sang."),
    ("adjuncts.added-positive", "No man sang.", "No man sang in the church."),
    ("adjuncts.added-positive", "A man sang in the church.", "A man sang in the kitchen."),
    ("adjuncts.added-positive", "Every guest arrived.", "Every hungry guest arrived."),
    ("adjuncts.added-positive", "Guests arrived.", "Many guests arrived."),
    ("adjuncts.added-positive", "Anna met the mayor.", "Anna met the mayor of Rome."),
    ("adjuncts.added-negative", "Anna sang.", "Anna sang in the church."),
    ("adjuncts.added-negative", "Anna did not sing in the church.", "Anna did not sing."),
    ("adjuncts.added-negative", "Every guest arrived.", "Every hungry guest arrived."),
    ("adjuncts.added-universal", "Every guest arrived.", "Every guest arrived at noon."),
    ("adjuncts.added-universal", "Some guests arrived.", "Some hungry guests arrived."),
    ("adjuncts.added-universal", "The guests arrived.", "The hungry guests arrived."),
    ("adjuncts.added-universal", "Not every guest arrived.", "Not every hungry guest arrived."),
    ("adjuncts.dropped-positive", "A man sang.", "A man sang."),
    ("adjuncts.dropped-positive", "No man sang in the church.", "No man sang."),
    ("adjuncts.dropped-positive", "Every hungry guest arrived.", "Every guest arrived."),
    ("adjuncts.dropped-positive", "A man sang in the church.", "A man sang in the kitchen."),
    ("adjuncts.dropped-positive", "Boris allegedly stole the car.", "Boris stole the car."),
    ("adjuncts.dropped-positive", "If it rains, Anna stays at home.", "Anna stays at home."),
    ("adjuncts.dropped-positive", "Many guests arrived.", "Guests arrived."),
    ("adjuncts.dropped-negative", "A man sang in the church.", "A man sang."),
    ("adjuncts.dropped-negative", "No man sang.", "No man sang in the church."),
    ("adjuncts.dropped-negative", "Every hungry guest arrived.", "Every guest arrived."),
    ("adjuncts.dropped-negative", "The angry guest did not sleep.", "The guest did not sleep."),
    ("adjuncts.dropped-negative", "Few guests arrived.", "Guests arrived."),
    ("adjuncts.dropped-negative", "Boris hardly slept.", "Boris slept."),
    ("adjuncts.dropped-universal", "Every guest arrived at noon.", "Every guest arrived."),
    ("adjuncts.dropped-universal", "Some hungry guests arrived.", "Some guests arrived."),
    ("adjuncts.dropped-universal", "Every guest arrived.", "Every hungry guest arrived."),
    ("adjuncts.dropped-universal", "No hungry guest arrived.", "No guest arrived."),
    ("adjuncts.exchanged", "A man sang in the church.", "A man sang on Monday."),
    ("adjuncts.exchanged", "Anna bought a red car.", "Anna bought a car."),
    ("adjuncts.exchanged", "Anna bought a large car.", "Anna bought a big car."),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_adjuncts_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_adjuncts_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


def test_adjuncts_is_tried_often_enough(untried):
    assert untried("adjuncts", ON, OFF) == []
