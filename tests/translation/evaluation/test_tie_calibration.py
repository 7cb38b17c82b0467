from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import SettingError, UndefinedError
from ensue.translation.evaluation.pairwise_accuracy import (
    Averaging,
    accuracy_at,
    calibrated_accuracy,
    comparisons_of_scores,
)
from ensue.translation.systems import MetricScores, OutputKey


@pytest.fixture
def four(make_preferences):
    return make_preferences("1:A > 1:B", "1:B = 1:C", "2:A > 2:B", "2:B > 2:C")


@pytest.fixture
def metric(make_scores):
    """Differences of better and worse: 4, −1 (a tie of people), 2, −3."""
    return make_scores(_1_A=4, _1_B=0, _1_C=1, _2_A=2, _2_B=0, _2_C=3)


def test_calibrated_accuracy_is_worked_out(four, metric):
    # ε = 0: 4 and 2 are right; from 1 on the tie, too; from 2 on no longer 2; from 4 on no longer 4
    found = calibrated_accuracy(four, metric, averaging=Averaging.COMPARISONS)
    assert found.epsilons.tolist() == [0, 1, 2, 3, 4]
    assert found.accuracies.tolist() == pytest.approx([2 / 4, 3 / 4, 2 / 4, 2 / 4, 1 / 4])
    assert (found.accuracy, found.epsilon) == (3 / 4, 1)
    assert (found.n_comparisons, found.n_human_ties, found.n_metric_ties) == (4, 1, 1)


def test_calibrated_accuracy_takes_the_smallest_of_equal_tie_intervals(
    make_preferences, make_scores
):
    # 1 is lost as the tie is won
    given = make_preferences("1:A > 1:B", "2:A = 2:B")
    found = calibrated_accuracy(given, make_scores(_1_A=1, _1_B=0, _2_A=1, _2_B=0))
    assert found.accuracies.tolist() == [1 / 2, 1 / 2]
    assert found.epsilon == 0


def test_calibrated_accuracy_weighs_segments_alike(make_preferences, make_scores):
    # segment 1 has 2 of 3, segment 2 has 1 of 1
    given = make_preferences("1:A > 1:B", "1:A > 1:C", "1:C > 1:B", "2:A > 2:B")
    scores = make_scores(_1_A=3, _1_B=2, _1_C=1, _2_A=2, _2_B=1)
    assert calibrated_accuracy(given, scores).accuracy == pytest.approx((2 / 3 + 1) / 2)
    pooled = calibrated_accuracy(given, scores, averaging=Averaging.COMPARISONS)
    assert pooled.accuracy == pytest.approx(3 / 4)


def test_equal_scores_agree_with_ties_of_people(make_preferences, make_scores):
    given = make_preferences("1:A = 1:B")
    found = calibrated_accuracy(given, make_scores(_1_A=1, _1_B=1))
    assert (found.accuracy, found.epsilon) == (1, 0)


def test_accuracy_at_a_tie_interval_from_elsewhere(four, metric):
    found = [accuracy_at(four, metric, e, averaging=Averaging.COMPARISONS) for e in (0.5, 2.5)]
    assert found == [2 / 4, 2 / 4]


@pytest.mark.parametrize("epsilon", [-0.1, float("nan")])
def test_accuracy_refuses_a_tie_interval_below_zero(epsilon, four, metric):
    with pytest.raises(SettingError, match=f"tie interval {epsilon!r} is not at least 0"):
        accuracy_at(four, metric, epsilon)


def _human(**by_output):
    return {OutputKey("", *name.strip("_").split("_")): v for name, v in by_output.items()}


def test_comparisons_of_scores_are_within_segments():
    found = comparisons_of_scores(_human(_1_A=1, _1_B=3, _2_A=2, _2_B=2))
    said = [
        (found.outputs[i].system, found.outputs[j].system, found.outputs[i].segment)
        for i, j in zip(found.better, found.worse, strict=True)
    ]
    assert said == [("B", "A", "1"), ("A", "B", "2")]
    assert found.is_tie.tolist() == [False, True]


def test_comparisons_of_one_output_a_segment_are_undefined():
    with pytest.raises(UndefinedError, check=coded("no-segment-two-judged")):
        comparisons_of_scores(_human(_1_A=1, _2_A=3))


@st.composite
def cases(draw):
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4).filter(lambda n: max(n) > 1))
    keys = [OutputKey("", str(i), f"S{k}") for i, n in enumerate(sizes) for k in range(n)]
    values = st.lists(st.integers(0, 6), min_size=len(keys), max_size=len(keys))
    human = dict(zip(keys, draw(values), strict=True))
    metric = MetricScores("m", tuple(keys), np.array(draw(values)) / 4)
    return comparisons_of_scores(human), metric


@given(cases(), st.sampled_from(Averaging))
def test_calibrated_accuracy_is_that_of_a_search_over_all_tie_intervals(case, averaging):
    preferences, metric = case
    found = calibrated_accuracy(preferences, metric, averaging=averaging)
    tried = [
        (accuracy_at(preferences, metric, e, averaging=averaging), e) for e in np.arange(0, 2, 0.05)
    ]
    assert found.accuracy == pytest.approx(max(tried)[0])
    smallest = min(e for value, e in tried if value >= found.accuracy - 1e-9)
    assert found.epsilon == pytest.approx(smallest, abs=0.05)
    assert found.accuracies.max() == pytest.approx(found.accuracy)


@given(cases())
def test_accuracy_is_a_mean_over_segments_written_out(case):
    preferences, metric = case
    score = metric.by_output()
    by_segment = {}
    for i, j, tie in zip(preferences.better, preferences.worse, preferences.is_tie, strict=True):
        one, other = preferences.outputs[i], preferences.outputs[j]
        difference = score[one] - score[other]
        right = abs(difference) <= 0.5 if tie else difference > 0.5
        by_segment.setdefault(one.segment, []).append(right)
    wanted = np.mean([np.mean(each) for each in by_segment.values()])
    assert accuracy_at(preferences, metric, 0.5) == pytest.approx(wanted)


@given(cases())
def test_people_agree_with_themselves(case):
    preferences, _ = case
    rank = np.zeros(len(preferences.outputs))
    np.add.at(rank, preferences.better[~preferences.is_tie], 1.0)  # outputs that it beats
    same = MetricScores("people", preferences.outputs, rank)
    assert calibrated_accuracy(preferences, same).accuracy == pytest.approx(1)
