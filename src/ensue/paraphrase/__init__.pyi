from .correlation import correlate_lists as correlate_lists
from .evaluation import (
    ListEvaluation as ListEvaluation,
    PatternAgreement as PatternAgreement,
    RecognitionSettings as RecognitionSettings,
    Scoring as Scoring,
    correlate as correlate,
    evaluate_lists as evaluate_lists,
    judge_agreement as judge_agreement,
    rerank_lists as rerank_lists,
)
from .list_scores import (
    Association as Association,
    CorrelationDifference as CorrelationDifference,
    Correlations as Correlations,
    ListCorrelation as ListCorrelation,
    ListScores as ListScores,
    ScoreVariable as ScoreVariable,
    intrinsic_scores as intrinsic_scores,
    joined_scores as joined_scores,
    performance_scores as performance_scores,
)
from .lists import (
    NO as NO,
    NOT_JUDGED as NOT_JUDGED,
    YES as YES,
    ListKey as ListKey,
    Numbers as Numbers,
    PatternJudgments as PatternJudgments,
    RankedLists as RankedLists,
    Strictness as Strictness,
    counted as counted,
    joined as joined,
)
from .words import (
    NO_CONTENT as NO_CONTENT,
    content_words as content_words,
    pattern_words as pattern_words,
)
