"""Word coverage and idf weights, by hand and against scikit-learn and NLTK."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from ensue.surface.coverage import inverse_document_frequency, word_coverage
from ensue.surface.tokenizers import WHITESPACE, WORDS

STRINGS = ["the cat sat", "the dog sat", "a mouse ran to the cat", ""]
words = st.lists(st.sampled_from(["run", "runs", "running", "cat", "cats", "the"]), max_size=10)


def test_coverage_counts_every_occurrence_in_the_test():
    found = word_coverage(["The cat, the hat"], ["the mat"], WORDS)
    assert (found.covered[0], found.total[0]) == (2, 4)
    assert found.shares()[0] == 2 / 4


def test_coverage_of_nothing_is_zero():
    assert word_coverage(["..."], ["a"], WORDS).shares()[0] == 0


def test_coverage_by_stem_joins_forms_of_a_word():
    plain = word_coverage(["cats running"], ["the cat runs"], WORDS).shares()[0]
    stemmed = word_coverage(["cats running"], ["the cat runs"], WORDS, stem=True).shares()[0]
    assert (plain, stemmed) == (0, 1)


def test_idf_weighs_a_rare_word_more():
    idf = inverse_document_frequency(STRINGS, WORDS)
    # four strings, "the" in three of them, "zebra" in none
    assert idf(["the", "zebra"]).tolist() == [math.log(5 / 4) + 1, math.log(5 / 1) + 1]


def test_idf_agrees_with_scikit_learn():
    theirs = TfidfVectorizer(token_pattern=r"\w+").fit(STRINGS)
    idf = inverse_document_frequency(STRINGS, WORDS)
    names = theirs.get_feature_names_out().tolist()
    assert list(idf.words) == names
    np.testing.assert_allclose(idf(names), theirs.idf_)


def test_idf_coverage_worked_by_hand():
    idf = inverse_document_frequency(STRINGS, WORDS)
    the, mouse = idf(["the", "mouse"])
    found = word_coverage(["the mouse"], ["a mouse"], WORDS, weigh=idf)
    assert found.shares()[0] == pytest.approx(mouse / (the + mouse))


@given(words, words)
def test_coverage_lies_between_zero_and_one_and_stems_only_add(test, reference):
    pair = [" ".join(test)], [" ".join(reference)]
    plain = word_coverage(*pair, WHITESPACE).shares()[0]
    stemmed = word_coverage(*pair, WHITESPACE, stem=True).shares()[0]
    assert 0 <= plain <= stemmed <= 1
