"""Ranked lists in arrays, and judgments."""

import numpy as np
import pytest

from ensue.paraphrase.lists import (
    NO,
    NOT_JUDGED,
    YES,
    ListKey,
    PatternJudgments,
    RankedLists,
    Strictness,
    joined,
)

STRICT, LENIENT = Strictness.STRICT, Strictness.LENIENT


@pytest.fixture
def judgments():
    labels = [[YES, YES], [YES, NO], [NO, NOT_JUDGED], [NOT_JUDGED, NOT_JUDGED], [NO, NO]]
    return PatternJudgments(("ann", "bob"), {STRICT: np.array(labels, np.int8)})


@pytest.fixture
def lists(judgments):
    return RankedLists(
        "few.tsv",
        (ListKey("killed", "a"), ListKey("told", "a"), ListKey("killed", "b")),
        np.array([0, 2, 2, 5]),
        ["shot", "slain", "murdered", "shot", "hit"],
        judgments,
        {"confidence": np.array([0.9, 0.8, 0.7, np.nan, 0.1])},
        ["He was killed .", None, None, None, None],
        [f"few.tsv:{line}" for line in range(2, 7)],
    )


def test_shares_are_of_the_judges_who_judged(judgments):
    # 2 of 2, 1 of 2, 0 of the 1 who judged, nobody, 0 of 2
    np.testing.assert_array_equal(judgments.shares(STRICT), [2 / 2, 1 / 2, 0 / 1, np.nan, 0 / 2])


def test_shares_of_a_strictness_that_nobody_used_are_not_there(judgments):
    with pytest.raises(KeyError):
        judgments.shares(LENIENT)


def test_lists_know_their_patterns(lists):
    assert len(lists) == 3
    assert lists.n_patterns == 5
    assert lists.list_of.tolist() == [0, 0, 2, 2, 2]
    assert lists.ranks.tolist() == [1, 2, 1, 2, 3]


def test_lists_know_their_terms_and_methods(lists):
    assert lists.terms == ("killed", "told")
    assert lists.methods == ("a", "b")


def test_lists_know_where_a_pattern_stands(lists):
    assert lists.place(3) == "few.tsv:5"
    assert RankedLists.of({ListKey("killed", "a"): ["shot"]}).place(0) is None


def test_chosen_patterns_take_everything_along(lists):
    found = lists.chosen(np.array([1, 3]))
    assert found.keys == lists.keys
    assert found.offsets.tolist() == [0, 1, 1, 2]
    assert list(found.paraphrases) == ["slain", "shot"]
    assert found.judgments.labels[STRICT].tolist() == [[YES, NO], [NOT_JUDGED, NOT_JUDGED]]
    np.testing.assert_array_equal(found.columns["confidence"], [0.8, np.nan])
    assert list(found.sentences) == [None, None]
    assert list(found.places) == ["few.tsv:3", "few.tsv:5"]


def test_chosen_lists_come_in_the_order_asked_for(lists):
    found = lists.chosen_lists([2, 0])
    assert found.keys == (ListKey("killed", "b"), ListKey("killed", "a"))
    assert list(found.paraphrases) == ["murdered", "shot", "hit", "shot", "slain"]
    assert found.offsets.tolist() == [0, 3, 5]


def test_no_lists_have_no_patterns(lists):
    for none in (RankedLists.of({}), lists.chosen_lists([])):
        assert len(none) == 0
        assert none.n_patterns == 0
        assert none.ranks.tolist() == []


def test_lists_without_judgments_stay_so():
    found = RankedLists.of({ListKey("killed", "a"): ["shot", "hit"]}).chosen(np.array([1]))
    assert found.judgments is None
    assert found.sentences is None


def test_joined_lists_follow_each_other():
    first = RankedLists.of(
        {ListKey("killed", "a"): ["shot"]}, name="one", columns={"count": np.array([3.0])}
    )
    second = RankedLists.of({ListKey("killed", "b"): ["slain", "hit"]}, name="two")
    found = joined([first, second])
    assert found.name == "one, two"
    assert found.keys == (ListKey("killed", "a"), ListKey("killed", "b"))
    assert found.offsets.tolist() == [0, 1, 3]
    assert list(found.paraphrases) == ["shot", "slain", "hit"]
    np.testing.assert_array_equal(found.columns["count"], [3, np.nan, np.nan])
