"""The lists of a method together."""

import numpy as np
import pytest

from ensue.errors import SettingError
from ensue.paraphrase.recognition import method_performances, recognize
from ensue.statistics.resampling import Resampling


@pytest.fixture
def recognition(task_of, lists_of):
    task = task_of(
        ("he killed it", "it is dead", True),
        ("he killed it", "it is gone", True),
        ("he killed it", "he killed it", True),
        ("he told it", "he said it", True),
        ("he told it", "he said nothing", False),
    )
    lists = {
        ("killed", "good"): ["dead"],
        ("told", "good"): ["said"],
        ("yodeled", "good"): ["sang"],
        ("killed", "poor"): ["cat"],
        ("told", "poor"): ["dog"],
        ("yodeled", "poor"): ["cow"],
    }
    return recognize(lists_of(lists), [task])


def test_method_mean_is_over_lists_whose_term_is_used(recognition):
    good, poor = method_performances(recognition, resampling=Resampling(draws=0))
    assert (good.method, good.task, good.n_lists, good.n_undefined) == ("good", "task", 2, 1)
    # killed: 2 of 3, told: 1 of 1
    assert good.performance.value == pytest.approx((2 / 3 + 1) / 2)
    assert good.by_unigrams.value == pytest.approx((1 / 3 + 0) / 2)
    assert good.by_patterns.value == pytest.approx((1 / 3 + 1) / 2)
    assert poor.performance.value == pytest.approx((1 / 3 + 0) / 2)


def test_method_pools_pairs_for_recall_false_alarms_and_precision(recognition):
    good, poor = method_performances(recognition, resampling=Resampling(draws=0))
    assert good.pooled.value == pytest.approx((2 + 1) / (3 + 1))
    assert (good.false_alarms.value, poor.false_alarms.value) == (1 / 1, 0 / 1)
    assert good.precision.value == pytest.approx((2 + 1) / (2 + 1 + 1))
    assert poor.precision.value == pytest.approx(1 / 1)


def test_method_intervals_come_from_drawing_terms(recognition):
    good, _ = method_performances(recognition, resampling=Resampling(draws=400, seed=3))
    # a draw has killed, told or both among its terms, or neither: then there is no mean
    rng = np.random.default_rng(3)
    picks = rng.integers(0, 3, size=(400, 3))
    performance = np.array([2 / 3, 1, np.nan])[picks]
    defined = ~np.isnan(performance).all(axis=1)
    means = np.nanmean(performance[defined], axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    assert (good.performance.low, good.performance.high) == pytest.approx((low, high))
    assert good.performance.n_undefined == 400 - defined.sum() > 0


def test_method_intervals_are_the_same_for_the_same_seed(recognition):
    first, again = (
        method_performances(recognition, resampling=Resampling(draws=50, seed=1)) for _ in range(2)
    )
    assert first == again


def test_method_without_used_terms_has_reasons(task_of, lists_of):
    task = task_of(("a", "b", True))
    (row,) = method_performances(
        recognize(lists_of({"yodeled": ["sang"]}), [task]), resampling=Resampling(draws=10)
    )
    assert (row.n_lists, row.performance.value) == (0, None)
    assert row.performance.reason == (
        "no term of the lists is in a positive pair of the task 'task'"
    )
    assert row.false_alarms.reason
    assert row.precision.reason


def test_method_refuses_a_level_that_is_none(recognition):
    with pytest.raises(SettingError, match="level 2 is not between 0 and 1"):
        method_performances(recognition, resampling=Resampling(level=2))
