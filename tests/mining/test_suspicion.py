import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.errors import SettingError
from ensue.mining import (
    CONVERGENCE,
    Stopping,
    SuspicionMeasure,
    forms_of,
    measured,
    suspicion_rates,
)

CASES = st.lists(
    st.tuples(st.sets(st.sampled_from("abcdefgh"), min_size=1, max_size=5), st.booleans()),
    min_size=1,
    max_size=40,
)

TABLE_1 = [
    (0.6102, 61, 65, 2.547),
    (0.4038, 349, 539, 2.5401),
    (0.3828, 291, 378, 2.2717),
    (0.5397, 51, 58, 2.1913),
    (0.7868, 12, 12, 1.9552),
    (0.7848, 11, 11, 1.8818),
    (0.3207, 245, 486, 1.9837),
    (0.6697, 13, 14, 1.7675),
    (0.4093, 63, 102, 1.8929),
    (0.3295, 150, 214, 1.768),
]
"""Bedaride & Gardent 2010, false negatives: S, errors, pairs, and the printed measure."""

TABLE_2 = [
    (0.0203, 5, 246, 0.1119),
    (0.0067, 9, 456, 0.0407),
    (0.0202, 2, 66, 0.0846),
    (0.0058, 3, 150, 0.029),
    (0.0039, 4, 233, 0.0214),
    (0.0025, 9, 1213, 0.0176),
    (0.0077, 2, 174, 0.0395),
    (0.0048, 3, 202, 0.0257),
    (0.0024, 8, 761, 0.016),
    (0.0069, 2, 69, 0.0292),
]
"""The same for false positives."""


def rates(cases, errors, stopping=None):
    forms = forms_of(sorted(case) for case in cases)
    found = suspicion_rates(forms, np.array(errors, dtype=bool), stopping)
    return dict(zip(forms.names, found.rates.tolist(), strict=True))


def columns(table):
    rate, errors, cases, printed = map(np.array, zip(*table, strict=True))
    return rate, cases, errors, printed


@pytest.mark.parametrize("table", [TABLE_1, TABLE_2], ids=["1", "2"])
def test_published_tables_print_the_measure_with_all_cases(table):
    rate, cases, errors, printed = columns(table)
    # the printed rates are rounded to four digits
    slack = 0.00005 * np.log(cases) + 0.00005
    assert (abs(measured(SuspicionMeasure.LN_CASES, rate, cases, errors) - printed) <= slack).all()


@pytest.mark.parametrize("table", [TABLE_1, TABLE_2], ids=["1", "2"])
def test_published_tables_are_ordered_by_the_measure_with_error_cases(table):
    rate, cases, errors, _ = columns(table)
    # as far as rates of four digits tell
    slack = 0.00005 * np.log(errors)
    by_errors = measured(SuspicionMeasure.LN_ERRORS, rate, cases, errors)
    assert (by_errors[:-1] + slack[:-1] >= by_errors[1:] - slack[1:]).all()
    by_cases = measured(SuspicionMeasure.LN_CASES, rate, cases, errors)
    assert not (np.diff(by_cases) <= 0).all()


def test_first_row_of_the_published_table_by_hand():
    one = [np.array([each]) for each in (0.6102, 65, 61)]
    assert round(0.6102 * math.log(65), 3) == 2.547
    assert measured(SuspicionMeasure.LN_CASES, *one)[0] == pytest.approx(0.6102 * math.log(65))
    assert measured(SuspicionMeasure.LN_ERRORS, *one)[0] == pytest.approx(2.508, abs=5e-4)
    assert measured(SuspicionMeasure.ERRORS, *one)[0] == pytest.approx(37.22, abs=5e-3)
    assert measured(SuspicionMeasure.CASES, *one)[0] == pytest.approx(0.6102 * 65)
    assert measured(SuspicionMeasure.SUSPICION, *one)[0] == 0.6102


def test_first_iteration_is_the_mean_of_even_shares():
    # a: 1/2 of one error, and a good case; b: 1/2 of that error and all of the other
    found = rates([{"a", "b"}, {"b"}, {"a"}], [True, True, False], Stopping(1))
    assert found == {"a": (1 / 2 + 0) / 2, "b": (1 / 2 + 1) / 2}


def test_second_iteration_shares_in_proportion():
    found = rates([{"a", "b"}, {"b"}, {"a"}], [True, True, False], Stopping(2))
    # a had 1/4 and b 3/4, so of the shared error a takes 1/4 and b 3/4
    assert found["a"] == pytest.approx((1 / 4 + 0) / 2)
    assert found["b"] == pytest.approx((3 / 4 + 1) / 2)


