"""Relations of the table as steps from synset to synset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.language.lexicon.kernels import Numbers, Steps
from ensue.language.lexicon.parts import Relation

ANY = 255
"""Any number of steps."""

PLACES = (15, 17)
"""The lexicographer files noun.location and noun.object: countries and cities; lakes, mountains
and continents."""

PERSONS = 18
"""The lexicographer file noun.person."""

Edges = tuple[Numbers, Numbers]


def edges(table: Mapping[str, NDArray[Any]], relation: Relation) -> Edges:
    """The sources and the targets of a relation."""
    return table[f"{relation}.sources"], table[f"{relation}.targets"]


def as_steps(parts: Sequence[Edges], n_synsets: int) -> Steps:
    """The steps of several relations, the first one's first."""
    sources = np.concatenate([part[0] for part in parts])
    targets = np.concatenate([part[1] for part in parts]).astype(np.int32)
    order = np.argsort(sources, kind="stable")
    sizes = np.bincount(sources, minlength=n_synsets)
    return Steps(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), targets[order])


def hypernym_steps(table: Mapping[str, NDArray[Any]], n_synsets: int) -> Steps:
    """Steps up the hierarchy, instances included."""
    kinds = (Relation.HYPERNYM, Relation.INSTANCE_HYPERNYM)
    return as_steps([edges(table, kind) for kind in kinds], n_synsets)


def general_steps(table: Mapping[str, NDArray[Any]], n_synsets: int) -> Steps:
    """Steps to what is as true and says no more.

    Up the hierarchy; into places (`_places`); from a verb to what it entails or causes; from an
    adjective to a similar one.
    """
    up = (Relation.HYPERNYM, Relation.INSTANCE_HYPERNYM, Relation.ENTAILMENT, Relation.CAUSE)
    near = edges(table, Relation.SIMILAR)
    return as_steps([*(edges(table, kind) for kind in up), *_places(table), near], n_synsets)


def _places(table: Mapping[str, NDArray[Any]]) -> tuple[Edges, Edges]:
    """To the place that something is part of, and from a place to what it is a member of.

    The Eiffel Tower is in Paris, and France in the EU. But a Spaniard, a member of Spain, is not in
    the EU for that, and who meets one does not meet Spain; and the hem of a dress, which is filed as
    a place, is no dress.
    """
    is_place = np.isin(table["synsets.file"], PLACES)
    is_person = table["synsets.file"] == PERSONS
    part, whole = edges(table, Relation.PART_HOLONYM)
    member, group = edges(table, Relation.MEMBER_HOLONYM)
    inside = is_place[whole] & ~is_person[part]
    belongs = is_place[member]
    return (part[inside], whole[inside]), (member[belongs], group[belongs])


def walk(steps: Steps, starts: Iterable[int]) -> dict[int, int]:
    """All that can be reached, nearest first, with the fewest steps to each."""
    away = {int(start): 0 for start in starts}
    queue = list(away)
    for synset in queue:
        for target in steps.targets[steps.offsets[synset] : steps.offsets[synset + 1]].tolist():
            if target not in away:
                away[target] = away[synset] + 1
                queue.append(target)
    return away
