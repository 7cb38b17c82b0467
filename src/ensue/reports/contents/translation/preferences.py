"""How far metrics agree with people's preferences, as tables: shares, Kendall's τ, and ties."""

from __future__ import annotations

from collections.abc import Sequence

from ensue.reports.contents.entries import (
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
from ensue.translation.agreement import (
    Averaging,
    MetricConsistency,
    MetricEvaluation,
    MetricResult,
    Part,
    TauVariant,
    TiePolicy,
)

_POLICIES = {
    TiePolicy.WRONG: "a tie of the metric is not right",
    TiePolicy.HALF: "a tie of the metric is half right",
    TiePolicy.LEFT_OUT: "ties of the metric are left out",
}
_VARIANTS = {
    TauVariant.WMT12: "WMT12 counts ties of the metric as discordant",
    TauVariant.WMT13: "WMT13 leaves them out",
    TauVariant.WMT14: "WMT14 counts them in the denominator only",
}
_AVERAGED = {
    Averaging.SEGMENTS: "the mean of the segments' accuracies",
    Averaging.COMPARISONS: "over all comparisons in one heap",
}


def preferences_table(evaluation: MetricEvaluation) -> Table | None:
    """The share of people's preferences that each metric shares; None where there is none."""
    metrics = evaluation.metrics
    if all(each.consistency is None for each in metrics):
        return None
    pairs = _pairs(evaluation)
    columns = [
        Column("metric"),
        Column("right"),
        Column("wrong"),
        Column("ties"),
        Column("share", title="agreement", digits=1, percent=True),
        *(Column(pair, digits=1, percent=True) for pair in pairs),
        *([Column(MEAN, title="mean of pairs", digits=1, percent=True)] if pairs else []),
    ]
    rows = [_preference_row(each, pairs) for each in metrics]
    lacks = lacks_of(metrics, Part.CONSISTENCY)
    for metric in metrics:
        if metric.consistency is not None:
            lacks += _share_lacks(metric.consistency)
    notes = [*reason_notes(lacks), *_preference_notes(evaluation)]
    return Table("preferences", "Agreement with preferences", columns, rows, notes)


def tau_tables(evaluation: MetricEvaluation, *, every: bool) -> list[Table]:
    """Kendall's τ as the metrics tasks count it, over all, on average and by language pair."""
    metrics = [each for each in evaluation.metrics if each.consistency is not None]
    if not metrics:
        return []
    pairs = _pairs(evaluation)
    columns = [Column("metric")]
    columns += [Column(each.value, title=f"τ {each.value}", digits=3) for each in TauVariant]
    if pairs:
        columns += [
            Column(f"{MEAN}_{each.value}", title=f"mean τ {each.value}", digits=3)
            for each in TauVariant
        ]
    rows = [_tau_row(each, with_means=bool(pairs)) for each in evaluation.metrics]
    notes = [
        "; ".join(_VARIANTS.values()) + "; human ties are never counted",
        *resampling_notes(evaluation.settings),
        *reason_notes(lack for each in metrics for lack in _tau_lacks(each)),
    ]
    tables = [Table("tau", "Kendall's τ with preferences", columns, rows, notes)]
    if pairs and every:
        tables.append(_tau_by_pair(metrics, pairs))
    return tables


def calibrated_table(evaluation: MetricEvaluation) -> Table | None:
    """Pairwise accuracy with calibrated ties; None where no metric has it."""
    metrics = evaluation.metrics
    if all(each.calibrated_accuracy is None for each in metrics):
        return None
    pairs = list(dict.fromkeys(pair for each in metrics for pair in each.calibrated_by_pair))
    pairs = pairs if several(pairs) else []
    columns = [
        Column("metric"),
        Column("accuracy", digits=1, percent=True),
        Column("epsilon", title="ε"),
        Column("metric_ties", title="ties of the metric"),
        Column("human_ties", title="human ties"),
        Column("comparisons"),
        *(Column(pair, digits=1, percent=True) for pair in pairs),
    ]
    rows = [
        [
            *_calibrated_row(each),
            *(_calibrated_share(each, pair) for pair in pairs),
        ]
        for each in metrics
    ]
    notes = [
        "right where people and metric tie, or order, two outputs alike; scores that differ by at"
        " most ε tie, with the ε that makes the accuracy highest on these same judgments"
        f" ({_AVERAGED[evaluation.settings.averaging]})",
        *reason_notes(lacks_of(metrics, Part.CALIBRATED_ACCURACY)),
    ]
    title = "Pairwise accuracy with calibrated ties"
    return Table("calibrated", title, columns, rows, notes)


def _calibrated_share(metric: MetricResult, pair: str) -> float | None:
    found = metric.calibrated_by_pair.get(pair)
    return found.accuracy if found else None


def _pairs(evaluation: MetricEvaluation) -> list[str]:
    """The language pairs with comparisons; none where there is one only."""
    for metric in evaluation.metrics:
        if metric.consistency is not None:
            pairs = list(metric.consistency.by_pair)
            return pairs if several(pairs) else []
    return []


def _preference_row(metric: MetricResult, pairs: Sequence[str]) -> Row:
    found = metric.consistency
    if found is None:
        lacking = [Interval(None)] * (1 + len(pairs) + bool(pairs))
        return [metric.name, None, None, None, *lacking]
    overall = found.overall
    row: Row = [metric.name, overall.right, overall.wrong, overall.ties]
    row += [shown_estimate(overall.share)]
    row += [shown_estimate(found.by_pair[pair].share) for pair in pairs]
    return [*row, shown_estimate(found.mean)] if pairs else row


def _share_lacks(found: MetricConsistency) -> list[Lack]:
    lacks = lack_of(found.metric, found.overall.share)
    for pair, each in found.by_pair.items():
        lacks += lack_of(f"{found.metric} on {pair}" if pair else found.metric, each.share)
    return lacks


def _preference_notes(evaluation: MetricEvaluation) -> list[str]:
    return [
        f"preferences of people: {evaluation.n_comparisons - evaluation.n_human_ties:,} of"
        f" {evaluation.n_comparisons:,} comparisons, {evaluation.n_human_ties:,} human ties left"
        f" out; {_POLICIES[evaluation.settings.policy]}",
        *resampling_notes(evaluation.settings),
    ]


def _tau_row(metric: MetricResult, *, with_means: bool) -> Row:
    found = metric.consistency
    row: Row = [metric.name]
    row += [shown_estimate(found.overall.taus[each] if found else None) for each in TauVariant]
    if with_means:
        row += [shown_estimate(found.mean_taus[each] if found else None) for each in TauVariant]
    return row


def _tau_lacks(metric: MetricResult) -> list[Lack]:
    found = metric.consistency
    if found is None:
        return []
    lacks: list[Lack] = []
    for variant in TauVariant:
        lacks += lack_of(f"{metric.name}: {variant.value}", found.overall.taus[variant])
        lacks += lack_of(f"{metric.name}: mean {variant.value}", found.mean_taus[variant])
    return lacks


def _tau_by_pair(metrics: Sequence[MetricResult], pairs: Sequence[str]) -> Table:
    columns = [Column("metric"), Column("language_pair", title="pair")]
    columns += [Column(each.value, title=f"τ {each.value}", digits=3) for each in TauVariant]
    rows: list[Row] = [
        [
            metric.name,
            shown_pair(pair),
            *(shown_estimate(metric.consistency.by_pair[pair].taus[each]) for each in TauVariant),
        ]
        for metric in metrics
        if metric.consistency is not None
        for pair in pairs
    ]
    return Table("tau_by_pair", "Kendall's τ by language pair", columns, rows)


def _calibrated_row(metric: MetricResult) -> Row:
    found = metric.calibrated_accuracy
    if found is None:
        return [metric.name, *[None] * 5]
    row: Row = [metric.name, found.accuracy, found.epsilon, found.n_metric_ties]
    return [*row, found.n_human_ties, found.n_comparisons]
