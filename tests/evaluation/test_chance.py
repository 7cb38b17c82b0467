from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binomtest

from ensue.errors import SettingError
from ensue.evaluation.measures import CWS
from ensue.evaluation.run_scores import (
    accuracy_test,
    critical_values,
    cws_deviation,
    cws_test,
    exact_accuracy,
    guessed_cws,
    read_published,
)
from ensue.statistics.correlation import cws_weights, expected_cws
from ensue.statistics.significance import binomial_p

tie_groups = st.lists(st.integers(1, 4), min_size=1, max_size=8)

CHALLENGE = {
    ("accuracy", 0.05): 0.535,
    ("accuracy", 0.01): 0.546,
    ("cws", 0.05): 0.540,
    ("cws", 0.01): 0.558,
}
"""What Dagan, Glickman & Magnini (2005), section 3.3, give for 800 pairs."""


def test_accuracy_test_is_the_exact_binomial(make_judged):
    # 4 of 5 right: (5 + 1) / 2^5
    test = accuracy_test(make_judged("YYYYY", "YYYYN"))
    assert (test.n, test.value, test.chance) == (5, 4 / 5, 1 / 2)
    assert test.p == pytest.approx((5 + 1) / 2**5)


def test_accuracy_test_takes_a_third_as_chance_among_3_labels(make_judged):
    test = accuracy_test(make_judged("EC", "EC"))
    assert test.chance == pytest.approx(1 / 3)
    assert test.p == pytest.approx((1 / 3) ** 2)


def test_accuracy_test_says_why_there_is_no_p(make_judged):
    test = accuracy_test(make_judged("YN", "--"))
    assert (test.value, test.p, test.reason) == (None, None, "no pair is answered")


@given(st.integers(1, 200), st.floats(0.05, 0.95), st.data())
def test_binomial_p_agrees_with_scipys_binomtest(n, chance, data):
    n_right = data.draw(st.integers(0, n))
    wanted = binomtest(n_right, n, chance, alternative="greater").pvalue
    assert binomial_p(n_right, n, chance) == pytest.approx(wanted, rel=1e-9, abs=1e-300)


@given(tie_groups, st.data())
def test_cws_weights_make_the_cws_linear(sizes, data):
    hits = [data.draw(st.integers(0, size)) for size in sizes]
    sizes, hits = np.array(sizes), np.array(hits)
    wanted = float(expected_cws(sizes[None, :], hits[None, :])[0])
    assert float(hits @ cws_weights(sizes)) == pytest.approx(wanted, abs=1e-12)


def test_cws_test_agrees_with_counting_all_guesses(make_judged):
    judged = make_judged("YYYYYY", "YYYNYN", [0.9, 0.9, 0.7, 0.5, 0.5, 0.1])
    weights = np.repeat(cws_weights(np.array([2, 1, 2, 1])), [2, 1, 2, 1])
    all_guesses = np.array(list(product([0, 1], repeat=6))) @ weights
    wanted = float((all_guesses >= CWS(judged) - 1e-12).mean())
    test = cws_test(judged, draws=20_000)
    assert test.p == pytest.approx(wanted, abs=0.015)
    assert test.method == "simulation"


def test_cws_test_of_a_perfect_run_gives_the_smallest_p(make_judged):
    confidence = (np.arange(60) / 60).tolist()
    assert cws_test(make_judged("YN" * 30, "YN" * 30, confidence), draws=999).p == 1 / 1000


def test_cws_test_of_all_ties_agrees_with_the_binomial_test(make_judged):
    judged = make_judged("Y" * 20, "Y" * 13 + "N" * 7, [0.5] * 20)
    wanted = accuracy_test(judged).p
    assert cws_test(judged, draws=20_000).p == pytest.approx(wanted, abs=0.012)


def test_cws_test_repeats_with_its_seed(make_judged):
    judged = make_judged("YNYN", "YNYY", [0.9, 0.8, 0.2, 0.1])
    p = [cws_test(judged, draws=500, seed=seed).p for seed in (1, 1)]
    assert p[0] == p[1]


def test_cws_test_says_why_there_is_no_p(make_judged):
    assert cws_test(make_judged("YN", "YN"), draws=10).reason == "the run has no confidences"
    judged = make_judged("YN", "YN", [0.1, 0.2])
    assert cws_test(judged, draws=0).reason == "no simulation was asked for"


def test_cws_deviation_is_worked_out_for_two_pairs():
    # weights (H_2 - H_0)/2 = 3/4 and (H_2 - H_1)/2 = 1/4; the variance of a guess is 1/4
    assert cws_deviation(2) == pytest.approx(np.sqrt((9 / 16 + 1 / 16) / 4))


def test_cws_deviation_agrees_with_simulation():
    guessed = guessed_cws(np.ones(100, dtype=np.int64), 1 / 3, draws=20_000)
    assert guessed.mean() == pytest.approx(1 / 3, abs=0.002)
    assert guessed.std() == pytest.approx(cws_deviation(100, 1 / 3), rel=0.03)


def test_exact_accuracy_is_the_smallest_significant_one():
    # of 10 guesses, 9 or more are right with probability 11/1024, 8 or more with 56/1024
    assert exact_accuracy(10, 0.5, 0.05) == 9 / 10
    assert exact_accuracy(10, 0.5, 56 / 1024 + 1e-9) == 8 / 10


def test_exact_accuracy_exceeds_one_where_nothing_is_significant():
    assert exact_accuracy(3, 0.5, 0.05) == 4 / 3


def test_critical_values_at_800_pairs_are_those_of_the_normal_quantiles():
    values = {(v.measure, v.level, v.sides, v.method): v.value for v in critical_values(800)}
    deviation = 0.5 / np.sqrt(800)
    assert values["accuracy", 0.05, 2, "normal"] == pytest.approx(0.5 + 1.959964 * deviation)
    assert values["accuracy", 0.01, 1, "normal"] == pytest.approx(0.5 + 2.326348 * deviation)
    assert values["accuracy", 0.05, 1, "exact"] == 424 / 800
    assert values["accuracy", 0.05, 2, "exact"] == 429 / 800
    for level in (0.05, 0.01):
        for sides in (1, 2):
            normal, simulated = (values["cws", level, sides, m] for m in ("normal", "simulated"))
            assert simulated == pytest.approx(normal, abs=0.003)


def test_critical_values_refuse_what_makes_no_sense():
    with pytest.raises(SettingError, match="0 pairs have no critical value"):
        critical_values(0)
    with pytest.raises(SettingError, match=r"chance 1\.0 is not between 0 and 1"):
        critical_values(10, chance=1.0)
    with pytest.raises(SettingError, match="level 5 is not between 0 and 1"):
        critical_values(10, levels=[5])


def test_published_accuracy_levels_are_two_sided_and_cws_levels_one_sided():
    sides = {(level.measure, level.level): level.sides for level in read_published(CHALLENGE)}
    assert sides == {
        ("accuracy", 0.05): 2,
        ("accuracy", 0.01): 2,
        ("cws", 0.05): 1,
        ("cws", 0.01): 1,
    }
    assert all(abs(level.distance) <= 0.0011 for level in read_published(CHALLENGE))
