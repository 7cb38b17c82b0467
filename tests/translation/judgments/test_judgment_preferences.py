"""Comparisons of two outputs from rankings and scores, and judges who contradict themselves."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.translation.judgments import contradictions, preferences
from ensue.translation.systems import (
    Assessment,
    AssessmentKind,
    HumanRanking,
    OutputKey,
    TranslationJudgments,
)


def listed(found):
    """Each comparison as (segment, better, worse, tie, judge)."""
    return [
        (
            found.outputs[better].segment,
            found.outputs[better].system,
            found.outputs[worse].system,
            tie,
            found.judges[judge],
        )
        for better, worse, tie, judge in zip(
            found.better, found.worse, found.is_tie.tolist(), found.judge, strict=True
        )
    ]


def adequacy(system, score, judge="ada", segment="1", kind=AssessmentKind.ADEQUACY):
    return Assessment("cs-en", segment, system, judge, kind, score)


def test_preferences_of_a_ranking_are_every_two_outputs(ranked):
    assert listed(preferences(ranked(("7", "ada", {"u": 2, "v": 1, "w": 2})))) == [
        ("7", "v", "u", False, "ada"),
        ("7", "u", "w", True, "ada"),
        ("7", "v", "w", False, "ada"),
    ]


def test_preferences_follow_the_order_of_the_rankings(ranked):
    found = preferences(ranked(("2", "ben", {"u": 1, "v": 2}), ("1", "ada", {"v": 1, "u": 2})))
    assert listed(found) == [("2", "u", "v", False, "ben"), ("1", "v", "u", False, "ada")]


def test_preferences_name_each_output_once(ranked):
    found = preferences(ranked(("1", "ada", {"u": 1, "v": 2}), ("1", "ben", {"v": 1, "u": 2})))
    assert found.outputs == (OutputKey("cs-en", "1", "u"), OutputKey("cs-en", "1", "v"))


def test_preferences_of_one_output_are_none(ranked):
    assert len(preferences(ranked(("1", "ada", {"u": 1}), ("2", "ada", {})))) == 0


def test_preferences_of_nothing_are_none():
    found = preferences(TranslationJudgments())
    assert len(found) == 0
    assert found.outputs == ()
    assert len(found.decided()) == 0


def test_preferences_leave_assessments_alone_unless_asked():
    assert len(preferences(TranslationJudgments((), (adequacy("u", 4), adequacy("v", 2))))) == 0


def test_preferences_of_assessments_compare_scores_of_one_judge():
    given_scores = (adequacy("u", 2), adequacy("v", 4), adequacy("w", 5, judge="ben"))
    found = preferences(TranslationJudgments((), given_scores), of_assessments=True)
    assert listed(found) == [("1", "v", "u", False, "ada")]


def test_preferences_of_assessments_mark_equal_scores_as_ties():
    found = preferences(
        TranslationJudgments((), (adequacy("u", 3), adequacy("v", 3))), of_assessments=True
    )
    assert found.is_tie.tolist() == [True]


def test_preferences_of_assessments_keep_kinds_and_segments_apart():
    scores = (
        adequacy("u", 4),
        adequacy("v", 2, kind=AssessmentKind.FLUENCY),
        adequacy("w", 1, segment="2"),
    )
    assert len(preferences(TranslationJudgments((), scores), of_assessments=True)) == 0


def test_preferences_of_assessments_average_what_a_judge_scored_again():
    # u: (5 + 2) / 2 = 3.5, below v's 4
    scores = (adequacy("u", 5), adequacy("v", 4), adequacy("u", 2))
    found = preferences(TranslationJudgments((), scores), of_assessments=True)
    assert listed(found) == [("1", "v", "u", False, "ada")]


def test_preferences_of_assessments_come_after_those_of_rankings():
    ranking = HumanRanking("cs-en", "9", "ben", {"u": 1, "v": 2})
    scores = (adequacy("u", 2), adequacy("v", 4))
    found = preferences(TranslationJudgments((ranking,), scores), of_assessments=True)
    assert [each[0] for each in listed(found)] == ["9", "1"]


@given(data=st.data())
def test_preferences_turn_round_when_all_ranks_do(any_rankings, data):
    judgments = data.draw(any_rankings)
    turned = TranslationJudgments(
        tuple(
            HumanRanking(r.language_pair, r.segment, r.judge, {s: -k for s, k in r.ranks.items()})
            for r in judgments.rankings
        )
    )
    there, back = preferences(judgments), preferences(turned)
    decided = ~there.is_tie
    assert np.array_equal(there.is_tie, back.is_tie)
    assert np.array_equal(there.better[decided], back.worse[decided])
    assert np.array_equal(there.worse[decided], back.better[decided])


@given(data=st.data())
def test_preferences_are_as_many_as_two_outputs_of_a_ranking(any_rankings, data):
    judgments = data.draw(any_rankings)
    sizes = [len(ranking.ranks) for ranking in judgments.rankings]
    assert len(preferences(judgments)) == sum(n * (n - 1) // 2 for n in sizes)


def test_contradictions_are_found_with_their_places(ranked):
    judgments = ranked(
        ("1", "ada", {"v": 1, "u": 2}),
        ("1", "ben", {"u": 1, "v": 2}),
        ("1", "ada", {"u": 1, "v": 2, "w": 3}),
    )
    found = contradictions(judgments)
    assert found.n_repeated == 1
    (one,) = found.found
    assert (one.segment, one.judge, one.systems) == ("1", "ada", ("u", "v"))
    assert one.places == ("made:1", "made:3")


def test_contradictions_are_no_ties_and_no_other_segments(ranked):
    judgments = ranked(
        ("1", "ada", {"u": 1, "v": 2}),
        ("1", "ada", {"u": 1, "v": 1}),
        ("2", "ada", {"u": 2, "v": 1}),
    )
    assert contradictions(judgments).found == ()
    assert contradictions(judgments).n_repeated == 1


def test_contradictions_of_unnamed_judges_are_not_known(ranked):
    judgments = ranked(("1", "", {"u": 1, "v": 2}), ("1", "", {"u": 2, "v": 1}))
    assert contradictions(judgments).n_repeated == 0


def test_contradictions_are_reported_and_not_raised(ranked):
    judgments = ranked(("1", "ada", {"u": 1, "v": 2}), ("1", "ada", {"u": 2, "v": 1}))
    (finding,) = contradictions(judgments).findings()
    assert finding.code == "contradicting-ranks"
    assert finding.place == "made:2"
    assert finding.message == (
        "1 of 1 repeated comparisons is contradicted by the same judge; "
        "both votes are kept, and cancel"
    )
    assert finding.details["examples"][0]["systems"] == "u v"
    assert len(preferences(judgments)) == 2


def test_contradictions_of_consistent_judges_are_no_finding(ranked):
    assert contradictions(ranked(("1", "ada", {"u": 1, "v": 2}))).findings() == []


@pytest.mark.data
def test_preferences_of_wmt12_into_english_are_as_many_as_known(wmt12, into_english):
    found = preferences(into_english(wmt12))
    assert (len(found), len(found.decided())) == (52_021, 44_345)


@pytest.mark.data
def test_contradictions_of_wmt08_are_an_eighth_of_the_repeated(wmt08):
    found = contradictions(wmt08)
    assert (len(found.found), found.n_repeated) == (402, 3_043)
