"""Long curves made short, so that a picture of them stays small and looks the same."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

MAX_POINTS = 800
"""More points than this on one line cannot be told apart in a picture."""


def thinned(heights: npt.ArrayLike, limit: int = MAX_POINTS) -> npt.NDArray[np.intp]:
    """The indices to keep so that at most about `limit` points show the same curve.

    The curve is cut into equal stretches; of each, the lowest and the highest point stay, and the
    first and the last of all. What is highest or lowest overall is therefore never lost.

    >>> thinned([0.0, 0.4, 1.0, 0.5, 0.7, 0.2, 0.3], limit=6).tolist()
    [0, 2, 4, 5, 6]
    """
    values = np.asarray(heights, dtype=float)
    if len(values) <= limit:
        return np.arange(len(values))
    keep = {0, len(values) - 1}
    for stretch in np.array_split(np.arange(len(values)), max(1, limit // 2 - 1)):
        keep.add(int(stretch[np.argmin(values[stretch])]))
        keep.add(int(stretch[np.argmax(values[stretch])]))
    return np.array(sorted(keep), dtype=np.intp)
