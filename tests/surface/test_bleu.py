"""The BLEU family, worked by hand and against sacreBLEU and NLTK."""

import logging
import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from nltk.translate.bleu_score import sentence_bleu
from sacrebleu.metrics import BLEU
from tests.errors import coded

from ensue.errors import SettingError
from ensue.surface import BleuScorer, Mean, ngram_statistics
from ensue.surface.tokenizers import MTEVAL_13A, WHITESPACE

UNIFORM = (0.25,) * 4
PLAIN = BleuScorer(Mean.GEOMETRIC, True, UNIFORM)
MODIFIED = BleuScorer(Mean.LINEAR, False, UNIFORM)
LINEAR = BleuScorer(Mean.LINEAR, True, UNIFORM)

words = st.lists(
    st.sampled_from(["the", "cat", "sat", "on", "a", "mat", ",", ".", "3.5"]),
    min_size=1,
    max_size=14,
)


def score(scorer, test, reference, tokenizer=WHITESPACE):
    return scorer.score(ngram_statistics([test], [reference], tokenizer, order=len(scorer.weights)))


def test_scores_worked_by_hand():
    # test "a b c d e", reference "a b c x d e": 5/5 words, 3/4 pairs, 1/3 triples, 0/2 fours
    statistics = ngram_statistics(["a b c d e"], ["a b c x d e"], WHITESPACE)
    penalty = math.exp(1 - 6 / 5)
    assert MODIFIED.score(statistics)[0] == pytest.approx((1 + 3 / 4 + 1 / 3 + 0) / 4)
    assert LINEAR.score(statistics)[0] == pytest.approx(penalty * (1 + 3 / 4 + 1 / 3 + 0) / 4)
    assert PLAIN.score(statistics)[0] == 0


def test_bleu_of_order_three_worked_by_hand():
    scorer = BleuScorer(Mean.GEOMETRIC, True, (1 / 3,) * 3)
    expected = math.exp(1 - 6 / 5) * (1 * 3 / 4 * 1 / 3) ** (1 / 3)
    assert score(scorer, "a b c d e", "a b c x d e")[0] == pytest.approx(expected)


def test_short_test_counts_its_missing_orders_as_zero():
    assert score(MODIFIED, "a b", "a b c")[0] == (1 + 1 + 0 + 0) / 4


def test_weights_are_taken_as_given():
    scorer = BleuScorer(Mean.LINEAR, False, (0.7, 0.3))
    assert score(scorer, "a b c", "a b x")[0] == pytest.approx(0.7 * 2 / 3 + 0.3 * 1 / 2)


def test_a_weight_of_zero_leaves_its_order_out_of_the_geometric_mean():
    scorer = BleuScorer(Mean.GEOMETRIC, False, (1.0, 0.0))
    assert score(scorer, "a b", "b a")[0] == 1


@pytest.mark.parametrize("weights", [(), (0.5, 0.4), (1.5, -0.5)])
def test_weights_that_are_no_shares_are_refused(weights):
    with pytest.raises(SettingError, check=coded("weights-not-shares-sum")):
        BleuScorer(Mean.LINEAR, False, weights)


def test_pair_without_tokens_scores_zero():
    for scorer in (PLAIN, MODIFIED, LINEAR):
        assert score(scorer, "", "a b")[0] == 0


@given(words, words)
def test_bleu_agrees_with_sacrebleu(test, reference):
    test, reference = " ".join(test), " ".join(reference)
    metric = BLEU(smooth_method="none", lowercase=True, effective_order=False)
    logging.disable(logging.WARNING)
    expected = metric.sentence_score(test, [reference]).score / 100
    logging.disable(logging.NOTSET)
    assert score(PLAIN, test, reference, MTEVAL_13A)[0] == pytest.approx(expected, abs=1e-9)


@given(words, words, words, words)
@settings(max_examples=300)
def test_bleu_agrees_with_nltk_where_every_order_matches(before, shared, after, other):
    # where an order has no match NLTK puts a tiny number where the definition has zero
    shared = [*shared, "the", "cat", "sat", "on"]
    test, reference = [*before, *shared], [*other, *shared, *after]
    expected = sentence_bleu([reference], test)
    ours = score(PLAIN, " ".join(test), " ".join(reference))[0]
    assert ours == pytest.approx(expected, abs=1e-9)


