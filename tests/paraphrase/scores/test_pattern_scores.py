"""EP, EPR and DIMPLE by hand."""

import re

import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import DataError, SettingError, UndefinedError, UnknownNameError
from ensue.paraphrase.lists import ListKey, RankedLists, Strictness
from ensue.paraphrase.scores import MEASURES, PatternMeasure, ScoreSettings, score, score_lists
from ensue.paraphrase.words import pattern_words

EP, EPR, DIMPLE = PatternMeasure

ALL, TWO, ONE, NONE = (1, 1, 1), (1, 1, 0), (0, 1, 0), (0, 0, 0)

MIXED = [  # Q, D (see test_pattern_diversity), credit in EPR
    ("in the", ALL),  # 1, 1: no content word: no credit
    ("was killed by", TWO),  # 2/3, 1: kill is the term's: no credit
    ("shooting", ALL),  # 1, 3: credit
    ("killing", ONE),  # 1/3, 2: no credit
    ("killing spree", ALL),  # 1, 1: no credit, so that spree stays new
    ("spree", TWO),  # 2/3, 3: credit
    ("shoots a gun", ALL),  # 1, 2: shoot was seen: no credit, so that gun stays new
    ("guns", ONE),  # 1/3, 2: credit
    ("gun", NONE),  # 0, 1: gun was credited: no credit
]


def scores(scored, k, i=0):
    return [scored.value(i, measure, k) for measure in (EP, EPR, DIMPLE)]


def test_example_of_the_introduction_has_no_diversity(judged):
    # "killed" → "shot and killed", "reported killed", "killed in", all right: each has a word of
    # the term, so that D = 1 and the gain is 2^(1·1) − 1 = 1 of 2^3 − 1 = 7
    lists = judged(
        {("killed", "a"): [("shot and killed", ALL), ("reported killed", ALL), ("killed in", ALL)]}
    )
    scored = score(lists, ScoreSettings(ks=(3,)))
    assert scored.diversity.tolist() == [1, 1, 1]
    assert scores(scored, 3) == [(1 + 1 + 1) / 3, 0 / 3, (1 + 1 + 1) / (3 * 7)]
    assert scored.value(0, DIMPLE, 3) == 1 / 7


def test_diverse_list_beats_the_example_of_the_introduction(judged):
    lists = judged({("killed", "a"): [("assassinated", ALL), ("shot", ALL), ("slain", ALL)]})
    assert scores(score(lists, ScoreSettings(ks=(3,))), 3) == [1, 1, 1]


def test_mixed_list_is_scored_as_worked_by_hand(judged):
    scored = score(judged({("killed", "a"): MIXED}), ScoreSettings(ks=(1, 5, 9)))
    assert scored.quality == pytest.approx([1, 2 / 3, 1, 1 / 3, 1, 2 / 3, 1, 1 / 3, 0])
    assert scored.diversity.tolist() == [1, 1, 3, 2, 1, 3, 2, 2, 1]
    assert np.flatnonzero(scored.credited).tolist() == [2, 5, 7]
    gains = [1, 2 ** (2 / 3) - 1, 7, 2 ** (2 / 3) - 1, 1, 2**2 - 1, 3, 2 ** (2 / 3) - 1, 0]
    assert scored.gains == pytest.approx(gains)
    assert scores(scored, 1) == [1, 0, 1 / 7]
    assert scores(scored, 5) == pytest.approx(
        [(1 + 2 / 3 + 1 + 1 / 3 + 1) / 5, 1 / 5, (9 + 2 * (2 ** (2 / 3) - 1)) / (5 * 7)]
    )
    assert scores(scored, 9) == pytest.approx(
        [6 / 9, (1 + 2 / 3 + 1 / 3) / 9, (15 + 3 * (2 ** (2 / 3) - 1)) / (9 * 7)]
    )


def test_two_of_three_judges_are_two_thirds(judged):
    # the paper's own example: "killed" → "fatally shot"
    scored = score(judged({("killed", "a"): [("fatally shot", TWO)]}), ScoreSettings(ks=(1,)))
    assert scores(scored, 1) == pytest.approx([2 / 3, 2 / 3, (2 ** (2 / 3 * 3) - 1) / 7])


def test_history_of_epr_begins_with_the_term(judged):
    scored = score(judged({("killed", "a"): [("killing", ALL)]}), ScoreSettings(ks=(1,)))
    assert scores(scored, 1) == [1, 0, (2**2 - 1) / 7]


def test_credit_hangs_on_words_and_not_on_quality(judged):
    lists = judged({("killed", "a"): [("shot", NONE), ("shots", ALL)]})
    assert score(lists, ScoreSettings(ks=(2,))).value(0, EPR, 2) == 0


def test_lenient_judges_are_another_quality(judged):
    lists = judged({("killed", "a"): [("shot", ONE)]}, strictness=Strictness.LENIENT)
    scored = score(lists, ScoreSettings(ks=(1,)), quality="judges:lenient")
    assert scored.value(0, EP, 1) == 1 / 3
    assert scored.settings.strictness is Strictness.LENIENT
    with pytest.raises(UndefinedError, match="no judge of these lists is strict"):
        score(lists)


def test_scores_come_in_the_order_of_the_ks(judged):
    lists = judged({("killed", "a"): MIXED})
    there = score(lists, ScoreSettings(ks=(1, 5, 9))).values
    assert score(lists, ScoreSettings(ks=(9, 1, 5, 1))).values.tolist() == (
        there[:, :, [2, 0, 1, 0]].tolist()
    )


