"""How the kinds of spans and links look, the same in pictures, in pages and in the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ensue.recognizers import Evidence
from ensue.reports.pictures.theme import FAINT, INK, PALETTE

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
