"""Tree edit distance: the cheapest way to turn one ordered tree into another, for many pairs at once.

The algorithm is that of Zhang and Shasha (1989, "Simple fast algorithms for the editing distance
between trees and related problems"), with any costs: each node deleted, inserted, or put in the
place of another. It gives the distance between every two subtrees on the way, so that a tree can be
sought in any part of another. A forest is its trees one after the other; nothing joins them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.aligner import look_up, matched_words
from ensue.alignment.graph_arrays import NodeWord, node_words, roles
from ensue.alignment.settings import AlignmentSettings
from ensue.compiling import compiled
from ensue.language.graphs import Graph
from ensue.language.lexicon import Lexicon

Numbers = NDArray[np.int32]
Offsets = NDArray[np.int64]
Reals = NDArray[np.float64]


class TreeBatch(NamedTuple):
    """Pairs of forests with what their edits cost, one behind the other."""

    firsts: Offsets
    """Where the nodes of each first forest begin, with the end of the last."""
    seconds: Offsets
    """Where those of each second one begin."""
    tables: Offsets
    """Where the costs of putting each second forest's nodes in the place of the first's begin."""
    first_leaves: Numbers
    """Of each node, in postorder, the first leaf below it; counted from its forest's beginning."""
    second_leaves: Numbers
    deletions: Reals
    """What it costs to delete each node of the first forests."""
    insertions: Reals
    """What it costs to insert each node of the second ones."""
    substitutions: Reals
    """For each pair a table, with a row for each node of the first forest."""


class SubtreeTables(NamedTuple):
    """Room for one pair of forests."""

    trees: Reals
    """For each two nodes the distance of the subtrees under them."""
    forests: Reals
    """Distances of forests under two nodes; used again for the next two."""


@compiled
def subtree_distances(batch: TreeBatch, distances: Reals) -> None:
    """For every pair of forests the distance of every two subtrees, into a table as the costs'."""
    for pair in range(batch.firsts.size - 1):
        start, end = batch.firsts[pair], batch.firsts[pair + 1]
        first = batch.first_leaves[start:end]
        deletions = batch.deletions[start:end]
        start, end = batch.seconds[pair], batch.seconds[pair + 1]
        second = batch.second_leaves[start:end]
        insertions = batch.insertions[start:end]
        start, end = batch.tables[pair], batch.tables[pair + 1]
        if end > start:
            costs = batch.substitutions[start:end].reshape(first.size, second.size)
            trees = distances[start:end].reshape(first.size, second.size)
            forests = np.empty((first.size + 1, second.size + 1))
            fill_distances(
                first, second, deletions, insertions, costs, SubtreeTables(trees, forests)
            )


@compiled
def fill_distances(
    first: Numbers,
    second: Numbers,
    deletions: Reals,
    insertions: Reals,
    substitutions: Reals,
    room: SubtreeTables,
) -> None:
    """The distance of every two subtrees of two forests."""
    first_keys, second_keys = key_roots(first), key_roots(second)
    for i in range(first.size):
        if first_keys[i]:
            for j in range(second.size):
                if second_keys[j]:
                    fill_forests(
                        first, second, i, j, deletions, insertions, substitutions, room, True
                    )


@compiled
def key_roots(leaves: Numbers) -> NDArray[np.bool_]:
    """The nodes above which no other has the same first leaf: where a forest has to be compared."""
    is_key = np.ones(leaves.size, np.bool_)
    seen = np.zeros(leaves.size, np.bool_)
    for i in range(leaves.size - 1, -1, -1):
        is_key[i] = not seen[leaves[i]]
        seen[leaves[i]] = True
    return is_key


