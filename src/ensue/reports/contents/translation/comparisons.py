"""Metrics beside each other: paired tests and clusters, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ensue.evaluation.correlation.coefficients import Coefficient
from ensue.reports.contents.entries import Row
from ensue.reports.contents.translation.entries import shown_pair
from ensue.reports.model import Column, Table
from ensue.translation.agreement import (
    MetricComparisons,
    MetricEvaluation,
    WilliamsComparison,
)

_PREFERENCES = "agreement with preferences"
_PEARSON = "mean segment Pearson"
_MOST = 15
"""So many tests are shown to people: all of six metrics."""


def comparison_tables(evaluation: MetricEvaluation, *, every: bool) -> list[Table]:
    """The paired tests, by preferences and by Pearson's r, and Williams' for each language pair.

    Where there are many, people see those of the best metric with each other one; all are there
    where `every`. Nothing is tested for a single metric.
    """
    tables: list[Table] = []
    preferences, pearson = evaluation.tests.consistency, evaluation.tests.pearson
    if preferences is not None and preferences.tests:
        tables.append(_tests_table("preference_tests", _PREFERENCES, preferences, every))
        tables.append(_clusters_table("preference_clusters", _PREFERENCES, preferences))
    if pearson is not None and pearson.tests:
        tables.append(_tests_table("pearson_tests", _PEARSON, pearson, every))
        tables.append(_clusters_table("pearson_clusters", _PEARSON, pearson))
    if evaluation.tests.williams:
        best = _best_by_pearson(evaluation)
        tables.append(_williams_table(evaluation.tests.williams, best, every, evaluation))
    return tables


def _tests_table(name: str, of: str, found: MetricComparisons, every: bool) -> Table:
    digits, percent = (1, True) if of == _PREFERENCES else (3, False)
    columns = [
        Column("first"),
        Column("second"),
        Column("first_value", title="first's", digits=digits, percent=percent),
        Column("second_value", title="second's", digits=digits, percent=percent),
        Column("difference", digits=digits, percent=percent),
        Column("p", digits=4),
        Column("p_holm", title="p (Holm)", digits=4),
        Column("differs"),
    ]
    best = found.clusters[0][0]
    shown = [
        test
        for test in found.tests
        if every or len(found.tests) <= _MOST or best in (test.first, test.second)
    ]
    rows: list[Row] = [
        [
            test.first,
            test.second,
            test.first_value,
            test.second_value,
            test.difference,
            test.p,
            test.p_holm,
            test.differs,
        ]
        for test in shown
    ]
    notes = [
        f"p: two-sided paired permutation test over segments ({found.permutations:,} permutations,"
        f" seed {found.seed}); Holm's is corrected for {len(found.tests)} tests; metrics differ"
        f" where it is at most {round(1 - found.level, 12):g}",
        *_left_out(best, len(shown), len(found.tests)),
    ]
    return Table(name, f"Do metrics differ in {of}?", columns, rows, notes)


def _clusters_table(name: str, of: str, found: MetricComparisons) -> Table:
    values = {test.first: test.first_value for test in found.tests}
    values |= {test.second: test.second_value for test in found.tests}
    digits, percent = (1, True) if of == _PREFERENCES else (3, False)
    value = Column("value", of, digits=digits, percent=percent)
    rows: list[Row] = [
        [i, metric, values[metric]] for i, one in enumerate(found.clusters, 1) for metric in one
    ]
    notes = ["no two metrics of a cluster differ; a metric may be in several"]
    title = f"Clusters of metrics that do not differ in {of}"
    return Table(name, title, [Column("cluster"), Column("metric"), value], rows, notes)


def _best_by_pearson(evaluation: MetricEvaluation) -> str:
    def mean(i: int) -> float:
        found = evaluation.metrics[i].correlation
        value = found.mean[Coefficient.PEARSON].value if found else None
        return float("-inf") if value is None else value

    return evaluation.metrics[max(range(len(evaluation.metrics)), key=mean)].name


def _williams_table(
    tests: Sequence[WilliamsComparison], best: str, every: bool, evaluation: MetricEvaluation
) -> Table:
    columns = [
        Column("language_pair", title="pair"),
        Column("first"),
        Column("second"),
        Column("n", title="outputs"),
        Column("first_pearson", title="first's r", digits=3),
        Column("second_pearson", title="second's r", digits=3),
        Column("between", title="r between", digits=3),
        Column("t", digits=2),
        Column("p", digits=4),
        Column("p_holm", title="p (Holm)", digits=4),
        Column("differs"),
    ]
    shown = [
        each for each in tests if every or len(tests) <= _MOST or best in (each.first, each.second)
    ]
    notes = [
        "t: Williams' test of two dependent correlations, which takes outputs as independent; p:"
        " two-sided; Holm's is corrected for the tests of the language pair; metrics differ where"
        f" it is at most {round(1 - evaluation.settings.level, 12):g}",
        *_left_out(best, len(shown), len(tests)),
    ]
    rows = [_williams_row(each) for each in shown]
    title = "Do metrics differ in Pearson's r, by language pair?"
    return Table("williams", title, columns, rows, notes)


def _williams_row(each: WilliamsComparison) -> Row:
    return [
        shown_pair(each.language_pair),
        each.first,
        each.second,
        each.n,
        each.first_pearson,
        each.second_pearson,
        each.between,
        each.test.t,
        each.test.p,
        each.p_holm,
        each.differs,
    ]


def _left_out(best: str, n_shown: int, n_tests: int) -> Iterator[str]:
    if n_shown < n_tests:
        yield f"{best} with each other metric; all {n_tests} tests are in JSON and CSV"
