from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import DataError, SettingError, UndefinedError
from ensue.statistics.correlation import Coefficient
from ensue.statistics.resampling import Resampling
from ensue.translation.evaluation.correlation import segment_correlation
from ensue.translation.evaluation.metric_evaluation import (
    EvaluationPart,
    EvaluationSettings,
    evaluate_metrics,
)
from ensue.translation.evaluation.pairwise_accuracy import (
    TiePolicy,
    calibrated_accuracy,
    consistency,
)
from ensue.translation.evaluation.significance import compare_consistency
from ensue.translation.judgments import ScoreKind, preferences
from ensue.translation.systems import (
    SEGMENT_METHODS,
    Assessment,
    AssessmentKind,
    HumanRanking,
    MetricScores,
    OutputKey,
    SystemMethod,
    TranslationJudgments,
)

FAST = EvaluationSettings(resampling=Resampling(draws=50), permutations=99)


def _rankings(seed=0, n_segments=30, n_systems=4):
    rng = np.random.default_rng(seed)
    found = []
    for pair in ("cs-en", "de-en"):
        for segment in range(n_segments):
            hidden = np.arange(n_systems) + 2 * rng.normal(size=n_systems)
            ranks = {f"S{i}": int(rank) for i, rank in enumerate((-hidden).argsort().argsort() + 1)}
            found.append(HumanRanking(pair, str(segment), "judge", ranks))
    return tuple(found)


def _metrics(keys, seed=0):
    rng = np.random.default_rng(seed)
    level = np.array([float(key.system[1:]) for key in keys])
    return [
        MetricScores("good", keys, level + rng.normal(size=len(keys)), "good|v1"),
        MetricScores("poor", keys, level + 9 * rng.normal(size=len(keys)), "poor|v1"),
    ]


@pytest.fixture(scope="module")
def ranked():
    rankings = _rankings()
    keys = tuple(dict.fromkeys(key for ranking in rankings for key in ranking.output_keys()))
    return TranslationJudgments(rankings), _metrics(keys)


@pytest.fixture(scope="module")
def assessed():
    """One output a segment, all by one system."""
    rng = np.random.default_rng(0)
    keys = tuple(OutputKey("cs-en", str(i), "S0") for i in range(40))
    quality = rng.normal(size=40)
    given = tuple(
        Assessment(*key, "", AssessmentKind.DIRECT, float(score))
        for key, score in zip(keys, quality, strict=True)
    )
    metrics = [
        MetricScores(name, keys, quality + noise * rng.normal(size=40))
        for name, noise in (("good", 0.3), ("poor", 5))
    ]
    return TranslationJudgments(assessments=given), metrics


def test_evaluation_of_rankings_has_all_but_correlations(ranked):
    found = evaluate_metrics(*ranked, FAST)
    assert (found.n_rankings, found.n_assessments, found.n_comparisons) == (60, 0, 60 * 6)
    assert found.language_pairs == ("cs-en", "de-en")
    assert found.human_kind is None
    good, _ = found.metrics
    assert (good.name, good.signature) == ("good", "good|v1")
    assert set(good.missing) == {EvaluationPart.CORRELATION}
    assert (
        good.missing[EvaluationPart.CORRELATION]
        == "there are rankings only, and no absolute human scores"
    )
    assert set(found.tests.missing) == {EvaluationPart.PEARSON_TESTS, EvaluationPart.WILLIAMS_TESTS}


def test_evaluation_of_rankings_holds_what_its_parts_give(ranked):
    judgments, metrics = ranked
    found = evaluate_metrics(judgments, metrics, FAST)
    compared = preferences(judgments)
    assert found.metrics[0].consistency == consistency(
        compared, metrics[0], resampling=Resampling(draws=50)
    )
    assert found.tests.consistency == compare_consistency(
        compared, metrics, resampling=Resampling(draws=99)
    )
    assert found.tests.consistency.clusters == (("good",), ("poor",))


def test_evaluation_orders_systems_in_every_way(ranked):
    good, _ = evaluate_metrics(*ranked, FAST).metrics
    assert set(good.systems.correlations) == set(SEGMENT_METHODS)
    assert good.systems.missing == {}
    mean = good.systems.correlations[SystemMethod.MEAN]
    assert mean.by_pair["cs-en"].n == 4
    assert mean.mean[Coefficient.SPEARMAN].value == pytest.approx(1)


def test_evaluation_takes_a_tie_interval_from_elsewhere(ranked):
    wide = replace(FAST, epsilons={"good": 1e9}, system_methods=(SystemMethod.WITH_TIES,))
    good, poor = evaluate_metrics(*ranked, wide).metrics
    of_good, of_poor = (
        each.systems.correlations[SystemMethod.WITH_TIES].mean[Coefficient.SPEARMAN]
        for each in (good, poor)
    )
    # where all tie, every system is best everywhere
    assert of_good.reason == "cs-en: the metric gives all systems the same score"
    assert of_poor.value is not None


