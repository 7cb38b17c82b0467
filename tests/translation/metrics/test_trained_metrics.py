"""Metrics from tables of features and judgments."""

import numpy as np
import pytest

from ensue.translation.features import FeatureSet, feature_names
from ensue.translation.features.families import SURFACE_NAMES
from ensue.translation.metrics import (
    crossed_metric,
    metric_name,
    of_set,
    parse_metric_name,
    trained_metric,
)
from ensue.translation.metrics.linear_models import ModelKind
from ensue.translation.metrics.trained_metrics import cross_scores

LEXICAL = FeatureSet.TRADMT_LEXICAL


@pytest.mark.parametrize("kind", ModelKind)
@pytest.mark.parametrize("feature_set", FeatureSet)
def test_name_says_model_and_features(kind, feature_set):
    assert parse_metric_name(metric_name(kind, feature_set)) == (kind, feature_set)


@pytest.mark.parametrize("kind", ModelKind)
def test_metric_learns_the_column_that_judges_follow(make_table, kind):
    table, judgments = make_table(n_segments=20)
    metric = trained_metric(table, judgments, kind, FeatureSet.TRADMT, name="made up")
    weights = np.abs(metric.weighing.standardized)
    assert weights.argmax() == 0
    assert metric.weighing.standardized[0] > 0
    assert metric.trained_on["name"] == "made up"
    assert "trained:made up" in metric.signature


def test_metric_is_trained_on_the_columns_of_its_set(make_table):
    table, judgments = make_table(LEXICAL)
    metric = trained_metric(table, judgments, ModelKind.PAIR, FeatureSet.TRADMT, name="made up")
    assert metric.weighing.names == feature_names(FeatureSet.TRADMT)
    narrow = trained_metric(
        of_set(table, FeatureSet.TRADMT), judgments, ModelKind.PAIR, FeatureSet.TRADMT, name=""
    )
    assert metric.weighing.weights.tolist() == narrow.weighing.weights.tolist()


def test_columns_of_a_set_are_found_by_name(make_table):
    table, _ = make_table(FeatureSet.COMB)
    rte = of_set(table, FeatureSet.RTE)
    assert rte.names == feature_names(FeatureSet.RTE)
    assert rte.values.tolist() == table.values[:, len(SURFACE_NAMES) :].tolist()
    assert rte.outputs == table.outputs


def test_table_of_the_set_itself_stays_as_it_is(make_table):
    table, _ = make_table()
    assert of_set(table, FeatureSet.TRADMT) is table


def test_crossed_metric_has_the_scores_of_the_others(make_table):
    table, judgments = make_table(LEXICAL)
    crossed = crossed_metric(table, judgments, ModelKind.ABS, FeatureSet.TRADMT, seed=5)
    known = of_set(table, FeatureSet.TRADMT)
    expected = cross_scores(known, judgments, ModelKind.ABS, seed=5)
    assert crossed.values.tolist() == expected.tolist()
    assert crossed.outputs == table.outputs
    assert crossed.name == "abs-tradmt"
    assert crossed.signature == "abs-tradmt|each language pair by the others|seed:5"
