from __future__ import annotations

import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import DataError, UndefinedError
from ensue.statistics.resampling import Resampling
from ensue.translation.evaluation.correlation import (
    comparison_strata,
    human_values,
    scores_of,
    strata,
    stratified_sums,
)


def test_scores_of_follow_the_outputs(make_key, make_scores):
    scores = make_scores(_1_A=0.5, _1_B=0.25, _1_C=1.0)
    assert scores_of([make_key("1:C"), make_key("1:A")], scores).tolist() == [1.0, 0.5]


def test_scores_of_say_that_nothing_overlaps(make_key, make_scores):
    wanted = "no overlap between judgments and outputs: 'metric' scores none of the 1 judged"
    with pytest.raises(DataError, match=wanted):
        scores_of([make_key("cs-en:1:A")], make_scores(_1_A=0.5))


def test_scores_of_name_an_output_without_a_score(make_key, make_scores):
    wanted = "'metric' has no score for system 'B', segment '7' of 'cs-en', one of 1 judged"
    scores = make_scores(**{"cs-en_7_A": 0.5})
    with pytest.raises(DataError, match=wanted):
        scores_of([make_key("cs-en:7:A"), make_key("cs-en:7:B")], scores)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_scores_of_refuse_what_is_not_finite(value, make_key, make_scores):
    with pytest.raises(DataError, match=f"segment '1' the score {value!r}"):
        scores_of([make_key("1:A")], make_scores(_1_A=value))


def test_human_values_refuse_nothing():
    with pytest.raises(UndefinedError, check=coded("no-absolute-human-scores")):
        human_values({})


def test_strata_tell_segments_of_language_pairs_apart(make_key):
    keys = [make_key(each) for each in ("cs-en:1:A", "de-en:1:A", "cs-en:2:A", "cs-en:1:B")]
    found = strata(keys)
    assert found.segment.tolist() == [0, 1, 2, 0]
    assert found.language_pairs == ("cs-en", "de-en")
    assert [(name, members.tolist()) for name, members in found.members()] == [
        ("cs-en", [0, 2]),
        ("de-en", [1]),
    ]


def test_strata_number_the_segments_of_a_language_pair(make_key):
    keys = [make_key(each) for each in ("cs-en:1:A", "de-en:1:A", "de-en:2:A", "de-en:1:B")]
    _, (name, chosen, segment) = strata(keys).observations()
    assert (name, chosen.tolist(), segment.tolist()) == ("de-en", [1, 2, 3], [0, 1, 0])


def test_comparison_strata_leave_out_segments_without_a_comparison(make_preferences):
    chosen = make_preferences("1:A = 1:B", "2:A > 2:B", "3:A > 3:B").decided()
    found = comparison_strata(chosen)
    assert found.n_segments == 2
    assert found.segment.tolist() == [0, 1]


def test_stratified_sums_keep_the_number_of_segments(make_key):
    keys = [make_key(f"{pair}:{i}:A") for pair in ("cs-en", "de-en") for i in range(5)]
    sums = stratified_sums(np.ones((10, 1)), strata(keys), Resampling(7))
    assert {name: each.shape for name, each in sums.items()} == {"cs-en": (8, 1), "de-en": (8, 1)}
    assert all((each == 5).all() for each in sums.values())
