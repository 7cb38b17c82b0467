"""Lists that were just made, put together."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.paraphrase.lists import YES, ListKey, PatternJudgments, RankedLists, Strictness, joined

PARTS = st.lists(st.lists(st.sampled_from(["shot", "slain", "hit"]), max_size=4), max_size=5)


def part(method, paraphrases, name="", **columns):
    """The list of one method for `killed`."""
    numbers = {key: np.array(each, float) for key, each in columns.items()}
    return RankedLists.of({ListKey("killed", method): paraphrases}, name=name, columns=numbers)


def test_joined_parts_keep_their_order():
    found = joined([part("b", ["slain", "hit"]), part("a", ["shot"])])
    assert found.keys == (ListKey("killed", "b"), ListKey("killed", "a"))
    assert found.offsets.tolist() == [0, 2, 2 + 1]
    assert list(found.paraphrases) == ["slain", "hit", "shot"]
    assert found.ranks.tolist() == [1, 2, 1]


def test_joined_columns_are_all_there_in_the_order_they_come():
    first = part("a", ["shot"], count=[3], share=[0.5])
    second = part("b", ["slain", "hit"], score=[7, 8], count=[1, 2])
    found = joined([first, second])
    assert list(found.columns) == ["count", "share", "score"]
    np.testing.assert_array_equal(found.columns["count"], [3, 1, 2])


def test_joined_column_that_a_part_lacks_is_not_a_number_there():
    found = joined([part("a", ["shot"], share=[0.5]), part("b", ["slain", "hit"], count=[1, 2])])
    np.testing.assert_array_equal(found.columns["share"], [0.5, np.nan, np.nan])
    np.testing.assert_array_equal(found.columns["count"], [np.nan, 1, 2])


def test_joined_keeps_a_list_without_patterns():
    found = joined([part("a", []), part("b", ["slain"]), part("c", [])])
    assert found.offsets.tolist() == [0, 0, 1, 1]
    assert len(found) == 3
    assert found.list_of.tolist() == [1]


def test_joined_nothing_is_no_list():
    found = joined([])
    assert (len(found), found.n_patterns, found.name) == (0, 0, "")
    assert found.offsets.tolist() == [0]
    assert found.offsets.dtype == np.int64
    assert found.columns == {}


@pytest.mark.parametrize(
    ("names", "together"),
    [
        (("one", "two"), "one, two"),
        (("one", "one"), "one"),
        (("", "two"), "two"),
        (("", ""), ""),
    ],
)
def test_joined_name_has_each_name_once(names, together):
    parts = [part(str(i), ["shot"], name) for i, name in enumerate(names)]
    assert joined(parts).name == together


def test_joined_leaves_out_what_belongs_to_files():
    labels = {Strictness.STRICT: np.array([[YES]], np.int8)}
    first = RankedLists(
        "few.tsv",
        (ListKey("killed", "a"),),
        np.array([0, 1]),
        ["shot"],
        PatternJudgments(("ann",), labels),
        sentences=["A guard was killed."],
        places=["few.tsv:2"],
    )
    found = joined([first, part("b", ["slain"])])
    assert (found.judgments, found.sentences, found.places) == (None, None, None)


def test_joined_leaves_its_parts_as_they_are():
    first = part("a", ["shot"], count=[3])
    found = joined([first])
    found.columns["count"][0] = 9
    assert first.columns["count"].tolist() == [3]
    assert list(first.paraphrases) == ["shot"]


@given(PARTS)
def test_joined_parts_come_apart_again(paraphrases):
    parts = [part(str(i), each, count=range(len(each))) for i, each in enumerate(paraphrases)]
    found = joined(parts)
    assert found.n_patterns == sum(each.n_patterns for each in parts)
    for i, each in enumerate(parts):
        alone = found.chosen_lists([i])
        assert alone.keys == each.keys
        assert list(alone.paraphrases) == list(each.paraphrases)
        assert alone.columns["count"].tolist() == each.columns["count"].tolist()


@given(PARTS)
def test_joined_lists_may_be_joined_in_any_groups(paraphrases):
    parts = [part(str(i), each, count=range(len(each))) for i, each in enumerate(paraphrases)]
    at_once = joined(parts)
    in_two = joined([joined(parts[:2]), joined(parts[2:])])
    assert in_two.keys == at_once.keys
    assert in_two.offsets.tolist() == at_once.offsets.tolist()
    assert list(in_two.paraphrases) == list(at_once.paraphrases)
    assert {name: each.tolist() for name, each in in_two.columns.items()} == {
        name: each.tolist() for name, each in at_once.columns.items()
    }
