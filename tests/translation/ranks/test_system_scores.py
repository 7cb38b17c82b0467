import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from tests.errors import coded

from ensue.errors import DataError, SettingError, UndefinedError
from ensue.translation.systems import (
    SEGMENT_METHODS,
    MetricScores,
    OutputKey,
    SystemKey,
    score_tables,
    segment_credits,
    system_scores,
    tie_interval,
)

BASIC, WITH_TIES, MEAN = SEGMENT_METHODS

TABLE = np.array([[5.0, 4.0, 1.0], [3.0, 3.0, 0.0], [1.0, 2.0, 4.0], [2.0, 2.5, 2.25]])
"""Four segments of systems a, b and c; the gaps at the top are 1, 0, 2 and 0.25."""


def metric(table, language_pair="de-en", systems="abcdefgh"):
    """Segments × systems; NaN leaves the output out."""
    cells = [(i, j) for i, j in np.ndindex(*np.shape(table)) if not np.isnan(table[i][j])]
    keys = tuple(OutputKey(language_pair, str(i + 1), systems[j]) for i, j in cells)
    return MetricScores("m", keys, np.array([table[i][j] for i, j in cells], dtype=float))


def joined(*scores):
    keys = sum((one.outputs for one in scores), ())
    return MetricScores("m", keys, np.concatenate([one.values for one in scores]))


def by_system(scores, method, **settings):
    return {key.system: value for key, value in system_scores(scores, method, **settings).items()}


@st.composite
def tables(draw, elements=None, min_systems=2):
    shape = draw(st.tuples(st.integers(1, 8), st.integers(min_systems, 5)))
    some = elements if elements is not None else st.integers(-5, 5)
    return draw(arrays(np.float64, shape, elements=some))


def distinct(shape, seed):
    return np.random.default_rng(seed).permutation(shape[0] * shape[1]).reshape(shape) / 7


def test_basic_is_the_share_of_segments_ranked_best():
    # a: best alone on 1, one of two on 2; b: one of two on 2, alone on 4; c: alone on 3
    assert by_system(metric(TABLE), BASIC) == {
        "a": (1 + 1 / 2) / 4,
        "b": (1 / 2 + 1) / 4,
        "c": 1 / 4,
    }


@pytest.mark.parametrize(
    ("epsilon", "expected"),
    [
        (0.0, {"a": 2 / 4, "b": 2 / 4, "c": 1 / 4}),  # both of segment 2
        (0.25, {"a": 2 / 4, "b": 2 / 4, "c": 2 / 4}),  # c on 4, exactly at the edge
        (1.0, {"a": 3 / 4, "b": 3 / 4, "c": 2 / 4}),  # b on 1, a on 4
        (2.0, {"a": 3 / 4, "b": 4 / 4, "c": 2 / 4}),  # b on 3
    ],
)
def test_with_ties_is_the_share_of_segments_at_most_epsilon_below_the_best(epsilon, expected):
    assert by_system(metric(TABLE), WITH_TIES, epsilon=epsilon) == expected


def test_mean_is_the_mean_segment_score():
    assert by_system(metric(TABLE), MEAN) == {
        "a": (5 + 3 + 1 + 2) / 4,
        "b": (4 + 3 + 2 + 2.5) / 4,
        "c": (1 + 0 + 4 + 2.25) / 4,
    }


@pytest.mark.parametrize(
    ("share", "epsilon", "reached"),
    [
        (0.0, 0.0, 0.25),
        (0.25, 0.0, 0.25),
        (0.3, 0.25, 0.5),
        (0.5, 0.25, 0.5),
        (0.51, 1.0, 0.75),
        (1.0, 2.0, 1.0),
    ],
)
def test_tie_interval_is_the_smallest_gap_that_reaches_the_share(share, epsilon, reached):
    found = tie_interval(metric(TABLE), share)
    assert (found.epsilon, found.reached, found.n_segments) == (epsilon, reached, 4)


def test_tie_interval_is_thirty_percent_by_default():
    # gaps 1, 2, ..., 10: three of ten are at most 3
    scores = metric(np.array([[0, -gap] for gap in range(1, 11)]))
    assert tie_interval(scores).epsilon == 3
    assert tie_interval(scores).reached == 0.3


