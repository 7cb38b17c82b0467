"""Pictures of single numbers with their intervals, in rows and panels; confusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ensue.reports.model import DASH, Interval, Picture
from ensue.reports.pictures.theme import (
    FAINT,
    HEAT,
    ON_HEAT,
    PALETTE,
    PAPER,
    chance_layers,
    color_scale,
    name_axis,
    padded,
    panel_title,
    rounded,
    series_encoding,
    specification,
    told,
)

# Pictures of single numbers: accuracies with their intervals, by run and by group, confusion.

_RUN_ROW = 26
_RUN_WIDTH = 460
_DARK = 0.85
"""The share of the largest count above which light numbers stand out better than dark ones."""


def accuracy_picture(
    accuracies: Mapping[str, Interval],
    *,
    chance: float | None = 0.5,
    title: str = "Accuracy",
    name: str = "accuracy",
    caption: str = "",
) -> Picture:
    """A dot with its interval for each run, from the first at the top, and the line of chance."""
    rows = [_run_row(run, "", interval) for run, interval in accuracies.items()]
    spec = _dot_spec(rows, list(accuracies), [""], chance)
    return Picture(name, title, spec, caption)


def group_picture(
    accuracies: Mapping[str, Mapping[str, Interval]],
    *,
    chance: float | None = 0.5,
    title: str = "Accuracy by task",
    name: str = "by-task",
    caption: str = "",
) -> Picture:
    """A dot with its interval for each group (the outer names) and run (the inner ones)."""
    rows = [
        _run_row(group, run, interval)
        for group, runs in accuracies.items()
        for run, interval in runs.items()
    ]
    runs = list(dict.fromkeys(run for group in accuracies.values() for run in group))
    spec = _dot_spec(rows, list(accuracies), runs, chance)
    return Picture(name, title, spec, caption)


def confusion_picture(
    labels: Sequence[str],
    answers: Sequence[str],
    counts: Sequence[Sequence[int]],
    *,
    title: str = "Confusion",
    name: str = "confusion",
    caption: str = "",
) -> Picture:
    """How often each gold label (a row of `counts`) got each answer (a column)."""
    values: list[dict[str, Any]] = [
        {"gold": gold, "answer": answer, "count": int(count)}
        for gold, row in zip(labels, counts, strict=True)
        for answer, count in zip(answers, row, strict=True)
    ]
    most = max((value["count"] for value in values), default=0)
    bare = {"domain": False, "ticks": False}
    encoding: dict[str, Any] = {
        "x": _label_axis("answer", answers, orient="top", labelAngle=0, **bare),
        "y": _label_axis("gold", labels, **bare),
    }
    heat = {"field": "count", "type": "quantitative", "legend": None}
    said = told({"gold": "gold", "answer": "answer"}, {"count": "pairs"})
    cells = {
        **encoding,
        "color": {**heat, "scale": {"domain": [0, most or 1], "range": HEAT}},
        "tooltip": said,
    }
    dark = {"test": f"datum.count > {most * _DARK}", "value": ON_HEAT[1]}
    numbers = {
        **encoding,
        "text": {"field": "count", "type": "quantitative"},
        "color": {"condition": dark, "value": ON_HEAT[0]},
        "tooltip": said,
    }
    spec = {
        "width": {"step": 108},
        "height": {"step": 46},
        "data": {"values": values},
        "layer": [
            {"mark": {"type": "rect", "stroke": PAPER, "strokeWidth": 2}, "encoding": cells},
            {"mark": {"type": "text", "fontSize": 13}, "encoding": numbers},
        ],
    }
    return Picture(name, title, specification(spec), caption)


def _run_row(place: str, series: str, interval: Interval) -> dict[str, Any]:
    def percent(number: float | None) -> float | None:
        return None if number is None else round(number * 100, 4)

    return {
        "place": place,
        "series": series,
        "value": percent(interval.value),
        "low": percent(interval.low),
        "high": percent(interval.high),
    }


def _dot_spec(
    rows: list[dict[str, Any]], places: list[str], series: list[str], chance: float | None
) -> dict[str, Any]:
    encoding = {
        "x": {
            "field": "low",
            "type": "quantitative",
            "title": "accuracy, %",
            "scale": {"domain": _span(rows, chance), "nice": True, "zero": False},
        },
        "y": _label_axis("place", places, title=None, **name_axis(places, grid=True)),
    }
    if len(series) > 1:
        encoding["yOffset"] = {"field": "series", "type": "nominal", "scale": {"domain": series}}
    color = series_encoding(series, room=_RUN_WIDTH)["color"]
    names = {"place": "group", "series": "run"} if len(series) > 1 else {"place": "run"}
    said = told(names, {"value": "accuracy, %", "low": "from", "high": "to"})
    whisker = {**encoding, "x2": {"field": "high"}, "color": color, "tooltip": said}
    dot = {**encoding, "x": {**encoding["x"], "field": "value"}, "color": color, "tooltip": said}
    step = _RUN_ROW if len(series) == 1 else max(_RUN_ROW, 12 * len(series) + 16)
    return specification(
        {
            "width": _RUN_WIDTH,
            "height": {"step": step, "for": "position"},
            "data": {"values": [row for row in rows if row["value"] is not None]},
            "layer": [
                *chance_layers(chance, across=False),
                {"mark": {"type": "rule", "strokeWidth": 2}, "encoding": whisker},
                {"mark": {"type": "point", "filled": True, "size": 60}, "encoding": dot},
            ],
        }
    )


def _span(rows: Sequence[Mapping[str, Any]], chance: float | None) -> list[float]:
    numbers = [row[key] for row in rows for key in ("value", "low", "high") if row[key] is not None]
    low, high = padded([*numbers, *([] if chance is None else [chance * 100])] or [0.0, 100.0])
    return [max(0.0, low), min(100.0, high)]


def _label_axis(field: str, labels: Sequence[str], **axis: Any) -> dict[str, Any]:
    title = {"title": axis.pop("title")} if "title" in axis else {}
    encoding: dict[str, Any] = {"field": field, "type": "nominal", "axis": axis, **title}
    return {**encoding, "scale": {"domain": list(labels)}, "sort": None}


# Pictures of bars: a number for each name, the first at the top.

_BAR_WIDTH = 420


def bar_picture(
    values: Sequence[Mapping[str, Any]],
    *,
    place: str,
    number: str,
    axis: str,
    series: Sequence[str],
    tooltip: Sequence[Mapping[str, Any]] = (),
    legend: bool = True,
    size: tuple[int, int] = (_BAR_WIDTH, 24),
    title: str,
    name: str,
    caption: str = "",
) -> Picture:
    """A bar for each row, in the color of its `series`.

    Args:
        values: The rows, with a field `series`.
        place: The field with what stands beside the bar.
        number: The field with its length.
        axis: What the lengths are.
        series: The names of colors, in order.
        tooltip: What a pointer over a bar is told.
        legend: Whether the colors are explained.
        size: Of the picture's width, and of a row's height.
        title: Above the picture.
        name: The picture's name in a report.
        caption: Under the picture.
    """
    places = list(dict.fromkeys(str(value[place]) for value in values))
    color = {"field": "series", "type": "nominal", "scale": color_scale(series)}
    encoding: dict[str, Any] = {
        "x": {"field": number, "type": "quantitative", "title": axis},
        "y": {
            "field": place,
            "type": "nominal",
            "title": None,
            "sort": None,
            "axis": name_axis(places),
        },
        "color": color if legend else {**color, "legend": None},
    }
    if tooltip:
        encoding["tooltip"] = list(tooltip)
    spec = {
        "width": size[0],
        "height": {"step": size[1]},
        "data": {"values": list(values)},
        "mark": {"type": "bar"},
        "encoding": encoding,
    }
    return Picture(name, title, specification(spec), caption)


# Pictures of numbers in panels: a dot with its interval a row, parted into clusters where told.

_PANEL_ROW = 22
_PANEL_WIDTH = 460
_NARROW = 250
"""Of one panel of several."""
_COLUMNS = 2
_NEAR = 0.2
"""Names of lines that are nearer than this part of the width stand on two rows."""
_NAME_ROW = 11
_EDGE = 0.02
"""Room beyond a limit, so that a dot on it is whole."""
_SPARSE = 5
"""Marks on a narrow axis, so that their numbers do not touch."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A row of a panel."""

    place: str
    """What stands beside it; different from that of other rows of the panel."""
    interval: Interval
    cluster: int | None = None
    """A line parts rows of different clusters."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What all panels measure."""

    title: str
    percent: bool = True
    """Whether numbers are shares, and shown in percent."""
    limits: tuple[float | None, float | None] = (0.0, 1.0)
    """Numbers cannot be less or more; None where there is no limit."""
    shared: bool = True
    """Whether panels show the same stretch, to be compared; each its own otherwise."""

    def shown(self, number: float | None) -> float | None:
        """The number as the picture shows it."""
        if number is None:
            return None
        return rounded(number * 100 if self.percent else number)


