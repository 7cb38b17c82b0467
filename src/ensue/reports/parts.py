"""Tables, pictures and figures as HTML, for every page that shows some."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ensue.reports.cells import is_numeric, shown_cell, shown_heading
from ensue.reports.model import Figure, Picture, Table
from ensue.reports.pictures import render

if TYPE_CHECKING:
    from markupsafe import Markup


def part_helpers() -> dict[str, Any]:
    """What the template `parts.html` calls, by name."""
    return {
        "paragraphs": _paragraphs,
        "is_table": lambda part: isinstance(part, Table),
        "is_figure": lambda part: isinstance(part, Figure),
        "headings": _headings,
        "cells": _cells,
        "svg": _svg,
    }


@dataclass(frozen=True, slots=True)
class _HtmlCell:
    text: str
    number: bool


def _paragraphs(text: str) -> list[str]:
    return [paragraph.strip() for paragraph in text.split("\n\n") if paragraph.strip()]


def _headings(table: Table) -> list[_HtmlCell]:
    return [
        _HtmlCell(shown_heading(column), is_numeric(table, i))
        for i, column in enumerate(table.columns)
    ]


def _cells(table: Table) -> Iterator[list[_HtmlCell]]:
    numeric = [is_numeric(table, i) for i in range(len(table.columns))]
    for row in table.rows:
        yield [
            _HtmlCell(shown_cell(cell, column), number)
            for cell, column, number in zip(row, table.columns, numeric, strict=True)
        ]


def _svg(picture: Picture | Figure) -> Markup:
    from markupsafe import Markup, escape

    if isinstance(picture, Figure):
        return Markup(picture.svg)  # ours, escaped where it was drawn, and named already
    svg = render(picture, "svg", titled=False).decode()
    named = f'<svg role="img" aria-label="{escape(picture.title)}" '
    return Markup(svg.replace("<svg ", named, 1))
