from .analyses import (
    PUBLISHED as PUBLISHED,
    Disagreement as Disagreement,
    Margins as Margins,
    PlaceConsistency as PlaceConsistency,
    margins as margins,
    place_consistency as place_consistency,
)
from .correlation import (
    SystemCorrelation as SystemCorrelation,
    SystemScores as SystemScores,
    key_text as key_text,
    system_correlation as system_correlation,
)
from .metric_evaluation import (
    EvaluationPart as EvaluationPart,
    EvaluationSettings as EvaluationSettings,
    MetricEvaluation as MetricEvaluation,
    MetricResult as MetricResult,
    evaluate_metrics as evaluate_metrics,
    people_system_scores as people_system_scores,
)
from .pairwise_accuracy import (
    Averaging as Averaging,
    Consistency as Consistency,
    MetricConsistency as MetricConsistency,
    TauVariant as TauVariant,
    TiePolicy as TiePolicy,
    consistency as consistency,
)
from .significance import (
    MetricComparisons as MetricComparisons,
    WilliamsComparison as WilliamsComparison,
)
