from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from ensue.errors import DataError, SettingError
from ensue.paraphrase import correlation as samples
from ensue.paraphrase.correlation import correlate_lists, sample_of, settled
from ensue.paraphrase.list_scores import CorrelationSettings, ListScores, Resampled, ScoreVariable
from ensue.paraphrase.lists import ListKey
from ensue.statistics.correlation import Coefficient
from ensue.statistics.resampling import Resampling
from ensue.statistics.significance import PMethod

PEARSON, SPEARMAN, KENDALL = Coefficient
ORACLES = {PEARSON: stats.pearsonr, SPEARMAN: stats.spearmanr, KENDALL: stats.kendalltau}
ONE = ScoreVariable("one")
X = [0.1, 0.4, 0.2, 0.9, 0.7, 0.3, 0.5, 0.5, 0.8]
Y = [0.2, 0.5, 0.1, 0.6, 0.8, 0.4, 0.3, 0.7, 0.5]


def correlated(x, y, scores, **choices):
    settings = {name: choices.pop(name) for name in ("level", "seed") if name in choices}
    resampling = Resampling(choices.pop("draws", 0), **settings)
    found = correlate_lists(scores({"one": x}, task=y), resampling=resampling, **choices)
    return found.of("task", ONE)


def values(found):
    return [one.estimate.value for one in found.coefficients.values()]


def test_variable_has_the_name_of_the_paper():
    assert ScoreVariable("DIMPLE", 10, "strict").name == "DIMPLE_10 (strict)"
    assert ScoreVariable("length").name == "length"


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), n_terms=st.integers(2, 12))
def test_correlate_lists_agrees_with_scipys(random_scores, seed, n_terms):
    scores = random_scores(seed, n_terms, 1)
    found = correlate_lists(scores, resampling=Resampling(draws=0))
    assert len(found.correlations) == 2 * 4
    for each in found.correlations:
        x, y = scores.intrinsic[each.variable], scores.extrinsic[each.task]
        for coefficient, oracle in ORACLES.items():
            one, wanted = each.coefficients[coefficient], oracle(x, y)
            assert one.estimate.value == pytest.approx(wanted.statistic, abs=1e-9)
            assert one.p == pytest.approx(wanted.pvalue, rel=1e-6, abs=1e-9)


def test_correlation_is_worked_out(make_scores):
    # around their means: −1, 0, 1 and −1, 1, 0: r = (1 + 0 + 0) / √(2 · 2), and so is ρ; of the
    # three couples two are in order, τ = (2 − 1) / 3
    found = correlated([1, 2, 3], [1, 3, 2], make_scores)
    assert values(found) == pytest.approx([1 / 2, 1 / 2, (2 - 1) / 3])
    assert (found.n, found.n_terms, found.n_left_out) == (3, 1, 0)


def test_p_says_how_it_was_computed(make_scores):
    found = correlated(X, Y, make_scores).coefficients
    methods = [found[each].method for each in Coefficient]
    assert methods == [PMethod.STUDENT, PMethod.STUDENT, PMethod.NORMAL]
    assert [found[each].degrees for each in Coefficient] == [7, 7, None]


@pytest.mark.parametrize(("alpha", "significant"), [(0.01, False), (0.3, True)])
def test_correlation_is_significant_where_p_is_less(make_scores, alpha, significant):
    one = correlated(X, Y, make_scores, alpha=alpha).coefficients[PEARSON]
    assert 0.01 < one.p < 0.3
    assert one.significant is significant


@given(seed=st.integers(0, 1000), scale=st.floats(0.01, 100), shift=st.floats(-10, 10))
def test_correlation_does_not_change_with_scale_and_shift(make_scores, seed, scale, shift):
    x, y = np.random.default_rng(seed).normal(size=(2, 9)).round(2)
    plain = correlated(x, y, make_scores)
    moved = correlated(x * scale + shift, y, make_scores)
    assert values(moved) == pytest.approx(values(plain), abs=1e-7)
    assert moved.within.estimate.value == pytest.approx(plain.within.estimate.value, abs=1e-7)


