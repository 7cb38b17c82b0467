from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from tests.errors import coded

from ensue.errors import UndefinedError
from ensue.statistics import holm
from ensue.statistics.significance import williams
from ensue.translation.evaluation.significance import compare_by_williams
from ensue.translation.systems import MetricScores, OutputKey


def test_williams_is_worked_out():
    # K = 1 − 0.01 − 0.16 − 0.25 + 2·0.1·0.4·0.5 = 0.62
    test = williams(0.4, 0.5, 0.1, 103)
    below = np.sqrt(2 * 0.62 * 102 / 100 + 0.9**2 / 4 * 0.9**3)
    assert test.t == pytest.approx((0.4 - 0.5) * np.sqrt(102 * 1.1) / below)
    assert test.degrees == 100


def test_williams_test_of_equal_metrics_gives_any_p_alike():
    p_values = []
    for seed in range(400):
        rng = np.random.default_rng(seed)
        human = rng.normal(size=40)
        table = np.corrcoef([human + rng.normal(size=40), human + rng.normal(size=40), human])
        p_values.append(williams(table[0, 2], table[1, 2], table[0, 1], 40).p)
    counts, _ = np.histogram(p_values, bins=[0, 0.25, 0.5, 0.75, 1.0])
    # quarters of 400 are 100 ± 4 standard deviations
    assert (np.abs(counts - 100) < 4 * np.sqrt(400 * 3 / 16)).all()


def test_williams_takes_its_p_from_students_t():
    test = williams(0.6, 0.5, 0.7, 50)
    assert test.p == pytest.approx(2 * stats.t.sf(abs(test.t), 47))
    assert test.p_first == pytest.approx(stats.t.sf(test.t, 47))


def test_williams_of_metrics_on_one_line_sees_no_difference():
    test = williams(0.5, 0.5, 1.0, 50)
    assert (test.t, test.p, test.p_first) == (0, 1, 0.5)


@pytest.mark.parametrize("n", [0, 3])
def test_williams_needs_four_observations(n):
    with pytest.raises(UndefinedError, match="needs more than 3 observations"):
        williams(0.5, 0.4, 0.3, n)


def test_williams_refuses_correlations_that_cannot_be():
    with pytest.raises(UndefinedError, check=coded("no-three-variables-correlate")):
        williams(0.9, -0.9, 0.9, 50)


@given(st.integers(0, 10_000), st.integers(5, 40))
def test_williams_is_antisymmetric(seed, n):
    table = np.corrcoef(np.random.default_rng(seed).normal(size=(3, n)))
    one = williams(table[0, 2], table[1, 2], table[0, 1], n)
    other = williams(table[1, 2], table[0, 2], table[0, 1], n)
    assert one.t == pytest.approx(-other.t)
    assert one.p == pytest.approx(other.p)
    assert one.p_first == pytest.approx(1 - other.p_first)


def test_compare_by_williams_takes_each_language_pair_for_itself():
    rng = np.random.default_rng(0)
    keys = tuple(OutputKey(pair, str(i), "A") for pair in ("cs-en", "de-en") for i in range(25))
    human = rng.normal(size=50)
    metrics = [MetricScores(f"m{i}", keys, human + rng.normal(size=50)) for i in range(3)]
    found = compare_by_williams(dict(zip(keys, human.tolist(), strict=True)), metrics)
    assert [(each.language_pair, each.first, each.second) for each in found[3:]] == [
        ("de-en", "m0", "m1"),
        ("de-en", "m0", "m2"),
        ("de-en", "m1", "m2"),
    ]
    last = found[-1]
    table = np.corrcoef([metrics[1].values[25:], metrics[2].values[25:], human[25:]])
    assert last.test.t == pytest.approx(williams(table[0, 2], table[1, 2], table[0, 1], 25).t)
    assert [e.p_holm for e in found[3:]] == pytest.approx(holm([e.test.p for e in found[3:]]))


def test_compare_by_williams_names_what_is_undefined():
    keys = tuple(OutputKey("cs-en", str(i), "A") for i in range(5))
    human = {key: float(i) for i, key in enumerate(keys)}
    flat = MetricScores("flat", keys, np.zeros(5))
    with pytest.raises(UndefinedError, match="'flat' on 'cs-en': the metric gives all outputs"):
        compare_by_williams(human, [flat, flat])
