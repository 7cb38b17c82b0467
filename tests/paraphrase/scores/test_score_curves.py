"""Measures over k, and why a list has its scores."""

from itertools import product

import numpy as np
import pytest

from ensue.errors import SettingError
from ensue.paraphrase.lists import NOT_JUDGED
from ensue.paraphrase.scores import (
    PatternMeasure,
    ScoreSettings,
    Short,
    curves_over_k,
    explained_list,
    score,
    score_intervals,
)
from ensue.statistics.resampling import Resampling

EP, EPR, DIMPLE = PatternMeasure
YES, NO = (1, 1), (0, 0)


@pytest.fixture
def lists(judged):
    return judged(
        {
            ("killed", "a"): [("shot", YES), ("killing", NO), ("slain", YES)],
            ("told", "a"): [("said", NO)],
            ("told", "b"): [("informed", YES), ("notified", YES)],
        }
    )


def with_intervals(lists, **settings):
    return {
        "strict": score_intervals(
            score(lists, ScoreSettings(**settings)), resampling=Resampling(draws=20)
        )
    }


def means_of(curves, method, measure):
    found = curves["strict"]
    return [found.of_method(method, measure, k).value for k in found.scored.settings.ks]


def test_curve_has_every_rank_to_the_largest(lists):
    curves = curves_over_k(with_intervals(lists, ks=(1, 3)))
    assert curves["strict"].scored.settings.ks == (1, 2, 3)
    assert means_of(curves, "b", EP) == [1, 1, 2 / 3]


def test_curve_of_a_method_is_the_mean_of_its_lists(lists):
    curves = curves_over_k(with_intervals(lists, ks=(3,)))
    expected = [(1 + 0) / 2, (1 / 2 + 0) / 2, (2 / 3 + 0) / 2]
    assert means_of(curves, "a", EP) == pytest.approx(expected)
    expected = [2 / 3, (1 / 2 + 0 + 1) / 3, (2 / 3 + 0 + 2 / 3) / 3]
    assert means_of(curves, None, EP) == pytest.approx(expected)


def test_curve_goes_through_the_scores_with_the_same_draws(judged):
    lists = judged(
        {
            (term, method): [("shot", (1, 0)), ("slain", (i % 2, 1)), ("hit", (1, 1))]
            for i, term in enumerate(("killed", "told", "took"))
            for method in "ab"
        }
    )
    scores = with_intervals(lists, ks=(1, 3))
    curve = curves_over_k(scores)["strict"]
    for method, measure, k in product(("a", "b", None), PatternMeasure, (1, 3)):
        found = scores["strict"].of_method(method, measure, k)
        assert curve.of_method(method, measure, k) == found
    assert curve.of_list(0, DIMPLE, 3) == scores["strict"].of_list(0, DIMPLE, 3)


def test_curve_may_be_cut_or_drawn_out(lists):
    scores = with_intervals(lists, ks=(3,))
    assert curves_over_k(scores, 2)["strict"].scored.settings.ks == (1, 2)
    assert curves_over_k(scores, 6)["strict"].of_list(0, EP, 6).value == 2 / 6


def test_curve_to_no_rank_is_an_error(lists):
    with pytest.raises(SettingError, match="k is 0"):
        curves_over_k(with_intervals(lists), 0)


def test_curve_ends_in_reasons_where_nobody_judged(judged):
    lists = judged({("killed", "a"): [("shot", YES), ("hit", (NOT_JUDGED, NOT_JUDGED))]})
    curve = curves_over_k(with_intervals(lists, ks=(1,)), 2)["strict"]
    assert curve.of_list(0, DIMPLE, 1).value == 1
    second = curve.of_list(0, DIMPLE, 2)
    assert (second.value, second.reason) == (None, "a pattern among the first k has no Q or no D")


def test_curve_of_an_empty_list_says_so(judged):
    lists = judged({("killed", "a"): [], ("told", "b"): [("said", YES)]})
    curve = curves_over_k(with_intervals(lists, ks=(1,), short=Short.AVAILABLE))["strict"]
    assert curve.of_list(0, EP, 1).reason == "the list has no pattern"
    mean = curve.of_method("a", EP, 1)
    assert (mean.value, mean.reason) == (None, "no list defines it")


def test_explanation_tells_each_pattern(lists):
    shot, killing, slain = explained_list(score(lists), 0)
    assert (shot.rank, shot.quality, shot.diversity, shot.credited) == (1, 1, 3, True)
    assert (shot.gain, shot.share) == (2**3 - 1, 1)
    assert (killing.diversity, killing.credited, killing.gain) == (2, False, 0)
    assert killing.content_words == ("killing",)
    assert (killing.seen_words, killing.seen_stems) == ((), ("kill",))
    assert (slain.rank, slain.paraphrase) == (3, "slain")


def test_shares_of_an_explanation_sum_to_dimple(lists):
    scored = score(lists, ScoreSettings(ks=(3,)))
    shares = [pattern.share for pattern in explained_list(scored, 0)]
    assert sum(shares) / 3 == pytest.approx(scored.value(0, DIMPLE, 3))


def test_explanation_has_no_number_where_there_is_none(judged):
    lists = judged({("killed", "a"): [("shot", YES), ("hit", (NOT_JUDGED, NOT_JUDGED))]})
    _, hit = explained_list(score(lists, ScoreSettings(ks=(1,))), 0)
    assert (hit.quality, hit.gain, hit.share) == (None, None, None)
    assert hit.diversity == 3


def test_explanation_heeds_own_words_without_content(judged):
    lists = judged({("killed", "a"): [("the end", YES)]})
    scored = score(lists, ScoreSettings(ks=(1,), no_content=frozenset({"END"})))
    assert explained_list(scored, 0)[0].content_words == ("the",)
    assert np.isclose(scored.diversity[0], 3)
