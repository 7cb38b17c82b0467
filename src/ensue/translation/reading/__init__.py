"""Translation data and human judgments from files, and scores of metrics to and from them."""

from ensue.translation.reading.judgments.judging import read_judgments
from ensue.translation.reading.score_writing import (
    ScoreFormat,
    write_score_batches,
    write_scores,
)
from ensue.translation.reading.scores import read_all_scores, read_scores
from ensue.translation.reading.sets import TranslationSet, open_set

__all__ = [
    "ScoreFormat",
    "TranslationSet",
    "open_set",
    "read_all_scores",
    "read_judgments",
    "read_scores",
    "write_score_batches",
    "write_scores",
]
