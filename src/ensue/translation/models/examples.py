"""What a model learns from: judged outputs with standardized features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ensue.errors import DataError
from ensue.translation.features.table import FeatureTable
from ensue.translation.judgments import HumanScores, MajorityPreferences
from ensue.translation.model import Numbers, OutputKey
from ensue.translation.models.weighing import standardizing


@dataclass(frozen=True, slots=True, eq=False)
class ScoredOutputs:
    """Outputs with words that have an absolute human score; a row an output."""

    outputs: tuple[OutputKey, ...]
    z: Numbers
    """Their features, standardized."""
    scores: Numbers
    weights: Numbers
    """How many judgments each score is the mean of."""
    means: Numbers
    deviations: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class PreferredOutputs:
    """Two outputs with words of which people prefer the first; a row a preference."""

    outputs: tuple[OutputKey, ...]
    """The preferred ones."""
    differences: Numbers
    """Of the standardized features, the preferred minus the other."""
    weights: Numbers
    """By how many judges the preferred is ahead."""
    z: Numbers
    """The standardized features of all outputs that were compared, each once."""
    means: Numbers
    deviations: Numbers


def scored_outputs(table: FeatureTable, human: HumanScores) -> ScoredOutputs:
    """Outputs with their human scores.

    Raises:
        DataError: an output was not measured, none has words, or all scores are equal.
    """
    rows = table.places(human.outputs)
    worded = table.worded[rows]
    rows, scores = rows[worded], human.values[worded]
    if scores.size == 0:
        raise DataError("no output with words has a human score, so nothing can be learned")
    if scores.min() == scores.max():
        raise DataError(
            "all outputs have the same human score, so nothing can be learned",
            hint="give judgments that tell outputs apart",
        )
    means, deviations = standardizing(table.values[rows])
    return ScoredOutputs(
        tuple(table.outputs[row] for row in rows.tolist()),
        (table.values[rows] - means) / deviations,
        scores,
        human.counts[worded].astype(np.float64),
        means,
        deviations,
    )


def preferred_outputs(table: FeatureTable, preferred: MajorityPreferences) -> PreferredOutputs:
    """Pairs of outputs of which people prefer one.

    Raises:
        DataError: an output was not measured, or there is no preference between two with words.
    """
    rows = table.places(preferred.outputs)
    worded = table.worded[rows]
    kept = worded[preferred.winner] & worded[preferred.loser]
    if not kept.any():
        raise DataError(
            "there is no preference between two outputs with words, so nothing can be learned",
            hint="votes for either output cancel, and ties prefer neither",
        )
    better, worse = rows[preferred.winner[kept]], rows[preferred.loser[kept]]
    means, deviations = standardizing(table.values[rows[worded]])
    return PreferredOutputs(
        tuple(table.outputs[row] for row in better.tolist()),
        (table.values[better] - table.values[worse]) / deviations,
        preferred.weight[kept],
        (table.values[rows[worded]] - means) / deviations,
        means,
        deviations,
    )
