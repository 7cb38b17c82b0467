"""Metrics compared: paired tests, the paper's analyses, and the worst disagreements drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from ensue.errors import DataError
from ensue.pairs import Pair
from ensue.reports.model import (
    DASHES,
    Column,
    Figure,
    Interval,
    Row,
    Section,
    Table,
    reason_notes,
    share,
)
from ensue.reports.pictures.links import SideNames, evidence_svg
from ensue.reports.translation.agreement import (
    LANGUAGE_PAIR,
    METRIC,
    lacks_of,
    resampling_notes,
    shown_pair,
)
from ensue.statistics import Coefficient
from ensue.translation import AlignedOutput, OutputKey
from ensue.translation.evaluation import (
    PUBLISHED,
    Disagreement,
    EvaluationPart,
    MetricComparisons,
    MetricEvaluation,
    WilliamsComparison,
    key_text,
)


class _MetricPair(Protocol):
    @property
    def first(self) -> str: ...

    @property
    def second(self) -> str: ...


T = TypeVar("T", bound=_MetricPair)

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
    shape = _shape(of)
    columns = [
        Column("first"),
        Column("second"),
        Column("first_value", "first's", *shape, importance=-1),
        Column("second_value", "second's", *shape, importance=-1),
        Column("difference", None, *shape),
        Column("p", digits=4),
        Column("p_holm", title="p (Holm)", digits=4),
        Column("differs"),
    ]
    best = found.clusters[0][0]
    shown = _shown(found.tests, best, every)
    notes = [
        "p: two-sided paired permutation test over segments"
        f" ({found.resampling.draws:,} permutations, seed {found.resampling.seed}); Holm's is"
        f" corrected for {len(found.tests)} tests; metrics differ where it is at most"
        f" {found.resampling.alpha:g}",
        *_left_out(best, len(shown), len(found.tests)),
    ]
    return Table.of(name, f"Do metrics differ in {of}?", columns, shown, notes)


def _shape(of: str) -> tuple[int, bool]:
    """Digits, and whether in percent."""
    return (1, True) if of == _PREFERENCES else (3, False)


def _shown(tests: Sequence[T], best: str, every: bool) -> list[T]:
    """All tests; of many, those of the best metric."""
    return [
        test for test in tests if every or len(tests) <= _MOST or best in (test.first, test.second)
    ]


def _clusters_table(name: str, of: str, found: MetricComparisons) -> Table:
    values = {test.first: test.first_value for test in found.tests}
    values |= {test.second: test.second_value for test in found.tests}
    rows: list[Row] = [
        [i, metric, values[metric]] for i, one in enumerate(found.clusters, 1) for metric in one
    ]
    columns = [Column("cluster"), Column("metric"), Column("value", of, *_shape(of))]
    notes = ["no two metrics of a cluster differ; a metric may be in several"]
    title = f"Clusters of metrics that do not differ in {of}"
    return Table(name, title, columns, rows, notes)


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
        LANGUAGE_PAIR,
        Column("first"),
        Column("second"),
        Column("n", title="outputs"),
        Column("first_pearson", title="first's r", digits=3),
        Column("second_pearson", title="second's r", digits=3),
        Column("between", title="r between", digits=3),
        Column("t", digits=2, get="test.t"),
        Column("p", digits=4, get="test.p"),
        Column("p_holm", title="p (Holm)", digits=4),
        Column("differs"),
    ]
    shown = _shown(tests, best, every)
    notes = [
        "t: Williams' test of two dependent correlations, which takes outputs as independent; p:"
        " two-sided; Holm's is corrected for the tests of the language pair; metrics differ where"
        f" it is at most {evaluation.settings.resampling.alpha:g}",
        *_left_out(best, len(shown), len(tests)),
    ]
    title = "Do metrics differ in Pearson's r, by language pair?"
    return Table.of("williams", title, columns, shown, notes)


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
        Column("metric", get=lambda metric, _: metric.name),
        Column("language_pair", "pair", get=lambda _, d: shown_pair(d.preferred.language_pair)),
        Column("segment", get="preferred.segment"),
        Column("preferred", title="people prefer", get="preferred.system"),
        Column("other", title="metric prefers", get="other.system"),
        Column("votes", title="votes for"),
        Column("votes_against", title="against", importance=-1),
        Column("ties", importance=-1),
        Column("preferred_score", title="score of people's", importance=-2),
        Column("other_score", title="score of metric's", importance=-2),
        Column("margin"),
        Column("severity", digits=3, importance=1),
        Column("probability", digits=3),
    ]
    rows = [
        (metric, each)
        for metric in evaluation.metrics
        for each in (metric.disagreements or ())[: None if every else _FEW]
    ]
    notes = [
        "severity: how far people agree, (for − against) / (for + against + ties + 1), times how"
        " sure the metric is of the opposite: 1 − 2·probability of people's choice where it gives"
        " one, else the margin over the deviation of its scores",
        *reason_notes(lacks_of(evaluation.metrics, EvaluationPart.DISAGREEMENTS)),
        *_none_notes(evaluation),
    ]
    table = Table.of("disagreements", "Worst disagreements", columns, rows, notes)
    return table if every else table.without_empty("probability")


def _places_table(evaluation: MetricEvaluation) -> Table | None:
    if all(each.places is None for each in evaluation.metrics):
        return None
    columns = [
        METRIC,
        Column("source", get=lambda _: HERE),
        Column("top_comparisons", title="n top", get="places.top.total"),
        share("top", get="places.top.share", interval=True),
        Column("bottom_comparisons", title="n bottom", get="places.bottom.total"),
        share("bottom", get="places.bottom.share", interval=True),
        share("difference", "top − bottom", "places.difference", interval=True),
    ]
    nothing = Interval(None)
    published: list[Row] = [
        [name, PAPER, None, nothing, None, nothing, Interval(said.top_minus_bottom)]
        for name, said in PUBLISHED.items()
    ]
    notes = [
        "agreement on comparisons with an output that a person put first, and last",
        _PUBLISHED_NOTE,
        *resampling_notes(evaluation.settings),
        *reason_notes(lacks_of(evaluation.metrics, EvaluationPart.PLACES)),
    ]
    title = "Agreement on top and bottom outputs"
    table = Table.of("places", title, columns, evaluation.metrics, notes)
    return replace(table, rows=[*table.rows, *published])


_PUBLISHED_NOTE = (
    f"{PAPER}: what Padó et al. (2009, section 3) report of their RTE and TradMT models on WMT 2008"
)


def _margins_table(evaluation: MetricEvaluation) -> Table | None:
    if all(each.margins is None for each in evaluation.metrics):
        return None
    columns = [
        METRIC,
        Column("source", get=lambda _: HERE),
        Column("n_right", title="right choices", get="margins.n_right", importance=-1),
        Column("n_wrong", title="wrong choices", get="margins.n_wrong", importance=-1),
        Column("right", "margin if right", get="margins.right", interval=True),
        Column("wrong", "margin if wrong", get="margins.wrong", interval=True),
        Column("ratio", digits=2, get="margins.ratio", interval=True),
        *(
            Column(
                f"{each}_standardized",
                f"if {each}, in deviations",
                digits=3,
                get=f"margins.{each}_standardized",
                interval=True,
            )
            for each in ("right", "wrong")
        ),
    ]
    notes = [
        "margin: how far the metric's best output is ahead of its second best; right: people put"
        " it first; in deviations of the metric's scores, since every metric has its own scale",
        _PUBLISHED_NOTE,
        *resampling_notes(evaluation.settings),
        *reason_notes(lacks_of(evaluation.metrics, EvaluationPart.MARGINS)),
        DASHES,
    ]
    title = "Margins of right and wrong choices"
    table = Table.of(
        "margins", title, columns, evaluation.metrics, notes, called=lambda metric: metric.name
    )
    published: list[Row] = []
    for name, said in PUBLISHED.items():
        margins = [said.right_margin, said.wrong_margin, said.right_margin / said.wrong_margin]
        published.append([name, PAPER, None, None, *map(Interval, margins), *[Interval(None)] * 2])
    return replace(table, rows=[*table.rows, *published])


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
            "no-text-draw",
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