@compiled
def fill_forests(
    first: Numbers,
    second: Numbers,
    i: int,
    j: int,
    deletions: Reals,
    insertions: Reals,
    substitutions: Reals,
    room: SubtreeTables,
    keep: bool,
) -> None:
    """The distances of all forests that begin with the first leaves of two nodes.

    Args:
        first: The first leaves of one forest's nodes.
        second: Those of the other's.
        i: A node of the one.
        j: A node of the other.
        deletions: What it costs to delete each node of the one.
        insertions: What it costs to insert each node of the other.
        substitutions: What it costs to put one in the place of the other.
        room: Where distances go, and those of subtrees come from.
        keep: Whether distances of whole subtrees are kept.
    """
    trees, forests = room.trees, room.forests
    top, side = first[i], second[j]
    forests[0, 0] = 0.0
    for a in range(top, i + 1):
        forests[a - top + 1, 0] = forests[a - top, 0] + deletions[a]
    for b in range(side, j + 1):
        forests[0, b - side + 1] = forests[0, b - side] + insertions[b]
    for a in range(top, i + 1):
        row, before = a - top + 1, first[a] - top
        for b in range(side, j + 1):
            column = b - side + 1
            best = min(
                forests[row - 1, column] + deletions[a], forests[row, column - 1] + insertions[b]
            )
            if first[a] == top and second[b] == side:
                best = min(best, forests[row - 1, column - 1] + substitutions[a, b])
                if keep:
                    trees[a, b] = best
            else:
                best = min(best, forests[before, second[b] - side] + trees[a, b])
            forests[row, column] = best


@compiled
def edit_mapping(
    first: Numbers,
    second: Numbers,
    i: int,
    j: int,
    deletions: Reals,
    insertions: Reals,
    substitutions: Reals,
    trees: Reals,
) -> Numbers:
    """Which node of one subtree each node of another takes the place of, at the least cost.

    Args:
        first: The first leaves of one forest's nodes.
        second: Those of the other's.
        i: The root of the one subtree.
        j: The root of the other.
        deletions: What it costs to delete each node of the one.
        insertions: What it costs to insert each node of the other.
        substitutions: What it costs to put one in the place of the other.
        trees: The distances of all subtrees.

    Returns:
        For each node of the other forest a node of the one; -1 where it is inserted.
    """
    targets = np.full(second.size, -1, np.int32)
    room = SubtreeTables(trees, np.empty((first.size + 1, second.size + 1)))
    waiting = np.empty((second.size + 1, 2), np.int64)
    waiting[0, 0], waiting[0, 1] = i, j
    n_waiting = 1
    while n_waiting:
        n_waiting -= 1
        root, other = waiting[n_waiting, 0], waiting[n_waiting, 1]
        fill_forests(first, second, root, other, deletions, insertions, substitutions, room, False)
        forests, top, side = room.forests, first[root], second[other]
        a, b = root, other
        while a >= top and b >= side:
            row, column = a - top + 1, b - side + 1
            here = forests[row, column]
            if here == forests[row, column - 1] + insertions[b]:
                b -= 1
            elif here == forests[row - 1, column] + deletions[a]:
                a -= 1
            elif first[a] == top and second[b] == side:
                targets[b] = a
                a, b = a - 1, b - 1
            else:  # two subtrees stand for each other: what is inside is found by itself
                waiting[n_waiting, 0], waiting[n_waiting, 1] = a, b
                n_waiting += 1
                a, b = first[a] - 1, second[b] - 1
    return targets


# Trees and pairs of them, as they are given.


@dataclass(frozen=True, slots=True, eq=False)
class TreePair:
    """Two forests and what the edits from the first to the second cost."""

    first_leaves: Numbers
    """Of each node of the first forest, in postorder, the first leaf below it."""
    second_leaves: Numbers
    deletions: Reals
    insertions: Reals
    substitutions: Reals
    """A row for each node of the first forest, a column for each of the second."""


def first_leaves(parents: Sequence[int]) -> Numbers:
    """Of each node of a forest in postorder the first leaf below it, itself for a leaf.

    >>> first_leaves([2, 2, -1]).tolist()
    [0, 1, 0]

    Args:
        parents: The node above each; -1 for a root.
    """
    found = list(range(len(parents)))
    for node, parent in enumerate(parents):
        if parent >= 0:
            found[parent] = min(found[parent], found[node])
    return np.array(found, np.int32)


