"""The installed components, as tables."""

from __future__ import annotations

from ensue import registry
from ensue.reports.model import Cell, Column, Table


def components_table(kind: str, name: str) -> Table:
    """All components of one kind with their summaries.

    Args:
        kind: One of `ensue.registry.GROUPS`.
        name: The table's name, the kind in the plural.
    """
    rows: list[list[Cell]] = [[each, _summary(kind, each)] for each in registry.names(kind)]
    return Table(name, name.capitalize(), [Column("name"), Column("summary")], rows)


def _summary(kind: str, name: str) -> str:
    """What the component says of itself; one that is broken does not hide the others."""
    try:
        return str(registry.find(kind, name).summary)
    except (ImportError, AttributeError) as error:
        return f"(cannot be loaded: {error})"
