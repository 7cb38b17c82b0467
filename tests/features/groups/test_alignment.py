"""How well the hypothesis is aligned."""

import math

import pytest


def rarity(count):
    # of a word that WordNet's tagged texts have so often: house 181, buy 104, sleep 82, bathroom 6
    return 1 - math.log(1 + count) / math.log(10_001)


# Weights: 1.2 for names, 1 for nouns and verbs, 0.7 for adjectives, 0.5 for each edge.
WORKED = [
    ("alignment.score", "Anna slept in the bathroom.", "Anna slept.", 1.0),
    (
        "alignment.score",
        "Anna saw the house.",
        "Anna painted the house.",
        (1.2 + 0 + 1) / (1.2 + 1 + 1 + 0.5 * 2),
    ),
    (
        "alignment.score",
        "Anna purchased a car.",
        "Anna bought a car.",
        (1.2 + 0.9 + 1 + 0.5 * 2) / (1.2 + 1 + 1 + 0.5 * 2),
    ),
    (
        "alignment.score",
        "Boris saw Anna.",
        "Anna saw Boris.",
        (1.2 + 1 + 1.2 + 0.5 * (0.5 + 0.5)) / (1.2 + 1 + 1.2 + 0.5 * 2),
    ),
    ("alignment.score", "Boris slept.", "The price rose.", 0.0),
    ("alignment.coverage", "Anna slept in the bathroom.", "Anna slept.", 1.0),
    (
        "alignment.coverage",
        "Anna saw the house.",
        "Anna painted the house.",
        (1 + rarity(181)) / (1 + rarity(48) + rarity(181)),
    ),
    (
        "alignment.coverage",
        "Anna bought a poodle.",
        "Anna bought a dog.",
        (1 + rarity(104) + rarity(44) * 0.85) / (1 + rarity(104) + rarity(44)),
    ),
    (
        "alignment.coverage",
        "The box was full.",
        "The box was empty.",
        rarity(38) / (rarity(38) + rarity(46)),
    ),
    ("alignment.coverage", "Boris slept.", "The price rose.", 0.0),
    ("alignment.coverage", "The price fell.", "It rose.", 0.0),
    ("alignment.weakest", "Anna slept in the bathroom.", "Anna slept.", 1.0),
    ("alignment.weakest", "Anna purchased a car.", "Anna bought a car.", min(1, 0.9, 1)),
    ("alignment.weakest", "Anna bought a poodle.", "Anna bought a dog.", min(1, 1, 0.85)),
    ("alignment.weakest", "The box was full.", "The box was empty.", 1.0),
    ("alignment.weakest", "Anna saw the house.", "Anna painted the house.", 0.0),
]


@pytest.mark.parametrize(("name", "text", "hypothesis", "expected"), WORKED)
def test_alignment_is_what_is_worked_by_hand(value, name, text, hypothesis, expected):
    assert value(name, text, hypothesis) == pytest.approx(expected)


def test_alignment_is_tried_often_enough(untried):
    on = [case for case in WORKED if case[-1] > 0]
    off = [case for case in WORKED if case[-1] == 0]
    assert untried("alignment", on, off) == []
