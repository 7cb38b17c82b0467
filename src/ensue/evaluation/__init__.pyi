from .chance import (
    critical_values as critical_values,
    cws_deviation as cws_deviation,
    read_published as read_published,
)
from .comparison import (
    clusters as clusters,
    compare as compare,
    disagreement as disagreement,
    pairs_needed as pairs_needed,
    power_at as power_at,
    smallest_difference as smallest_difference,
)
from .curves import (
    ConfidenceCurves as ConfidenceCurves,
    RunCutoffs as RunCutoffs,
    chosen_cutoffs as chosen_cutoffs,
    confidence_curves as confidence_curves,
    curve_band as curve_band,
    cutoff_band as cutoff_band,
    cutoffs_by_task as cutoffs_by_task,
    n_best as n_best,
    n_cutoffs as n_cutoffs,
    reliability as reliability,
    risk_coverage as risk_coverage,
    roc as roc,
    run_cutoffs as run_cutoffs,
    scored as scored,
)
from .evaluator import (
    evaluate as evaluate,
    find_measures as find_measures,
    read_gate as read_gate,
    shortfalls as shortfalls,
)
from .judged_runs import (
    LARGE as LARGE,
    NO_TASK as NO_TASK,
    SHOWN as SHOWN,
    TOO_MANY as TOO_MANY,
    UNANSWERED as UNANSWERED,
    Judged as Judged,
    LineUp as LineUp,
    by_task as by_task,
    line_up as line_up,
    no_gold as no_gold,
    not_judged as not_judged,
    run_labelling as run_labelling,
    view_codes as view_codes,
)
from .large.sources import evaluate_sources as evaluate_sources, source_cutoffs as source_cutoffs
from .measures import (
    MEASURES as MEASURES,
    Measure as Measure,
    Prepared as Prepared,
    Resample as Resample,
    draws_of as draws_of,
)
from .results import (
    CriticalValue as CriticalValue,
    Evaluation as Evaluation,
    GroupScore as GroupScore,
    GroupScores as GroupScores,
    RunComparison as RunComparison,
    RunEvaluation as RunEvaluation,
    Scores as Scores,
)
from .run_scores import group_scores as group_scores
