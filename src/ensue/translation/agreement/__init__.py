"""How well metrics agree with people: preferences, correlations, tests, and the paper's analyses.

`evaluate_metrics` is the one call behind `ensue mt evaluate`; the functions beside it give its
parts.
"""

from ensue.translation.agreement.analyses import (
    PUBLISHED,
    Margins,
    PlaceConsistency,
    PublishedAnalysis,
    margins,
    place_consistency,
)
from ensue.translation.agreement.calibration import (
    Averaging,
    CalibratedAccuracy,
    accuracy_at,
    calibrated_accuracy,
    comparisons_of_scores,
)
from ensue.translation.agreement.consistency import (
    Consistency,
    MetricConsistency,
    TauVariant,
    TiePolicy,
    consistency,
)
from ensue.translation.agreement.correlation import (
    Correlation,
    MetricCorrelation,
    SystemCorrelation,
    segment_correlation,
    system_correlation,
)
from ensue.translation.agreement.disagreements import Disagreement, worst_disagreements
from ensue.translation.agreement.evaluating import evaluate_metrics, people_system_scores
from ensue.translation.agreement.permutation import (
    MetricComparisons,
    PairedTest,
    compare_consistency,
    compare_pearson,
)
from ensue.translation.agreement.results import (
    EvaluationSettings,
    MetricEvaluation,
    MetricResult,
    MetricTests,
    Part,
    SystemLevel,
)
from ensue.translation.agreement.williams import (
    WilliamsComparison,
    compare_by_williams,
)

__all__ = [
    "PUBLISHED",
    "Averaging",
    "CalibratedAccuracy",
    "Consistency",
    "Correlation",
    "Disagreement",
    "EvaluationSettings",
    "Margins",
    "MetricComparisons",
    "MetricConsistency",
    "MetricCorrelation",
    "MetricEvaluation",
    "MetricResult",
    "MetricTests",
    "PairedTest",
    "Part",
    "PlaceConsistency",
    "PublishedAnalysis",
    "SystemCorrelation",
    "SystemLevel",
    "TauVariant",
    "TiePolicy",
    "WilliamsComparison",
    "accuracy_at",
    "calibrated_accuracy",
    "compare_by_williams",
    "compare_consistency",
    "compare_pearson",
    "comparisons_of_scores",
    "consistency",
    "evaluate_metrics",
    "margins",
    "people_system_scores",
    "place_consistency",
    "segment_correlation",
    "system_correlation",
    "worst_disagreements",
]
