from .linear_models import MetricModel as MetricModel, ModelKind as ModelKind
from .scores import (
    Metric as Metric,
    MetricKind as MetricKind,
    OrderedOutput as OrderedOutput,
    ProbableMetric as ProbableMetric,
    ScoredBatch as ScoredBatch,
    ScoreSummary as ScoreSummary,
    SummingMetric as SummingMetric,
    SystemSummary as SystemSummary,
    all_statistics as all_statistics,
    ordered_outputs as ordered_outputs,
    score_all as score_all,
    score_each as score_each,
    scored_batches as scored_batches,
    scores_among as scores_among,
    write_orders as write_orders,
)
from .trained_metrics import (
    RECORD as RECORD,
    WeightedMetric as WeightedMetric,
    check_saved_metric as check_saved_metric,
    cross_scores as cross_scores,
    crossed_metric as crossed_metric,
    load_metric as load_metric,
    metric_name as metric_name,
    of_set as of_set,
    parse_metric_name as parse_metric_name,
    ready_metric as ready_metric,
    save_metric as save_metric,
    train as train,
    trained_metric as trained_metric,
)
from .weight_intervals import (
    metric_weights as metric_weights,
    recognizer_weights as recognizer_weights,
)
from .weights import (
    TITLES as TITLES,
    Claim as Claim,
    DirectionComparison as DirectionComparison,
    DirectionOutcome as DirectionOutcome,
    EntailmentDirection as EntailmentDirection,
    GroupWeight as GroupWeight,
    ModelWeights as ModelWeights,
    StandardizedWeight as StandardizedWeight,
    WeightStudy as WeightStudy,
    parted as parted,
)
