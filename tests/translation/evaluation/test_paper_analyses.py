from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import DataError, UndefinedError
from ensue.statistics.resampling import Resampling
from ensue.translation.evaluation.analyses import PUBLISHED, margins, place_consistency
from ensue.translation.evaluation.pairwise_accuracy import TiePolicy, consistency
from ensue.translation.judgments import preferences as preferences_of
from ensue.translation.systems import HumanRanking, MetricScores, OutputKey, TranslationJudgments


@pytest.fixture
def ranking(make_ranking):
    """A and B first, C third, D and E last."""
    return make_ranking("1", A=1, B=1, C=3, D=5, E=5)


@pytest.fixture
def metric(make_scores):
    """C best, then A; D is above B."""
    return make_scores(
        **{"cs-en_1_A": 4, "cs-en_1_B": 1, "cs-en_1_C": 5, "cs-en_1_D": 2, "cs-en_1_E": 0}
    )


def test_place_consistency_is_worked_out(ranking, metric):
    found = place_consistency([ranking], metric, resampling=Resampling(draws=10))
    # top: A > C wrong, A > D, A > E right, B > C, B > D wrong, B > E right
    assert (found.top.right, found.top.wrong, found.top.n_human_ties) == (3, 3, 1)
    # bottom: A > D, B > D wrong, C > D, A > E, B > E, C > E
    assert (found.bottom.right, found.bottom.wrong, found.bottom.n_human_ties) == (5, 1, 1)
    assert found.difference.value == pytest.approx(3 / 6 - 5 / 6)


def test_place_consistency_knows_the_middle(make_ranking, make_scores):
    # of A > B > C > D only B > C is with neither the first nor the last
    scores = make_scores(**{f"cs-en_1_{s}": -i for i, s in enumerate("ABCD")})
    found = place_consistency(
        [make_ranking("1", A=1, B=2, C=3, D=4)], scores, resampling=Resampling(draws=0)
    )
    assert (found.top.total, found.bottom.total) == (3, 3)
    assert found.difference.value == 0


def test_place_consistency_follows_the_tie_policy(make_ranking, make_scores):
    scores = make_scores(**{f"cs-en_1_{s}": v for s, v in zip("ABC", (1, 1, 0), strict=True)})
    rankings = [make_ranking("1", A=1, B=2, C=3)]
    found = place_consistency(
        rankings, scores, policy=TiePolicy.HALF, resampling=Resampling(draws=0)
    )
    # top: A = B, A > C; bottom: A > C, B > C
    assert found.top.share.value == pytest.approx((0.5 + 1) / 2)
    assert found.bottom.share.value == 1


def test_place_consistency_of_ties_alone_is_undefined(make_ranking, make_scores):
    with pytest.raises(UndefinedError, check=coded("no-comparisons-two-outputs")):
        place_consistency([make_ranking("1", A=2, B=2)], make_scores(**{"cs-en_1_A": 1}))


@st.composite
def judged(draw):
    n = draw(st.integers(1, 5))
    rankings = [
        HumanRanking(
            draw(st.sampled_from(["cs-en", "de-en"])),
            str(draw(st.integers(1, 3))),
            "judge",
            {f"S{k}": draw(st.integers(1, 4)) for k in range(draw(st.integers(0, 4)))},
        )
        for _ in range(n)
    ]
    rankings.append(HumanRanking("cs-en", "1", "judge", {"S0": 1, "S1": 2}))
    keys = tuple(
        OutputKey(p, str(i), f"S{k}")
        for p in ("cs-en", "de-en")
        for i in (1, 2, 3)
        for k in range(4)
    )
    values = draw(st.lists(st.integers(0, 5), min_size=len(keys), max_size=len(keys)))
    return rankings, MetricScores("metric", keys, np.array(values, float))


@given(judged())
def test_place_consistency_is_that_of_the_comparisons_written_out(case):
    rankings, scores = case
    score = scores.by_output()
    right, total = {"top": 0, "bottom": 0}, {"top": 0, "bottom": 0}
    for ranking in rankings:
        for one, i in ranking.ranks.items():
            for other, j in ranking.ranks.items():
                places = [
                    place
                    for place, holds in (
                        ("top", i == min(ranking.ranks.values())),
                        ("bottom", j == max(ranking.ranks.values())),
                    )
                    if i < j and holds
                ]
                keys = [OutputKey(ranking.language_pair, ranking.segment, s) for s in (one, other)]
                for place in places:
                    right[place] += score[keys[0]] > score[keys[1]]
                    total[place] += 1
    found = place_consistency(rankings, scores, resampling=Resampling(draws=0))
    assert (found.top.right, found.bottom.right) == (right["top"], right["bottom"])
    assert (found.top.total, found.bottom.total) == (total["top"], total["bottom"])


