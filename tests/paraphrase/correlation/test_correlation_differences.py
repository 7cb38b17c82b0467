from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ensue.paraphrase.correlation import correlate_lists
from ensue.paraphrase.list_scores import ScoreVariable
from ensue.statistics import holm
from ensue.statistics.resampling import Resampling
from ensue.statistics.significance import bootstrap_p, meng, steiger, williams, zou_interval

X = [0.1, 0.4, 0.2, 0.9, 0.7, 0.3, 0.5, 0.5, 0.8]
Z = [0.3, 0.2, 0.1, 0.4, 0.9, 0.8, 0.2, 0.6, 0.5]
Y = [0.2, 0.5, 0.1, 0.6, 0.8, 0.4, 0.3, 0.7, 0.5]


def difference(scores, x, z, y, resample="terms", **settings):
    scored = scores({"one": x, "two": z}, task=y)
    (found,) = correlate_lists(
        scored, resampling=Resampling(**settings), resample=resample
    ).differences
    return found


def test_measures_of_the_same_k_and_quality_are_compared(random_scores):
    found = correlate_lists(random_scores(), resampling=Resampling(draws=0)).differences
    assert len(found) == 2 * 2 * 2 * 3  # tasks, qualities, k, couples
    assert all((e.first.k, e.first.quality) == (e.second.k, e.second.quality) for e in found)
    couples = [(each.first.measure, each.second.measure) for each in found if each.first.k == 1]
    assert couples[:3] == [("EP", "EPR"), ("EP", "DIMPLE"), ("EPR", "DIMPLE")]


def test_every_couple_is_compared_on_request(random_scores):
    found = correlate_lists(
        random_scores(), resampling=Resampling(draws=0), every_couple=True
    ).differences
    assert len(found) == 2 * 12 * 11 // 2


def test_difference_is_tested_by_all_tests(make_scores):
    found = difference(make_scores, X, Z, Y, draws=0)
    r = [stats.pearsonr(*couple).statistic for couple in ((X, Y), (Z, Y), (X, Z))]
    assert (found.first_r, found.second_r, found.between) == pytest.approx(tuple(r))
    assert found.williams.t == pytest.approx(williams(*r, 9).t)
    assert found.steiger.z == pytest.approx(steiger(*r, 9).z)
    assert found.meng.z == pytest.approx(meng(*r, 9).z)
    assert found.zou == pytest.approx(zou_interval(*r, 9))
    assert found.bootstrap.value == pytest.approx(r[0] - r[1])
    assert (found.bootstrap.p, found.reason) == (None, None)


def test_intervals_of_a_difference_are_of_the_level_asked_for(make_scores):
    wide, narrow = (
        difference(make_scores, X, Z, Y, draws=100, resample="lists", level=level)
        for level in (0.95, 0.8)
    )
    r = (wide.first_r, wide.second_r, wide.between)
    assert narrow.zou == pytest.approx(zou_interval(*r, 9, level=0.8))
    for outer, inner in (
        (wide.zou, narrow.zou),
        ((wide.bootstrap.low, wide.bootstrap.high), (narrow.bootstrap.low, narrow.bootstrap.high)),
    ):
        assert outer[0] < inner[0] < inner[1] < outer[1]


def test_bootstrap_of_a_difference_is_paired(make_scores):
    found = difference(make_scores, X, Z, Y, draws=200, resample="lists", seed=7)
    picks = np.random.default_rng(7).integers(0, 9, size=(200, 9))
    x, z, y = map(np.array, (X, Z, Y))
    drawn = np.array([stats.pearsonr(x[e], y[e])[0] - stats.pearsonr(z[e], y[e])[0] for e in picks])
    assert found.bootstrap.p == pytest.approx(bootstrap_p(drawn))
    assert found.bootstrap.low == pytest.approx(np.quantile(drawn, 0.025))


def test_holm_corrects_within_a_task(random_scores):
    found = correlate_lists(random_scores(), resampling=Resampling(draws=0)).differences
    for task in ("rte", "msrpc"):
        tests = [each for each in found if each.task == task]
        assert [each.p_holm for each in tests] == pytest.approx(
            holm([each.williams.p for each in tests])
        )


def test_variables_on_one_line_do_not_differ(make_scores):
    found = difference(make_scores, X, [2 * x + 1 for x in X], Y, draws=50)
    assert found.between == pytest.approx(1)
    assert (found.williams.p, found.steiger.p, found.meng.p) == (1, 1, 1)
    assert found.zou == (0, 0)
    assert found.bootstrap.p == 1


def test_lists_that_lack_one_of_three_numbers_are_left_out(make_scores):
    z = [np.nan, *Z[1:]]
    found = difference(make_scores, X, z, Y, draws=0)
    assert found.n == 8
    assert found.first_r == pytest.approx(stats.pearsonr(X[1:], Y[1:]).statistic)


def test_constant_is_not_compared_but_has_a_reason(make_scores):
    scores = make_scores({"one": X, "two": [0.5] * 9, "three": Z}, task=Y)
    found = correlate_lists(scores, resampling=Resampling(draws=20)).differences
    flat, other = found[0], found[1]
    assert flat.reason == flat.bootstrap.reason == "two is 0.5 for all 9 lists"
    assert (flat.first_r, flat.williams, flat.p_holm, flat.zou) == (None, None, None, None)
    # of the three tests one is there, and so is corrected for itself alone
    assert other.p_holm == other.williams.p


def test_perfect_correlation_leaves_tests_by_z_undefined(make_scores):
    found = difference(make_scores, Y, Z, Y, draws=20)
    assert found.first_r == pytest.approx(1)
    assert (found.steiger, found.meng, found.zou) == (None, None, None)
    assert found.williams is not None
    assert "Steiger's test is undefined: a correlation of 1 has no finite z" in found.reason


def test_three_lists_are_too_few_to_compare(make_scores):
    found = difference(make_scores, X[:3], Z[:3], Y[:3], draws=0)
    assert found.first_r is not None
    assert found.williams is None
    assert "Williams' test needs more than 3 observations, not 3" in found.reason


def test_lists_of_one_term_have_no_bootstrap_over_terms(make_scores, make_keys):
    scores = make_scores({"one": X, "two": Z}, keys=make_keys(1, "ABCDEFGHI"), task=Y)
    (found,) = correlate_lists(scores, resampling=Resampling(draws=20)).differences
    assert found.bootstrap.p is None
    assert found.bootstrap.reason == "all lists are of one term, and terms are drawn"
    assert found.williams is not None


def test_single_variable_is_compared_with_none(make_scores):
    assert (
        correlate_lists(make_scores({"one": X}, task=Y), resampling=Resampling(draws=0)).differences
        == ()
    )


def test_first_minus_second_turns_with_their_order(make_scores):
    one = difference(make_scores, X, Z, Y, draws=50)
    other = difference(make_scores, Z, X, Y, draws=50)
    assert one.bootstrap.value == pytest.approx(-other.bootstrap.value)
    assert one.bootstrap.p == pytest.approx(other.bootstrap.p)
    assert one.williams.t == pytest.approx(-other.williams.t)
    assert ScoreVariable("one") == one.first == other.first
