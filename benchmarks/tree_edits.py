"""Tree edit distance beside two other programs, and beside the parse that it needs.

`python -m benchmarks tree-edits` compares pairs of trees of 30 and 8 nodes; `zss` and `apted`, which
are written in Python, are measured where they are installed. `BASELINE` is what they took.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.timing import best_seconds, data_folder
from ensue.alignment import TreePair, first_leaves, tree_distances
from ensue.pairs import read_pairs
from ensue.recognizers import load

SIZES = 30, 8
N_PAIRS = 2000
N_OTHERS = 100
BASELINE = {"zss": 4.48, "apted": 3.60}
"""Milliseconds a pair, zss 1.2.0 and apted 1.0.3, on the machine of docs/results.md."""


class Branch:
    """A node as the other programs take it."""

    def __init__(self, label: int) -> None:
        self.label = label
        self.children: list[Branch] = []


def parents(n: int, rng: random.Random) -> list[int]:
    """The parents of a tree in postorder, most branches short as those of dependency trees."""
    above = [-1] * n
    stack: list[int] = []
    for node in range(n):
        below = rng.choice([0, 0, 1, 1, 2, 3]) if node < n - 1 else len(stack)
        for _ in range(min(below, len(stack))):
            above[stack.pop()] = node
        stack.append(node)
    return above


def tree_of(above: list[int], labels: list[int]) -> Branch:
    """The same tree of nodes with children."""
    nodes = [Branch(label) for label in labels]
    for node, parent in enumerate(above):
        if parent >= 0:
            nodes[parent].children.append(nodes[node])
    return nodes[-1]


def made(seed: int = 0) -> list[tuple[list[int], list[int], list[int], list[int]]]:
    """Pairs of trees: parents and labels of both."""
    rng = random.Random(seed)
    return [
        tuple(
            part for n in SIZES for part in (parents(n, rng), [rng.randrange(12) for _ in range(n)])
        )
        for _ in range(N_PAIRS)
    ]  # type: ignore[misc]


def ours(given: list[Any]) -> list[TreePair]:
    """The pairs with a cost of 1 for each edit."""
    return [
        TreePair(
            first_leaves(first),
            first_leaves(second),
            np.ones(len(first)),
            np.ones(len(second)),
            np.not_equal.outer(labels, others).astype(float),
        )
        for first, labels, second, others in given
    ]


def _others() -> dict[str, Callable[[Branch, Branch], float]]:
    found: dict[str, Callable[[Branch, Branch], float]] = {}
    if find_spec("zss"):
        import zss

        found["zss"] = lambda one, other: zss.simple_distance(
            one, other, lambda n: n.children, lambda n: n.label, lambda a, b: float(a != b)
        )
    if find_spec("apted"):
        import apted

        class Config(apted.Config):  # type: ignore[misc,name-defined]
            def rename(self, one: Branch, other: Branch) -> int:
                return int(one.label != other.label)

        found["apted"] = lambda one, other: apted.APTED(
            one, other, Config()
        ).compute_edit_distance()
    return found


def _recognition() -> None:
    """What a pair of RTE costs, parsed and not."""
    file = data_folder() / "rte" / "rte2_dev.xml"
    if not file.is_file():
        return
    pairs = list(read_pairs(file))[:400]
    from ensue.language import load_analyzer

    recognizer = load("tree-edit")
    texts = [text for pair in pairs for text in (pair.text, pair.hypothesis)]
    load_analyzer().analyze(texts[:20])
    recognizer.judge(pairs)  # compiles, and fills the cache of parses
    began = time.perf_counter()
    load_analyzer().analyze(texts)
    parse = time.perf_counter() - began
    judge = best_seconds(lambda: recognizer.judge(pairs), 3)
    compared = [
        form
        for each in recognizer.scorer.compared(pairs)  # type: ignore[attr-defined]
        if not isinstance(each, str)
        for form in each
    ]
    priced = [form.priced(recognizer.scorer.costs) for form in compared]  # type: ignore[attr-defined]
    kernel = best_seconds(lambda: tree_distances(priced), 3)
    for name, seconds in (("parse", parse), ("judge", judge), ("of that, the distances", kernel)):
        print(f"  {name:<24}{1000 * seconds / len(pairs):>9.3f} ms a pair of RTE-2")


def main() -> None:
    """Print milliseconds a pair, and how many times ours those of others are."""
    given = made()
    pairs = ours(given)
    distances = tree_distances(pairs)
    own = 1000 * best_seconds(lambda: tree_distances(pairs)) / len(pairs)
    print(f"Tree edit distance, trees of {SIZES[0]} and {SIZES[1]} nodes")
    print(f"  {'ensue':<24}{own:>9.4f} ms a pair")
    others = _others()
    for name, baseline in BASELINE.items():
        took, note = baseline, "as it was"
        if name in others:
            trees = [(tree_of(a, b), tree_of(c, d)) for a, b, c, d in given[:N_OTHERS]]
            began = time.perf_counter()
            found = [others[name](one, other) for one, other in trees]
            took, note = 1000 * (time.perf_counter() - began) / N_OTHERS, "measured"
            assert found == [float(table[-1, -1]) for table in distances[:N_OTHERS]]
        print(f"  {name:<24}{took:>9.4f} ms a pair ({note}), {took / own:,.0f} times ours")
    _recognition()


if __name__ == "__main__":
    main()
