"""Who wins between two outputs, and by how many judges."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.translation.judgments import Voting, majority, preferences
from ensue.translation.systems import TranslationJudgments


def won(found):
    """(winner, loser) with votes for, votes against, ties."""
    return {
        (found.outputs[winner].system, found.outputs[loser].system): votes
        for winner, loser, *votes in zip(
            found.winner,
            found.loser,
            found.votes_for.tolist(),
            found.votes_against.tolist(),
            found.tie_votes.tolist(),
            strict=True,
        )
    }


def test_majority_counts_votes_for_either_and_ties(ranked):
    judgments = ranked(
        ("1", "ada", {"u": 1, "v": 2}),
        ("1", "ben", {"u": 1, "v": 3}),
        ("1", "cleo", {"u": 2, "v": 1}),
        ("1", "dora", {"u": 1, "v": 1}),
    )
    found = majority(preferences(judgments))
    assert won(found) == {("u", "v"): [2, 1, 1]}
    assert found.weight.tolist() == [2 - 1]


def test_majority_leaves_draws_out_and_counts_them(ranked):
    judgments = ranked(
        ("1", "ada", {"u": 1, "v": 2}),
        ("1", "ben", {"u": 2, "v": 1}),
        ("2", "ada", {"u": 1, "v": 1}),
    )
    found = majority(preferences(judgments))
    assert (len(found), found.n_drawn, found.n_tied) == (0, 1, 1)


def test_majority_counts_a_judge_once(ranked):
    judgments = ranked(
        ("1", "ada", {"u": 1, "v": 2}),
        ("1", "ada", {"u": 1, "v": 2}),
        ("1", "ben", {"u": 2, "v": 1}),
    )
    found = preferences(judgments)
    assert majority(found).n_drawn == 1
    assert won(majority(found, Voting.ANSWERS)) == {("u", "v"): [2, 1, 0]}


def test_majority_splits_the_vote_of_a_judge_who_contradicts_herself(ranked):
    judgments = ranked(
        ("1", "ada", {"u": 1, "v": 2}),
        ("1", "ada", {"u": 2, "v": 1}),
        ("1", "ben", {"u": 2, "v": 1}),
    )
    assert won(majority(preferences(judgments))) == {("v", "u"): [1 + 1 / 2, 1 / 2, 0]}


def test_majority_sees_that_three_thirds_are_one(ranked):
    thrice = [("1", "ada", {"u": 1, "v": 2})] * 2 + [("1", "ada", {"u": 2, "v": 1})]
    again = [("1", "ben", {"u": 2, "v": 1})] * 2 + [("1", "ben", {"u": 1, "v": 2})]
    # for u: 1/3 + 1/3 of ada's vote and 1/3 of ben's, as for v
    assert majority(preferences(ranked(*thrice, *again))).n_drawn == 1


def test_majority_takes_unnamed_judges_as_different_people(ranked):
    judgments = ranked(("1", "", {"u": 1, "v": 2}), ("1", "", {"u": 1, "v": 2}))
    assert majority(preferences(judgments)).weight.tolist() == [2]


def test_majority_keeps_segments_apart(ranked):
    judgments = ranked(("1", "ada", {"u": 1, "v": 2}), ("2", "ben", {"u": 2, "v": 1}))
    assert won(majority(preferences(judgments))) == {("u", "v"): [1, 0, 0], ("v", "u"): [1, 0, 0]}


def test_majority_of_nothing_is_empty():
    found = majority(preferences(TranslationJudgments()))
    assert (len(found), found.n_drawn, found.n_tied) == (0, 0, 0)


def plain_leads(judgments):
    """How many answers the first in the alphabet is ahead, by segment and systems."""
    leads = defaultdict(int)
    for ranking in judgments.rankings:
        for u in ranking.ranks:
            for v in ranking.ranks:
                if u < v:
                    sign = np.sign(ranking.ranks[v] - ranking.ranks[u])
                    leads[ranking.segment, u, v] += int(sign)
    return {contest: lead for contest, lead in leads.items() if lead}


@given(data=st.data())
def test_majority_of_answers_equals_plain_counting(any_rankings, data):
    judgments = data.draw(any_rankings)
    found = majority(preferences(judgments), Voting.ANSWERS)
    leads = {}
    for winner, loser, weight in zip(found.winner, found.loser, found.weight, strict=True):
        (_, segment, won), (_, _, lost) = found.outputs[winner], found.outputs[loser]
        first, second = sorted([won, lost])
        leads[segment, first, second] = weight if won == first else -weight
    assert leads == plain_leads(judgments)


@given(data=st.data())
def test_majority_does_not_change_when_all_say_it_again(any_rankings, data):
    judgments = data.draw(any_rankings)
    once = majority(preferences(judgments))
    twice = majority(preferences(TranslationJudgments(judgments.rankings * 2)))
    assert np.array_equal(once.winner, twice.winner)
    assert np.allclose(once.weight, twice.weight)


@given(data=st.data())
def test_majority_does_not_depend_on_names(any_rankings, renamed, data):
    judgments = data.draw(any_rankings)
    found, other = (majority(preferences(each)) for each in (judgments, renamed(judgments)))
    assert sorted(found.weight.round(9)) == sorted(other.weight.round(9))
    assert (found.n_drawn, found.n_tied) == (other.n_drawn, other.n_tied)


@pytest.mark.data
def test_majority_of_wmt12_accounts_for_every_contest(wmt12):
    found = preferences(wmt12)
    decided = majority(found)
    contests = np.unique(np.sort(np.stack([found.better, found.worse]), axis=0), axis=1)
    assert len(decided) + decided.n_drawn + decided.n_tied == contests.shape[1]
    assert (decided.weight > 0).all()
