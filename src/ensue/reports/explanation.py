"""An explanation in the terminal, as an HTML page, as a picture and in a notebook."""

from __future__ import annotations

import io
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ensue.errors import OutputError, UndefinedError
from ensue.files import open_text_output
from ensue.pairs import Status, Verdict
from ensue.recognizers import Evidence, EvidenceSection, Explanation, Side, Span, Weight
from ensue.reports.model import DASH, on_a_line
from ensue.reports.page import PAGE_SUFFIXES, environment
from ensue.reports.pictures.links import link_words, links_svg
from ensue.reports.pictures.svg import (
    MARKS,
    UNALIGNED,
    WARNING,
    WARNINGS,
    Look,
    contributions_svg,
    looks_of,
    ranked,
    shows_alignment,
)
from ensue.reports.pictures.theme import PALETTE
from ensue.reports.text import aligned_rows, output_width, wrapped

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# An alignment in the terminal: both sides with their marks, the links, and bars of the weights.

_FOR = PALETTE[0]
_LABEL = 11
"""Cells for what a text is, before it."""
_BAR = 10
"""Cells on each side of a bar's zero."""


def print_alignment(console: Console, explanation: Explanation, *, color: bool) -> None:
    """Print both sides and what in the text answers which part of the hypothesis."""
    from rich.text import Text

    pair, spans = explanation.pair, explanation.evidence.spans
    kinds = {span.kind for span in spans}
    looks = looks_of(kinds | {link.kind for link in explanation.evidence.links})
    for side, string in ((Side.TEXT, pair.text), (Side.HYPOTHESIS, pair.hypothesis)):
        marked = _marked_alignment(
            string, [span for span in spans if span.side is side], looks, color=color
        )
        _print_labeled(console, side.value, marked)
    legend = [f"/{mark.letter} {kind}" for kind, mark in MARKS.items() if kind in kinds]
    legend += ["⟨⟩ unaligned"] if UNALIGNED in kinds else []
    if legend:
        _print_labeled(console, "marks", Text(", ".join(legend)))
    console.print()
    _print_links(console, explanation, looks)


def _print_labeled(console: Console, label: str, content: Text) -> None:
    """Print a text beside what it is, wrapped between words."""
    from rich.text import Text

    lines = content.wrap(console, max(console.width - _LABEL, 1), no_wrap=False)
    for i, line in enumerate(lines):
        line.rstrip()
        console.print(Text.assemble((f"{'' if i else label:<{_LABEL}}", "bold"), line))


def _print_line(console: Console, line: str, *, style: str = "", first: str = "  ") -> None:
    """Print a line; what has no room on it follows, set in."""
    from rich.text import Text

    for each in wrapped(line, console.width, first=first, then="      "):
        console.print(Text(each, style=style))


def print_contributions(console: Console, weights: Sequence[Weight]) -> None:
    """Print what adds to the score, the largest first, as bars to the left and to the right."""
    from rich.text import Text

    chosen = ranked(weights)
    if not chosen.largest:
        return
    width = max(len(weight.name) for weight in chosen.largest)
    most = abs(chosen.largest[0].contribution)
    has_bars = width + 2 * _BAR + len("    │  +0.0000") + 2 <= console.width
    if has_bars:
        console.print(Text(f"  {'':<{width}}  {'against':>{_BAR}}│for", style="dim"))
    for weight in chosen.largest:
        style = _FOR if weight.contribution > 0 else WARNING
        bar = f"{_bar(weight.contribution / most)}  " if has_bars else ""
        line = Text(f"  {weight.name:<{width}}  ") + Text(bar, style)
        line += Text(f"{weight.contribution:+.4f}")
        product = Text(f" = {_value(weight)} · {weight.weight:.4f}")
        console.print(line + product if line.cell_len + len(product) <= console.width else line)
    if chosen.n_others:
        _print_line(console, f"and {chosen.n_others} more, together {chosen.others:+.4f}")
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
    is_wide = sum(widths) + len("   →   0.00") + 2 > console.width
    for row in rows:
        if is_wide:
            _print_line(console, f"{row[0]} → {row[1]}  {row[2]}  {row[3]}".rstrip())
            continue
        asked, answer, kind = (
            word + " " * (width - cell_len(word)) for word, width in zip(row, widths, strict=False)
        )
        style = f"bold {WARNING}" if row[2] in WARNINGS else _link_style(row[2], looks)
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


