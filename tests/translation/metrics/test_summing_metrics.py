"""Metrics whose statistics sum: BLEU, NIST, TER and matches of words."""

import math

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import SettingError
from ensue.translation.metrics import SummingMetric, load_metric
from ensue.translation.systems import Segment

SUMMING = ("bleu", "nist", "ter", "lexical")
WORDS = st.sampled_from(["the", "The", "a", "cat", "dog", "sat,", "on", "mat.", "it's", "3.5"])
SENTENCES = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)
PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=5)


def as_segments(pairs):
    return [
        Segment("", str(i), (reference,), {"A": output})
        for i, (output, reference) in enumerate(pairs)
    ]


@pytest.fixture(params=SUMMING)
def metric(request, references):
    return load_metric(request.param).informed(references)


def test_surface_metrics_sum_and_others_do_not():
    outside = ("chrf", "chrf++", "sacrebleu", "sacrebleu-ter")
    assert all(isinstance(load_metric(name), SummingMetric) for name in SUMMING)
    assert not any(isinstance(load_metric(name), SummingMetric) for name in outside)


def test_statistics_are_a_row_an_output(metric, segments):
    statistics = metric.statistics(segments)
    assert len(statistics) == sum(len(each.outputs) for each in segments)
    assert np.isfinite(statistics).all()


@pytest.mark.parametrize("name", ["nist", "lexical"])
def test_score_of_a_segment_is_that_of_its_statistics(name, segments, references):
    metric = load_metric(name).informed(references)
    scored = metric.scored(metric.statistics(segments))
    assert scored.tolist() == metric.scores(segments).tolist()


def test_bleu_of_a_segment_is_smoothed_and_of_a_text_is_not():
    # one of three words matches, and no longer n-gram
    metric = load_metric("bleu")
    output = as_segments([("cat x y", "the cat sat")])
    assert metric.scored(metric.statistics(output)).tolist() == [0.0]
    # order 4 of three words: 1/3 · (0+1)/(2+1) · (0+1)/(1+1), and (0+1)/(0+1) for no 4-gram
    smoothed = 100 * (1 / 3 * 1 / 3 * 1 / 2 * 1) ** (1 / 4)
    assert metric.scores(output)[0] == pytest.approx(smoothed)


def test_summed_statistics_are_those_of_the_text(metric, segments):
    # a text of the same segment twice scores as the segment
    statistics = metric.statistics(segments)
    assert metric.scored(2 * statistics) == pytest.approx(metric.scored(statistics))


@given(PAIRS)
def test_corpus_bleu_is_that_of_sacrebleu(pairs):
    metric = load_metric("bleu")
    whole = metric.scored(metric.statistics(as_segments(pairs)).sum(axis=0, keepdims=True))[0]
    outputs, references = zip(*pairs, strict=True)
    theirs = sacrebleu.BLEU(smooth_method="none").corpus_score(list(outputs), [list(references)])
    assert whole == pytest.approx(theirs.score)


def test_corpus_bleu_of_several_references_is_that_of_sacrebleu():
    outputs = ["The cat is on the mat, isn't it?", "There were 3.5 million of them."]
    references = [
        ["The cat sat on the mat, didn't it?", "There were 3.5 million."],
        ["A cat is on the mat, isn't it?", "3.5 million of them were there, all told."],
    ]
    found = [
        Segment("", str(i), (first, second), {"A": output})
        for i, (output, first, second) in enumerate(zip(outputs, *references, strict=True))
    ]
    metric = load_metric("bleu")
    whole = metric.scored(metric.statistics(found).sum(axis=0, keepdims=True))[0]
    assert whole == pytest.approx(sacrebleu.BLEU().corpus_score(outputs, references).score)


@given(PAIRS)
def test_ter_of_segments_is_that_of_sacrebleu_with_its_sign_turned(pairs):
    ours, theirs = load_metric("ter"), load_metric("sacrebleu-ter")
    found = as_segments(pairs)
    worded = np.array([bool(output.split()) for output, _ in pairs])
    rate = theirs.scores(found)
    drawn = np.where(rate < -100, -101 + np.exp((rate + 100) / 100), rate)
    expected = np.where(worded, drawn, -101)
    has_reference = np.array([bool(reference.split()) for _, reference in pairs])
    assert ours.scores(found)[has_reference] == pytest.approx(expected[has_reference])


def test_ter_of_silence_is_below_that_of_any_words():
    found = as_segments([("", "the cat sat"), ("x " * 20, "the cat sat"), ("the", "the cat sat")])
    silence, nonsense, short = load_metric("ter").scores(found)
    assert (silence, short) == (-101, pytest.approx(-200 / 3))
    # 3 substitutions and 17 deletions for 3 words: 666.7 %
    assert nonsense == pytest.approx(-101 + math.exp(-(2000 / 3 - 100) / 100))


@given(PAIRS)
def test_corpus_ter_is_that_of_sacrebleu(pairs):
    metric = load_metric("ter")
    whole = metric.scored(metric.statistics(as_segments(pairs)).sum(axis=0, keepdims=True))[0]
    outputs, references = zip(*pairs, strict=True)
    theirs = sacrebleu.TER().corpus_score(list(outputs), [list(references)])
    assert whole == pytest.approx(-theirs.score)


def test_output_without_edits_has_a_ter_of_zero_without_a_sign():
    same = as_segments([("a dog", "a dog")])
    for name in ("ter", "sacrebleu-ter"):
        assert str(load_metric(name).scores(same)[0]) == "0.0"


def test_nist_is_that_of_mteval():
    # mteval-v13a gives 5.0379 and 2.1139 for these two, case kept, n = 5
    references = (
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the"
        " command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    )
    outputs = {
        "first": "It is a guide to action which ensures that the military always obeys the commands"
        " of the party",
        "second": "It is to insure the troops forever hearing the activity guidebook that party"
        " direct",
    }
    metric = load_metric("nist").informed([references])
    scores = metric.scores([Segment("", "1", references, outputs)])
    assert scores == pytest.approx([5.0379, 2.1139], abs=5e-5)


def test_nist_uses_the_information_of_all_references():
    # in one reference every word is as rare as the other; "cat" is rarer in both together
    pair = [Segment("", "1", ("the cat",), {"A": "cat", "B": "the"})]
    metric = load_metric("nist")
    alone = metric.informed([("the cat",)]).scores(pair)
    among = metric.informed([("the cat",), ("the dog",)]).scores(pair)
    assert alone[0] == alone[1]
    assert among[0] > among[1]


def test_uninformed_nist_scores_nothing(segments):
    with pytest.raises(SettingError, check=coded("nist-not-know-references")):
        load_metric("nist").scores(segments)


@pytest.mark.parametrize("name", ["bleu", "ter", "lexical"])
def test_metric_that_needs_no_information_stays_as_it_is(name, references):
    metric = load_metric(name)
    assert metric.informed(references) is metric
