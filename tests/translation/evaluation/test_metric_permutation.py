from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import SettingError, UndefinedError
from ensue.statistics import holm
from ensue.statistics.correlation import Coefficient
from ensue.statistics.resampling import Resampling
from ensue.translation.evaluation.correlation import segment_correlation
from ensue.translation.evaluation.pairwise_accuracy import TiePolicy, consistency
from ensue.translation.evaluation.significance import compare_consistency, compare_pearson
from ensue.translation.systems import MetricScores, OutputKey


def _noisy(scores, name, amount, seed):
    noise = np.random.default_rng(seed).normal(size=len(scores.values))
    return MetricScores(name, scores.outputs, scores.values + amount * noise)


def _swapped_everywhere(preferences, first, second, policy):
    """The p over all 2ⁿ swaps of segments, without the +1."""
    segments = sorted({key.segment for key in preferences.outputs})
    rows = [segments.index(key.segment) for key in first.outputs]

    def difference(swaps):
        chosen = np.array(swaps)[rows]
        both = [
            MetricScores("x", first.outputs, np.where(chosen, b, a))
            for a, b in ((first.values, second.values), (second.values, first.values))
        ]
        one, other = (
            consistency(preferences, m, policy=policy, resampling=Resampling(draws=0)).overall
            for m in both
        )
        return one.share.value - other.share.value

    found = [abs(difference(swaps)) for swaps in product([False, True], repeat=len(segments))]
    return np.mean(np.array(found) >= found[0] - 1e-12)


@pytest.mark.parametrize("seed", [3, 4, 5])
@pytest.mark.parametrize("policy", TiePolicy)
def test_consistency_test_agrees_with_all_swaps_written_out(policy, seed, make_noisy):
    preferences, quality = make_noisy(seed, n_segments=7, n_systems=3, pairs=("cs-en",), tie=0.1)
    first = MetricScores("first", quality.outputs, quality.values.round())
    second = _noisy(quality, "second", 1.5, seed=seed + 1)
    (test,) = compare_consistency(
        preferences, [first, second], policy=policy, resampling=Resampling(draws=20_000)
    ).tests
    wanted = _swapped_everywhere(preferences, first, second, policy)
    assert test.p == pytest.approx(wanted, abs=0.015)


def test_consistency_test_reports_the_shares(make_noisy):
    preferences, quality = make_noisy()
    other = _noisy(quality, "noisy", 2.0, seed=1)
    (test,) = compare_consistency(
        preferences, [quality, other], resampling=Resampling(draws=99)
    ).tests
    shares = [
        consistency(preferences, m, resampling=Resampling(draws=0)).overall.share.value
        for m in (quality, other)
    ]
    assert (test.first_value, test.second_value) == pytest.approx(shares)
    assert test.difference == pytest.approx(shares[0] - shares[1])


def test_a_clear_difference_has_the_smallest_p(make_noisy):
    preferences, quality = make_noisy()
    other = _noisy(quality, "noise", 50, seed=1)
    (test,) = compare_consistency(
        preferences, [quality, other], resampling=Resampling(draws=999)
    ).tests
    assert test.p == 1 / 1000
    assert test.differs


def test_a_metric_does_not_differ_from_itself(make_noisy):
    preferences, quality = make_noisy()
    twin = MetricScores("twin", quality.outputs, quality.values)
    human = _noisy(quality, "human", 1, seed=2).by_output()
    for found in (
        compare_consistency(preferences, [quality, twin], resampling=Resampling(draws=99)),
        compare_pearson(human, [quality, twin], resampling=Resampling(draws=99)),
    ):
        assert found.tests[0].p == 1
        assert found.clusters == (("quality", "twin"),)


def test_p_values_are_corrected_by_holm_and_make_clusters(make_noisy):
    preferences, quality = make_noisy()
    metrics = [
        _noisy(quality, "poor", 20, seed=5),
        quality,
        _noisy(quality, "near", 0.05, seed=6),
    ]
    found = compare_consistency(preferences, metrics, resampling=Resampling(draws=999))
    assert [(t.first, t.second) for t in found.tests] == [
        ("poor", "quality"),
        ("poor", "near"),
        ("quality", "near"),
    ]
    assert [t.p_holm for t in found.tests] == pytest.approx(holm([t.p for t in found.tests]))
    assert [set(cluster) for cluster in found.clusters] == [{"quality", "near"}, {"poor"}]


def test_one_metric_is_a_cluster_without_tests(make_noisy):
    preferences, quality = make_noisy()
    found = compare_consistency(preferences, [quality])
    assert (found.tests, found.clusters) == ((), (("quality",),))


def test_metrics_of_one_name_are_refused(make_noisy):
    preferences, quality = make_noisy()
    with pytest.raises(SettingError, match="two metrics are called 'quality'"):
        compare_consistency(preferences, [quality, quality])


