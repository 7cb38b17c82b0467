"""Pictures of two numbers against each other, in panels: points with a fitted line, lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ensue.reports.model import Picture
from ensue.reports.pictures.theme import (
    FAINT,
    PALETTE,
    diagonal,
    padded,
    rounded,
    series_encoding,
    specification,
)
from ensue.statistics import Estimate

# Pictures of two numbers against each other: points in panels, with the line that fits them.

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
        "title": {
            "text": panel.title,
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
    color = series_encoding(names)["color"]
    if len(names) > 1:
        color = {**color, "legend": {"columns": min(len(names), _POINT_LEGEND_COLUMNS)}}
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


# Pictures of lines in panels: shares over ranks, or against other shares.

_SIZE = (620, 320)
_SQUARE = (380, 380)
_NARROW = (210, 170)
"""Of one panel of several."""
_LINE_LEGEND_COLUMNS = 5
MOST_BANDS = 4
"""Lines that get bands: those of more would hide each other."""


@dataclass(frozen=True, slots=True)
class EstimateCurve:
    """One line: numbers with their intervals, where they are defined."""

    name: str
    """What the legend calls it."""
    x: Sequence[float]
    y: Sequence[Estimate]
    sizes: Sequence[int] | None = None
    """How many things stand behind each point: the area of its dot."""

    def rows(self) -> list[dict[str, Any]]:
        """The points that are defined."""
        sizes = self.sizes or [1] * len(self.x)
        return [
            {
                "series": self.name,
                "x": rounded(x),
                "y": rounded(y.value),
                "low": rounded(y.value if y.low is None else y.low),
                "high": rounded(y.value if y.high is None else y.high),
                "size": size,
            }
            for x, y, size in zip(self.x, self.y, sizes, strict=True)
            if y.value is not None
        ]


@dataclass(frozen=True, slots=True)
class PlotFrame:
    """What the lines of all panels are drawn on."""

    x_title: str
    y_title: str
    x: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Further settings of the axis in Vega-Lite's words."""
    is_square: bool = False
    """Whether both axes are shares from 0 to 1, with a diagonal on which they are equal."""


def line_picture(
    panels: Mapping[str, Sequence[EstimateCurve]],
    frame: PlotFrame,
    *,
    columns: int = 3,
    title: str,
    name: str,
    caption: str = "",
) -> Picture:
    """Lines with dots and, around them, their intervals: bands, or whiskers in a square frame.

    Bands are left out where there are more than four lines, which they would hide. All panels show the same stretch of both axes, to be compared.

    Args:
        panels: By what stands above each; for a single one, nothing does.
        frame: The axes.
        columns: How many panels stand side by side.
        title: Above the picture.
        name: The picture's name in a report.
        caption: Under the picture.
    """
    names = list(dict.fromkeys(curve.name for curves in panels.values() for curve in curves))
    rows = {panel: [r for c in curves for r in c.rows()] for panel, curves in panels.items()}
    encoding = _encoding(frame, [row for each in rows.values() for row in each])
    layers = _layers(frame, encoding, _line_series(names), len(names) <= MOST_BANDS)
    if len(panels) == 1:
        width, height = _SQUARE if frame.is_square else _SIZE
        (values,) = rows.values()
        body = {"width": width, "height": height, "data": {"values": values}, "layer": layers}
        return Picture(name, title, specification(body), caption)
    width, height = _NARROW
    small = [
        {"title": panel, "width": width, "height": height, "data": {"values": v}, "layer": layers}
        for panel, v in rows.items()
    ]
    spec = {
        "concat": small,
        "columns": columns,
        "spacing": 24,
        "resolve": {"scale": {"color": "shared"}, "legend": {"color": "shared"}},
    }
    return Picture(name, title, specification(spec), caption)


def _layers(
    frame: PlotFrame, encoding: dict[str, Any], series: dict[str, Any], banded: bool
) -> list[dict[str, Any]]:
    color = {"color": series["color"]}
    around = {**encoding, "y": {**encoding["y"], "field": "low"}, "y2": {"field": "high"}, **color}
    mark = {"type": "rule", "opacity": 0.6} if frame.is_square else {"type": "area", "opacity": 0.1}
    line = {"type": "line", "strokeWidth": 1.6}
    dots: dict[str, Any] = {**encoding, **color}
    if frame.is_square:
        area = {"range": [15, 220], "zero": True}
        dots["size"] = {
            "field": "size",
            "type": "quantitative",
            "scale": area,
            "legend": None,
        }
    return [
        *([diagonal(1, encoding)] if frame.is_square else []),
        *([{"mark": mark, "encoding": around}] if banded or frame.is_square else []),
        {"mark": line, "encoding": {**encoding, **series}},
        {"mark": {"type": "point", "filled": True, "size": 26}, "encoding": dots},
    ]


def _encoding(frame: PlotFrame, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    limits = [0.0, 1.0]
    if not frame.is_square:
        low, high = padded([row[key] for row in rows for key in ("low", "high")] or limits)
        limits = [max(0.0, rounded(low)), min(1.02, rounded(high))]
    x = {"scale": {"domain": [0.0, 1.0]}} if frame.is_square else dict(frame.x)
    scale = {"domain": limits, "nice": False, "zero": False}
    return {
        "x": {"field": "x", "type": "quantitative", "title": frame.x_title, **x},
        "y": {"field": "y", "type": "quantitative", "title": frame.y_title, "scale": scale},
    }


def _line_series(names: Sequence[str]) -> dict[str, Any]:
    found = series_encoding(names)
    if len(names) > 1:
        legend = {"columns": min(len(names), _LINE_LEGEND_COLUMNS)}
        found = {**found, "color": {**found["color"], "legend": legend}}
    return found
