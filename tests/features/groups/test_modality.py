"""What is said to be possible or necessary."""

import pytest

ON = [
    ("modality.same", "Anna may leave.", "Anna might leave."),
    ("modality.same", "The workers must wear helmets.", "The workers have to wear helmets."),
    ("modality.same", "Anna cannot swim.", "Anna is unable to swim."),
    ("modality.same", "Boris can cook.", "Boris is able to cook."),
    ("modality.weaker", "Anna left.", "Anna could leave."),
    ("modality.weaker", "The workers must wear helmets.", "The workers may wear helmets."),
    ("modality.weaker", "Boris cooks the dinner.", "Boris can cook the dinner."),
    ("modality.weaker", "Anna cannot leave.", "Anna did not leave."),
    ("modality.weaker", "Anna cannot leave.", "Anna need not leave."),
    ("modality.stronger", "Anna may leave.", "Anna left."),
    ("modality.stronger", "The workers may wear helmets.", "The workers must wear helmets."),
    ("modality.stronger", "The workers must wear helmets.", "The workers wear helmets."),
    ("modality.stronger", "Boris can cook the dinner.", "Boris cooks the dinner."),
    ("modality.stronger", "It is possible that the bank closes.", "The bank closes."),
    ("modality.stronger", "Anna did not swim.", "Anna cannot swim."),
    ("modality.opposed", "Anna can swim.", "Anna cannot swim."),
    ("modality.opposed", "Boris is unable to cook.", "Boris is able to cook."),
    ("modality.opposed", "The workers must wear helmets.", "The workers need not wear helmets."),
    ("modality.opposed", "Boris cooks the dinner.", "Boris cannot cook the dinner."),
    ("modality.opposed", "It is impossible that the bank closes.", "The bank closes."),
    ("modality.main", "Boris can cook the dinner.", "Boris cooks the dinner."),
    ("modality.main", "The workers must wear helmets.", "The workers wear helmets."),
    ("modality.main", "Anna can swim.", "Anna cannot swim."),
    ("modality.main", "The bank may close.", "The bank closes."),
]

OFF = [
    ("modality.same", "Anna leaves.", "Anna leaves."),
    ("modality.same", "Anna may leave.", "Anna must leave."),
    ("modality.same", "Anna may leave.", "Anna leaves."),
    ("modality.weaker", "Anna may leave.", "Anna left."),
    ("modality.weaker", "Anna did not leave.", "Anna may leave."),
    ("modality.weaker", "Anna left.", "Anna left."),
    ("modality.weaker", "Anna could leave.", "Anna could leave."),
    ("modality.stronger", "Anna left.", "Anna may leave."),
    ("modality.stronger", "Anna left.", "Anna left."),
    ("modality.stronger", "Anna may leave.", "Anna may leave."),
    ("modality.stronger", "Anna cannot swim.", "Anna can swim."),
    ("modality.stronger", "Anna cannot swim.", "Anna did not swim."),
    ("modality.opposed", "Anna may leave.", "Anna left."),
    ("modality.opposed", "Anna cannot leave.", "Anna did not leave."),
    ("modality.opposed", "Anna cannot swim.", "Anna is unable to swim."),
    ("modality.opposed", "Anna did not swim.", "Anna cannot swim."),
    ("modality.main", "Anna left.", "Anna could leave."),
    ("modality.main", "Clara says that Anna may leave.", "Clara says that Anna left."),
    ("modality.main", "Anna left.", "Anna left."),
    ("modality.main", "Anna did not leave.", "Anna did not leave."),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_modality_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_modality_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


def test_modality_is_tried_often_enough(untried):
    assert untried("modality", ON, OFF) == []
