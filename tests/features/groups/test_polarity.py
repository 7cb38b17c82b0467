"""Negation and words of opposite meaning."""

import pytest

ON = [
    ("polarity.text-negated", "Boris did not leave.", "Boris left."),
    ("polarity.text-negated", "Boris never left.", "Boris left."),
    ("polarity.text-negated", "No guest arrived.", "A guest arrived."),
    ("polarity.text-negated", "Anna is not a doctor.", "Anna is a doctor."),
    ("polarity.text-negated", "Nobody called the police.", "Somebody called the police."),
    ("polarity.hypothesis-negated", "Boris left.", "Boris did not leave."),
    ("polarity.hypothesis-negated", "A guest arrived.", "No guest arrived."),
    ("polarity.hypothesis-negated", "Anna is a doctor.", "Anna is not a doctor."),
    ("polarity.hypothesis-negated", "Boris left.", "Boris never left."),
    ("polarity.both-negated", "Boris never left.", "Boris did not leave."),
    ("polarity.both-negated", "No guest arrived.", "No guest arrived on time."),
    ("polarity.both-negated", "Anna is not a good doctor.", "Anna is not a doctor."),
    ("polarity.both-negated", "Boris failed to leave.", "Boris did not leave."),
    ("polarity.both-negated", "Anna has no car.", "Anna does not have a car."),
    ("polarity.noun", "Boris left without a coat.", "Boris left with a coat."),
    ("polarity.noun", "No guest arrived.", "A guest arrived."),
    ("polarity.noun", "Anna bought tea instead of coffee.", "Anna bought coffee."),
    ("polarity.noun", "Anna has no car.", "Anna has a car."),
    ("polarity.antonym", "The price rose.", "The price fell."),
    ("polarity.antonym", "Anna bought a hot soup.", "Anna bought a cold soup."),
    ("polarity.antonym", "Anna won the match.", "Anna lost the match."),
    ("polarity.antonym", "The box was full.", "The box was empty."),
]

OFF = [
    ("polarity.text-negated", "Boris left.", "Boris left."),
    ("polarity.text-negated", "Boris did not leave.", "Boris did not leave."),
    ("polarity.text-negated", "Not only Boris left.", "Boris left."),
    ("polarity.text-negated", "Boris did not leave.", "Boris failed to leave."),
    ("polarity.text-negated", "It is false that Boris did not leave.", "Boris left."),
    ("polarity.text-negated", "Boris, who never complained, left.", "Boris left."),
    ("polarity.hypothesis-negated", "Boris did not leave.", "Boris left."),
    ("polarity.hypothesis-negated", "Boris failed to leave.", "Boris did not leave."),
    ("polarity.hypothesis-negated", "Boris never left.", "Boris did not leave."),
    ("polarity.hypothesis-negated", "Boris left.", "Not only Boris left."),
    ("polarity.both-negated", "Boris did not leave.", "Boris left."),
    ("polarity.both-negated", "Boris left.", "Boris left."),
    ("polarity.both-negated", "Boris did not leave, but Anna slept.", "Anna slept."),
    ("polarity.both-negated", "Boris did not fail to leave.", "Boris left."),
    ("polarity.noun", "Boris left with a coat.", "Boris left with a coat."),
    ("polarity.noun", "Boris left without a coat.", "Boris left without a coat."),
    ("polarity.noun", "Anna has no car.", "Anna does not have a car."),
    ("polarity.antonym", "The price rose.", "The price did not fall."),
    ("polarity.antonym", "The price rose.", "The price increased."),
    ("polarity.antonym", "The box was not full.", "The box was empty."),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_polarity_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_polarity_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


def test_polarity_is_tried_often_enough(untried):
    assert untried("polarity", ON, OFF) == []
