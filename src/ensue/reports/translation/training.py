"""The features of translations, and a metric trained on them, as tables and pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ensue import __version__
from ensue.reports.model import (
    Cell,
    Column,
    Picture,
    Report,
    Row,
    Section,
    Table,
    number_in_words,
)
from ensue.reports.pictures.dots import bar_picture
from ensue.reports.translation.agreement import NamedMetric, recipe
from ensue.translation.features import FeatureSet, FeatureSummary, feature_definitions
from ensue.translation.metrics import MetricModel, ModelKind

# The features of translations: what they are, and what they were like on some outputs.


def feature_list_table(feature_set: FeatureSet) -> Table:
    """Every feature of a set, with what it is."""
    rows: list[Row] = [
        [family.value, name, meaning]
        for family, defined in feature_definitions(feature_set).items()
        for name, meaning in defined.items()
    ]
    title = f"The {len(rows)} features of {feature_set.value}"
    columns = [Column("family"), Column("name"), Column("meaning")]
    return Table("features", title, columns, rows)


def feature_report(summary: FeatureSummary, feature_set: FeatureSet, *, name: str) -> Report:
    """The page of what was measured.

    Args:
        summary: What the features were like.
        feature_set: Which they were.
        name: What the data are called.
    """
    sections = [
        Section("What was measured", "", [_summary_table(summary)]),
        Section("What the features are", "", [feature_list_table(feature_set)]),
    ]
    made = f"ensue {__version__}\ndata: {name}\nset: {feature_set.value}"
    without = summary.n_outputs - summary.n_worded
    answer = (
        f"{len(summary.names):,} features were measured on {summary.n_outputs:,} outputs;"
        f" {without:,} have no words or no features."
    )
    return Report(f"Features of {name}", sections, made, answer)


def _summary_table(summary: FeatureSummary) -> Table:
    columns = [
        Column("feature"),
        *(Column(each, digits=3) for each in ("mean", "deviation", "least", "most")),
    ]
    numbers = (summary.means, summary.deviations, summary.least, summary.most)
    rows: list[Row] = []
    if summary.n_worded:
        cells = zip(*(each.tolist() for each in numbers), strict=True)
        rows = [[feature, *row] for feature, row in zip(summary.names, cells, strict=True)]
    without = summary.n_outputs - summary.n_worded
    notes = [f"{summary.n_outputs:,} outputs, {without:,} of them without words or features"]
    return Table("measured", "Features of all outputs", columns, rows, notes)


# What training a metric came to, as tables, a picture and one page.

LARGEST = 20
"""Weights that people see."""

_ADDED = {
    ModelKind.ABS: "the score",
    ModelKind.PAIR: "the log odds of being preferred",
}
_COUNTS = ("outputs", "comparisons", "contests")
"""What `train` counts, of which each model has some."""
_VALIDATED = {
    "pearson": Column("pearson", title="Pearson's r", digits=3, importance=1),
    "right": Column("right", digits=1, percent=True, importance=1),
    "log_loss": Column("log_loss", title="log loss", digits=4, importance=1),
}


class TrainedMetric(NamedMetric, Protocol):
    """A metric made of weights on features."""

    @property
    def weighing(self) -> MetricModel:
        """What was learned."""

    @property
    def trained_on(self) -> Mapping[str, Any]:
        """From what: `name`, `judgments` and the counts of `train`."""

    @property
    def feature_set(self) -> str:
        """The name of the features."""


def training_tables(metric: TrainedMetric, *, every: bool = True) -> list[Table]:
    """What was learned from what and how well, and the largest weights, or all.

    Args:
        metric: The trained one.
        every: Whether all weights are there, for programs.
    """
    return [_training_table(metric), _weights_table(metric.weighing, every=every)]


def training_report(metric: TrainedMetric) -> Report:
    """The page of a trained metric."""
    training, weights = training_tables(metric, every=False)
    sections = [
        Section("Training", "", [training]),
        Section("Weights", "", [weights_picture(metric.weighing), weights]),
    ]
    made = f"ensue {__version__}\n{recipe(metric)}"
    return Report(f"Training of {metric.name}", sections, made, training_answer(metric))


def training_answer(metric: TrainedMetric) -> str:
    """How well the metric does on what was left out of its training."""
    validated = metric.weighing.validated
    if "right" in validated:
        right = number_in_words(validated["right"])
        return f"{metric.name} foresees {right} of the preferences that were left out."
    if "pearson" in validated:
        r = number_in_words(validated["pearson"], _VALIDATED["pearson"])
        return f"{metric.name} goes with the scores that were left out by Pearson's r {r}."
    return f"How good {metric.name} is was not measured: there are too few segments to leave out."


def weights_picture(weighing: MetricModel) -> Picture:
    """A bar for each of the largest standardized weights, to the right where more is better."""
    better, worse = "speaks for an output", "speaks against it"
    order = _by_size(weighing)[:LARGEST]
    weights = weighing.standardized
    values = [
        {
            "feature": weighing.names[i],
            "weight": float(f"{weights[i]:.6g}"),
            "series": better if weights[i] > 0 else worse,
        }
        for i in order
    ]
    added = _ADDED[weighing.kind]
    return bar_picture(
        values,
        place="feature",
        number="weight",
        axis=f"added to {added}",
        series=[better, worse],
        size=(380, 20),
        title="The largest weights",
        name="weights",
        caption=f"What one standard deviation of each feature adds to {added}.",
    )


def _training_table(metric: TrainedMetric) -> Table:
    weighing, trained_on = metric.weighing, metric.trained_on
    cells = {
        Column("metric"): metric.name,
        Column("model"): weighing.kind.value,
        Column("feature_set", title="set"): str(metric.feature_set),
        Column("features"): len(weighing.names),
        Column("trained_on", title="trained on"): _cell(trained_on.get("name")),
        Column("judgments", importance=-1): _cell(trained_on.get("judgments")),
        **{Column(each): _cell(trained_on[each]) for each in _COUNTS if each in trained_on},
        Column("strength", importance=-1): weighing.strength,
        **{
            column: weighing.validated[each]
            for each, column in _VALIDATED.items()
            if each in weighing.validated
        },
    }
    title, notes = f"{metric.name}, trained", list(_notes(weighing))
    return Table("training", title, list(cells), [list(cells.values())], notes)


def _notes(weighing: MetricModel) -> Iterator[str]:
    yield "strength: the inverse strength of regularization"
    if not weighing.validated:
        yield "not cross-validated: there are too few segments to leave some out"
        return
    n_parts = int(weighing.validated.get("parts", 0))
    means = {
        "pearson": "Pearson's r, the mean over the parts",
        "right": "the share of preferences that are foreseen, weighted by votes, and log loss",
    }
    said = "; ".join(text for each, text in means.items() if each in weighing.validated)
    yield f"{said}: on what was left out, one of {n_parts} parts at a time"


def _weights_table(weighing: MetricModel, *, every: bool) -> Table:
    columns = [
        Column("feature", get=lambda i: weighing.names[i]),
        *(
            Column(name, digits=digits, get=partial(_number_at, numbers))
            for name, digits, numbers in (
                ("standardized", 4, weighing.standardized),
                ("weight", None, weighing.weights),
                ("mean", None, weighing.means),
                ("deviation", None, weighing.deviations),
            )
        ),
    ]
    order = _by_size(weighing)
    shown = order if every else order[:LARGEST]
    notes = [f"standardized: what one standard deviation adds to {_ADDED[weighing.kind]}"]
    if len(shown) < len(order):
        notes.append(f"the largest {len(shown)} of {len(order)}; all are in JSON and CSV")
    return Table.of("weights", "Weights, the largest first", columns, shown, notes)


def _number_at(numbers: NDArray[np.float64], i: int) -> float:
    return float(numbers[i])


def _by_size(weighing: MetricModel) -> list[int]:
    order: list[int] = np.argsort(-np.abs(weighing.standardized), kind="stable").tolist()
    return order


def _cell(told: Any) -> Cell:
    return told if told is None or isinstance(told, str | int | float) else str(told)
