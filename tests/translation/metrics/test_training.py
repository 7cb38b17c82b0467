import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import DataError, UndefinedError
from ensue.translation.features.tables import FeatureTable
from ensue.translation.metrics.linear_models import ModelKind
from ensue.translation.metrics.trained_metrics import _left_out, cross_scores, train
from ensue.translation.systems import (
    Assessment,
    AssessmentKind,
    HumanRanking,
    OutputKey,
    TranslationJudgments,
)

NAMES = ("good", "noise")
STRENGTH = 0.1
"""Given, since choosing one is tested where it is chosen."""


def table(pairs, n_segments=8, seed=0):
    outputs = tuple(
        OutputKey(pair, str(i), system)
        for pair in pairs
        for i in range(n_segments)
        for system in ("A", "B", "C")
    )
    values = np.random.default_rng(seed).normal(size=(len(outputs), len(NAMES)))
    return FeatureTable(outputs, NAMES, values)


def judged(features, inverted=()):
    """Each segment ranked by its first feature; in some language pairs the other way round."""
    rankings = []
    for start in range(0, len(features), 3):
        key = features.outputs[start]
        sign = 1 if key.language_pair in inverted else -1
        ranks = 1 + np.argsort(np.argsort(sign * features.values[start : start + 3, 0]))
        ranked = dict(zip("ABC", ranks.tolist(), strict=True))
        rankings.append(HumanRanking(key.language_pair, key.segment, "anna", ranked))
    return TranslationJudgments(tuple(rankings))


def scored(features, kind=AssessmentKind.DIRECT):
    """The first feature as an absolute score of each output."""
    return TranslationJudgments(
        assessments=tuple(
            Assessment(*key, "anna", kind, float(row[0]))
            for key, row in zip(features.outputs, features.values, strict=True)
        )
    )


def slope(features, scores, pair):
    """How the scores of a language pair go with its first feature."""
    rows = [i for i, key in enumerate(features.outputs) if key.language_pair == pair]
    return np.corrcoef(features.values[rows, 0], scores[rows])[0, 1]


@pytest.mark.parametrize("kind", ModelKind)
def test_crossed_scores_of_a_pair_follow_the_other_pairs(kind):
    # people in bb-en like what the others dislike: whoever learned from them would see it
    features = table(["aa-en", "bb-en", "cc-en"])
    judgments = judged(features, inverted=["bb-en"])
    scores = cross_scores(features, judgments, kind, strength=STRENGTH)
    assert slope(features, scores, "bb-en") > 0.7


@pytest.mark.parametrize("kind", ModelKind)
def test_crossed_scores_of_two_pairs_are_each_of_the_other(kind):
    features = table(["aa-en", "bb-en"])
    judgments = judged(features, inverted=["bb-en"])
    scores = cross_scores(features, judgments, kind, strength=STRENGTH)
    assert slope(features, scores, "aa-en") < -0.7
    assert slope(features, scores, "bb-en") > 0.7


@pytest.mark.parametrize("kind", ModelKind)
def test_crossed_scores_do_not_change_by_what_is_said_of_the_pair(kind):
    features = table(["aa-en", "bb-en", "cc-en"])
    held = [i for i, key in enumerate(features.outputs) if key.language_pair == "bb-en"]
    plain, turned = (
        cross_scores(features, judged(features, inverted), kind, strength=STRENGTH)[held]
        for inverted in ([], ["bb-en"])
    )
    assert plain.tolist() == turned.tolist()


@pytest.mark.parametrize("kind", ModelKind)
def test_crossed_scores_are_those_of_weights_learned_without_the_pair(kind):
    features = table(["aa-en", "bb-en"])
    judgments = judged(features)
    scores = cross_scores(features, judgments, kind, strength=STRENGTH)
    others = TranslationJudgments(
        tuple(each for each in judgments.rankings if each.language_pair == "bb-en")
    )
    weighing, _ = train(features, others, kind, strength=STRENGTH)
    rows = [i for i, key in enumerate(features.outputs) if key.language_pair == "aa-en"]
    assert scores[rows].tolist() == weighing.scores(features.values[rows]).tolist()