@pytest.mark.parametrize("tenth", range(11))
def test_tie_interval_does_not_ask_for_more_than_an_exact_share(tenth):
    scores = metric(np.array([[0, -gap] for gap in range(1, 31)]))
    assert tie_interval(scores, 0.1 * tenth).epsilon == 3 * tenth


def test_tie_interval_is_zero_where_equal_scores_exceed_the_share():
    found = tie_interval(metric(np.array([[1, 1, 0], [2, 2, 2], [3, 1, 0]])))
    assert (found.epsilon, found.share, found.reached) == (0.0, 0.3, 2 / 3)


def test_tie_interval_is_one_for_all_language_pairs():
    czech, german = np.array([[9.0, 8.0], [9.0, 7.0]]), np.array([[9.0, 6.0], [9.0, 5.0]])
    both = joined(metric(czech, "cs-en"), metric(german, "de-en"))
    # gaps 1, 2 and 3, 4: half of the four is reached at 2
    assert tie_interval(both, 0.5).epsilon == 2


def test_tie_interval_leaves_out_segments_with_one_output():
    found = tie_interval(metric(np.array([[1, np.nan], [2, 1], [np.nan, 3]])), 1.0)
    assert (found.epsilon, found.n_segments) == (1.0, 1)


def test_tie_interval_of_one_system_is_undefined():
    with pytest.raises(UndefinedError, check=coded("no-segment-outputs-two")) as caught:
        tie_interval(metric(np.array([[1.0], [2.0]])))
    assert caught.value.hint == "score two systems or more on the same segments"


@pytest.mark.parametrize("share", [-0.1, 1.1, np.nan])
def test_tie_interval_refuses_what_is_no_share(share):
    with pytest.raises(SettingError, check=coded("share-not-between")):
        tie_interval(metric(TABLE), share)


@given(tables(st.floats(-5, 5)), st.floats(0.001, 1))
def test_tie_interval_is_numpys_quantile_of_the_gaps(table, share):
    ranked = np.sort(table, axis=1)
    gaps = ranked[:, -1] - ranked[:, -2]
    expected = np.quantile(gaps, share, method="inverted_cdf")
    found = tie_interval(metric(table), share)
    assert found.epsilon == expected
    assert found.reached >= share - 1e-9


@given(tables(), st.floats(0, 1), st.floats(0, 1))
def test_tie_interval_grows_with_the_share(table, one, other):
    low, high = sorted((one, other))
    scores = metric(table)
    assert tie_interval(scores, low).epsilon <= tie_interval(scores, high).epsilon


@given(tables(), st.floats(0, 1))
def test_tie_interval_gives_ties_for_first_place_on_the_share_that_it_reached(table, share):
    found = tie_interval(metric(table), share)
    (one,) = score_tables(metric(table))
    firsts = segment_credits(one, WITH_TIES, found.epsilon).sum(axis=1)
    assert (firsts >= 2).mean() == pytest.approx(found.reached)


def test_with_ties_takes_its_interval_from_the_scores():
    scores = metric(TABLE)
    epsilon = tie_interval(scores).epsilon
    assert system_scores(scores, WITH_TIES) == system_scores(scores, WITH_TIES, epsilon=epsilon)


@given(st.tuples(st.integers(1, 8), st.integers(2, 5)), st.integers(0, 99))
def test_with_ties_is_basic_without_an_interval_and_equal_scores(shape, seed):
    scores = metric(distinct(shape, seed))
    assert system_scores(scores, WITH_TIES, epsilon=0.0) == system_scores(scores, BASIC)


@given(tables())
def test_with_ties_is_one_for_all_with_an_endless_interval(table):
    found = system_scores(metric(table), WITH_TIES, epsilon=np.inf)
    assert set(found.values()) == {1.0}


@given(tables(), st.floats(0, 4), st.floats(0, 4))
def test_with_ties_grows_with_the_interval(table, one, other):
    low, high = (by_system(metric(table), WITH_TIES, epsilon=e) for e in sorted((one, other)))
    assert all(low[system] <= high[system] for system in low)


@given(tables())
def test_basic_sums_to_one(table):
    assert sum(system_scores(metric(table), BASIC).values()) == pytest.approx(1)


