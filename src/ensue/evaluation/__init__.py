"""Measures, intervals, chance, comparison, power, curves: numbers in, numbers out.

Knows only pairs and verdicts, never a recognizer; prints nothing, opens no file. `evaluate` is the
one call behind `ensue evaluate`; the functions beside it give what the other commands show.
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
from ensue.evaluation.measuring.intervals import interval
from ensue.evaluation.measuring.judged import NO_TASK, Judged, by_task
from ensue.evaluation.measuring.lineup import LineUp, line_up
from ensue.evaluation.measuring.measures import MEASURES, Measure
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
]
