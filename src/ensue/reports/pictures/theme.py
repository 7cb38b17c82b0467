"""How all pictures look, and how they become files: SVG, PNG, or the specification itself."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, unescape

from ensue.errors import OutputError, UnknownNameError
from ensue.files import open_output
from ensue.reports.model import Picture

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

FONT = "Arial, Liberation Sans, Helvetica, sans-serif"
_LABEL_TYPE = 11
_TITLE_TYPE = 13

_CONFIG: Mapping[str, Any] = {
    "aria": False,  # a page names the whole picture instead of each of its marks
    "background": PAPER,
    "font": FONT,
    "view": {"stroke": None},
    "title": {
        "color": INK,
        "fontSize": _TITLE_TYPE,
        "fontWeight": "bold",
        "anchor": "start",
        "offset": 8,
    },
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": _LABEL_TYPE,
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
        "labelColor": INK,
        "labelFontSize": _LABEL_TYPE,
        "labelLimit": 0,
        "symbolOpacity": 1,
        "symbolStrokeWidth": 2.5,
        "title": None,
    },
    "header": {"labelColor": INK, "labelFontSize": 12, "labelFontWeight": "bold", "title": None},
}


def specification(body: Mapping[str, Any]) -> dict[str, Any]:
    """A whole Vega-Lite specification: the body under the common theme."""
    return {"$schema": SCHEMA, "padding": 8, "config": dict(_CONFIG), **body}


# How wide texts are, and names that have room.

# fmt: off
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)
# fmt: on
"""From the space to the tilde, in thousandths of the type size, as in Helvetica and Arial."""
_SIGN_WIDTHS = {"…": 1000, "–": 556, "—": 1000, "−": 584, "∞": 713, "’": 222, "“": 333, "”": 333}
"""The same of signs beyond Latin that our own texts have."""
_UNKNOWN_WIDTH = 600
_WIDE = 1000
_JOINED = re.compile("\u200d.|[\U0001f3fb-\U0001f3ff]")
_END_OF_LATIN = "\u0250"
_LABEL_LIMIT = 320
_BESIDE_LABEL = 10
"""Between a label and its axis."""
_BESIDE_SYMBOL = 40
"""The symbol of a legend, and the room after its label."""
_LEGEND_COLUMNS = 3
_ELLIPSIS = "…"
_OR_AS_IT_IS = "[datum.label] || datum.label"


def text_width(string: str, size: float) -> float:
    """About how wide a text is in the common sans-serif type.

    >>> text_width("mm", 10)
    16.66
    """
    whole = _JOINED.sub("", string)  # several characters that are drawn as one
    return sum(map(_character_width, whole)) * size / 1000


def is_latin(string: str) -> bool:
    """Whether the width of a text is known well enough to be forced upon its type."""
    return all(each < _END_OF_LATIN or each in _SIGN_WIDTHS for each in string)


@cache
def _character_width(character: str) -> int:
    if " " <= character <= "~":
        return _WIDTHS[ord(character) - 32]
    if character in _SIGN_WIDTHS:
        return _SIGN_WIDTHS[character]
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc", "Cs"):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    letter = unicodedata.normalize("NFD", character)[0]
    return _WIDTHS[ord(letter) - 32] if " " <= letter <= "~" else _UNKNOWN_WIDTH


def shortened(name: str, limit: float, size: float = _LABEL_TYPE) -> str:
    """The name, without its middle where it is wider than a limit.

    >>> shortened("runs/of/the/first/year/modified-bleu.jsonl", 120)
    'runs/of/the…d-bleu.jsonl'
    """
    if text_width(name, size) <= limit:
        return name
    n = len(name) - 1
    while n > 2 and text_width(_without_middle(name, n), size) > limit:
        n -= 1
    return _without_middle(name, n)


def _without_middle(name: str, n: int) -> str:
    """The name with so many of its characters; the end says more than the beginning."""
    return f"{name[: (n - 1) // 2]}{_ELLIPSIS}{name[len(name) - n + (n - 1) // 2 :]}"


def shortened_names(names: Sequence[str], limit: float = _LABEL_LIMIT) -> dict[str, str]:
    """What each name is shown as: shortened, unless two would be shown as the same."""
    short = {name: shortened(name, limit) for name in names}
    shown = list(short.values())
    return {name: each if shown.count(each) == 1 else name for name, each in short.items()}


def _label_expression(shown: Mapping[str, str]) -> dict[str, Any]:
    """How an axis or a legend writes names; marks and their tooltips keep them whole."""
    changed = {name: each for name, each in shown.items() if name != each}
    if not changed:
        return {}
    return {"labelExpr": f"({json.dumps(changed)}){_OR_AS_IT_IS}"}


def name_axis(names: Sequence[str], **axis: Any) -> dict[str, Any]:
    """An axis of names with room for all of them."""
    shown = shortened_names(names)
    room = max((text_width(each, _LABEL_TYPE) for each in shown.values()), default=0)
    extent = {"minExtent": round(room) + _BESIDE_LABEL, "labelLimit": 0}
    return {**extent, **_label_expression(shown), **axis}


def panel_title(name: str, width: float) -> dict[str, str]:
    """What stands above a panel of a width, and what it is called in full."""
    return {"title": shortened(name, width, _TITLE_TYPE), "description": name}


def whole_names(spec: Any) -> dict[str, str]:
    """The whole name of each that a specification shows shortened."""
    if isinstance(spec, Sequence) and not isinstance(spec, str):
        return {short: name for each in spec for short, name in whole_names(each).items()}
    if not isinstance(spec, Mapping):
        return {}
    found = whole_names([each for key, each in spec.items() if key != "data"])
    if "labelExpr" in spec:
        changed = json.loads(spec["labelExpr"].removesuffix(_OR_AS_IT_IS)[1:-1])
        found |= {short: name for name, short in changed.items()}
    title, name = spec.get("title"), spec.get("description")
    if isinstance(title, str) and isinstance(name, str) and title != name:
        found[title] = name
    return found


def _legend(names: Sequence[str], room: float, columns: int) -> dict[str, Any]:
    """A legend with as many names in a row as there is room for."""
    shown = shortened_names(names)
    widest = max(text_width(each, _LABEL_TYPE) for each in shown.values()) + _BESIDE_SYMBOL
    # the renderer may have no type for other scripts, and then does not know how wide they are
    beside = min(columns, max(1, int(room / widest))) if all(map(is_latin, names)) else 1
    return {"columns": beside, **_label_expression(shown)}


# What colors and line styles stand for, rules, and numbers.


def color_scale(names: Sequence[str]) -> dict[str, Any]:
    """The scale that gives each name its color, in order."""
    colors = [PALETTE[i % len(PALETTE)] for i in range(len(names))]
    return {"domain": list(names), "range": colors}


def dash_scale(names: Sequence[str]) -> dict[str, Any]:
    """The scale that gives each name its line style: plain ones until the colors run out."""
    dashes = [list(DASHES[i // len(PALETTE) % len(DASHES)]) for i in range(len(names))]
    return {"domain": list(names), "range": dashes}


def series_encoding(
    names: Sequence[str], *, room: float = 620, columns: int = _LEGEND_COLUMNS
) -> dict[str, Any]:
    """Color, and line style where the colors do not suffice, by the field `series`.

    Args:
        names: Of the series; a single one has no legend.
        room: How wide the legend may be.
        columns: How many names may stand beside one another in it.
    """
    legend = _legend(names, room, columns) if len(names) > 1 else None
    scale = color_scale(names)
    color = {"field": "series", "type": "nominal", "scale": scale, "legend": legend}
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


PICTURE_SUFFIXES = (".json", ".png", ".svg")
"""The files that a picture can become."""

_VEGA_LITE = "v5.20"
_PNG_SCALE = 2.0
_TEXT = re.compile(r'<text ([^>]*font-size="([0-9.]+)px"[^>]*)>([^<]*)</text>')


def render(picture: Picture, format: str, *, titled: bool = True) -> bytes:
    """The picture as `svg` or `png`, or as `json`: its specification.

    Nothing is fetched: the renderer is in the package and the data are in the specification.

    Args:
        picture: What to render.
        format: `svg`, `png` or `json`.
        titled: Whether the title stands above the picture.

    Raises:
        UnknownNameError: there is no such format.
    """
    if format not in ("json", "png", "svg"):
        raise UnknownNameError.of("picture format", format, ("json", "png", "svg"))
    spec = {**picture.spec, **({"title": picture.title} if titled else {})}
    if format == "json":
        return (json.dumps(spec, ensure_ascii=False, indent=1) + "\n").encode()
    import vl_convert

    if format == "png":
        png: bytes = vl_convert.vegalite_to_png(
            spec, vl_version=_VEGA_LITE, scale=_PNG_SCALE, allowed_base_urls=[]
        )
        return png
    svg: str = vl_convert.vegalite_to_svg(spec, vl_version=_VEGA_LITE, allowed_base_urls=[])
    return _TEXT.sub(partial(_measured, whole_names(spec)), svg).encode()


def _measured(names: Mapping[str, str], found: re.Match[str]) -> str:
    """A text that is as wide as it was measured to be, with its whole name where it is shortened.

    A reader's type may be wider than the one that the picture was laid out with: names would be
    cut off at the picture's edge, and numbers would touch.
    """
    attributes, size, content = found.groups()
    string = unescape(content, {"&quot;": '"'})
    title = f"<title>{escape(names[string])}</title>" if string in names else ""
    width = ""
    if "bold" not in attributes and is_latin(string):
        length = text_width(string, float(size))
        width = f'textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs" '
    return f"<text {width}{attributes}>{title}{content}</text>"


def write_picture(path: str | Path, picture: Picture) -> None:
    """Write the picture as what the file's suffix says: `.svg`, `.png` or `.json`.

    Raises:
        OutputError: the suffix is none of these, or the file cannot be written.
    """
    suffix = check_picture_path(path)
    content = render(picture, suffix.removeprefix("."))
    with open_output(path) as file:
        file.write(content)


def check_picture_path(path: str | Path) -> str:
    """The suffix of the path, in lower case, if a picture can be written there.

    Raises:
        OutputError: it is none that a picture can become.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in PICTURE_SUFFIXES:
        raise OutputError(
            "cannot-write-picture-no",
            f"cannot write a picture to {str(path)!r}: no picture ends in {suffix!r}",
            hint=f"name a file that ends in {', '.join(PICTURE_SUFFIXES)}",
        )
    return suffix
