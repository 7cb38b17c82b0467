"""The features of the matcher."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.surface.coverage import FUNCTION_WORDS
from ensue.translation.features.families import LEXICAL_DEFINITIONS, LEXICAL_NAMES, matched_features
from ensue.translation.features.word_matches import MatchScorer

sentences = st.lists(
    st.sampled_from(["the", "car", "cars", "auto", "bought", "purchased", ",", "of", "red"]),
    max_size=12,
).map(" ".join)


def named(output, *references):
    return dict(
        zip(LEXICAL_NAMES, matched_features([output], [references])[0].tolist(), strict=True)
    )


def test_features_have_names_and_definitions():
    assert len(LEXICAL_NAMES) == len(set(LEXICAL_NAMES)) == 17
    assert all(name.startswith("lexical.") for name in LEXICAL_NAMES)
    assert all(LEXICAL_DEFINITIONS.values())


def test_features_by_hand():
    found = named("He purchased cars .", "He bought the red car .")
    assert found["lexical.exact-precision"] == 2 / 4
    assert found["lexical.exact-recall"] == 2 / 6
    assert found["lexical.exact-f"] == 2 * 2 / (4 + 6)
    assert found["lexical.stem-precision"] == 3 / 4
    assert found["lexical.stem-recall"] == 3 / 6
    assert found["lexical.stem-f"] == 2 * 3 / (4 + 6)
    assert found["lexical.synonym-precision"] == 4 / 4
    assert found["lexical.synonym-recall"] == 4 / 6
    assert found["lexical.synonym-f"] == 2 * 4 / (4 + 6)
    assert found["lexical.content-precision"] == 2 / 2
    assert found["lexical.content-recall"] == 2 / 3
    assert found["lexical.contiguity"] == 1 - 2 / 4
    assert found["lexical.chunk-length"] == pytest.approx(math.log(1 + 4 / 2))
    assert found["lexical.stem-share"] == found["lexical.synonym-share"] == 1 / 4
    assert found["lexical.length-ratio"] == 4 / 6


def test_features_of_identical_strings_are_the_most():
    found = named("The dog barks.", "The dog barks.")
    assert found.pop("lexical.stem-share") == found.pop("lexical.synonym-share") == 0
    assert found.pop("lexical.chunk-length") == pytest.approx(math.log(1 + 4))
    assert set(found.values()) == {1}


@pytest.mark.parametrize(("output", "reference"), [("", "The dog."), ("A dog", ""), (" ", "\t")])
def test_features_of_nothing_are_zero(output, reference):
    assert set(named(output, reference).values()) == {0}


@pytest.mark.parametrize("output", ["?!", "the of", "zzz"])
def test_features_without_content_or_match_are_numbers(output):
    assert np.isfinite(list(named(output, "The dog barks.").values())).all()


@given(sentences, sentences)
def test_silence_is_never_better(output, reference):
    found, silent = named(output, reference), named("", reference)
    assert all(found[name] >= silent[name] for name in LEXICAL_NAMES)


def test_features_are_of_the_best_reference():
    assert named("dax fep", "toma", "dax fep") == named("dax fep", "dax fep")


def test_features_take_the_settings_of_the_score():
    lenient = MatchScorer(gamma=0)
    found = matched_features(["fep dax"], [["dax fep"]], scorer=lenient)
    assert found[0, LEXICAL_NAMES.index("lexical.score")] == 1


def test_features_of_no_outputs_have_their_columns():
    assert matched_features([], []).shape == (0, len(LEXICAL_NAMES))


def test_function_words_are_lower_case():
    assert all(word == word.lower() for word in FUNCTION_WORDS)
