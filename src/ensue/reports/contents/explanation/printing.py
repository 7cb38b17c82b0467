"""An explanation in the terminal: the matched parts of both sides, and the arithmetic."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ensue.pairs import Status, open_text_output
from ensue.recognizers import Explanation, Side, Span
from ensue.reports.cells import on_a_line
from ensue.reports.contents.explanation.alignment import print_alignment, print_contributions
from ensue.reports.contents.explanation.sections import print_sections, problem_lines
from ensue.reports.pictures.kinds import shows_alignment

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_STYLES = ("black on #deebf7", "black on #9ecae1", "white on #3182bd", "bold white on #08519c")
"""From weak to strong: one hue, darker as more of the order is matched."""


def write_explanation(
    explanation: Explanation, *, format: str = "table", trace: bool = False
) -> None:
    """Write an explanation to standard output, as text for people, as JSON or as a TPTP problem.

    Args:
        explanation: What to write.
        format: `table`, `json` or `tptp`.
        trace: Whether what is folded away is written for people too.

    Raises:
        UndefinedError: a problem is asked for, and the recognizer proves nothing.
    """
    problem = problem_lines(explanation) if format == "tptp" else ()
    with open_text_output("-") as file:
        if format == "tptp":
            file.writelines(f"{line}\n" for line in problem)
            return
        if format == "json":
            json.dump(explanation.to_json(), file, ensure_ascii=False, indent=2)
            file.write("\n")
            return
        from rich.console import Console

        console = Console(file=file, highlight=False, soft_wrap=True)
        with console.capture() as capture:  # rich would exit by itself when nobody reads on
            _print(console, _on_lines(explanation), trace=trace)
        file.write(capture.get())


def _on_lines(explanation: Explanation) -> Explanation:
    """The explanation with each side on one line, and nothing in it that commands a terminal."""
    text, hypothesis = map(on_a_line, (explanation.pair.text, explanation.pair.hypothesis))
    return replace(explanation, pair=replace(explanation.pair, text=text, hypothesis=hypothesis))


def _print(console: Console, explanation: Explanation, *, trace: bool) -> None:
    from rich.text import Text

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
    console.print(Text(f"signature: {explanation.signature}", style="dim"))


def _print_matches(console: Console, explanation: Explanation, *, color: bool) -> None:
    from rich.text import Text

    pair, evidence = explanation.pair, explanation.evidence
    for side, string in ((Side.TEXT, pair.text), (Side.HYPOTHESIS, pair.hypothesis)):
        spans = [span for span in evidence.spans if span.side is side]
        marked = _marked(string, spans, color=color)
        console.print(Text(f"{side.value:<11}", style="bold") + marked)
    kinds = sorted({(span.strength, span.kind) for span in evidence.spans})
    if kinds and color:
        legend = Text("matched    ", style="bold")
        for strength, kind in kinds:
            legend += Text(f" {kind} ", style=_style(strength)) + Text(" ")
        console.print(legend)
    console.print()


def _print_steps(console: Console, explanation: Explanation) -> None:
    steps = explanation.evidence.steps
    width = max((len(step.what) for step in steps), default=0)
    for step in steps:
        value = "" if step.value is None else f" = {step.value:.4f}"
        console.print(f"  {step.what:<{width}}  {step.how}{value}", markup=False)
    if steps:
        console.print()


def _print_weights(console: Console, explanation: Explanation) -> None:
    weights = explanation.evidence.weights
    width = max((len(weight.name) for weight in weights), default=0)
    for weight in weights:
        console.print(
            f"  {weight.name:<{width}}  {weight.value:g} · {weight.weight:.4f}"
            f" = {weight.contribution:.4f}",
            markup=False,
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


def _style(strength: float) -> str:
    return _STYLES[max(math.ceil(strength * len(_STYLES)), 1) - 1]


def _marked(string: str, spans: Sequence[Span], *, color: bool) -> Text:
    """The string with its spans in color or, without color, in brackets."""
    from rich.text import Text

    if color:
        marked = Text(string)
        for span in sorted(spans, key=lambda span: span.strength):
            marked.stylize(_style(span.strength), span.start, span.end)
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
