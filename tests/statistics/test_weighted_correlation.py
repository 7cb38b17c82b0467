from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from ensue.statistics.correlation import TwoVariables, kendall, pearson, spearman, standardized

ORACLES = [
    (pearson, stats.pearsonr),
    (spearman, stats.spearmanr),
    (kendall, stats.kendalltau),
]


@st.composite
def drawn(draw):
    """Two variables with ties, and how often each observation is drawn."""
    n = draw(st.integers(3, 12))
    values = st.lists(st.integers(-4, 4), min_size=n, max_size=n)
    x, y = (np.array(draw(values), float) / 3 for _ in range(2))
    counts = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), np.int64)
    return x, y, counts


@pytest.mark.parametrize(("ours", "scipys"), ORACLES)
@given(case=drawn())
def test_weighted_correlation_agrees_with_scipys_on_repeated_observations(ours, scipys, case):
    x, y, counts = case
    repeated = np.repeat(x, counts), np.repeat(y, counts)
    (found,) = ours(TwoVariables.of(x, y), counts[None, :])
    if counts.sum() < 2 or any(np.ptp(each) == 0 for each in repeated):
        assert np.isnan(found)
    else:
        assert found == pytest.approx(scipys(*repeated).statistic, abs=1e-9)


@pytest.mark.parametrize(("ours", "scipys"), ORACLES)
def test_weighted_correlation_of_many_draws_is_row_by_row(ours, scipys):
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 50)).round(1)
    counts = rng.multinomial(50, np.full(50, 1 / 50), size=20)
    found = ours(TwoVariables.of(x, y), counts)
    wanted = [scipys(np.repeat(x, c), np.repeat(y, c)).statistic for c in counts]
    assert found == pytest.approx(wanted)


@given(drawn())
def test_spearman_and_kendall_do_not_change_with_the_scale(case):
    x, y, counts = case
    for ours in (spearman, kendall):
        plain, bent = (ours(TwoVariables.of(each, y), counts[None, :]) for each in (x, np.exp(x)))
        assert plain == pytest.approx(bent, nan_ok=True)


def test_kendall_is_worked_out():
    # pairs: (1,2) up, (1,3) up, (2,3) down: (2 − 1) / 3
    data = TwoVariables.of(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    assert kendall(data, np.ones((1, 3), np.int64))[0] == pytest.approx((2 - 1) / 3)


def test_spearman_shares_ranks_between_ties():
    # ranks 1, 2.5, 2.5 and 1, 2, 3, centered −1, ½, ½ and −1, 0, 1: 1.5 / √(1.5 · 2)
    data = TwoVariables.of(np.array([1.0, 5.0, 5.0]), np.array([1.0, 2.0, 3.0]))
    wanted = 1.5 / np.sqrt(1.5 * 2)
    assert spearman(data, np.ones((1, 3), np.int64))[0] == pytest.approx(wanted)


def test_standardized_leaves_a_constant_at_zero():
    # the mean of three 0.1 is not 0.1
    assert standardized(np.full(3, 0.1)).tolist() == [0, 0, 0]


def test_pearson_of_large_numbers_keeps_its_digits():
    x = 1e9 + np.array([1.0, 2.0, 3.0, 5.0])
    y = np.array([1.0, 2.0, 2.0, 4.0])
    wanted = stats.pearsonr(x - 1e9, y).statistic
    assert pearson(TwoVariables.of(x, y), np.ones((1, 4), np.int64))[0] == pytest.approx(wanted)
