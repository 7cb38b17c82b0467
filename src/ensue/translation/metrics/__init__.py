"""Everything that scores outputs: ours, trained and not, and sacreBLEU's."""

from ensue.translation.metrics.contract import Metric, MetricKind, ProbableMetric, SummingMetric
from ensue.translation.metrics.ordering import OrderedOutput, ordered_outputs, write_orders
from ensue.translation.metrics.scoring import (
    ScoredBatch,
    ScoreSummary,
    SystemSummary,
    all_statistics,
    score_all,
    score_each,
    scored_batches,
    scores_among,
)
from ensue.translation.metrics.storage import RECORD, load_metric, save_metric
from ensue.translation.metrics.training import (
    crossed_metric,
    metric_name,
    of_set,
    parse_metric_name,
    trained_metric,
)
from ensue.translation.metrics.weighted import WeightedMetric

__all__ = [
    "RECORD",
    "Metric",
    "MetricKind",
    "OrderedOutput",
    "ProbableMetric",
    "ScoreSummary",
    "ScoredBatch",
    "SummingMetric",
    "SystemSummary",
    "WeightedMetric",
    "all_statistics",
    "crossed_metric",
    "load_metric",
    "metric_name",
    "of_set",
    "ordered_outputs",
    "parse_metric_name",
    "save_metric",
    "score_all",
    "score_each",
    "scored_batches",
    "scores_among",
    "trained_metric",
    "write_orders",
]
