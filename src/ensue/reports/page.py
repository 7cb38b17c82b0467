"""A report as one self-contained HTML page: its parts, and the templates of all pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ensue.errors import OutputError
from ensue.files import open_text_output
from ensue.reports.model import (
    Figure,
    Picture,
    Report,
    Table,
    is_numeric,
    shown_cell,
    shown_heading,
)
from ensue.reports.pictures import theme
from ensue.reports.pictures.svg import readable
from ensue.reports.pictures.theme import render

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

# Tables, pictures and figures as HTML, for every page that shows some.


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


# The templates of pages, with what all of them may use.


@cache
def environment() -> Environment:
    """Where templates are found; what they show is escaped, and can be written to any file."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def finalized(value: Any) -> Any:
        if isinstance(value, str) and not isinstance(value, Markup):
            return readable(value)  # half characters cannot be written to any file
        return value

    made = Environment(
        loader=PackageLoader("ensue.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalized,
    )
    made.globals["theme"] = theme
    return made


# A report as one self-contained HTML page: no script, and no request to any host.

PAGE_SUFFIXES = (".html", ".htm")
"""How the name of a page ends."""


def write_page(path: str | Path, report: Report) -> None:
    """Write the report as one HTML page; the file appears whole or not at all.

    Raises:
        OutputError: the name is not that of a page, or the file cannot be written.
    """
    check_page_path(path)
    page = render_page(report)
    with open_text_output(path) as file:
        file.write(page)


def check_page_path(path: str | Path) -> None:
    """See early that a page can be written under this name.

    Raises:
        OutputError: it does not end as that of a page.
    """
    if Path(path).suffix.lower() not in PAGE_SUFFIXES:
        raise OutputError(
            "cannot-write-page",
            f"cannot write a page to {str(path)!r}",
            hint=f"name a file that ends in {' or '.join(PAGE_SUFFIXES)}",
        )


def render_page(report: Report) -> str:
    """The report as one HTML page."""
    template = environment().get_template("page.html")
    return template.render(report=report, signature=report.signature, **part_helpers())