@given(tables(), st.randoms(use_true_random=False))
@pytest.mark.parametrize("method", SEGMENT_METHODS)
def test_system_scores_move_with_their_systems(method, table, random):
    names = list("abcdefgh")[: table.shape[1]]
    places = list(range(len(names)))
    random.shuffle(places)
    moved = metric(table[:, places], systems=[names[i] for i in places])
    assert by_system(moved, method) == pytest.approx(by_system(metric(table), method))


@given(tables(), st.integers(1, 20), st.integers(-9, 9))
def test_basic_does_not_depend_on_the_scale_of_the_scores(table, factor, shift):
    stretched = metric(table * factor + shift)
    assert system_scores(stretched, BASIC) == system_scores(metric(table), BASIC)


@pytest.mark.parametrize(("method", "expected"), [(BASIC, 1 / 3), (WITH_TIES, 1.0), (MEAN, 2.0)])
def test_identical_outputs_give_all_systems_the_same(method, expected):
    found = by_system(metric(np.full((4, 3), 2.0)), method)
    assert found == pytest.approx(dict.fromkeys("abc", expected))


def test_shares_are_over_the_segments_that_a_system_has():
    missing = np.nan
    table = np.array([[2, 1, missing], [1, missing, 2], [3, 1, 2], [missing, missing, 9]])
    # segment 4 has c alone and does not count: a 2 of 3, b 0 of 2, c 1 of 2
    assert by_system(metric(table), BASIC) == {"a": 2 / 3, "b": 0.0, "c": 1 / 2}
    # c is a score of its own on segment 4, nevertheless
    assert by_system(metric(table), MEAN)["c"] == pytest.approx((2 + 2 + 9) / 3)


def test_one_system_only_is_not_the_best_of_any():
    alone = metric(np.array([[1.0], [2.0]]))
    assert by_system(alone, BASIC) == {"a": None}
    assert by_system(alone, WITH_TIES, epsilon=0.5) == {"a": None}
    assert by_system(alone, MEAN) == {"a": 1.5}


def test_system_scores_keep_language_pairs_apart():
    both = joined(metric(TABLE, "cs-en"), metric(-TABLE, "de-en"))
    found = system_scores(both, MEAN)
    assert found[SystemKey("cs-en", "a")] == -found[SystemKey("de-en", "a")]
    assert len(found) == 6


def test_score_tables_have_nan_where_there_is_no_output():
    (table,) = score_tables(metric(np.array([[1, np.nan], [2, 3]])))
    assert (table.segments, table.systems) == (("1", "2"), ("a", "b"))
    assert np.array_equal(table.scores, [[1, np.nan], [2, 3]], equal_nan=True)


@pytest.mark.parametrize("method", SEGMENT_METHODS)
def test_system_scores_without_scores_are_undefined(method):
    with pytest.raises(UndefinedError, check=coded("no-scores")):
        system_scores(MetricScores("m", (), np.empty(0)), method)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_system_scores_refuse_what_is_no_finite_number(wrong):
    keys = (OutputKey("de-en", "7", "a"), OutputKey("de-en", "7", "b"))
    with pytest.raises(DataError, match=r"system 'b' on segment '7' \(de-en\) is "):
        system_scores(MetricScores("m", keys, np.array([1.0, wrong])), BASIC)


def test_system_scores_refuse_an_output_with_two_scores():
    keys = (OutputKey("", "7", "a"), OutputKey("", "7", "a"))
    with pytest.raises(DataError, match="system 'a' on segment '7' has two scores"):
        system_scores(MetricScores("m", keys, np.array([1.0, 2.0])), BASIC)


def test_system_scores_refuse_other_numbers_of_outputs_and_scores():
    with pytest.raises(DataError, match="1 outputs have scores of shape"):
        system_scores(MetricScores("m", (OutputKey("", "1", "a"),), np.ones(2)), BASIC)


@pytest.mark.parametrize("epsilon", [-0.5, np.nan])
def test_system_scores_refuse_an_interval_that_makes_no_sense(epsilon):
    with pytest.raises(SettingError, check=coded("tie-interval-makes-no")):
        system_scores(metric(TABLE), WITH_TIES, epsilon=epsilon)