def test_quality_and_diversity_may_be_columns():
    columns = {"q": np.array([0.5, 1.0]), "d": np.array([2.0, 0.0])}
    lists = RankedLists.of({ListKey("killed", "a"): ["shot", "hit"]}, columns=columns)
    scored = score(lists, ScoreSettings(ks=(2,)), "column:q", "column:d")
    # gains 2^(0.5·2) − 1 = 1 and 2^0 − 1 = 0
    assert scores(scored, 2) == [1.5 / 2, 1.5 / 2, (1 + 0) / (2 * 7)]
    assert scored.settings.strictness is None


def test_another_largest_diversity_has_another_norm(judged):
    lists = judged({("killed", "a"): [("shot", ALL)]})
    quality, diversity = np.ones(1), np.full(1, 4.0)
    words = pattern_words(lists)
    scored = score_lists(lists, quality, diversity, words, ScoreSettings(ks=(1,)), largest=4.0)
    assert scored.largest_gain == 2**4 - 1
    assert scored.value(0, DIMPLE, 1) == 1


def test_diversity_that_is_not_given_is_by_algorithm_1(judged):
    lists = judged({("killed", "a"): MIXED})
    scored = score_lists(lists, np.ones(9), None, pattern_words(lists), ScoreSettings())
    assert scored.diversity.tolist() == [1, 1, 3, 2, 1, 3, 2, 2, 1]


def test_mean_is_over_the_lists_of_a_method(judged):
    lists = judged(
        {
            ("killed", "a"): [("shot", ALL)],
            ("told", "a"): [("said", ONE)],
            ("told", "b"): [("informed", NONE)],
        }
    )
    scored = score(lists, ScoreSettings(ks=(1,)))
    assert scored.mean(EP, 1, "a").value == pytest.approx((1 + 1 / 3) / 2)
    assert scored.mean(EP, 1, "b").value == 0
    assert scored.mean(EP, 1).value == pytest.approx((1 + 1 / 3 + 0) / 3)
    with pytest.raises(UnknownNameError, match="no method is called 'c'"):
        scored.mean(EP, 1, "c")


def test_signature_names_the_recipe(judged):
    scored = score(judged({("killed", "a"): [("shot", ALL)]}))
    assert scored.signature == (
        "quality:judges:strict|diversity:algorithm-1|short:wrong|repeated:drop|unjudged:error"
        "|no-content:shipped"
    )


def test_own_words_without_content_change_the_scores(judged):
    lists = judged({("killed", "a"): [("shot", ALL)]})
    settings = ScoreSettings(ks=(1,), no_content=frozenset({"shot"}))
    scored = score(lists, settings)
    assert scores(scored, 1) == [1, 0, 1 / 7]
    assert re.search(r"no-content:own \(1, [0-9a-f]{16}\)$", scored.signature)


def test_recipe_tells_lists_of_words_without_content_apart():
    one, other, shouted = (
        ScoreSettings(no_content=frozenset(words)).recipe()["no-content"]
        for words in (["shot", "by"], ["shot", "at"], ["BY", "by", "Shot"])
    )
    assert one != other
    assert shouted == one  # they are taken in lower case


def test_score_at_a_rank_that_was_not_taken_is_an_error(judged):
    scored = score(judged({("killed", "a"): [("shot", ALL)]}))
    with pytest.raises(UnknownNameError, match="the measures were not taken at k = 7") as caught:
        scored.value(0, EP, 7)
    assert caught.value.hint == "they were at: 1, 5, 10"


@pytest.mark.parametrize("k", [0, -1, 2.5, True])
def test_rank_that_is_none_is_an_error(k):
    with pytest.raises(SettingError, check=coded("list-no-such-rank")) as caught:
        ScoreSettings(ks=(1, k))
    assert "1 or more" in caught.value.hint


def test_no_rank_is_an_error():
    with pytest.raises(SettingError, check=coded("no-given")):
        ScoreSettings(ks=())


def test_quality_that_nobody_knows_is_an_error(judged):
    with pytest.raises(UnknownNameError, match="no quality is called 'jugdes'") as caught:
        score(judged({("killed", "a"): [("shot", ALL)]}), quality="jugdes:strict")
    assert caught.value.hint == "did you mean 'judges'?"


@pytest.mark.parametrize(("quality", "diversity", "what"), [(1.5, 1.0, "Q"), (1.0, 3.5, "D")])
def test_number_out_of_range_is_an_error_with_its_place(judged, quality, diversity, what):
    lists = judged({("killed", "a"): [("shot", ALL)]}, places=True)
    with pytest.raises(DataError, match=f"{what} of 'shot' is") as caught:
        score_lists(
            lists,
            np.array([quality]),
            np.array([diversity]),
            pattern_words(lists),
            ScoreSettings(),
        )
    assert caught.value.place == "few.tsv:2"


def test_pattern_without_diversity_is_an_error_where_its_rank_matters(judged):
    lists = judged({("killed", "a"): [("shot", ALL), ("hit", ALL)]}, places=True)
    words, diversity = pattern_words(lists), np.array([3.0, np.nan])
    assert (
        score_lists(lists, np.ones(2), diversity, words, ScoreSettings(ks=(1,))).values[0, 2] == 1
    )
    with pytest.raises(DataError, match="'hit' has no diversity") as caught:
        score_lists(lists, np.ones(2), diversity, words, ScoreSettings(ks=(2,)))
    assert caught.value.place == "few.tsv:3"


def test_no_lists_have_no_scores():
    scored = score(RankedLists.of({}, columns={"q": np.empty(0)}), quality="column:q")
    assert scored.values.shape == (0, len(MEASURES), 3)
    assert scored.mean(EP, 1).reason == "no list defines it"
