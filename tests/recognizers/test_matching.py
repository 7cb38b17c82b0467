"""What is marked is what the arithmetic counts."""

import pytest
from hypothesis import given, strategies as st

import ensue
from ensue.pairs import Pair
from ensue.recognizers import Side
from ensue.recognizers.bleu import matched_spans
from ensue.surface import ngram_statistics
from ensue.surface.tokenizers import WHITESPACE

words = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=8).map(" ".join)


def marked(pair, side, **options):
    spans, _ = matched_spans(pair, WHITESPACE, 4, lowercase=True, **options)
    string = getattr(pair, side.value)
    return [string[span.start : span.end] for span in spans if span.side is side]


def test_longest_ngrams_are_marked_from_left_to_right():
    pair = Pair("1", "a b c x d e", "a b c d e f")
    assert marked(pair, Side.HYPOTHESIS) == ["a b c", "d e"]
    assert marked(pair, Side.TEXT) == ["a b c", "d e"]


def test_repeated_word_is_marked_as_often_as_the_other_side_has_it():
    pair = Pair("1", "the cat", "the the the")
    assert marked(pair, Side.HYPOTHESIS) == ["the"]


def test_other_direction_covers_the_text():
    pair = Pair("1", "a a a", "a")
    spans, links = matched_spans(pair, WHITESPACE, 4, lowercase=True, test=Side.TEXT)
    assert [span.side for span in spans] == [Side.TEXT, Side.HYPOTHESIS]
    assert (links[0].text, links[0].hypothesis) == (0, 1)


@given(words, words)
def test_marked_words_are_at_most_the_clipped_matches(text, hypothesis):
    pair = Pair("1", text, hypothesis)
    n_marked = sum(len(each.split()) for each in marked(pair, Side.HYPOTHESIS))
    clipped = ngram_statistics([hypothesis], [text], WHITESPACE).matches[0, 0]
    assert n_marked <= clipped
    assert (n_marked > 0) == (clipped > 0)


@pytest.mark.parametrize("order", [1, 4, 5, 9])
def test_explanation_marks_a_single_word_of_any_order(order):
    pair = Pair("1", "one word here", "a word there")
    evidence = ensue.load("modified-bleu", {"order": order}).explain(pair).evidence
    assert {span.strength for span in evidence.spans} == {1 / order}
