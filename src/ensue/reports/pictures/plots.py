"""Pictures of two numbers against each other: points in panels, with a fitted line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ensue.reports.model import Picture
from ensue.reports.pictures.theme import (
    FAINT,
    PALETTE,
    padded,
    panel_title,
    rounded,
    series_encoding,
    specification,
)

_SIDE = 190
_SINGLE = 320
_TICKS = 5
_POINT_LEGEND_COLUMNS = 6
_SHAPES = ("circle", "square", "triangle-up", "diamond")


@dataclass(frozen=True, slots=True)
class Point:
    """One thing with its two numbers."""

    x: float
    y: float
    series: str
    """What colors it, e.g. a method; empty where all are alike."""
    label: str
    """What a pointer over it tells, e.g. a term."""


@dataclass(frozen=True, slots=True)
class ScatterPanel:
    """Points under a title."""

    title: str
    subtitle: str
    """E.g. the correlation with its p."""
    x_title: str
    y_title: str
    points: Sequence[Point]
    fitted: bool = True
    """Whether the line of least squares is drawn."""


def scatter_picture(
    panels: Sequence[ScatterPanel],
    *,
    columns: int = 3,
    title: str,
    name: str,
    caption: str = "",
) -> Picture:
    """Points in panels, each with its line of least squares where there is one to draw.

    Panels with the same title of an axis show the same stretch of it, to be compared.

    Args:
        panels: From left to right, then down.
        columns: How many stand side by side.
        title: Above the picture.
        name: The picture's name in a report.
        caption: Under the picture.
    """
    series = list(dict.fromkeys(point.series for panel in panels for point in panel.points))
    spans = _spans([(panel.x_title, point.x) for panel in panels for point in panel.points])
    spans_y = _spans([(panel.y_title, point.y) for panel in panels for point in panel.points])
    side = _SINGLE if len(panels) == 1 else _SIDE
    made = [
        _panel(panel, series, spans.get(panel.x_title), spans_y.get(panel.y_title), side)
        for panel in panels
    ]
    spec = {
        "concat": made,
        "columns": columns,
        "spacing": {"row": 26, "column": 30},
        "resolve": {"scale": {"color": "shared"}, "legend": {"color": "shared"}},
    }
    return Picture(name, title, specification(spec), caption)


def fitted_line(points: Sequence[Point]) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """The ends of the line of least squares over the points; None where all have one x.

    >>> fitted_line([Point(0, 1, "", ""), Point(1, 1, "", ""), Point(2, 4, "", "")])
    ((0.0, 0.5), (2.0, 3.5))
    """
    x = np.array([point.x for point in points], np.float64)
    y = np.array([point.y for point in points], np.float64)
    if x.size == 0 or np.ptp(x) == 0:
        return None
    away = x - x.mean()
    slope = float(away @ (y - y.mean()) / (away @ away))
    return (_on(x.min(), x, y, slope), _on(x.max(), x, y, slope))


def _on(at: float, x: Any, y: Any, slope: float) -> tuple[float, float]:
    return float(at), float(y.mean() + slope * (at - x.mean()))


def _spans(numbers: Sequence[tuple[str, float]]) -> dict[str, tuple[float, float]]:
    """For each title of an axis the stretch of its numbers."""
    by_title: dict[str, list[float]] = {}
    for title, number in numbers:
        by_title.setdefault(title, []).append(number)
    return {title: padded(found) for title, found in by_title.items()}


def _panel(
    panel: ScatterPanel,
    series: Sequence[str],
    span_x: tuple[float, float] | None,
    span_y: tuple[float, float] | None,
    side: int,
) -> dict[str, Any]:
    encoding = {"x": _axis("x", panel.x_title, span_x), "y": _axis("y", panel.y_title, span_y)}
    told = [
        {"field": "label", "type": "nominal", "title": "list"},
        {"field": "x", "type": "quantitative", "title": panel.x_title},
        {"field": "y", "type": "quantitative", "title": panel.y_title},
    ]
    points = {**encoding, **_point_series(series), "tooltip": told}
    mark = {"type": "point", "filled": True, "size": 38, "opacity": 0.75}
    return {
        "description": panel.title,
        "title": {
            "text": panel_title(panel.title, side)["title"],
            "subtitle": panel.subtitle,
            "fontSize": 12,
            "subtitleFontSize": 11,
            "subtitleColor": FAINT,
            "offset": 6,
        },
        "width": side,
        "height": side,
        "data": {"values": [_row(point) for point in panel.points]},
        "layer": [*_line_layers(panel, encoding), {"mark": mark, "encoding": points}],
    }


def _point_series(names: Sequence[str]) -> dict[str, Any]:
    """Color by series, and shape where the colors do not suffice."""
    color = series_encoding(names, columns=_POINT_LEGEND_COLUMNS)["color"]
    if len(names) <= len(PALETTE):
        return {"color": color}
    shapes = [_SHAPES[i // len(PALETTE) % len(_SHAPES)] for i in range(len(names))]
    scale = {"domain": list(names), "range": shapes}
    return {"color": color, "shape": {"field": "series", "type": "nominal", "scale": scale}}


def _axis(field: str, title: str, span: tuple[float, float] | None) -> dict[str, Any]:
    domain = {} if span is None else {"domain": [rounded(end) for end in span]}
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {**domain, "nice": False, "zero": False},
        "axis": {"tickCount": _TICKS},
    }


def _line_layers(panel: ScatterPanel, encoding: dict[str, Any]) -> list[dict[str, Any]]:
    line = fitted_line(panel.points) if panel.fitted else None
    if line is None:
        return []
    values = [{"x": rounded(x), "y": rounded(y)} for x, y in line]
    mark = {"type": "line", "color": FAINT, "strokeWidth": 1.5, "clip": True}
    return [{"data": {"values": values}, "mark": mark, "encoding": encoding}]


def _row(point: Point) -> dict[str, Any]:
    label = f"{point.label} ({point.series})" if point.series else point.label
    return {
        "x": rounded(point.x),
        "y": rounded(point.y),
        "series": point.series,
        "label": label,
    }
