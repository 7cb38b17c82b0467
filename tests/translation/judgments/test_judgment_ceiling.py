"""What consistency can reach at most, as far as the judgments tell."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.statistics.resampling import Resampling
from ensue.translation.judgments import consistency_ceiling, preferences
from ensue.translation.systems import HumanRanking, TranslationJudgments


def bounded(judgments, draws=0, seed=0):
    return consistency_ceiling(preferences(judgments), resampling=Resampling(draws, seed=seed))


def voted(ranked, *signs):
    """One contest, in which the judges say > (1), = (0) or < (-1)."""
    ranks = {1: {"u": 1, "v": 2}, 0: {"u": 1, "v": 1}, -1: {"u": 2, "v": 1}}
    judges = ("ada", "ben", "cleo", "dora", "eve")
    return ranked(*(("1", judge, ranks[sign]) for judge, sign in zip(judges, signs, strict=False)))


def test_ceiling_of_three_judges_by_hand(ranked):
    # the others of each >: > and <, no majority; of the <: > and >, against
    found = bounded(voted(ranked, 1, 1, -1))
    assert found.n_preferences == 3
    assert (found.leave_one_out.value, found.n_leave_one_out) == (0, 1)
    assert found.oracle.value == 2 / 3
    assert found.oracle_repeated.value == 2 / 3
    assert (found.two_judges.value, found.n_couples) == (1 / 3, 3)
    assert found.independent_bound.value == 1 / 2


def test_ceiling_of_four_judges_by_hand(ranked):
    # of each > the others say > > <, of the < they say > > >; couples 3 of 6
    found = bounded(voted(ranked, 1, 1, 1, -1))
    assert (found.leave_one_out.value, found.n_leave_one_out) == (3 / 4, 4)
    assert found.oracle.value == 3 / 4
    assert found.two_judges.value == 3 / 6


def test_ceiling_leaves_ties_out(ranked):
    assert bounded(voted(ranked, 1, 0, 1, 0, 1)) == bounded(voted(ranked, 1, 1, 1))


def test_ceiling_bound_of_independent_judges_by_hand(ranked):
    # 5 contests, two judges each, agreeing in 4: a = 0.8
    agreeing = [(str(i), judge, {"u": 1, "v": 2}) for i in range(4) for judge in ("ada", "ben")]
    opposed = [("4", "ada", {"u": 1, "v": 2}), ("4", "ben", {"u": 2, "v": 1})]
    found = bounded(ranked(*agreeing, *opposed))
    assert found.two_judges.value == 4 / 5
    assert found.independent_bound.value == pytest.approx((1 + sqrt(2 * 0.8 - 1)) / 2)


def test_ceiling_does_not_take_a_judge_for_another(ranked):
    judgments = ranked(("1", "ada", {"u": 1, "v": 2}), ("1", "ada", {"u": 1, "v": 2}))
    found = bounded(judgments)
    assert found.leave_one_out.value is None
    assert "other judges" in found.leave_one_out.reason
    assert found.two_judges.value is None
    assert found.oracle.value == 1


def test_ceiling_of_single_votes_is_one_but_for_the_repeated(ranked):
    found = bounded(voted(ranked, 1))
    assert (found.oracle.value, found.oracle_repeated.value, found.n_repeated) == (1, None, 0)


def test_ceiling_of_ties_says_that_there_is_none(ranked):
    found = bounded(voted(ranked, 0, 0))
    assert found.oracle.value is None
    assert found.oracle.reason == "there are no preferences but ties"


def test_ceiling_has_intervals_around_it(ranked):
    agreeing = [(str(i), judge, {"u": 1, "v": 2}) for i in range(6) for judge in ("ada", "ben")]
    opposed = [("7", "ada", {"u": 1, "v": 2}), ("7", "ben", {"u": 2, "v": 1})]
    found = bounded(ranked(*agreeing, *opposed), draws=500, seed=3)
    for number in (found.leave_one_out, found.oracle, found.two_judges, found.independent_bound):
        assert number.low <= number.value <= number.high


@given(data=st.data())
def test_ceiling_of_the_oracle_is_above_the_others(any_rankings, data):
    found = bounded(data.draw(any_rankings))
    if found.oracle.value is not None:
        assert 1 / 2 <= found.oracle.value <= 1
    if found.oracle_repeated.value is not None:
        assert found.oracle_repeated.value <= found.oracle.value
    if found.two_judges.value is not None:
        assert found.independent_bound.value >= found.two_judges.value


@given(data=st.data())
def test_ceiling_does_not_depend_on_names(any_rankings, renamed, data):
    judgments = data.draw(any_rankings)
    assert bounded(renamed(judgments)) == bounded(judgments)


@given(data=st.data())
def test_ceiling_is_the_same_on_twice_the_segments(any_rankings, doubled, data):
    judgments = data.draw(any_rankings)
    once, twice = bounded(judgments), bounded(doubled(judgments))
    assert once.leave_one_out == twice.leave_one_out
    assert once.oracle == twice.oracle
    assert once.independent_bound == twice.independent_bound


def test_ceiling_bounds_hold_the_best_metric_of_simulated_people():
    # each contest has a share q of people for u; the best metric is right with max(q, 1 - q)
    rng = np.random.default_rng(5)
    q = rng.beta(2, 2, size=4_000)
    judgments = TranslationJudgments(
        tuple(
            HumanRanking("cs-en", str(i), judge, {"u": 1, "v": 2 if rng.random() < share else 0})
            for i, share in enumerate(q)
            for judge in ("ada", "ben")
        )
    )
    best = np.maximum(q, 1 - q).mean()
    found = bounded(judgments, draws=500)
    assert found.two_judges.high < best < found.independent_bound.low


@pytest.mark.data
def test_ceiling_of_wmt12_into_english(wmt12, into_english):
    found = bounded(into_english(wmt12))
    assert found.n_preferences == 44_345
    assert found.n_leave_one_out == 13_332
    assert found.leave_one_out.value == pytest.approx(0.7038, abs=5e-5)
    assert found.oracle.value == pytest.approx(0.9509, abs=5e-5)
    assert found.oracle_repeated.value == pytest.approx(0.8499, abs=5e-5)
    assert found.two_judges.value == pytest.approx(0.7025, abs=5e-5)
    assert found.independent_bound.value == pytest.approx(0.8182, abs=5e-5)