def test_no_metrics_are_refused(make_noisy):
    with pytest.raises(SettingError, check=coded("no-metrics-compare")):
        compare_consistency(make_noisy()[0], [])


def test_a_constant_metric_without_its_ties_cannot_be_compared(make_noisy):
    preferences, quality = make_noisy()
    constant = MetricScores("constant", quality.outputs, np.zeros(len(quality.outputs)))
    with pytest.raises(UndefinedError, match="'constant' ties in every comparison"):
        compare_consistency(preferences, [quality, constant], policy=TiePolicy.LEFT_OUT)


def _assessed(seed, n, noise=(1.0, 1.0), pairs=("cs-en",), per_segment=1):
    rng = np.random.default_rng(seed)
    keys = tuple(
        OutputKey(pair, str(i), f"S{k}")
        for pair in pairs
        for i in range(n)
        for k in range(per_segment)
    )
    quality = rng.normal(size=len(keys))
    human = dict(zip(keys, (quality + 0.5 * rng.normal(size=len(keys))).tolist(), strict=True))
    metrics = [
        MetricScores(f"m{i}", keys, quality + each * rng.normal(size=len(keys)))
        for i, each in enumerate(noise)
    ]
    return human, metrics


@pytest.mark.parametrize("per_segment", [1, 2])
def test_pearson_test_agrees_with_all_swaps_written_out(per_segment):
    human, (first, second) = _assessed(4, 9, (0.5, 2.0), per_segment=per_segment)
    (test,) = compare_pearson(human, [first, second], resampling=Resampling(draws=20_000)).tests
    people = np.array(list(human.values()))
    x, y = ((m.values - m.values.mean()) / m.values.std() for m in (first, second))
    found = []
    for swaps in product([False, True], repeat=9):
        chosen = np.repeat(swaps, per_segment)
        one, other = np.where(chosen, y, x), np.where(chosen, x, y)
        r = [np.corrcoef(each, people)[0, 1] for each in (one, other)]
        found.append(abs(r[0] - r[1]))
    wanted = np.mean(np.array(found) >= found[0] - 1e-12)
    assert 0.01 < wanted < 0.99
    assert test.p == pytest.approx(wanted, abs=0.015)


def test_pearson_test_is_of_the_mean_over_language_pairs():
    human, metrics = _assessed(1, 30, pairs=("cs-en", "de-en"))
    (test,) = compare_pearson(human, metrics, resampling=Resampling(draws=99)).tests
    wanted = [
        segment_correlation(human, m, resampling=Resampling(draws=0))
        .mean[Coefficient.PEARSON]
        .value
        for m in metrics
    ]
    assert (test.first_value, test.second_value) == pytest.approx(wanted)


def test_pearson_test_does_not_change_with_the_scale_of_a_metric():
    human, (first, second) = _assessed(1, 30)
    scaled = MetricScores("m1", second.outputs, second.values * 100 - 7)
    one, other = (
        compare_pearson(human, [first, each], resampling=Resampling(draws=999)).tests[0].p
        for each in (second, scaled)
    )
    assert one == pytest.approx(other)


def test_pearson_test_of_a_constant_metric_is_undefined():
    human, (first, second) = _assessed(1, 30)
    constant = MetricScores("flat", second.outputs, np.ones(30))
    with pytest.raises(UndefinedError, match="'flat' on 'cs-en': the metric gives all outputs"):
        compare_pearson(human, [first, constant])


def _is_uniform(p_values):
    """Coarsely: 300 values, whose quarters are 75 ± 4 standard deviations of 7.5."""
    counts, _ = np.histogram(p_values, bins=[0, 0.25, 0.5, 0.75, 1.0])
    return (np.abs(counts - len(p_values) / 4) < 4 * np.sqrt(len(p_values) * 3 / 16)).all()


def test_consistency_test_of_equal_metrics_gives_any_p_alike(make_noisy):
    p_values = []
    for seed in range(300):
        preferences, quality = make_noisy(seed, n_segments=60, pairs=("cs-en",))
        metrics = [_noisy(quality, f"m{i}", 1.0, seed=1000 + 2 * seed + i) for i in (0, 1)]
        p_values.append(
            compare_consistency(preferences, metrics, resampling=Resampling(draws=99)).tests[0].p
        )
    assert _is_uniform(p_values)
    assert np.mean(np.array(p_values) <= 0.05) == pytest.approx(0.05, abs=0.04)


def test_pearson_test_of_equal_metrics_gives_any_p_alike():
    p_values = [
        compare_pearson(*_assessed(seed, 60), resampling=Resampling(draws=99)).tests[0].p
        for seed in range(300)
    ]
    assert _is_uniform(p_values)
    assert np.mean(np.array(p_values) <= 0.05) == pytest.approx(0.05, abs=0.04)
