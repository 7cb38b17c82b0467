from .matches import MatchUnit as MatchUnit, Means as Means, PairExplanation as PairExplanation
from .performance import (
    MOST as MOST,
    ListPerformance as ListPerformance,
    MethodPerformance as MethodPerformance,
    PairCounts as PairCounts,
    Recognition as Recognition,
    RecognitionSummary as RecognitionSummary,
    method_performances as method_performances,
    recognize as recognize,
)
from .tasks import Task as Task
from .terms import (
    SIDES as SIDES,
    TermCounts as TermCounts,
    TermSide as TermSide,
    asked_number as asked_number,
    chosen_terms as chosen_terms,
    frequent_terms as frequent_terms,
    term_counts as term_counts,
)
