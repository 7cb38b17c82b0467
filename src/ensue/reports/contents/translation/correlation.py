"""How metrics correlate with people, as tables: segment by segment, and system by system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ensue.evaluation.correlation.coefficients import Coefficient
from ensue.reports.contents.entries import (
    COEFFICIENT_TITLES,
    Lack,
    Row,
    lack_of,
    reason_notes,
    shown_estimate,
)
from ensue.reports.contents.translation.entries import (
    MEAN,
    lacks_of,
    resampling_notes,
    several,
    shown_pair,
)
from ensue.reports.model import Column, Interval, Table
from ensue.translation.agreement import MetricEvaluation, MetricResult, Part
from ensue.translation.judgments import ScoreKind
from ensue.translation.ranking import HumanMethod, SystemMethod

_SHORT = {Coefficient.SPEARMAN: "ρ", Coefficient.PEARSON: "r"}
"""Those of the system level, as in the paper's Table 2."""
_KINDS = {
    ScoreKind.DIRECT: "direct assessments",
    ScoreKind.ADEQUACY_FLUENCY: "the mean of adequacy and fluency, each standardized by judge",
    ScoreKind.RANKS: "ranks, standardized within each ranking",
}
_HUMAN_METHODS = {
    HumanMethod.BETTER_OR_EQUAL: "how often a system is judged better than or equal to others",
    HumanMethod.BETTER: "how often a system is judged better than others, ties left out",
    HumanMethod.EXPECTED_WIN: "the mean over opponents of how often a system is judged better",
}


def correlation_tables(evaluation: MetricEvaluation, *, every: bool) -> list[Table]:
    """Correlations with absolute human scores; Pearson's by language pair, all where `every`."""
    metrics = evaluation.metrics
    found = [each for each in metrics if each.correlation is not None]
    if not found or evaluation.human_kind is None:
        return []
    columns = [Column("metric")]
    columns += [Column(each.value, COEFFICIENT_TITLES[each], 3) for each in Coefficient]
    rows = [_mean_row(each) for each in metrics]
    pairs = list(found[0].correlation.by_pair) if found[0].correlation else []
    notes = [
        f"human scores: {_KINDS[evaluation.human_kind]}; the mean over {len(pairs)} language"
        f" pair{'s' if several(pairs) else ''}",
        *resampling_notes(evaluation.settings),
        *reason_notes(lacks_of(metrics, Part.CORRELATION)),
        *reason_notes(lack for each in found for lack in _correlation_lacks(each)),
    ]
    tables = [Table("correlation", "Correlation with scores", columns, rows, notes)]
    if several(pairs):
        chosen = list(Coefficient) if every else [Coefficient.PEARSON]
        tables += [_by_pair_table(evaluation, each, pairs) for each in chosen]
    return tables


def system_tables(evaluation: MetricEvaluation, *, every: bool) -> list[Table]:
    """How metrics order systems, by each method; by language pair where `every`."""
    metrics, methods = evaluation.metrics, evaluation.settings.system_methods
    if not any(map(_orders_systems, metrics)):
        return []
    columns = [Column("metric")]
    columns += [
        Column(f"{method.value}_{each.value}", f"{method.value} {symbol}", 3)
        for method in methods
        for each, symbol in _SHORT.items()
    ]
    rows = [_system_row(each, methods) for each in metrics]
    notes = [
        "ρ: Spearman's, r: Pearson's, between system scores of metric and people; the mean over"
        " language pairs",
        f"people's: {_people_said(evaluation)}",
        *reason_notes(_system_lacks(metrics)),
    ]
    tables = [Table("systems", "System level", columns, rows, notes)]
    if every:
        tables.append(_systems_by_pair(metrics))
    return tables


def no_system_notes(evaluation: MetricEvaluation) -> list[str]:
    """Why there is no table of the system level, where there is none."""
    if any(map(_orders_systems, evaluation.metrics)):
        return []
    lacks = list(_system_lacks(evaluation.metrics))
    reasons = dict.fromkeys(reason for _, reason in lacks)
    return [f"no system level: {reason}" for reason in reasons]


