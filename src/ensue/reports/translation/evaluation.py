"""Metrics held against judgments: all tables, pictures and one page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ensue import __version__
from ensue.errors import UndefinedError
from ensue.reports.model import (
    SHARE,
    Column,
    Interval,
    Lack,
    Picture,
    Report,
    Row,
    Section,
    Table,
    best_of,
    interval_in_words,
    names_in_words,
    number_in_words,
    others_in_words,
    reason_notes,
    shown_estimate,
)
from ensue.reports.pictures.dots import Axis, Dot, panel_picture
from ensue.reports.translation.agreement import (
    calibrated_table,
    correlation_tables,
    lacks_of,
    no_system_notes,
    people_tables,
    preferences_table,
    recipe,
    several,
    system_tables,
    tau_tables,
)
from ensue.reports.translation.comparisons import (
    analysis_tables,
    comparison_tables,
    disagreement_section,
)
from ensue.statistics import Coefficient, Estimate, Resampling
from ensue.translation import AlignedOutput, OutputKey
from ensue.translation.evaluation import (
    EvaluationPart,
    MetricComparisons,
    MetricEvaluation,
    MetricResult,
)
from ensue.translation.judgments import JudgeSummary

_OF_METRICS = (
    EvaluationPart.CONSISTENCY,
    EvaluationPart.CALIBRATED_ACCURACY,
    EvaluationPart.PLACES,
    EvaluationPart.MARGINS,
    EvaluationPart.DISAGREEMENTS,
    EvaluationPart.CORRELATION,
)

_SECTIONS = {
    "Agreement with preferences": ("preferences", "tau", "calibrated"),
    "Correlation with scores": ("correlation", "pearson"),
    "System level": ("systems",),
    "Do metrics differ?": (
        "preference_tests",
        "preference_clusters",
        "pearson_tests",
        "pearson_clusters",
        "williams",
    ),
    "Top, bottom and margins": ("places", "margins"),
    "Judges": ("judges", "ceiling", "floor", "first_place"),
    "Worst disagreements": ("disagreements",),
    "What was evaluated": ("judged", "metrics"),
}
"""The tables of each section of the page."""


def metric_tables(
    evaluation: MetricEvaluation, people: JudgeSummary | None = None, *, every: bool = True
) -> list[Table]:
    """The tables of an evaluation, the most important first.

    A number that a metric lacks is a dash, with a note; a table that nobody has is left out, and
    the table `judged` says why.

    Args:
        evaluation: What to show.
        people: What the judgments say of the judges.
        every: Whether every language pair, test and disagreement is there, for programs.
    """
    preferences, calibrated = preferences_table(evaluation), calibrated_table(evaluation)
    return [
        *([preferences] if preferences else []),
        *correlation_tables(evaluation, every=every),
        *system_tables(evaluation, every=every),
        *comparison_tables(evaluation, every=every),
        *tau_tables(evaluation, every=every),
        *([calibrated] if calibrated else []),
        *(people_tables(people) if people else []),
        *analysis_tables(evaluation, every=every),
        _judged_table(evaluation),
        _metrics_table(evaluation),
    ]


def evaluation_report(
    evaluation: MetricEvaluation,
    people: JudgeSummary | None = None,
    *,
    judged: str,
    aligned: Mapping[OutputKey, AlignedOutput] | None = None,
) -> Report:
    """The page of an evaluation.

    Args:
        evaluation: What to show.
        people: What the judgments say of the judges; their bounds are drawn as lines.
        judged: What the judgments are called.
        aligned: The outputs of the worst disagreements, which are drawn where it is given.
    """
    tables = {table.name: table for table in metric_tables(evaluation, people, every=False)}
    pictures = {
        "Agreement with preferences": list(_preference_pictures(evaluation, people)),
        "Correlation with scores": list(_correlation_pictures(evaluation)),
    }
    sections = [
        Section(
            title,
            "",
            [*pictures.get(title, []), *(tables[name] for name in names if name in tables)],
        )
        for title, names in _SECTIONS.items()
    ]
    *results, evaluated = [section for section in sections if section.parts]
    drawn = [
        disagreement_section(each.disagreements, aligned, metric=each.name)
        for each in evaluation.metrics
        if aligned and each.disagreements
    ]
    return Report(
        f"Metrics on {judged}",
        [*results, *drawn, evaluated],
        _signature(evaluation, judged),
        metric_answer(evaluation),
    )


def metric_answer(evaluation: MetricEvaluation) -> str:
    """Which metric agrees with people best, and whether the others are significantly worse."""
    shares = {
        each.name: each.consistency.overall.share
        for each in evaluation.metrics
        if each.consistency is not None
    }
    if any(share.value is not None for share in shares.values()):
        n = evaluation.n_comparisons - evaluation.n_human_ties
        return _best_metric(
            shares,
            evaluation.tests.consistency,
            lambda share: f"with people in {number_in_words(share)} of {n:,} preferences",
            evaluation.settings.resampling,
        )
    means = {
        each.name: each.correlation.mean[Coefficient.PEARSON]
        for each in evaluation.metrics
        if each.correlation is not None
    }
    if any(mean.value is not None for mean in means.values()):
        return _best_metric(
            means,
            evaluation.tests.pearson,
            lambda r: f"with people's scores by a Pearson's r of {number_in_words(r, _PEARSON)}",
            evaluation.settings.resampling,
            _PEARSON,
        )
    return "The judgments say nothing of the metrics: people prefer nothing, and score nothing."


_PEARSON = Column("pearson", digits=3, signed=True)


def _best_metric(
    found: Mapping[str, Estimate],
    tests: MetricComparisons | None,
    shown: Callable[[float], str],
    resampling: Resampling,
    column: Column = SHARE,
) -> str:
    """The best metric with its number, which `shown` puts into words, and the others."""
    best = best_of({name: each.value for name, each in found.items()})
    others = [name for name, each in found.items() if name not in best and each.value is not None]
    number = shown(found[best[0]].value or 0.0)
    said = f"{names_in_words(best)} {'agrees' if len(best) == 1 else 'agree'}"
    said += f" best, {number}" if others else f" {number}"
    said += interval_in_words(found[best[0]], resampling, column)
    if tests is None:
        return f"{said}."
    apart = {frozenset((test.first, test.second)) for test in tests.tests if test.differs}
    worse = [name for name in others if all(frozenset((name, one)) in apart for one in best)]
    return f"{said}{others_in_words(others, worse)}."


def evaluation_picture(evaluation: MetricEvaluation, people: JudgeSummary | None = None) -> Picture:
    """How metrics agree with preferences or, where there are none, correlate with scores.

    Raises:
        UndefinedError: there is neither.
    """
    drawn = [*_preference_pictures(evaluation, people), *_correlation_pictures(evaluation)]
    if not drawn:
        raise UndefinedError(
            "judgments-define-nothing-drawn", "the judgments define nothing that could be drawn"
        )
    return drawn[0]


def preference_rules(people: JudgeSummary | None) -> dict[str, float]:
    """What agreement is compared with: chance, and the two bounds of the best metric."""
    if people is None:
        return {}
    found = {
        "chance": people.chance,
        "two judges": people.ceiling.two_judges.value,
        "bound": people.ceiling.independent_bound.value,
    }
    return {name: share for name, share in found.items() if share is not None}


def _preference_pictures(
    evaluation: MetricEvaluation, people: JudgeSummary | None
) -> Iterator[Picture]:
    found = [each for each in evaluation.metrics if each.consistency is not None]
    if not found:
        return
    rules, axis = preference_rules(people), Axis("agreement with preferences")
    caption = " ".join([*_brackets(evaluation), *_ruled(rules)])
    overall = {
        each.name: shown_estimate(each.consistency.overall.share)
        for each in found
        if each.consistency
    }
    yield panel_picture(
        {"": _dots(overall)},
        axis,
        rules=rules,
        title="Agreement with preferences",
        name="preferences",
        caption=caption,
    )
    pairs = list(found[0].consistency.by_pair) if found[0].consistency else []
    if several(pairs):
        yield panel_picture(
            {pair: _dots(_shares(found, pair)) for pair in pairs},
            axis,
            rules=rules,
            title="Agreement with preferences by language pair",
            name="preferences-by-pair",
            caption=caption,
        )


def _shares(metrics: Sequence[MetricResult], pair: str) -> dict[str, Interval]:
    return {
        each.name: shown_estimate(each.consistency.by_pair[pair].share)
        for each in metrics
        if each.consistency is not None
    }


def _correlation_pictures(evaluation: MetricEvaluation) -> Iterator[Picture]:
    pearson = {
        each.name: each.correlation for each in evaluation.metrics if each.correlation is not None
    }
    if not pearson:
        return
    axis = Axis("Pearson's r", percent=False, limits=(-1.0, 1.0))
    means = {
        name: shown_estimate(found.mean[Coefficient.PEARSON]) for name, found in pearson.items()
    }
    caption = " ".join(_brackets(evaluation))
    yield panel_picture(
        {"": _dots(means)},
        axis,
        title="Mean segment Pearson over language pairs",
        name="pearson",
        caption=caption,
    )
    pairs = list(next(iter(pearson.values())).by_pair)
    if several(pairs):
        panels = {
            pair: _dots(
                {
                    name: shown_estimate(found.by_pair[pair].coefficients[Coefficient.PEARSON])
                    for name, found in pearson.items()
                }
            )
            for pair in pairs
        }
        yield panel_picture(
            panels,
            axis,
            title="Segment Pearson by language pair",
            name="pearson-by-pair",
            caption=caption,
        )


def _dots(intervals: dict[str, Interval]) -> list[Dot]:
    return [Dot(name, interval) for name, interval in intervals.items()]


def _brackets(evaluation: MetricEvaluation) -> Iterator[str]:
    resampling = evaluation.settings.resampling
    if resampling.draws:
        yield f"Bars: {resampling.percent} bootstrap intervals."


def _ruled(rules: dict[str, float]) -> Iterator[str]:
    if "bound" in rules:
        yield (
            "The best possible metric is right at least as often as two judges agree, and no more"
            " often than the bound that follows if judges do not influence each other."
        )


def _judged_table(evaluation: MetricEvaluation) -> Table:
    columns = [
        Column("pairs", title="language pairs"),
        Column("rankings"),
        Column("comparisons"),
        Column("human_ties", title="human ties"),
        Column("assessments"),
        Column("human_scores", title="human scores"),
        Column("metrics"),
    ]
    row: Row = [
        ", ".join(pair for pair in evaluation.language_pairs if pair) or None,
        evaluation.n_rankings,
        evaluation.n_comparisons,
        evaluation.n_human_ties,
        evaluation.n_assessments,
        evaluation.human_kind.value if evaluation.human_kind else None,
        len(evaluation.metrics),
    ]
    lacking = [
        f"no {part.value}: {note}"
        for part in _OF_METRICS
        if len(lacks_of(evaluation.metrics, part)) == len(evaluation.metrics)
        for note in _shared_reasons(lacks_of(evaluation.metrics, part))
    ]
    lacking += [f"no {part.value}: {reason}" for part, reason in evaluation.tests.missing.items()]
    lacking += no_system_notes(evaluation)
    return Table("judged", "Judgments", columns, [row], lacking)


def _shared_reasons(lacks: Sequence[Lack]) -> list[str]:
    """The reasons, without names where there is one for all."""
    reasons = list(dict.fromkeys(reason for _, reason in lacks))
    return reasons if len(reasons) == 1 else reason_notes(lacks)


def _metrics_table(evaluation: MetricEvaluation) -> Table:
    rows: list[Row] = [[each.name, each.signature or None] for each in evaluation.metrics]
    return Table("metrics", "Metrics", [Column("metric"), Column("signature")], rows)


def _signature(evaluation: MetricEvaluation, judged: str) -> str:
    settings, resampling = evaluation.settings, evaluation.settings.resampling
    lines = [f"ensue {__version__}", f"judgments: {judged}"]
    lines += map(recipe, evaluation.metrics)
    lines.append(
        f"ties of a metric: {settings.policy.value}, averaging: {settings.averaging.value},"
        f" systems by people: {settings.human_method.value}, seed: {resampling.seed},"
        f" draws: {resampling.draws}, permutations: {settings.permutations},"
        f" level: {resampling.level:g}"
    )
    return "\n".join(lines)
