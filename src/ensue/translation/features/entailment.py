"""The entailment features of outputs, in both directions (Padó et al. 2009, section 2.2).

Output → reference asks whether the reference follows from the output: material that the output
lacks breaks it. Reference → output asks the opposite: material that the output adds breaks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Protocol

import numpy as np

from ensue.features import FEATURES, TextPair, has_words
from ensue.features import NAMES as ENTAILMENT_NAMES
from ensue.translation.model import Indices, Numbers

FORWARD, BACKWARD = "forward", "backward"
"""Output → reference, and reference → output."""

NAMES = tuple(f"{way}.{name}" for way in (FORWARD, BACKWARD) for name in ENTAILMENT_NAMES)

_WAYS = {
    FORWARD: "from the output to the reference",
    BACKWARD: "from the reference to the output",
}

_LIKENESS = ENTAILMENT_NAMES.index("alignment.score")


def definitions() -> dict[str, str]:
    """What each feature is, in the order of the columns."""
    return {
        f"{way}.{feature.name}": f"{feature.definition} ({said})"
        for way, said in _WAYS.items()
        for feature in FEATURES
    }


class Measuring(Protocol):
    """What gives the entailment features of pairs."""

    def features(self, pairs: Sequence[TextPair]) -> Numbers:
        """A row of features for each pair."""


def entailment_features(
    outputs: Sequence[str], references: Sequence[Sequence[str]], reader: Measuring
) -> Numbers:
    """The 148 features of each output; NaN where it has no words, or no reference has.

    Of several references the one is taken with which the output aligns best, in both directions
    together; of equals the first.
    """
    asked = [
        (row, output, reference)
        for row, (output, some) in enumerate(zip(outputs, references, strict=True))
        if has_words(output)
        for reference in compress(some, map(has_words, some))
    ]
    both = reader.features(
        [pair for _, output, reference in asked for pair in _directions(output, reference)]
    ).reshape(len(asked), len(NAMES))
    return _best_of_each(np.array([row for row, *_ in asked], np.int64), both, len(outputs))


def _directions(output: str, reference: str) -> tuple[TextPair, TextPair]:
    return (output, reference), (reference, output)


def _best_of_each(row: Indices, found: Numbers, n_outputs: int) -> Numbers:
    values = np.full((n_outputs, len(NAMES)), np.nan)
    likeness = found[:, _LIKENESS] + found[:, len(ENTAILMENT_NAMES) + _LIKENESS]
    # the best last and, of equals, the first last: it is what stays
    order = np.lexsort((-np.arange(len(row)), likeness))
    values[row[order]] = found[order]
    return values
