"""Random choices from a stream of numbers in [0, 1): the same on every version of Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

Stream = Callable[[], float]
"""Gives the next number."""


def pick(stream: Stream, choices: Sequence[T]) -> T:
    """One of the choices."""
    return choices[int(stream() * len(choices))]


def shuffled(stream: Stream, items: Sequence[T]) -> list[T]:
    """The items in random order (Fisher & Yates)."""
    order = list(items)
    if len(order) == 2:  # the usual case, and half of the work
        return order if stream() < 0.5 else order[::-1]
    for i in range(len(order) - 1, 0, -1):
        j = int(stream() * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order
