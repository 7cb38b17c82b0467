import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import SettingError
from ensue.statistics.resampling import Resampling
from ensue.translation.ranks import rank_corpora, rank_systems
from ensue.translation.systems import MetricScores, OutputKey, SystemMethod, system_scores


def key(segment, system, pair="de-en"):
    return OutputKey(pair, str(segment), system)


def share(statistics):
    """Hits over words, as a precision is."""
    return statistics[:, 0] / statistics[:, 1]


def test_corpus_score_is_that_of_summed_statistics():
    outputs = [key(1, "a"), key(2, "a"), key(1, "b"), key(2, "b")]
    statistics = np.array([[1, 2], [6, 8], [1, 1], [0, 9]], float)
    first, second = rank_corpora(outputs, statistics, share, resampling=Resampling(draws=0))
    # by the mean of segments b would be ahead of nobody: (1/2 + 6/8) / 2 and (1 + 0) / 2
    assert (first.system, first.score.value) == ("a", (1 + 6) / (2 + 8))
    assert (second.system, second.score.value) == ("b", (1 + 0) / (1 + 9))


def test_corpus_score_counts_the_segments_that_a_system_has():
    outputs = [key(1, "a"), key(2, "a"), key(1, "b")]
    statistics = np.array([[1, 2], [1, 4], [3, 4]], float)
    ranks = rank_corpora(outputs, statistics, share, resampling=Resampling(draws=0))
    assert [(each.system, each.n_segments) for each in ranks] == [("b", 1), ("a", 2)]


def test_corpus_ranks_keep_language_pairs_apart():
    outputs = [key(1, "a", "de-en"), key(1, "a", "fr-en")]
    ranks = rank_corpora(
        outputs, np.array([[1, 2], [1, 4]], float), share, resampling=Resampling(draws=0)
    )
    assert [(each.language_pair, each.rank) for each in ranks] == [("de-en", 1), ("fr-en", 1)]


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=2, max_size=12))
def test_corpus_ranks_of_means_are_those_of_the_mean_method(scores):
    values = np.array(scores)
    outputs = [key(i, system) for i in range(len(scores)) for system in "ab"]
    flat = values.ravel()
    statistics = np.column_stack([flat, np.ones(len(flat))])
    found = rank_corpora(outputs, statistics, share, resampling=Resampling(draws=50, seed=3))
    expected = rank_systems(
        MetricScores("m", tuple(outputs), flat),
        SystemMethod.MEAN,
        resampling=Resampling(draws=50, seed=3),
    )
    assert [(each.system, each.rank, each.cluster) for each in found] == [
        (each.system, each.rank, each.cluster) for each in expected
    ]
    for one, other in zip(found, expected, strict=True):
        assert one.score.low == pytest.approx(other.score.low)


def test_segment_scores_make_no_corpus_score():
    scores = MetricScores("m", (key(1, "a"), key(1, "b")), np.array([1.0, 2.0]))
    with pytest.raises(SettingError, check=coded("corpus-score-not-made")):
        system_scores(scores, SystemMethod.CORPUS)
