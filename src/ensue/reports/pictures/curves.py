"""Pictures of lines: accuracy by cutoff, risk by coverage, shares by confidence or rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ensue.reports.model import Picture
from ensue.reports.pictures.theme import (
    INK,
    chance_layers,
    diagonal,
    padded,
    panel_title,
    rounded,
    series_encoding,
    specification,
    told,
)
from ensue.statistics import Estimate

# Long curves made short, so that a picture of them stays small and looks the same.

MAX_POINTS = 800
"""More points than this on one line cannot be told apart in a picture."""


def thinned(heights: npt.ArrayLike, limit: int = MAX_POINTS) -> npt.NDArray[np.intp]:
    """The indices to keep so that at most about `limit` points show the same curve.

    The curve is cut into equal stretches; of each, the lowest and the highest point stay, and the
    first and the last of all. What is highest or lowest overall is therefore never lost.

    >>> thinned([0.0, 0.4, 1.0, 0.5, 0.7, 0.2, 0.3], limit=6).tolist()
    [0, 2, 4, 5, 6]
    """
    values = np.asarray(heights, dtype=float)
    if len(values) <= limit:
        return np.arange(len(values))
    keep = {0, len(values) - 1}
    for stretch in np.array_split(np.arange(len(values)), max(1, limit // 2 - 1)):
        keep.add(int(stretch[np.argmin(values[stretch])]))
        keep.add(int(stretch[np.argmax(values[stretch])]))
    return np.array(sorted(keep), dtype=np.intp)


LISTED = 2000
"""So many points stand for a curve of more than `WHOLE` in a table."""
WHOLE = 200_000


def listed(heights: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """The indices of the points of a curve that a table lists: all but of the longest curves."""
    return thinned(heights, LISTED) if len(heights) > WHOLE else np.arange(len(heights))


# Pictures of lines: accuracy by cutoff, risk by coverage, accuracy by confidence.

Numbers = npt.ArrayLike
"""A sequence or an array of numbers."""

_MINUS_INFINITY = "−∞"
_SPARSE = 5
"""Marks on the axis of a small panel, so that their numbers do not touch."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a picture, with the band around it where there is one."""

    name: str
    """What the legend calls it."""
    x: Numbers = field(hash=False)
    y: Numbers = field(hash=False)
    low: Numbers | None = field(default=None, hash=False)
    high: Numbers | None = field(default=None, hash=False)
    panel: str = ""
    """The panel that it stands in, where a picture has several."""
    sizes: Numbers | None = field(default=None, hash=False)
    """How many pairs stand behind each point: the area of its dot."""


def cutoff_picture(
    lines: Sequence[Line],
    *,
    tuned: float | None = None,
    chance: float | None = 0.5,
    title: str = "Accuracy by cutoff",
    name: str = "cutoff",
    caption: str = "",
) -> Picture:
    """Accuracy (y) by cutoff (x) as steps, as in figures 1 to 4 of the modified-BLEU paper.

    A point holds from its cutoff up to the next one. The cutoff minus infinity, at which every
    answer is yes, is drawn a little to the left of the lowest score.

    Args:
        lines: E.g. development and test, in one panel or one panel a task.
        tuned: The chosen cutoff: a dotted rule with its number.
        chance: The accuracy of guessing: a dashed rule.
        title: Above the picture.
        name: The picture's name in a report.
        caption: Under the picture.
    """
    left, right = _cutoff_range(lines, tuned)
    steps = [_as_steps(line, left, right) for line in lines]
    rules = chance_layers(chance, across=True) + _tuned_rule(tuned, left, right)
    spec = _line_spec(
        steps,
        {
            "title": "cutoff",
            "scale": {"domain": [left, right], "nice": False},
        },
        {"title": "accuracy, %", "scale": {"zero": False}},
        _Drawing(interpolate="step-after", rules=rules),
        y_values=[] if chance is None else [chance * 100],
    )
    return Picture(name, title, spec, caption)


def risk_coverage_picture(
    lines: Sequence[Line],
    *,
    title: str = "Risk by coverage",
    name: str = "risk-coverage",
    caption: str = "",
) -> Picture:
    """The share of errors (y) when only the surest share of the pairs (x) is answered."""
    spec = _line_spec(
        [_in_percent(line) for line in lines],
        {"title": "coverage, % of the pairs", "scale": {"domain": [0, 100]}},
        {"title": "risk, % wrong of the answered", "scale": {"zero": True}},
        _Drawing(),
        y_values=[0.0],
    )
    return Picture(name, title, spec, caption)


