"""Paraphrase patterns for people and programs."""

from ensue.reports.contents.paraphrase.correlation import (
    correlation_picture,
    correlation_report,
    correlation_tables,
)
from ensue.reports.contents.paraphrase.curves import score_picture
from ensue.reports.contents.paraphrase.judges import judge_tables
from ensue.reports.contents.paraphrase.recognition import (
    recognition_picture,
    recognition_report,
    recognition_tables,
    term_counts_table,
)
from ensue.reports.contents.paraphrase.reranking import reranking_table
from ensue.reports.contents.paraphrase.scores import score_report, score_tables
from ensue.reports.contents.paraphrase.validation import (
    validation_picture,
    validation_report,
    validation_tables,
)

__all__ = [
    "correlation_picture",
    "correlation_report",
    "correlation_tables",
    "judge_tables",
    "recognition_picture",
    "recognition_report",
    "recognition_tables",
    "reranking_table",
    "score_picture",
    "score_report",
    "score_tables",
    "term_counts_table",
    "validation_picture",
    "validation_report",
    "validation_tables",
]