def _marked_alignment(
    string: str, spans: Sequence[Span], looks: Mapping[str, Look], *, color: bool
) -> Text:
    """The string with brackets or colors for links, ⟨⟩ for what is unaligned, letters for marks."""
    from rich.text import Text

    before, after = _signs(string, spans, color=color)
    styles: list[tuple[int, int, str]] = [
        (span.start, span.end, _link_style(span.kind, looks)) for span in spans
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


def _link_style(kind: str, looks: Mapping[str, Look]) -> str:
    if kind in MARKS:
        return "underline"
    return "dim italic" if kind == UNALIGNED else f"bold {looks[kind].color}"


# The sections of an explanation: small tables in the terminal, and the problem for provers.

_PROBLEM = "tptp"


def print_sections(console: Console, sections: Sequence[EvidenceSection], *, trace: bool) -> None:
    """Print each section under its title; those that are folded away only where asked for."""
    for section in sections:
        if section.folded and not trace:
            continue
        _print_line(console, section.title, style="bold", first="")
        _print_rows(console, section)
        console.print()


def problem_lines(explanation: Explanation) -> list[str]:
    """The lines of the problem that was left to a prover.

    Raises:
        UndefinedError: there is none.
    """
    section = explanation.evidence.section(_PROBLEM)
    if section is not None:
        return [row[0] for row in section.rows]
    reason = explanation.verdict.reason
    raise UndefinedError(
        "no-problem-prover",
        "there is no problem for a prover" + (f": {reason}" if reason else ""),
        hint="-r logic makes one of every pair that it can read",
    )


def _print_rows(console: Console, section: EvidenceSection) -> None:
    from rich.text import Text

    head = [section.columns] if any(section.columns) else []
    rows = [list(map(on_a_line, row)) for row in (*head, *section.rows)]
    for i, lines in enumerate(aligned_rows(rows, console.width - 2)):
        style = "dim" if head and i == 0 else ""
        for line in lines:
            console.print(Text(f"  {line}", style=style))


# An explanation in the terminal: the matched parts of both sides, and the arithmetic.

_STYLES = ("black on #deebf7", "black on #9ecae1", "white on #3182bd", "bold white on #08519c")
"""From weak to strong: one hue, darker as more of the order is matched."""


def write_explanation(
    explanation: Explanation, *, output: str = "-", format: str = "table", trace: bool = False
) -> None:
    """Write an explanation as text for people, as JSON or as a TPTP problem.

    Args:
        explanation: What to write.
        output: A file's name, or `-`.
        format: `table`, `json` or `tptp`.
        trace: Whether what is folded away is written for people too.

    Raises:
        UndefinedError: a problem is asked for, and the recognizer proves nothing.
    """
    problem = problem_lines(explanation) if format == "tptp" else ()
    with open_text_output(output) as file:
        if format == "tptp":
            file.writelines(f"{line}\n" for line in problem)
            return
        if format == "json":
            json.dump(explanation.to_json(), file, ensure_ascii=False, indent=2)
            file.write("\n")
            return
        from rich.console import Console

        console = Console(file=file, width=output_width(file), highlight=False)
        with console.capture() as capture:  # rich would exit by itself when nobody reads on
            _print(console, _on_lines(explanation), trace=trace)
        file.write(capture.get())


def explanation_text(explanation: Explanation, width: int = 100) -> str:
    """An explanation as `write_explanation` writes it for people, in lines of a width."""
    from rich.console import Console

    said = io.StringIO()
    console = Console(file=said, width=width, highlight=False)
    _print(console, _on_lines(explanation), trace=False)
    return said.getvalue()


def _on_lines(explanation: Explanation) -> Explanation:
    """The explanation with each side on one line, and nothing in it that commands a terminal."""
    text, hypothesis = map(on_a_line, (explanation.pair.text, explanation.pair.hypothesis))
    return replace(explanation, pair=replace(explanation.pair, text=text, hypothesis=hypothesis))


def _print(console: Console, explanation: Explanation, *, trace: bool) -> None:
    color = console.color_system is not None and not console.no_color
    if shows_alignment(explanation.evidence):
        print_alignment(console, explanation, color=color)
        print_contributions(console, explanation.evidence.weights)
        print_sections(console, explanation.evidence.sections, trace=trace)
        _print_steps(console, explanation)
    else:
        _print_matches(console, explanation, color=color)
        print_sections(console, explanation.evidence.sections, trace=trace)
        _print_steps(console, explanation)
        _print_weights(console, explanation)
    console.print(_verdict_line(explanation))
    _print_line(console, f"signature: {explanation.signature}", style="dim", first="")


def _print_matches(console: Console, explanation: Explanation, *, color: bool) -> None:
    from rich.text import Text

    pair, evidence = explanation.pair, explanation.evidence
    for side, string in ((Side.TEXT, pair.text), (Side.HYPOTHESIS, pair.hypothesis)):
        spans = [span for span in evidence.spans if span.side is side]
        marked = _marked_matches(string, spans, color=color)
        _print_labeled(console, side.value, marked)
    kinds = sorted({(span.strength, span.kind) for span in evidence.spans})
    if kinds and color:
        legend = Text()
        for strength, kind in kinds:
            legend += Text(f" {kind} ", style=_match_style(strength)) + Text(" ")
        _print_labeled(console, "matched", legend)
    console.print()


def _print_steps(console: Console, explanation: Explanation) -> None:
    from rich.text import Text

    steps = explanation.evidence.steps
    numbers = ["" if step.value is None else f" = {step.value:.4f}" for step in steps]
    rows = [[step.what, f"{step.how}{number}"] for step, number in zip(steps, numbers, strict=True)]
    for lines in aligned_rows(rows, console.width - 2):
        for line in lines:
            console.print(Text(f"  {line}"))
    if steps:
        console.print()


def _print_weights(console: Console, explanation: Explanation) -> None:
    weights = explanation.evidence.weights
    width = max((len(weight.name) for weight in weights), default=0)
    for weight in weights:
        _print_line(
            console,
            f"{weight.name:<{width}}  {weight.value:g} · {weight.weight:.4f}"
            f" = {weight.contribution:.4f}",
        )
    if weights:
        console.print()


def _verdict_line(explanation: Explanation) -> Text:
    from rich.text import Text

    verdict = explanation.verdict
    line = Text("verdict: ", style="bold")
    if verdict.status is not Status.DECIDED or verdict.label is None:
        return line + Text(f"{verdict.status.value}: {verdict.reason}")
    line += Text(
        verdict.label.value, style="bold green" if verdict.label == "entailment" else "bold"
    )
    if verdict.score is not None:
        line += Text(f", score {verdict.score:.4f}")
    if verdict.confidence is not None:
        line += Text(f", confidence {verdict.confidence:.4f}")
    return line


def _match_style(strength: float) -> str:
    return _STYLES[max(math.ceil(strength * len(_STYLES)), 1) - 1]


def _marked_matches(string: str, spans: Sequence[Span], *, color: bool) -> Text:
    """The string with its spans in color or, without color, in brackets."""
    from rich.text import Text

    if color:
        marked = Text(string)
        for span in sorted(spans, key=lambda span: span.strength):
            marked.stylize(_match_style(span.strength), span.start, span.end)
        return marked
    parts = Text()
    position = 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.start < position:
            continue  # inside the one before
        parts += Text(string[position : span.start])
        parts += Text(f"[{string[span.start : span.end]}]")
        position = span.end
    return parts + Text(string[position:])


# An explanation as one self-contained HTML page, as a picture, and as a piece of a notebook.

_PICTURE_SUFFIX = ".svg"

EXPLANATION_SUFFIXES = (*PAGE_SUFFIXES, _PICTURE_SUFFIX)
"""The files that an explanation can become: a page, or the picture of its links alone."""


def explanation_html(explanation: Explanation) -> str:
    """The explanation as one page: no script, and no request to any host."""
    return _rendered("explanation.html", explanation)


def explanation_fragment(explanation: Explanation) -> str:
    """The explanation as a piece of HTML with its own ground, for light and dark notebooks."""
    return _rendered("explanation_fragment.html", explanation)


def write_explanation_file(path: str | Path, explanation: Explanation) -> None:
    """Write a page or a picture, as the name says; the file appears whole or not at all.

    Raises:
        OutputError: the name is that of neither, or the file cannot be written.
    """
    is_picture = check_explanation_path(path) == _PICTURE_SUFFIX
    content = links_svg(explanation) + "\n" if is_picture else explanation_html(explanation)
    with open_text_output(path) as file:
        file.write(content)


def check_explanation_path(path: str | Path) -> str:
    """The suffix of the path, in lower case, if an explanation can be written there.

    Raises:
        OutputError: it is none that an explanation can become.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in EXPLANATION_SUFFIXES:
        raise OutputError(
            "cannot-write-explanation",
            f"cannot write an explanation to {str(path)!r}",
            hint=f"name a file that ends in {', '.join(PAGE_SUFFIXES)} (a page)"
            f" or {_PICTURE_SUFFIX} (the picture)",
        )
    return suffix


def explanation_values(explanation: Explanation) -> dict[str, Any]:
    """What the template `explanation_body.html` and those around it show, by name."""
    from markupsafe import Markup

    evidence = explanation.evidence
    weights = sorted(evidence.weights, key=lambda weight: -abs(weight.contribution))
    return {
        "pair": explanation.pair,
        "signature": str(explanation.signature),
        "answer": _answer(explanation.verdict),
        "numbers": _numbers(explanation.verdict),
        "links_picture": Markup(links_svg(explanation)),
        "weights_picture": Markup(contributions_svg(evidence.weights)),
        "links": _links(explanation),
        "unaligned": _unaligned(explanation),
        "weights": [weight for weight in weights if weight.contribution],
        "n_idle": sum(not weight.contribution for weight in weights),
        "steps": _steps(evidence),
        "sections": evidence.sections,
    }


def _rendered(template: str, explanation: Explanation) -> str:
    return environment().get_template(template).render(**explanation_values(explanation))


def _answer(verdict: Verdict) -> str:
    if verdict.label is not None:
        return verdict.label.value
    return verdict.status.value + (f": {verdict.reason}" if verdict.reason else "")


def _numbers(verdict: Verdict) -> str:
    numbers = (("score", verdict.score), ("confidence", verdict.confidence))
    return ", ".join(f"{name} {number:.4f}" for name, number in numbers if number is not None)


def _links(explanation: Explanation) -> list[tuple[str, str, str, str]]:
    spans = explanation.evidence.spans
    return [
        (*link_words(explanation, link), link.kind, f"{spans[link.hypothesis].strength:.2f}")
        for link in explanation.evidence.links
    ]


def _unaligned(explanation: Explanation) -> Sequence[str]:
    return [
        explanation.pair.hypothesis[span.start : span.end]
        for span in explanation.evidence.spans
        if span.kind == UNALIGNED
    ]


def _steps(evidence: Evidence) -> list[tuple[str, str, str]]:
    return [
        (step.what, step.how, "" if step.value is None else f"{step.value:.4f}")
        for step in evidence.steps
    ]
