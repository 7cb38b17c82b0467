from .intervals import (
    MethodDifference as MethodDifference,
    ScoreIntervals as ScoreIntervals,
    curves_over_k as curves_over_k,
    score_intervals as score_intervals,
)
from .measures import (
    DIVERSITY as DIVERSITY,
    QUALITY as QUALITY,
    PatternScore as PatternScore,
    ScoredLists as ScoredLists,
    diversity_steps as diversity_steps,
    explained_list as explained_list,
    found_quality as found_quality,
    score as score,
    score_lists as score_lists,
    values_at as values_at,
)
from .preparation import (
    KS as KS,
    MEASURES as MEASURES,
    PatternMeasure as PatternMeasure,
    PreparedLists as PreparedLists,
    Repeated as Repeated,
    ScoreSettings as ScoreSettings,
    Short as Short,
    Unjudged as Unjudged,
    prepared_lists as prepared_lists,
)
from .reranking import OrderOrigin as OrderOrigin, Reranked as Reranked, rerank as rerank
