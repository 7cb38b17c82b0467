"""One side of a pair as rows: how high each line stands, and the labels of its marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ensue.recognizers import Side, Span
from ensue.reports.pictures.drawing import text_width
from ensue.reports.pictures.kinds import MARKS
from ensue.reports.pictures.linking.typesetting import Block, Segment

BOX = 24.0
"""How high a word's box is."""
LABEL_TYPE = 10.0

_LABEL = 12.0
"""How high a row of labels is."""
_BETWEEN = 20.0
"""Between two lines, where links bend."""
_APART = 4.0
_LONG = 120.0
"""The label of a longer stretch stands at its beginning, that of a shorter one at its middle."""


@dataclass(frozen=True, slots=True)
class Label:
    """What stands beside a marked word."""

    words: str
    line: int
    left: float
    tier: int
    """0 next to the line, 1 beyond that, where labels would run into one another."""

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.left + text_width(self.words, LABEL_TYPE)


@dataclass(frozen=True, slots=True)
class Rows:
    """The lines of one side with their heights; labels of the text stand above, else below."""

    side: Side
    block: Block
    labels: Sequence[Label]
    tops: Sequence[float]
    """Where the boxes of each line begin."""
    extents: Sequence[tuple[float, float]]
    """Where each line with its labels begins and ends."""

    @property
    def bottom(self) -> float:
        """Where the last line ends."""
        return self.extents[-1][1]

    def port(self, span: Span) -> tuple[int, float, float]:
        """Where links leave a span, on the side of the other sentence: line, x and y."""
        segments = self.block.segments(span.start, span.end)
        if self.side is Side.TEXT:
            nearest = segments[-1]
            return nearest.line, nearest.middle, self.tops[nearest.line] + BOX
        return segments[0].line, segments[0].middle, self.tops[segments[0].line]

    def label_height(self, label: Label) -> float:
        """The base line of a label."""
        top = self.tops[label.line]
        if self.side is Side.TEXT:
            return top - 3 - label.tier * _LABEL
        return top + BOX + 9 + label.tier * _LABEL


def set_rows(block: Block, side: Side, spans: Iterable[Span], top: float) -> Rows:
    """Give each line its height, with room for its labels."""
    labels = _labels(block, [span for span in spans if span.side is side])
    tiers = [0] * block.n_lines
    for label in labels:
        tiers[label.line] = max(tiers[label.line], label.tier + 1)
    tops: list[float] = []
    extents: list[tuple[float, float]] = []
    for n in tiers:
        height = BOX + n * _LABEL
        extents.append((top, top + height))
        tops.append(top + n * _LABEL if side is Side.TEXT else top)
        top += height + _BETWEEN
    return Rows(side, block, labels, tops, extents)


def _labels(block: Block, spans: Sequence[Span]) -> list[Label]:
    """A label for each stretch that is marked, on the first tier where there is room."""
    kinds: dict[tuple[int, int], list[str]] = {}
    for span in spans:
        if span.kind in MARKS:
            names = kinds.setdefault((span.start, span.end), [])
            if MARKS[span.kind].label not in names:
                names.append(MARKS[span.kind].label)
    wanted = [(block.segments(*place)[0], " · ".join(names)) for place, names in kinds.items()]
    labels: list[Label] = []
    for segment, words in sorted(wanted, key=lambda each: (each[0].line, each[0].left)):
        label = Label(words, segment.line, _left(block, segment, words), 0)
        taken = {
            other.tier
            for other in labels
            if other.line == label.line and label.left < other.right + _APART
        }
        tier = next(tier for tier in range(len(labels) + 1) if tier not in taken)
        labels.append(Label(words, label.line, label.left, tier))
    return labels


def _left(block: Block, segment: Segment, words: str) -> float:
    width = text_width(words, LABEL_TYPE)
    if segment.right - segment.left <= _LONG:
        return segment.middle - width / 2
    return segment.left if block.rightward else segment.right - width
