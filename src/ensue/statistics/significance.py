"""Which of very many runs differ: the same tests as for a few, on all of them at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ensue.evaluation import holm_corrected
from ensue.statistics.intervals import LEVEL


def differing(right: NDArray[np.bool_], *, level: float = LEVEL) -> NDArray[np.bool_]:
    """Whether every two runs differ, by exact McNemar with Holm's correction.

    Args:
        right: A row for each run: whether each pair is right; without an answer it is not.
        level: Two runs differ where the corrected p is at most 1 − level.
    """
    from scipy.special import bdtr

    n = len(right)
    found = np.zeros((n, n), np.bool_)
    if n < 2:
        return found
    rows = right.astype(np.float32)
    both = rows @ rows.T
    alone = np.rint(both.diagonal()[:, None] - both).astype(np.int64)
    i, j = np.triu_indices(n, 1)
    first, second = alone[i, j], alone[j, i]
    total = first + second
    p = np.where(total > 0, 2 * bdtr(np.minimum(first, second), np.maximum(total, 1), 0.5), 1.0)
    found[i, j] = found[j, i] = holm_corrected(np.minimum(p, 1.0)) <= round(1 - level, 12)
    return found


def cluster_spans(different: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Maximal stretches of runs, the best first, no two of which differ: first, and after the last.

    Args:
        different: For every two runs, in the order of their ranks.
    """
    spans: list[tuple[int, int]] = []
    end = 0
    for start in range(len(different)):
        last = max(end, start + 1)  # what the stretch before holds is known not to differ
        while last < len(different) and not different[start:last, last].any():
            last += 1
        if last > end:
            spans.append((start, last))
            end = last
    return spans
