from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.corpora import data_statistics
from ensue.corpora.dataset import word_measures, words
from ensue.pairs import Label, Pair, read_pairs

E, N = Label.ENTAILMENT, Label.NOT_ENTAILMENT
PAIRS = [
    Pair("1", "A big dog barks.", "A dog barks.", E, "QA"),
    Pair("2", "A dog barks.", "The cat sleeps.", N, "QA"),
    Pair("3", "It rains.", "Rain!", None, None),
]


def test_words_are_lower_case_without_punctuation():
    assert words("The U.N. said: 'no'!") == ["the", "u", "n", "said", "no"]


def test_word_overlap_is_the_share_of_hypothesis_words():
    # of {a, red, dog} the text has a and dog
    assert word_measures([Pair("1", "A dog.", "A red dog, a dog")]).overlap[0] == 4 / 5


def test_word_overlap_of_no_words_is_undefined():
    assert math.isnan(word_measures([Pair("1", "A dog.", "...")]).overlap[0])


def test_statistics_count_labels_and_tasks():
    statistics = data_statistics(PAIRS)
    assert statistics.n_pairs == 3
    assert statistics.labels == {E: 1, N: 1, None: 1}
    assert statistics.tasks == {None: {None: 1}, "QA": {E: 1, N: 1}}


def test_statistics_count_words():
    statistics = data_statistics(PAIRS)
    assert statistics.text_words.mean == (4 + 3 + 2) / 3
    assert (statistics.hypothesis_words.least, statistics.hypothesis_words.most) == (1, 3)


def test_statistics_give_overlap_by_gold():
    overlap = data_statistics(PAIRS).overlap
    assert (overlap[E].mean, overlap[N].mean) == (1, 0)


def test_statistics_of_nothing_are_undefined_not_zero():
    statistics = data_statistics([])
    assert (statistics.n_pairs, statistics.text_words, statistics.overlap) == (0, None, {})


@given(st.lists(st.integers(1, 20), min_size=1, max_size=30))
def test_distribution_equals_numpy(lengths):
    pairs = [Pair(str(i), "w " * n, "w") for i, n in enumerate(lengths)]
    found = data_statistics(pairs).text_words
    expected = np.quantile(lengths, [0, 0.25, 0.5, 0.75, 1])
    shown = [found.least, found.quarter, found.median, found.three_quarters, found.most]
    assert shown == pytest.approx(list(expected))
    assert found.mean == pytest.approx(np.mean(lengths))


def test_shipped_pairs_are_balanced_by_task_and_label(examples):
    tasks = data_statistics(read_pairs(examples)).tasks
    assert set(tasks) == {"CD", "IE", "IR", "MT", "PP", "QA", "RC"}
    assert all(counts == {E: 4, N: 4} for counts in tasks.values())
