"""Judgments of three systems that are small enough to count by hand, and metrics of them."""

import numpy as np
import pytest

from ensue.reports.text import tables_to_json
from ensue.statistics.resampling import Resampling
from ensue.translation.evaluation.metric_evaluation import EvaluationSettings, evaluate_metrics
from ensue.translation.systems import (
    Assessment,
    AssessmentKind,
    HumanRanking,
    MetricScores,
    OutputKey,
    TranslationJudgments,
)

FEW = EvaluationSettings(resampling=Resampling(draws=20), permutations=20)

RANKINGS = (
    HumanRanking("cs-en", "1", "ada", {"A": 1, "B": 2, "C": 3}),
    HumanRanking("cs-en", "1", "ben", {"A": 1, "B": 3, "C": 2}),
    HumanRanking("cs-en", "2", "ada", {"A": 1, "B": 1, "C": 2}),
    HumanRanking("de-en", "1", "ada", {"A": 2, "B": 1, "C": 3}),
)

OUTPUTS = tuple(
    OutputKey(pair, segment, system)
    for pair, segment in (("cs-en", "1"), ("cs-en", "2"), ("de-en", "1"))
    for system in "ABC"
)


def _metric(name, values, outputs=OUTPUTS):
    return MetricScores(name, tuple(outputs), np.array(values, float), f"{name}|made-up")


# of the 11 preferences, `some` is right on 4 + 2 + 1, wrong on 0 + 0 + 2, and ties on 2 + 0 + 0
SOME = _metric("some", [0.9, 0.5, 0.5, 0.2, 0.4, 0.1, 0.3, 0.1, 0.2])
FLAT = _metric("flat", [0.0] * 9)


@pytest.fixture(scope="session")
def make_metric():
    return _metric


@pytest.fixture(scope="session")
def judgments():
    return TranslationJudgments(RANKINGS)


@pytest.fixture(scope="session")
def ranked(judgments):
    """`some` and `flat` beside rankings."""
    return evaluate_metrics(judgments, [SOME, FLAT], FEW)


@pytest.fixture(scope="session")
def scored():
    """Metrics beside absolute scores: `twice` is on one line with them, `other` is not."""
    outputs = [OutputKey(pair, str(i), "A") for pair in ("cs-en", "de-en") for i in range(1, 6)]
    human = [1.0, 2.0, 3.0, 4.0, 5.0, 2.0, 1.0, 4.0, 3.0, 5.0]
    assessments = tuple(
        Assessment(*key, "", AssessmentKind.DIRECT, score)
        for key, score in zip(outputs, human, strict=True)
    )
    twice = _metric("twice", [2 * score for score in human], outputs)
    other = _metric("other", [1, 3, 2, 4, 5, 1, 2, 3, 4, 5], outputs)
    return evaluate_metrics(TranslationJudgments(assessments=assessments), [twice, other], FEW)


@pytest.fixture(scope="session")
def named():
    """The tables by name."""

    def by_name(tables):
        return {table.name: table for table in tables}

    return by_name


@pytest.fixture(scope="session")
def records():
    """The rows of a table as programs see them; a number with its interval is the number."""

    def of(table):
        return [
            {name: cell["value"] if isinstance(cell, dict) else cell for name, cell in row.items()}
            for row in tables_to_json([table])[table.name]["rows"]
        ]

    return of
