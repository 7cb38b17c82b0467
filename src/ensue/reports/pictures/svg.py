"""Elements of hand-drawn SVG, the looks of spans and links, and bars of contributions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from ensue.recognizers import Evidence, Weight
from ensue.reports.pictures.theme import (
    FAINT,
    FONT,
    GRID,
    INK,
    PALETTE,
    PAPER,
    shortened,
    text_width,
)

# The parts of hand-drawn SVG: elements, and text that any XML may hold.

_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, section 2.2: most control characters, and half characters."""


def readable(string: str) -> str:
    r"""The string without the characters that no XML may hold.

    >>> readable("a\0b\ud800")
    'ab'
    """
    return _FORBIDDEN.sub("", string)


def escaped(string: str) -> str:
    """The string as content or as an attribute of XML."""
    return escape(readable(string), {'"': "&quot;"})


Attributes = dict[str, str | float | None]
"""Of an element, with `_` for what SVG writes `-`."""


def element(name: str, content: str = "", /, **attributes: str | float | None) -> str:
    """An element around content that is XML already; attributes that are None are left out.

    >>> element("rect", x=1.25, fill_opacity=0.5, rx=None)
    '<rect x="1.2" fill-opacity="0.5"/>'
    """
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{shown}>{content}</{name}>" if content else f"<{name}{shown}/>"


def _attribute(value: str | float) -> str:
    return escaped(value) if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def whole_picture(title: str, description: str, width: float, height: float, body: str) -> str:
    """A picture that says in words what it shows."""
    content = (
        element("title", escaped(title))
        + element("desc", escaped(description))
        + element("rect", width=width, height=height, fill=PAPER)
        + body
    )
    return element(
        "svg",
        content,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        aria_label=title,
        width=width,
        height=height,
        viewBox=f"0 0 {_attribute(width)} {_attribute(height)}",
        font_family=FONT,
    )


# How the kinds of spans and links look, the same in pictures, in pages and in the terminal.

_BLUE, WARNING, _GREEN, _PINK, _ORANGE, _SKY, _BROWN = PALETTE

_PLAIN, _DASHED, _DOTTED, _MIXED = "", "6 3", "2 2.5", "8 2 2 2"

UNALIGNED = "unaligned"
"""The kind of a part of the hypothesis that nothing in the text answers."""


@dataclass(frozen=True, slots=True)
class Look:
    """A color and a line, so that no kind is known by its color alone."""

    color: str
    dash: str = _PLAIN
    """Lengths of strokes and gaps; a plain line where it is empty."""
    width: float = 1.6


@dataclass(frozen=True, slots=True)
class MarkLook:
    """How a word is marked that changes what a sentence says."""

    letter: str
    """What the terminal shows."""
    label: str
    """What the picture shows."""
    color: str = INK
    dash: str = _PLAIN


LOOKS = {
    "same": Look(_BLUE),
    "name": Look(_BLUE, _DASHED),
    "spelling": Look(_BLUE, _DOTTED),
    "pronoun": Look(_BLUE, _MIXED),
    "synonym": Look(_GREEN, width=2.0),
    "derivation": Look(_GREEN, _DASHED),
    "entailed": Look(_GREEN, _MIXED),
    "hypernym": Look(_PINK, width=2.0),
    "hyponym": Look(_PINK, _DASHED, 2.0),
    "part": Look(_PINK, _DOTTED, 2.0),
    "value": Look(_SKY, width=2.0),
    "similar": Look(_ORANGE, width=1.8),
    "related": Look(_ORANGE, _DOTTED, 1.8),
    "antonym": Look(WARNING, width=2.6),
    "conflict": Look(WARNING, _DASHED, 2.6),
}
"""Kinds of one family share a color and differ in their lines; what speaks against is thick."""

WARNINGS = frozenset({"antonym", "conflict"})
"""The kinds that speak against entailment."""

MARKS = {
    "negation": MarkLook("N", "neg", WARNING),
    "quantifier": MarkLook("Q", "quant"),
    "modal": MarkLook("M", "modal", dash=_DASHED),
    "number": MarkLook("#", "num", dash=_DOTTED),
    "date": MarkLook("D", "date", dash=_MIXED),
    "embedding": MarkLook("E", "embed", FAINT, "1 3"),
}
"""The kinds of marks, in the order of the legend."""

_OTHERS = tuple(
    Look(color, dash)
    for dash in (_PLAIN, _DASHED, _DOTTED, _MIXED)
    for color in (_BLUE, _GREEN, _PINK, _SKY, _BROWN)
)


def looks_of(kinds: Iterable[str]) -> dict[str, Look]:
    """The look of each kind that is no mark, in the order of the legend.

    Kinds that are not known, such as `3-gram`, take theirs in alphabetical order.
    """
    wanted = set(kinds) - MARKS.keys() - {UNALIGNED}
    known = {kind: look for kind, look in LOOKS.items() if kind in wanted}
    others = sorted(wanted - known.keys())
    return known | {kind: _OTHERS[i % len(_OTHERS)] for i, kind in enumerate(others)}


def shows_alignment(evidence: Evidence) -> bool:
    """Whether the evidence has kinds of its own, and not only matched words or n-grams."""
    return any(
        span.kind in LOOKS or span.kind in MARKS or span.kind == UNALIGNED
        for span in evidence.spans
    )


# What each feature adds to a score, as bars: to the right for entailment, to the left against.

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
class RankedWeights:
    """The contributions that are not zero, by size."""

    largest: Sequence[Weight]
    n_others: int
    others: float
    """The sum of the rest."""


def ranked(weights: Sequence[Weight], n: int = LARGEST) -> RankedWeights:
    """The n largest contributions, and the rest summed; one is never summed alone.

    >>> ranked([Weight("a", 1, 0.5, 0.5), Weight("b", 2, -1, -2), Weight("c", 0, 3, 0)]).n_others
    0
    """
    telling = [each for each in weights if each.contribution and math.isfinite(each.contribution)]
    ordered = sorted(telling, key=lambda each: -abs(each.contribution))
    shown = ordered if len(ordered) == n + 1 else ordered[:n]
    rest = ordered[len(shown) :]
    return RankedWeights(shown, len(rest), math.fsum(each.contribution for each in rest))


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
    label = element("text", escaped(shortened(name, _NAMES[1], _TYPE)), x=_MARGIN, **shown)
    value = element("text", f"{number:+.4f}", x=beside, text_anchor=anchor, **shown)
    return element("g", element("title", escaped(name)) + bar + label + value, class_="bar")
