from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import multinomial

from ensue.errors import SettingError, UndefinedError
from ensue.evaluation.comparison import disagreement, pairs_needed, power_at, smallest_difference
from ensue.statistics.significance import mcnemar


def _brute_power(n, d, psi, alpha):
    only_first, only_second = (psi + d) / 2, (psi - d) / 2
    total = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            if mcnemar(b, c) <= alpha:
                total += multinomial.pmf([b, c, n - b - c], n, [only_first, only_second, 1 - psi])
    return total


def test_disagreement_is_the_share_that_one_run_alone_gets_right(make_judged):
    first, second = make_judged("YYYN", "YYN-"), make_judged("YYYN", "Y-YN")
    assert disagreement(first, second) == 3 / 4


def test_pairs_needed_follows_connors_formula():
    # (1.959964·√0.2 + 0.841621·√(0.2 − 0.05²))² / 0.05²
    wanted = (1.959964 * 0.2**0.5 + 0.841621 * (0.2 - 0.05**2) ** 0.5) ** 2 / 0.05**2
    needed = pairs_needed(0.05, 0.2)
    assert needed.formula == int(np.ceil(wanted)) == 626
    assert needed.exact >= needed.formula


def test_pairs_needed_reach_the_power_exactly():
    needed = pairs_needed(0.05, 0.2)
    assert power_at(needed.exact, 0.05, 0.2).power >= 0.8
    assert power_at(needed.exact, 0.05, 0.2).power == pytest.approx(0.8, abs=0.01)


def test_pairs_needed_ignore_which_run_is_better():
    assert pairs_needed(-0.05, 0.2) == pairs_needed(0.05, 0.2)


def test_pairs_needed_refuse_a_difference_above_the_disagreement():
    with pytest.raises(SettingError) as error:
        pairs_needed(0.3, 0.2)
    assert error.value.message == (
        "a difference of 0.3 is impossible where the runs disagree on 0.2 of the pairs"
    )


def test_pairs_needed_forgive_a_rounding_error():
    # 0.1 + 0.2 is a little more than 0.3
    assert pairs_needed(0.1 + 0.2, 0.3).formula == pairs_needed(0.3, 0.3).formula


def test_pairs_needed_refuse_a_difference_that_takes_too_many():
    with pytest.raises(UndefinedError, match="takes more than 1,000,000,000 pairs"):
        pairs_needed(1e-6, 0.2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"difference": 0, "disagreement": 0.2}, r"difference 0 is not in \(0, 1\]"),
        ({"difference": 0.1, "disagreement": 0}, r"disagreement 0 is not in \(0, 1\]"),
        ({"difference": 0.1, "disagreement": 0.2, "alpha": 0}, "alpha 0 is not between 0 and 1"),
        ({"difference": 0.1, "disagreement": 0.2, "power": 1}, "power 1 is not between 0 and 1"),
    ],
)
def test_pairs_needed_refuse_numbers_out_of_range(arguments, message):
    with pytest.raises(SettingError, match=message):
        pairs_needed(**arguments)


@pytest.mark.parametrize(("n", "d", "psi"), [(12, 0.3, 0.5), (20, 0.2, 0.4), (15, 0.6, 0.6)])
def test_power_at_agrees_with_summing_over_all_outcomes(n, d, psi):
    assert power_at(n, d, psi).power == pytest.approx(_brute_power(n, d, psi, 0.05), abs=1e-9)


def test_power_at_agrees_with_simulated_runs():
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(400, [0.15, 0.07, 0.78], size=1500)
    seen = np.mean([mcnemar(b, c) <= 0.05 for b, c, _ in drawn.tolist()])
    assert power_at(400, 0.08, 0.22).power == pytest.approx(seen, abs=0.04)


def test_power_at_of_few_pairs_is_zero():
    # 5 discordant pairs cannot be significant at 0.05: 2/2^5 > 0.05
    assert power_at(5, 1.0, 1.0).power == 0


def test_power_at_of_certain_discordance_is_one():
    assert power_at(6, 1.0, 1.0).power == pytest.approx(1)


def test_power_at_refuses_no_pairs():
    with pytest.raises(SettingError, match="0 pairs show nothing"):
        power_at(0, 0.1, 0.2)


@settings(max_examples=40)
@given(st.integers(200, 20_000), st.floats(0.05, 0.9))
def test_smallest_difference_is_the_inverse_of_pairs_needed(n, psi):
    d = smallest_difference(n, psi)
    assert 0 < d <= psi
    assert abs(pairs_needed(d, psi).formula - n) <= 1


@settings(max_examples=40)
@given(st.floats(0.02, 0.2), st.floats(0.2, 0.9))
def test_power_grows_with_the_pairs(d, psi):
    powers = [power_at(n, d, psi).power for n in (100, 400, 1600)]
    assert powers[0] <= powers[1] + 1e-9
    assert powers[1] <= powers[2] + 1e-9


def test_smallest_difference_refuses_too_few_pairs():
    with pytest.raises(UndefinedError) as error:
        smallest_difference(10, 0.2)
    assert error.value.message == "10 pairs show no difference when 0.2 of them set the runs apart"
    needed = (1.959964 * 0.2**0.5 + 0.841621 * (0.2 - 0.2**2) ** 0.5) ** 2 / 0.2**2
    assert error.value.hint == f"it takes at least {int(np.ceil(needed))} pairs"
