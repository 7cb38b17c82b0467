"""The paper's analyses of metrics beside its own numbers, and the worst disagreements, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from ensue.evaluation.results import Estimate
from ensue.reports.contents.entries import Row, lack_of, reason_notes, shown_estimate
from ensue.reports.contents.translation.entries import lacks_of, resampling_notes, shown_pair
from ensue.reports.model import Column, Interval, Table
from ensue.translation.agreement import PUBLISHED, MetricEvaluation, MetricResult, Part

PAPER = "paper"
"""Where a number is from that is not ours: Padó et al. 2009, section 3, on WMT 2008."""
HERE = "here"

_FEW = 5
"""Disagreements of each metric that people see."""


def analysis_tables(evaluation: MetricEvaluation, *, every: bool) -> list[Table]:
    """Consistency on top and bottom outputs, margins, and the worst disagreements."""
    tables = [
        _places_table(evaluation),
        _margins_table(evaluation),
        disagreements_table(evaluation, every=every),
    ]
    return [table for table in tables if table is not None]


def disagreements_table(evaluation: MetricEvaluation, *, every: bool) -> Table | None:
    """Where people agree most and each metric is most sure of the opposite."""
    if all(each.disagreements is None for each in evaluation.metrics):
        return None
    columns = [
        Column("metric"),
        Column("language_pair", title="pair"),
        Column("segment"),
        Column("preferred", title="people prefer"),
        Column("other", title="metric prefers"),
        Column("votes", title="votes for"),
        Column("votes_against", title="against"),
        Column("ties"),
        Column("preferred_score", title="score of people's"),
        Column("other_score", title="score of metric's"),
        Column("margin"),
        Column("severity", digits=3),
        Column("probability", digits=3),
    ]
    rows = [row for each in evaluation.metrics for row in _disagreements(each, every)]
    if not every and all(row[-1] is None for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    notes = [
        "severity: how far people agree, (for − against) / (for + against + ties + 1), times how"
        " sure the metric is of the opposite: 1 − 2·probability of people's choice where it gives"
        " one, else the margin over the deviation of its scores",
        *reason_notes(lacks_of(evaluation.metrics, Part.DISAGREEMENTS)),
        *_none_notes(evaluation),
    ]
    return Table("disagreements", "Worst disagreements", columns, rows, notes)


def _places_table(evaluation: MetricEvaluation) -> Table | None:
    if all(each.places is None for each in evaluation.metrics):
        return None
    columns = [
        Column("metric"),
        Column("source"),
        Column("top_comparisons", title="n top"),
        Column("top", digits=1, percent=True),
        Column("bottom_comparisons", title="n bottom"),
        Column("bottom", digits=1, percent=True),
        Column("difference", title="top − bottom", digits=1, percent=True),
    ]
    rows = [_places_row(each) for each in evaluation.metrics]
    rows += [
        [name, PAPER, None, Interval(None), None, Interval(None), Interval(said.top_minus_bottom)]
        for name, said in PUBLISHED.items()
    ]
    notes = [
        "agreement on comparisons with an output that a person put first, and last",
        _PUBLISHED_NOTE,
        *resampling_notes(evaluation.settings),
        *reason_notes(lacks_of(evaluation.metrics, Part.PLACES)),
    ]
    title = "Agreement on top and bottom outputs"
    return Table("places", title, columns, rows, notes)


_PUBLISHED_NOTE = (
    f"{PAPER}: what Padó et al. (2009, section 3) report of their RTE and TradMT models on WMT 2008"
)


def _places_row(metric: MetricResult) -> Row:
    found = metric.places
    if found is None:
        nothing = Interval(None)
        return [metric.name, HERE, None, nothing, None, nothing, nothing]
    return [
        metric.name,
        HERE,
        found.top.total,
        shown_estimate(found.top.share),
        found.bottom.total,
        shown_estimate(found.bottom.share),
        shown_estimate(found.difference),
    ]


def _margins_table(evaluation: MetricEvaluation) -> Table | None:
    if all(each.margins is None for each in evaluation.metrics):
        return None
    columns = [
        Column("metric"),
        Column("source"),
        Column("n_right", title="right choices"),
        Column("n_wrong", title="wrong choices"),
        Column("right", title="margin if right"),
        Column("wrong", title="margin if wrong"),
        Column("ratio", digits=2),
        Column("right_standardized", title="if right, in deviations", digits=3),
        Column("wrong_standardized", title="if wrong, in deviations", digits=3),
    ]
    rows = [_margins_row(each) for each in evaluation.metrics]
    for name, said in PUBLISHED.items():
        margins = [said.right_margin, said.wrong_margin, said.right_margin / said.wrong_margin]
        rows.append([name, PAPER, None, None, *map(Interval, margins), *[Interval(None)] * 2])
    notes = [
        "margin: how far the metric's best output is ahead of its second best; right: people put"
        " it first; in deviations of the metric's scores, since every metric has its own scale",
        _PUBLISHED_NOTE,
        *resampling_notes(evaluation.settings),
        *reason_notes(lacks_of(evaluation.metrics, Part.MARGINS)),
        *reason_notes(lack for each in evaluation.metrics for lack in _margin_lacks(each)),
    ]
    return Table("margins", "Margins of right and wrong choices", columns, rows, notes)


def _estimates(metric: MetricResult) -> list[Estimate | None]:
    found = metric.margins
    if found is None:
        return [None] * 5
    own = [found.right, found.wrong, found.ratio]
    return [*own, found.right_standardized, found.wrong_standardized]


def _margins_row(metric: MetricResult) -> Row:
    found = metric.margins
    counts = [found.n_right, found.n_wrong] if found else [None, None]
    return [metric.name, HERE, *counts, *map(shown_estimate, _estimates(metric))]


def _margin_lacks(metric: MetricResult) -> Iterator[tuple[str, str]]:
    for estimate in _estimates(metric):
        if estimate is not None:
            yield from lack_of(metric.name, estimate)


def _disagreements(metric: MetricResult, every: bool) -> Iterator[Row]:
    found = metric.disagreements or ()
    for each in found if every else found[:_FEW]:
        yield [
            metric.name,
            shown_pair(each.preferred.language_pair),
            each.preferred.segment,
            each.preferred.system,
            each.other.system,
            each.votes,
            each.votes_against,
            each.ties,
            each.preferred_score,
            each.other_score,
            each.margin,
            each.severity,
            each.probability,
        ]


def _none_notes(evaluation: MetricEvaluation) -> Iterator[str]:
    for metric in evaluation.metrics:
        if metric.disagreements == ():
            yield f"{metric.name}: never orders two outputs against the majority of people"
