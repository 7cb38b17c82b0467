"""Folds for cross-validation: groups of rows stay whole, and labels may be evenly spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.statistics.resampling import Counts

Fold = tuple[Counts, Counts]
"""The rows to learn from, and those held out."""


def most_folds(labels: NDArray[Any], group: NDArray[Any] | Sequence[int]) -> int:
    """Into how many folds rows can be cut: there are as many groups, and rows of each label."""
    _, counts = np.unique(labels, return_counts=True)
    return min(len(np.unique(group)), int(counts.min(initial=len(labels))))


def stratified_folds(
    labels: NDArray[Any], group: NDArray[Any] | Sequence[int], n: int, *, seed: int
) -> Counts:
    """The fold of each row, 0 to n − 1: labels evenly spread, and no group in two folds.

    Args:
        labels: Of each row.
        group: For each row the number of its group.
        n: How many folds; at most `most_folds`.
        seed: Of the order in which groups are dealt out.
    """
    from sklearn.model_selection import StratifiedGroupKFold

    splitter = StratifiedGroupKFold(n, shuffle=True, random_state=seed)
    found = np.zeros(len(labels), np.int64)
    for fold, (_, held_out) in enumerate(splitter.split(np.zeros(len(labels)), labels, group)):
        found[held_out] = fold
    return found


def random_folds(group: Counts, n: int, *, seed: int) -> Counts:
    """The fold of each row: groups 0, 1, … are dealt out at random, as many to each fold."""
    n_groups = int(group.max(initial=-1)) + 1
    fold_of = np.random.default_rng(seed).permutation(n_groups) % n
    return np.asarray(fold_of[group], np.int64)


def random_half(group: Counts, *, seed: int) -> NDArray[np.bool_]:
    """Whether each row belongs to the one half of the groups 0, 1, …, dealt out at random."""
    n_groups = int(group.max(initial=-1)) + 1
    order = np.random.default_rng(seed).permutation(n_groups)
    return np.asarray((order < n_groups // 2)[group], np.bool_)


def split_folds(fold_of: Counts) -> list[Fold]:
    """For each fold in turn the rows to learn from, and those held out."""
    folds = range(int(fold_of.max(initial=-1)) + 1)
    return [(np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)) for fold in folds]
