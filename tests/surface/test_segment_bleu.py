"""BLEU with several references, and smoothed: by hand, against sacreBLEU and NLTK, by laws."""

import logging
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from sacrebleu.metrics import BLEU

from ensue.surface import BleuScorer, Mean, ngram_statistics, segment_statistics, tokenize_segments
from ensue.surface.tokenizers import MTEVAL_13A, WHITESPACE

UNIFORM = (0.25,) * 4
PLAIN = BleuScorer(Mean.GEOMETRIC, True, UNIFORM)
SMOOTHED = BleuScorer(Mean.GEOMETRIC, True, UNIFORM, smoothed=True)

strings = st.lists(
    st.sampled_from(["the", "cat", "sat", "on", "a", "mat", ",", ".", "3.5"]), max_size=14
).map(" ".join)
several = st.lists(strings.filter(bool), min_size=1, max_size=4)
corpora = st.lists(st.tuples(strings, several), min_size=1, max_size=6)


def statistics(outputs, references, tokenizer=WHITESPACE, order=4):
    segments = tokenize_segments(outputs, references, tokenizer)
    return segment_statistics(segments, order=order)


def split(corpus):
    return [output for output, _ in corpus], [references for _, references in corpus]


def test_matches_are_clipped_by_the_reference_that_has_most():
    # "a": 3 in the output, 1 and 2 in the references; "b": 1, 1 and 0; "a b": 1, 1 and 0
    found = statistics(["a a a b"], [["a b", "a c a"]])
    assert found.matches.tolist() == [[2 + 1, 1, 0, 0]]
    assert found.totals.tolist() == [[4, 3, 2, 1]]


def test_smoothed_precisions_worked_by_hand():
    # "a b c d e" with "a b c x d e": 5/5 words, 3/4 pairs, 1/3 triples, 0/2 fours
    found = statistics(["a b c d e"], [["a b c x d e"]])
    expected = [5 / 5, (3 + 1) / (4 + 1), (1 + 1) / (3 + 1), (0 + 1) / (2 + 1)]
    assert found.smoothed_precisions()[0].tolist() == expected
    score = math.exp(1 - 6 / 5) * math.prod(expected) ** (1 / 4)
    assert SMOOTHED.score(found)[0] == pytest.approx(score)


def test_smoothed_bleu_of_an_empty_output_is_zero():
    found = statistics([""], [["a b"]])
    assert found.smoothed_precisions().tolist() == [[0, 0, 0, 0]]
    assert SMOOTHED.score(found).tolist() == [0]


def test_smoothed_bleu_is_zero_where_no_word_matches():
    assert SMOOTHED.score(statistics(["x y z"], [["a b c"]])).tolist() == [0]


@given(strings.filter(lambda string: len(string.split()) >= 4), several)
def test_smoothed_bleu_agrees_with_nltk(output, references):
    # NLTK gives shorter outputs a total of 1 more for the orders that they do not have
    if not set(output.split()) & set(" ".join(references).split()):
        return
    expected = sentence_bleu(
        [reference.split() for reference in references],
        output.split(),
        smoothing_function=SmoothingFunction().method2,
    )
    assert SMOOTHED.score(statistics([output], [references]))[0] == pytest.approx(expected)


@given(corpora)
def test_bleu_of_several_references_agrees_with_sacrebleu(corpus):
    metric = BLEU(smooth_method="none", lowercase=True, effective_order=False)
    logging.disable(logging.WARNING)
    expected = [metric.sentence_score(output, refs).score / 100 for output, refs in corpus]
    logging.disable(logging.NOTSET)
    found = statistics(*split(corpus), MTEVAL_13A)
    np.testing.assert_allclose(PLAIN.score(found), expected, rtol=0, atol=1e-9)


@given(st.lists(st.tuples(strings, strings, strings), min_size=1, max_size=8))
def test_corpus_bleu_of_several_references_agrees_with_sacrebleu(rows):
    outputs, first, second = (list(column) for column in zip(*rows, strict=True))
    metric = BLEU(smooth_method="none", lowercase=True)
    expected = metric.corpus_score(outputs, [first, second]).score / 100
    summed = statistics(outputs, list(zip(first, second, strict=True)), MTEVAL_13A).summed()
    assert PLAIN.score(summed)[0] == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.tuples(strings, strings), min_size=1, max_size=8), st.integers(1, 6))
def test_one_reference_gives_what_pairs_give(pairs, order):
    outputs, references = (list(column) for column in zip(*pairs, strict=True))
    plain = ngram_statistics(outputs, references, WHITESPACE, order=order)
    found = statistics(outputs, [[reference] for reference in references], order=order)
    assert found.matches.tolist() == plain.matches.tolist()
    assert found.totals.tolist() == plain.totals.tolist()
    assert found.reference_length.tolist() == plain.reference_length.tolist()


@given(corpora)
def test_order_of_references_does_not_matter_for_bleu(corpus):
    outputs, references = split(corpus)
    turned = [list(reversed(each)) for each in references]
    found, other = statistics(outputs, references), statistics(outputs, turned)
    assert found.matches.tolist() == other.matches.tolist()
    assert found.reference_length.tolist() == other.reference_length.tolist()


@given(corpora)
def test_more_references_never_match_less(corpus):
    outputs, references = split(corpus)
    fewer = statistics(outputs, [each[:1] for each in references])
    assert (statistics(outputs, references).matches >= fewer.matches).all()
