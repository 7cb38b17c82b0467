"""The 84 numbers that BLEU, NIST and TER give of an output, as columns.

They are the surface features of Padó et al. (2009), who say "roughly 100" and which metrics: here
18 of BLEU, 16 of NIST and 50 of TER.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.surface.bleu import BleuScorer, Mean, NgramStatistics
from ensue.surface.nist import HIGHEST_ORDER, Information, NistStatistics, ngram_and_nist_statistics
from ensue.surface.ter import COST_SETTINGS, EditStatistics, edit_statistics
from ensue.surface.tokenizers import SegmentTokens

Numbers = NDArray[np.float64]

_BLEU_ORDERS = range(1, 5)
_NIST_ORDERS = range(1, HIGHEST_ORDER + 1)
_NIST_ORDER = 5
"""The one that is usually reported."""


def bleu_columns(statistics: NgramStatistics) -> Numbers:
    """BLEU-n and precisions for n from 1 to 4, plain and smoothed, penalty, BLEU-4 without it.

    Raises:
        SettingError: the statistics do not go up to order 4.
    """
    _check(statistics.order, _BLEU_ORDERS[-1])
    scores = [
        BleuScorer(Mean.GEOMETRIC, True, (1 / n,) * n, smoothed).score(statistics)
        for smoothed in (False, True)
        for n in _BLEU_ORDERS
    ]
    precisions = statistics.precisions(), statistics.smoothed_precisions()
    each = [some[:, n - 1] for some in precisions for n in _BLEU_ORDERS]
    bare = BleuScorer(Mean.GEOMETRIC, False, (1 / 4,) * 4).score(statistics)
    return np.stack([*scores, *each, statistics.brevity_penalty(), bare], axis=1)


def nist_columns(statistics: NistStatistics) -> Numbers:
    """NIST-n for n from 1 to 10, precisions for n from 1 to 4, penalty, NIST-5 without it.

    Raises:
        SettingError: the statistics do not go up to order 10.
    """
    _check(statistics.order, _NIST_ORDERS[-1])
    precisions, penalty = statistics.precisions(), statistics.penalty()
    sums = np.cumsum(precisions, axis=1)
    return np.hstack(
        [
            sums * penalty[:, None],
            precisions[:, : _BLEU_ORDERS[-1]],
            penalty[:, None],
            sums[:, _NIST_ORDER - 1 : _NIST_ORDER],
        ]
    )


def edit_columns(statistics: Sequence[EditStatistics]) -> Numbers:
    """TER, insertions, deletions, substitutions and shifts, setting after setting."""
    tables = [np.column_stack([each.ter(), each.counts()]) for each in statistics]
    return np.hstack(tables)


def surface_columns(segments: SegmentTokens, information: Information) -> Numbers:
    """All 84: the columns of BLEU, of NIST and of TER, a row for each output.

    Args:
        segments: Outputs and references, cut as the references of `information` were.
        information: Learned from all references of the set, for n-grams up to order 10.

    Raises:
        SettingError: the information does not go with the segments, or not up to order 10.
    """
    ngrams, nist = ngram_and_nist_statistics(segments, information, order=HIGHEST_ORDER)
    edits = edit_statistics(segments, tuple(COST_SETTINGS.values()))
    return np.hstack([bleu_columns(ngrams), nist_columns(nist), edit_columns(edits)])


def _check(order: int, needed: int) -> None:
    if order < needed:
        raise SettingError(
            f"statistics of order {order!r} are too few", hint=f"count n-grams up to {needed}"
        )
