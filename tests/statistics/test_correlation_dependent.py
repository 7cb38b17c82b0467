from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from ensue.errors import SettingError, UndefinedError
from ensue.statistics.significance import (
    fisher_interval,
    meng,
    steiger,
    williams,
    zou_interval,
)

TESTS = [steiger, meng, zou_interval]


def correlations(seed, n):
    """Of two variables with a third, and with each other."""
    rng = np.random.default_rng(seed)
    third = rng.normal(size=n)
    table = np.corrcoef([third + rng.normal(size=n), third + rng.normal(size=n), third])
    return table[0, 2], table[1, 2], table[0, 1], n


def test_steiger_is_worked_out():
    # r̄² = 0.45² = 0.2025; ψ = 0.1·(1 − 0.405) − 0.10125·(1 − 0.405 − 0.01) = 0.00026875
    s = (0.1 * 0.595 - 0.10125 * 0.585) / (1 - 0.2025) ** 2
    wanted = (np.arctanh(0.4) - np.arctanh(0.5)) * np.sqrt(100) / np.sqrt(2 - 2 * s)
    assert steiger(0.4, 0.5, 0.1, 103).z == pytest.approx(wanted)


def test_steiger_agrees_with_cocor_and_depcor():
    # cocor (Diedenhofen & Musch 2015) on the example of Steiger (1980, p. 249), whose −.8913
    # comes of rounding on the way; DEPCOR (Silver, Hittner & May 2006)
    assert steiger(0.4, 0.5, 0.1, 103).z == pytest.approx(-0.8887185, abs=5e-8)
    found = steiger(0.3, 0.4, 0.5, 100)
    assert (found.z, found.p) == pytest.approx((-1.0718, 0.2838), abs=5e-5)


def test_meng_gives_what_its_authors_print():
    # Meng, Rosenthal & Rubin (1992): Z = 1.68, one-sided p = .047
    found = meng(0.63, -0.03, -0.19, 15)
    assert found.z == pytest.approx(1.68, abs=0.005)
    assert found.p / 2 == pytest.approx(0.047, abs=0.0005)


def test_meng_is_worked_out():
    # m = (0.36 + 0.16)/2 = 0.26, f = 0.5/1.48, h = (1 − 0.26·f)/0.74
    h = (1 - 0.26 * 0.5 / 1.48) / 0.74
    wanted = (np.arctanh(0.6) - np.arctanh(0.4)) * np.sqrt(50 / (2 * 0.5 * h))
    assert meng(0.6, 0.4, 0.5, 53).z == pytest.approx(wanted)


def test_meng_keeps_f_at_one():
    # m = 0.5, f = 1.2/1 would be more than 1, so that h = 1
    r = np.sqrt(0.5)
    wanted = 2 * np.arctanh(r) * np.sqrt(30 / (2 * 1.2))
    assert meng(r, -r, -0.2, 33).z == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("between", "z"),
    [(0.0, 1.62), (0.1, 1.70), (0.2, 1.80), (0.3, 1.91), (0.4, 2.06), (0.6, 2.50), (0.8, 3.50)],
)
def test_meng_gives_the_published_column(between, z):
    # May & Hittner (1997), r = .5 and .2, n = 50, as the tests of cocor cite them
    assert meng(0.5, 0.2, between, 50).z == pytest.approx(z, abs=0.0051)


def test_meng_and_williams_agree_with_depcor():
    # DEPCOR (Silver, Hittner & May 2006)
    found, other = meng(0.3, 0.4, 0.5, 100), williams(0.3, 0.4, 0.5, 100)
    assert (found.z, found.p) == pytest.approx((-1.0707, 0.2843), abs=5e-5)
    assert (other.t, other.p) == pytest.approx((-1.0767, 0.2843), abs=5e-5)


def test_zou_interval_is_the_published_one():
    # Zou (2007): r = .396, .179 and .088, n = 66: −.093 to .517
    assert zou_interval(0.396, 0.179, 0.088, 66) == pytest.approx((-0.093, 0.517), abs=5e-4)


