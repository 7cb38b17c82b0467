"""Invented segments that every metric can tell apart, and tables of features for training."""

import numpy as np
import pytest

from ensue.translation.features import FeatureSet, FeatureTable, feature_names
from ensue.translation.systems import HumanRanking, OutputKey, Segment, TranslationJudgments

TEXTS = [
    (
        "The old bridge was closed on Friday because of the storm.",
        "On Friday the old bridge was shut because of a storm.",
        "storm the of bridge because Friday was old on closed the.",
    ),
    (
        "Three students have found a coin in the garden.",
        "Three students found a coin in the yard.",
        "garden coin students in three the a found have.",
    ),
    (
        "My sister does not like coffee without sugar.",
        "My sister doesn't like coffee with no sugar.",
        "sugar coffee sister without like does my not.",
    ),
]


def segment(i, *, pair="xx-en"):
    """One with an output that is the reference, one that is near, word salad, and silence."""
    reference, near, salad = TEXTS[i]
    outputs = {"same": reference, "near": near, "salad": salad, "silent": ""}
    return Segment(pair, str(i + 1), (reference,), outputs)


@pytest.fixture(scope="session")
def segments():
    return [segment(i) for i in range(len(TEXTS))]


@pytest.fixture(scope="session")
def references(segments):
    return [each.references for each in segments]


@pytest.fixture(scope="session")
def make_table():
    """A table of a set's features at random, with rankings that follow one column of them."""

    def make(feature_set=FeatureSet.TRADMT, *, pairs=("aa-en", "bb-en"), n_segments=6, column=0):
        rng = np.random.default_rng(7)
        outputs = tuple(
            OutputKey(pair, str(i), system)
            for pair in pairs
            for i in range(n_segments)
            for system in ("A", "B", "C")
        )
        names = feature_names(feature_set)
        values = rng.normal(size=(len(outputs), len(names)))
        rankings = []
        for start in range(0, len(outputs), 3):
            ranks = 1 + np.argsort(np.argsort(-values[start : start + 3, column]))
            key = outputs[start]
            rankings.append(
                HumanRanking(
                    key.language_pair,
                    key.segment,
                    "anna",
                    dict(zip("ABC", ranks.tolist(), strict=True)),
                )
            )
        return FeatureTable(outputs, names, values), TranslationJudgments(tuple(rankings))

    return make
