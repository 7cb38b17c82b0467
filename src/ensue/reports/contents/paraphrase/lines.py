"""Pictures of lines in panels: shares over ranks, or against other shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ensue.evaluation.results import Estimate
from ensue.reports.model import Picture
from ensue.reports.pictures.theme import FAINT, padded, series_encoding, specification

_SIZE = (620, 320)
_SQUARE = (380, 380)
_NARROW = (210, 170)
"""Of one panel of several."""
_DIGITS = 6
"""Significant ones that a picture keeps of a number."""
_LEGEND_COLUMNS = 5
MOST_BANDS = 4
"""Lines that get bands: those of more would hide each other."""


@dataclass(frozen=True, slots=True)
class Curve:
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
                "x": _shown(x),
                "y": _shown(y.value),
                "low": _shown(y.value if y.low is None else y.low),
                "high": _shown(y.value if y.high is None else y.high),
                "size": size,
            }
            for x, y, size in zip(self.x, self.y, sizes, strict=True)
            if y.value is not None
        ]


@dataclass(frozen=True, slots=True)
class Frame:
    """What the lines of all panels are drawn on."""

    x_title: str
    y_title: str
    x: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Further settings of the axis in Vega-Lite's words."""
    is_square: bool = False
    """Whether both axes are shares from 0 to 1, with a diagonal on which they are equal."""


def line_picture(
    panels: Mapping[str, Sequence[Curve]],
    frame: Frame,
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
    layers = _layers(frame, encoding, _series(names), len(names) <= MOST_BANDS)
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
    frame: Frame, encoding: dict[str, Any], series: dict[str, Any], banded: bool
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
        *(_diagonal(encoding) if frame.is_square else []),
        *([{"mark": mark, "encoding": around}] if banded or frame.is_square else []),
        {"mark": line, "encoding": {**encoding, **series}},
        {"mark": {"type": "point", "filled": True, "size": 26}, "encoding": dots},
    ]


def _diagonal(encoding: dict[str, Any]) -> list[dict[str, Any]]:
    data = {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]}
    mark = {"type": "line", "color": FAINT, "strokeDash": [5, 4], "strokeWidth": 1}
    return [{"data": data, "mark": mark, "encoding": encoding}]


def _encoding(frame: Frame, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    limits = [0.0, 1.0]
    if not frame.is_square:
        low, high = padded([row[key] for row in rows for key in ("low", "high")] or limits)
        limits = [max(0.0, _shown(low)), min(1.02, _shown(high))]
    x = {"scale": {"domain": [0.0, 1.0]}} if frame.is_square else dict(frame.x)
    scale = {"domain": limits, "nice": False, "zero": False}
    return {
        "x": {"field": "x", "type": "quantitative", "title": frame.x_title, **x},
        "y": {"field": "y", "type": "quantitative", "title": frame.y_title, "scale": scale},
    }


def _series(names: Sequence[str]) -> dict[str, Any]:
    found = series_encoding(names)
    if len(names) > 1:
        legend = {"columns": min(len(names), _LEGEND_COLUMNS)}
        found = {**found, "color": {**found["color"], "legend": legend}}
    return found


def _shown(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")
