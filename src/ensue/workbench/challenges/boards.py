"""Leaderboards: runs by rank, equal results sharing one, and clusters of runs that do not differ."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.evaluation.significance.many import cluster_spans, differing


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A run with its scores, before it is ranked."""

    id: int
    team: str
    name: str
    created: str
    scores: Mapping[str, Any] = field(hash=False)
    """As `scores_of` gives them."""
    right: NDArray[np.bool_] = field(hash=False, repr=False)

    def key(self, measures: Sequence[str]) -> tuple[float, ...]:
        """What it is ranked by, the larger the better; what is undefined is last."""
        values = (self.scores["measures"].get(name, {}).get("value") for name in measures)
        return tuple(-np.inf if value is None else value for value in values)


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """A run on the board."""

    rank: int
    id: int
    team: str
    name: str
    created: str
    measures: Mapping[str, Mapping[str, Any]] = field(hash=False)
    """By name: value, low, high."""
    tasks: Mapping[str, float | None] = field(hash=False)
    """The first measure by task."""
    clusters: tuple[int, ...]
    """Numbers of the clusters that it is in, the best first, from 1; they follow each other."""


@dataclass(frozen=True, slots=True)
class Board:
    """Runs by rank."""

    measures: tuple[str, ...]
    tasks: tuple[str, ...]
    entries: tuple[BoardEntry, ...]

    def to_json(self) -> dict[str, Any]:
        """What is kept of it."""
        names = [each.name for each in fields(BoardEntry)]
        entries = [{name: getattr(each, name) for name in names} for each in self.entries]
        for each in entries:
            each["clusters"] = each["clusters"][:1] + each["clusters"][-1:]
        return {"measures": self.measures, "tasks": self.tasks, "entries": entries}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Board:
        """The inverse of `to_json`."""
        entries = tuple(
            BoardEntry(**{**each, "clusters": _between(*each["clusters"])})
            for each in record["entries"]
        )
        return cls(tuple(record["measures"]), tuple(record["tasks"]), entries)


def _between(first: int, last: int) -> tuple[int, ...]:
    return tuple(range(first, last + 1))


def board_of(runs: Sequence[ScoredRun], measures: Sequence[str]) -> Board:
    """Rank runs by the first measure, equal ones by the next; those equal in all share a rank.

    Clusters are maximal stretches of the ranking no two runs of which differ: exact McNemar with
    Holm's correction over every two runs, at 0.05.
    """
    keys = {run.id: run.key(measures) for run in runs}
    ordered = sorted(runs, key=lambda run: run.id)
    ordered.sort(key=lambda run: keys[run.id], reverse=True)
    spans: list[tuple[int, int]] = []
    if ordered:
        spans = cluster_spans(differing(np.stack([run.right for run in ordered])))
    tasks = sorted({task for run in ordered for task in run.scores["tasks"]})
    firsts, lasts = [first for first, _ in spans], [last for _, last in spans]
    entries, rank = [], 0
    for place, run in enumerate(ordered):
        if place == 0 or keys[run.id] != keys[ordered[place - 1].id]:
            rank = place + 1
        entries.append(
            BoardEntry(
                rank=rank,
                id=run.id,
                team=run.team,
                name=run.name,
                created=run.created,
                measures={name: run.scores["measures"].get(name, {}) for name in measures},
                tasks={task: run.scores["tasks"].get(task) for task in tasks},
                clusters=tuple(
                    range(bisect_right(lasts, place) + 1, bisect_right(firsts, place) + 1)
                ),
            )
        )
    return Board(tuple(measures), tuple(tasks), tuple(entries))