def test_one_pair_is_left_out_by_tenths_of_its_segments():
    features = table(["aa-en"], n_segments=25)
    parts = list(_left_out(features, 0))
    assert len(parts) == 10
    # 25 segments of three outputs in ten parts: five of three segments, five of two
    assert sorted(len(part) for part in parts) == [6] * 5 + [9] * 5
    assert sorted(np.concatenate(parts).tolist()) == list(range(75))


def test_outputs_of_a_segment_are_left_out_together():
    features = table(["aa-en"], n_segments=25)
    for part in _left_out(features, 0):
        segments = [features.outputs[row].segment for row in part]
        assert all(segments.count(each) == 3 for each in segments)


@pytest.mark.parametrize("kind", ModelKind)
def test_crossed_scores_of_one_pair_never_use_the_segment(kind):
    features = table(["aa-en"], n_segments=12)
    judgments = judged(features)
    first = judgments.rankings[0]
    turned = {system: 4 - rank for system, rank in first.ranks.items()}
    other = TranslationJudgments(
        (HumanRanking(first.language_pair, first.segment, "anna", turned), *judgments.rankings[1:])
    )
    before, after = (
        cross_scores(features, each, kind, strength=STRENGTH) for each in (judgments, other)
    )
    assert before[:3].tolist() == after[:3].tolist()
    assert before[3:].tolist() != after[3:].tolist()


@pytest.mark.parametrize("kind", ModelKind)
def test_crossed_scores_use_no_absolute_scores_of_the_pair(kind):
    features = table(["aa-en", "bb-en"])
    known = scored(features)
    turned = tuple(
        Assessment(*each.key, "anna", each.kind, -each.score)
        if each.language_pair == "bb-en"
        else each
        for each in known.assessments
    )
    scores = cross_scores(
        features, TranslationJudgments(assessments=turned), kind, strength=STRENGTH
    )
    assert slope(features, scores, "bb-en") > 0.7


@pytest.mark.parametrize("kind", ModelKind)
def test_one_segment_alone_cannot_be_crossed(kind):
    features = table(["aa-en"], n_segments=1)
    with pytest.raises(UndefinedError, check=coded("all-judged-outputs-segment")):
        cross_scores(features, judged(features), kind)


def test_abs_says_what_it_learned_from():
    features = table(["aa-en"])
    for judgments, name in ((scored(features), "direct"), (judged(features), "ranks")):
        _, said = train(features, judgments, ModelKind.ABS, strength=STRENGTH)
        assert {**said, "tie_share": 0} == {"judgments": name, "outputs": 24, "tie_share": 0}


def test_abs_takes_direct_assessments_before_the_others():
    features = table(["aa-en"])
    both = TranslationJudgments(judged(features, ["aa-en"]).rankings, scored(features).assessments)
    weighing, said = train(features, both, ModelKind.ABS, strength=STRENGTH)
    assert said["judgments"] == "direct"
    assert weighing.weights[0] > 0


def test_abs_learns_from_adequacy():
    features = table(["aa-en"])
    _, said = train(
        features, scored(features, AssessmentKind.ADEQUACY), ModelKind.ABS, strength=STRENGTH
    )
    assert said["judgments"] == "adequacy-fluency"


def test_pair_says_what_it_learned_from():
    # three outputs make three comparisons, in eight segments
    features = table(["aa-en"])
    _, said = train(features, judged(features), ModelKind.PAIR, strength=STRENGTH)
    assert said == {
        "judgments": "preferences",
        "comparisons": 24,
        "contests": 24,
        "tie_share": 0.0,
    }


def test_pair_learns_from_scores_that_one_judge_gave():
    features = table(["aa-en"])
    weighing, said = train(features, scored(features), ModelKind.PAIR, strength=STRENGTH)
    assert said["comparisons"] == 24
    assert weighing.weights[0] > 0


def test_pair_learns_nothing_from_one_score_a_segment():
    features = table(["aa-en"])
    some = tuple(each for each in scored(features).assessments if each.system == "A")
    with pytest.raises(UndefinedError, check=coded("no-judge-compared-two")) as caught:
        train(features, TranslationJudgments(assessments=some), ModelKind.PAIR)
    assert caught.value.hint == "train abs on absolute scores: --model abs"


def test_judged_output_that_was_not_measured_is_an_error():
    features = table(["aa-en"])
    other = table(["bb-en"])
    with pytest.raises(DataError, match="of 'bb-en' has no output of system"):
        train(features, judged(other), ModelKind.PAIR)
