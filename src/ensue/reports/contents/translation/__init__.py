"""Translation for people and programs: ranks, evaluations, training and scores of metrics."""

from ensue.reports.contents.translation.disagreements import disagreement_sections
from ensue.reports.contents.translation.evaluation import (
    evaluation_picture,
    evaluation_report,
    metric_tables,
)
from ensue.reports.contents.translation.judges import People, describe_people, people_tables
from ensue.reports.contents.translation.ranks import rank_picture, rank_report, rank_tables
from ensue.reports.contents.translation.scores import score_report, score_summary_table
from ensue.reports.contents.translation.training import training_report, training_tables

__all__ = [
    "People",
    "describe_people",
    "disagreement_sections",
    "evaluation_picture",
    "evaluation_report",
    "metric_tables",
    "people_tables",
    "rank_picture",
    "rank_report",
    "rank_tables",
    "score_report",
    "score_summary_table",
    "training_report",
    "training_tables",
]
