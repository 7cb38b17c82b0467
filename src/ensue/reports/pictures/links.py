"""A pair as a picture: text, hypothesis, a curve for each link, and the legend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import median

from ensue.pairs import Pair
from ensue.recognizers import Evidence, Explanation, Link, Side, Span
from ensue.reports.pictures.layout import (
    BOX,
    LABEL_TYPE,
    Block,
    PlacedWord,
    Route,
    SideRows,
    routes,
    set_rows,
    typeset,
)
from ensue.reports.pictures.svg import (
    MARKS,
    UNALIGNED,
    WARNINGS,
    Attributes,
    Look,
    MarkLook,
    element,
    escaped,
    looks_of,
    whole_picture,
)
from ensue.reports.pictures.theme import FAINT, INK, is_latin, text_width

# What the lines, boxes and labels of a picture of links mean: only of those that occur.

_LEGEND_TYPE = 11.0
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
        width = _SAMPLE + 6 + text_width(name, _LEGEND_TYPE)
        if x and x + width > room:
            x, y = 0.0, y + _ROW
        words = element(
            "text", escaped(name), x=_SAMPLE + 6, y=14, font_size=_LEGEND_TYPE, fill=INK
        )
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


# A pair as a picture: the text above, the hypothesis below, and a curve for each link.

WIDTH = 900.0
"""The widest picture."""

_MARGIN = 16.0
_NAMES = 92.0
"""The column in which the sides are named, and through which links may pass."""
_ROOM = WIDTH - _NAMES - 2 * _MARGIN
_TEXT_TYPE = 15.0
_NARROWEST = 420.0
_CHANNEL = (64.0, 150.0)
"""Between the two sides: the least and the most."""


@dataclass(frozen=True, slots=True)
class SideNames:
    """What the two sides are called in a picture."""

    text: str = Side.TEXT.value
    """The one above."""
    hypothesis: str = Side.HYPOTHESIS.value

    def of(self, side: Side) -> str:
        """The name of one side."""
        return self.text if side is Side.TEXT else self.hypothesis


_OF_PAIRS = SideNames()


def links_svg(explanation: Explanation) -> str:
    """The pair with its spans and links, as one SVG that needs nothing else."""
    return evidence_svg(explanation.pair, explanation.evidence)


def evidence_svg(pair: Pair, evidence: Evidence, names: SideNames = _OF_PAIRS) -> str:
    """Any two sides with spans and links between them, whether or not there is a verdict.

    Args:
        pair: The sides; of a translation, the output as text and the reference as hypothesis.
        evidence: Its spans and links.
        names: What the sides are called.
    """
    kinds = {span.kind for span in evidence.spans} | {link.kind for link in evidence.links}
    looks = looks_of(kinds)
    text, hypothesis = _set(pair, evidence)
    legend = draw_legend(evidence, looks, WIDTH - 2 * _MARGIN)
    top = hypothesis.bottom + 16
    moved = f"translate({_MARGIN:g} {top:.1f})"
    body = [
        *_curves(pair, evidence, text, hypothesis, looks),
        *_side(text, names, evidence, looks),
        *_side(hypothesis, names, evidence, looks),
        element("g", legend.drawn, transform=moved) if legend.drawn else "",
    ]
    words = _NAMES + max(text.block.width, hypothesis.block.width)
    width = max(words, legend.width, _NARROWEST) + 2 * _MARGIN
    title = f"What in the {names.text} answers the {names.hypothesis}: {pair.hypothesis}"
    height = top + legend.height + _MARGIN / 2
    said = _description(pair, evidence, names)
    return whole_picture(title, said, width, height, "".join(body))


def link_words(explanation: Explanation, link: Link) -> tuple[str, str]:
    """The words of the hypothesis and of the text that a link joins."""
    return _linked(explanation.pair, explanation.evidence, link)


def _linked(pair: Pair, evidence: Evidence, link: Link) -> tuple[str, str]:
    asked, answer = evidence.spans[link.hypothesis], evidence.spans[link.text]
    return pair.hypothesis[asked.start : asked.end], pair.text[answer.start : answer.end]


def _set(pair: Pair, evidence: Evidence) -> tuple[SideRows, SideRows]:
    """Both sides in their places; a short hypothesis stands below what it is linked with."""
    text = set_rows(_block(Side.TEXT, pair.text, evidence), Side.TEXT, evidence.spans, _MARGIN)
    block = _block(Side.HYPOTHESIS, pair.hypothesis, evidence)
    hypothesis = set_rows(block, Side.HYPOTHESIS, evidence.spans, 0.0)
    apart = [
        text.port(evidence.spans[link.text])[1]
        - hypothesis.port(evidence.spans[link.hypothesis])[1]
        for link in evidence.links
    ]
    across = 0.0
    if apart and block.n_lines == 1:
        across = min(max(median(apart), 0.0), max(text.block.width - block.width, 0.0))
    farthest = max((abs(each - across) for each in apart), default=0.0)
    least, most = _CHANNEL
    channel = min(least + 0.08 * farthest + 2 * len(apart), most) if apart else least / 2
    block = block.shifted(across)
    return text, set_rows(block, Side.HYPOTHESIS, evidence.spans, text.bottom + channel)


def _block(side: Side, string: str, evidence: Evidence) -> Block:
    spans = [span for span in evidence.spans if span.side is side]
    cuts = {place for span in spans for place in (span.start, span.end)}
    return typeset(string, cuts, width=_ROOM, size=_TEXT_TYPE).shifted(_MARGIN + _NAMES)


def _curves(
    pair: Pair, evidence: Evidence, text: SideRows, hypothesis: SideRows, looks: Mapping[str, Look]
) -> Iterator[str]:
    ways = routes(text, hypothesis, evidence.spans, evidence.links)
    for link, route in zip(evidence.links, ways, strict=True):
        strength = evidence.spans[link.hypothesis].strength
        drawn = _curve(route, looks[link.kind], strength, against=link.kind in WARNINGS)
        title = element("title", escaped(_said(pair, evidence, link)))
        yield element("g", title + drawn, class_="link")


def _curve(route: Route, look: Look, strength: float, *, against: bool) -> str:
    opacity = 0.9 if against else 0.4 + 0.4 * min(max(strength, 0.0), 1.0)
    curve = element(
        "path",
        d=route.path,
        fill="none",
        stroke=look.color,
        stroke_width=look.width,
        stroke_dasharray=look.dash or None,
        stroke_opacity=f"{opacity:.2f}",
    )
    dots = [element("circle", cx=x, cy=y, r=2.4, fill=look.color) for x, y in route.ends]
    return curve + "".join(dots) + (cross(*route.middle, look) if against else "")


def _side(
    rows: SideRows, names: SideNames, evidence: Evidence, looks: Mapping[str, Look]
) -> Iterator[str]:
    yield element(
        "text",
        escaped(names.of(rows.side)),
        x=_MARGIN,
        y=rows.tops[0] + BOX - 7,
        font_size=12,
        font_weight="bold",
        fill=FAINT,
    )
    spans = [replace(span, strength=0.0) for span in evidence.spans if span.side is rows.side]
    for span in sorted(dict.fromkeys(spans), key=lambda span: span.kind == "negation"):
        yield from _boxes(rows, span, looks)  # a negation last, since it lies over other marks
    yield from _words(rows)
    for label in rows.labels:
        yield element(
            "text",
            label.words,
            x=label.left,
            y=rows.label_height(label),
            font_size=LABEL_TYPE,
            font_style="italic",
            fill=FAINT,
        )


def _boxes(rows: SideRows, span: Span, looks: Mapping[str, Look]) -> Iterator[str]:
    """What shows a span: an underline, a dashed outline or a ground of its kind's color."""
    for segment in rows.block.segments(span.start, span.end):
        top = rows.tops[segment.line]
        left, width = segment.left - 2, segment.right - segment.left + 4
        if span.kind in MARKS:
            # an embedding spans other marks, and so stands a little lower
            below = BOX - (1 if span.kind == "embedding" else 4)
            yield underline(segment.left, segment.right, top + below, MARKS[span.kind])
        elif span.kind == UNALIGNED:
            yield dashed_box(left, top, width, BOX)
        else:
            ground = {"fill": looks[span.kind].color, "fill_opacity": "0.14"}
            yield element("rect", x=left, y=top, width=width, height=BOX, rx=4, **ground)


def _words(rows: SideRows) -> Iterator[str]:
    """The words, each at its place."""
    for word in rows.block.words:
        if word.shown:
            yield element(
                "text",
                escaped(word.shown),
                x=word.left + word.width / 2,
                y=rows.tops[word.line] + BOX - 8,
                text_anchor="middle",
                **_forced(word),
                direction=None if rows.block.rightward else "rtl",
                font_size=_TEXT_TYPE,
                fill=INK,
            )


def _forced(word: PlacedWord) -> Attributes:
    """Hold a word to its width, where that is well enough known."""
    if not is_latin(word.shown):
        return {}
    return {"textLength": word.width, "lengthAdjust": "spacingAndGlyphs"}


def _description(pair: Pair, evidence: Evidence, names: SideNames) -> str:
    said = "; ".join(_said(pair, evidence, link) for link in evidence.links)
    return f"{names.text.capitalize()}: {pair.text} Links: {said or 'none'}"


def _said(pair: Pair, evidence: Evidence, link: Link) -> str:
    asked, answer = _linked(pair, evidence, link)
    strength = evidence.spans[link.hypothesis].strength
    return f"{asked} → {answer} ({link.kind}, {strength:.2f})"