def test_zou_interval_of_uncorrelated_correlations_is_worked_out():
    # r₁₂ = r₁ = r₂ = 0: c = 0, both intervals are ± tanh(z/√(n−3)), so that sides are √2 of it
    side = np.sqrt(2) * np.tanh(stats.norm.ppf(0.975) / np.sqrt(25))
    assert zou_interval(0.0, 0.0, 0.0, 28) == pytest.approx((-side, side))


def test_fisher_interval_agrees_with_scipys():
    x, y = np.random.default_rng(2).normal(size=(2, 30))
    found = stats.pearsonr(x, y)
    wanted = found.confidence_interval(0.9)
    assert fisher_interval(found.statistic, 30, level=0.9) == pytest.approx(tuple(wanted))


@pytest.mark.parametrize("test", [steiger, meng])
def test_dependent_tests_of_equal_variables_give_any_p_alike(test):
    p_values = [test(*correlations(seed, 40)).p for seed in range(1000)]
    counts, _ = np.histogram(p_values, bins=[0, 0.25, 0.5, 0.75, 1.0])
    # quarters of 1000 are 250 ± 4 standard deviations
    assert (np.abs(counts - 250) < 4 * np.sqrt(1000 * 3 / 16)).all()


def test_zou_interval_covers_no_difference_as_often_as_it_says():
    covered = [
        low <= 0 <= high
        for low, high in (zou_interval(*correlations(seed, 40), level=0.9) for seed in range(1000))
    ]
    assert np.mean(covered) == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / 1000))


@given(st.integers(0, 10_000), st.integers(5, 40))
def test_dependent_tests_are_antisymmetric(seed, n):
    first, second, between, n = correlations(seed, n)
    for test in (steiger, meng):
        one, other = test(first, second, between, n), test(second, first, between, n)
        assert one.z == pytest.approx(-other.z)
        assert one.p == pytest.approx(other.p)
    low, high = zou_interval(first, second, between, n)
    assert zou_interval(second, first, between, n) == pytest.approx((-high, -low))


@given(st.integers(0, 10_000), st.integers(5, 40))
def test_dependent_tests_turn_with_the_shared_variable(seed, n):
    first, second, between, n = correlations(seed, n)
    for test in (steiger, meng):
        turned = test(-first, -second, between, n)
        assert turned.z == pytest.approx(-test(first, second, between, n).z)


@given(st.integers(0, 10_000), st.integers(5, 40))
def test_zou_interval_holds_the_difference(seed, n):
    first, second, between, n = correlations(seed, n)
    low, high = zou_interval(first, second, between, n)
    assert low <= first - second <= high


def test_variables_on_one_line_cannot_differ():
    assert (steiger(0.5, 0.5, 1.0, 20).z, steiger(0.5, 0.5, 1.0, 20).p) == (0, 1)
    assert meng(0.5, 0.5, 1.0, 20).p == 1
    assert zou_interval(0.5, 0.5, 1.0, 20) == (0, 0)


@pytest.mark.parametrize("test", TESTS)
def test_dependent_test_needs_four_observations(test):
    with pytest.raises(UndefinedError, match="needs more than 3 observations, not 3"):
        test(0.5, 0.4, 0.3, 3)


@pytest.mark.parametrize("test", TESTS)
def test_dependent_test_of_a_perfect_correlation_is_undefined(test):
    with pytest.raises(UndefinedError, match="a correlation of 1 has no finite z"):
        test(1.0, 0.4, 0.4, 20)


@pytest.mark.parametrize("test", TESTS)
def test_dependent_test_refuses_correlations_that_cannot_be(test):
    with pytest.raises(UndefinedError, match=r"no three variables correlate by 0\.9, -0\.9"):
        test(0.9, -0.9, 0.9, 50)


def test_fisher_interval_refuses_levels_that_are_none():
    with pytest.raises(SettingError, match=r"level 1\.5 is not between 0 and 1"):
        fisher_interval(0.5, 20, level=1.5)