def test_rates_converge_to_the_form_that_explains_all():
    forms = forms_of([["a", "b"], ["b"], ["a"]])
    errors = np.array([True, True, False])
    found = suspicion_rates(forms, errors, CONVERGENCE)
    assert found.converged
    assert found.rates.tolist() == pytest.approx([0, 1], abs=1e-6)
    assert not suspicion_rates(forms, errors).converged
    assert suspicion_rates(forms, errors).n_iterations == 10


def test_a_form_that_sinks_to_nothing_leaves_numbers_finite():
    cases = [{"a", "b"}, {"a"}] + [{"b"}] * 50
    found = rates(cases, [True, True] + [False] * 50, Stopping(5000))
    assert found["a"] == pytest.approx(1)
    assert found["b"] == 0


@given(CASES, st.integers(1, 300))
def test_forms_of_an_error_never_all_sink_to_nothing(cases, iterations):
    sets, errors = zip(*cases, strict=True)
    found = rates(sets, errors, Stopping(iterations))
    for forms, error in cases:
        if error:
            assert sum(found[form] for form in forms) >= (1 - 1e-9) / len(cases)


def test_a_case_without_forms_changes_nothing():
    cases = [{"a", "b"}, {"b"}, {"a"}]
    errors = [True, True, False]
    assert rates([*cases, set()], [*errors, True]) == rates(cases, errors)


@given(CASES, st.integers(1, 12))
def test_rates_agree_with_a_plain_reading_of_the_formulas(plain_rates, cases, iterations):
    sets, errors = zip(*cases, strict=True)
    found = rates(sets, errors, Stopping(iterations))
    plain = plain_rates(sets, errors, iterations) if any(errors) else dict.fromkeys(found, 0.0)
    assert found == pytest.approx(plain, abs=1e-12)


def test_rates_agree_with_the_plain_reading_on_a_large_suite(plain_rates):
    rng = np.random.default_rng(4)
    cases = [set(rng.choice(60, size=8, replace=False).tolist()) for _ in range(3000)]
    errors = rng.random(3000) < 0.2
    forms = forms_of(sorted(map(str, case)) for case in cases)
    found = suspicion_rates(forms, errors)
    plain = plain_rates(cases, errors.tolist(), 10)
    expected = [plain[int(name)] for name in forms.names]
    assert found.rates.tolist() == pytest.approx(expected, abs=1e-12)


@given(CASES, st.integers(1, 12))
def test_suspicion_is_spread_and_never_lost(cases, iterations):
    sets, errors = zip(*cases, strict=True)
    forms = forms_of(sorted(case) for case in sets)
    found = suspicion_rates(forms, np.array(errors), Stopping(iterations))
    # Σ S·|O| is the number of errors: each gives out exactly one
    assert found.measure(SuspicionMeasure.CASES).sum() == pytest.approx(sum(errors))
    assert (found.rates >= 0).all()
    assert (found.rates * found.n_cases <= found.n_errors * (1 + 1e-9)).all()


@given(CASES, st.randoms(use_true_random=False))
def test_order_of_cases_does_not_matter(cases, random):
    shuffled = random.sample(cases, len(cases))
    assert rates(*zip(*cases, strict=True)) == pytest.approx(
        rates(*zip(*shuffled, strict=True)), abs=1e-12
    )


@given(CASES)
def test_cases_counted_twice_have_the_same_rates(cases):
    sets, errors = zip(*cases, strict=True)
    assert rates(sets, errors) == pytest.approx(rates(sets * 2, errors * 2), abs=1e-12)


@given(CASES, st.lists(st.integers(1, 5), min_size=40, max_size=40))
def test_cases_that_stand_for_many_have_the_rates_of_many(cases, times):
    times = np.array(times[: len(cases)])
    sets, errors = zip(*cases, strict=True)
    forms = forms_of(sorted(case) for case in sets)
    every = forms_of(sorted(case) for case, n in zip(sets, times, strict=True) for _ in range(n))
    weighted = suspicion_rates(forms, np.array(errors) * times, n_cases=times)
    repeated = suspicion_rates(every, np.repeat(errors, times))
    assert forms.names == every.names
    assert weighted.rates.tolist() == pytest.approx(repeated.rates.tolist(), abs=1e-12)
    assert weighted.n_cases.tolist() == repeated.n_cases.tolist()
    assert weighted.n_errors.tolist() == repeated.n_errors.tolist()


def test_measures_of_a_form_in_no_error_are_zero():
    forms = forms_of([["a"], ["b"]])
    found = suspicion_rates(forms, np.array([True, False]))
    for measure in SuspicionMeasure:
        assert found.measure(measure)[1] == 0


def test_no_iterations_are_refused():
    with pytest.raises(SettingError, match="0 iterations make no rate"):
        Stopping(0)