@pytest.mark.data
def test_bleu_agrees_with_nltk_on_real_segments(shared_data):
    outputs, references = [], []
    for languages in ("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en"):
        for kind, lines in (("mt-system", outputs), ("reference", references)):
            file = shared_data / "wmt16-da" / f"DAseg.newstest2016.{kind}.{languages}"
            lines += file.read_text("utf-8").splitlines()
    statistics = ngram_statistics(outputs, references, MTEVAL_13A)
    defined = np.flatnonzero((statistics.matches > 0).all(axis=1))
    assert len(defined) > 1500
    ours = PLAIN.score(statistics)
    for i in defined:
        test, reference = (MTEVAL_13A.split(s.lower()) for s in (outputs[i], references[i]))
        assert ours[i] == pytest.approx(sentence_bleu([reference], test), abs=1e-9)


def test_score_is_the_same_to_the_last_bit_in_every_batch():
    rng = np.random.default_rng(0)
    tests, references = (
        [" ".join(map(str, rng.integers(0, 9, rng.integers(5, 40)))) for _ in range(300)]
        for _ in range(2)
    )
    for scorer in (PLAIN, MODIFIED, LINEAR):
        together = scorer.score(ngram_statistics(tests, references, WHITESPACE)).tolist()
        alone = [score(scorer, t, r)[0] for t, r in zip(tests, references, strict=True)]
        assert alone == together


@pytest.mark.data
@pytest.mark.parametrize("languages", ["cs-en", "fi-en", "ru-en"])
def test_bleu_agrees_with_sacrebleu_on_real_segments(shared_data, languages):
    folder = shared_data / "wmt16-da"
    outputs, references = (
        (folder / f"DAseg.newstest2016.{kind}.{languages}").read_text("utf-8").splitlines()
        for kind in ("mt-system", "reference")
    )
    metric = BLEU(smooth_method="none", lowercase=True, effective_order=False)
    logging.disable(logging.WARNING)
    expected = [
        metric.sentence_score(output, [reference]).score / 100
        for output, reference in zip(outputs, references, strict=True)
    ]
    logging.disable(logging.NOTSET)
    ours = PLAIN.score(ngram_statistics(outputs, references, MTEVAL_13A))
    assert len(ours) == 560
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-9)


@pytest.mark.data
def test_corpus_bleu_agrees_with_sacrebleu(shared_data):
    folder = shared_data / "wmt16-da"
    outputs, references = (
        (folder / f"DAseg.newstest2016.{kind}.de-en").read_text("utf-8").splitlines()
        for kind in ("mt-system", "reference")
    )
    expected = BLEU(lowercase=True).corpus_score(outputs, [references]).score / 100
    summed = ngram_statistics(outputs, references, MTEVAL_13A).summed()
    assert PLAIN.score(summed)[0] == pytest.approx(expected, abs=1e-9)


@given(words, words)
def test_scores_stay_in_their_range_and_order(test, reference):
    test, reference = " ".join(test), " ".join(reference)
    plain, linear, modified = (score(s, test, reference)[0] for s in (PLAIN, LINEAR, MODIFIED))
    assert 0 <= plain <= linear + 1e-12  # the geometric mean is at most the linear one
    assert linear <= modified <= 1


@given(words)
def test_identity_scores_one_where_every_order_exists(test):
    if len(test) >= 4:
        for scorer in (PLAIN, LINEAR, MODIFIED):
            assert score(scorer, " ".join(test), " ".join(test))[0] == pytest.approx(1)


@given(words, words)
def test_modified_bleu_is_one_wherever_the_test_is_inside_the_reference(test, around):
    # section 4.1: "It is not the case that John likes ice cream" gives a full score to its clause
    if len(test) >= 4:
        assert score(MODIFIED, " ".join(test), " ".join([*around, *test]))[0] == pytest.approx(1)