def _mean_row(metric: MetricResult) -> Row:
    found = metric.correlation
    return [
        metric.name,
        *(shown_estimate(found.mean[each] if found else None) for each in Coefficient),
    ]


def _by_pair_table(
    evaluation: MetricEvaluation, coefficient: Coefficient, pairs: Sequence[str]
) -> Table:
    columns = [Column("metric"), *(Column(pair, digits=3) for pair in pairs)]
    columns.append(Column(MEAN, digits=3))
    rows: list[Row] = []
    for metric in evaluation.metrics:
        found = metric.correlation
        row: Row = [metric.name]
        for pair in pairs:
            row.append(
                shown_estimate(found.by_pair[pair].coefficients[coefficient] if found else None)
            )
        rows.append([*row, shown_estimate(found.mean[coefficient] if found else None)])
    title = f"{COEFFICIENT_TITLES[coefficient]} with scores, by language pair"
    return Table(coefficient.value, title, columns, rows, resampling_notes(evaluation.settings))


def _correlation_lacks(metric: MetricResult) -> Iterator[Lack]:
    if metric.correlation is not None:
        for pair, each in metric.correlation.by_pair.items():
            name = f"{metric.name} on {pair}" if pair else metric.name
            for estimate in each.coefficients.values():
                yield from lack_of(name, estimate)


def _system_row(metric: MetricResult, methods: Sequence[SystemMethod]) -> Row:
    row: Row = [metric.name]
    for method in methods:
        found = metric.systems.correlations.get(method)
        row += [found.mean[each].value if found else None for each in _SHORT]
    return row


def _orders_systems(metric: MetricResult) -> bool:
    """Whether any correlation of systems is defined."""
    return any(
        estimate.value is not None
        for found in metric.systems.correlations.values()
        for each in found.by_pair.values()
        for estimate in each.coefficients.values()
    )


def _system_lacks(metrics: Sequence[MetricResult]) -> Iterator[Lack]:
    for metric in metrics:
        for method, reason in metric.systems.missing.items():
            said = reason.removeprefix(f"{metric.name}: ")  # so that equal reasons come together
            yield f"{metric.name} ({method.value})", said
        for method, found in metric.systems.correlations.items():
            for each in _SHORT:
                yield from lack_of(f"{metric.name} ({method.value})", found.mean[each])


def _people_said(evaluation: MetricEvaluation) -> str:
    if evaluation.n_comparisons:
        return _HUMAN_METHODS[evaluation.settings.human_method]
    return "the mean of the absolute scores"


def _systems_by_pair(metrics: Sequence[MetricResult]) -> Table:
    columns = [
        Column("metric"),
        Column("method"),
        Column("language_pair", title="pair"),
        Column("systems"),
        *(Column(each.value, COEFFICIENT_TITLES[each], 3) for each in Coefficient),
    ]
    rows: list[Row] = []
    for metric in metrics:
        for method, found in metric.systems.correlations.items():
            for pair, each in found.by_pair.items():
                numbers: list[Interval | float | None] = [
                    each.coefficients[name].value for name in Coefficient
                ]
                rows.append([metric.name, method.value, shown_pair(pair), each.n, *numbers])
            means = [found.mean[name].value for name in Coefficient]
            fisher = [found.fisher_mean[name].value for name in Coefficient]
            rows.append([metric.name, method.value, MEAN, None, *means])
            rows.append([metric.name, method.value, f"{MEAN} (Fisher)", None, *fisher])
    notes = reason_notes(
        lack
        for metric in metrics
        for method, found in metric.systems.correlations.items()
        for each in Coefficient
        for lack in lack_of(f"{metric.name} ({method.value})", found.fisher_mean[each])
    )
    title = "System level by language pair"
    return Table("systems_by_pair", title, columns, rows, notes)
