import numpy as np
import pytest

from ensue.features import NAMES as ENTAILMENT_NAMES
from ensue.translation.features.families import DIRECTED_NAMES, entailment_features

SCORE = ENTAILMENT_NAMES.index("alignment.score")


class CountingReader:
    """Gives each pair the lengths of its sides, and a likeness of shared words."""

    def __init__(self):
        self.asked = []

    def features(self, pairs):
        self.asked += pairs
        rows = np.zeros((len(pairs), len(ENTAILMENT_NAMES)))
        for row, (text, hypothesis) in enumerate(pairs):
            rows[row, 0], rows[row, 1] = len(text), len(hypothesis)
            rows[row, SCORE] = len(set(text.split()) & set(hypothesis.split()))
        return rows


def test_there_are_148_features_of_both_directions():
    assert len(DIRECTED_NAMES) == len(set(DIRECTED_NAMES)) == 2 * len(ENTAILMENT_NAMES)
    assert DIRECTED_NAMES[0] == f"forward.{ENTAILMENT_NAMES[0]}"
    assert DIRECTED_NAMES[len(ENTAILMENT_NAMES)] == f"backward.{ENTAILMENT_NAMES[0]}"


def test_forward_takes_the_output_for_the_text():
    reader = CountingReader()
    entailment_features(["the output"], [["the reference"]], reader)
    assert reader.asked == [("the output", "the reference"), ("the reference", "the output")]


def test_output_without_words_has_no_features():
    values = entailment_features(["...", "a dog"], [["a dog"], ["a dog"]], CountingReader())
    assert np.isnan(values[0]).all()
    assert not np.isnan(values[1]).any()


def test_output_whose_references_have_no_words_has_no_features():
    values = entailment_features(["a dog"], [["", "?!"]], CountingReader())
    assert np.isnan(values).all()


def test_best_aligned_of_several_references_is_taken():
    values = entailment_features(
        ["a black dog"], [["a cat", "a black dog barks", "dog"]], CountingReader()
    )
    assert values[0, SCORE] == 3


@pytest.mark.parametrize("references", [["a cat", "a bird"], ["a bird", "a cat"]])
def test_first_of_equal_references_is_taken(references):
    # both share one word with the output and differ in length
    reader = CountingReader()
    values = entailment_features(["a dog"], [references], reader)
    alone = entailment_features(["a dog"], [references[:1]], reader)
    assert values.tolist() == alone.tolist()


def test_no_outputs_have_no_features():
    assert entailment_features([], [], CountingReader()).shape == (0, len(DIRECTED_NAMES))
