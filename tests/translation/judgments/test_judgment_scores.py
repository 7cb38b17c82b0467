"""One human score for each output: direct, from adequacy and fluency, or from ranks."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import zscore
from tests.errors import coded

from ensue.errors import UndefinedError
from ensue.translation.judgments import ScoreKind, human_scores
from ensue.translation.systems import (
    Assessment,
    AssessmentKind,
    HumanRanking,
    OutputKey,
    TranslationJudgments,
)

ADEQUACY, FLUENCY, DIRECT = (
    AssessmentKind.ADEQUACY,
    AssessmentKind.FLUENCY,
    AssessmentKind.DIRECT,
)


def assessed(*scores):
    """Judgments from (segment, system, judge, kind, score)."""
    return TranslationJudgments((), tuple(Assessment("cs-en", *score) for score in scores))


def by_system(found):
    return {key.system: value for key, value in found.by_output().items()}


def test_scores_prefer_direct_assessments(ranked):
    judgments = TranslationJudgments(
        ranked(("1", "ada", {"u": 1, "v": 2})).rankings,
        assessed(("1", "u", "", DIRECT, 0.5), ("1", "v", "ada", ADEQUACY, 3)).assessments,
    )
    found = human_scores(judgments)
    assert found.kind is ScoreKind.DIRECT
    assert found.by_output() == {OutputKey("cs-en", "1", "u"): 0.5}


def test_scores_prefer_adequacy_and_fluency_to_ranks(ranked):
    judgments = TranslationJudgments(
        ranked(("1", "ada", {"u": 1, "v": 2})).rankings,
        assessed(("1", "u", "ada", ADEQUACY, 3)).assessments,
    )
    assert human_scores(judgments).kind is ScoreKind.ADEQUACY_FLUENCY


def test_scores_average_direct_assessments_as_they_are():
    found = human_scores(assessed(("1", "u", "ada", DIRECT, -0.5), ("1", "u", "ben", DIRECT, 1.0)))
    assert by_system(found) == {"u": (-0.5 + 1.0) / 2}
    assert found.counts.tolist() == [2]


def test_scores_standardize_adequacy_and_fluency_by_judge():
    # adequacy 1, 3: z = -1, 1; fluency 2, 2, which says nothing: z = 0, 0
    found = human_scores(
        assessed(
            ("1", "u", "ada", ADEQUACY, 1),
            ("1", "u", "ada", FLUENCY, 2),
            ("1", "v", "ada", ADEQUACY, 3),
            ("1", "v", "ada", FLUENCY, 2),
        )
    )
    assert by_system(found) == {"u": (-1 + 0) / 2, "v": (1 + 0) / 2}
    assert found.counts.tolist() == [2, 2]


def test_scores_forgive_a_strict_judge():
    found = human_scores(
        assessed(
            ("1", "u", "ada", ADEQUACY, 4),
            ("2", "u", "ada", ADEQUACY, 5),
            ("1", "v", "ben", ADEQUACY, 1),
            ("2", "v", "ben", ADEQUACY, 2),
        )
    )
    assert found.values.tolist() == [-1, 1, -1, 1]


def test_scores_take_one_of_adequacy_and_fluency_where_the_other_is_missing():
    # of three adequacies 1, 2, 3 the sd is sqrt(2/3)
    found = human_scores(
        assessed(
            ("1", "u", "ada", ADEQUACY, 1),
            ("2", "u", "ada", ADEQUACY, 2),
            ("3", "u", "ada", ADEQUACY, 3),
        )
    )
    assert found.values == pytest.approx([-1 / sqrt(2 / 3), 0, 1 / sqrt(2 / 3)])


def test_scores_of_a_judge_who_always_says_the_same_are_zero():
    same = [("1", "u", "ada", ADEQUACY, 0.1), ("2", "u", "ada", ADEQUACY, 0.1)]
    found = human_scores(assessed(*same, ("3", "u", "ada", ADEQUACY, 0.1)))
    assert found.values.tolist() == [0, 0, 0]


def test_scores_of_ranks_are_larger_for_the_better(ranked):
    # ranks 1, 3, 5: mean 3, sd sqrt(8/3)
    found = human_scores(ranked(("1", "ada", {"u": 5, "v": 1, "w": 3})))
    assert found.kind is ScoreKind.RANKS
    assert by_system(found) == pytest.approx({"u": -2 / sqrt(8 / 3), "v": 2 / sqrt(8 / 3), "w": 0})


def test_scores_of_ranks_are_averaged_over_rankings(ranked):
    judgments = ranked(
        ("1", "ada", {"u": 1, "v": 2}), ("1", "ben", {"u": 3, "v": 3}), ("2", "ada", {"u": 4})
    )
    found = human_scores(judgments)
    assert by_system(found) == {"u": (1 + 0) / 2, "v": (-1 + 0) / 2}
    assert found.counts.tolist() == [2, 2]
    assert found.n_left_out == 1


def test_scores_of_a_kind_that_is_asked_for(ranked):
    judgments = TranslationJudgments(
        ranked(("1", "ada", {"u": 1, "v": 2})).rankings,
        assessed(("1", "u", "", DIRECT, 0.5)).assessments,
    )
    assert by_system(human_scores(judgments, ScoreKind.RANKS)) == {"u": 1, "v": -1}


def test_scores_of_a_kind_that_is_not_there_are_undefined(ranked):
    with pytest.raises(UndefinedError, match="no judgments to make 'direct' scores from") as raised:
        human_scores(ranked(("1", "ada", {"u": 1, "v": 2})), ScoreKind.DIRECT)
    assert raised.value.hint == "there are judgments for: ranks"


def test_scores_of_nothing_are_undefined():
    with pytest.raises(UndefinedError, match="no judgments to make human scores from"):
        human_scores(TranslationJudgments())


def test_scores_of_single_outputs_are_undefined(ranked):
    with pytest.raises(UndefinedError, check=coded("no-judgments-make")):
        human_scores(ranked(("1", "ada", {"u": 1})))


@given(st.lists(st.integers(1, 5), min_size=2, max_size=8).filter(lambda r: len(set(r)) > 1))
def test_scores_of_one_ranking_equal_scipy(ranks):
    systems = {f"s{i}": rank for i, rank in enumerate(ranks)}
    found = human_scores(TranslationJudgments((HumanRanking("cs-en", "1", "ada", systems),)))
    assert np.allclose(found.values, -zscore(ranks))


@given(data=st.data())
def test_scores_do_not_change_when_all_is_said_again(any_rankings, data):
    judgments = data.draw(any_rankings.filter(lambda j: any(len(r.ranks) > 1 for r in j.rankings)))
    once, twice = (
        human_scores(judgments),
        human_scores(TranslationJudgments(judgments.rankings * 2)),
    )
    assert once.outputs == twice.outputs
    assert np.allclose(once.values, twice.values)
    assert (2 * once.counts == twice.counts).all()


@pytest.mark.data
def test_scores_of_wmt12_cover_every_output_that_was_compared(wmt12):
    found = human_scores(wmt12)
    compared = {key for r in wmt12.rankings if len(r.ranks) > 1 for key in r.output_keys()}
    assert set(found.outputs) == compared
    assert np.isfinite(found.values).all()
