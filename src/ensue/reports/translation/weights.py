"""Metrics on features: their training, and their weights by group beside the paper's directions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ensue import __version__
from ensue.reports.model import (
    Cell,
    Column,
    Interval,
    Picture,
    Report,
    Row,
    Section,
    Table,
    number_in_words,
    share,
)
from ensue.reports.pictures.dots import bar_picture
from ensue.reports.pictures.theme import FAINT, name_axis, series_encoding, specification
from ensue.reports.translation.agreement import NamedMetric, recipe
from ensue.statistics import Resampling
from ensue.translation.features import FeatureSet, FeatureSummary, feature_definitions
from ensue.translation.metrics import (
    TITLES,
    Claim,
    DirectionComparison,
    DirectionOutcome,
    EntailmentDirection,
    GroupWeight,
    MetricModel,
    ModelKind,
    ModelWeights,
    StandardizedWeight,
    WeightStudy,
    parted,
)

_STEP = 40
_WIDTH = 210
_DIGITS = 3
_STANDARDIZED = "standardized weights: what one standard deviation of a feature adds to the {units}"
_CORRELATED = (
    "features that go together share their weight in ways that may look odd one by one, which the"
    " paper warns of too; sums over a group are steadier"
)
_WAYS = (
    "forward: whether the reference follows from the output; backward: whether the output follows"
    " from the reference; both: the sum"
)
_SHARES = (
    "share: of the sum of sizes of all entailment features; noise adds to every size, so that the"
    " intervals, being of noisier draws, lean towards equal shares"
)


def weight_tables(study: WeightStudy) -> list[Table]:
    """The groups side by side and of each model, the paper's directions beside ours, all weights."""
    models = study.models
    of_models = zip(models, study.groups, strict=True)
    tables = [
        _side_by_side(models, study.groups),
        *(_group_table(model, some) for model, some in of_models),
        _direction_table(models, study.directions),
    ]
    if study.recognizer:
        tables.append(_share_table(models, study.groups, study.directions))
    return [*tables, _weight_table(models, study.resampling)]


def weight_picture(study: WeightStudy) -> Picture:
    """A dot with its interval for each group, a column for each model on a scale of its own."""
    models = study.models
    values = [
        _dot(model.title, each)
        for model, some in zip(models, study.groups, strict=True)
        for each in some
    ]
    caption = (
        "The sum of the standardized weights of each group, with its interval. Columns have scales"
        f" of their own: {_units(models)}."
    )
    spec = _dot_spec(values, [model.title for model in models])
    return Picture("weights", "Weights by group", spec, caption)


def weights_report(study: WeightStudy) -> Report:
    """The page of what metrics look at."""
    models = study.models
    beside, *tables = weight_tables(study)
    of_models, others = tables[: len(models)], tables[len(models) :]
    standardized = _sentence(_STANDARDIZED.format(units=_units(models)))
    sections = [
        Section("By group", standardized, [weight_picture(study), beside]),
        Section("Beside the paper", _sentence(_CORRELATED), others[:-1]),
        Section("The groups of each model", "", of_models),
        Section("All weights", "", others[-1:]),
    ]
    draws = ", ".join(f"{each.title} {len(each.draws)}" for each in models)
    signature = (
        f"ensue {__version__}\ntrained on: {study.name}\ndraws: {draws};"
        f" level: {study.resampling.level:g}, seed: {study.resampling.seed}"
    )
    title = f"What metrics trained on {study.name} look at"
    return Report(title, sections, signature, weights_answer(study))


def weights_answer(study: WeightStudy) -> str:
    """How far the weights of each model go the ways that the paper reports."""
    said = []
    for model in study.models:
        of_model = [each for each in study.directions if each.model == model.title]
        found = [each.outcome for each in of_model if each.outcome is not None]
        if found:
            counts = {outcome: found.count(outcome) for outcome in DirectionOutcome}
            said.append(
                f"{model.title} agrees in {counts[DirectionOutcome.AGREES]:,}, differs in"
                f" {counts[DirectionOutcome.DIFFERS]:,} and is not told apart in"
                f" {counts[DirectionOutcome.UNCLEAR]:,}"
            )
    if not said:
        return "Nothing can be said of the paper's directions without draws."
    return f"Of the directions that the paper reports, {'; '.join(said)}."


def _sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:]}."


def _units(models: Sequence[ModelWeights]) -> str:
    """What weights add to, with the models of each where it is not the same for all."""
    titles: dict[str, list[str]] = {}
    for each in models:
        titles.setdefault(each.unit, []).append(each.title)
    if len(titles) == 1:
        return models[0].unit
    return "; ".join(f"{unit} ({', '.join(some)})" for unit, some in titles.items())


