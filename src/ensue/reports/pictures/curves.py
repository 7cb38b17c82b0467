"""Pictures of curves: accuracy by cutoff, risk by coverage, accuracy by confidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ensue.reports.model import Picture
from ensue.reports.pictures.theme import (
    INK,
    chance_layers,
    diagonal,
    padded,
    rounded,
    series_encoding,
    specification,
    told,
)

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
        x={
            "title": "cutoff",
            "axis": {"tickCount": 8},
            "scale": {"domain": [left, right], "nice": False},
        },
        y={"title": "accuracy, %", "scale": {"zero": False}},
        interpolate="step-after",
        rules=rules,
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
        x={"title": "coverage, % of the pairs", "scale": {"domain": [0, 100]}},
        y={"title": "risk, % wrong of the answered", "scale": {"zero": True}},
        interpolate="linear",
        rules=[],
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
        x={"title": "confidence, %", "scale": {"domain": [0, 100]}},
        y={"title": "right, %", "scale": {"domain": [0, 100]}},
        interpolate="linear",
        rules=[diagonal(100, {"x": _quantitative("x"), "y": _quantitative("y")})],
        points=True,
        size=(380, 340),
    )
    return Picture(name, title, spec, caption)


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
    *,
    x: dict[str, Any],
    y: dict[str, Any],
    interpolate: str,
    rules: list[dict[str, Any]],
    y_values: Sequence[float] = (),
    points: bool = False,
    size: tuple[int, int] = (620, 320),
) -> dict[str, Any]:
    names = _distinct(line.name for line in lines)
    panels = _distinct(line.panel for line in lines)
    if "domain" not in y["scale"]:
        y = {**y, "scale": {**y["scale"], "domain": _height(lines, y_values)}}
    made = [
        _panel(
            [line for line in lines if line.panel == panel],
            names,
            x,
            y,
            interpolate,
            rules,
            points,
        )
        for panel in panels
    ]
    if len(panels) == 1:
        return specification({"width": size[0], "height": size[1], **made[0]})
    small = [
        {"title": panel, "width": 230, "height": 150, **spec}
        for panel, spec in zip(panels, made, strict=True)
    ]
    return specification({"concat": small, "columns": 3, "spacing": 24})


def _panel(
    lines: Sequence[_Drawn],
    names: Sequence[str],
    x: dict[str, Any],
    y: dict[str, Any],
    interpolate: str,
    rules: list[dict[str, Any]],
    points: bool,
) -> dict[str, Any]:
    color = series_encoding(names)
    said = _told(lines, x["title"], y["title"])
    across = {"x": _quantitative("x", **x), "tooltip": said}
    up = _quantitative("y", **y)
    layers: list[dict[str, Any]] = []
    if any(line.has_band for line in lines) and not points:
        layers.append(
            {
                "mark": {"type": "area", "interpolate": interpolate, "opacity": 0.14},
                "encoding": {**across, "y": _quantitative("low", **y), "y2": {"field": "high"}}
                | {"color": color["color"]},
            }
        )
    layers += rules
    layers.append(
        {
            "mark": {"type": "line", "interpolate": interpolate, "strokeWidth": 1.6},
            "encoding": {**across, "y": up, **color},
        }
    )
    if points:
        layers += _point_layers(lines, across, y, color["color"])
    return {
        "data": {"values": [row for line in lines for row in line.rows]},
        "layer": layers,
    }


def _told(lines: Sequence[_Drawn], x: str, y: str) -> list[dict[str, Any]]:
    """What a pointer over a line or a point is told."""
    keys = {key for line in lines for row in line.rows for key in row}
    also = {"low": "from", "high": "to", "size": "pairs"}
    others = {key: title for key, title in also.items() if key in keys}
    return told({"series": "line"}, {"x": x, "y": y, **others})


def _point_layers(
    lines: Sequence[_Drawn], across: dict[str, Any], y: dict[str, Any], color: dict[str, Any]
) -> list[dict[str, Any]]:
    layers: list[dict[str, Any]] = []
    if any(line.has_band for line in lines):
        whisker = {**across, "y": _quantitative("low", **y), "y2": {"field": "high"}}
        layers.append(
            {"mark": {"type": "rule", "opacity": 0.6}, "encoding": {**whisker, "color": color}}
        )
    dot = {**across, "y": _quantitative("y", **y), "color": color}
    if any("size" in row for line in lines for row in line.rows):
        area = {"range": [15, 220], "zero": True}
        dot["size"] = _quantitative("size", scale=area, legend=None)
    layers.append({"mark": {"type": "point", "filled": True, "size": 55}, "encoding": dot})
    return layers


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


def _quantitative(field: str, **more: Any) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", **more}


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