def panel_picture(
    panels: Mapping[str, Sequence[Dot]],
    axis: Axis,
    *,
    rules: Mapping[str, float] | None = None,
    title: str,
    name: str,
    caption: str = "",
) -> Picture:
    """Dots in rows, from the first at the top; a panel each for language pairs or the like.

    Rows without a number are left out.

    Args:
        panels: By what stands above each; for a single one, nothing does.
        axis: What is measured.
        rules: Numbers to compare with, e.g. of chance: dashed lines with their names.
        title: Above the picture.
        name: The picture's name in a report.
        caption: Under the picture.
    """
    rules = rules or {}
    known = {
        panel: [dot for dot in dots if dot.interval.value is not None]
        for panel, dots in panels.items()
    }
    together = [dot for dots in known.values() for dot in dots]
    stretches = {
        panel: _stretch(together if axis.shared else dots, axis, rules)
        for panel, dots in known.items()
    }
    if len(known) == 1:
        ((panel, dots),) = known.items()
        whole = _panel(dots, axis, rules, stretches[panel], _PANEL_WIDTH)
        return Picture(name, title, specification(whole), caption)
    made = [
        {
            **panel_title(panel or DASH, _NARROW),
            **_panel(dots, axis, rules, stretches[panel], _NARROW),
        }
        for panel, dots in known.items()
    ]
    spec = specification({"concat": made, "columns": _COLUMNS, "spacing": 28})
    return Picture(name, title, spec, caption)


