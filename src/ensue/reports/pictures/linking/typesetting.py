"""Words on lines: where each stands, where a stretch of characters stands, and the gaps between."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from ensue.reports.pictures.drawing import readable, text_width

SPACE = 9.0
"""Wider than type has it, so that a link can pass between two words."""

_NARROWEST = 3.0
_STEP = 14.0
"""Between two links where a line is empty."""
_RIGHT_TO_LEFT = ("R", "AL")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Word:
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
class Segment:
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

    words: Sequence[Word]
    n_lines: int
    gaps: Sequence[Sequence[float]]
    """Of each line, the places between words, before the first and after the last."""
    width: float
    """That of its longest line."""
    rightward: bool
    """False where it is read from right to left."""

    def segments(self, start: int, end: int) -> list[Segment]:
        """Where a stretch of characters stands, a segment a line; at the beginning if nowhere."""
        found: dict[int, Segment] = {}
        for word in self.words:
            if word.start < end and start < word.end:
                old = found.get(word.line, Segment(word.line, word.left, word.right))
                left, right = min(old.left, word.left), max(old.right, word.right)
                found[word.line] = Segment(word.line, left, right)
        return list(found.values()) or [Segment(0, 0.0, _NARROWEST)]

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
    words: list[Word] = []
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
) -> Iterator[list[Word]]:
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


def _word(string: str, start: int, end: int, size: float) -> Word:
    shown = readable(string[start:end])
    return Word(start, end, shown, 0, 0.0, max(text_width(shown, size), _NARROWEST))


def _pieces(string: str, word: Word, width: float, size: float) -> Iterator[Word]:
    """A long word cut so that each piece fits a line."""
    start, wide = word.start, 0.0
    for at in range(word.start, word.end):
        more = text_width(string[at], size)
        if at > start and wide + more > width:
            yield _word(string, start, at, size)
            start, wide = at, 0.0
        wide += more
    yield _word(string, start, word.end, size)


def _gaps(words: Sequence[Word], width: float) -> list[float]:
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
