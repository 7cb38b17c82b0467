"""Williams' test: do two metrics correlate differently with the same human scores?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ensue.errors import UndefinedError
from ensue.evaluation import holm
from ensue.evaluation.correlation.weighted import standardized
from ensue.evaluation.correlation.williams import Williams, williams
from ensue.evaluation.measuring.intervals import LEVEL
from ensue.translation.agreement.correlation import undefined_reason
from ensue.translation.agreement.lineup import HumanValues, human_values, scores_of, strata
from ensue.translation.model import MetricScores, Numbers


@dataclass(frozen=True, slots=True)
class WilliamsComparison:
    """Two metrics on one language pair."""

    language_pair: str
    first: str
    second: str
    n: int
    """Outputs."""
    first_pearson: float
    second_pearson: float
    between: float
    """Pearson's r of the metrics with each other."""
    test: Williams
    p_holm: float
    """The two-sided p, corrected for the number of comparisons in the language pair."""
    differs: bool


def compare_by_williams(
    human: HumanValues, metrics: Sequence[MetricScores], *, level: float = LEVEL
) -> tuple[WilliamsComparison, ...]:
    """Compare every two metrics on every language pair by Williams' test.

    The test takes outputs as independent; where segments have several, `compare_pearson` does not.

    Raises:
        UndefinedError: there are no human scores, or a correlation is undefined.
        DataError: a judged output has no score.
    """
    outputs, values = human_values(human)
    scores = [scores_of(outputs, metric) for metric in metrics]
    names = [metric.name for metric in metrics]
    found: list[WilliamsComparison] = []
    for pair, chosen, _ in strata(outputs).observations():
        table = [
            _checked(pair, names[i], each[chosen], values[chosen]) for i, each in enumerate(scores)
        ]
        people = standardized(values[chosen])
        found += _on_one_pair(pair, names, table, people, level)
    return tuple(found)


def _checked(pair: str, name: str, x: Numbers, y: Numbers) -> Numbers:
    """The metric's scores, standardized."""
    reason = undefined_reason(x, y, "outputs")
    if reason is not None:
        raise UndefinedError(f"{name!r} on {pair!r}: {reason}")
    return standardized(x)


def _on_one_pair(
    pair: str, names: Sequence[str], table: Sequence[Numbers], people: Numbers, level: float
) -> list[WilliamsComparison]:
    n = len(people)
    with_people = [_r(each, people) for each in table]
    couples = list(combinations(range(len(names)), 2))
    between = [_r(table[i], table[j]) for i, j in couples]
    tests = [
        williams(with_people[i], with_people[j], r, n)
        for (i, j), r in zip(couples, between, strict=True)
    ]
    corrected = holm([test.p for test in tests])
    return [
        WilliamsComparison(
            pair,
            names[i],
            names[j],
            n,
            with_people[i],
            with_people[j],
            r,
            test,
            p_holm,
            differs=p_holm <= round(1 - level, 12),
        )
        for (i, j), r, test, p_holm in zip(couples, between, tests, corrected, strict=True)
    ]


def _r(x: Numbers, y: Numbers) -> float:
    """Pearson's r of standardized variables."""
    return float(np.clip(np.mean(x * y), -1.0, 1.0))
