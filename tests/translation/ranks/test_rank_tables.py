import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from tests.errors import coded

from ensue.errors import SettingError, UndefinedError
from ensue.statistics.resampling import Resampling
from ensue.statistics.significance import range_clusters
from ensue.translation.ranks import rank_systems
from ensue.translation.systems import SEGMENT_METHODS, MetricScores, OutputKey, system_scores

BASIC, WITH_TIES, MEAN = SEGMENT_METHODS


def metric(table, language_pair="de-en", systems="abcdefgh"):
    cells = [(i, j) for i, j in np.ndindex(*np.shape(table)) if not np.isnan(table[i][j])]
    keys = tuple(OutputKey(language_pair, str(i + 1), systems[j]) for i, j in cells)
    return MetricScores("m", keys, np.array([table[i][j] for i, j in cells], dtype=float))


def rising(n_segments, steps, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_segments, len(steps))) + np.array(steps)


def test_ranks_go_down_with_the_score():
    found = rank_systems(metric(rising(50, [0, 3, 6])), MEAN, resampling=Resampling(draws=50))
    assert [(row.system, row.rank) for row in found] == [("c", 1), ("b", 2), ("a", 3)]


def test_systems_with_equal_scores_share_the_better_rank():
    table = np.array([[3.0, 2.0, 3.0, 1.0], [3.0, 2.0, 3.0, 1.0]])
    found = rank_systems(metric(table), MEAN, resampling=Resampling(draws=10))
    assert [(row.system, row.rank) for row in found] == [("a", 1), ("c", 1), ("b", 3), ("d", 4)]


@pytest.mark.parametrize("method", SEGMENT_METHODS)
def test_scores_of_a_rank_table_are_the_system_scores(method):
    scores = metric(rising(30, [0, 0.2, 0.4, 0.1]))
    expected = {key.system: value for key, value in system_scores(scores, method).items()}
    found = rank_systems(scores, method, resampling=Resampling(draws=5))
    assert {row.system: row.score.value for row in found} == pytest.approx(expected)


def test_interval_is_that_of_resampled_segments():
    table = rising(40, [0.0, 0.3], seed=3)
    rng = np.random.default_rng(11)
    means = table[rng.integers(0, 40, size=(20_000, 40))].mean(axis=1)
    expected = np.quantile(means, [0.025, 0.975], axis=0).T
    found = {
        row.system: row.score
        for row in rank_systems(metric(table), MEAN, resampling=Resampling(draws=20_000))
    }
    for system, (low, high) in zip("ab", expected, strict=True):
        assert (found[system].low, found[system].high) == pytest.approx((low, high), abs=0.02)


def test_interval_of_the_mean_is_scipys_percentile_bootstrap():
    from scipy.stats import bootstrap

    table = rising(40, [0.0, 0.3], seed=4)
    oracle = bootstrap((table[:, 0],), np.mean, n_resamples=9999, method="percentile", rng=1)
    found = {
        row.system: row.score
        for row in rank_systems(metric(table), MEAN, resampling=Resampling(draws=9999))
    }
    low, high = oracle.confidence_interval
    assert (found["a"].low, found["a"].high) == pytest.approx((low, high), abs=0.02)


def test_systems_far_apart_have_clusters_of_their_own():
    found = rank_systems(metric(rising(100, [0, 5, 10])), MEAN, resampling=Resampling(draws=200))
    assert [(row.best_rank, row.worst_rank) for row in found] == [(1, 1), (2, 2), (3, 3)]
    assert [row.cluster for row in found] == [1, 2, 3]
    assert [row.wins for row in found] == [1.0, 1.0, None]
    # no draw on the other side: twice (0 + 1) of (200 + 1)
    assert found[0].p == pytest.approx(2 / 201)


def test_systems_that_cannot_be_told_apart_share_a_cluster():
    found = rank_systems(metric(rising(60, [0, 5, 5.01])), MEAN, resampling=Resampling(draws=300))
    assert [row.cluster for row in found] == [1, 1, 2]
    assert {(row.best_rank, row.worst_rank) for row in found[:2]} == {(1, 2)}
    assert found[0].p is not None
    assert found[0].p > 0.05


def test_identical_systems_share_rank_range_and_cluster():
    column = rising(30, [0])
    found = rank_systems(
        metric(np.hstack([column, column, column - 9])), MEAN, resampling=Resampling(draws=100)
    )
    assert [row.rank for row in found] == [1, 1, 3]
    assert [(row.best_rank, row.worst_rank) for row in found] == [(1, 1), (1, 1), (3, 3)]
    assert [row.cluster for row in found] == [1, 1, 2]
    assert (found[0].wins, found[0].p) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        ([], []),
        ([(1, 2), (2, 3), (3, 4)], [1, 1, 1]),  # a chain, each overlapping the next
        ([(1, 2), (1, 2), (3, 3), (4, 5), (4, 5)], [1, 1, 2, 3, 3]),
        ([(1, 4), (2, 2), (3, 3), (4, 4)], [1, 1, 1, 1]),  # the first reaches down to all
        ([(1, 1), None, (2, 2), None], [1, None, 2, None]),
    ],
)
def test_clusters_end_where_no_range_above_reaches_one_below(ranges, expected):
    assert range_clusters(ranges) == expected


