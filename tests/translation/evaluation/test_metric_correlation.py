from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from tests.errors import coded

from ensue.errors import DataError, UndefinedError
from ensue.statistics.correlation import Coefficient, fisher_mean
from ensue.statistics.resampling import Resampling
from ensue.translation.evaluation.correlation import segment_correlation, system_correlation
from ensue.translation.systems import MetricScores, OutputKey, SystemKey


def _case(seed=0, sizes=(("cs-en", 30), ("de-en", 20)), noise=1.0):
    rng = np.random.default_rng(seed)
    keys = [OutputKey(pair, str(i), "A") for pair, n in sizes for i in range(n)]
    human = rng.normal(size=len(keys))
    metric = human + noise * rng.normal(size=len(keys))
    return dict(zip(keys, human.tolist(), strict=True)), MetricScores("m", tuple(keys), metric)


@pytest.mark.parametrize(
    ("name", "scipys"),
    [
        (Coefficient.PEARSON, stats.pearsonr),
        (Coefficient.SPEARMAN, stats.spearmanr),
        (Coefficient.KENDALL, stats.kendalltau),
    ],
)
def test_segment_correlation_is_scipys_in_each_language_pair(name, scipys):
    human, metric = _case()
    found = segment_correlation(human, metric, resampling=Resampling(draws=10))
    values = np.array(list(human.values()))
    wanted = [scipys(metric.values[k], values[k]).statistic for k in (slice(30), slice(30, 50))]
    by_pair = [each.coefficients[name].value for each in found.by_pair.values()]
    assert by_pair == pytest.approx(wanted)
    assert found.mean[name].value == pytest.approx(sum(wanted) / 2)
    assert [each.n for each in found.by_pair.values()] == [30, 20]


def test_segment_correlation_of_people_with_themselves_is_one():
    human, metric = _case()
    same = MetricScores("people", metric.outputs, np.array(list(human.values())))
    found = segment_correlation(human, same, resampling=Resampling(draws=20))
    for each in found.mean.values():
        assert (each.value, each.low, each.high) == pytest.approx((1, 1, 1))


def test_segment_correlation_has_an_interval_near_fishers():
    human, metric = _case(sizes=(("cs-en", 400),))
    found = segment_correlation(human, metric, resampling=Resampling(draws=2000)).mean[
        Coefficient.PEARSON
    ]
    z, error = np.arctanh(found.value), 1.96 / np.sqrt(400 - 3)
    assert found.low == pytest.approx(np.tanh(z - error), abs=0.02)
    assert found.high == pytest.approx(np.tanh(z + error), abs=0.02)


def test_outputs_of_a_segment_are_drawn_together():
    human, metric = _case(sizes=(("cs-en", 20),))
    keys = [key._replace(system=s) for s in "AB" for key in human]
    doubled = dict(zip(keys, [*human.values()] * 2, strict=True))
    twice = MetricScores("m", tuple(keys), np.tile(metric.values, 2))
    one, two = (
        segment_correlation(h, m, resampling=Resampling(draws=100)).mean[Coefficient.PEARSON]
        for h, m in ((human, metric), (doubled, twice))
    )
    assert (one.value, one.low, one.high) == pytest.approx((two.value, two.low, two.high))


def test_segment_correlation_of_a_constant_metric_is_undefined():
    human, metric = _case(sizes=(("cs-en", 5), ("de-en", 5)))
    values = metric.values.copy()
    values[:5] = 0.1
    found = segment_correlation(
        human, MetricScores("m", metric.outputs, values), resampling=Resampling(draws=5)
    )
    undefined = found.by_pair["cs-en"].coefficients[Coefficient.KENDALL]
    assert (undefined.value, undefined.low) == (None, None)
    assert undefined.reason == "the metric gives all outputs the same score"
    assert found.by_pair["de-en"].coefficients[Coefficient.KENDALL].value is not None
    assert found.mean[Coefficient.PEARSON].reason == f"cs-en: {undefined.reason}"


def test_segment_correlation_with_people_of_one_mind_is_undefined():
    human, metric = _case(sizes=(("cs-en", 5),))
    found = segment_correlation(dict.fromkeys(human, 0.5), metric, resampling=Resampling(draws=5))
    assert found.mean[Coefficient.PEARSON].reason.endswith("people give all outputs the same score")


def test_segment_correlation_of_two_outputs_is_undefined():
    human, metric = _case(sizes=(("cs-en", 2),))
    found = segment_correlation(human, metric, resampling=Resampling(draws=5)).by_pair["cs-en"]
    reason = found.coefficients[Coefficient.SPEARMAN].reason
    assert reason == "a correlation needs 3 outputs, and there are 2"


def test_segment_correlation_counts_draws_that_do_not_define_it():
    human, metric = _case(sizes=(("cs-en", 3),))
    found = segment_correlation(human, metric, resampling=Resampling(draws=500)).mean[
        Coefficient.PEARSON
    ]
    # all three draws are one output in 3 of 27 cases
    assert found.n_undefined == pytest.approx(500 * 3 / 27, abs=25)


