"""An alignment in the terminal: both sides with their marks, the links, and bars of the weights."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ensue.recognizers import Explanation, Side, Span, Weight
from ensue.reports.cells import DASH
from ensue.reports.pictures.contributions import ranked
from ensue.reports.pictures.kinds import MARKS, UNALIGNED, WARNING, WARNINGS, Look, looks_of
from ensue.reports.pictures.linking.links import link_words
from ensue.reports.pictures.theme import PALETTE

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_FOR = PALETTE[0]
_BAR = 10
"""Cells on each side of a bar's zero."""


def print_alignment(console: Console, explanation: Explanation, *, color: bool) -> None:
    """Print both sides and what in the text answers which part of the hypothesis."""
    from rich.text import Text

    pair, spans = explanation.pair, explanation.evidence.spans
    kinds = {span.kind for span in spans}
    looks = looks_of(kinds | {link.kind for link in explanation.evidence.links})
    for side, string in ((Side.TEXT, pair.text), (Side.HYPOTHESIS, pair.hypothesis)):
        marked = _marked(string, [span for span in spans if span.side is side], looks, color=color)
        console.print(Text.assemble((f"{side.value:<11}", "bold"), marked))
    legend = [f"/{mark.letter} {kind}" for kind, mark in MARKS.items() if kind in kinds]
    legend += ["⟨⟩ unaligned"] if UNALIGNED in kinds else []
    if legend:
        console.print(Text.assemble((f"{'marks':<11}", "bold"), ", ".join(legend)))
    console.print()
    _print_links(console, explanation, looks)


def print_contributions(console: Console, weights: Sequence[Weight]) -> None:
    """Print what adds to the score, the largest first, as bars to the left and to the right."""
    from rich.text import Text

    chosen = ranked(weights)
    if not chosen.largest:
        return
    width = max(len(weight.name) for weight in chosen.largest)
    most = abs(chosen.largest[0].contribution)
    console.print(Text(f"  {'':<{width}}  {'against':>{_BAR}}│for", style="dim"))
    for weight in chosen.largest:
        style = _FOR if weight.contribution > 0 else WARNING
        line = Text(f"  {weight.name:<{width}}  ") + Text(_bar(weight.contribution / most), style)
        console.print(
            line + Text(f"  {weight.contribution:+.4f} = {_value(weight)} · {weight.weight:.4f}")
        )
    if chosen.n_others:
        console.print(f"  and {chosen.n_others} more, together {chosen.others:+.4f}", markup=False)
    console.print()


def _bar(share: float) -> str:
    """A bar from the middle, to the left where the share is negative, in half cells.

    >>> _bar(-0.25)
    '       ▐██│          '
    """
    full, half = divmod(max(round(abs(share) * _BAR * 2), 1), 2)
    if share < 0:
        return f"{'▐' * half + '█' * full:>{_BAR}}│{'':<{_BAR}}"
    return f"{'':<{_BAR}}│{'█' * full + '▌' * half:<{_BAR}}"


def _value(weight: Weight) -> str:
    """The value and, where there is one, the average that it is measured against."""
    value = f"{weight.value:.4g}"
    return f"({value} - {weight.average:.4f})" if weight.average else value


def _print_links(console: Console, explanation: Explanation, looks: Mapping[str, Look]) -> None:
    from rich.cells import cell_len
    from rich.text import Text

    rows = list(_rows(explanation))
    widths = [max((cell_len(row[i]) for row in rows), default=0) for i in range(3)]
    for row in rows:
        asked, answer, kind = (
            word + " " * (width - cell_len(word)) for word, width in zip(row, widths, strict=False)
        )
        style = f"bold {WARNING}" if row[2] in WARNINGS else _style(row[2], looks)
        line = Text(f"  {asked} → {answer}  ") + Text(kind, style=style)
        line += Text(f"  {row[3]}" if row[3] else "")
        line.rstrip()
        console.print(line)
    if rows:
        console.print()


def _rows(explanation: Explanation) -> Iterator[tuple[str, str, str, str]]:
    """Hypothesis, text, kind and similarity, in the order of the hypothesis."""
    spans = explanation.evidence.spans
    found: list[tuple[int, tuple[str, str, str, str]]] = []
    for link in explanation.evidence.links:
        asked, answer = (" ".join(words.split()) for words in link_words(explanation, link))
        span = spans[link.hypothesis]
        found.append((span.start, (asked, answer, link.kind, f"{span.strength:.2f}")))
    for span in spans:
        if span.kind == UNALIGNED:
            words = explanation.pair.hypothesis[span.start : span.end].split()
            found.append((span.start, (" ".join(words), DASH, UNALIGNED, "")))
    return (row for _, row in sorted(found, key=lambda each: each[0]))


def _marked(string: str, spans: Sequence[Span], looks: Mapping[str, Look], *, color: bool) -> Text:
    """The string with brackets or colors for links, ⟨⟩ for what is unaligned, letters for marks."""
    from rich.text import Text

    before, after = _signs(string, spans, color=color)
    styles: list[tuple[int, int, str]] = [
        (span.start, span.end, _style(span.kind, looks)) for span in spans
    ]
    marked, at = Text(), 0
    for place in sorted(before.keys() | after.keys() | {end for s in styles for end in s[:2]}):
        marked += _piece(string, at, place, styles, color=color)
        marked += Text(after[place] + before[place])
        at = max(at, place)
    return marked + _piece(string, at, len(string), styles, color=color)


def _piece(
    string: str, start: int, end: int, styles: Sequence[tuple[int, int, str]], *, color: bool
) -> Text:
    """A stretch in which no span begins or ends, in the styles of those around it."""
    from rich.text import Text

    around = [style for first, last, style in styles if first <= start and end <= last]
    return Text(string[start:end], style=" ".join(filter(None, around)) if color else "")


def _signs(
    string: str, spans: Sequence[Span], *, color: bool
) -> tuple[dict[int, str], dict[int, str]]:
    """What is written before and after each place, so that brackets are nested as spans are."""
    before: dict[int, str] = defaultdict(str)
    after: dict[int, str] = defaultdict(str)
    signs = {*_mark_signs(string, spans), *_bracket_signs(spans, color=color)}
    for start, minus_end, _, opening, closing in sorted(signs):
        before[start] += opening
        after[-minus_end] = closing + after[-minus_end]
    return before, after


def _mark_signs(string: str, spans: Sequence[Span]) -> Iterator[tuple[int, int, int, str, str]]:
    """A letter after each mark, and braces around one of several words."""
    kinds: dict[tuple[int, int], set[str]] = defaultdict(set)
    for span in spans:
        if span.kind in MARKS:
            kinds[span.start, span.end].add(span.kind)
    for (start, end), here in kinds.items():
        letters = "".join(mark.letter for kind, mark in MARKS.items() if kind in here)
        if " " in string[start:end]:
            yield start, -end, 0, "{", f"}}/{letters}"
        else:
            yield start, -end, 0, "", f"/{letters}"


def _bracket_signs(
    spans: Sequence[Span], *, color: bool
) -> Iterator[tuple[int, int, int, str, str]]:
    for span in spans:
        if span.kind == UNALIGNED:
            yield span.start, -span.end, 1, "⟨", "⟩"
        elif span.kind not in MARKS and not color:
            yield span.start, -span.end, 1, "[", "]"


def _style(kind: str, looks: Mapping[str, Look]) -> str:
    if kind in MARKS:
        return "underline"
    return "dim italic" if kind == UNALIGNED else f"bold {looks[kind].color}"
