"""Translations ranked with entailment features: data, features, models, ranks, agreement.

`translation.reading` opens data, `translation.metrics` scores them, `translation.ranking` ranks
systems, and `translation.agreement` holds metrics against `translation.judgments`.
"""

from ensue.translation.model import (
    Assessment,
    AssessmentKind,
    Judgments,
    MetricScores,
    OutputKey,
    Preferences,
    Ranking,
    Segment,
)

__all__ = [
    "Assessment",
    "AssessmentKind",
    "Judgments",
    "MetricScores",
    "OutputKey",
    "Preferences",
    "Ranking",
    "Segment",
]
