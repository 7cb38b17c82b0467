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

    Up the hierarchy; from a place to what it is part or member of; from a verb to what it entails
    or causes; from an adjective to a similar one.
    """
    up = (Relation.HYPERNYM, Relation.INSTANCE_HYPERNYM, Relation.ENTAILMENT, Relation.CAUSE)
    whole = (Relation.PART_HOLONYM, Relation.MEMBER_HOLONYM)
    is_place = np.isin(table["synsets.file"], PLACES)
    places = [_of_places(edges(table, kind), is_place) for kind in whole]
    near = edges(table, Relation.SIMILAR)
    return as_steps([*(edges(table, kind) for kind in up), *places, near], n_synsets)


def _of_places(both: Edges, is_place: NDArray[np.bool_]) -> Edges:
    """Those of which either end is a place: the Eiffel Tower is in Paris, France is in the EU."""
    kept = is_place[both[0]] | is_place[both[1]]
    return both[0][kept], both[1][kept]


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
