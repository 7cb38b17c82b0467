import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from ensue.statistics.linear_models import (
    LinearModel,
    fit_logistic,
    fit_ridge,
    held_out_predictions,
    least_loss,
    random_folds,
    split_folds,
    standardization,
    with_ones,
)

RNG = np.random.default_rng(0)
Z = RNG.normal(size=(60, 3))
SCORES = Z @ [1.0, -2.0, 0.5] + 3 + RNG.normal(size=60)
WEIGHTS = RNG.integers(0, 4, 60).astype(float)
ANSWERS = SCORES > 3


def test_prediction_is_bias_plus_weights_times_distances_from_the_average():
    model = LinearModel(("a", "b"), np.array([2.0, -1.0]), np.array([0.5, 1.0]), 3.0, 0.1)
    # 3 + 2 · (1 - 0.5) - 1 · (4 - 1)
    assert model.predicted(np.array([[1.0, 4.0]])).tolist() == [3 + 2 * 0.5 - 3]


def test_standardization_leaves_a_constant_column_alone():
    means, deviations = standardization(np.array([[1.0, 5.0], [3.0, 5.0]]))
    assert (means.tolist(), deviations.tolist()) == ([2, 5], [1, 1])


def test_ridge_is_that_of_scikit_learn():
    expected = Ridge(alpha=1 / 0.2).fit(Z, SCORES, sample_weight=WEIGHTS)
    found = fit_ridge(Z, SCORES, 0.2, weights=WEIGHTS)
    assert found == pytest.approx([*expected.coef_, expected.intercept_])


def test_logistic_regression_is_that_of_scikit_learn():
    expected = LogisticRegression(C=0.2, tol=1e-10).fit(Z, ANSWERS, sample_weight=WEIGHTS)
    found = fit_logistic(Z, ANSWERS, 0.2, weights=WEIGHTS)
    assert found == pytest.approx([*expected.coef_[0], expected.intercept_[0]], abs=1e-5)


@pytest.mark.parametrize("has_bias", [True, False])
def test_logistic_regression_is_the_same_from_another_start(has_bias):
    from_nothing = fit_logistic(Z, ANSWERS, 0.2, has_bias=has_bias)
    start = fit_logistic(Z, ANSWERS, 10.0, has_bias=has_bias)
    again = fit_logistic(Z, ANSWERS, 0.2, has_bias=has_bias, start=start)
    assert len(from_nothing) == 3 + has_bias
    assert again == pytest.approx(from_nothing)


def test_row_is_predicted_by_what_other_folds_teach():
    folds = split_folds(random_folds(np.arange(60), 5, seed=0))
    ones = np.ones(60)

    def learn(rows, strength, _):
        return fit_ridge(Z[rows], SCORES[rows], strength, weights=ones[rows])

    found = held_out_predictions(learn, with_ones(Z), folds, [0.1, 1.0])
    train, held_out = folds[2]
    expected = Ridge(alpha=1).fit(Z[train], SCORES[train]).predict(Z[held_out])
    assert found[1.0][held_out] == pytest.approx(expected)


def test_least_loss_takes_the_smallest_of_equals():
    assert least_loss({1.0: 0.5, 0.1: 0.5, 10.0: 0.7}, 3.0) == 0.1
    assert least_loss({}, 3.0) == 3.0
