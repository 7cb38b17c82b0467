"""Metrics with learned weights on features (Padó et al. 2009), and their training."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from ensue import __version__
from ensue.errors import UndefinedError
from ensue.statistics import numbered, random_folds, split_folds
from ensue.translation.features.families import EntailmentMeter
from ensue.translation.features.tables import FeatureSet, FeatureTable, Meter, feature_names
from ensue.translation.judgments.agreement import TieUnit, human_scores, tie_share
from ensue.translation.judgments.comparisons import majority, preferences
from ensue.translation.metrics.linear_models import FOLDS, MetricModel, ModelKind, fit_abs, fit_pair
from ensue.translation.segments import (
    Indices,
    MetricScores,
    Numbers,
    OutputKey,
    Segment,
    TranslationJudgments,
    language_pairs,
)

# From judged outputs to weights, all at once or leaving language pairs out in turn.


def train(
    table: FeatureTable,
    judgments: TranslationJudgments,
    kind: ModelKind,
    *,
    strength: float | None = None,
    seed: int = 0,
) -> tuple[MetricModel, Mapping[str, Any]]:
    """Learn weights from judgments; give also what was learned from, and how often judges tie.

    `abs` learns from direct assessments, from adequacy and fluency, or from ranks, whichever comes
    first in this order. `pair` learns from rankings, and from absolute scores that one judge gave
    to several outputs of a segment.

    Raises:
        UndefinedError: the judgments say nothing that this model can learn from.
        DataError: a judged output was not measured, or there is nothing to tell apart.
    """
    # one thread: as fast for this many columns, the same on every machine, and fair to others
    with threadpool_limits(1):
        learned, said = _trained(table, judgments, kind, strength, seed)
    try:
        ties = tie_share(judgments.rankings, TieUnit.RANKING).share.value
    except UndefinedError:
        return learned, said
    return learned, {**said, "tie_share": ties}


def _trained(
    table: FeatureTable,
    judgments: TranslationJudgments,
    kind: ModelKind,
    strength: float | None,
    seed: int,
) -> tuple[MetricModel, Mapping[str, Any]]:
    if kind is ModelKind.ABS:
        human = human_scores(judgments)
        learned = fit_abs(table, human, strength=strength, seed=seed)
        return learned, {"judgments": human.kind.value, "outputs": len(human)}
    said = preferences(judgments, of_assessments=True)
    if not len(said):
        raise UndefinedError(
            "no-judge-compared-two",
            "no judge compared two outputs of one segment, which pair learns from",
            hint="train abs on absolute scores: --model abs",
        )
    preferred = majority(said)
    learned = fit_pair(table, preferred, strength=strength, seed=seed)
    return learned, {
        "judgments": "preferences",
        "comparisons": len(said),
        "contests": len(preferred),
    }


def cross_scores(
    table: FeatureTable,
    judgments: TranslationJudgments,
    kind: ModelKind,
    *,
    strength: float | None = None,
    seed: int = 0,
) -> Numbers:
    """The score of each output by weights learned without its language pair.

    Where there is one language pair only, tenths of its segments are left out instead.

    Raises:
        UndefinedError: all outputs are of one segment, or what is left says nothing.
        DataError: as for `train`.
    """
    scores = np.empty(len(table))
    for outputs in _left_out(table, seed):
        if len(outputs) == len(table):
            raise UndefinedError(
                "all-judged-outputs-segment",
                "all judged outputs are of one segment, and without it nothing can be learned",
                hint="give judgments of two segments or more",
            )
        held = {table.outputs[row] for row in outputs.tolist()}
        known = _without(judgments, held)
        weighing, _ = train(table, known, kind, strength=strength, seed=seed)
        scores[outputs] = weighing.scores(table.values[outputs])
    return scores


def _left_out(table: FeatureTable, seed: int) -> Iterator[Indices]:
    """Rows of the table that are scored by what is learned from the others."""
    names, part_of = numbered(key.language_pair for key in table.outputs)
    if len(names) < 2:
        _, segments = numbered(key.segment for key in table.outputs)
        part_of = random_folds(segments, FOLDS, seed=seed)
    for _, held_out in split_folds(part_of):
        yield held_out


def _without(judgments: TranslationJudgments, held: set[OutputKey]) -> TranslationJudgments:
    """The judgments of segments that are not held out; a segment's outputs go together."""
    segments = {(key.language_pair, key.segment) for key in held}
    return TranslationJudgments(
        tuple(
            each
            for each in judgments.rankings
            if (each.language_pair, each.segment) not in segments
        ),
        tuple(
            each
            for each in judgments.assessments
            if (each.language_pair, each.segment) not in segments
        ),
    )


# A metric made of weights on features: the system of Padó et al. (2009).


@dataclass(frozen=True, slots=True, eq=False)
class WeightedMetric:
    """Scores outputs by weights on their features."""

    name: str
    weighing: MetricModel
    meter: Meter
    trained_on: Mapping[str, Any] = field(default_factory=dict)
    """What the weights were learned from: name, kind of judgments, how many."""

    @property
    def feature_set(self) -> FeatureSet:
        """What is measured."""
        return self.meter.feature_set

    @property
    def signature(self) -> str:
        """The recipe that repeats its scores."""
        parts = [
            f"{self.weighing.kind.value}-{self.feature_set.value}",
            f"strength:{self.weighing.strength:g}",
            *([f"analyzer:{_analyzer()}"] if self.feature_set.needs_analyzer else []),
            f"trained:{self.trained_on.get('name', '?')}",
            f"judgments:{self.trained_on.get('judgments', '?')}",
            f"version:{__version__}",
        ]
        return "|".join(parts)

    def informed(self, references: Iterable[Sequence[str]]) -> WeightedMetric:
        """The metric with what NIST needs to know of all references of a set."""
        return replace(self, meter=self.meter.informed(references))

    def with_reader(self, reader: EntailmentMeter) -> WeightedMetric:
        """The metric with another reader of entailment features."""
        return replace(self, meter=replace(self.meter, reader=reader))

    def scores(self, segments: Sequence[Segment]) -> Numbers:
        """A score for each output of each segment, in their order."""
        return self.weighing.scores(self.meter.table(segments).values)

    def probability(self, first: Numbers, second: Numbers) -> Numbers:
        """How likely outputs with the first scores are better than those with the second."""
        return self.weighing.probability(first, second)


def _analyzer() -> str:
    from ensue.language import installed_model

    return installed_model()


# Trained metrics from tables of features and judgments.


def trained_metric(
    table: FeatureTable,
    judgments: TranslationJudgments,
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
    judgments: TranslationJudgments,
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
