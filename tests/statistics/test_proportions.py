"""Shares with Wilson's interval."""

import pytest
from hypothesis import given, strategies as st
from scipy.stats import binomtest
from tests.errors import coded

from ensue.errors import UndefinedError
from ensue.statistics.resampling import share_estimate, wilson_interval

shares = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(shares, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_wilson_interval_equals_scipy(hits, level):
    expected = binomtest(*hits).proportion_ci(level, "wilson")
    found = wilson_interval(*hits, level)
    assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_interval_of_a_half_worked_by_hand():
    # z² = 3.841459, n = 4: middle = (1/2 + z²/8)/(1 + z²/4) = 1/2,
    # half = z·√(1/16 + z²/64)/(1 + z²/4) = 1.959964·√0.1225228/1.960365 = 0.349961
    assert wilson_interval(2, 4) == pytest.approx((0.150039, 0.849961), abs=1e-5)


def test_wilson_interval_of_nothing_is_undefined():
    with pytest.raises(UndefinedError, check=coded("share-nothing-no-interval")):
        wilson_interval(0, 0)


@given(shares)
def test_share_lies_in_its_interval(hits):
    found = share_estimate(*hits, 0.95, "none")
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_share_of_nothing_has_a_reason():
    found = share_estimate(0, 0, 0.95, "there is none")
    assert (found.value, found.reason) == (None, "there is none")


def test_share_without_a_level_has_no_interval():
    found = share_estimate(1, 4, None, "none")
    assert (found.value, found.low, found.high) == (0.25, None, None)
