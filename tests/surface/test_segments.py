"""Outputs with one reference or several, as tokens."""

import numpy as np
import pytest

from ensue.errors import SettingError
from ensue.surface import tokenize_segments
from ensue.surface.tokenizers import MTEVAL_13A, WHITESPACE

OUTPUTS = ["a b c", "", "a b c"]
REFERENCES = [["a b", "a b c d"], ["x"], ["a b"]]


def test_strings_are_cut_once_each():
    segments = tokenize_segments(OUTPUTS, REFERENCES, WHITESPACE)
    assert len(segments.tokens.offsets) - 1 == 5  # "a b c", "", "a b", "a b c d", "x"
    assert segments.outputs.tolist() == [0, 1, 0]
    assert segments.references.tolist() == [2, 3, 4, 2]
    assert segments.first.tolist() == [0, 2, 3, 4]


def test_lengths_are_those_of_outputs_and_references():
    segments = tokenize_segments(OUTPUTS, REFERENCES, WHITESPACE)
    assert segments.output_length.tolist() == [3, 0, 3]
    assert segments.reference_lengths.tolist() == [2, 4, 1, 2]
    assert segments.mean_reference_length().tolist() == [(2 + 4) / 2, 1, 2]


def test_closest_reference_length_is_the_shorter_of_two_as_near():
    segments = tokenize_segments(OUTPUTS, REFERENCES, WHITESPACE)
    assert segments.closest_reference_length().tolist() == [2, 1, 2]


def test_no_segments_are_no_lengths():
    segments = tokenize_segments([], [], MTEVAL_13A)
    assert len(segments) == 0
    assert segments.closest_reference_length().size == 0
    assert segments.mean_reference_length().size == 0


def test_capitals_count_where_they_are_kept():
    kept = tokenize_segments(["A a"], [["a"]], WHITESPACE, lowercase=False)
    lowered = tokenize_segments(["A a"], [["a"]], WHITESPACE)
    assert (kept.tokens.n_distinct, lowered.tokens.n_distinct) == (2, 1)


@pytest.mark.parametrize(
    ("outputs", "references", "message"),
    [
        (["a"], [], "1 outputs do not go with the references of 0"),
        (["a", "b"], [["a"], []], "output 1 has no reference"),
        (["a"], ["a b"], "the references of output 0 are one string: 'a b'"),
    ],
)
def test_outputs_without_references_are_refused(outputs, references, message):
    with pytest.raises(SettingError, match=message):
        tokenize_segments(outputs, references, WHITESPACE)


def test_lengths_are_integers_where_they_are_counts():
    segments = tokenize_segments(OUTPUTS, REFERENCES, WHITESPACE)
    assert segments.closest_reference_length().dtype == np.int64
