"""Pictures of single numbers: accuracies with their intervals, by run and by group, confusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ensue.reports.model import Interval, Picture
from ensue.reports.pictures.theme import (
    HEAT,
    ON_HEAT,
    PAPER,
    chance_layers,
    padded,
    series_encoding,
    specification,
    told,
)

_ROW = 26
_WIDTH = 460
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
    rows = [_row(run, "", interval) for run, interval in accuracies.items()]
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
        _row(group, run, interval)
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


def _row(place: str, series: str, interval: Interval) -> dict[str, Any]:
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
        "y": _label_axis("place", places, title=None, grid=True, labelLimit=320),
    }
    if len(series) > 1:
        encoding["yOffset"] = {"field": "series", "type": "nominal", "scale": {"domain": series}}
    color = series_encoding(series)["color"]
    names = {"place": "group", "series": "run"} if len(series) > 1 else {"place": "run"}
    said = told(names, {"value": "accuracy, %", "low": "from", "high": "to"})
    whisker = {**encoding, "x2": {"field": "high"}, "color": color, "tooltip": said}
    dot = {**encoding, "x": {**encoding["x"], "field": "value"}, "color": color, "tooltip": said}
    step = _ROW if len(series) == 1 else max(_ROW, 12 * len(series) + 16)
    return specification(
        {
            "width": _WIDTH,
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
