"""How all pictures look: colors that color-blind people can tell apart, type, axes, sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
"""The language of the specifications; an identifier that is never fetched."""

PAPER = "#ffffff"
INK = "#2b2d31"
FAINT = "#6b7078"
GRID = "#e3e5e8"

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6f5d")
"""The colors of Okabe and Ito, the yellow and black that do not stand on paper or ink replaced."""

HEAT = ("#eef4f9", "#0072b2")
"""From none to many, for counts."""

ON_HEAT = ("#1c1e22", "#fdfdfd")
"""Numbers on few and on many; unlike paper and ink, the same on dark pages."""

DASHES = ((1, 0), (6, 3), (2, 2), (8, 2, 2, 2))
"""Line styles, for lines beyond the palette's end."""

_FONT = "Arial, Liberation Sans, sans-serif"

_CONFIG: Mapping[str, Any] = {
    "aria": False,  # a page names the whole picture instead of each of its marks
    "background": PAPER,
    "font": _FONT,
    "view": {"stroke": None},
    "title": {"color": INK, "fontSize": 13, "fontWeight": "bold", "anchor": "start", "offset": 8},
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "gridColor": GRID,
        "domainColor": FAINT,
        "tickColor": FAINT,
    },
    "axisQuantitative": {"labelFlush": False},
    "point": {"opacity": 1},
    "legend": {
        "orient": "top",
        "direction": "horizontal",
        "columns": 3,
        "labelColor": INK,
        "labelFontSize": 11,
        "labelLimit": 320,
        "symbolOpacity": 1,
        "symbolStrokeWidth": 2.5,
        "title": None,
    },
    "header": {"labelColor": INK, "labelFontSize": 12, "labelFontWeight": "bold", "title": None},
}


def specification(body: Mapping[str, Any]) -> dict[str, Any]:
    """A whole Vega-Lite specification: the body under the common theme."""
    return {"$schema": SCHEMA, "padding": 8, "config": dict(_CONFIG), **body}


def color_scale(names: Sequence[str]) -> dict[str, Any]:
    """The scale that gives each name its color, in order."""
    colors = [PALETTE[i % len(PALETTE)] for i in range(len(names))]
    return {"domain": list(names), "range": colors}


def dash_scale(names: Sequence[str]) -> dict[str, Any]:
    """The scale that gives each name its line style: plain ones until the colors run out."""
    dashes = [list(DASHES[i // len(PALETTE) % len(DASHES)]) for i in range(len(names))]
    return {"domain": list(names), "range": dashes}


def series_encoding(names: Sequence[str]) -> dict[str, Any]:
    """Color, and line style where the colors do not suffice, by the field `series`."""
    legend = {} if len(names) > 1 else {"legend": None}
    color = {"field": "series", "type": "nominal", "scale": color_scale(names), **legend}
    if len(names) <= len(PALETTE):
        return {"color": color}
    dash = {"field": "series", "type": "nominal", "scale": dash_scale(names)}
    return {"color": color, "strokeDash": dash}


def told(names: Mapping[str, str], numbers: Mapping[str, str]) -> list[dict[str, Any]]:
    """What a pointer over a mark is told where a picture is drawn in a browser.

    Args:
        names: Fields that hold names, with how each is called.
        numbers: The same for numbers.
    """
    kinds = {"nominal": names, "quantitative": numbers}
    return [
        {"field": field, "type": kind, "title": title}
        for kind, fields in kinds.items()
        for field, title in fields.items()
    ]


def chance_layers(chance: float | None, *, across: bool) -> list[dict[str, Any]]:
    """A dashed rule at the accuracy of guessing, with its name, across the picture or down it."""
    if chance is None:
        return []
    place = {"y" if across else "x": {"field": "chance", "type": "quantitative"}}
    rule = {"type": "rule", "color": FAINT, "strokeDash": [6, 4], "strokeWidth": 1}
    text: dict[str, Any] = {"type": "text", "text": "chance", "color": FAINT, "fontSize": 10}
    if across:
        label = {"mark": {**text, "align": "left", "dx": 4}}
        margin: dict[str, Any] = {"x": {"value": "width"}}
    else:
        label = {"mark": {**text, "baseline": "bottom", "dy": -3}}
        margin = {"y": {"value": 0}}
    data = {"data": {"values": [{"chance": chance * 100}]}}
    return [
        {**data, "mark": rule, "encoding": place},
        {**data, **label, "encoding": {**place, **margin}},
    ]


def padded(values: Sequence[float], share: float = 0.06) -> tuple[float, float]:
    """The range of the values, and a little room on both sides."""
    low, high = min(values), max(values)
    room = (high - low) * share or max(abs(low) * share, 0.5)
    return low - room, high + room


def rounded(number: float) -> float:
    """The number with as many digits as a picture shows."""
    return float(f"{number:.6g}")


def diagonal(end: float, encoding: Mapping[str, Any]) -> dict[str, Any]:
    """A dashed line on which both axes, from 0 to `end`, are equal."""
    return {
        "data": {"values": [{"x": 0, "y": 0}, {"x": end, "y": end}]},
        "mark": {"type": "line", "color": FAINT, "strokeDash": [5, 4], "strokeWidth": 1},
        "encoding": dict(encoding),
    }
