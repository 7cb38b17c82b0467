"""The grammar of the second opinion, read from its file into arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

_FORMS = "fbng"


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """Binary and unary rules over numbered symbols."""

    symbols: dict[str, int]
    relations: tuple[str, ...]
    binary: NDArray[np.int32]
    """Rows of parent, left, right, whether the right one is the head, and the relation's number."""
    binary_costs: NDArray[np.float64]
    starts: NDArray[np.int32]
    """For each symbol, where the binary rules begin that have it on the left; one more for the end."""
    unary: NDArray[np.int32]
    """Rows of parent and child, each after those that make its child."""
    unary_costs: NDArray[np.float64]


@cache
def load_grammar() -> Grammar:
    """The grammar that comes along."""
    text = resources.files(__package__).joinpath("rules.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return _grammar([each for line in lines for each in _spelled_out(line)])


def _spelled_out(line: str) -> list[str]:
    return [line.replace("$", form) for form in _FORMS] if "$" in line else [line]


def _grammar(lines: list[str]) -> Grammar:
    symbols: dict[str, int] = {}
    relations: dict[str, int] = {}
    binary, binary_costs, unary, unary_costs = [], [], [], []
    for line in lines:
        rule, _, rest = line.partition(" : ")
        names = [name for name in rule.split() if name != "="]
        numbers = [symbols.setdefault(name, len(symbols)) for name in names]
        if len(numbers) == 2:
            unary.append(numbers)
            unary_costs.append(float(rest))
        else:
            head, relation, cost = rest.split(", ")
            number = relations.setdefault(relation, len(relations))
            binary.append([*numbers, int(head == ">"), number])
            binary_costs.append(float(cost))
    order = _children_first(unary)
    by_left = sorted(range(len(binary)), key=lambda i: (binary[i][1], i))
    lefts = [binary[i][1] for i in by_left]
    return Grammar(
        symbols,
        tuple(relations),
        np.array([binary[i] for i in by_left], np.int32),
        np.array([binary_costs[i] for i in by_left]),
        np.searchsorted(lefts, range(len(symbols) + 1)).astype(np.int32),
        np.array([unary[i] for i in order], np.int32),
        np.array([unary_costs[i] for i in order]),
    )


def _children_first(unary: list[list[int]]) -> list[int]:
    """The order in which one pass over the unary rules applies all of them."""
    depths: dict[int, int] = {}

    def depth(symbol: int) -> int:
        if symbol not in depths:
            depths[symbol] = 0
            below = [depth(child) + 1 for parent, child in unary if parent == symbol]
            depths[symbol] = max(below, default=0)
        return depths[symbol]

    return sorted(range(len(unary)), key=lambda i: (depth(unary[i][0]), i))
