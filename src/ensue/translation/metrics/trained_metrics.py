"""Metrics with learned weights on features (Padó et al. 2009): training, saving, and those that ship."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits

from ensue import __version__, registry
from ensue.errors import DataError, EnsueError, UndefinedError
from ensue.files import (
    is_directory,
    is_file,
    new_directory,
    open_text_output,
    refuse_other_work,
)
from ensue.statistics import numbered, random_folds, split_folds
from ensue.translation.features.families import EntailmentMeter
from ensue.translation.features.tables import (
    FeatureSet,
    FeatureTable,
    Meter,
    feature_names,
    fingerprint,
)
from ensue.translation.judgments.agreement import TieUnit, human_scores, tie_share
from ensue.translation.judgments.comparisons import majority, preferences
from ensue.translation.metrics.linear_models import FOLDS, MetricModel, ModelKind, fit_abs, fit_pair
from ensue.translation.metrics.scores import Metric, MetricKind
from ensue.translation.systems import (
    Indices,
    MetricScores,
    Numbers,
    OutputKey,
    Segment,
    TranslationJudgments,
    language_pairs,
)

if TYPE_CHECKING:
    from ensue.engine import Pool


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


# Trained metrics in directories, and metrics by name.

FORMAT_VERSION = 1
RECORD = "metric.json"
"""The file in a directory by which it holds a metric."""

_AGAIN = "train it again: ensue mt train DATA -o DIR"
_NUMBERS = ("bias", "spread", "floor", "strength")


def load_metric(name_or_directory: str | Path) -> Metric:
    """Give the metric of that name, or the one kept in a directory.

    Raises:
        UnknownNameError: it is neither a name nor a directory with a metric in it.
        DataError: what the directory holds is broken, or is on other features than ours.
    """
    directory = Path(name_or_directory)
    if is_file(directory / RECORD):
        return read_metric(directory)
    if is_directory(directory) and str(name_or_directory) not in registry.names("metric"):
        raise DataError(
            "there-is-no-in",
            f"there is no {RECORD} in {str(directory)!r}",
            hint="ensue mt train DATA -o DIR writes one",
        )
    kind: MetricKind = registry.find("metric", str(name_or_directory))
    return kind.build()


def ready_metric(
    name: str, references: Iterable[Sequence[str]], pool: Pool | None = None
) -> Metric:
    """The metric of that name, with a reader where it needs one, and knowing all references.

    Args:
        name: Or the directory of a trained one.
        references: Of all segments.
        pool: Processes that analyze sentences; this one does where there is none.
    """
    metric = load_metric(name)
    if isinstance(metric, WeightedMetric) and metric.feature_set.needs_analyzer:
        from ensue.features import open_reader

        metric = metric.with_reader(open_reader(pool=pool))
    return metric.informed(references)


def check_saved_metric(directory: str | Path, kind: ModelKind, feature_set: FeatureSet) -> None:
    """See that a metric that is trained takes the place of no other one.

    Raises:
        OutputError: it would.
    """
    directory = Path(directory)
    if not is_file(directory / RECORD):
        return
    try:
        there = read_metric(directory)
    except EnsueError:
        refuse_other_work(directory, "a metric that cannot be read")
    if (there.weighing.kind, there.feature_set) != (kind, feature_set):
        refuse_other_work(directory, f"another metric, {there.signature}")


def save_metric(metric: WeightedMetric, directory: str | Path) -> None:
    """Keep a metric in a directory, which appears whole or not at all; an older one is replaced."""
    with new_directory(directory, replace=RECORD) as made, open_text_output(made / RECORD) as file:
        json.dump(_record(metric), file, indent=2, ensure_ascii=False)
        file.write("\n")


def read_metric(directory: Path, *, name: str | None = None) -> WeightedMetric:
    """The metric that a directory holds, under the directory's name or another.

    Raises:
        DataError: the record is broken, or is on other features than ours.
    """
    place = directory / RECORD
    try:
        record: Any = json.loads(place.read_text(encoding="utf-8"))
        if record["ensue_metric"] != FORMAT_VERSION:
            raise DataError(
                "format-not-known",
                f"format {record['ensue_metric']!r} is not known",
                place=str(place),
                hint=_AGAIN,
            )
        feature_set, are = FeatureSet(record["feature_set"]), record["features_are"]
        weighing = _weighing(record)
        trained_on = dict(record.get("trained_on", {}))
    except EnsueError:
        raise
    except (OSError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise DataError(
            "not-metric", f"not a metric: {error!r}", place=str(place), hint=_AGAIN
        ) from None
    if (weighing.names, are) != (feature_names(feature_set), fingerprint(feature_set)):
        raise DataError(
            "weights-other-features-than",
            "its weights are on other features than these",
            place=str(place),
            hint=_AGAIN,
        )
    called = name or directory.resolve().name
    return WeightedMetric(called, weighing, Meter(feature_set), trained_on)


def _record(metric: WeightedMetric) -> dict[str, Any]:
    weighing = metric.weighing
    columns = zip(
        weighing.names,
        weighing.weights.tolist(),
        weighing.means.tolist(),
        weighing.deviations.tolist(),
        strict=True,
    )
    return {
        "ensue_metric": FORMAT_VERSION,
        "signature": metric.signature,
        "model": weighing.kind.value,
        "feature_set": metric.feature_set.value,
        "features_are": fingerprint(metric.feature_set),
        "trained_on": dict(metric.trained_on),
        "validated": dict(weighing.validated),
        **{name: getattr(weighing, name) for name in _NUMBERS},
        "features": [
            {"name": name, "weight": weight, "mean": mean, "deviation": deviation}
            for name, weight, mean, deviation in columns
        ],
    }


def _weighing(record: dict[str, Any]) -> MetricModel:
    rows = record["features"]
    weights, means, deviations = (
        np.array([float(row[column]) for row in rows]) for column in ("weight", "mean", "deviation")
    )
    numbers = {name: float(record[name]) for name in _NUMBERS}
    if not np.isfinite([*weights, *means, *deviations, *numbers.values()]).all():
        raise ValueError("a number is not finite")
    if numbers["spread"] <= 0:
        raise ValueError("the spread of scores is not above 0")
    return MetricModel(
        kind=ModelKind(record["model"]),
        names=tuple(str(row["name"]) for row in rows),
        weights=weights,
        means=means,
        deviations=deviations,
        validated=dict(record.get("validated", {})),
        **numbers,
    )


# The trained metrics that come with the package.

FOLDER = "trained"


@dataclass(frozen=True, slots=True)
class ShippedKind:
    """A metric that was trained before it was packed."""

    name: str
    summary: str

    def build(self) -> WeightedMetric:
        """The metric."""
        return _read(self.name)


@cache
def _read(name: str) -> WeightedMetric:
    with as_file(files("ensue.translation.metrics") / FOLDER / name) as directory:
        return read_metric(directory, name=name)


_PAIR = "trained on preferences of WMT12"
_ABS = "trained on direct assessments of WMT15 and WMT16"

PAIR_COMB = ShippedKind("pair-comb", f"surface and entailment features, {_PAIR}; the default")
PAIR_RTE = ShippedKind("pair-rte", f"entailment features both ways, {_PAIR}")
PAIR_TRADMT = ShippedKind("pair-tradmt", f"BLEU, NIST and TER in many settings, {_PAIR}")
PAIR_TRADMT_LEXICAL = ShippedKind(
    "pair-tradmt+lexical", f"the same with matches of stems and synonyms, {_PAIR}"
)
ABS_COMB = ShippedKind("abs-comb", f"surface and entailment features, {_ABS}")
ABS_RTE = ShippedKind("abs-rte", f"entailment features both ways, {_ABS}")
ABS_TRADMT = ShippedKind("abs-tradmt", f"BLEU, NIST and TER in many settings, {_ABS}")
ABS_TRADMT_LEXICAL = ShippedKind(
    "abs-tradmt+lexical", f"the same with matches of stems and synonyms, {_ABS}"
)
