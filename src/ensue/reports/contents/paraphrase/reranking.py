"""What lists gain by a new order, as a table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ensue.paraphrase.model import Numbers
from ensue.paraphrase.reranking.ordering import Reranked, Way
from ensue.reports.contents.entries import Row
from ensue.reports.contents.paraphrase.cutting import called, cut, dash_notes, method_notes
from ensue.reports.model import Column, Table

_EMPTY = "the list has no pattern"
_WAYS = {
    Way.GIVEN: "no other order that was found is better",
    Way.GREEDY: "the largest gain for each place in turn",
    Way.EXACT: "the search for the best order, where greed reaches less",
}


def reranking_table(reranked: Reranked, *, every: bool = True) -> Table:
    """A row for each list: its DIMPLE as given, in greedy order and in the new one.

    Args:
        reranked: What to show.
        every: Whether all lists are there, for programs.
    """
    columns = [
        Column("term"),
        Column("method"),
        Column("patterns"),
        Column("given", digits=3),
        Column("greedy", digits=3),
        Column("new", digits=3),
        Column("gain", digits=3, signed=True),
        Column("way"),
    ]
    keys = reranked.lists.keys
    rows, cut_notes = cut(_rows(reranked), len(keys), every=every, what="lists")
    empty = np.flatnonzero(np.isnan(reranked.chosen)).tolist()
    notes = [
        *_summary(reranked.chosen - reranked.given, reranked.ways),
        *_way_notes(reranked.ways),
        *dash_notes(((called(keys[i]), _EMPTY) for i in empty), every=every),
        *method_notes(key.method for key in keys),
        *cut_notes,
    ]
    at = "of whole lists" if reranked.k is None else f"at {reranked.k}"
    return Table("reranking", f"DIMPLE {at} before and after reranking", columns, rows, notes)


def _rows(reranked: Reranked) -> Iterator[Row]:
    sizes = np.diff(reranked.lists.offsets).tolist()
    numbers = zip(
        _defined(reranked.given),
        _defined(reranked.greedy),
        _defined(reranked.chosen),
        _defined(reranked.chosen - reranked.given),
        strict=True,
    )
    for key, size, scores, way in zip(
        reranked.lists.keys, sizes, numbers, reranked.ways, strict=True
    ):
        is_defined = scores[0] is not None
        yield [
            key.term,
            key.method or None,
            size,
            *scores,
            way.value if is_defined else None,
        ]


def _summary(gains: Numbers, ways: tuple[Way, ...]) -> list[str]:
    """How many lists gained, and how much on average."""
    defined = gains[~np.isnan(gains)]
    if not defined.size:
        return []
    n_gained = sum(way is not Way.GIVEN for way in ways)
    mean, most = float(defined.mean()), float(defined.max())
    return [
        f"{n_gained} of {defined.size:,} lists gained; the mean gain of all lists is {mean:.3f},"
        f" the largest {most:.3f}"
    ]


def _way_notes(ways: tuple[Way, ...]) -> list[str]:
    said = [f"{way}: {meaning}" for way, meaning in _WAYS.items() if way in ways]
    return [f"way, what it takes to reach it: {'; '.join(said)}"] if said else []


def _defined(numbers: Numbers) -> list[float | None]:
    return [None if np.isnan(number) else number for number in numbers.tolist()]