@given(seed=st.integers(0, 1000))
def test_correlation_turns_with_the_sign(make_scores, seed):
    x, y = np.random.default_rng(seed).normal(size=(2, 9)).round(1)
    plain, turned = correlated(x, y, make_scores), correlated(-x, y, make_scores)
    assert values(turned) == pytest.approx([-each for each in values(plain)])
    assert [one.p for one in turned.coefficients.values()] == pytest.approx(
        [one.p for one in plain.coefficients.values()]
    )


@given(seed=st.integers(0, 1000))
def test_correlation_is_symmetric(make_scores, seed):
    x, y = np.random.default_rng(seed).normal(size=(2, 9)).round(1)
    one, other = correlated(x, y, make_scores), correlated(y, x, make_scores)
    assert values(one) == pytest.approx(values(other))
    assert one.within.estimate.value == pytest.approx(other.within.estimate.value)


def test_within_is_the_partial_correlation_for_the_term(make_scores):
    # residuals of regressions on the terms, as scipy correlates them; p with n − terms − 1
    found = correlated(X, Y, make_scores).within
    members = np.repeat(np.eye(3), 3, axis=0)
    left = [v - members @ np.linalg.lstsq(members, v, rcond=None)[0] for v in map(np.array, (X, Y))]
    r = stats.pearsonr(*left).statistic
    assert found.estimate.value == pytest.approx(r)
    assert found.degrees == 9 - 3 - 1
    t = r * np.sqrt(5 / (1 - r**2))
    assert found.p == pytest.approx(2 * stats.t.sf(abs(t), 5))


def test_within_sees_nothing_of_what_terms_have_in_common(make_scores):
    terms = np.repeat([0.0, 5.0, 9.0], 3)
    found = correlated(terms + X, terms + Y, make_scores)
    assert found.coefficients[PEARSON].estimate.value > 0.99
    assert found.within.estimate.value == pytest.approx(
        correlated(X, Y, make_scores).within.estimate.value
    )


def test_within_of_performance_that_is_the_same_for_all_methods_is_undefined(make_scores):
    found = correlated(X, np.repeat([0.1, 0.7, 0.4], 3), make_scores)
    assert found.coefficients[PEARSON].estimate.value is not None
    assert found.within.estimate.value is None
    assert found.within.estimate.reason == "one of the two does not vary within terms"
    assert found.within.p is None


def test_within_of_one_list_a_term_has_no_degree_of_freedom(make_scores, make_keys):
    scores = make_scores({"one": X[:4]}, keys=make_keys(4, "A"), task=Y[:4])
    found = correlate_lists(scores, resampling=Resampling(draws=10)).of("task", ONE)
    assert found.within.estimate.reason == "4 lists of 4 terms leave no degree of freedom"


def test_lists_without_a_number_are_left_out_counted_and_said(make_scores):
    x, y = np.array(X), np.array(Y)
    x[1] = y[4] = y[5] = np.nan
    scores = make_scores({"one": x}, task=y)
    found = correlate_lists(scores, resampling=Resampling(draws=0))
    one = found.of("task", ONE)
    whole = [0, 2, 3, 6, 7, 8]
    assert (one.n, one.n_left_out, one.n_terms) == (6, 3, 3)
    wanted = stats.pearsonr(x[whole], y[whole]).statistic
    assert one.coefficients[PEARSON].estimate.value == pytest.approx(wanted)
    assert [each.message for each in found.findings] == [
        "one: 1 of 9 lists have no number and are left out",
        "task: 2 of 9 lists have no number and are left out",
    ]


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([0.1] * 9, Y, "one is 0.1 for all 9 lists"),
        (X, [0.25] * 9, "performance on task is 0.25 for all 9 lists"),
        ([0.1 + 0.2, 0.3, 0.3] * 3, Y, "one is 0.3 for all 9 lists"),
    ],
)
def test_constant_has_no_correlation_but_a_reason(make_scores, x, y, reason):
    found = correlate_lists(make_scores({"one": x}, task=y), resampling=Resampling(draws=20))
    one = found.of("task", ONE)
    for each in (*one.coefficients.values(), one.within):
        assert (each.estimate.value, each.p, each.significant) == (None, None, None)
        assert each.estimate.reason == reason
    assert [each.code for each in found.findings] == ["no-correlation"]
    assert found.findings[0].message == f"no correlation with task: {reason}"