def test_evaluation_passes_the_tie_policy_on(ranked):
    judgments, metrics = ranked
    coarse = [replace(metric, values=metric.values.round()) for metric in metrics]
    found = evaluate_metrics(judgments, coarse, replace(FAST, policy=TiePolicy.HALF))
    good = found.metrics[0]
    assert good.consistency.overall.ties > 0
    assert good.consistency.policy is good.places.policy is TiePolicy.HALF
    assert found.tests.consistency.tests[0].first_value == good.consistency.overall.share.value


def test_evaluation_of_one_output_a_segment_has_correlations_only(assessed):
    judgments, metrics = assessed
    found = evaluate_metrics(judgments, metrics, FAST)
    assert found.human_kind is ScoreKind.DIRECT
    good, _ = found.metrics
    human = {each.key: each.score for each in judgments.assessments}
    assert good.correlation == segment_correlation(
        human, metrics[0], resampling=Resampling(draws=50)
    )
    assert set(good.missing) == {
        EvaluationPart.CONSISTENCY,
        EvaluationPart.CALIBRATED_ACCURACY,
        EvaluationPart.PLACES,
        EvaluationPart.MARGINS,
        EvaluationPart.DISAGREEMENTS,
    }
    assert (
        good.missing[EvaluationPart.CONSISTENCY] == "there are no rankings of two outputs or more"
    )
    assert (
        good.missing[EvaluationPart.CALIBRATED_ACCURACY]
        == "no segment has two judged outputs to compare"
    )
    assert set(found.tests.missing) == {EvaluationPart.CONSISTENCY_TESTS}
    assert found.tests.pearson.tests[0].differs
    assert found.tests.williams[0].differs


def test_evaluation_of_one_system_says_why_there_is_no_order(assessed):
    systems = evaluate_metrics(*assessed, FAST).metrics[0].systems
    assert "no segment has outputs of two systems" in systems.missing[SystemMethod.WITH_TIES]
    of_mean = systems.correlations[SystemMethod.MEAN].mean[Coefficient.SPEARMAN]
    assert of_mean.reason == "cs-en: a correlation needs 3 systems, and there is 1"


def test_evaluation_of_scored_systems_compares_them_with_ties():
    keys = tuple(OutputKey("cs-en", str(i), f"S{k}") for i in range(9) for k in range(4))
    scores = np.random.default_rng(0).integers(0, 3, len(keys)).astype(float)
    given = tuple(
        Assessment(*key, "judge", AssessmentKind.DIRECT, score)
        for key, score in zip(keys, scores.tolist(), strict=True)
    )
    same = MetricScores("people", keys, scores)
    (found,) = evaluate_metrics(TranslationJudgments(assessments=given), [same], FAST).metrics
    assert found.calibrated_accuracy.accuracy == pytest.approx(1)
    assert found.calibrated_accuracy.n_comparisons == 9 * 6
    assert found.systems.correlations[SystemMethod.MEAN].mean[Coefficient.SPEARMAN].value == 1


def test_evaluation_refuses_an_output_without_a_score(ranked):
    judgments, (good, _) = ranked
    short = MetricScores("short", good.outputs[:-1], good.values[:-1])
    with pytest.raises(DataError, match="'short' has no score for system 'S3', segment '29'"):
        evaluate_metrics(judgments, [short], FAST)


def test_evaluation_says_that_nothing_overlaps(ranked):
    judgments, _ = ranked
    keys = tuple(OutputKey("fr-en", str(i), "S0") for i in range(3))
    with pytest.raises(DataError, check=coded("no-overlap-between-judgments-outputs-scores")):
        evaluate_metrics(judgments, [MetricScores("far", keys, np.zeros(3))], FAST)


def test_evaluation_without_judgments_is_undefined(ranked):
    with pytest.raises(UndefinedError, check=coded("no-judgments-hold-metrics")):
        evaluate_metrics(TranslationJudgments(), ranked[1], FAST)


def test_evaluation_without_metrics_is_refused(ranked):
    with pytest.raises(SettingError, check=coded("no-metrics-evaluate")):
        evaluate_metrics(ranked[0], [], FAST)


def test_evaluation_is_the_same_again(ranked):
    one, other = (evaluate_metrics(*ranked, FAST) for _ in range(2))
    assert one.metrics[0].consistency == other.metrics[0].consistency
    assert one.metrics[0].margins == other.metrics[0].margins
    assert one.tests == other.tests


def test_calibrated_accuracy_is_that_of_each_language_pair_alone(ranked):
    judgments, metrics = ranked
    found = evaluate_metrics(judgments, metrics, FAST).metrics[0]
    compared = preferences(judgments)
    for pair, accuracy in found.calibrated_by_pair.items():
        alone = [compared.outputs[i].language_pair == pair for i in compared.better]
        expected = calibrated_accuracy(compared.chosen(np.array(alone)), metrics[0])
        assert (accuracy.accuracy, accuracy.epsilon) == (expected.accuracy, expected.epsilon)
    assert set(found.calibrated_by_pair) == {key.language_pair for key in compared.outputs}
