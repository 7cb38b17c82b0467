from .agreement import (
    judge_tables as judge_tables,
    validation_answer as validation_answer,
    validation_picture as validation_picture,
    validation_report as validation_report,
    validation_tables as validation_tables,
)
from .correlation import (
    correlation_answer as correlation_answer,
    correlation_picture as correlation_picture,
    correlation_report as correlation_report,
    correlation_tables as correlation_tables,
)
from .means import score_picture as score_picture
from .recognition import (
    recognition_answer as recognition_answer,
    recognition_picture as recognition_picture,
    recognition_report as recognition_report,
    recognition_tables as recognition_tables,
    term_counts_table as term_counts_table,
)
from .scores import (
    reranking_table as reranking_table,
    score_answer as score_answer,
    score_report as score_report,
    score_tables as score_tables,
)
