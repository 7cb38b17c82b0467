"""Generated trees with any costs, and their distances by two other programs.

`python tests/alignment/generated_trees.py` writes `tree_distances.json` where `zss` and `apted` are
installed: for 3,000 pairs of trees the distances by zss 1.2.0 and, for every fifth, those by apted
1.0.3 where each edit costs 1. With the other costs apted's are not always those of the definition,
nor of zss: of 600 pairs 8 differ, one of them of trees of one node and two.
"""

import json
import random
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("tree_distances.json")
N_PAIRS, STEP = 3000, 5
COSTS = (0, 0.25, 0.5, 1, 1.5, 2, 3)
"""Eighths and the like are exact in binary, so that sums in any order are equal."""


class CostedTrees(NamedTuple):
    """Two trees in postorder with what edits cost."""

    first: list[int]
    """The parent of each node, -1 for the root."""
    second: list[int]
    deletions: list[float]
    insertions: list[float]
    substitutions: list[list[float]]


def parents(n: int, rng: random.Random) -> list[int]:
    """The parents of a tree of n nodes in postorder: deep, wide, or anything between."""
    back = rng.choice([1, 2, 4, 50])
    above = [-1] + [rng.randrange(max(0, i - back), i) for i in range(1, n)]  # in preorder
    below: dict[int, list[int]] = {}
    for node, parent in enumerate(above):
        below.setdefault(parent, []).append(node)
    order: list[int] = []
    stack = [(0, False)]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            order.append(node)
        else:
            stack.append((node, True))
            stack += [(child, False) for child in below.get(node, ())[::-1]]
    place = {node: i for i, node in enumerate(order)}
    return [place.get(above[node], -1) for node in order]


def costed_trees(n_pairs: int = N_PAIRS, seed: int = 0, largest: int = 14) -> list[CostedTrees]:
    """Pairs of trees, the same ones for the same seed."""
    rng = random.Random(seed)
    found = []
    for _ in range(n_pairs):
        n, m = rng.randint(1, largest), rng.randint(1, largest)
        found.append(
            CostedTrees(
                parents(n, rng),
                parents(m, rng),
                [rng.choice(COSTS) for _ in range(n)],
                [rng.choice(COSTS) for _ in range(m)],
                [[rng.choice(COSTS) for _ in range(m)] for _ in range(n)],
            )
        )
    return found


def main() -> None:
    """Ask the two programs."""
    import apted
    import zss

    class Node:
        def __init__(self, number):
            self.number, self.children = number, []

    def tree(above):
        nodes = [Node(i) for i in range(len(above))]
        for node, parent in enumerate(above):
            if parent >= 0:
                nodes[parent].children.append(nodes[node])
        return nodes[-1]

    by_zss, by_apted = [], []
    for k, pair in enumerate(costed_trees()):
        trees = tree(pair.first), tree(pair.second)
        by_zss.append(
            zss.distance(
                *trees,
                lambda node: node.children,
                lambda node, pair=pair: pair.insertions[node.number],
                lambda node, pair=pair: pair.deletions[node.number],
                lambda node, other, pair=pair: pair.substitutions[node.number][other.number],
            )
        )
        if k % STEP == 0:
            config = apted.Config()
            config.children = lambda node: node.children
            config.rename = lambda a, b, pair=pair: float(
                pair.substitutions[a.number][b.number] > 0
            )
            by_apted.append(apted.APTED(*trees, config).compute_edit_distance())
    text = json.dumps({"zss": by_zss, "apted": by_apted})
    FILE.write_text(text.replace(".0,", ",").replace(".0]", "]") + "\n", "utf-8")


if __name__ == "__main__":
    main()
