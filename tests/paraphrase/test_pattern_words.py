"""Words, content words and stems of patterns: the arrays against the definitions on one string."""

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from ensue.paraphrase.lists import ListKey, RankedLists
from ensue.paraphrase.words import (
    NO_CONTENT,
    WITHOUT_CONTENT,
    content_words,
    is_content_word,
    normalized,
    pattern_words,
    words_of,
)
from ensue.surface.stemmer import stems
from ensue.surface.tokenizers import WORDS, tokenize

ODD = [
    *"aBzÄßİıſΣσς\0 _-'7é😀\u0301\u0307\u00a0\ud800",
    "Straße",
    "ΟΔΥΣΣΕΥΣ",
    "the",
    "THE",
    "Killing",
    "killed",
    "e\u0301",
    "abcdefgh",
    "abcdefghijklmno",
    "abcdefghijklmnop",
    "abcdefghijklmnoq",
    "ABCDEFGHIJKLMNOP",
    "naïvely",
    "__",
]
odd_strings = st.lists(st.sampled_from(ODD), max_size=6).map("".join)
strings = st.one_of(
    odd_strings, st.lists(st.sampled_from(ODD), max_size=5).map(" ".join), st.text()
)


def lists_of(terms, paraphrases):
    """One list a term, all of the same paraphrases."""
    return RankedLists.of({ListKey(term, str(i)): paraphrases for i, term in enumerate(terms)})


def told(ids, offsets, vocabulary):
    bounds = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    return [[vocabulary[i] for i in ids[a:b].tolist()] for a, b in bounds]


@given(st.lists(strings, max_size=3), st.lists(strings, max_size=4))
@example(["Σ"], ["ΑΣ", "\0", "a\0b", ""])
@example(["a\0"], ["killed"])
@example([], [])
def test_pattern_words_are_those_of_the_definition(terms, paraphrases):
    lists = lists_of(terms, paraphrases)
    found = pattern_words(lists)
    vocabulary = found.vocabulary()
    assert told(found.ids, found.offsets, vocabulary) == [words_of(p) for p in lists.paraphrases]
    assert told(found.term_ids, found.term_offsets, vocabulary) == [words_of(t) for t in terms]


@given(st.lists(strings, max_size=5))
def test_pattern_words_know_content_words_and_stems_by_the_definition(paraphrases):
    found = pattern_words(lists_of(["killed"], paraphrases))
    vocabulary = found.vocabulary()
    is_content = [is_content_word(word) for word in vocabulary]
    assert (found.stem_of >= 0).tolist() == is_content
    content = [i for i, each in enumerate(is_content) if each]
    by_number = dict(zip(content, stems([vocabulary[i] for i in content]), strict=True))
    for i in content:
        same = [j for j in content if found.stem_of[j] == found.stem_of[i]]
        assert same == [j for j in content if by_number[j] == by_number[i]]
    assert found.stem_of.max(initial=WITHOUT_CONTENT) < found.n_stems


@given(st.lists(strings, max_size=5))
def test_pattern_words_agree_with_tokenize(paraphrases):
    theirs = tokenize(paraphrases, WORDS)
    ours = pattern_words(lists_of(["x"], paraphrases))
    expected = told(theirs.ids, theirs.offsets, theirs.vocabulary())
    assert told(ours.ids, ours.offsets, ours.vocabulary()) == expected


def test_pattern_words_number_equal_words_equally():
    found = pattern_words(lists_of(["Killed"], ["killed", "was KILLED"]))
    assert found.ids[0] == found.ids[2] == found.term_ids[0]


def test_pattern_words_keep_apart_long_words_that_begin_alike():
    words = [f"{'a' * 20}{i}" for i in range(50)]
    found = pattern_words(lists_of(["x"], [*words, *words]))
    assert np.unique(found.ids).size == 50
    assert found.ids[:50].tolist() == found.ids[50:].tolist()


def test_pattern_words_number_very_many_words():
    words = [f"w{i}" for i in range(20_000)]
    found = pattern_words(lists_of(["x"], [" ".join(words)]))
    assert np.unique(found.ids).size == 20_000
    assert told(found.ids, found.offsets, found.vocabulary()) == [words]


def test_own_words_without_content_take_the_place_of_those_that_ship():
    lists = lists_of(["killed"], ["the killed x"])
    found = pattern_words(lists, no_content={"KILLED", "two words"})
    content = [
        word for word, stem in zip(found.vocabulary(), found.stem_of, strict=True) if stem >= 0
    ]
    assert content == ["the"]
    assert content_words("the killed x", {"killed"}) == ["the"]


def test_no_words_without_content_leave_single_letters_out_all_the_same():
    found = pattern_words(lists_of(["a"], ["the x 7 é"]), no_content=())
    marks = dict(zip(found.vocabulary(), (found.stem_of >= 0).tolist(), strict=True))
    assert marks == {"a": False, "the": True, "x": False, "7": True, "é": False}


def test_has_content_tells_patterns_of_function_words():
    found = pattern_words(lists_of(["killed"], ["in the", "shot", "", "X by Y"]))
    assert found.has_content.tolist() == [False, True, False, False]


def test_chosen_words_are_those_of_the_chosen_patterns():
    lists = lists_of(["killed", "told"], ["shot and killed", "", "said to"])
    which = np.array([0, 2, 4])
    expected = pattern_words(lists.chosen(which))
    found = pattern_words(lists).chosen(which)
    assert told(found.ids, found.offsets, found.vocabulary()) == told(
        expected.ids, expected.offsets, expected.vocabulary()
    )


@given(strings)
def test_normalized_strings_stay_and_are_in_lower_case_with_single_blanks(string):
    found = normalized(string)
    assert normalized(found) == found
    assert found.split(" ") == (string.lower().split() or [""])


@pytest.mark.parametrize("word", ["the", "x", "_", "__", "don", "ll", "é"])
def test_word_says_nothing_by_itself(word):
    assert not is_content_word(word)


@pytest.mark.parametrize("word", ["killed", "7", "like", "a_b", "done", "中国"])
def test_word_says_something(word):
    assert is_content_word(word)


def test_shipped_list_is_in_lower_case():
    assert all(word == word.lower() for word in NO_CONTENT)
