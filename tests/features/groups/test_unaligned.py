"""What the text does not have."""

import pytest

ON = [
    ("unaligned.name", "Anna met the mayor.", "Anna met Boris."),
    ("unaligned.name", "The bank sold the house.", "Siemens sold the house."),
    ("unaligned.name", "Anna lives in Paris.", "Anna lives in London."),
    ("unaligned.noun", "Anna sold a car.", "Anna sold a violin."),
    ("unaligned.noun", "Anna left.", "The teacher left."),
    ("unaligned.noun", "Anna slept.", "Anna slept in the bathroom."),
    ("unaligned.verb", "Anna saw the house.", "Anna painted the house."),
    ("unaligned.verb", "Anna is a doctor.", "Anna sleeps."),
    ("unaligned.verb", "The price rose.", "The price fell."),
    ("unaligned.modifier", "Anna bought a car.", "Anna bought a purple car."),
    ("unaligned.modifier", "Anna slept.", "Anna slept quietly."),
    ("unaligned.modifier", "The soup was hot.", "The soup was cold."),
    ("unaligned.value", "Anna bought some cars.", "Anna bought 12 cars."),
    ("unaligned.value", "Anna was born in Rome.", "Anna was born in 1995."),
    ("unaligned.value", "Anna has two dogs.", "Anna has three dogs."),
    ("unaligned.subject", "The house was sold.", "A banker sold the house."),
    ("unaligned.subject", "Anna left.", "Boris left."),
    ("unaligned.subject", "He is a doctor.", "Anna is a doctor."),
    ("unaligned.object", "Anna drank at noon.", "Anna drank lemonade."),
    ("unaligned.object", "Anna sold the house.", "Anna sold the violin."),
    ("unaligned.object", "Anna met him.", "Anna met Boris."),
    ("unaligned.oblique", "Anna slept.", "Anna slept in the bathroom."),
    ("unaligned.oblique", "Anna left.", "Anna left with Boris."),
    ("unaligned.oblique", "The bank closed.", "The bank closed on Monday."),
]

OFF = [
    ("unaligned.name", "Barack Obama left.", "Obama left."),
    ("unaligned.name", "Anna met Boris.", "Anna met the mayor."),
    ("unaligned.noun", "Anna sold an automobile.", "Anna sold a car."),
    ("unaligned.noun", "Anna sold a violin.", "Anna sold Paris."),
    ("unaligned.verb", "Anna purchased the house.", "Anna bought the house."),
    ("unaligned.verb", "Anna slept.", "Anna slept in the bathroom."),
    ("unaligned.modifier", "Anna bought a purple car.", "Anna bought a car."),
    ("unaligned.modifier", "Anna bought a large car.", "Anna bought a big car."),
    ("unaligned.value", "Anna has two dogs.", "Anna has 2 dogs."),
    ("unaligned.value", "Anna bought 12 cars.", "Anna bought cars."),
    ("unaligned.subject", "The house was sold by a banker.", "A banker sold the house."),
    ("unaligned.subject", "Anna sold the house.", "Anna sold the violin."),
    ("unaligned.object", "Anna drank lemonade.", "Anna drank lemonade."),
    ("unaligned.object", "Boris sold the house.", "Anna sold the house."),
    ("unaligned.oblique", "Anna slept in the bathroom.", "Anna slept."),
    ("unaligned.oblique", "Anna met the mayor.", "Anna met Boris."),
]

WORKED = [
    ("unaligned.share", "Anna slept.", "Anna slept in the bathroom.", 1 / 3),
    ("unaligned.share", "The box was full.", "The box was empty.", 1 / 2),
    ("unaligned.share", "Anna met Boris in Paris.", "Anna met Boris in London.", 1 / 4),
    ("unaligned.share", "Anna slept in the bathroom.", "Anna slept.", 0.0),
    ("unaligned.text", "Anna slept in the bathroom.", "Anna slept.", 1 / 3),
    ("unaligned.text", "Anna met Boris in Paris.", "Anna met Boris.", 1 / 4),
    ("unaligned.text", "Boris slept.", "The price rose.", 2 / 2),
    ("unaligned.text", "Anna slept.", "Anna slept in the bathroom.", 0.0),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_unaligned_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_unaligned_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


@pytest.mark.parametrize(("name", "text", "hypothesis", "expected"), WORKED)
def test_unaligned_is_what_is_worked_by_hand(value, name, text, hypothesis, expected):
    assert value(name, text, hypothesis) == pytest.approx(expected)


def test_unaligned_is_tried_often_enough(untried):
    on = [*ON, *(case for case in WORKED if case[-1] > 0)]
    off = [*OFF, *(case for case in WORKED if case[-1] == 0)]
    assert untried("unaligned", on, off) == []
