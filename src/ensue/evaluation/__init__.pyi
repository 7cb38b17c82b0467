from .comparison import (
    compare as compare,
    disagreement as disagreement,
    pairs_needed as pairs_needed,
    power_at as power_at,
    smallest_difference as smallest_difference,
)
from .curves import (
    ConfidenceCurves as ConfidenceCurves,
    RunCutoffs as RunCutoffs,
    confidence_curves as confidence_curves,
    curve_band as curve_band,
    cutoff_band as cutoff_band,
    cutoffs_by_task as cutoffs_by_task,
    reliability as reliability,
    risk_coverage as risk_coverage,
    roc as roc,
    run_cutoffs as run_cutoffs,
    scored as scored,
    source_cutoffs as source_cutoffs,
)
from .evaluator import (
    evaluate as evaluate,
    evaluate_sources as evaluate_sources,
    find_measures as find_measures,
    read_gate as read_gate,
    shortfalls as shortfalls,
)
from .gold import (
    LARGE as LARGE,
    NO_TASK as NO_TASK,
    Gold as Gold,
    gold_of as gold_of,
    large_parquet as large_parquet,
    read_gold as read_gold,
)
from .judged_runs import (
    UNANSWERED as UNANSWERED,
    Judged as Judged,
    LineUp as LineUp,
    by_task as by_task,
    line_up as line_up,
    lined_up as lined_up,
)
from .measures import (
    ACCURACY_ALL as ACCURACY_ALL,
    COVERAGE as COVERAGE,
    MEASURES as MEASURES,
    Measure as Measure,
    Prepared as Prepared,
    Resample as Resample,
    interval as interval,
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
from .run_scores import (
    critical_values as critical_values,
    cws_deviation as cws_deviation,
    group_scores as group_scores,
    read_published as read_published,
)
from .verdicts import held_run as held_run, open_run as open_run
