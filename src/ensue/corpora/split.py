"""Cutting a data set into parts that are alike, and balancing it: by label and by task, seeded.

Which pair goes where depends on the seed, the pairs' ids and how many pairs there are of each
label and task, and not on their order in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.pairs import Pair

Size = int | float | None
"""A count, a share of all pairs (a float in [0, 1]), or None for the rest."""
Stratum = tuple[str, str]

_MANY_CELLS = 2000
"""Above it the tasks' sums are left as they come: the program would take too long."""
_TINY = 1e-9


def split_pairs(pairs: Sequence[Pair], sizes: Sequence[Size], *, seed: int = 0) -> list[list[Pair]]:
    """Cut pairs into disjoint parts of these sizes; each keeps the order of the file.

    Each part's number of pairs of each label, and of each label within each task, is its fair
    share rounded up or down; its number of pairs of each task is as near to that as can be.

    Raises:
        SettingError: the sizes make no sense, or ask for more pairs than there are.
    """
    counts = part_counts(len(pairs), sizes)
    strata = _strata(pairs, seed)
    quotas = _allocate(strata, [*counts, len(pairs) - sum(counts)])
    part_of: dict[int, int] = {}
    for members, row in zip(strata.values(), quotas, strict=True):
        part_of.update(zip(members, np.repeat(np.arange(len(row)), row).tolist(), strict=True))
    parts: list[list[Pair]] = [[] for _ in counts]
    for i, pair in enumerate(pairs):
        if part_of[i] < len(parts):
            parts[part_of[i]].append(pair)
    return parts


def balance_pairs(pairs: Sequence[Pair], *, seed: int = 0) -> list[Pair]:
    """As many pairs of each label within each task, drawn by lot, in the order of the file.

    A label that a task lacks leaves nothing of the task; pairs without gold are left out. So the
    challenge had as many true as false pairs (Dagan, Glickman & Magnini 2005, section 2.1).
    """
    judged = [pair for pair in pairs if pair.gold is not None]
    strata = _strata(judged, seed)
    labels, tasks = ({key[i] for key in strata} for i in (0, 1))
    kept: set[int] = set()
    for task in tasks:
        groups = [strata.get((label, task), []) for label in labels]
        n = min(len(group) for group in groups)
        kept.update(i for group in groups for i in group[:n])
    return [pair for i, pair in enumerate(judged) if i in kept]


def part_counts(n_pairs: int, sizes: Sequence[Size]) -> list[int]:
    """How many pairs each part gets; shares that make up the whole are rounded to make it up.

    >>> part_counts(567, [0.5, 0.25, 0.25])
    [283, 142, 142]
    >>> part_counts(100, [20, 0.3, None])
    [20, 30, 50]
    """
    _check(n_pairs, sizes)
    counts = [_count(n_pairs, size) for size in sizes]
    spare = n_pairs - sum(counts)
    if None in sizes:
        counts[sizes.index(None)] = spare
    else:
        shared = [i for i, size in enumerate(sizes) if isinstance(size, float)]
        wanted = round(sum(n_pairs * _share(sizes[i]) for i in shared)) - sum(
            counts[i] for i in shared
        )
        left = sorted(shared, key=lambda i: counts[i] - n_pairs * _share(sizes[i]))
        for i in left[: min(wanted, spare)]:
            counts[i] += 1
    return counts


def _share(size: Size) -> float:
    return size if isinstance(size, float) else 0.0


def _count(n_pairs: int, size: Size) -> int:
    # a share that is a whole number of pairs but for the last binary digit is that number
    return int(n_pairs * size + _TINY) if isinstance(size, float) else size or 0


def _check(n_pairs: int, sizes: Sequence[Size]) -> None:
    for size in sizes:
        if size is not None and (size < 0 or (isinstance(size, float) and not size <= 1)):
            raise SettingError(
                "no-size",
                f"{size!r} is no size",
                hint="a count such as 200, or a share such as 0.3",
            )
    if list(sizes).count(None) > 1:
        raise SettingError("only-part-rest", "only one part can be the rest")
    asked = sum(_count(n_pairs, size) for size in sizes)
    shares = sum(_share(size) for size in sizes)
    if asked > n_pairs or shares > 1 + _TINY:
        raise SettingError(
            "parts-ask-more-than",
            f"the parts ask for more than the {n_pairs} pairs there are",
            hint="make them smaller",
        )


