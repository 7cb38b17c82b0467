"""Where words, rows, labels and links of a pair stand in its picture."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from ensue.recognizers import Link, Side, Span
from ensue.reports.pictures.svg import MARKS, readable
from ensue.reports.pictures.theme import text_width

# Words on lines: where each stands, where a stretch of characters stands, and the gaps between.

SPACE = 9.0
"""Wider than type has it, so that a link can pass between two words."""

_NARROWEST = 3.0
_STEP = 14.0
"""Between two links where a line is empty."""
_RIGHT_TO_LEFT = ("R", "AL")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word, or a part of one where a span begins or ends inside it."""

    start: int
    """The first character."""
    end: int
    shown: str
    line: int
    left: float
    width: float

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.left + self.width


@dataclass(frozen=True, slots=True)
class LineSegment:
    """The part of a span that stands on one line."""

    line: int
    left: float
    right: float

    @property
    def middle(self) -> float:
        """Half way."""
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class Block:
    """A typeset string."""

    words: Sequence[PlacedWord]
    n_lines: int
    gaps: Sequence[Sequence[float]]
    """Of each line, the places between words, before the first and after the last."""
    width: float
    """That of its longest line."""
    rightward: bool
    """False where it is read from right to left."""

    def segments(self, start: int, end: int) -> list[LineSegment]:
        """Where a stretch of characters stands, a segment a line; at the beginning if nowhere."""
        found: dict[int, LineSegment] = {}
        for word in self.words:
            if word.start < end and start < word.end:
                old = found.get(word.line, LineSegment(word.line, word.left, word.right))
                left, right = min(old.left, word.left), max(old.right, word.right)
                found[word.line] = LineSegment(word.line, left, right)
        return list(found.values()) or [LineSegment(0, 0.0, _NARROWEST)]

    def shifted(self, across: float) -> Block:
        """The same further to the right."""
        words = [replace(word, left=word.left + across) for word in self.words]
        gaps = [[gap + across for gap in line] for line in self.gaps]
        return replace(self, words=words, gaps=gaps)


def typeset(string: str, cuts: Iterable[int], *, width: float, size: float) -> Block:
    """Set a string on as many lines as it needs.

    Args:
        string: What to set; white space parts words, and nothing else matters about it.
        cuts: Places where a word is to be cut in two, since a span begins or ends there.
        width: How long a line may be.
        size: That of the type.
    """
    words: list[PlacedWord] = []
    line, at = 0, 0.0
    for parts in _unbreakable(string, frozenset(cuts), width, size):
        needed = sum(part.width for part in parts)
        if at and at + needed > width:
            line, at = line + 1, 0.0
        for part in parts:
            words.append(replace(part, line=line, left=at))
            at += part.width
        at += SPACE
    longest = max((word.right for word in words), default=0.0)
    rightward = _is_rightward(string)
    if not rightward:
        words = [replace(word, left=longest - word.right) for word in words]
    lines = groupby(words, key=lambda word: word.line)
    gaps = [_gaps(list(on_line), longest) for _, on_line in lines]
    return Block(words, line + 1, gaps or [[0.0]], longest, rightward)


def _unbreakable(
    string: str, cuts: frozenset[int], width: float, size: float
) -> Iterator[list[PlacedWord]]:
    """Words as their parts; a word longer than a line comes in pieces."""
    for match in _WORD.finditer(string):
        start, end = match.span()
        places = [start, *sorted(cut for cut in cuts if start < cut < end), end]
        parts = [_word(string, first, last, size) for first, last in pairwise(places)]
        if sum(part.width for part in parts) <= width:
            yield parts
            continue
        for part in parts:
            yield from ([piece] for piece in _pieces(string, part, width, size))


def _word(string: str, start: int, end: int, size: float) -> PlacedWord:
    shown = readable(string[start:end])
    return PlacedWord(start, end, shown, 0, 0.0, max(text_width(shown, size), _NARROWEST))


def _pieces(string: str, word: PlacedWord, width: float, size: float) -> Iterator[PlacedWord]:
    """A long word cut so that each piece fits a line."""
    start, wide = word.start, 0.0
    for at in range(word.start, word.end):
        more = text_width(string[at], size)
        if at > start and wide + more > width:
            yield _word(string, start, at, size)
            start, wide = at, 0.0
        wide += more
    yield _word(string, start, word.end, size)


def _gaps(words: Sequence[PlacedWord], width: float) -> list[float]:
    """The places on a line where a link may pass; many where no word stands any more."""
    ordered = sorted(words, key=lambda word: word.left)
    between = [
        (one.right + other.left) / 2
        for one, other in pairwise(ordered)
        if other.left - one.right > SPACE / 2
    ]
    first, last = ordered[0].left - SPACE, ordered[-1].right + SPACE
    before = [first - i * _STEP for i in range(int(max(first, 0.0) / _STEP) + 1)]
    after = [last + i * _STEP for i in range(int(max(width - last, 0.0) / _STEP) + 1)]
    return [*before, *between, *after]


def _is_rightward(string: str) -> bool:
    """Whether the first letter that has a direction is read from left to right."""
    for character in string:
        direction = unicodedata.bidirectional(character)
        if direction == "L":
            return True
        if direction in _RIGHT_TO_LEFT:
            return False
    return True


