"""Clipped n-gram statistics, worked by hand, by brute force and by their laws."""

from collections import Counter

import numpy as np
from hypothesis import given, strategies as st

from ensue.surface import ngram_statistics
from ensue.surface.tokenizers import WHITESPACE

few_words = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=12)
few_pairs = st.lists(st.tuples(few_words, few_words), max_size=8)


def statistics(pairs, order=4):
    test = [" ".join(words) for words, _ in pairs]
    reference = [" ".join(words) for _, words in pairs]
    return ngram_statistics(test, reference, WHITESPACE, order=order)


def brute_matches(test, reference, n):
    def grams(words):
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    return (grams(test) & grams(reference)).total()


def test_statistics_clip_repeated_words():
    # the example of Papineni et al. 2002: "the" seven times, twice in the reference
    found = statistics(
        [
            (
                ["the", "the", "the", "the", "the", "the", "the"],
                ["the", "cat", "is", "on", "the", "mat"],
            )
        ]
    )
    assert found.matches.tolist() == [[2, 0, 0, 0]]
    assert found.totals.tolist() == [[7, 6, 5, 4]]
    assert (found.test_length.tolist(), found.reference_length.tolist()) == ([7], [6])


def test_statistics_have_no_ngrams_longer_than_the_test():
    found = statistics([(["a", "b"], ["a", "b", "c"])])
    assert found.matches.tolist() == [[2, 1, 0, 0]]
    assert found.totals.tolist() == [[2, 1, 0, 0]]
    assert found.precisions().tolist() == [[2 / 2, 1 / 1, 0, 0]]


def test_brevity_penalty_is_as_papineni_says():
    found = statistics([(["a"] * 3, ["a"] * 6), (["a"] * 3, ["a"] * 3), (["a"] * 4, ["a"])])
    assert found.brevity_penalty().tolist() == [np.exp(1 - 6 / 3), 1, 1]


@given(few_pairs, st.integers(1, 6))
def test_matches_equal_brute_force(pairs, order):
    expected = [[brute_matches(t, r, n) for n in range(1, order + 1)] for t, r in pairs]
    assert statistics(pairs, order).matches.tolist() == expected


@given(few_pairs)
def test_matches_do_not_depend_on_the_other_pairs(pairs):
    together = statistics(pairs).matches.tolist()
    alone = [statistics([pair]).matches[0].tolist() for pair in pairs]
    assert together == alone


@given(few_pairs)
def test_matches_do_not_depend_on_the_side(pairs):
    swapped = [(reference, test) for test, reference in pairs]
    assert statistics(pairs).matches.tolist() == statistics(swapped).matches.tolist()


@given(few_words)
def test_a_string_matches_itself_wholly(words):
    found = statistics([(words, words)])
    assert found.matches.tolist() == found.totals.tolist()


@given(few_pairs)
def test_summed_statistics_are_sums(pairs):
    found, summed = statistics(pairs), statistics(pairs).summed()
    assert summed.matches[0].tolist() == found.matches.sum(axis=0).tolist()
    assert summed.reference_length[0] == sum(len(reference) for _, reference in pairs)


def test_matches_of_very_long_strings_are_exact():
    rng = np.random.default_rng(0)
    long = [str(word) for word in rng.integers(0, 50, 20_000)]
    other = [str(word) for word in rng.integers(0, 50, 20_000)]
    expected = [brute_matches(long, other, n) for n in range(1, 5)]
    assert statistics([(long, other), (["1"], ["1"])]).matches[0].tolist() == expected
