"""The best total order of outputs, from the probabilities that one is better than another.

An order puts every two outputs one before the other, so that its likelihood is Π P(i better than
j) over all i before j. Finding the best order is NP-hard; Cohen, Schapire & Singer (1999,
"Learning to order things") take greedily whatever is preferred most to all that is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

import numpy as np

from ensue.errors import DataError, SettingError
from ensue.translation.systems import Indices, Numbers

EXACT_BY_ITSELF = 8
"""Up to how many outputs `OrderMethod.AUTO` searches exactly."""
EXACT_AT_MOST = 12
"""The exact search holds a number for each of 2^n subsets."""

_SMALLEST = float(np.finfo(np.float64).tiny)
_SLACK = 1e-9
"""Differences below it are rounding: they must not decide between equals."""
_SUM_SLACK = 1e-6
"""How far P(i, j) + P(j, i) may be from 1; models that reckon in 32 bits are."""
_CELLS = 2_000_000
"""Numbers that the exact search holds at once."""


class OrderMethod(StrEnum):
    """How an order is searched for."""

    GREEDY = "greedy"
    """Cohen, Schapire & Singer 1999, Figure 3, with the probabilities as their PREF.

    Log-odds would seem to suit the likelihood better, and do not: on noisy probabilities of 5 to
    12 outputs, the orders that probabilities give are the more likely ones on average. They also
    keep the paper's guarantee, at least half of the best agreement, which needs weights that are
    not negative. There is no such guarantee for the likelihood.
    """
    EXACT = "exact"
    """Dynamic programming over subsets, for at most 12 outputs."""
    AUTO = "auto"
    """Exact up to 8 outputs, greedy above."""


class OrderObjective(StrEnum):
    """What the exact search maximizes: a sum over every i before j. Greedy does not look at it."""

    LIKELIHOOD = "likelihood"
    """Of log P(i, j): the log-likelihood of the order."""
    AGREEMENT = "agreement"
    """Of P(i, j): AGREE of Cohen, Schapire & Singer 1999, the expected number of right pairs."""


def order(
    probabilities: Numbers,
    method: OrderMethod = OrderMethod.AUTO,
    *,
    objective: OrderObjective = OrderObjective.LIKELIHOOD,
) -> Indices:
    """The best order of one segment's outputs: their places, best first.

    The batch of one; see `orders`.

    >>> order(np.array([[0.5, 0.2, 0.4], [0.8, 0.5, 0.9], [0.6, 0.1, 0.5]])).tolist()
    [1, 2, 0]
    """
    return orders([probabilities], method, objective=objective)[0]


def orders(
    matrices: Sequence[Numbers] | Numbers,
    method: OrderMethod = OrderMethod.AUTO,
    *,
    objective: OrderObjective = OrderObjective.LIKELIHOOD,
) -> list[Indices]:
    """The best order of each segment's outputs, best first.

    Among equally good choices the first place comes first: the exact search gives the first of
    the best orders in the order of the dictionary. There, a certainty (P = 0) counts as the
    smallest positive number, so that orders that must contradict some certainty still differ.
    Where P comes from utilities by a monotone link, as from a linear model of differences, greedy
    and exact orders are the same: by utility.

    Args:
        matrices: For each segment P[i, j], the probability that i is better than j; the
            diagonal is not looked at. Segments may have different numbers of outputs.
        method: How to search.
        objective: What the exact search maximizes.

    Raises:
        DataError: a number is no probability, or P[i, j] + P[j, i] is not 1.
        SettingError: a matrix is not square, or too large for the exact method.
    """
    found: list[Indices] = [np.empty(0, dtype=np.int64)] * len(matrices)
    for places, stack in _stacks(matrices):
        searched = _searched(_checked(stack, places), method, objective)
        for place, one in zip(places, searched, strict=True):
            found[place] = one
    return found


def order_value(
    probabilities: Numbers,
    order: Sequence[int] | Indices,
    objective: OrderObjective = OrderObjective.LIKELIHOOD,
) -> float:
    """How good an order is: its log-likelihood, or its agreement with the probabilities.

    The log-likelihood of an order that contradicts a certainty is minus infinity.

    Raises:
        DataError, SettingError: as for `orders`, or the order is not one of these outputs.
    """
    (_, stack), *_ = _stacks([probabilities])
    matrix = _checked(stack, [0])[0]
    places = np.asarray(order, dtype=np.int64)
    if sorted(places.tolist()) != list(range(len(matrix))):
        raise SettingError(
            "not-order-outputs",
            f"{places.tolist()!r} is not an order of {len(matrix)} outputs",
            hint="name the place of each output once, from 0",
        )
    kept = matrix[np.ix_(places, places)][np.triu_indices(len(matrix), k=1)]
    if objective is OrderObjective.AGREEMENT:
        return float(kept.sum())
    with np.errstate(divide="ignore"):
        return float(np.log(kept).sum())


def _stacks(matrices: Sequence[Numbers] | Numbers) -> Iterator[tuple[list[int], Numbers]]:
    """The matrices of one size as one array, with their places."""
    by_size: dict[int, list[int]] = {}
    arrays = [np.asarray(matrix, dtype=np.float64) for matrix in matrices]
    for place, array in enumerate(arrays):
        if array.ndim != 2 or array.shape[0] != array.shape[1]:
            raise SettingError(
                "probabilities-shape-not-square",
                f"probabilities of shape {array.shape!r} are not a square matrix",
                hint="one row and one column for each output; for one segment call `order`",
            )
        by_size.setdefault(len(array), []).append(place)
    for places in by_size.values():
        yield places, np.stack([arrays[place] for place in places])


def _checked(stack: Numbers, places: Sequence[int]) -> Numbers:
    """The same numbers, with 0.5 on the diagonal."""
    n = stack.shape[1]
    stack = np.where(np.eye(n, dtype=np.bool_), 0.5, stack)
    outside = ~((stack >= 0) & (stack <= 1))
    if outside.any():
        k, i, j = np.argwhere(outside)[0].tolist()
        raise DataError(
            "matrix-row-column-no",
            f"matrix {places[k]}, row {i}, column {j}: {float(stack[k, i, j])!r} is no probability",
            hint="numbers from 0 to 1",
        )
    off = abs(stack + stack.transpose(0, 2, 1) - 1) > _SUM_SLACK
    if off.any():
        k, i, j = np.argwhere(off)[0].tolist()
        both = f"{float(stack[k, i, j])!r} and {float(stack[k, j, i])!r}"
        raise DataError(
            "matrix-probabilities-before-before",
            f"matrix {places[k]}: the probabilities of {i} before {j} and of {j} before {i} "
            f"are {both}, which do not sum to 1",
            hint="average both directions first: (P + 1 - P.T) / 2",
        )
    return stack


def _searched(stack: Numbers, method: OrderMethod, objective: OrderObjective) -> Indices:
    n = stack.shape[1]
    if method is OrderMethod.AUTO:
        method = OrderMethod.EXACT if n <= EXACT_BY_ITSELF else OrderMethod.GREEDY
    if method is OrderMethod.GREEDY:
        return _greedy(stack)
    if n > EXACT_AT_MOST:
        raise SettingError(
            "outputs-too-many-exact",
            f"{n} outputs are too many for the exact order, which takes {EXACT_AT_MOST} at most",
            hint="use the greedy method",
        )
    weights = _weights(stack, objective)
    step = max(1, _CELLS // (max(n, 1) << n))
    return np.concatenate([_exact(weights[i : i + step]) for i in range(0, len(weights), step)])


def _greedy(stack: Numbers) -> Indices:
    """Cohen, Schapire & Singer 1999, Figure 3, for all segments at once.

    The potential π(v) = Σ_u PREF(v, u) − Σ_u PREF(u, v) is over the outputs that are left; the
    largest goes next.
    """
    n_segments, n = stack.shape[:2]
    margin = stack - stack.transpose(0, 2, 1)
    potential = margin.sum(axis=2)
    rows = np.arange(n_segments)
    found = np.empty((n_segments, n), dtype=np.int64)
    for step in range(n):
        taken = _first_best(potential, axis=1)
        found[:, step] = taken
        potential -= margin[rows, :, taken]
        potential[rows, taken] = -np.inf
    return found


def _weights(stack: Numbers, objective: OrderObjective) -> Numbers:
    """What i before j is worth; 0 on the diagonal, which no order looks at."""
    if objective is OrderObjective.LIKELIHOOD:
        stack = np.log(np.maximum(stack, _SMALLEST))
    return np.where(np.eye(stack.shape[1], dtype=np.bool_), 0.0, stack)


def _exact(weights: Numbers) -> Indices:
    """The best order by dynamic programming over subsets (Held & Karp 1962).

    best(S) = max over i in S of Σ_{j in S, j ≠ i} weight(i, j) + best(S without i): i goes first.
    """
    n_segments, n = weights.shape[:2]
    subsets = np.arange(1 << n)
    members = (subsets[:, None] >> np.arange(n)) & 1
    gain = weights @ members.T.astype(np.float64)
    best = np.zeros((n_segments, 1 << n))
    first = np.zeros((n_segments, 1 << n), dtype=np.int64)
    for size in range(1, n + 1):
        layer = subsets[members.sum(axis=1) == size]
        total = np.full((n_segments, n, len(layer)), -np.inf)
        for i in range(n):
            inside = members[layer, i] == 1
            rest = layer[inside] ^ (1 << i)
            total[:, i, inside] = gain[:, i, rest] + best[:, rest]
        best[:, layer] = total.max(axis=1)
        first[:, layer] = _first_best(total, axis=1)
    return _traced(first, n)


def _traced(first: Indices, n: int) -> Indices:
    """Follow the choices from the set of all outputs down to the empty one."""
    rows = np.arange(len(first))
    left = np.full(len(first), (1 << n) - 1, dtype=np.int64)
    found = np.empty((len(first), n), dtype=np.int64)
    for step in range(n):
        found[:, step] = first[rows, left]
        left ^= np.int64(1) << found[:, step]
    return found


def _first_best(values: Numbers, axis: int) -> Indices:
    """The first place of the largest value, as far as rounding lets one tell."""
    near = values >= values.max(axis=axis, keepdims=True) - _SLACK
    return np.asarray(near.argmax(axis=axis), dtype=np.int64)
