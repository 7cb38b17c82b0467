"""Whether scores of lists predict what the lists do in recognition tasks (Shima & Mitamura 2011).

`correlate_lists` correlates every intrinsic variable (EP, EPR, DIMPLE at some k, or any score from
outside) with the performance in every task over the lists, and tests whether two variables differ
in it.
"""

from ensue.paraphrase.correlation.correlating import correlate_lists
from ensue.paraphrase.correlation.gathering import (
    intrinsic_scores,
    joined_scores,
    performance_scores,
)
from ensue.paraphrase.correlation.model import (
    Association,
    CorrelationDifference,
    Correlations,
    CorrelationSettings,
    ListCorrelation,
    ListScores,
    Resampled,
    Variable,
)

__all__ = [
    "Association",
    "CorrelationDifference",
    "CorrelationSettings",
    "Correlations",
    "ListCorrelation",
    "ListScores",
    "Resampled",
    "Variable",
    "correlate_lists",
    "intrinsic_scores",
    "joined_scores",
    "performance_scores",
]