def _panel(
    dots: Sequence[Dot],
    axis: Axis,
    rules: Mapping[str, float],
    stretch: tuple[float, float],
    width: int,
) -> dict[str, Any]:
    x = {
        "field": "low",
        "type": "quantitative",
        "title": f"{axis.title}, %" if axis.percent else axis.title,
        "scale": {"domain": list(stretch), "nice": False, "zero": False},
        "axis": {"tickCount": _SPARSE if width == _NARROW else 8},
    }
    rows = {
        "field": "place",
        "type": "nominal",
        "title": None,
        "sort": None,
        "scale": {"type": "band", "domain": [dot.place for dot in dots]},
        "axis": name_axis([dot.place for dot in dots], grid=False, ticks=False),
    }
    whisker = {"x": x, "x2": {"field": "high"}, "y": rows}
    dot = {"x": {**x, "field": "value"}, "y": rows}
    return {
        "width": width,
        "height": {"step": _PANEL_ROW},
        "data": {"values": [_panel_row(each, axis) for each in dots]},
        "layer": [
            *_rule_layers(rules, axis, stretch),
            *_cluster_layers(dots, rows),
            {"mark": {"type": "rule", "strokeWidth": 2, "color": PALETTE[0]}, "encoding": whisker},
            {
                "mark": {"type": "point", "filled": True, "size": 55, "color": PALETTE[0]},
                "encoding": dot,
            },
        ],
    }


def _panel_row(dot: Dot, axis: Axis) -> dict[str, Any]:
    interval = dot.interval
    return {
        "place": dot.place,
        "value": axis.shown(interval.value),
        "low": axis.shown(interval.low),
        "high": axis.shown(interval.high),
    }


def _stretch(dots: Sequence[Dot], axis: Axis, rules: Mapping[str, float]) -> tuple[float, float]:
    numbers = [
        number
        for dot in dots
        for number in (dot.interval.value, dot.interval.low, dot.interval.high)
        if number is not None
    ]
    least, most = padded([*numbers, *rules.values()] or [0.0, 1.0])
    lowest, highest = axis.limits
    edge = (most - least) * _EDGE
    least = least if lowest is None else max(least, lowest - edge)
    most = most if highest is None else min(most, highest + edge)
    return axis.shown(least) or 0.0, axis.shown(most) or 0.0


def _rule_layers(
    rules: Mapping[str, float], axis: Axis, stretch: tuple[float, float]
) -> list[dict[str, Any]]:
    """The lines with their names above; a name that is near the one before stands higher."""
    layers: list[dict[str, Any]] = []
    apart = (stretch[1] - stretch[0]) * _NEAR
    before, tier = float("-inf"), 0
    for name, number in sorted(rules.items(), key=lambda rule: rule[1]):
        at = axis.shown(number) or 0.0
        tier = 1 - tier if at - before < apart else 0
        before = at
        data = {"values": [{"at": at, "name": name}]}
        place = {"x": {"field": "at", "type": "quantitative"}}
        rule = {"type": "rule", "color": FAINT, "strokeDash": [6, 4], "strokeWidth": 1}
        above = {"baseline": "bottom", "dy": -3 - tier * _NAME_ROW}
        text = {"type": "text", "color": FAINT, "fontSize": 10, **above}
        said = {**place, "y": {"value": 0}, "text": {"field": "name"}}
        layers.append({"data": data, "mark": rule, "encoding": place})
        layers.append({"data": data, "mark": text, "encoding": said})
    return layers


def _cluster_layers(dots: Sequence[Dot], rows: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A line below the last row of each cluster but the last one."""
    ends = [
        {"place": dots[i].place}
        for i in range(len(dots) - 1)
        if dots[i].cluster is not None and dots[i].cluster != dots[i + 1].cluster
    ]
    if not ends:
        return []
    rule = {"type": "rule", "color": FAINT, "strokeWidth": 1}
    return [
        {"data": {"values": ends}, "mark": rule, "encoding": {"y": {**rows, "bandPosition": 1}}}
    ]
