"""The TradMT features of a tiny pair, worked by hand."""

import math

import numpy as np
import pytest

from ensue.surface import COST_SETTINGS
from ensue.translation.features.families import (
    SURFACE_DEFINITIONS,
    SURFACE_NAMES,
    reference_information,
    surface_features,
)

OUTPUT = "The cat sat on mat"
REFERENCE = "the cat sat on the mat"

LENGTH, REFERENCE_LENGTH = 5, 6
PENALTY = math.exp(1 - REFERENCE_LENGTH / LENGTH)
# the cat, cat sat and sat on match, and on mat does not
PRECISIONS = [5 / 5, 3 / 4, 2 / 3, 1 / 2]
SMOOTHED = [5 / 5, (3 + 1) / (4 + 1), (2 + 1) / (3 + 1), (1 + 1) / (2 + 1)]

# "the" is two of six words, the others are one each; after "the" comes "cat" once in two
INFORMATION_OF_WORDS = math.log2(6 / 2) + 4 * math.log2(6 / 1)
NIST_PRECISIONS = [INFORMATION_OF_WORDS / 5, math.log2(2 / 1) / 4, 0.0, 0.0]
BETA = math.log(0.5) / math.log(1.5) ** 2
NIST_PENALTY = math.exp(BETA * math.log(LENGTH / REFERENCE_LENGTH) ** 2)


def features(output, *references):
    row = surface_features([output], [references], reference_information([references]))
    return dict(zip(SURFACE_NAMES, row[0].tolist(), strict=True))


@pytest.fixture(scope="module")
def found():
    return features(OUTPUT, REFERENCE)


@pytest.mark.parametrize("n", range(1, 5))
def test_bleu_is_the_mean_of_precisions_with_its_penalty(found, n):
    assert found[f"bleu.precision.{n}"] == pytest.approx(PRECISIONS[n - 1])
    assert found[f"bleu.precision.{n}.smoothed"] == pytest.approx(SMOOTHED[n - 1])
    plain, smoothed = (math.prod(each[:n]) ** (1 / n) for each in (PRECISIONS, SMOOTHED))
    assert found[f"bleu.{n}"] == pytest.approx(PENALTY * plain)
    assert found[f"bleu.{n}.smoothed"] == pytest.approx(PENALTY * smoothed)


def test_bleu_penalty_and_what_is_left_without_it(found):
    assert found["bleu.penalty"] == pytest.approx(PENALTY)
    assert found["bleu.4.unpenalized"] == pytest.approx(math.prod(PRECISIONS) ** (1 / 4))


@pytest.mark.parametrize("n", range(1, 11))
def test_nist_is_the_sum_of_information_with_its_penalty(found, n):
    assert found[f"nist.{n}"] == pytest.approx(NIST_PENALTY * sum(NIST_PRECISIONS[:n]))


def test_nist_precisions_penalty_and_what_is_left_without_it(found):
    precisions = [found[f"nist.precision.{n}"] for n in range(1, 5)]
    assert precisions == pytest.approx(NIST_PRECISIONS)
    assert found["nist.penalty"] == pytest.approx(NIST_PENALTY)
    assert found["nist.5.unpenalized"] == pytest.approx(sum(NIST_PRECISIONS))


@pytest.mark.parametrize("setting", COST_SETTINGS)
def test_ter_is_one_insertion_at_its_cost(found, setting):
    assert found[f"ter.{setting}"] == pytest.approx(COST_SETTINGS[setting].insertion / 6)
    counts = ("insertions", "deletions", "substitutions", "shifts")
    assert [found[f"ter.{setting}.{count}"] for count in counts] == [1, 0, 0, 0]


def test_cost_settings_are_ten_of_which_some_insert_close_to_free():
    names = [name for name in SURFACE_NAMES if name.startswith("ter.") and name.count(".") == 1]
    assert names == [f"ter.{setting}" for setting in COST_SETTINGS]
    assert len(names) == 10
    assert sum(costs.insertion <= 0.1 for costs in COST_SETTINGS.values()) == 3


def test_every_feature_is_defined():
    assert all(SURFACE_DEFINITIONS[name] for name in SURFACE_NAMES)
    assert "insertion 0.1" in SURFACE_DEFINITIONS["ter.light-insertion"]


def test_case_of_letters_does_not_matter():
    assert features("THE CAT SAT ON MAT", REFERENCE) == features(OUTPUT, REFERENCE)


def test_nearest_of_several_references_is_edited():
    found = features("A cat is here.", "There is a cat.", "A cat is here.")
    assert found["ter.uniform"] == 0
    assert found["bleu.4"] == found["bleu.penalty"] == 1


def test_words_of_any_reference_match():
    # "dog" is in the one reference, "barks" in the other
    found = features("dog barks", "a dog", "it barks")
    assert found["bleu.precision.1"] == 1
    assert found["bleu.precision.2"] == 0


def test_features_of_an_output_do_not_depend_on_others():
    references = [[REFERENCE], ["a dog barks"]]
    information = reference_information(references)
    both = surface_features([OUTPUT, "dog"], references, information)
    alone = surface_features(["dog"], references[1:], information)
    assert both[1].tolist() == alone[0].tolist()
    assert np.isfinite(both).all()
