from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.evaluation import line_up
from ensue.evaluation.gold import group_of
from ensue.evaluation.run_scores import group_scores
from ensue.pairs import Label, Pair
from ensue.statistics.correlation import expected_reciprocal_rank


def _grouped(letters, groups):
    labels = {"Y": Label.ENTAILMENT, "N": Label.NOT_ENTAILMENT}
    return [
        Pair(str(i), f"text {i}", f"hypothesis {i}", labels[letter], meta={"group": group})
        for i, (letter, group) in enumerate(zip(letters, groups, strict=True))
    ]


def _scores(letters, groups, run):
    return group_scores(line_up(_grouped(letters, groups), [run]).judged[0])


def test_group_of_a_pair_is_named_by_its_meta_or_its_hypothesis():
    assert group_of(Pair("1", "t", "h", meta={"group": 7})) == "7"
    assert group_of(Pair("1", "t", "h")) == "h"


def test_group_scores_are_worked_out(make_run):
    # a: N Y Y in this order; b: Y N
    scores = _scores("NYYYN", "aaabb", make_run("YYYYY", [0.9, 0.5, 0.1, 0.3, 0.2]))
    a, b = scores.groups
    assert (a.group, a.n, a.n_positive) == ("a", 3, 2)
    assert a.average_precision == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert a.reciprocal_rank == 1 / 2
    assert (b.average_precision, b.reciprocal_rank) == (1, 1)
    assert scores.mean_average_precision == pytest.approx((7 / 12 + 1) / 2)
    assert scores.mean_reciprocal_rank == pytest.approx((1 / 2 + 1) / 2)


def test_group_accuracy_is_the_share_of_groups_all_right(make_run):
    # a: both right; b: one wrong; c: one unanswered; d: alone, and so no group
    scores = _scores("YNYNYNY", "aabbccd", make_run("YNYYY-Y"))
    assert [group.n_right for group in scores.groups] == [2, 1, 1]
    assert [group.all_right for group in scores.groups] == [True, False, False]
    assert scores.accuracy == 1 / 3
    assert _scores("Y", "a", make_run("Y")).accuracy is None


def test_group_scores_leave_groups_without_an_entailment_out_of_the_means(make_run):
    scores = _scores("YNNN", "aabb", make_run("YYYY", [0.9, 0.8, 0.5, 0.1]))
    assert scores.groups[1].average_precision is None
    assert (scores.n_with_positive, scores.mean_average_precision) == (1, 1)


def test_group_scores_do_not_retrieve_what_is_unanswered(make_run):
    # one of two entailments is ranked, first; the other is never found
    scores = _scores("YYN", "aaa", make_run("Y-N", [0.9, None, 0.1]))
    assert scores.groups[0].average_precision == pytest.approx(1 / 2)
    nothing = _scores("YN", "aa", make_run("-N", [None, 0.1]))
    assert (nothing.groups[0].average_precision, nothing.groups[0].reciprocal_rank) == (0, 0)


def test_group_scores_say_why_they_are_undefined(make_run):
    assert _scores("YN", "aa", make_run("YN")).reason == "the run has no confidences"
    none = _scores("NN", "aa", make_run("YN", [0.5, 0.5]))
    assert none.mean_average_precision is None
    assert none.reason == "no group of two texts or more has an entailment"


def test_group_scores_leave_groups_of_one_text_out(make_run):
    # b has one text, and to rank it first is no merit; in a the entailment comes second
    scores = _scores("NYY", "aab", make_run("YYY", [0.9, 0.5, 0.3]))
    assert [group.group for group in scores.groups] == ["a"]
    assert (scores.n_with_positive, scores.mean_average_precision) == (1, 1 / 2)


def test_group_scores_are_undefined_where_every_group_is_one_text(make_run):
    alone = _scores("YN", "ab", make_run("YN", [0.5, 0.5]))
    assert (alone.groups, alone.mean_reciprocal_rank) == ((), None)
    assert alone.reason == "no group of two texts or more has an entailment"


def test_group_scores_group_equal_hypotheses(make_run):
    pairs = [Pair(str(i), f"text {i}", "same", Label.ENTAILMENT) for i in range(2)]
    scores = group_scores(line_up(pairs, [make_run("YY", [0.1, 0.2])]).judged[0])
    assert [group.n for group in scores.groups] == [2]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 2)), min_size=1, max_size=6))
def test_reciprocal_rank_equals_the_mean_over_all_orders_of_the_ties(rows):
    rows = sorted(rows, key=lambda row: -row[1])
    keys = sorted({key for _, key in rows}, reverse=True)
    sizes = np.array([sum(k == key for _, k in rows) for key in keys])
    hits = np.array([sum(yes for yes, k in rows if k == key) for key in keys])
    ranks = []
    for order in permutations(rows):
        if [key for _, key in order] == [key for _, key in rows]:
            places = [i + 1 for i, (yes, _) in enumerate(order) if yes]
            ranks.append(1 / places[0] if places else 0)
    assert expected_reciprocal_rank(sizes, hits) == pytest.approx(np.mean(ranks), abs=1e-12)
