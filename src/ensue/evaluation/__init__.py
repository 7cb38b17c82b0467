"""Measures, intervals, chance, comparison, power, curves: numbers in, numbers out.

Knows only pairs and verdicts, never a recognizer; prints nothing, and opens no file but those of
sources that are too large to be held. `evaluate` takes pairs and runs; `evaluate_sources` takes their
names, is the one call behind `ensue evaluate`, and streams what is large. The functions beside them
give what the other commands show.
"""

from ensue.evaluation.curves import reliability, risk_coverage, roc
from ensue.evaluation.cutoffs import (
    cutoff_band,
    cutoff_curve,
    run_cutoffs,
    scored,
)
from ensue.evaluation.evaluating import evaluate, find_measures
from ensue.evaluation.groups import group_scores
from ensue.evaluation.large.cutoffs import source_cutoffs
from ensue.evaluation.large.evaluating import evaluate_sources
from ensue.evaluation.measuring.intervals import interval
from ensue.evaluation.measuring.judged import NO_TASK, Judged, by_task
from ensue.evaluation.measuring.lineup import LineUp, line_up
from ensue.evaluation.measuring.measures import MEASURES, Measure
from ensue.evaluation.measuring.summary import LARGE
from ensue.evaluation.results import Estimate, Evaluation, Scores
from ensue.evaluation.significance.chance import critical_values, read_published
from ensue.evaluation.significance.comparison import compare, holm, mcnemar
from ensue.evaluation.significance.power import (
    disagreement,
    pairs_needed,
    power_at,
    smallest_difference,
)

__all__ = [
    "LARGE",
    "MEASURES",
    "NO_TASK",
    "Estimate",
    "Evaluation",
    "Judged",
    "LineUp",
    "Measure",
    "Scores",
    "by_task",
    "compare",
    "critical_values",
    "cutoff_band",
    "cutoff_curve",
    "disagreement",
    "evaluate",
    "evaluate_sources",
    "find_measures",
    "group_scores",
    "holm",
    "interval",
    "line_up",
    "mcnemar",
    "pairs_needed",
    "power_at",
    "read_published",
    "reliability",
    "risk_coverage",
    "roc",
    "run_cutoffs",
    "scored",
    "smallest_difference",
    "source_cutoffs",
]
