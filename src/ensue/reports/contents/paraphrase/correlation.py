"""How scores of lists correlate with performance in tasks: all tables, scatter plots, one page."""

from __future__ import annotations

from collections.abc import Sequence

from ensue import __version__
from ensue.errors import SettingError, UnknownNameError
from ensue.paraphrase.correlation.model import Correlations, ListCorrelation, Variable
from ensue.reports.cells import shown_cell
from ensue.reports.contents.entries import COEFFICIENT_SIGNS, Row
from ensue.reports.contents.findings import findings_table
from ensue.reports.contents.paraphrase.coefficients import (
    P_COLUMN,
    layout_tables,
    long_table,
    named,
    qualities,
    variables_of,
    with_quality,
)
from ensue.reports.contents.paraphrase.differences import differences_table
from ensue.reports.model import Column, Picture, Report, Section, Table
from ensue.reports.pictures.scatter import Point, ScatterPanel, scatter_picture


def correlation_tables(correlations: Correlations, *, every: bool = True) -> list[Table]:
    """The tables of correlations, the most important first.

    Args:
        correlations: What to show.
        every: Whether every k, coefficient and test is there, for programs.
    """
    layouts = [
        table
        for quality in qualities(correlations)
        for table in layout_tables(correlations, quality, every=every)
    ]
    tables = [*layouts, long_table(correlations, every=every)]
    if correlations.differences:
        tables.append(differences_table(correlations, every=every))
    return [*tables, _tasks_table(correlations)]


def correlation_report(correlations: Correlations, *, name: str, k: int | None = None) -> Report:
    """The page of correlations, with a scatter plot for each quality.

    Args:
        correlations: What to show.
        name: What the lists are called.
        k: The cutoff that is drawn; the largest where it is None.

    Raises:
        SettingError: nothing was scored at that k.
    """
    sections = [
        Section(
            f"Correlation with tasks{with_quality(quality)}",
            "",
            [
                correlation_picture(correlations, quality=quality, k=k),
                *layout_tables(correlations, quality, every=False),
            ],
        )
        for quality in qualities(correlations)
    ]
    sections.append(Section("Intervals", "", [long_table(correlations, every=False)]))
    if correlations.differences:
        differences = differences_table(correlations, every=False)
        sections.append(Section("Do measures differ?", "", [differences]))
    last = [_tasks_table(correlations)]
    if correlations.findings:
        last.append(findings_table(correlations.findings))
    sections.append(Section("What was correlated", "", last))
    return Report(f"Correlation of {name} with tasks", sections, _signature(correlations, name))


def correlation_picture(
    correlations: Correlations, *, quality: str | None = None, k: int | None = None
) -> Picture:
    """Lists as points: a panel for each task and measure, with its correlation.

    Args:
        correlations: What to draw.
        quality: Of the measures; the first where it is None.
        k: The cutoff of the measures; the largest where it is None.

    Raises:
        UnknownNameError: no measure has that quality.
        SettingError: none has that k.
    """
    if quality is None:
        quality = qualities(correlations)[0]
    if quality not in qualities(correlations):
        raise UnknownNameError.of("quality", quality, qualities(correlations))
    variables = _at(variables_of(correlations, quality), k)
    panels = [
        _scatter_panel(correlations, correlations.of(task, variable))
        for task in correlations.scores.extrinsic
        for variable in variables
    ]
    return scatter_picture(
        panels,
        columns=len(variables),
        title=f"Performance in tasks against scores of lists{with_quality(quality)}",
        name=named("scatter", quality).replace("_", "-"),
        caption="A point is a list; lines are of least squares.",
    )


def _scatter_panel(correlations: Correlations, found: ListCorrelation) -> ScatterPanel:
    scores, column = correlations.scores, found.variable.column
    x, y = scores.intrinsic[found.variable].tolist(), scores.extrinsic[found.task].tolist()
    points = [
        Point(a, b, key.method, key.term)
        for key, a, b in zip(scores.keys, x, y, strict=True)
        if a == a and b == b  # NaN where the list has no number
    ]
    return ScatterPanel(
        f"{column} and {found.task}",
        _subtitle(found),
        column,
        f"performance on {found.task}",
        points,
        fitted=any(one.estimate.value is not None for one in found.coefficients.values()),
    )


def _subtitle(found: ListCorrelation) -> str:
    coefficient, one = next(iter(found.coefficients.items()))
    if one.estimate.value is None:
        return f"no correlation, n = {found.n}"
    value = round(one.estimate.value, 2) + 0.0  # so that −0.0 is 0.0
    p = shown_cell(one.p, P_COLUMN)
    p = f"p < {p[1:]}" if p.startswith("<") else f"p = {p}"
    return f"{COEFFICIENT_SIGNS[coefficient]} = {value:.2f}, {p}, n = {found.n}"


def _tasks_table(correlations: Correlations) -> Table:
    columns = [
        Column("task"),
        Column("lists"),
        Column("left_out", title="left out"),
        Column("terms"),
        Column("methods"),
        Column("between_terms", title="variance between terms", digits=1, percent=True),
    ]
    rows: list[Row] = [
        [each.task, each.n, each.n_left_out, each.n_terms, each.n_methods, each.between_terms]
        for each in correlations.tasks
    ]
    notes = [
        "left out: lists without a performance, e.g. of a term that is in no pair of the task",
        "variance between terms: the share of the variance of performance that is not between"
        " lists of one term; unigram matching is the same for all of these",
    ]
    constant = [each.task for each in correlations.tasks if each.between_terms is None]
    if constant:
        notes.append(f"{', '.join(constant)}: performance is the same for all lists")
    return Table("tasks", "Tasks", columns, rows, notes)


def _at(variables: Sequence[Variable], k: int | None) -> list[Variable]:
    """The variables at that k, or at the largest; those without any k stay."""
    known = sorted({each.k for each in variables if each.k is not None})
    if k is not None and known and k not in known:
        hint = f"there are: {', '.join(map(str, known))}"
        raise SettingError(f"nothing was scored at k = {k!r}", hint=hint)
    wanted = known[-1] if k is None and known else k
    return [each for each in variables if each.k in (wanted, None)]


def _signature(correlations: Correlations, name: str) -> str:
    settings = correlations.settings
    coefficients = ", ".join(settings.coefficients)
    return "\n".join(
        [
            f"ensue {__version__}",
            f"lists: {name}",
            f"tasks: {', '.join(correlations.scores.extrinsic)}",
            f"coefficients: {coefficients}, resampled: {settings.resample},"
            f" draws: {settings.draws}, seed: {settings.seed}, level: {settings.level:g},"
            f" alpha: {settings.alpha:g}",
        ]
    )
