from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binomtest

from ensue.evaluation.comparison import COMPARED, compare, discordant_pairs
from ensue.evaluation.measures import replicates
from ensue.evaluation.results import RunComparison
from ensue.statistics.resampling import Resampling
from ensue.statistics.significance import bootstrap_p, clusters, holm, mcnemar


def _comparison(first, second, *, differs):
    return RunComparison(first, second, 10, 1, 1, 1.0, 1.0, differs, {})


def test_discordant_pairs_take_unanswered_as_not_right(make_judged):
    first, second = make_judged("YYYN", "YYN-"), make_judged("YYYN", "Y-YN")
    assert discordant_pairs(first, second) == (1, 2)


def test_mcnemar_is_worked_out():
    # 2·(C(9,0) + C(9,1)) / 2^9
    assert mcnemar(8, 1) == pytest.approx(2 * (1 + 9) / 2**9)


def test_mcnemar_of_runs_that_never_differ_is_one():
    assert mcnemar(0, 0) == 1


@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_agrees_with_scipys_binomtest(first, second):
    if first + second:
        wanted = binomtest(first, first + second, 0.5).pvalue
        assert mcnemar(first, second) == pytest.approx(wanted, rel=1e-9)
    assert mcnemar(first, second) == mcnemar(second, first)


def test_holm_is_worked_out():
    # sorted 0.01·4, 0.015·3, 0.03·2, 0.04·1, never falling
    assert holm([0.01, 0.04, 0.03, 0.015]) == pytest.approx([0.04, 0.06, 0.06, 0.045])


def test_holm_of_nothing_is_nothing():
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_never_lowers_a_p_and_is_bonferronis_for_the_smallest(p_values):
    corrected = holm(p_values)
    for p, p_holm in zip(p_values, corrected, strict=True):
        assert p <= p_holm <= 1
    bonferroni = min(1.0, min(p_values) * len(p_values))
    assert corrected[int(np.argmin(p_values))] == pytest.approx(bonferroni)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_holm_keeps_the_order(p_values):
    corrected = np.array(holm(p_values))[np.argsort(p_values, kind="stable")]
    assert (np.diff(corrected) >= 0).all()


def test_bootstrap_p_is_twice_the_smaller_side():
    # 1 of 9 draws is at or below 0
    assert bootstrap_p(np.array([-1.0, *[1.0] * 8])) == pytest.approx(2 * (1 + 1) / 10)


def test_bootstrap_p_of_no_difference_is_one():
    assert bootstrap_p(np.zeros(9)) == 1


def test_compare_gives_counts_p_values_and_paired_differences(make_judged):
    first = make_judged("Y" * 40, "Y" * 30 + "N" * 10, [0.5] * 40)
    second = make_judged("Y" * 40, "Y" * 10 + "N" * 20 + "Y" * 10)
    drawn = replicates([first, second], COMPARED, resampling=Resampling(draws=500))
    (result,) = compare([first, second], drawn)
    assert (result.only_first, result.only_second, result.n) == (20, 10, 40)
    assert result.disagreement == 30 / 40
    assert result.p == result.p_holm == mcnemar(20, 10)
    accuracy = result.differences["accuracy"]
    assert accuracy.value == pytest.approx(30 / 40 - 20 / 40)
    assert accuracy.low < accuracy.value < accuracy.high
    assert result.differences["cws"].value is None
    assert result.differences["cws"].reason == "run: the run has no confidences"


def test_compare_intervals_are_paired(make_judged):
    # the runs differ in one pair only, so the difference varies little though each run does not
    first, second = make_judged("Y" * 50, "YN" * 25), make_judged("Y" * 50, "YN" * 24 + "YY")
    (result,) = compare(
        [first, second], replicates([first, second], COMPARED, resampling=Resampling(draws=500))
    )
    accuracy = result.differences["accuracy"]
    # a pair is drawn Poisson(1) times, hardly ever 5 times
    assert -4 / 50 <= accuracy.low <= accuracy.high <= 0


def test_compare_calls_runs_different_only_after_correction(make_judged):
    gold = "Y" * 40
    good, middle, bad = (make_judged(gold, "Y" * n + "N" * (40 - n)) for n in (20, 16, 11))
    runs = [good, middle, bad]
    results = compare(runs, replicates(runs, COMPARED, resampling=Resampling(draws=10)))
    # 4, 9 and 5 discordant pairs, all on one side
    assert [r.p for r in results] == pytest.approx([2 / 2**4, 2 / 2**9, 2 / 2**5])
    # the smallest three times, the next twice, the largest once
    assert [r.p_holm for r in results] == pytest.approx([2 / 2**4, 3 * 2 / 2**9, 2 * 2 / 2**5])
    assert [r.differs for r in results] == [False, True, False]


def test_clusters_overlap_where_only_the_extremes_differ():
    comparisons = [
        _comparison("a", "b", differs=False),
        _comparison("a", "c", differs=True),
        _comparison("b", "c", differs=False),
    ]
    assert clusters(["c", "a", "b"], [0.5, 0.7, 0.6], comparisons) == (("a", "b"), ("b", "c"))


def test_clusters_separate_runs_that_all_differ():
    assert clusters(["a", "b"], [0.5, 0.7], [_comparison("a", "b", differs=True)]) == (
        ("b",),
        ("a",),
    )


def test_clusters_of_one_run_is_that_run():
    assert clusters(["a"], [0.5], []) == (("a",),)


@given(st.integers(1, 6), st.data())
def test_clusters_are_maximal_and_cover_all_runs(n, data):
    names = [str(i) for i in range(n)]
    comparisons = [
        _comparison(a, b, differs=data.draw(st.booleans()))
        for i, a in enumerate(names)
        for b in names[i + 1 :]
    ]
    found = clusters(names, [-i for i in range(n)], comparisons)
    different = {frozenset((c.first, c.second)) for c in comparisons if c.differs}
    assert {name for cluster in found for name in cluster} == set(names)
    for cluster in found:
        assert not any(frozenset((a, b)) in different for a in cluster for b in cluster if a != b)
        assert not any(set(cluster) < set(other) for other in found)