@pytest.mark.parametrize(("n", "lists"), [(2, "2 lists have"), (1, "1 list has")])
def test_fewer_than_three_lists_have_no_correlation(make_scores, make_keys, n, lists):
    keys = make_keys(2, "A")[:n]
    scores = make_scores({"one": X[:n]}, keys=keys, task=Y[:n])
    one = correlate_lists(scores, resampling=Resampling(draws=20)).of("task", ONE)
    reason = f"{lists} the numbers that a correlation takes from at least 3"
    assert one.coefficients[KENDALL].estimate.reason == reason


def test_task_without_any_number_has_no_correlation(make_scores):
    found = correlate_lists(
        make_scores({"one": X}, task=[np.nan] * 9), resampling=Resampling(draws=20)
    )
    assert found.of("task", ONE).n == 0
    assert found.of("task", ONE).coefficients[PEARSON].estimate.reason.startswith("0 lists have")
    assert found.tasks[0].between_terms is None


def test_interval_is_over_draws_of_whole_terms(make_scores):
    # lists of one term are alike, and so every draw of terms has the ranks of some terms
    x, y = np.repeat([1.0, 2.0, 3.0], 3), np.repeat([1.0, 2.0, 3.0], 3)
    one = correlated(x, y, make_scores, draws=100).coefficients[PEARSON].estimate
    assert (one.value, one.low, one.high) == pytest.approx((1, 1, 1))
    # the draws of one term alone are constant: 3 of 27
    assert 0 < one.n_undefined < 30


def test_interval_is_that_of_the_draws(make_scores):
    found = correlated(X, Y, make_scores, draws=200, seed=3, level=0.9, resample="lists")
    rng = np.random.default_rng(3)
    picks = rng.integers(0, 9, size=(200, 9))
    drawn = [stats.pearsonr(np.array(X)[each], np.array(Y)[each]).statistic for each in picks]
    one = found.coefficients[PEARSON].estimate
    assert (one.low, one.high) == pytest.approx(tuple(np.quantile(drawn, [0.05, 0.95])))


def test_interval_of_terms_is_wider_where_their_lists_are_alike():
    rng = np.random.default_rng(5)
    keys = tuple(ListKey(str(i), method) for i in range(10) for method in "ABCD")
    x, y = np.repeat(rng.normal(size=(2, 10)), 4, axis=1) + rng.normal(size=(2, 40)) / 10
    scores = ListScores(keys, {ONE: x}, {"task": y})
    terms, lists = (
        correlate_lists(scores, resample=each, resampling=Resampling(draws=400))
        .of("task", ONE)
        .coefficients[PEARSON]
        for each in Resampled
    )
    assert terms.estimate.value == lists.estimate.value
    width = [one.estimate.high - one.estimate.low for one in (terms, lists)]
    assert width[0] > 1.5 * width[1]


def test_lists_of_one_term_have_no_interval_over_terms(make_scores, make_keys):
    scores = make_scores({"one": X}, keys=make_keys(1, "ABCDEFGHI"), task=Y)
    found = correlate_lists(scores, resampling=Resampling(draws=20))
    one = found.of("task", ONE)
    assert one.no_interval == "all lists are of one term, and terms are drawn"
    estimate = one.coefficients[PEARSON].estimate
    assert estimate.value is not None
    assert (estimate.low, estimate.high) == (None, None)
    assert found.findings[-1].code == "no-interval"


def test_lists_of_one_term_have_an_interval_over_lists(make_scores, make_keys):
    scores = make_scores({"one": X}, keys=make_keys(1, "ABCDEFGHI"), task=Y)
    one = correlate_lists(scores, resampling=Resampling(draws=20), resample="lists").of("task", ONE)
    assert one.no_interval is None
    assert one.coefficients[PEARSON].estimate.low is not None


def test_no_draws_give_no_interval(make_scores):
    one = correlated(X, Y, make_scores, draws=0)
    assert (one.coefficients[PEARSON].estimate.low, one.no_interval) == (None, None)


def test_same_seed_gives_the_same_intervals(random_scores):
    one, other = (
        correlate_lists(random_scores(), resampling=Resampling(draws=30, seed=4)) for _ in range(2)
    )
    assert one.correlations == other.correlations
    assert one.differences == other.differences


