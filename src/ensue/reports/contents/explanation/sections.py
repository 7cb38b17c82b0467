"""The sections of an explanation: small tables in the terminal, and the problem for provers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ensue.errors import UndefinedError
from ensue.recognizers import Explanation, Section
from ensue.reports.cells import on_a_line

if TYPE_CHECKING:
    from rich.console import Console

_PROBLEM = "tptp"


def print_sections(console: Console, sections: Sequence[Section], *, trace: bool) -> None:
    """Print each section under its title; those that are folded away only where asked for."""
    from rich.text import Text

    for section in sections:
        if section.folded and not trace:
            continue
        console.print(Text(section.title, style="bold"))
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
        "there is no problem for a prover" + (f": {reason}" if reason else ""),
        hint="-r logic makes one of every pair that it can read",
    )


def _print_rows(console: Console, section: Section) -> None:
    from rich.cells import cell_len
    from rich.text import Text

    rows = [tuple(map(on_a_line, row)) for row in section.rows]
    head = [section.columns] if any(section.columns) else []
    widths = [max(cell_len(row[i]) for row in (*head, *rows)) for i in range(len(section.columns))]
    for row in (*head, *rows):
        cells = [cell + " " * (w - cell_len(cell)) for cell, w in zip(row, widths, strict=True)]
        style = "dim" if head and row is head[0] else ""
        console.print(Text("  " + "  ".join(cells).rstrip(), style=style))
