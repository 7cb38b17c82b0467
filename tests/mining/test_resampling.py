from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import false_discovery_control

from ensue.errors import SettingError
from ensue.mining import CaseForms, Stopping, forms_of, suspicion_rates
from ensue.mining.kernels import deal
from ensue.mining.suspicion import (
    Grouped,
    _one_by_one,
    _set_by_set,
    conspicuousness,
    grouped,
    permuted_rates,
    resampled_rates,
    significance,
)
from ensue.statistics.resampling import Resampling
from ensue.statistics.significance import benjamini_hochberg

CASES = st.lists(
    st.tuples(st.sets(st.sampled_from("abcde"), max_size=4), st.booleans()), min_size=1, max_size=30
)


def simulated(seed=0, n=60, n_forms=6, rate=0.3):
    rng = np.random.default_rng(seed)
    sets = [rng.choice(n_forms, size=rng.integers(1, 4), replace=False) for _ in range(n)]
    forms = forms_of([[f"f{j}" for j in each] for each in sets])
    return forms, rng.random(n) < rate


def of_cases(forms, errors):
    """Cases with the same forms counted together."""
    return grouped(CaseForms.of(forms), errors)


def test_correction_by_hand():
    # by rank: 3·0.01/1, 3·0.03/2 = 0.045 and 3·0.04/3 = 0.04, of which the least from there on
    assert benjamini_hochberg([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.04, 0.04])


@given(st.lists(st.floats(0.0001, 1), min_size=1, max_size=30))
def test_correction_agrees_with_scipy(p_values):
    assert benjamini_hochberg(p_values) == pytest.approx(false_discovery_control(p_values).tolist())


@given(CASES)
def test_grouped_cases_have_the_rates_of_the_cases(cases):
    sets, errors = zip(*cases, strict=True)
    forms, errors = forms_of(sorted(each) for each in sets), np.array(errors)
    together = of_cases(forms, errors)
    found = together.rates(together.n_errors[None], together.n_cases[None], Stopping())
    assert found[0] == pytest.approx(suspicion_rates(forms, errors).rates, abs=1e-12)
    assert len({frozenset(together.forms.of(i)) for i in range(together.forms.n_cases)}) == len(
        together.n_cases
    )


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.data())
def test_dealt_cases_are_as_many_as_asked_for_and_there_are(kinds, data):
    n = data.draw(st.integers(0, len(kinds)))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    dealt = deal(np.array(kinds), rng.random((20, n)), 4)
    assert (dealt.sum(axis=1) == n).all()
    assert (dealt <= np.bincount(kinds, minlength=4)).all()


def test_dealt_cases_are_hypergeometric():
    dealt = deal(np.repeat([0, 1], [3, 5]), np.random.default_rng(0).random((40_000, 4)), 2)
    shares = np.bincount(dealt[:, 0], minlength=4) / 40_000
    expected = [comb(3, k) * comb(5, 4 - k) / comb(8, 4) for k in range(4)]
    assert shares.tolist() == pytest.approx(expected, abs=0.01)


def counted(n_cases, n_errors):
    """A set of forms for each number of cases."""
    forms = forms_of([[f"f{i}"] for i in range(len(n_cases))])
    return Grouped(forms, np.array(n_cases), np.array(n_errors))


@pytest.mark.parametrize("way", [_one_by_one, _set_by_set])
def test_errors_are_dealt_hypergeometrically(way):
    cases = counted([3, 5], [4, 0])
    dealt = np.concatenate(list(way(cases, 40_000, np.random.default_rng(0))))
    shares = np.bincount(dealt[:, 0], minlength=4) / 40_000
    expected = [comb(3, k) * comb(5, 4 - k) / comb(8, 4) for k in range(4)]
    assert shares.tolist() == pytest.approx(expected, abs=0.01)
    assert (dealt.sum(axis=1) == 4).all()


def test_p_is_near_whichever_way_errors_are_dealt(monkeypatch):
    forms, errors = simulated()
    cases, rates = of_cases(forms, errors), suspicion_rates(forms, errors).rates
    one_by_one = significance(cases, rates, Stopping(), permutations=4000, seed=0)
    monkeypatch.setattr("ensue.mining.suspicion._DEALT", 0)
    monkeypatch.setattr("ensue.mining.suspicion._DEALT_A_SET", 0)
    set_by_set = significance(cases, rates, Stopping(), permutations=4000, seed=0)
    assert set_by_set.p.tolist() == pytest.approx(one_by_one.p.tolist(), abs=0.03)
    assert set_by_set.q.tolist() == pytest.approx(one_by_one.q.tolist(), abs=0.06)


@pytest.mark.parametrize(
    ("n_cases", "n_errors"), [([40_000, 30_000], 20_001), ([2_000_000, 1_500_000], 19_999)]
)
def test_many_errors_or_cases_are_dealt_set_by_set(monkeypatch, n_cases, n_errors):
    monkeypatch.setattr("ensue.mining.suspicion._one_by_one", None)
    (rates,) = permuted_rates(counted(n_cases, [n_errors, 0]), Stopping(), permutations=2, seed=0)
    # errors fall on both sets in proportion to their cases
    expected = n_errors / sum(n_cases)
    assert rates.ravel().tolist() == pytest.approx([expected] * 4, rel=0.05)


