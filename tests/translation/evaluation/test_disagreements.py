from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ensue.errors import DataError, SettingError
from ensue.translation.evaluation.analyses import worst_disagreements


@pytest.fixture
def voted(make_preferences):
    """Of segment 1, three for A and one for B; of segment 2, one for A; of 3, one for each."""
    return make_preferences(
        "1:A > 1:B", "1:B > 1:A", "1:A > 1:B", "1:A > 1:B", "1:A = 1:B",
        "2:A > 2:B",
        "3:A > 3:B", "3:B > 3:A",
    )  # fmt: skip


@pytest.fixture
def metric(make_scores):
    return make_scores(_1_A=0, _1_B=2, _2_A=0, _2_B=3, _3_A=0, _3_B=9)


def test_worst_disagreements_are_worked_out(voted, metric):
    first, second = worst_disagreements(voted, metric)
    deviation = metric.values.std()
    assert (first.preferred.segment, first.margin) == ("2", 3)
    # one vote of one: 1 / (1 + 1); three against one with one tie: 2 / (5 + 1)
    assert first.severity == pytest.approx(1 / 2 * 3 / deviation)
    assert second.severity == pytest.approx(2 / 6 * 2 / deviation)
    assert (second.votes, second.votes_against, second.ties) == (3, 1, 1)
    assert (second.preferred.system, second.other.system) == ("A", "B")
    assert (second.preferred_score, second.other_score, second.margin) == (0, 2, 2)
    assert second.probability is None


def test_worst_disagreements_keep_only_the_worst(voted, metric):
    assert len(worst_disagreements(voted, metric, 1)) == 1


def test_worst_disagreements_leave_out_what_the_metric_has_right(voted, make_scores):
    right = make_scores(_1_A=2, _1_B=1, _2_A=2, _2_B=1, _3_A=2, _3_B=1)
    assert worst_disagreements(voted, right) == ()


def test_worst_disagreements_of_a_constant_metric_are_none(voted, make_scores):
    flat = make_scores(**{f"_{i}_{s}": 1 for i in (1, 2, 3) for s in "AB"})
    assert worst_disagreements(voted, flat) == ()


def test_worst_disagreements_go_by_probability_where_there_is_one(voted, metric):
    def probability(preferred, other):
        assert len(preferred) == len(other) == 3
        return np.array([0.1, 0.4, 0.5])

    first, second = worst_disagreements(voted, replace(metric, probability=probability))
    assert (first.preferred.segment, first.probability) == ("1", 0.1)
    assert first.severity == pytest.approx(2 / 6 * (1 - 2 * 0.1))
    assert second.severity == pytest.approx(1 / 2 * (1 - 2 * 0.4))


def test_worst_disagreements_refuse_what_is_no_probability(voted, metric):
    sure = replace(metric, probability=lambda one, other: np.full(len(one), 1.5))
    with pytest.raises(DataError, match=r"1\.5 is no probability"):
        worst_disagreements(voted, sure)


def test_worst_disagreements_may_be_none(voted, metric):
    assert worst_disagreements(voted, metric, 0) == ()
    with pytest.raises(SettingError, match="the worst -1 make no sense"):
        worst_disagreements(voted, metric, -1)


def test_worst_disagreements_do_not_depend_on_which_output_comes_first(make_preferences, metric):
    one = worst_disagreements(make_preferences("2:A > 2:B"), metric)
    other = worst_disagreements(make_preferences("2:B = 2:A", "2:A > 2:B"), metric)
    assert (one[0].preferred, one[0].other) == (other[0].preferred, other[0].other)
    assert (other[0].votes, other[0].ties) == (1, 1)