@given(st.integers(0, 1000), st.floats(0.01, 100), st.floats(-10, 10))
def test_pearson_does_not_change_with_unit_and_origin(seed, factor, shift):
    human, metric = _case(seed, sizes=(("cs-en", 8),))
    moved = MetricScores("m", metric.outputs, metric.values * factor + shift)
    one, other = (
        segment_correlation(human, each, resampling=Resampling(draws=0))
        .mean[Coefficient.PEARSON]
        .value
        for each in (metric, moved)
    )
    assert one == pytest.approx(other)


def _systems(pair, *values):
    return {SystemKey(pair, f"S{i}"): value for i, value in enumerate(values)}


def test_system_correlation_is_worked_out():
    # ranks 1 2 3 4 and 1 3 2 4: ρ = 1 − 6·(1² + 1²)/(4·15)
    human, metric = _systems("cs-en", 0.1, 0.2, 0.3, 0.4), _systems("cs-en", 1, 3, 2, 10)
    found = system_correlation("m", metric, human).by_pair["cs-en"]
    assert found.n == 4
    assert found.coefficients[Coefficient.SPEARMAN].value == pytest.approx(1 - 6 * 2 / (4 * 15))


def test_system_correlation_agrees_with_scipys():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 9))
    found = system_correlation("m", _systems("cs-en", *x), _systems("cs-en", *y))
    assert found.mean[Coefficient.PEARSON].value == pytest.approx(stats.pearsonr(x, y).statistic)
    assert found.mean[Coefficient.KENDALL].value == pytest.approx(stats.kendalltau(x, y).statistic)


def test_system_correlation_has_two_means():
    human = _systems("cs-en", 1, 2, 3, 4) | _systems("de-en", 1, 2, 3, 4)
    metric = _systems("cs-en", 1, 3, 2, 4) | _systems("de-en", 2, 1, 4, 3)
    found = system_correlation("m", metric, human)
    # ρ = 1 − 6·2/60 and 1 − 6·4/60
    assert found.mean[Coefficient.SPEARMAN].value == pytest.approx((0.8 + 0.6) / 2)
    wanted = np.tanh((np.arctanh(0.8) + np.arctanh(0.6)) / 2)
    assert found.fisher_mean[Coefficient.SPEARMAN].value == pytest.approx(wanted)


def test_fisher_mean_of_a_perfect_correlation_is_undefined():
    with pytest.raises(UndefinedError, check=coded("correlation-no-finite")):
        fisher_mean([0.5, 1.0])


def test_system_correlation_without_a_fisher_mean_says_why():
    human = _systems("cs-en", 1, 2, 3)
    found = system_correlation("m", human, human)
    assert found.mean[Coefficient.PEARSON].value == pytest.approx(1)
    assert found.fisher_mean[Coefficient.SPEARMAN].reason == (
        "a correlation of 1 or -1 has no finite z"
    )


def test_system_correlation_of_two_systems_is_undefined():
    human = _systems("cs-en", 1, 2)
    found = system_correlation("m", human, human).by_pair["cs-en"]
    reason = found.coefficients[Coefficient.SPEARMAN].reason
    assert reason == "a correlation needs 3 systems, and there are 2"


def test_system_correlation_leaves_out_systems_that_people_do_not_score():
    human, metric = _systems("cs-en", 1, 2, 3, None), _systems("cs-en", 1, 2, 3, -9)
    found = system_correlation("m", metric, human).by_pair["cs-en"]
    assert found.n == 3
    assert found.coefficients[Coefficient.SPEARMAN].value == 1


def test_system_correlation_says_which_system_the_metric_cannot_score():
    human, metric = _systems("cs-en", 1, 2, 3, 4), _systems("cs-en", 1, None, 3, 4)
    found = system_correlation("m", metric, human).by_pair["cs-en"]
    reason = found.coefficients[Coefficient.PEARSON].reason
    assert reason == "the metric has no score for system 'S1'"


def test_system_correlation_refuses_a_judged_system_that_is_not_there():
    with pytest.raises(DataError, match="'m' has no score for system 'S2' of 'cs-en'"):
        system_correlation("m", _systems("cs-en", 1, 2), _systems("cs-en", 1, 2, 3))


@pytest.mark.data
def test_chrf_on_wmt16_direct_assessment_is_what_people_report(direct_assessments):
    from sacrebleu.metrics import CHRF

    chrf, judged = CHRF(), direct_assessments(16)
    values = [chrf.sentence_score(output, [ref]).score for _, output, ref in judged.values()]
    metric = MetricScores("chrf", tuple(judged), np.array(values))
    human = {key: each[0] for key, each in judged.items()}
    found = segment_correlation(human, metric, resampling=Resampling(draws=0))
    assert len(found.by_pair) == 6
    assert found.mean[Coefficient.PEARSON].value == pytest.approx(0.54, abs=0.01)
