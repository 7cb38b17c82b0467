"""A pair as a picture: the text above, the hypothesis below, and a curve for each link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import median

from ensue.pairs import Pair
from ensue.recognizers import Evidence, Explanation, Link, Side, Span
from ensue.reports.pictures.drawing import Attributes, element, escaped, is_latin, whole_picture
from ensue.reports.pictures.kinds import MARKS, UNALIGNED, WARNINGS, Look, looks_of
from ensue.reports.pictures.linking.legend import cross, dashed_box, draw_legend, underline
from ensue.reports.pictures.linking.routes import Route, routes
from ensue.reports.pictures.linking.rows import BOX, LABEL_TYPE, Rows, set_rows
from ensue.reports.pictures.linking.typesetting import Block, Word, typeset
from ensue.reports.pictures.theme import FAINT, INK

WIDTH = 900.0
"""The widest picture."""

_MARGIN = 16.0
_NAMES = 92.0
"""The column in which the sides are named, and through which links may pass."""
_ROOM = WIDTH - _NAMES - 2 * _MARGIN
_TYPE = 15.0
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


def _set(pair: Pair, evidence: Evidence) -> tuple[Rows, Rows]:
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
    return typeset(string, cuts, width=_ROOM, size=_TYPE).shifted(_MARGIN + _NAMES)


def _curves(
    pair: Pair, evidence: Evidence, text: Rows, hypothesis: Rows, looks: Mapping[str, Look]
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
    rows: Rows, names: SideNames, evidence: Evidence, looks: Mapping[str, Look]
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


def _boxes(rows: Rows, span: Span, looks: Mapping[str, Look]) -> Iterator[str]:
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


def _words(rows: Rows) -> Iterator[str]:
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
                font_size=_TYPE,
                fill=INK,
            )


def _forced(word: Word) -> Attributes:
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
