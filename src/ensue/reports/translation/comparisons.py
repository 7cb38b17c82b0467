"""Metrics compared: paired tests, the paper's analyses, and the worst disagreements drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ensue.errors import DataError
from ensue.pairs import Pair
from ensue.reports.estimates import Row, lack_of, shown_estimate
from ensue.reports.model import Column, Figure, Interval, Section, Table, reason_notes
from ensue.reports.pictures.links import SideNames, evidence_svg
from ensue.reports.translation.agreement import lacks_of, resampling_notes, shown_pair
from ensue.statistics import Coefficient, Estimate
from ensue.translation import AlignedOutput, OutputKey
from ensue.translation.evaluation import (
    PUBLISHED,
    Disagreement,
    EvaluationPart,
    MetricComparisons,
    MetricEvaluation,
    MetricResult,
    WilliamsComparison,
    key_text,
)

# Metrics beside each other: paired tests and clusters, as tables.

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
        "p: two-sided paired permutation test over segments"
        f" ({found.resampling.draws:,} permutations, seed {found.resampling.seed}); Holm's is"
        f" corrected for {len(found.tests)} tests; metrics differ where it is at most"
        f" {found.resampling.alpha:g}",
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
        f" it is at most {evaluation.settings.resampling.alpha:g}",
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


# The paper's analyses of metrics beside its own numbers, and the worst disagreements, as
# tables.

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
        *reason_notes(lacks_of(evaluation.metrics, EvaluationPart.DISAGREEMENTS)),
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
        *reason_notes(lacks_of(evaluation.metrics, EvaluationPart.PLACES)),
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
        *reason_notes(lacks_of(evaluation.metrics, EvaluationPart.MARGINS)),
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


# The worst disagreements drawn: what in each of two outputs answers the reference.

SIDES = SideNames("output", "reference")
"""What the sides of a translation are called."""

Aligned = Mapping[OutputKey, AlignedOutput]


def disagreement_section(
    disagreements: Sequence[Disagreement], aligned: Aligned, *, metric: str = ""
) -> Section:
    """The section that draws a metric's worst disagreements, two figures each.

    Args:
        disagreements: Which to draw, the worst first.
        aligned: All outputs that are drawn.
        metric: What it is called.

    Raises:
        DataError: an output has no text.
    """
    figures = [
        figure
        for i, each in enumerate(disagreements, 1)
        for figure in _figures(i, each, aligned, metric)
    ]
    whose = metric or "the metric"
    text = (
        f"Where people agree most and {whose} is most sure of the opposite: first the output that"
        f" people prefer, then the one that {whose} prefers. The output should say all that the"
        " reference says, and nothing else."
    )
    return Section(f"Worst disagreements of {whose}, drawn", text, figures)


def _figures(i: int, each: Disagreement, aligned: Aligned, metric: str) -> Iterator[Figure]:
    where = f"{each.preferred.language_pair} {each.preferred.segment}".strip()
    for key, who, said in (
        (each.preferred, "people prefer", _of_preferred(each)),
        (each.other, f"{metric or 'the metric'} prefers", _of_other(each)),
    ):
        name = f"disagreement-{i}-{'people' if key is each.preferred else 'metric'}"
        title = f"{i}. Segment {where}: {who} {key.system}"
        yield Figure(name, title, _drawn(key, aligned), f"Output of {key.system}: {said}")


def _drawn(key: OutputKey, aligned: Aligned) -> str:
    if key not in aligned:
        raise DataError(
            f"there is no text of {key_text(key)} to draw",
            hint="give the output and its reference of every disagreement",
        )
    found = aligned[key]
    return evidence_svg(Pair(key.segment, found.output, found.reference), found.evidence, SIDES)


def _of_preferred(each: Disagreement) -> str:
    said = f"{_votes(each.votes, each.votes_against, each.ties)}; score {each.preferred_score:.4g}"
    if each.probability is None:
        return f"{said}."
    return f"{said}, better with probability {each.probability:.3f}."


def _of_other(each: Disagreement) -> str:
    return (
        f"{_votes(each.votes_against, each.votes, each.ties)}; score {each.other_score:.4g},"
        f" ahead by a margin of {each.margin:.4g}."
    )


def _votes(n_for: int, n_against: int, n_neither: int) -> str:
    return f"votes: {n_for} for it, {n_against} against, {n_neither} for neither"
