"""What the text commits itself to."""

import pytest

ON = [
    ("factives.true", "Anna knows that Boris left.", "Boris left."),
    ("factives.true", "Boris managed to leave.", "Boris left."),
    ("factives.true", "Boris did not fail to leave.", "Boris left."),
    ("factives.true", "Anna does not regret that Boris left.", "Boris left."),
    ("factives.true", "Anna forced Boris to leave.", "Boris left."),
    ("factives.false", "Boris failed to leave.", "Boris left."),
    ("factives.false", "Boris did not manage to leave.", "Boris left."),
    ("factives.false", "It is not the case that John likes ice cream.", "John likes ice cream."),
    ("factives.false", "Anna denied that Boris left.", "Boris left."),
    ("factives.false", "Anna prevented Boris from leaving.", "Boris left."),
    ("factives.false", "Boris refused to leave.", "Boris left."),
    ("factives.false", "It is false that Boris left.", "Boris left."),
    ("factives.reported", "Anna said that Boris left.", "Boris left."),
    (
        "factives.reported",
        "According to the police, the man stole the car.",
        "The man stole the car.",
    ),
    ("factives.reported", "The newspaper reported that the bank closed.", "The bank closed."),
    ("factives.reported", "Boris allegedly stole the car.", "Boris stole the car."),
    ("factives.believed", "Anna believes that Boris left.", "Boris left."),
    ("factives.believed", "Anna thinks that the bank closed.", "The bank closed."),
    (
        "factives.believed",
        "The police suspect that the man stole the car.",
        "The man stole the car.",
    ),
    ("factives.believed", "Anna wonders whether Boris left.", "Boris left."),
    ("factives.believed", "Did Boris leave?", "Boris left."),
    ("factives.believed", "Boris left or Anna slept.", "Anna slept."),
    ("factives.wanted", "Boris wants to leave.", "Boris left."),
    ("factives.wanted", "Anna plans to sell the house.", "Anna sold the house."),
    ("factives.wanted", "Anna tried to open the door.", "Anna opened the door."),
    ("factives.wanted", "Anna ordered Boris to leave.", "Boris left."),
    ("factives.conditional", "If Boris leaves, Anna will cry.", "Boris leaves."),
    (
        "factives.conditional",
        "If it rains, the river floods the village.",
        "The river floods the village.",
    ),
    ("factives.conditional", "Anna works unless Boris sleeps.", "Boris sleeps."),
    ("factives.conditional", "Anna will sell the house if the bank closes.", "The bank closes."),
    ("factives.same", "Anna said that Boris left.", "Anna said that Boris left."),
    ("factives.same", "Boris wants to leave.", "Boris plans to leave."),
    ("factives.same", "Anna knows that Boris left.", "Anna knew that Boris left."),
    ("factives.same", "Anna thinks that the bank closed.", "Anna believes that the bank closed."),
    ("factives.hypothesis", "Boris left.", "Anna said that Boris left."),
    ("factives.hypothesis", "Boris left.", "Boris wanted to leave."),
    ("factives.hypothesis", "Anna knows that Boris left.", "Anna believes that Boris left."),
    ("factives.hypothesis", "The bank closed.", "If the bank closed, Anna would cry."),
]

OFF = [
    ("factives.true", "Anna says that Boris left.", "Boris left."),
    ("factives.true", "Boris left.", "Boris left."),
    ("factives.true", "Boris did not manage to leave.", "Boris left."),
    ("factives.true", "Anna did not force Boris to leave.", "Boris left."),
    ("factives.false", "Boris did not fail to leave.", "Boris left."),
    ("factives.false", "Boris did not leave.", "Boris left."),
    ("factives.false", "Boris managed to leave.", "Boris left."),
    ("factives.false", "Boris failed to leave.", "Boris did not leave."),
    ("factives.reported", "Anna knows that Boris left.", "Boris left."),
    ("factives.reported", "Anna said that Boris left.", "Anna said that Boris left."),
    ("factives.reported", "Boris left.", "Anna said that Boris left."),
    ("factives.believed", "Anna knows that Boris left.", "Boris left."),
    ("factives.believed", "Anna believes that Boris left.", "Anna thinks that Boris left."),
    ("factives.believed", "Anna said that Boris left.", "Boris left."),
    ("factives.wanted", "Boris managed to leave.", "Boris left."),
    ("factives.wanted", "Boris wants to leave.", "Boris wants to leave."),
    ("factives.wanted", "Boris decided to leave.", "Boris decided."),
    ("factives.conditional", "When Boris leaves, Anna cries.", "Boris leaves."),
    ("factives.conditional", "Anna works because Boris sleeps.", "Boris sleeps."),
    ("factives.conditional", "Even if it rains, Anna sleeps.", "Anna sleeps."),
    ("factives.same", "Boris left.", "Boris left."),
    ("factives.same", "Anna knows that Boris left.", "Anna says that Boris left."),
    ("factives.same", "Anna said that Boris left.", "Boris left."),
    ("factives.hypothesis", "Anna said that Boris left.", "Boris left."),
    ("factives.hypothesis", "Boris left.", "Anna knows that Boris left."),
    ("factives.hypothesis", "Boris did not leave.", "Anna said that Boris left."),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_factives_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_factives_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


def test_factives_is_tried_often_enough(untried):
    assert untried("factives", ON, OFF) == []
