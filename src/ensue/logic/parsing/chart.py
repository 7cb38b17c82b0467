"""The cheapest analysis by a grammar: a chart of all spans, filled from the short to the long."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled

Costs = NDArray[np.float64]
Numbers = NDArray[np.int32]
Chart = tuple[Costs, Numbers, Numbers, Numbers]
"""Costs, heads, rules and cuts: start × end × symbol."""


@compiled
def fill_chart(
    words: Costs,
    arcs: Costs,
    binary: Numbers,
    binary_costs: Costs,
    starts: Numbers,
    unary: Numbers,
    unary_costs: Costs,
) -> Chart:
    """Costs, heads and origins of every symbol over every span.

    An origin is the rule that made it and where the span was cut: binary rules count from 0, unary
    ones from -2 downwards, and -1 is a word. Cocke, Younger and Kasami's algorithm, over the symbols
    that each span has. One function, since it is compiled as one.

    Args:
        words: The cost of each kind of word for each token: tokens × symbols.
        arcs: The cost of each token's depending on each other: dependent × head.
        binary: The grammar's rules of two, sorted by the left symbol.
        binary_costs: Their costs.
        starts: Where the rules of each left symbol begin.
        unary: The rules of one, each after those that make its child.
        unary_costs: Their costs.
    """
    n, n_symbols = words.shape
    costs = np.full((n, n + 1, n_symbols), np.inf)
    heads = np.full((n, n + 1, n_symbols), -1, np.int32)
    rules = np.full((n, n + 1, n_symbols), -1, np.int32)
    cuts = np.full((n, n + 1, n_symbols), -1, np.int32)
    present = np.zeros((n, n + 1, n_symbols), np.int32)
    counts = np.zeros((n, n + 1), np.int32)
    for length in range(1, n + 1):
        for start in range(n - length + 1):
            end = start + length
            if length == 1:
                for symbol in range(n_symbols):
                    if words[start, symbol] < np.inf:
                        costs[start, end, symbol] = words[start, symbol]
                        heads[start, end, symbol] = start
            for cut in range(start + 1, end):
                if counts[cut, end] == 0:
                    continue
                for at in range(counts[start, cut]):
                    symbol = present[start, cut, at]
                    left = costs[start, cut, symbol]
                    for rule in range(starts[symbol], starts[symbol + 1]):
                        right = costs[cut, end, binary[rule, 2]]
                        if right == np.inf:
                            continue
                        parent = binary[rule, 0]
                        head = heads[start, cut, symbol]
                        other = heads[cut, end, binary[rule, 2]]
                        if binary[rule, 3]:
                            head, other = other, head
                        cost = left + right + binary_costs[rule] + arcs[other, head]
                        if cost < costs[start, end, parent] - 1e-9:
                            costs[start, end, parent] = cost
                            heads[start, end, parent] = head
                            rules[start, end, parent] = rule
                            cuts[start, end, parent] = cut
            for rule in range(unary.shape[0]):
                cost = costs[start, end, unary[rule, 1]] + unary_costs[rule]
                parent = unary[rule, 0]
                if cost < costs[start, end, parent] - 1e-9:
                    costs[start, end, parent] = cost
                    heads[start, end, parent] = heads[start, end, unary[rule, 1]]
                    rules[start, end, parent] = -2 - rule
                    cuts[start, end, parent] = -1
            for symbol in range(n_symbols):
                if costs[start, end, symbol] < np.inf:
                    present[start, end, counts[start, end]] = symbol
                    counts[start, end] += 1
    return costs, heads, rules, cuts