def tree_distances(pairs: Sequence[TreePair]) -> list[Reals]:
    """For each pair of forests the distance of every two of their subtrees.

    The last row and column are those of the last root: of two trees, their distance.
    """
    if not pairs:
        return []
    sizes = [(len(pair.first_leaves), len(pair.second_leaves)) for pair in pairs]
    firsts, seconds, tables = (
        np.concatenate([[0], np.cumsum(each, dtype=np.int64)]).astype(np.int64)
        for each in ([n for n, _ in sizes], [m for _, m in sizes], [n * m for n, m in sizes])
    )
    batch = TreeBatch(
        firsts,
        seconds,
        tables,
        np.concatenate([pair.first_leaves for pair in pairs]).astype(np.int32),
        np.concatenate([pair.second_leaves for pair in pairs]).astype(np.int32),
        np.concatenate([pair.deletions for pair in pairs]).astype(np.float64),
        np.concatenate([pair.insertions for pair in pairs]).astype(np.float64),
        np.concatenate([pair.substitutions.ravel() for pair in pairs]).astype(np.float64),
    )
    distances = np.empty(int(tables[-1]))
    subtree_distances(batch, distances)
    return [
        distances[start:end].reshape(size)
        for start, end, size in zip(tables[:-1], tables[1:], sizes, strict=True)
    ]


def edit_targets(pair: TreePair, distances: Reals, first: int, second: int) -> list[int]:
    """For each node of the second forest the node of the first that it takes the place of, or -1.

    Args:
        pair: The forests.
        distances: Of their subtrees.
        first: The root of the subtree that is edited.
        second: The root of the one that it becomes.
    """
    found = edit_mapping(
        pair.first_leaves,
        pair.second_leaves,
        first,
        second,
        pair.deletions,
        pair.insertions,
        np.ascontiguousarray(pair.substitutions),
        np.ascontiguousarray(distances),
    )
    return [int(target) for target in found]


# How the nodes of two graphs match as words, whatever is around them.


@dataclass(frozen=True, slots=True, eq=False)
class NodeMatches:
    """How each node of a text's graph matches each of a hypothesis's: a row for each text node."""

    matches: NDArray[np.uint8]
    """Numbers of `Match`."""
    similarities: Reals


def match_nodes(
    pairs: Sequence[tuple[Graph, Graph]], settings: AlignmentSettings, *, lexicon: Lexicon
) -> list[NodeMatches]:
    """Match the nodes of texts and hypotheses by form, name, value and meaning."""
    if not pairs:
        return []
    numbers: dict[NodeWord, int] = {}
    own: dict[int, NDArray[np.int64]] = {}
    for graph in (graph for pair in pairs for graph in pair):
        if id(graph) not in own:
            rows = [numbers.setdefault(word, len(numbers)) for word in node_words(graph)]
            own[id(graph)] = np.array(rows, np.int64)
    words = list(numbers)
    sides = [(own[id(text)], own[id(hypothesis)]) for text, hypothesis in pairs]
    nothing = np.zeros(0, np.int64)
    first = np.concatenate([nothing, *(np.tile(beside, len(above)) for above, beside in sides)])
    second = np.concatenate([nothing, *(np.repeat(above, len(beside)) for above, beside in sides)])
    # all pairs at once: what the words are by themselves is looked up once for all of them
    codes, likenesses = matched_words(words, look_up(words, lexicon), first, second, settings)
    ends = np.cumsum([len(above) * len(beside) for above, beside in sides])[:-1]
    parts = zip(sides, np.split(codes, ends), np.split(likenesses, ends), strict=True)
    return [
        NodeMatches(found.reshape(len(above), -1), alike.reshape(len(above), -1))
        for (above, _), found, alike in parts
    ]


def same_roles(relation: str, other: str) -> bool:
    """Whether two relations are one, or say the same in another way: `nsubj` and `poss`."""
    return relation == other or bool(roles(relation, False)[0] & roles(other, False)[0])
