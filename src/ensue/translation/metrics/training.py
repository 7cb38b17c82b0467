"""Trained metrics from tables of features and judgments."""

from __future__ import annotations

import numpy as np

from ensue.translation.features import FeatureSet, FeatureTable, Meter, feature_names
from ensue.translation.metrics.weighted import WeightedMetric
from ensue.translation.model import Judgments, MetricScores, language_pairs
from ensue.translation.models import ModelKind, cross_scores, train


def trained_metric(
    table: FeatureTable,
    judgments: Judgments,
    kind: ModelKind,
    feature_set: FeatureSet,
    *,
    name: str,
    strength: float | None = None,
    seed: int = 0,
) -> WeightedMetric:
    """Learn a metric from judgments.

    Args:
        table: The features of the judged outputs: those of the set, and maybe more.
        judgments: What people said.
        kind: The model.
        feature_set: The features to weigh.
        name: Of the data.
        strength: The inverse strength of regularization; chosen where it is None.
        seed: For cross-validation.
    """
    known = of_set(table, feature_set)
    weighing, said = train(known, judgments, kind, strength=strength, seed=seed)
    return WeightedMetric(
        metric_name(kind, feature_set), weighing, Meter(feature_set), {"name": name, **said}
    )


def crossed_metric(
    table: FeatureTable,
    judgments: Judgments,
    kind: ModelKind,
    feature_set: FeatureSet,
    *,
    strength: float | None = None,
    seed: int = 0,
) -> MetricScores:
    """The scores of a metric of which each language pair's were learned from the others.

    Of one language pair alone, tenths of the segments take the place of pairs.
    """
    known = of_set(table, feature_set)
    scores = cross_scores(known, judgments, kind, strength=strength, seed=seed)
    name = metric_name(kind, feature_set)
    several = len(language_pairs(table.outputs)) > 1
    part = "language pair" if several else "tenth of the segments"
    return MetricScores(
        name, table.outputs, scores, f"{name}|each {part} by the others|seed:{seed}"
    )


def of_set(table: FeatureTable, feature_set: FeatureSet) -> FeatureTable:
    """The columns of a set, of a table that has more."""
    names = feature_names(feature_set)
    if names == table.names:
        return table
    column_of = {name: i for i, name in enumerate(table.names)}
    columns = np.array([column_of[name] for name in names])
    return FeatureTable(table.outputs, names, table.values[:, columns])


def metric_name(kind: ModelKind, feature_set: FeatureSet) -> str:
    """What a trained metric is called."""
    return f"{kind.value}-{feature_set.value}"


def parse_metric_name(name: str) -> tuple[ModelKind, FeatureSet]:
    """The model and the features that a name says.

    >>> parse_metric_name("pair-comb") == (ModelKind.PAIR, FeatureSet.COMB)
    True
    """
    kind, _, feature_set = name.partition("-")
    return ModelKind(kind), FeatureSet(feature_set)