def _side_by_side(models: Sequence[ModelWeights], groups: Sequence[Sequence[GroupWeight]]) -> Table:
    found = [
        {each.group: each for each in some if each.way is EntailmentDirection.BOTH}
        for some in groups
    ]
    columns = [
        Column("group", get=lambda name: name),
        Column("title", get=lambda name: TITLES.get(name, name)),
    ]
    for model, known in zip(models, found, strict=True):
        columns += [
            replace(column, get=partial(_of_group, known, column))
            for column in (
                Column(f"{model.title}_features", f"{model.title} features", get="n_features"),
                Column(f"{model.title}_sum", f"{model.title} sum |weight|", 3, get="total"),
                Column(f"{model.title}_net", f"{model.title} net", 3, get=_interval_of("net")),
            )
        ]
    names = dict.fromkeys([*TITLES, *(name for each in found for name in each)])
    rows = [name for name in names if any(name in each for each in found)]
    notes = [_STANDARDIZED.format(units=_units(models)), _CORRELATED]
    return Table.of("weight-groups", "Weights by group", columns, rows, notes)


def _of_group(known: Mapping[str, GroupWeight], column: Column, name: str) -> Any:
    return column.value(known[name]) if name in known else None


def _interval_of(name: str) -> Callable[[Any], Interval | None]:
    return lambda row: _interval(getattr(row, name))


def _group_table(model: ModelWeights, groups: Sequence[GroupWeight]) -> Table:
    columns = [
        Column("group"),
        Column("way"),
        Column("features", get="n_features"),
        Column("sum", title="sum |weight|", digits=_DIGITS, get="total"),
        share("share", get=_interval_of("share")),
        Column("net", digits=_DIGITS, get=_interval_of("net")),
        share("same_sign", "draws of its sign", "net.same_sign", digits=0),
        Column("largest"),
        Column("largest_weight", "its weight", _DIGITS, get=_interval_of("largest_weight")),
        share("largest_same_sign", "draws of its sign", "largest_weight.same_sign", digits=0),
    ]
    notes = [_STANDARDIZED.format(units=model.unit), *_resampled(model), _SHARES]
    title = f"Weights of {model.title} by group"
    return Table.of(f"weight-groups-{model.title}", title, columns, groups, notes)


def _resampled(model: ModelWeights) -> list[str]:
    """How the intervals came about."""
    n_undefined = int((model.draws != model.draws).any(axis=1).sum())
    notes = [f"intervals from {len(model.draws)} draws"] if len(model.draws) else []
    if n_undefined:
        notes.append(f"draws that define no weights, left out: {n_undefined}")
    return notes


def _direction_table(
    models: Sequence[ModelWeights], compared: Sequence[DirectionComparison]
) -> Table:
    columns = [Column("statement"), Column("paper"), Column("feature"), Column("way")]
    for model in models:
        columns += [
            Column(f"{model.title}_weight", title=model.title, digits=_DIGITS),
            Column(f"{model.title}_outcome", title="says"),
        ]
    of_features = [each for each in compared if each.direction.claim is not Claim.LESS]
    by_place = {(each.subject, each.way, each.model): each for each in of_features}
    rows: list[Row] = []
    for direction, subject, way in dict.fromkeys(
        (each.direction, each.subject, each.way) for each in of_features
    ):
        cells = [_said(by_place.get((subject, way, model.title))) for model in models]
        names = [direction.statement, direction.claim.value, subject, way.value]
        rows.append([*names, *(cell for some in cells for cell in some)])
    notes = [
        _WAYS,
        "paper: positive, negative, or too unreliable to count (section 3)",
        "differs: the interval is on the other side of 0; not told apart: 0 is in it",
        *_remarks(of_features),
    ]
    title = "The directions that the paper reports, and ours"
    return Table("weight-directions", title, columns, rows, notes)


def _said(comparison: DirectionComparison | None) -> Row:
    if comparison is None:
        return [None, None]
    outcome = comparison.outcome
    return [_interval(comparison.weight), outcome.value if outcome else None]


def _remarks(compared: Sequence[DirectionComparison]) -> list[str]:
    directions = dict.fromkeys(each.direction for each in compared)
    return [f"{each.statement}: {each.note}" for each in directions if each.note]