def test_rank_range_leaves_out_draws_at_either_end():
    # on one of 100 segments, b is far better: it wins when that is drawn often enough
    table = np.zeros((100, 2))
    table[:, 0] = 1
    table[0, 1] = 99.5  # b wins if drawn twice or more, as in about 26 % of the draws
    found = {
        row.system: row
        for row in rank_systems(metric(table), MEAN, resampling=Resampling(draws=2000))
    }
    assert (found["b"].best_rank, found["b"].worst_rank) == (1, 2)
    narrow = {
        r.system: r
        for r in rank_systems(metric(table), MEAN, resampling=Resampling(draws=2000, level=0.4))
    }
    assert (narrow["b"].best_rank, narrow["b"].worst_rank) == (2, 2)


def test_rank_systems_without_draws_has_no_intervals():
    found = rank_systems(metric(rising(10, [0, 1])), MEAN, resampling=Resampling(draws=0))
    assert [row.rank for row in found] == [1, 2]
    for row in found:
        nothing = (row.score.low, row.score.high, row.best_rank, row.worst_rank, row.cluster)
        assert nothing == (None,) * 5
        assert (row.wins, row.p) == (None, None)


def test_rank_systems_repeats_with_its_seed():
    scores = metric(rising(30, [0, 0.1, 0.2]))
    first = rank_systems(scores, WITH_TIES, resampling=Resampling(draws=100, seed=4))
    assert first == rank_systems(scores, WITH_TIES, resampling=Resampling(draws=100, seed=4))
    assert first != rank_systems(scores, WITH_TIES, resampling=Resampling(draws=100, seed=5))


def test_rank_table_of_a_language_pair_does_not_depend_on_others():
    czech, german = metric(rising(20, [0, 0.2]), "cs-en"), metric(rising(30, [1, 0]), "de-en")
    values = np.concatenate([czech.values, german.values])
    both = MetricScores("m", czech.outputs + german.outputs, values)
    together = rank_systems(both, MEAN, resampling=Resampling(draws=50))
    assert together == (
        *rank_systems(czech, MEAN, resampling=Resampling(draws=50)),
        *rank_systems(german, MEAN, resampling=Resampling(draws=50)),
    )


@pytest.mark.parametrize("method", [BASIC, WITH_TIES])
def test_one_system_only_has_no_share_and_no_rank(method):
    (row,) = rank_systems(
        metric(np.array([[1.0], [2.0]])), method, epsilon=0.1, resampling=Resampling(draws=20)
    )
    assert row.score.value is None
    assert row.score.reason == "no other system has an output for any of its segments"
    assert (row.n_segments, row.rank, row.cluster, row.wins) == (0, None, None, None)


def test_one_system_only_has_a_mean_and_the_first_rank():
    (row,) = rank_systems(metric(np.array([[1.0], [2.0]])), MEAN, resampling=Resampling(draws=20))
    assert (row.score.value, row.rank, row.best_rank, row.worst_rank) == (1.5, 1, 1, 1)
    assert (row.cluster, row.wins, row.p) == (1, None, None)


def test_with_ties_of_one_system_only_needs_an_interval():
    with pytest.raises(UndefinedError, check=coded("no-segment-outputs-two")):
        rank_systems(metric(np.array([[1.0], [2.0]])), WITH_TIES)


def test_system_without_contest_comes_last_in_the_table():
    table = np.array([[np.nan, 1, 2], [5, np.nan, np.nan], [np.nan, 2, 1], [np.nan, 3, 1]])
    found = rank_systems(metric(table), BASIC, resampling=Resampling(draws=50))
    assert [(row.system, row.rank) for row in found] == [("b", 1), ("c", 2), ("a", None)]
    assert found[1].p is None  # nothing below it to differ from


def test_draws_without_a_systems_segments_are_counted():
    table = np.full((20, 2), 1.0)
    table[:, 0] = 2
    table[1:, 1] = np.nan
    found = {
        row.system: row
        for row in rank_systems(metric(table), MEAN, resampling=Resampling(draws=1000))
    }
    # (1 - 1/20)^20, about 36 %, of the draws miss the one segment of b
    assert found["b"].score.n_undefined == pytest.approx(1000 * (19 / 20) ** 20, abs=60)
    assert (found["b"].n_segments, found["a"].n_segments) == (1, 20)
    assert (found["b"].best_rank, found["b"].worst_rank) == (2, 2)


@given(
    arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=st.integers(-3, 3))
)
@settings(max_examples=30)
def test_rank_table_is_in_order(table):
    found = rank_systems(metric(table), MEAN, resampling=Resampling(draws=40))
    ranks = [row.rank for row in found]
    clusters = [row.cluster for row in found]
    assert ranks == sorted(ranks)
    assert clusters == sorted(clusters)
    assert clusters[0] == 1
    for row in found:
        assert 1 <= row.best_rank <= row.worst_rank <= len(found)
        assert row.rank == 1 + sum(other.score.value > row.score.value for other in found)


def test_rank_systems_refuses_a_tie_interval_below_0():
    with pytest.raises(SettingError):
        rank_systems(metric(np.ones((2, 2))), WITH_TIES, epsilon=-1.0)
