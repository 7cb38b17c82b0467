from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from tests.errors import coded

from ensue.errors import UndefinedError
from ensue.statistics.correlation import GroupedVariables, pearson_within, share_between


@st.composite
def grouped(draw):
    """Two variables of observations in groups, each group with one at least."""
    n_groups = draw(st.integers(1, 4))
    n = draw(st.integers(n_groups + 2, 14))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    group = rng.permutation(np.r_[np.arange(n_groups), rng.integers(0, n_groups, n - n_groups)])
    return *rng.normal(size=(2, n)), group.astype(np.int64)


def centered(values, group):
    return values - np.array([values[group == g].mean() for g in group])


def within(x, y, group, counts=None):
    counts = np.ones(len(x), np.int64) if counts is None else counts
    (found,) = pearson_within(GroupedVariables.of(x, y, group), counts[None, :])
    return found


@given(grouped())
def test_pearson_within_is_scipys_of_what_is_left(case):
    x, y, group = case
    wanted = stats.pearsonr(centered(x, group), centered(y, group)).statistic
    assert within(x, y, group) == pytest.approx(wanted)


@given(grouped(), st.integers(0, 1000))
def test_pearson_within_of_a_draw_is_that_of_repeated_observations(case, seed):
    x, y, group = case
    counts = np.random.default_rng(seed).integers(0, 4, len(x))
    repeated = [np.repeat(each, counts) for each in (x, y, group)]
    left = [centered(each, repeated[2]) for each in repeated[:2]]
    found = within(x, y, group, counts)
    if len(left[0]) == 0 or any(np.abs(each).max() < 1e-9 for each in left):
        assert np.isnan(found)
    else:
        assert found == pytest.approx(stats.pearsonr(*left).statistic, abs=1e-9)


@given(grouped(), st.integers(-50, 50))
def test_pearson_within_does_not_see_what_groups_have_in_common(case, shift):
    x, y, group = case
    assert within(x + shift * group, y, group) == pytest.approx(within(x, y, group), abs=1e-6)


def test_pearson_within_is_worked_out():
    # left of x: −1, 1, −1, 1; of y: −1, 1, 2, −2: (1 + 1 − 2 − 2) / √(4 · 10)
    x, y = np.array([0.0, 2.0, 10.0, 12.0]), np.array([4.0, 6.0, 9.0, 5.0])
    assert within(x, y, np.array([0, 0, 1, 1])) == pytest.approx(-2 / np.sqrt(40))


def test_pearson_within_of_groups_that_do_not_vary_is_nan():
    x = np.array([0.1, 0.1, 0.1, 0.7, 0.7])
    assert np.isnan(within(x, np.arange(5.0), np.array([0, 0, 0, 1, 1])))


def test_share_between_is_worked_out():
    # means 1 and 5 around 3: 4·4 of 4·4 + (1 + 1 + 1 + 1)
    assert share_between(np.array([0.0, 2, 4, 6]), np.array([0, 0, 1, 1])) == pytest.approx(16 / 20)


def test_share_between_of_a_constant_is_undefined():
    with pytest.raises(UndefinedError, check=coded("constant-no-variance-share")):
        share_between(np.full(4, 0.1), np.array([0, 0, 1, 1]))