def test_draws_come_in_parts_that_fit_in_memory(random_scores, monkeypatch):
    scores = random_scores()

    def ends():
        found = [
            each.within.estimate
            for each in correlate_lists(scores, resampling=Resampling(draws=30)).correlations
        ]
        return [end for one in found for end in (one.low, one.high)]

    whole = ends()
    monkeypatch.setattr("ensue.paraphrase.correlation._CELLS", 50)
    assert ends() == pytest.approx(whole)


def test_only_the_coefficients_asked_for_are_computed(random_scores):
    found = correlate_lists(random_scores(), coefficients=[KENDALL], resampling=Resampling(draws=0))
    assert all(list(each.coefficients) == [KENDALL] for each in found.correlations)


def test_tasks_say_how_far_terms_make_the_performance(make_scores):
    # means 1, 1 and 4 around 2: 3·(1 + 1 + 4) = 18; within: 2 + 0 + 0
    scores = make_scores({"one": X}, task=[0, 1, 2, 1, 1, 1, 4, 4, 4])
    (task,) = correlate_lists(scores, resampling=Resampling(draws=0)).tasks
    assert (task.n, task.n_terms, task.n_methods) == (9, 3, 3)
    assert task.between_terms == pytest.approx(18 / 20)


def test_of_refuses_what_was_not_correlated(random_scores):
    with pytest.raises(KeyError):
        correlate_lists(random_scores(), resampling=Resampling(draws=0)).of("rte", ONE)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"alpha": 0.0}, r"alpha 0\.0 is not between 0 and 1"),
        ({"resample": "judges"}, "'judges' cannot be drawn\nhint: known are: terms, lists"),
        ({"coefficients": []}, "there is no coefficient to correlate"),
    ],
)
def test_settings_that_make_no_sense_are_refused(random_scores, choices, message):
    with pytest.raises(SettingError, match=message):
        correlate_lists(random_scores(), **choices)


def test_nothing_to_correlate_is_refused(make_keys):
    with pytest.raises(SettingError, match="there is no intrinsic score to correlate"):
        correlate_lists(ListScores((), {}, {}))


def test_column_of_another_length_is_refused(make_keys):
    with pytest.raises(DataError, match="'one' has 2 numbers for 6 lists"):
        ListScores(make_keys(2), {ONE: np.zeros(2)}, {})


def test_infinite_number_is_refused_with_its_list(make_keys):
    column = np.array([0, 1, 2, np.inf, 0, 0])
    with pytest.raises(DataError, match="'task' is infinite for the list of 'term 1' by 'A'"):
        ListScores(make_keys(2), {}, {"task": column})


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_settled_numbers_are_what_they_were_but_for_rounding(numbers):
    given = np.array(numbers)
    assert settled(given) == pytest.approx(given, abs=np.abs(given).max() * 1e-11)


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-5, 1.0, 1e300])
def test_settled_numbers_of_any_size_stay_apart(scale):
    assert len(np.unique(settled(np.array([1.0, 2.0, 3.0]) * scale))) == 3


@pytest.mark.parametrize("resample", Resampled)
def test_sample_holds_a_few_draws_at_once(random_scores, monkeypatch, resample):
    settings = CorrelationSettings(resampling=Resampling(draws=50), resample=resample)
    sample = sample_of(random_scores(n_terms=3), [("column", np.arange(9.0))], settings)
    sizes = []

    def sums(counts):
        sizes.append(len(counts))
        return (counts @ sample.columns[0]).astype(np.float64)

    (whole,) = sample.resampled([sums])
    assert sizes == [1, 50]
    sizes.clear()
    monkeypatch.setattr(samples, "_CELLS", 9 * 20)
    (parts,) = sample.resampled([sums])
    assert parts.tolist() == whole.tolist()
    assert sizes[0] == 1
    assert len(sizes) == 1 + 3
    assert max(sizes) <= 20


def test_sample_numbers_its_terms_without_gaps(random_scores):
    scores = random_scores(n_terms=3)
    column = np.full(9, np.nan)
    column[[0, 8]] = 1
    sample = sample_of(scores, [("column", column)], CorrelationSettings())
    assert sample.term.tolist() == [0, 1]
