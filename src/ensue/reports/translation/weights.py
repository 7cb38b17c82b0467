"""What a metric on features looks at: its weights by group, and beside the paper's directions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from ensue import __version__
from ensue.reports.model import Cell, Column, Interval, Picture, Report, Section, Table
from ensue.reports.pictures.theme import FAINT, series_encoding, specification
from ensue.statistics import RESAMPLING, Resampling
from ensue.translation.metrics import (
    TITLES,
    Claim,
    DirectionComparison,
    EntailmentDirection,
    GroupWeight,
    ModelWeights,
    StandardizedWeight,
    compare_directions,
    parted,
    weights_by_group,
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


def weight_tables(
    metrics: Sequence[ModelWeights],
    recognizer: ModelWeights | None = None,
    *,
    resampling: Resampling = RESAMPLING,
) -> list[Table]:
    """The groups side by side and of each model, the paper's directions beside ours, all weights.

    Args:
        metrics: Such as those on `rte` and on `comb`.
        recognizer: The `features` recognizer, where it is to stand beside them.
        resampling: Draws, level and seed of the intervals.
    """
    models = _together(metrics, recognizer)
    groups = [
        weights_by_group(each.names, each.standardized, each.draws, resampling=resampling)
        for each in models
    ]
    compared = compare_directions(metrics, recognizer, resampling=resampling)
    tables = [
        _side_by_side(models, groups),
        *(_group_table(model, some) for model, some in zip(models, groups, strict=True)),
        _direction_table(models, compared),
    ]
    if recognizer:
        tables.append(_share_table(models, groups, compared))
    return [*tables, _weight_table(models, resampling)]


def weight_picture(
    metrics: Sequence[ModelWeights],
    recognizer: ModelWeights | None = None,
    *,
    resampling: Resampling = RESAMPLING,
) -> Picture:
    """A dot with its interval for each group, a column for each model on a scale of its own."""
    models = _together(metrics, recognizer)
    values = [
        _dot(model.title, each)
        for model in models
        for each in weights_by_group(
            model.names, model.standardized, model.draws, resampling=resampling
        )
    ]
    caption = (
        "The sum of the standardized weights of each group, with its interval. Columns have scales"
        f" of their own: {_units(models)}."
    )
    spec = _dot_spec(values, [model.title for model in models])
    return Picture("weights", "Weights by group", spec, caption)


def weights_report(
    metrics: Sequence[ModelWeights],
    recognizer: ModelWeights | None = None,
    *,
    trained_on: str,
    resampling: Resampling = RESAMPLING,
) -> Report:
    """The page of what metrics look at.

    Args:
        metrics: Such as those on `rte` and on `comb`.
        recognizer: The `features` recognizer, where it is to stand beside them.
        trained_on: The name of what the metrics were trained on.
        resampling: Draws, level and seed of the intervals.
    """
    models = _together(metrics, recognizer)
    beside, *tables = weight_tables(metrics, recognizer, resampling=resampling)
    of_models, others = tables[: len(models)], tables[len(models) :]
    picture = weight_picture(metrics, recognizer, resampling=resampling)
    sections = [
        Section(
            "By group", _sentence(_STANDARDIZED.format(units=_units(models))), [picture, beside]
        ),
        Section("Beside the paper", _sentence(_CORRELATED), others[:-1]),
        Section("The groups of each model", "", of_models),
        Section("All weights", "", others[-1:]),
    ]
    draws = ", ".join(f"{each.title} {len(each.draws)}" for each in models)
    signature = (
        f"ensue {__version__}\ntrained on: {trained_on}\ndraws: {draws};"
        f" level: {resampling.level:g}, seed: {resampling.seed}"
    )
    return Report(f"What metrics trained on {trained_on} look at", sections, signature)


def _together(
    metrics: Sequence[ModelWeights], recognizer: ModelWeights | None
) -> list[ModelWeights]:
    return [*metrics, *([recognizer] if recognizer else [])]


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
    columns = [Column("group"), Column("title")]
    for model in models:
        columns += [
            Column(f"{model.title}_features", title=f"{model.title} features"),
            Column(f"{model.title}_sum", title=f"{model.title} sum |weight|", digits=_DIGITS),
            Column(f"{model.title}_net", title=f"{model.title} net", digits=_DIGITS),
        ]
    found = [
        {each.group: each for each in some if each.way is EntailmentDirection.BOTH}
        for some in groups
    ]
    names = dict.fromkeys([*TITLES, *(name for each in found for name in each)])
    rows: list[Row] = []
    for name in names:
        if any(name in each for each in found):
            cells = [_side_cells(each.get(name)) for each in found]
            rows.append([name, TITLES.get(name, name), *(cell for some in cells for cell in some)])
    notes = [_STANDARDIZED.format(units=_units(models)), _CORRELATED]
    return Table("weight-groups", "Weights by group", columns, rows, notes)


def _side_cells(group: GroupWeight | None) -> Row:
    if group is None:
        return [None, None, None]
    return [group.n_features, group.total, _interval(group.net)]


def _group_table(model: ModelWeights, groups: Sequence[GroupWeight]) -> Table:
    columns = [
        Column("group"),
        Column("way"),
        Column("features"),
        Column("sum", title="sum |weight|", digits=_DIGITS),
        Column("share", digits=1, percent=True),
        Column("net", digits=_DIGITS),
        Column("same_sign", title="draws of its sign", digits=0, percent=True),
        Column("largest"),
        Column("largest_weight", title="its weight", digits=_DIGITS),
        Column("largest_same_sign", title="draws of its sign", digits=0, percent=True),
    ]
    rows: list[Row] = [
        [
            each.group,
            each.way.value,
            each.n_features,
            each.total,
            _interval(each.share),
            _interval(each.net),
            each.net.same_sign,
            each.largest,
            _interval(each.largest_weight),
            each.largest_weight.same_sign,
        ]
        for each in groups
    ]
    notes = [_STANDARDIZED.format(units=model.unit), *_resampled(model), _SHARES]
    title = f"Weights of {model.title} by group"
    return Table(f"weight-groups-{model.title}", title, columns, rows, notes)


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
            "axis": {"grid": True, "labelLimit": 320},
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
