import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.errors import UndefinedError
from ensue.paraphrase.quality.entailment import (
    BothWays,
    Combination,
    Grade,
    OneWay,
    judged_both_ways,
)

FORWARD, BACKWARD = 0.8, 0.4
"""Probabilities: a yes with confidence 0.6 and a no with confidence 0.2."""


@pytest.fixture
def ways(told):
    judging = told(lambda text, _: FORWARD if text == "term" else BACKWARD)
    return judged_both_ways(judging, ["term"], ["paraphrase"])


@pytest.mark.parametrize(
    ("combination", "soft", "hard"),
    [
        (Combination.PRODUCT, 0.8 * 0.4, 1 * 0),
        (Combination.LEAST, 0.4, 0),
        (Combination.MEAN, (0.8 + 0.4) / 2, (1 + 0) / 2),
        (Combination.FORWARD, 0.8, 1),
        (Combination.BACKWARD, 0.4, 0),
    ],
)
def test_both_ways_are_combined(ways, combination, soft, hard):
    assert ways.qualities(Grade.SOFT, combination) == pytest.approx([soft])
    assert ways.qualities(Grade.HARD, combination).tolist() == [hard]


def test_judged_both_ways_asks_equal_questions_once(told):
    asked = []
    ways = judged_both_ways(told(lambda *_: 1.0, asked=asked), ["a", "b", "a"], ["b", "a", "a"])
    assert asked == [("a", "b"), ("b", "a"), ("a", "a")]
    assert ways.qualities(Grade.HARD, Combination.MEAN).tolist() == [1, 1, 1]


def test_judged_both_ways_of_nothing_is_nothing(told):
    assert judged_both_ways(told(lambda *_: 1.0), [], []).forward.is_yes.size == 0


def test_qualities_have_gaps_where_a_way_that_counts_is_undecided(told):
    judging = told(lambda text, _: None if text == "term" else 0.9)
    ways = judged_both_ways(judging, ["term"], ["paraphrase"])
    assert np.isnan(ways.qualities(Grade.SOFT, Combination.LEAST)).all()
    assert np.isnan(ways.qualities(Grade.HARD, Combination.PRODUCT)).all()
    assert ways.qualities(Grade.SOFT, Combination.BACKWARD) == pytest.approx([0.9])


def test_soft_grades_need_confidences(told):
    ways = judged_both_ways(told(lambda *_: 0.9, sure=False), ["term"], ["paraphrase"])
    with pytest.raises(
        UndefinedError, match=r"1 of 1 verdicts have no confidence[\s\S]*--grade hard"
    ):
        ways.qualities(Grade.SOFT, Combination.PRODUCT)
    assert ways.qualities(Grade.HARD, Combination.PRODUCT).tolist() == [1]


def test_soft_grade_of_features_is_its_probability():
    from ensue.pairs import Pair
    from ensue.recognizers import load

    features = load("features")
    text, hypothesis = "Two men were killed in the fire.", "Two men died in the fire."
    (verdict,) = features.judge([Pair("1", text, hypothesis)])
    ways = judged_both_ways(features, [text], [hypothesis])
    assert ways.forward.grades(Grade.SOFT) == pytest.approx([verdict.score])


_PROBABILITIES = st.lists(st.tuples(*[st.floats(0, 1)] * 2), min_size=1)


@given(_PROBABILITIES, st.sampled_from(Grade), st.sampled_from(Combination))
def test_qualities_are_in_the_unit_interval(probabilities, grade, combination):
    ways = _ways(probabilities)
    quality = ways.qualities(grade, combination)
    assert ((quality >= 0) & (quality <= 1)).all()


@given(_PROBABILITIES, st.sampled_from(Grade))
def test_product_is_the_strictest_and_mean_the_mildest_of_both_ways(probabilities, grade):
    ways = _ways(probabilities)
    product, least, mean = (
        ways.qualities(grade, each)
        for each in (Combination.PRODUCT, Combination.LEAST, Combination.MEAN)
    )
    assert (product <= least + 1e-12).all()
    assert (least <= mean + 1e-12).all()


def _ways(probabilities):
    return BothWays(*(_one_way(each) for each in np.array(probabilities).T))


def _one_way(probability):
    return OneWay((probability > 0.5).astype(float), np.abs(probability - 0.5) * 2)
