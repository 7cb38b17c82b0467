from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import bootstrap

from ensue.errors import SettingError
from ensue.evaluation.measures import (
    ACCURACY,
    ACCURACY_ALL,
    CWS,
    MEASURES,
    PRECISION,
    F,
    as_it_is,
    interval,
    replicates,
)
from ensue.statistics import resampling
from ensue.statistics.resampling import Resampling, drawn_counts


@pytest.fixture(scope="module")
def judged(make_judged):
    rng = np.random.default_rng(5)
    gold, answers = "".join(rng.choice(list("YN"), 200)), "".join(rng.choice(list("YN-"), 200))
    return make_judged(gold, answers, rng.integers(0, 50, 200) / 50)


def test_drawn_counts_draw_n_of_n_each_time():
    counts = np.concatenate(list(drawn_counts(7, 100, np.random.default_rng(0))))
    assert counts.shape == (100, 7)
    assert (counts.sum(axis=1) == 7).all()


def test_drawn_counts_draw_every_pair_equally_often():
    counts = np.concatenate(list(drawn_counts(5, 4000, np.random.default_rng(0))))
    assert counts.mean(axis=0) == pytest.approx([1] * 5, abs=5 * np.sqrt(0.8 / 4000))


def test_drawn_counts_come_in_bounded_pieces(monkeypatch):
    monkeypatch.setattr(resampling, "_CELLS", 20)
    sizes = [part.shape for part in drawn_counts(7, 5, np.random.default_rng(0))]
    assert sizes == [(2, 7), (2, 7), (1, 7)]


def test_replicates_do_not_depend_on_the_pieces(judged, monkeypatch):
    whole = replicates([judged], MEASURES, resampling=Resampling(draws=50))[0]
    monkeypatch.setattr(resampling, "_CELLS", 1000)
    pieces = replicates([judged], MEASURES, resampling=Resampling(draws=50))[0]
    for name in whole:
        np.testing.assert_allclose(whole[name], pieces[name], atol=1e-12)


def test_replicates_repeat_with_their_seed(judged):
    first, again, other = (
        replicates([judged], [ACCURACY], resampling=Resampling(draws=20, seed=seed))[0]["accuracy"]
        for seed in (3, 3, 4)
    )
    assert (first == again).all()
    assert (first != other).any()


def test_replicates_give_all_runs_the_same_draws(judged):
    first, second = replicates([judged, judged], MEASURES, resampling=Resampling(draws=20))
    for name in first:
        np.testing.assert_array_equal(first[name], second[name])


def test_weighted_measures_of_ones_are_the_plain_measures(judged):
    for measure in MEASURES:
        assert float(measure.weighted(as_it_is(judged))[0]) == measure(judged)


def test_interval_of_accuracy_agrees_with_scipys_bootstrap(judged):
    wanted = bootstrap(
        (judged.right.astype(float),),
        np.mean,
        n_resamples=4000,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    ours = interval(judged, ACCURACY_ALL, resampling=Resampling(draws=4000))
    assert ours.low == pytest.approx(wanted.low, abs=0.01)
    assert ours.high == pytest.approx(wanted.high, abs=0.01)


def test_interval_of_cws_agrees_with_scipys_bootstrap(judged):
    chosen = judged.subset(judged.answered)

    def plain_cws(indices):
        ranked = indices[np.argsort(-chosen.confidence[indices], kind="stable")]
        right = np.cumsum(chosen.right[ranked])
        return float((right / np.arange(1, len(right) + 1)).mean())

    wanted = bootstrap(
        (np.arange(chosen.n_pairs),),
        plain_cws,
        n_resamples=800,
        method="percentile",
        vectorized=False,
        rng=np.random.default_rng(0),
    ).confidence_interval
    ours = interval(chosen, CWS)
    assert ours.low == pytest.approx(wanted.low, abs=0.02)
    assert ours.high == pytest.approx(wanted.high, abs=0.02)


def test_interval_holds_the_value_and_widens_with_its_level(judged):
    for measure in MEASURES:
        narrow = interval(judged, measure, resampling=Resampling(draws=500, level=0.5))
        wide = interval(judged, measure, resampling=Resampling(draws=500, level=0.99))
        assert wide.low <= narrow.low <= narrow.high <= wide.high
        assert wide.low <= narrow.value <= wide.high


def test_interval_counts_the_draws_that_do_not_define_the_measure(make_judged):
    # one yes answer among 3 pairs: a draw misses it with probability (2/3)^3
    result = interval(make_judged("YNN", "YNN"), PRECISION, resampling=Resampling(draws=3000))
    assert result.value == result.low == result.high == 1
    assert result.n_undefined / 3000 == pytest.approx((2 / 3) ** 3, abs=0.04)


def test_interval_of_an_undefined_measure_has_only_a_reason(make_judged):
    result = interval(make_judged("YN", "YN"), CWS)
    assert (result.value, result.low, result.high) == (None, None, None)
    assert result.reason == "the run has no confidences"


def test_interval_without_draws_is_the_value_alone(judged):
    result = interval(judged, F, resampling=Resampling(draws=0))
    assert result.value is not None
    assert (result.low, result.high) == (None, None)


@pytest.mark.parametrize("level", [0, 1, 1.5])
def test_interval_refuses_a_level_that_is_none(judged, level):
    with pytest.raises(SettingError, match=f"level {level!r} is not between 0 and 1"):
        interval(judged, ACCURACY, resampling=Resampling(level=level))


def test_interval_refuses_a_negative_number_of_draws(judged):
    with pytest.raises(SettingError, match="-1 draws cannot be made"):
        interval(judged, ACCURACY, resampling=Resampling(draws=-1))


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=50), st.floats(0.01, 0.99))
def test_percentile_interval_lies_within_the_draws(draws, level):
    low, high = Resampling(level=level).interval(np.array(draws))
    assert min(draws) <= low <= high <= max(draws)


def test_percentile_interval_takes_the_middle():
    assert Resampling(level=0.9).interval(np.arange(101.0)) == pytest.approx((5.0, 95.0))


def test_resampling_is_written_as_signatures_have_it():
    assert str(Resampling()) == "seed: 0, draws: 2000, level: 0.95"
    assert (Resampling().percent, Resampling().alpha) == ("95 %", 0.05)
