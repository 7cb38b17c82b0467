"""A report as one self-contained HTML page: no script, and no request to any host."""

from __future__ import annotations

from pathlib import Path

from ensue.errors import OutputError
from ensue.pairs import open_text_output
from ensue.reports.model import Report
from ensue.reports.parts import part_helpers
from ensue.reports.templating import environment

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
            f"cannot write a page to {str(path)!r}",
            hint=f"name a file that ends in {' or '.join(PAGE_SUFFIXES)}",
        )


def render_page(report: Report) -> str:
    """The report as one HTML page."""
    template = environment().get_template("page.html")
    return template.render(report=report, signature=report.signature, **part_helpers())
