from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from scipy import stats
from tests.errors import coded

from ensue.errors import SettingError, UndefinedError
from ensue.statistics.correlation import Coefficient
from ensue.statistics.significance import (
    PMethod,
    correlation_p,
    critical_correlation,
    student_p,
)

ORACLES = {
    Coefficient.PEARSON: stats.pearsonr,
    Coefficient.SPEARMAN: stats.spearmanr,
    Coefficient.KENDALL: stats.kendalltau,
}


@pytest.mark.parametrize("coefficient", Coefficient)
@given(seed=st.integers(0, 10_000), n=st.integers(3, 50), ties=st.booleans())
def test_correlation_p_agrees_with_scipys(coefficient, seed, n, ties):
    x, y = np.random.default_rng(seed).normal(size=(2, n))
    if ties:
        x, y = x.round(), y.round()
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    wanted = ORACLES[coefficient](x, y)
    found = correlation_p(coefficient, wanted.statistic, x, y)
    assert found.p == pytest.approx(wanted.pvalue, rel=1e-6, abs=1e-12)


def test_kendall_p_says_how_it_was_computed():
    x = np.arange(40.0)
    y = np.random.default_rng(1).permutation(40).astype(float)
    few = correlation_p(Coefficient.KENDALL, stats.kendalltau(x[:9], y[:9])[0], x[:9], y[:9])
    many = correlation_p(Coefficient.KENDALL, stats.kendalltau(x, y)[0], x, y)
    tied = correlation_p(Coefficient.KENDALL, 0.5, np.array([1.0, 1, 2, 3]), np.arange(4.0))
    in_order = correlation_p(Coefficient.KENDALL, 1.0, x, x)
    methods = [each.method for each in (few, many, tied, in_order)]
    assert methods == [PMethod.EXACT, PMethod.NORMAL, PMethod.NORMAL, PMethod.EXACT]


def test_exact_kendall_p_is_worked_out():
    # of the 3! orders of three, one is in order and one in reverse: 2 / 6
    x = np.arange(3.0)
    assert correlation_p(Coefficient.KENDALL, 1.0, x, x).p == pytest.approx(2 / 6)


def test_student_p_with_one_degree_is_worked_out():
    # t = 0.5·√(1 / 0.75) = 1/√3; Student's t with one degree is Cauchy's: 1 − 2·atan(1/√3)/π = 2/3
    assert student_p(0.5, 1) == pytest.approx(2 / 3)


def test_student_p_of_a_perfect_correlation_is_zero():
    assert student_p(-1.0, 5) == 0


def test_student_p_needs_a_degree_of_freedom():
    with pytest.raises(UndefinedError, match="0 degrees of freedom leave nothing to test"):
        student_p(0.5, 0)


def test_correlation_p_needs_three_observations():
    with pytest.raises(UndefinedError, match="2 observations define no correlation"):
        correlation_p(Coefficient.PEARSON, 1.0, np.arange(2.0), np.arange(2.0))


@given(st.integers(3, 200), st.sampled_from([0.001, 0.01, 0.05, 0.5]))
def test_critical_correlation_has_that_p(n, alpha):
    assert student_p(critical_correlation(n, alpha), n - 2) == pytest.approx(alpha)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1])
def test_critical_correlation_refuses_levels_that_are_none(alpha):
    with pytest.raises(SettingError, check=coded("alpha-not-between")):
        critical_correlation(40, alpha)


def test_critical_correlation_needs_three_observations():
    with pytest.raises(UndefinedError, match="it takes 3"):
        critical_correlation(2, 0.01)
