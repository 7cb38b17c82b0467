import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.translation.metrics.linear_models import MetricModel, ModelKind

FINITE = st.floats(-50, 50)


def weighing(kind=ModelKind.ABS, weights=(2.0, -1.0), **others):
    known = {
        "means": np.array([0.5, 1.0]),
        "deviations": np.array([0.25, 2.0]),
        "bias": 3.0,
        "spread": 0.5,
        "floor": -1.0,
        "strength": 0.1,
    }
    return MetricModel(("a", "b"), np.array(weights), kind=kind, **{**known, **others})


def test_score_is_bias_plus_weights_times_distances_from_the_average():
    # 3 + 2 · (1 - 0.5) - 1 · (4 - 1)
    assert weighing().scores(np.array([[1.0, 4.0]])).tolist() == [3 + 2 * 0.5 - 3]


def test_average_output_scores_the_bias():
    assert weighing().scores(np.array([[0.5, 1.0]])).tolist() == [3.0]


def test_standardized_weight_is_what_a_standard_deviation_adds():
    assert weighing().standardized.tolist() == [2 * 0.25, -1 * 2.0]


def test_output_without_words_scores_below_everything():
    values = np.array([[np.nan, np.nan], [-1e6, 1e6]])
    assert weighing().scores(values).tolist() == [-2.0, -1.5]


def test_scores_below_the_floor_keep_their_order():
    # 3 - (b - 1) is below the floor of -1 from b = 5 on, and ends at -1 - 0.5
    found = weighing(weights=(0.0, -1.0)).scores(np.array([[0.5, b] for b in (4, 5, 5.5, 6, 7)]))
    assert found[:2].tolist() == [0.0, -1.0]
    assert found[2] == pytest.approx(-1 - 0.5 * (1 - math.exp(-0.5 / 0.5)))
    assert (np.diff(found) < 0).all()
    assert (found > -1.5).all()


def test_pair_probability_is_logistic():
    said = weighing(ModelKind.PAIR).probability(np.array([1.0]), np.array([0.0]))
    assert said[0] == pytest.approx(1 / (1 + math.exp(-1)))


def test_abs_probability_is_normal_with_the_spread_of_a_difference():
    # a difference of one √2 · spread is one standard deviation
    said = weighing().probability(np.array([0.5 * math.sqrt(2)]), np.array([0.0]))
    assert said[0] == pytest.approx(0.8413447460685429)


@pytest.mark.parametrize("kind", ModelKind)
@given(first=FINITE, second=FINITE)
def test_probabilities_of_both_ways_sum_to_one(kind, first, second):
    model = weighing(kind)
    a, b = np.array([first]), np.array([second])
    assert model.probability(a, b)[0] + model.probability(b, a)[0] == pytest.approx(1)


@pytest.mark.parametrize("kind", ModelKind)
@given(first=FINITE, second=FINITE)
def test_higher_score_is_never_less_likely_better(kind, first, second):
    said = weighing(kind).probability(np.array([first]), np.array([second]))[0]
    assert (said >= 0.5) if first >= second else (said <= 0.5)


@given(st.lists(st.tuples(FINITE, FINITE), min_size=1, max_size=8))
def test_score_is_the_same_alone_as_among_others(rows):
    values = np.array(rows)
    together = weighing().scores(values)
    assert together.tolist() == [weighing().scores(values[[i]])[0] for i in range(len(rows))]
