"""Decisions, confidences and training of cutoff recognizers."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

import ensue
from ensue.errors import DataError, SettingError, UnknownNameError
from ensue.pairs import Label, Pair, Status
from ensue.recognizers.cutoff import confidences

unit = st.floats(0, 1)


def test_confidence_is_the_share_of_the_room_on_its_side():
    found = confidences(np.array([0.0, 0.1, 0.2, 0.6, 1.0]), 0.2, (0.0, 1.0))
    expected = [(0.2 - 0) / 0.2, (0.2 - 0.1) / 0.2, 0, (0.6 - 0.2) / (1 - 0.2), 1]
    assert found.tolist() == pytest.approx(expected)


def test_confidence_is_zero_where_there_is_no_room():
    assert confidences(np.array([0.0]), 0.0, (0.0, 1.0)).tolist() == [0]


def test_confidence_under_an_infinite_cutoff_is_its_limit():
    assert confidences(np.array([0.0, 1.0]), -math.inf, (0.0, 1.0)).tolist() == [1, 1]


@given(unit, unit, unit)
def test_confidence_grows_with_the_distance_from_the_cutoff(cutoff, a, b):
    near, far = sorted([a, b], key=lambda score: abs(score - cutoff))
    if (near > cutoff) == (far > cutoff):
        of_near, of_far = confidences(np.array([near, far]), cutoff, (0.0, 1.0))
        assert 0 <= of_near <= of_far <= 1


def test_paper_example_of_a_false_full_score():
    # section 4.1: BLEU gives the negated clause a full score
    pair = Pair("1", "It is not the case that John likes ice cream.", "John likes ice cream.")
    verdict = ensue.load("modified-bleu").judge([pair])[0]
    assert (verdict.label, verdict.score, verdict.confidence) == (Label.ENTAILMENT, 1.0, 1.0)


def test_side_without_tokens_is_no_silent_no():
    verdicts = ensue.load("bleu").judge([Pair("1", "a", ""), Pair("2", " ", "a")])
    assert [v.status for v in verdicts] == [Status.ABSTAINED] * 2
    assert [v.reason for v in verdicts] == [
        "the hypothesis has no tokens",
        "the text has no tokens",
    ]


def test_training_takes_the_lowest_of_the_best_cutoffs(pairs):
    trained = ensue.load("modified-bleu").fit(pairs, seed=0, name="made")
    scores = [(v.score, p.gold) for v, p in zip(trained.judge(pairs), pairs, strict=True)]
    scored = [(score, gold) for score, gold in scores if score is not None]
    candidates = [-math.inf, *sorted({score for score, _ in scored})]

    def right(cutoff):
        return sum((score > cutoff) == (gold is Label.ENTAILMENT) for score, gold in scored)

    best = max(map(right, candidates))
    assert trained.cutoff == min(c for c in candidates if right(c) == best)
    assert trained.tuned_on["right"] == best
    assert trained.tuned_on["name"] == "made"
    assert trained.tuned_on["pairs"] == len(pairs)


def test_training_on_entailments_alone_says_yes_to_everything(pairs, tmp_path):
    positive = [pair for pair in pairs if pair.gold is Label.ENTAILMENT]
    trained = ensue.load("overlap").fit(positive, seed=0)
    assert trained.cutoff == -math.inf
    assert {v.label for v in trained.judge(pairs[:-1])} == {Label.ENTAILMENT}
    from ensue.recognizers import save

    save(trained, tmp_path)
    assert ensue.load(tmp_path).cutoff == -math.inf


def test_training_takes_three_way_gold_as_entailment_or_not(pairs):
    fine = [
        Pair(p.id, p.text, p.hypothesis, p.gold if p.gold == "entailment" else Label.UNKNOWN)
        for p in pairs
    ]
    coarse = ensue.load("overlap").fit(pairs, seed=0)
    assert ensue.load("overlap").fit(fine, seed=0).cutoff == coarse.cutoff


def test_training_without_gold_is_refused():
    with pytest.raises(DataError, match="none of the 1 pairs has gold"):
        ensue.load("overlap").fit([Pair("1", "a", "b")], seed=0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"order": "four"}, "setting 'order' cannot be 'four'"),
        ({"order": 0}, "setting 'order' cannot be 0"),
        ({"order": 2.5}, "setting 'order' cannot be 2.5"),
        ({"order": True}, "setting 'order' cannot be True"),
        ({"weights": "0.5,0.5"}, "2 weights do not fit order 4"),
        ({"weights": "1,0,0,1"}, "are not shares that sum to 1"),
        ({"weights": "nan,nan,nan,nan"}, "are not shares that sum to 1"),
        ({"lowercase": "perhaps"}, "setting 'lowercase' cannot be 'perhaps'"),
        ({"direction": "sideways"}, "setting 'direction' cannot be 'sideways'"),
        ({"cutoff": "high"}, "setting 'cutoff' cannot be 'high'"),
        ({"cutoff": 1.5}, "setting 'cutoff' cannot be 1.5"),
        ({"cutoff": "nan"}, "setting 'cutoff' cannot be 'nan'"),
    ],
)
def test_setting_that_makes_no_sense_is_refused(settings, message):
    with pytest.raises(SettingError, match=message.replace("(", r"\(")):
        ensue.load("bleu", settings).judge([Pair("1", "a", "a")])


def test_unknown_setting_gets_a_suggestion():
    with pytest.raises(UnknownNameError, match="no setting is called 'ordre'") as caught:
        ensue.load("bleu", {"ordre": 3})
    assert caught.value.hint == "did you mean 'order'?"


def test_unknown_tokenizer_gets_a_suggestion():
    with pytest.raises(UnknownNameError, match="no tokenizer is called '13b'"):
        ensue.load("bleu", {"tokenizer": "13b"}).judge([Pair("1", "a", "a")])


def test_settings_are_taken_as_text_or_as_values():
    as_text = ensue.load("bleu", {"order": "2", "lowercase": "no", "weights": "0.7,0.3"})
    as_values = ensue.load("bleu", {"order": 2, "lowercase": False, "weights": [0.7, 0.3]})
    assert as_text == as_values
    assert as_text.signature.settings["weights"] == [0.7, 0.3]


def test_direction_says_which_side_is_the_test():
    pair = Pair("1", "a b c d x y", "a b c d")
    forward = ensue.load("modified-bleu").judge([pair])[0].score
    backward = ensue.load("modified-bleu", {"direction": "text"}).judge([pair])[0].score
    assert forward == 1
    assert backward == pytest.approx((4 / 6 + 3 / 5 + 2 / 4 + 1 / 3) / 4)


def test_overlap_tree_has_to_be_trained():
    with pytest.raises(SettingError, check=coded("recognizer-settings-trained-first")) as caught:
        ensue.load("overlap-tree").judge([Pair("1", "a", "b")])
    assert "ensue train" in caught.value.hint


def test_overlap_with_idf_has_to_be_trained(pairs):
    wanted = ensue.load("overlap", {"idf": "yes", "stem": "yes"})
    with pytest.raises(SettingError, check=coded("recognizer-settings-trained-first")):
        wanted.judge(pairs)
    assert len(wanted.fit(pairs, seed=0).judge(pairs)) == len(pairs)


def test_signature_reads_as_a_recipe():
    assert str(ensue.load("bleu").signature) == (
        "bleu|order:4|weights:0.25,0.25,0.25,0.25|tokenizer:13a|lowercase:yes"
        f"|direction:hypothesis|cutoff:0.002|version:{ensue.__version__}"
    )


@pytest.mark.parametrize("name", ["overlap-tree", "overlap", "modified-bleu"])
def test_training_on_pairs_without_words_is_refused(name):
    pairs = [Pair(str(i), "...", "", Label.ENTAILMENT) for i in range(30)]
    with pytest.raises(DataError, match="none of the pairs"):
        ensue.load(name).fit(pairs, seed=0)


def test_idf_learned_from_texts_without_words_comes_back(tmp_path):
    from ensue.recognizers import save

    trained = ensue.load("overlap", {"idf": True}).fit(
        [Pair("1", "...", "a word", Label.ENTAILMENT)], seed=0
    )
    save(trained, tmp_path)
    pair = Pair("2", "a word", "a word")
    assert ensue.load(tmp_path).judge([pair]) == trained.judge([pair])


def test_idf_takes_a_word_of_a_megabyte():
    pairs = [Pair(str(i), f"word{i} here", "here", Label.ENTAILMENT) for i in range(3000)]
    pairs.append(Pair("long", "x" * 1_000_000, "here", Label.NOT_ENTAILMENT))
    trained = ensue.load("overlap", {"idf": True}).fit(pairs, seed=0)
    assert trained.tuned_on["right"] == 3001