@given(judged())
def test_two_outputs_are_first_and_last_at_once(case):
    rankings, scores = case
    pairs = [
        HumanRanking(r.language_pair, r.segment, r.judge, dict(list(r.ranks.items())[:2]))
        for r in rankings
    ]
    found = place_consistency(pairs, scores, resampling=Resampling(draws=0))
    whole = consistency(
        preferences_of(TranslationJudgments(tuple(pairs))), scores, resampling=Resampling(draws=0)
    ).overall
    assert (found.top.right, found.top.total) == (whole.right, whole.total)
    assert found.difference.value == 0


def test_margins_are_worked_out(make_ranking, make_scores):
    rankings = [make_ranking(str(i), A=1, B=2, C=3) for i in (1, 2, 3)]
    scores = make_scores(
        **{"cs-en_1_A": 9, "cs-en_1_B": 5, "cs-en_1_C": 1},  # right by 4
        **{"cs-en_2_A": 7, "cs-en_2_B": 6, "cs-en_2_C": 2},  # right by 1
        **{"cs-en_3_A": 4, "cs-en_3_B": 3, "cs-en_3_C": 6},  # wrong by 2
    )
    found = margins(rankings, scores, resampling=Resampling(draws=50))
    deviation = np.std([9, 5, 1, 7, 6, 2, 4, 3, 6])
    assert (found.n_right, found.n_wrong, found.n_ties, found.n_undecided) == (2, 1, 0, 0)
    assert found.right.value == pytest.approx((4 + 1) / 2)
    assert found.wrong.value == 2
    assert found.ratio.value == pytest.approx(2.5 / 2)
    assert found.deviation == pytest.approx(deviation)
    assert found.right_standardized.value == pytest.approx(2.5 / deviation)
    assert found.wrong_standardized.value == pytest.approx(2 / deviation)
    assert 1 <= found.right.low <= found.right.high <= 4


def test_margins_take_any_of_the_first_as_right(make_ranking, make_scores):
    scores = make_scores(**{"cs-en_1_A": 1, "cs-en_1_B": 3, "cs-en_1_C": 0})
    found = margins([make_ranking("1", A=1, B=1, C=2)], scores, resampling=Resampling(draws=0))
    assert (found.n_right, found.right.value) == (1, 2)


def test_margins_count_what_they_leave_out(make_ranking, make_scores):
    scores = make_scores(**{"cs-en_1_A": 1, "cs-en_1_B": 1, "cs-en_1_C": 0})
    rankings = [
        make_ranking("1", A=1, B=2, C=2),  # A and B tie for the metric's best
        make_ranking("1", A=1, B=1),
        make_ranking("1", C=1),
        make_ranking("1", A=1, C=2),
    ]
    found = margins(rankings, scores, resampling=Resampling(draws=0))
    assert (found.n_right, found.n_wrong, found.n_ties, found.n_undecided) == (1, 0, 1, 2)
    assert found.wrong.value is None
    assert found.wrong.reason.startswith("every single best output")
    assert found.ratio.reason == "needs right choices and wrong ones"


def test_margins_of_a_constant_metric_are_undefined(make_ranking, make_scores):
    scores = make_scores(**{"cs-en_1_A": 1, "cs-en_1_B": 1})
    found = margins([make_ranking("1", A=1, B=2)], scores, resampling=Resampling(draws=0))
    assert (found.n_ties, found.deviation) == (1, 0)
    assert found.right.value is found.right_standardized.value is None


def test_margins_without_a_preference_are_undefined(make_ranking, make_scores):
    with pytest.raises(UndefinedError, check=coded("no-ranking-prefers-output")):
        margins([make_ranking("1", A=1, B=1)], make_scores(**{"cs-en_1_A": 1}))


def test_margins_name_a_ranked_output_without_a_score(ranking, make_scores):
    with pytest.raises(DataError, match="no score for system 'B', segment '1' of 'cs-en'"):
        margins([ranking], make_scores(**{"cs-en_1_A": 1}))


@given(judged(), st.floats(0.1, 10), st.floats(-5, 5))
def test_standardized_margins_do_not_change_with_the_scale(case, factor, shift):
    rankings, scores = case
    moved = MetricScores("moved", scores.outputs, scores.values * factor + shift)
    one, other = (
        margins(rankings, each, resampling=Resampling(draws=0)) for each in (scores, moved)
    )
    if one.n_ties == other.n_ties:  # rounding may break a tie
        for a, b in (
            (one.right_standardized, other.right_standardized),
            (one.wrong_standardized, other.wrong_standardized),
        ):
            assert a.value == pytest.approx(b.value) if a.value is not None else b.value is None


def test_published_figures_are_the_papers():
    rte, tradmt = PUBLISHED["rte"], PUBLISHED["tradmt"]
    assert (rte.top_minus_bottom, tradmt.top_minus_bottom) == (0.015, -0.02)
    assert (rte.right_margin, rte.wrong_margin) == (0.30, 0.16)
    assert (tradmt.right_margin, tradmt.wrong_margin) == (0.17, 0.13)
