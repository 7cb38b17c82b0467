"""What the lines, boxes and labels of a picture of links mean: only of those that occur."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ensue.recognizers import Evidence
from ensue.reports.pictures.drawing import element, escaped, text_width
from ensue.reports.pictures.kinds import MARKS, UNALIGNED, WARNINGS, Look, MarkLook
from ensue.reports.pictures.theme import FAINT, INK

_TYPE = 11.0
_SAMPLE = 30.0
_ROW = 20.0
_APART = 20.0


@dataclass(frozen=True, slots=True)
class Legend:
    """A drawn legend, from its own upper left corner."""

    drawn: str
    width: float
    height: float


def draw_legend(evidence: Evidence, looks: Mapping[str, Look], room: float) -> Legend:
    """The legend on as many rows as it needs."""
    entries: list[str] = []
    x = y = widest = 0.0
    for sample, name in _samples(evidence, looks):
        width = _SAMPLE + 6 + text_width(name, _TYPE)
        if x and x + width > room:
            x, y = 0.0, y + _ROW
        words = element("text", escaped(name), x=_SAMPLE + 6, y=14, font_size=_TYPE, fill=INK)
        entries.append(
            element("g", sample + words, class_="legend", transform=f"translate({x:.1f} {y:.1f})")
        )
        widest = max(widest, x + width)
        x += width + _APART
    return Legend("".join(entries), widest, y + _ROW if entries else 0.0)


def _samples(evidence: Evidence, looks: Mapping[str, Look]) -> Iterator[tuple[str, str]]:
    kinds = {span.kind for span in evidence.spans}
    for kind, look in looks.items():
        yield _link_sample(look) + (cross(_SAMPLE / 2, 10, look) if kind in WARNINGS else ""), kind
    if UNALIGNED in kinds:
        yield dashed_box(0, 3, _SAMPLE, 14), UNALIGNED
    for kind, mark in MARKS.items():
        if kind in kinds:
            yield _mark_sample(mark), kind


def _link_sample(look: Look) -> str:
    box = element(
        "rect", x=0, y=3, width=_SAMPLE, height=14, rx=3, fill=look.color, fill_opacity="0.14"
    )
    return box + element(
        "line",
        x1=0,
        x2=_SAMPLE,
        y1=10,
        y2=10,
        stroke=look.color,
        stroke_width=look.width,
        stroke_dasharray=look.dash or None,
    )


def _mark_sample(mark: MarkLook) -> str:
    label = element(
        "text",
        mark.label,
        x=_SAMPLE / 2,
        y=10,
        font_size=10,
        font_style="italic",
        text_anchor="middle",
        fill=mark.color,
    )
    return label + underline(0, _SAMPLE, 14.5, mark)


def underline(left: float, right: float, y: float, mark: MarkLook) -> str:
    """The line under a marked word."""
    return element(
        "line",
        x1=left,
        x2=right,
        y1=y,
        y2=y,
        stroke=mark.color,
        stroke_width=1.8,
        stroke_dasharray=mark.dash or None,
    )


def cross(x: float, y: float, look: Look) -> str:
    """What is struck through speaks against entailment."""
    path = f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"
    return element("path", d=path, stroke=look.color, stroke_width=2, fill="none")


def dashed_box(x: float, y: float, width: float, height: float) -> str:
    """The outline of what nothing answers."""
    return element(
        "rect",
        x=x,
        y=y,
        width=width,
        height=height,
        rx=3,
        fill="none",
        stroke=FAINT,
        stroke_width=1.3,
        stroke_dasharray="4 3",
    )
