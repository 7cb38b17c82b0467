"""Metrics by name or directory, saved and loaded, and the trained ones that ship."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ensue import registry
from ensue.errors import DataError, EnsueError
from ensue.files import (
    is_directory,
    is_file,
    new_directory,
    open_text_output,
    refuse_other_work,
)
from ensue.translation.features.tables import FeatureSet, Meter, feature_names, fingerprint
from ensue.translation.metrics.linear_models import MetricModel, ModelKind
from ensue.translation.metrics.scores import Metric, MetricKind
from ensue.translation.metrics.trained_metrics import WeightedMetric

if TYPE_CHECKING:
    from ensue.engine import Pool

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
