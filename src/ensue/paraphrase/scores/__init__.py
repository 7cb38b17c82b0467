"""EP, EPR and DIMPLE of ranked lists, their curves over k, their intervals, and what they come from."""

from ensue.paraphrase.scores.curves import curves_over_k
from ensue.paraphrase.scores.explaining import PatternScore, explained_list
from ensue.paraphrase.scores.intervals import MethodDifference, ScoreIntervals, score_intervals
from ensue.paraphrase.scores.preparing import PreparedLists, prepared_lists
from ensue.paraphrase.scores.scoring import (
    DIVERSITY,
    QUALITY,
    ScoredLists,
    found_quality,
    score,
    score_lists,
    values_at,
)
from ensue.paraphrase.scores.settings import (
    KS,
    MEASURES,
    PatternMeasure,
    Repeated,
    ScoreSettings,
    Short,
    Unjudged,
)

__all__ = [
    "DIVERSITY",
    "KS",
    "MEASURES",
    "QUALITY",
    "MethodDifference",
    "PatternMeasure",
    "PatternScore",
    "PreparedLists",
    "Repeated",
    "ScoreIntervals",
    "ScoreSettings",
    "ScoredLists",
    "Short",
    "Unjudged",
    "curves_over_k",
    "explained_list",
    "found_quality",
    "prepared_lists",
    "score",
    "score_intervals",
    "score_lists",
    "values_at",
]