# One side of a pair as rows: how high each line stands, and the labels of its marks.

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
class MarkLabel:
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
class SideRows:
    """The lines of one side with their heights; labels of the text stand above, else below."""

    side: Side
    block: Block
    labels: Sequence[MarkLabel]
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

    def label_height(self, label: MarkLabel) -> float:
        """The base line of a label."""
        top = self.tops[label.line]
        if self.side is Side.TEXT:
            return top - 3 - label.tier * _LABEL
        return top + BOX + 9 + label.tier * _LABEL


def set_rows(block: Block, side: Side, spans: Iterable[Span], top: float) -> SideRows:
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
    return SideRows(side, block, labels, tops, extents)


def _labels(block: Block, spans: Sequence[Span]) -> list[MarkLabel]:
    """A label for each stretch that is marked, on the first tier where there is room."""
    kinds: dict[tuple[int, int], list[str]] = {}
    for span in spans:
        if span.kind in MARKS:
            names = kinds.setdefault((span.start, span.end), [])
            if MARKS[span.kind].label not in names:
                names.append(MARKS[span.kind].label)
    wanted = [(block.segments(*place)[0], " · ".join(names)) for place, names in kinds.items()]
    labels: list[MarkLabel] = []
    for segment, words in sorted(wanted, key=lambda each: (each[0].line, each[0].left)):
        label = MarkLabel(words, segment.line, _left(block, segment, words), 0)
        taken = {
            other.tier
            for other in labels
            if other.line == label.line and label.left < other.right + _APART
        }
        tier = next(tier for tier in range(len(labels) + 1) if tier not in taken)
        labels.append(MarkLabel(words, label.line, label.left, tier))
    return labels


def _left(block: Block, segment: LineSegment, words: str) -> float:
    width = text_width(words, LABEL_TYPE)
    if segment.right - segment.left <= _LONG:
        return segment.middle - width / 2
    return segment.left if block.rightward else segment.right - width


# The ways of links from the hypothesis up to the text: between words, never through them.

_BESIDE = 2.6
"""Between two links that pass through one gap."""
_DETOUR = 14.0
"""How far out of its way a link goes to have a gap for itself."""


@dataclass(frozen=True, slots=True)
class Route:
    """The way of one link."""

    path: str
    """In the words of SVG."""
    middle: tuple[float, float]
    """Half way between the two sides."""
    ends: tuple[tuple[float, float], tuple[float, float]]


def routes(
    text: SideRows, hypothesis: SideRows, spans: Sequence[Span], links: Sequence[Link]
) -> list[Route]:
    """The way of each link, in their order."""
    used: Counter[tuple[int, int, int]] = Counter()
    return [_route(text, hypothesis, spans, link, used) for link in links]


def _route(
    text: SideRows,
    hypothesis: SideRows,
    spans: Sequence[Span],
    link: Link,
    used: Counter[tuple[int, int, int]],
) -> Route:
    line, x, y = hypothesis.port(spans[link.hypothesis])
    goal_line, goal_x, goal_y = text.port(spans[link.text])
    start, goal = (x, y), (goal_x, goal_y)
    path = f"M{x:.1f} {y:.1f}"
    for passed in range(line - 1, -1, -1):
        at = _gap(hypothesis, passed, x, used, 0)
        path += _through(x, y, at, hypothesis.extents[passed])
        x, y = at, hypothesis.extents[passed][0]
    crossed = range(text.block.n_lines - 1, goal_line, -1)
    # the wide space between the sides takes all of the way across: the rest is nearly upright
    gaps = [_gap(text, passed, goal_x, used, 1) for passed in crossed]
    first = (gaps[0], text.extents[crossed[0]][1]) if gaps else goal
    middle = ((x + first[0]) / 2, (y + first[1]) / 2)
    for passed, at in zip(crossed, gaps, strict=True):
        path += _through(x, y, at, text.extents[passed])
        x, y = at, text.extents[passed][0]
    return Route(path + _bend(x, y, *goal), middle, (start, goal))


def _gap(
    rows: SideRows, line: int, wanted: float, used: Counter[tuple[int, int, int]], side: int
) -> float:
    """The gap of a line that is nearest and least crowded, and a place of its own in it."""

    def cost(i: int) -> float:
        return abs(gaps[i] - wanted) + _DETOUR * used[side, line, i]

    gaps = rows.block.gaps[line]
    best = min(range(len(gaps)), key=cost)
    n = used[side, line, best]
    used[side, line, best] += 1
    return gaps[best] + _BESIDE * ((n + 1) // 2) * (1 if n % 2 else -1)


def _through(x: float, y: float, at: float, extent: tuple[float, float]) -> str:
    """Bend to a gap and go straight up through it."""
    top, bottom = extent
    return f"{_bend(x, y, at, bottom)}V{top:.1f}"


def _bend(x: float, y: float, goal_x: float, goal_y: float) -> str:
    """A curve that leaves and arrives upright."""
    half = (y + goal_y) / 2
    return f"C{x:.1f} {half:.1f} {goal_x:.1f} {half:.1f} {goal_x:.1f} {goal_y:.1f}"