def reliability_picture(
    lines: Sequence[Line],
    *,
    title: str = "Reliability",
    name: str = "reliability",
    caption: str = "",
) -> Picture:
    """Accuracy (y) by confidence (x), a point a bin; a perfect run lies on the diagonal."""
    spec = _line_spec(
        [_in_percent(line) for line in lines],
        {"title": "confidence, %", "scale": {"domain": [0, 100]}},
        {"title": "right, %", "scale": {"domain": [0, 100]}},
        _Drawing(rules=[_equal(100)], dots=55, is_whiskered=True, size=(380, 340)),
    )
    return Picture(name, title, spec, caption)


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

    Bands are left out where there are more than four lines, which they would hide. All panels show
    the same stretch of both axes, to be compared.

    Args:
        panels: By what stands above each; for a single one, nothing does.
        frame: The axes.
        columns: How many panels stand side by side.
        title: Above the picture.
        name: The picture's name in a report.
        caption: Under the picture.
    """
    lines = [_estimated(curve, panel) for panel, curves in panels.items() for curve in curves]
    n_names = len({line.name for line in lines})
    if n_names > MOST_BANDS and not frame.is_square:
        lines = [replace(line, has_band=False) for line in lines]
    drawing = _Drawing(dots=26, columns=columns, small=(210, 170), legend=5)
    x: dict[str, Any] = {"title": frame.x_title, **frame.x}
    if frame.is_square:
        x = {"title": frame.x_title, "scale": {"domain": [0.0, 1.0]}}
        drawing = replace(drawing, rules=[_equal(1)], is_whiskered=True, size=(380, 380))
    y = {"title": frame.y_title, "scale": _share_scale(lines, frame)}
    return Picture(name, title, _line_spec(lines, x, y, drawing), caption)


def _estimated(curve: EstimateCurve, panel: str) -> _Drawn:
    """The points of a curve that are defined; one without an interval is its own."""
    sizes: Sequence[int | None] = curve.sizes or [None] * len(curve.x)
    rows = [
        {
            "series": curve.name,
            "x": rounded(x),
            "y": rounded(y.value),
            "low": rounded(y.value if y.low is None else y.low),
            "high": rounded(y.value if y.high is None else y.high),
        }
        | ({} if size is None else {"size": size})
        for x, y, size in zip(curve.x, curve.y, sizes, strict=True)
        if y.value is not None
    ]
    return _Drawn(curve.name, panel, rows, has_band=True)


def _share_scale(lines: Sequence[_Drawn], frame: PlotFrame) -> dict[str, Any]:
    """The stretch of shares that the lines take, or all of it."""
    limits = [0.0, 1.0]
    if not frame.is_square:
        ends = [row[key] for line in lines for row in line.rows for key in ("low", "high")]
        low, high = padded(ends or limits)
        limits = [max(0.0, rounded(low)), min(1.02, rounded(high))]
    return {"domain": limits, "nice": False, "zero": False}


@dataclass(frozen=True, slots=True)
class _Drawing:
    """How lines are drawn, whatever they are of."""

    interpolate: str = "linear"
    rules: Sequence[dict[str, Any]] = field(default=(), hash=False)
    """Layers behind the lines, e.g. of chance."""
    dots: int = 0
    """The area of the dot of each point; 0 where there are none."""
    is_whiskered: bool = False
    """Whether intervals are bars, and not bands."""
    size: tuple[int, int] = (620, 320)
    small: tuple[int, int] = (230, 150)
    """Of one panel of several."""
    columns: int = 3
    """How many panels stand side by side."""
    legend: int = 3
    """How many names stand side by side in the legend."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A line in the picture's own units, ready to be drawn."""

    name: str
    panel: str
    rows: list[dict[str, Any]]
    has_band: bool


def _cutoff_range(lines: Sequence[Line], tuned: float | None) -> tuple[float, float]:
    cutoffs = [float(cutoff) for line in lines for cutoff in np.asarray(line.x, dtype=float)]
    finite = [
        cutoff for cutoff in [*cutoffs, *([] if tuned is None else [tuned])] if abs(cutoff) < np.inf
    ]
    return padded(finite) if finite else (-1.0, 1.0)


def _as_steps(line: Line, left: float, right: float) -> _Drawn:
    """The line with infinities at the picture's edge and its last step drawn out to the right."""
    x = np.clip(np.asarray(line.x, dtype=float), left, right)
    drawn = _rows(line, x, keep=thinned(line.y))
    if drawn.rows:
        drawn.rows.append({**drawn.rows[-1], "x": right})
    return drawn


def _in_percent(line: Line) -> _Drawn:
    return _rows(line, np.asarray(line.x, dtype=float) * 100, keep=thinned(line.y))


def _rows(line: Line, x: npt.NDArray[np.float64], keep: npt.NDArray[np.intp]) -> _Drawn:
    columns: dict[str, npt.NDArray[np.float64]] = {"x": x, "y": _percent(line.y)}
    has_band = line.low is not None and line.high is not None
    if line.low is not None and line.high is not None:
        columns |= {"low": _percent(line.low), "high": _percent(line.high)}
    if line.sizes is not None:
        columns["size"] = np.asarray(line.sizes, dtype=float)
    rows = [
        {"series": line.name} | {key: _rounded(values[i]) for key, values in columns.items()}
        for i in keep
    ]
    return _Drawn(line.name, line.panel, rows, has_band)


def _percent(shares: Numbers) -> npt.NDArray[np.float64]:
    return np.asarray(shares, dtype=float) * 100


def _rounded(number: float) -> float | None:
    return rounded(number) if np.isfinite(number) else None


