from __future__ import annotations

import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import SettingError
from ensue.pairs import Label, Pair
from ensue.paraphrase.list_scores import (
    ListScores,
    ScoreVariable,
    intrinsic_scores,
    joined_scores,
    performance_scores,
)
from ensue.paraphrase.lists import ListKey, RankedLists
from ensue.paraphrase.recognition import Task, recognize
from ensue.paraphrase.scores import ScoreSettings, score

A, B, C = ListKey("killed", "A"), ListKey("killed", "B"), ListKey("broke", "A")


def _lists():
    return RankedLists.of(
        {A: ["murdered", "slain"], B: ["killed in"]}, columns={"q": np.array([1.0, 0.5, 1.0])}
    )


def test_intrinsic_scores_have_a_column_for_each_measure_and_k():
    scored = score(_lists(), ScoreSettings(ks=(1, 2)), "column:q")
    found = intrinsic_scores(scored, "column:q")
    assert len(found.intrinsic) == 3 * 2
    assert found.keys == (A, B)
    assert found.intrinsic[ScoreVariable("EP", 2, "column:q")].tolist() == [(1 + 0.5) / 2, 1 / 2]
    assert found.intrinsic[ScoreVariable("EPR", 1, "column:q")].tolist() == [1.0, 0.0]


def test_intrinsic_scores_of_judges_are_called_by_their_strictness():
    scored = score(_lists(), ScoreSettings(ks=(1,)), "column:q")
    assert ScoreVariable("EP", 1, "strict") in intrinsic_scores(scored, "judges:strict").intrinsic


def test_performance_scores_are_shares_of_positive_pairs():
    pairs = [
        Pair("1", "He was killed.", "He was murdered.", Label.ENTAILMENT),
        Pair("2", "She was killed.", "They were killing her.", Label.ENTAILMENT),
        Pair("3", "It killed them.", "They are gone.", Label.ENTAILMENT),
    ]
    recognition = recognize(_lists(), [Task.of("t", pairs)])
    assert performance_scores(recognition).extrinsic["t"].tolist() == [2 / 3, 1 / 3]
    added = performance_scores(recognition, by_patterns=True)
    assert added.extrinsic["t"].tolist() == [1 / 3, 0.0]


def test_joined_scores_are_aligned_by_term_and_method():
    scores = ListScores((A, B, C), {ScoreVariable("s"): np.array([1.0, 2.0, 3.0])}, {})
    tasks = ListScores((C, A), {}, {"t": np.array([30.0, 10.0])})
    found = joined_scores([scores, tasks])
    assert found.keys == (A, B, C)
    assert found.intrinsic[ScoreVariable("s")].tolist() == [1.0, 2.0, 3.0]
    assert found.extrinsic["t"].tolist() == pytest.approx([10.0, np.nan, 30.0], nan_ok=True)


def test_joined_scores_leave_gaps_where_one_of_several_tasks_lacks_a_list():
    scores = ListScores((A, B), {ScoreVariable("s"): np.array([1.0, 2.0])}, {})
    one = ListScores((A, B), {}, {"t": np.array([10.0, 20.0])})
    other = ListScores((B,), {}, {"u": np.array([5.0])})
    found = joined_scores([scores, one, other])
    assert np.isnan(found.extrinsic["u"][0])
    assert found.extrinsic["u"][1] == 5.0


def test_joined_scores_refuse_one_name_for_two_columns():
    part = ListScores((A,), {ScoreVariable("s"): np.array([1.0])}, {})
    with pytest.raises(SettingError, match="two columns are called 's'"):
        joined_scores([part, part])


def test_joined_scores_refuse_lists_that_never_meet():
    scores = ListScores((A,), {ScoreVariable("s"): np.array([1.0])}, {})
    tasks = ListScores((B,), {}, {"t": np.array([1.0])})
    with pytest.raises(SettingError, check=coded("no-list-both-score")) as error:
        joined_scores([scores, tasks])
    assert "term and method" in (error.value.hint or "")
