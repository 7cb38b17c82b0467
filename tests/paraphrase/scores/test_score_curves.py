"""Measures over k, and why a list has its scores."""

import numpy as np
import pytest

from ensue.errors import SettingError
from ensue.paraphrase.model import NOT_JUDGED
from ensue.paraphrase.scores import (
    PatternMeasure,
    ScoreSettings,
    Short,
    explained_list,
    score,
    score_curves,
)

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


def test_curve_has_every_rank_of_the_longest_list(lists):
    curves = score_curves(score(lists))
    assert curves.ks.tolist() == [1, 2, 3]
    assert [each.value for each in curves.of_list(0, EP)] == [1, 1 / 2, 2 / 3]
    assert [each.value for each in curves.of_list(2, EP)] == [1, 1, 2 / 3]


def test_curve_of_a_method_is_the_mean_of_its_lists(lists):
    curves = score_curves(score(lists))
    assert curves.methods == ("a", "b")
    means = [each.value for each in curves.of_method("a", EP)]
    assert means == [(1 + 0) / 2, (1 / 2 + 0) / 2, (2 / 3 + 0) / 2]
    assert curves.overall[0] == pytest.approx([2 / 3, (1 / 2 + 0 + 1) / 3, (2 / 3 + 0 + 2 / 3) / 3])


def test_curve_may_be_cut_or_drawn_out(lists):
    assert score_curves(score(lists), 2).ks.tolist() == [1, 2]
    longer = score_curves(score(lists), 6)
    assert longer.of_list(0, EP)[5].value == 2 / 6


def test_curve_to_no_rank_is_an_error(lists):
    with pytest.raises(SettingError, match="k is 0"):
        score_curves(score(lists), 0)


def test_curve_ends_in_reasons_where_nobody_judged(judged):
    lists = judged({("killed", "a"): [("shot", YES), ("hit", (NOT_JUDGED, NOT_JUDGED))]})
    first, second = score_curves(score(lists, ScoreSettings(ks=(1,)))).of_list(0, DIMPLE)
    assert first.value == 1
    assert (second.value, second.reason) == (None, "a pattern among the first k has no Q or no D")


def test_curve_of_an_empty_list_says_so(judged):
    lists = judged({("killed", "a"): [], ("told", "b"): [("said", YES)]})
    curves = score_curves(score(lists, ScoreSettings(short=Short.AVAILABLE)))
    (only,) = curves.of_list(0, EP)
    assert (only.value, only.reason) == (None, "the list has no pattern")
    (mean,) = curves.of_method("a", EP)
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
