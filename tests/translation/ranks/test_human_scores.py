import csv
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import DataError, UndefinedError
from ensue.translation.systems import (
    HumanMethod,
    OutputKey,
    Preferences,
    SystemKey,
    human_system_scores,
)

BETTER_OR_EQUAL, BETTER, EXPECTED_WIN = HumanMethod

RANKINGS = [{"a": 1, "b": 2, "c": 2}, {"a": 2, "b": 1, "c": 3}, {"a": 1, "b": 1}, {"a": 1, "b": 2}]
"""Of four segments: a beats b twice, b beats a once, a ties b once; a beats c twice; b beats c
once and ties c once."""


def preferences(rankings, language_pair="de-en"):
    places, compared = {}, []
    for segment, ranks in enumerate(rankings, start=1):
        for pair in combinations(ranks, 2):
            better, worse = sorted(pair, key=lambda system: ranks[system])
            keys = [OutputKey(language_pair, str(segment), one) for one in (better, worse)]
            ids = [places.setdefault(key, len(places)) for key in keys]
            compared.append((*ids, ranks[better] == ranks[worse]))
    better, worse, tied = np.array(compared, dtype=np.int64).reshape(-1, 3).T
    judge = np.zeros(len(better), dtype=np.int64)
    return Preferences(tuple(places), better, worse, tied.astype(bool), ("j",), judge)


def by_system(rankings, method):
    found = human_system_scores(preferences(rankings), method)
    return {key.system: value for key, value in found.items()}


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        # a: 4 wins, 1 tie, 1 loss; b: 2 wins, 2 ties, 2 losses; c: 0 wins, 1 tie, 3 losses
        (BETTER_OR_EQUAL, {"a": (4 + 1) / 6, "b": (2 + 2) / 6, "c": (0 + 1) / 4}),
        (BETTER, {"a": 4 / (4 + 1), "b": 2 / (2 + 2), "c": 0 / (0 + 3)}),
        (EXPECTED_WIN, {"a": (2 / 3 + 2 / 2) / 2, "b": (1 / 3 + 1 / 1) / 2, "c": (0 + 0) / 2}),
    ],
)
def test_human_system_scores_are_worked_by_hand(method, expected):
    assert by_system(RANKINGS, method) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("method", "expected"), [(BETTER_OR_EQUAL, 1.0), (BETTER, None), (EXPECTED_WIN, None)]
)
def test_system_that_only_ties_has_a_score_where_ties_count(method, expected):
    found = by_system([{"a": 1, "b": 1}, {"c": 1, "d": 2}], method)
    assert (found["a"], found["b"]) == (expected, expected)
    assert (found["c"], found["d"]) == (1.0, 0.0)


def test_expected_win_does_not_depend_on_how_often_opponents_met():
    few = [{"a": 1, "b": 2}, {"a": 2, "c": 1}, {"b": 1, "c": 2}]
    many = few + [{"a": 1, "b": 2}] * 7
    assert by_system(many, EXPECTED_WIN) == by_system(few, EXPECTED_WIN)
    assert by_system(many, BETTER) != by_system(few, BETTER)


def test_human_system_scores_keep_language_pairs_apart():
    first, second = preferences([{"a": 1, "b": 2}], "cs-en"), preferences([{"a": 2, "b": 1}])
    both = Preferences(
        first.outputs + second.outputs,
        np.concatenate([first.better, second.better + 2]),
        np.concatenate([first.worse, second.worse + 2]),
        np.concatenate([first.is_tie, second.is_tie]),
        ("j",),
        np.zeros(2, dtype=np.int64),
    )
    assert human_system_scores(both, BETTER) == {
        SystemKey("cs-en", "a"): 1.0,
        SystemKey("cs-en", "b"): 0.0,
        SystemKey("de-en", "b"): 1.0,
        SystemKey("de-en", "a"): 0.0,
    }


@given(
    st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers(1, 3), min_size=2), min_size=1)
)
def test_human_system_scores_are_shares(rankings):
    for method in HumanMethod:
        for value in by_system(rankings, method).values():
            assert value is None or 0 <= value <= 1


@given(st.lists(st.permutations(["a", "b"]), min_size=1))
def test_two_systems_scores_sum_to_one_without_ties(orders):
    rankings = [{first: 1, second: 2} for first, second in orders]
    for method in HumanMethod:
        assert sum(by_system(rankings, method).values()) == pytest.approx(1)


@given(
    st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers(1, 3), min_size=2), min_size=1)
)
def test_better_is_better_or_equal_without_the_ties(rankings):
    decided = preferences(rankings).decided()
    if len(decided):
        found = human_system_scores(decided, BETTER_OR_EQUAL)
        assert found == human_system_scores(preferences(rankings), BETTER)


def test_human_system_scores_without_comparisons_are_undefined():
    with pytest.raises(UndefinedError, check=coded("no-comparisons-rank-systems")):
        human_system_scores(preferences([]), BETTER)


def test_human_system_scores_refuse_comparisons_across_segments():
    keys = (OutputKey("de-en", "1", "a"), OutputKey("de-en", "2", "b"))
    one, none = np.array([1]), np.array([0])
    with pytest.raises(DataError, match="comparison 0 is of different segments"):
        human_system_scores(Preferences(keys, none, one, none == 1, ("j",), none), BETTER)


@pytest.mark.data
def test_wmt12_systems_are_preferred_this_often(shared_data):
    rankings = []
    with (shared_data / "wmt12" / "judgments.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if (row["srclang"], row["trglang"]) == ("Czech", "English"):
                given = {row[f"system{i}Id"]: int(row[f"system{i}rank"]) for i in range(1, 6)}
                rankings.append({name: rank for name, rank in given.items() if rank > 0})
    assert by_system(rankings, BETTER) == pytest.approx(
        {
            "onlineB": 0.65,
            "uedin-wmt12": 0.60,
            "cu-bojar": 0.53,
            "onlineA": 0.53,
            "uk-dan-moses": 0.37,
            "jhu-heiro": 0.32,
        },
        abs=0.005,
    )
