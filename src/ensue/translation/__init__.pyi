from .jobs import SetSources as SetSources, measure_set as measure_set, score_set as score_set
from .meta_evaluation import (
    AlignedOutput as AlignedOutput,
    MetaEvaluation as MetaEvaluation,
    evaluate as evaluate,
    study_weights as study_weights,
    train_metric as train_metric,
)
from .ranks import (
    SystemRank as SystemRank,
    SystemRanking as SystemRanking,
    TieRule as TieRule,
    rank as rank,
    rank_corpora as rank_corpora,
    rank_systems as rank_systems,
)
from .systems import (
    TIED_SHARE as TIED_SHARE,
    Assessment as Assessment,
    AssessmentKind as AssessmentKind,
    HumanMethod as HumanMethod,
    HumanRanking as HumanRanking,
    MetricScores as MetricScores,
    OutputKey as OutputKey,
    Preferences as Preferences,
    Segment as Segment,
    SystemKey as SystemKey,
    SystemMethod as SystemMethod,
    TieInterval as TieInterval,
    TranslationJudgments as TranslationJudgments,
    given_interval as given_interval,
    human_system_scores as human_system_scores,
    system_scores as system_scores,
    tie_interval as tie_interval,
)
