"""Components found by name through entry points; nothing is imported before it is asked for."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ensue.errors import UnknownNameError

GROUPS = {
    "diversity": "ensue.diversities",
    "format": "ensue.formats",
    "measure": "ensue.measures",
    "metric": "ensue.metrics",
    "quality": "ensue.qualities",
    "recognizer": "ensue.recognizers",
    "reproduction": "ensue.reproductions",
    "tokenizer": "ensue.tokenizers",
}
"""Each kind of component and the entry-point group that lists it."""


@cache
def _points(kind: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUPS[kind])}


def names(kind: str) -> list[str]:
    """The names of all installed components of one kind, sorted."""
    return sorted(_points(kind))


def find(kind: str, name: str) -> Any:
    """The component of that kind and name.

    Raises:
        UnknownNameError: nothing installed has that name; the hint suggests the nearest one.
    """
    points = _points(kind)
    if name not in points:
        raise UnknownNameError.of(kind, name, points)
    return points[name].load()
