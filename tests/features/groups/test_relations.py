"""Words that are not the same."""

import pytest

ON = [
    ("relations.synonym", "Anna purchased a car.", "Anna bought a car."),
    ("relations.synonym", "The physician arrived.", "The doctor arrived."),
    ("relations.synonym", "Anna bought an automobile.", "Anna bought a car."),
    ("relations.synonym", "The huge dog barked.", "The large dog barked."),
    ("relations.general", "Anna bought a poodle.", "Anna bought a dog."),
    ("relations.general", "The soldiers killed the king.", "The king died."),
    ("relations.general", "Anna ate an apple.", "Anna ate fruit."),
    ("relations.general", "Anna lives in Paris.", "Anna lives in France."),
    ("relations.general", "The hawk caught a mouse.", "The bird caught a mouse."),
    ("relations.specific", "Anna bought a dog.", "Anna bought a poodle."),
    ("relations.specific", "The bird caught a mouse.", "The hawk caught a mouse."),
    ("relations.specific", "Anna ate fruit.", "Anna ate an apple."),
    ("relations.specific", "Anna bought a vehicle.", "Anna bought a car."),
    ("relations.derived", "The destruction of Troy was complete.", "Troy was destroyed."),
    ("relations.derived", "Anna announced the arrival of the king.", "The king arrived."),
    ("relations.derived", "Boris ended the invasion of Spain.", "Spain was invaded."),
    ("relations.derived", "The discovery of gold surprised the town.", "Gold was discovered."),
]

OFF = [
    ("relations.synonym", "Anna bought a car.", "Anna bought a car."),
    ("relations.synonym", "Anna bought a poodle.", "Anna bought a dog."),
    ("relations.synonym", "The price rose.", "The price fell."),
    ("relations.general", "Anna bought a dog.", "Anna bought a poodle."),
    ("relations.general", "Anna bought a dog.", "Anna bought a dog."),
    ("relations.general", "Anna lives in France.", "Anna lives in Paris."),
    ("relations.specific", "Anna bought a poodle.", "Anna bought a dog."),
    ("relations.specific", "Anna bought a dog.", "Anna bought a dog."),
    ("relations.specific", "Anna bought an automobile.", "Anna bought a car."),
    ("relations.derived", "Troy was destroyed.", "Troy was destroyed."),
    ("relations.derived", "Anna purchased a car.", "Anna bought a car."),
    ("relations.derived", "Anna bought a poodle.", "Anna bought a dog."),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_relations_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_relations_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


def test_relations_is_tried_often_enough(untried):
    assert untried("relations", ON, OFF) == []
