from .evaluation import (
    evaluation_picture as evaluation_picture,
    evaluation_report as evaluation_report,
    metric_answer as metric_answer,
    metric_tables as metric_tables,
)
from .ranks import (
    rank_answer as rank_answer,
    rank_picture as rank_picture,
    rank_report as rank_report,
    rank_tables as rank_tables,
    score_report as score_report,
    score_summary_table as score_summary_table,
)
from .weights import (
    feature_list_table as feature_list_table,
    feature_report as feature_report,
    training_report as training_report,
    training_tables as training_tables,
    weight_picture as weight_picture,
    weight_tables as weight_tables,
    weights_answer as weights_answer,
    weights_report as weights_report,
)
