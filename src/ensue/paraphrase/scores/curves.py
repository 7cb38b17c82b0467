"""The measures at every k: how much a conclusion hangs on the rank that was chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.evaluation.results import Estimate
from ensue.paraphrase.model import Indices, Numbers
from ensue.paraphrase.scores.scoring import (
    NO_LIST,
    NO_PATTERN,
    NO_QUALITY,
    ScoredLists,
    defined_mean,
    values_at,
)
from ensue.paraphrase.scores.settings import MEASURES, PatternMeasure


@dataclass(frozen=True, slots=True, eq=False)
class ScoreCurves:
    """Measures over k."""

    ks: Indices
    """1, 2, 3 …"""
    values: Numbers
    """Lists × measures × ks; NaN where undefined."""
    methods: tuple[str, ...]
    means: Numbers
    """Methods × measures × ks: means over the lists of a method that define them."""
    overall: Numbers
    """Measures × ks: means over all lists."""
    is_empty: NDArray[np.bool_]
    """Which lists have no pattern."""

    def of_list(self, i: int, measure: PatternMeasure) -> tuple[Estimate, ...]:
        """A list's scores, k after k."""
        reason = NO_PATTERN if self.is_empty[i] else NO_QUALITY
        return _estimates(self.values[i, MEASURES.index(measure)], reason)

    def of_method(self, method: str, measure: PatternMeasure) -> tuple[Estimate, ...]:
        """A method's means, k after k."""
        means = self.means[self.methods.index(method), MEASURES.index(measure)]
        return _estimates(means, NO_LIST)


def score_curves(scored: ScoredLists, deepest: int | None = None) -> ScoreCurves:
    """The measures at every k from 1 on.

    Args:
        scored: The lists.
        deepest: The last k; None for the length of the longest list.

    Raises:
        SettingError: the last k is below 1.
    """
    longest = int(np.diff(scored.lists.offsets).max(initial=1))
    last = max(longest, 1) if deepest is None else deepest
    ks = range(1, last + 1) if last >= 1 else (last,)
    values = values_at(scored, ks)
    methods = scored.lists.methods
    means = [defined_mean(values[scored.of_method(method)]) for method in methods]
    return ScoreCurves(
        np.array(ks, np.int64),
        values,
        methods,
        np.stack(means) if means else np.empty((0, *values.shape[1:])),
        defined_mean(values),
        np.diff(scored.lists.offsets) == 0,
    )


def _estimates(values: Numbers, reason: str) -> tuple[Estimate, ...]:
    return tuple(
        Estimate(None, reason=reason) if np.isnan(value) else Estimate(value)
        for value in values.tolist()
    )
