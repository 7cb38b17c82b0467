"""Distinct things and their numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

import numpy as np

from ensue.translation.model import Indices

T = TypeVar("T", bound=Hashable)


def numbered(things: Iterable[T]) -> tuple[tuple[T, ...], Indices]:
    """The distinct things in the order of their first occurrence, and each one's number.

    >>> numbered("abca")
    (('a', 'b', 'c'), array([0, 1, 2, 0]))
    """
    number: dict[T, int] = {}
    codes = [number.setdefault(thing, len(number)) for thing in things]
    return tuple(number), np.array(codes, dtype=np.int64)
