"""The ways of links from the hypothesis up to the text: between words, never through them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ensue.recognizers import Link, Span
from ensue.reports.pictures.linking.rows import Rows

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
    text: Rows, hypothesis: Rows, spans: Sequence[Span], links: Sequence[Link]
) -> list[Route]:
    """The way of each link, in their order."""
    used: Counter[tuple[int, int, int]] = Counter()
    return [_route(text, hypothesis, spans, link, used) for link in links]


def _route(
    text: Rows,
    hypothesis: Rows,
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
    rows: Rows, line: int, wanted: float, used: Counter[tuple[int, int, int]], side: int
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