def _strata(pairs: Sequence[Pair], seed: int) -> dict[Stratum, list[int]]:
    """Positions of the pairs of each label and task, in an order that seed and ids decide."""
    strata: dict[Stratum, list[int]] = {}
    for i, pair in enumerate(pairs):
        key = (pair.gold.value if pair.gold else "", pair.task or "")
        strata.setdefault(key, []).append(i)
    for members in strata.values():
        members.sort(key=lambda i: (lot(pairs[i].id, seed), pairs[i].text, pairs[i].hypothesis))
    return dict(sorted(strata.items()))


def lot(pair_id: str, seed: int) -> bytes:
    """What a pair draws: pairs sorted by it are in an order that seed and ids decide."""
    return sha256(f"{seed}\x1f{pair_id}".encode()).digest()


def _allocate(strata: dict[Stratum, list[int]], counts: Sequence[int]) -> NDArray[np.int64]:
    """How many pairs of each stratum (row) go to each part (column).

    Controlled rounding (Cox 1987) of the fair shares: each cell, and each label's sum in each
    part, is rounded up or down, and rows and columns keep their sums. That much is a flow and
    always possible. Among the solutions, the tasks' sums are brought as near as can be.
    """
    rows = np.array([len(members) for members in strata.values()], dtype=np.int64)
    total = int(rows.sum())
    if total == 0:
        return np.zeros((0, len(counts)), dtype=np.int64)
    fair = np.outer(rows, counts) / total
    base = np.floor(fair + _TINY).astype(np.int64)
    labels = _membership([label for label, _ in strata])
    tasks = _membership([task for _, task in strata])
    return base + _extras(fair - base, rows - base.sum(axis=1), labels, tasks)


def _membership(names: Sequence[str]) -> NDArray[np.float64]:
    """A matrix with a row for each name: 1 where the stratum has it."""
    return np.array([[float(name == one) for name in names] for one in sorted(set(names))])


def _extras(
    left: NDArray[np.float64],
    spare: NDArray[np.int64],
    labels: NDArray[np.float64],
    tasks: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Which cells get one more, as a mixed integer program over cells and the tasks' gaps."""
    from scipy.optimize import Bounds, milp

    n_cells = left.size
    n_gaps = len(tasks) * left.shape[1] if n_cells <= _MANY_CELLS else 0
    cost = np.concatenate([np.zeros(n_cells), np.ones(n_gaps)])
    most = np.concatenate([(left.ravel() > _TINY).astype(float), np.full(n_gaps, np.inf)])
    whole = np.concatenate([np.ones(n_cells), np.zeros(n_gaps)])
    constraints = [
        *_sums_kept(left, spare.astype(np.float64), labels, n_gaps),
        *(_gaps_measured(left, tasks) if n_gaps else ()),
    ]
    solved = milp(cost, constraints=constraints, bounds=Bounds(0, most), integrality=whole)
    if solved.x is None:
        raise RuntimeError(f"controlled rounding found no solution: {solved.message}")
    return np.rint(solved.x[:n_cells]).astype(np.int64).reshape(left.shape)


def _sums_kept(
    left: NDArray[np.float64],
    spare: NDArray[np.float64],
    labels: NDArray[np.float64],
    n_gaps: int,
) -> Iterator[Any]:
    """Rows and columns keep their sums; each label's sum in each part is rounded."""
    from scipy.optimize import LinearConstraint
    from scipy.sparse import csr_array, hstack, identity, kron

    n_strata, n_parts = left.shape
    parts = identity(n_parts)
    for matrix, low, high in (
        (kron(identity(n_strata), np.ones((1, n_parts))), spare, spare),
        (kron(np.ones((1, n_strata)), parts), *_rounded(left.sum(axis=0))),
        (kron(labels, parts), *_rounded((labels @ left).ravel())),
    ):
        padded = hstack([matrix, csr_array((matrix.shape[0], n_gaps))])
        yield LinearConstraint(padded, low, high)


def _gaps_measured(left: NDArray[np.float64], tasks: NDArray[np.float64]) -> Iterator[Any]:
    """Each gap is at least the distance of a task's sum in a part from its fair share."""
    from scipy.optimize import LinearConstraint
    from scipy.sparse import hstack, identity, kron

    sums, wanted = kron(tasks, identity(left.shape[1])), (tasks @ left).ravel()
    gaps = identity(len(wanted))
    yield LinearConstraint(hstack([sums, gaps]), wanted, np.inf)
    yield LinearConstraint(hstack([sums, -gaps]), -np.inf, wanted)


def _rounded(sums: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.floor(sums + _TINY), np.ceil(sums - _TINY)
