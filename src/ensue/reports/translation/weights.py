"""What a metric on features looks at: its weights by group, and beside the paper's directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

from ensue import __version__
from ensue.reports.model import Cell, Column, Interval, Picture, Report, Section, Table, share
from ensue.reports.pictures.theme import FAINT, name_axis, series_encoding, specification
from ensue.statistics import Resampling
from ensue.translation.metrics import (
    TITLES,
    Claim,
    DirectionComparison,
    DirectionOutcome,
    EntailmentDirection,
    GroupWeight,
    ModelWeights,
    StandardizedWeight,
    WeightStudy,
    parted,
)

Row = list[Cell | Interval]

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