def test_more_cases_than_can_be_dealt_are_refused(monkeypatch):
    monkeypatch.setattr("ensue.mining.suspicion._MOST_CASES", 70_000)
    cases = counted([40_000, 30_000], [20_001, 0])
    with pytest.raises(SettingError, match="70,000 cases or more are too many for permutations"):
        list(permuted_rates(cases, Stopping(), permutations=2, seed=0))


@given(CASES, st.lists(st.booleans(), min_size=30, max_size=30))
def test_chosen_cases_are_grouped_as_if_there_were_no_others(cases, chosen):
    chosen = np.array(chosen[: len(cases)])
    sets, errors = zip(*cases, strict=True)
    forms, errors = forms_of(sorted(each) for each in sets), np.array(errors)
    found = grouped(CaseForms.of(forms), errors, chosen)
    expected = of_cases(forms.subset(chosen), errors[chosen])
    assert found.n_cases.tolist() == expected.n_cases.tolist()
    assert found.n_errors.tolist() == expected.n_errors.tolist()
    assert found.forms.offsets.tolist() == expected.forms.offsets.tolist()
    assert found.forms.ids.tolist() == expected.forms.ids.tolist()


def test_p_agrees_with_all_permutations():
    forms = forms_of([["a"], ["a"], ["a", "b"], ["b"], ["b", "c"], ["c"], ["c"], ["c"]])
    errors = np.array([True, True, True, False, False, False, False, False])
    observed = suspicion_rates(forms, errors).rates
    every = []
    for wrong in combinations(range(8), 3):
        every.append(suspicion_rates(forms, np.isin(np.arange(8), wrong)).rates)
    exact = (np.array(every) >= observed - 1e-12).mean(axis=0)
    found = significance(of_cases(forms, errors), observed, Stopping(), permutations=20_000, seed=0)
    assert found.p.tolist() == pytest.approx(exact.tolist(), abs=0.01)
    # all three errors have a: one choice of C(8, 3)
    assert exact[0] == pytest.approx(1 / comb(8, 3))


def test_q_agrees_with_a_plain_count():
    forms, errors = simulated()
    rates = suspicion_rates(forms, errors).rates
    cases = of_cases(forms, errors)
    found = significance(cases, rates, Stopping(), permutations=200, seed=3)
    drawn = np.concatenate(list(permuted_rates(cases, Stopping(), permutations=200, seed=3)))
    mean = np.vstack([drawn, rates]).mean(axis=0)
    ours, chance = (conspicuousness(each, mean, forms.counts()) for each in (rates, drawn))
    pooled = [(1 + (chance >= each).sum()) / (1 + chance.size) for each in ours]
    expected = np.maximum(found.p, false_discovery_control(pooled))
    assert found.q.tolist() == pytest.approx(expected.tolist())


def test_p_and_q_are_the_same_where_permutations_are_drawn_twice(monkeypatch):
    forms, errors = simulated()
    cases, rates = of_cases(forms, errors), suspicion_rates(forms, errors).rates
    kept = significance(cases, rates, Stopping(), permutations=300, seed=1)
    monkeypatch.setattr("ensue.mining.suspicion._KEPT", 0)
    monkeypatch.setattr("ensue.mining.suspicion._CELLS", 500)
    again = significance(cases, rates, Stopping(), permutations=300, seed=1)
    assert kept.p.tolist() == again.p.tolist()
    assert kept.q.tolist() == pytest.approx(again.q.tolist())


def test_conspicuousness_by_hand():
    found = conspicuousness(
        np.array([0.5, 0.1, 1.0]), np.array([0.25, 0.2, 0.5]), np.array([8] * 3)
    )
    # 8·(½·ln 2 + ½·ln(0.5/0.75)); below the mean 0; 8·ln 2
    assert found.tolist() == pytest.approx(
        [8 * (0.5 * np.log(2) + 0.5 * np.log(2 / 3)), 0, 8 * np.log(2)]
    )


def test_bootstrap_of_a_lone_form_is_binomial():
    forms = forms_of([["a"]] * 40)
    errors = np.arange(40) < 10
    drawn = resampled_rates(
        of_cases(forms, errors), Stopping(), resampling=Resampling(draws=4000), chosen=np.array([0])
    )
    assert drawn.mean() == pytest.approx(0.25, abs=0.01)
    assert drawn.std() == pytest.approx((0.25 * 0.75 / 40) ** 0.5, rel=0.05)


def test_bootstrap_without_the_form_is_undefined():
    forms = forms_of([["a"], ["b"], ["b"]])
    drawn = resampled_rates(
        of_cases(forms, np.array([True, True, False])),
        Stopping(),
        resampling=Resampling(draws=2000),
        chosen=np.array([0, 1]),
    )
    # a is missing from a sample with (2/3)³
    assert np.isnan(drawn[:, 0]).mean() == pytest.approx((2 / 3) ** 3, abs=0.03)


def test_blocks_do_not_change_the_permutations_of_a_seed():
    forms, errors = simulated()
    cases = of_cases(forms, errors)
    one, two = (
        np.concatenate(list(permuted_rates(cases, Stopping(), permutations=50, seed=5)))
        for _ in range(2)
    )
    assert (one == two).all()