def _share_table(
    models: Sequence[ModelWeights],
    groups: Sequence[Sequence[GroupWeight]],
    compared: Sequence[DirectionComparison],
) -> Table:
    """The shares of all entailment groups, and the statements on those that count less."""
    *metrics, recognizer = models
    columns = [Column("group"), Column("paper")]
    columns += [Column(f"{each.title}_share", each.title, 1, percent=True) for each in models]
    for each in metrics:
        title = f"{each.title} - {recognizer.title}"
        columns.append(Column(f"{each.title}_lead", title, 1, percent=True))
        columns.append(Column(f"{each.title}_outcome", title="says"))
    said = {
        (each.subject, each.model): each for each in compared if each.direction.claim is Claim.LESS
    }
    claimed = {subject for subject, _ in said}
    shares = {
        (model.title, each.group): each.share
        for model, some in zip(models, groups, strict=True)
        for each in some
        if each.way is EntailmentDirection.BOTH and each.share
    }
    rows: list[Row] = []
    for name in dict.fromkeys(name for _, name in shares):
        row: Row = [name, "less in translation" if name in claimed else None]
        row += [_interval(shares.get((model.title, name))) for model in models]
        for model in metrics:
            row += _said(said.get((name, model.title)))
        rows.append(row)
    notes = [_SHARES, *_remarks(list(said.values()))]
    title = "What groups count for in translation and in recognition"
    return Table("weight-shares", title, columns, rows, notes)


def _weight_table(models: Sequence[ModelWeights], resampling: Resampling) -> Table:
    columns = [Column("feature"), Column("way")]
    columns += [Column(model.title, digits=_DIGITS) for model in models]
    there = {(model.title, parted(name)) for model in models for name in model.names}
    directed = {name.alone for _, name in there if name.way is not EntailmentDirection.BOTH}
    alone = dict.fromkeys(parted(name).alone for model in models for name in model.names)
    rows: list[Row] = []
    for feature, way in product(alone, EntailmentDirection):
        if way is EntailmentDirection.BOTH or feature in directed:
            places = [model.of_feature(feature, way) for model in models]
            cells = [
                _interval(model.net(some, resampling)) if some else None
                for model, some in zip(models, places, strict=True)
            ]
            rows.append([feature, way.value, *cells])
    notes = [_STANDARDIZED.format(units=_units(models)), _WAYS]
    return Table("weights", "All weights", columns, rows, notes)


def _interval(weight: StandardizedWeight | None) -> Interval | None:
    return None if weight is None else Interval(weight.value, weight.low, weight.high)


def _dot(model: str, group: GroupWeight) -> dict[str, Any]:
    net = group.net
    return {
        "model": model,
        "group": TITLES.get(group.group, group.group),
        "series": group.way.value,
        "value": net.value,
        "low": net.value if net.low is None else net.low,
        "high": net.value if net.high is None else net.high,
    }


def _dot_spec(values: list[dict[str, Any]], models: Sequence[str]) -> dict[str, Any]:
    groups = [
        title
        for title in dict.fromkeys([*TITLES.values(), *(each["group"] for each in values)])
        if any(each["group"] == title for each in values)
    ]
    ways = [
        way.value
        for way in EntailmentDirection
        if any(each["series"] == way.value for each in values)
    ]
    place = {
        "y": {
            "field": "group",
            "type": "nominal",
            "title": None,
            "sort": None,
            "scale": {"domain": groups},
            "axis": name_axis(groups, grid=True),
        },
        "yOffset": {"field": "series", "type": "nominal", "scale": {"domain": ways}},
        **series_encoding(ways),
    }
    across = {"type": "quantitative", "title": "net weight"}
    whisker = {**place, "x": {**across, "field": "low"}, "x2": {"field": "high"}}
    dot = {**place, "x": {**across, "field": "value"}}
    rule = {"type": "rule", "color": FAINT, "strokeDash": [6, 4], "strokeWidth": 1}
    layers = [
        {"mark": rule, "encoding": {"x": {"datum": 0, "type": "quantitative"}}},
        {"mark": {"type": "rule", "strokeWidth": 2}, "encoding": whisker},
        {"mark": {"type": "point", "filled": True, "size": 45}, "encoding": dot},
    ]
    return specification(
        {
            "data": {"values": values},
            "facet": {
                "column": {"field": "model", "type": "nominal", "sort": list(models), "title": None}
            },
            "spec": {
                "width": _WIDTH,
                "height": {"step": _STEP, "for": "position"},
                "layer": layers,
            },
            "resolve": {"scale": {"x": "independent"}},
        }
    )


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
