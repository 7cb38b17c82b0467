"""The catalog of features: as text for people, and as a table for programs."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator

from ensue.features import FEATURES, GROUPS, Feature
from ensue.pairs import open_text_output
from ensue.reports.model import Cell, Column, Table
from ensue.reports.tables import write_tables

_WIDEST = 100


def write_feature_list(*, output: str = "-", format: str = "table") -> None:
    """Write what each feature is to a file or to standard output.

    Args:
        output: A file's name, or `-`.
        format: `table` is text for people, wrapped and group by group; the others are as for all
            tables.
    """
    if format != "table":
        write_tables([features_table()], output=output, format=format)
        return
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    with open_text_output(output) as file:
        file.writelines(f"{line}\n" for line in _lines(width))


def features_table() -> Table:
    """All features with their definitions, and with a text and a hypothesis that show them."""
    columns = [
        Column("name"),
        Column("group"),
        Column("range"),
        Column("definition"),
        Column("text"),
        Column("hypothesis"),
    ]
    rows: list[list[Cell]] = [
        [each.name, each.group, each.range, each.definition, *each.example] for each in FEATURES
    ]
    return Table("features", f"{len(rows)} features", columns, rows)


def _lines(width: int) -> Iterator[str]:
    for number, group in enumerate(GROUPS):
        yield from [""] * (number > 0)
        yield f"{group.title} ({len(group.features)})"
        for feature in group.features:
            yield from _feature_lines(feature, width)


def _feature_lines(feature: Feature, width: int) -> Iterator[str]:
    text, hypothesis = feature.example
    yield f"  {feature.name}, {feature.range}"
    for paragraph in (feature.definition, f"e.g. {text} → {hypothesis}"):
        yield from textwrap.wrap(
            paragraph, width, initial_indent=" " * 4, subsequent_indent=" " * 4
        )
