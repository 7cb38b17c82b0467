"""How much the words have to do with each other."""

import math

import pytest


def rarity(count):
    # of a word that WordNet's tagged texts have so often: house 181, buy 104, sleep 82, bathroom 6
    return 1 - math.log(1 + count) / math.log(10_001)


WORKED = [
    ("relatedness.words", "Anna slept in the bathroom.", "Anna slept.", 2 / 2),
    ("relatedness.words", "Anna purchased a car.", "Anna bought a car.", 3 / 4),
    ("relatedness.words", "Anna slept.", "Anna slept in the bathroom.", 2 / 5),
    ("relatedness.words", "Boris slept.", "The price rose.", 0.0),
    ("relatedness.rare", "Anna met Boris in Paris.", "Anna met Boris.", 1.0),
    (
        "relatedness.rare",
        "Anna purchased a car.",
        "Anna bought a car.",
        (1 + rarity(73)) / (1 + rarity(104) + rarity(73)),
    ),
    (
        "relatedness.rare",
        "Anna slept.",
        "Anna slept in the bathroom.",
        (1 + rarity(82)) / (1 + rarity(82) + rarity(6)),
    ),
    ("relatedness.rare", "The physician arrived.", "A doctor came.", 0.0),
    ("relatedness.names", "Anna met Boris in Paris.", "Anna met Boris in London.", 2 / 3),
    ("relatedness.names", "Anna met Boris.", "Anna met Clara Wood.", 1 / 2),
    ("relatedness.names", "The king slept.", "The queen slept.", 1.0),
    ("relatedness.names", "The king slept.", "Boris slept badly.", 0.0),
    (
        "relatedness.neighbors",
        "An old dog slept.",
        "An old dog of the baker slept near postmen.",
        2 / 8,  # an old, old dog
    ),
    ("relatedness.neighbors", "The box was full.", "The box was empty.", 2 / 3),
    ("relatedness.neighbors", "Anna ate.", "Anna ate bread with butter.", 1 / 4),
    ("relatedness.neighbors", "Boris slept.", "The price rose.", 0.0),
    ("relatedness.neighbors", "Anna slept in the bathroom.", "Anna slept.", 0.0),
    ("relatedness.sequence", "Anna slept in the bathroom.", "Anna slept.", 2 / 2),
    ("relatedness.sequence", "Boris saw Anna.", "Anna saw Boris.", 1 / 3),
    ("relatedness.sequence", "Anna and Boris slept.", "Anna slept.", 2 / 2),
    ("relatedness.sequence", "Anna purchased a car.", "Anna bought a car.", 3 / 4),
    ("relatedness.sequence", "Boris slept.", "The price rose.", 0.0),
    ("relatedness.meaning", "Anna purchased a car.", "Anna bought a car.", 0.9),
    ("relatedness.meaning", "Anna bought a poodle.", "Anna bought a dog.", 0.85),
    (
        "relatedness.meaning",
        "Anna purchased a poodle.",
        "Anna bought a dog.",
        (0.9 + 0.85) / 2,
    ),
    ("relatedness.meaning", "Anna slept in the bathroom.", "Anna slept.", 1.0),
    ("relatedness.meaning", "Anna slept.", "Anna slept in the bathroom.", 0.0),
    ("relatedness.length", "The box was full.", "The box was empty.", 2 / (2 + 2)),
    (
        "relatedness.length",
        "An old dog slept.",
        "An old dog of the baker slept near postmen.",
        5 / (3 + 5),
    ),
    ("relatedness.length", "The king slept.", "Boris slept badly.", 3 / (2 + 3)),
    ("relatedness.length", "Anna slept in the bathroom.", "Anna slept.", 0.0),
]


@pytest.mark.parametrize(("name", "text", "hypothesis", "expected"), WORKED)
def test_relatedness_is_what_is_worked_by_hand(value, name, text, hypothesis, expected):
    assert value(name, text, hypothesis) == pytest.approx(expected)


def test_relatedness_is_tried_often_enough(untried):
    on = [case for case in WORKED if case[-1] > 0]
    off = [case for case in WORKED if case[-1] == 0]
    assert untried("relatedness", on, off) == []
