"""What each feature adds to a score, as bars: to the right for entailment, to the left against."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ensue.recognizers import Weight
from ensue.reports.pictures.drawing import Attributes, element, escaped, text_width, whole_picture
from ensue.reports.pictures.kinds import WARNING
from ensue.reports.pictures.theme import FAINT, GRID, INK, PALETTE

LARGEST = 12
"""So many are shown one by one."""

_FOR = PALETTE[0]
_TYPE = 12.0
_ROW = 22.0
_HEAD = 26.0
_MARGIN = 16.0
_NAMES = (120.0, 280.0)
"""The column of the names: the least and the most."""
_BARS = 460.0
_NUMBERS = 62.0
"""Room beyond a bar for its number."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """The contributions that are not zero, by size."""

    largest: Sequence[Weight]
    n_others: int
    others: float
    """The sum of the rest."""


def ranked(weights: Sequence[Weight], n: int = LARGEST) -> Ranked:
    """The n largest contributions, and the rest summed; one is never summed alone.

    >>> ranked([Weight("a", 1, 0.5, 0.5), Weight("b", 2, -1, -2), Weight("c", 0, 3, 0)]).n_others
    0
    """
    telling = [each for each in weights if each.contribution and math.isfinite(each.contribution)]
    ordered = sorted(telling, key=lambda each: -abs(each.contribution))
    shown = ordered if len(ordered) == n + 1 else ordered[:n]
    rest = ordered[len(shown) :]
    return Ranked(shown, len(rest), math.fsum(each.contribution for each in rest))


def contributions_svg(weights: Sequence[Weight]) -> str:
    """The largest contributions as bars, as one SVG; empty where nothing contributes."""
    chosen = ranked(weights)
    bars = [(each.name, each.contribution) for each in chosen.largest]
    if not bars:
        return ""
    if chosen.n_others:
        bars.append((f"{chosen.n_others} others", chosen.others))
    names = max(text_width(name, _TYPE) for name, _ in bars)
    zero = _MARGIN + min(max(names, _NAMES[0]), _NAMES[1]) + _BARS / 2 + 8
    scale = (_BARS / 2 - _NUMBERS) / max(abs(number) for _, number in bars)
    drawn = [
        _bar(name, number, zero, scale, _HEAD + i * _ROW) for i, (name, number) in enumerate(bars)
    ]
    height = _HEAD + len(bars) * _ROW
    body = "".join([*_head(zero, height), *drawn])
    said = "; ".join(f"{name} {number:+.4f}" for name, number in bars)
    width = zero + _BARS / 2 + _MARGIN
    return whole_picture("What adds to the score", said, width, height + _MARGIN / 2, body)


def _head(zero: float, height: float) -> Iterator[str]:
    """The line of zero, and what its two sides mean."""
    yield element("line", x1=zero, x2=zero, y1=_HEAD - 4, y2=height, stroke=GRID, stroke_width=1)
    set_: Attributes = {"y": 14.0, "font_size": 11.0, "fill": FAINT}
    yield element("text", "← against entailment", x=zero - 8, text_anchor="end", **set_)
    yield element("text", "for entailment →", x=zero + 8, **set_)


def _bar(name: str, number: float, zero: float, scale: float, top: float) -> str:
    length = max(abs(number) * scale, 1.0)
    left = zero if number > 0 else zero - length
    base = top + _ROW - 7
    shown: Attributes = {"y": base, "font_size": _TYPE, "fill": INK}
    beside, anchor = (zero + length + 5, "start") if number > 0 else (zero - length - 5, "end")
    bar = element(
        "rect",
        x=left,
        y=top + 3,
        width=length,
        height=_ROW - 8,
        fill=_FOR if number > 0 else WARNING,
        fill_opacity="0.85",
    )
    label = element("text", _shortened(name), x=_MARGIN, **shown)
    value = element("text", f"{number:+.4f}", x=beside, text_anchor=anchor, **shown)
    return element("g", element("title", escaped(name)) + bar + label + value, class_="bar")


def _shortened(name: str) -> str:
    """The name, cut where it is longer than its column."""
    if text_width(name, _TYPE) <= _NAMES[1]:
        return escaped(name)
    n = len(name)
    while n > 1 and text_width(name[:n], _TYPE) > _NAMES[1] - _TYPE:
        n -= 1
    return f"{escaped(name[:n])}…"