def _line_spec(
    lines: Sequence[_Drawn],
    x: dict[str, Any],
    y: dict[str, Any],
    drawing: _Drawing,
    y_values: Sequence[float] = (),
) -> dict[str, Any]:
    names = _distinct(line.name for line in lines)
    panels = _distinct(line.panel for line in lines)
    if len(panels) > 1:
        x = {**x, "axis": {"tickCount": _SPARSE, **x.get("axis", {})}}
    if "domain" not in y["scale"]:
        y = {**y, "scale": {**y["scale"], "domain": _height(lines, y_values)}}
    made = {
        panel: _panel([line for line in lines if line.panel == panel], names, x, y, drawing)
        for panel in panels
    }
    if len(panels) == 1:
        width, height = drawing.size
        return specification({"width": width, "height": height, **made[panels[0]]})
    width, height = drawing.small
    small = [
        {**panel_title(panel, width), "width": width, "height": height, **spec}
        for panel, spec in made.items()
    ]
    together = {"scale": {"color": "shared"}, "legend": {"color": "shared"}}
    grid = {"concat": small, "columns": drawing.columns, "spacing": 24, "resolve": together}
    return specification(grid)


def _panel(
    lines: Sequence[_Drawn],
    names: Sequence[str],
    x: dict[str, Any],
    y: dict[str, Any],
    drawing: _Drawing,
) -> dict[str, Any]:
    series = series_encoding(names, room=drawing.size[0], columns=drawing.legend)
    said = _told(lines, x["title"], y["title"])
    across = {"x": _quantitative("x", **x), "tooltip": said}
    around = {**across, "y": _quantitative("low", **y), "y2": {"field": "high"}}
    around["color"] = series["color"]
    band = {"type": "area", "interpolate": drawing.interpolate, "opacity": 0.14}
    whisker = {"type": "rule", "opacity": 0.6}
    line = {"type": "line", "interpolate": drawing.interpolate, "strokeWidth": 1.6}
    up = {**across, "y": _quantitative("y", **y)}
    has_band = any(line.has_band for line in lines)
    layers = [
        *([{"mark": band, "encoding": around}] if has_band and not drawing.is_whiskered else []),
        *drawing.rules,
        {"mark": line, "encoding": {**up, **series}},
        *([{"mark": whisker, "encoding": around}] if has_band and drawing.is_whiskered else []),
        *([_dot_layer(lines, up, series["color"], drawing.dots)] if drawing.dots else []),
    ]
    return {"data": {"values": [row for line in lines for row in line.rows]}, "layer": layers}


def _dot_layer(
    lines: Sequence[_Drawn], up: dict[str, Any], color: dict[str, Any], size: int
) -> dict[str, Any]:
    dot = {**up, "color": color}
    if any("size" in row for line in lines for row in line.rows):
        area = {"range": [15, 220], "zero": True}
        dot["size"] = _quantitative("size", scale=area, legend=None)
    return {"mark": {"type": "point", "filled": True, "size": size}, "encoding": dot}


def _told(lines: Sequence[_Drawn], x: str, y: str) -> list[dict[str, Any]]:
    """What a pointer over a line or a point is told."""
    keys = {key for line in lines for row in line.rows for key in row}
    also = {"low": "from", "high": "to", "size": "pairs"}
    others = {key: title for key, title in also.items() if key in keys}
    return told({"series": "line"}, {"x": x, "y": y, **others})


def _height(lines: Sequence[_Drawn], also: Sequence[float]) -> list[float]:
    keys = ("y", "low", "high")
    values = [row[key] for line in lines for row in line.rows for key in keys if key in row]
    shown = [value for value in values if value is not None]
    low, high = padded([*shown, *also] or [0.0, 100.0])
    return [0.0 if min([*shown, *also, 1.0]) == 0 else low, high]


def _tuned_rule(tuned: float | None, left: float, right: float) -> list[dict[str, Any]]:
    if tuned is None:
        return []
    beside = (right - left) * 0.02  # an infinite cutoff stands beside the axis, not on it
    x = min(max(tuned, left + beside), right - beside)
    shown = f"{tuned:.4g}" if np.isfinite(tuned) else _MINUS_INFINITY
    at_right = x > left + (right - left) * 0.7
    data = {"values": [{"x": x, "label": f"cutoff {shown}"}]}
    place = {"align": "right", "dx": -5} if at_right else {"align": "left", "dx": 5}
    rule = {"type": "rule", "color": INK, "strokeDash": [1.5, 2.5], "strokeWidth": 1.5}
    text = {"type": "text", "color": INK, "baseline": "top", "fontSize": 11, **place}
    across = {"x": _quantitative("x")}
    label = {**across, "y": {"value": 2}, "text": {"field": "label"}}
    return [
        {"data": data, "mark": rule, "encoding": across},
        {"data": data, "mark": text, "encoding": label},
    ]


def _equal(end: float) -> dict[str, Any]:
    """The line on which both axes, from 0 to an end, are equal."""
    return diagonal(end, {"x": _quantitative("x"), "y": _quantitative("y")})


def _quantitative(field: str, **more: Any) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", **more}


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
