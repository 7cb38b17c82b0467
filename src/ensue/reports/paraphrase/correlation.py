"""Correlations of scores with performance in tasks: tables, scatter plots, one page.

In the paper bold figures are significant; here numbers stay numbers, a note names the significant
ones and a table beside has the p-values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from ensue import __version__
from ensue.errors import SettingError, UndefinedError, UnknownNameError
from ensue.paraphrase import (
    Association,
    CorrelationDifference,
    Correlations,
    ListCorrelation,
    ScoreVariable,
)
from ensue.reports.model import (
    COEFFICIENT_SIGNS,
    COEFFICIENT_TITLES,
    Column,
    Interval,
    Lack,
    Picture,
    Report,
    Row,
    Section,
    Table,
    best_of,
    findings_table,
    interval_in_words,
    interval_notes,
    lack_of,
    names_in_words,
    number_in_words,
    p_in_words,
    reason_notes,
    share,
    shown_cell,
)
from ensue.reports.pictures.plots import Point, ScatterPanel, scatter_picture
from ensue.statistics import Coefficient, Estimate, critical_correlation

# Correlations as tables: in the layout of the paper's Tables 2 and 3, and a row each.

T = TypeVar("T")

P_COLUMN = Column("p", digits=4)
_MOST = 15
"""So many rows are shown to people; of more, those of the largest k."""
_INDEPENDENT = (
    "p-values take lists as independent; lists of one term share their pairs, and the bootstrap"
    " over terms minds that"
)


def layout_tables(correlations: Correlations, quality: str, *, every: bool) -> Iterator[Table]:
    """Tasks × measures at each k, as the paper has it: each coefficient, its p, and within terms."""
    for i, coefficient in enumerate(correlations.settings.coefficients):
        title, name = COEFFICIENT_TITLES[coefficient], coefficient.value
        yield _layout_table(
            correlations,
            quality,
            (named(name, quality), f"{title} with performance{with_quality(quality)}"),
            partial(_of_coefficient, coefficient),
        )
        if every or i == 0:
            yield _p_table(correlations, quality, coefficient)
    yield _layout_table(
        correlations,
        quality,
        (named("within", quality), f"Pearson's r within terms{with_quality(quality)}"),
        lambda found: found.within,
        "the mean of each term is taken off both numbers: what is left compares methods;"
        " p by t with n − terms − 1 degrees of freedom",
    )


def _of_coefficient(coefficient: Coefficient, found: ListCorrelation) -> Association:
    return found.coefficients[coefficient]


def _layout_table(
    correlations: Correlations,
    quality: str,
    titles: tuple[str, str],
    pick: Callable[[ListCorrelation], Association],
    *notes: str,
) -> Table:
    variables = variables_of(correlations, quality)
    found = {
        task: [correlations.of(task, variable) for variable in variables]
        for task in correlations.scores.extrinsic
    }
    columns = [Column("task"), *(Column(each.column, digits=2, signed=True) for each in variables)]
    rows: list[Row] = [
        [task, *(pick(each).estimate.value for each in line)] for task, line in found.items()
    ]
    together = [each for line in found.values() for each in line]
    lacks = [lack for task, line in found.items() for lack in _lacks(task, line, pick)]
    said = [
        *notes,
        _count_note(together),
        _significance_note(together, pick, correlations.settings.alpha),
        *reason_notes(lacks),
    ]
    return Table(*titles, columns, rows, said)


def _lacks(
    task: str, line: Sequence[ListCorrelation], pick: Callable[[ListCorrelation], Association]
) -> list[Lack]:
    """What a task lacks and why: by the task's name alone where all its variables lack the same."""
    lacks = [
        lack
        for each in line
        for lack in lack_of(f"{task} {each.variable.column}", pick(each).estimate)
    ]
    reasons = {reason for _, reason in lacks}
    return [(task, reasons.pop())] if len(lacks) == len(line) and len(reasons) == 1 else lacks


def _p_table(correlations: Correlations, quality: str, coefficient: Coefficient) -> Table:
    variables = variables_of(correlations, quality)
    found = [
        [correlations.of(task, variable).coefficients[coefficient] for variable in variables]
        for task in correlations.scores.extrinsic
    ]
    rows: list[Row] = [
        [task, *(each.p for each in line)]
        for task, line in zip(correlations.scores.extrinsic, found, strict=True)
    ]
    columns = [Column("task"), *(Column(each.column, digits=4) for each in variables)]
    methods = {each.method.value for line in found for each in line if each.method is not None}
    by = f" by {', '.join(sorted(methods))}" if methods else ""
    return Table(
        named(f"{coefficient.value}_p", quality),
        f"p of {COEFFICIENT_TITLES[coefficient]}{with_quality(quality)}",
        columns,
        rows,
        [f"two-sided, against no correlation{by}", _INDEPENDENT],
    )


def _count_note(found: Sequence[ListCorrelation]) -> str:
    by_count: dict[str, dict[str, None]] = {}
    for each in found:
        terms = "1 term" if each.n_terms == 1 else f"{each.n_terms} terms"
        by_count.setdefault(f"{each.n} lists of {terms}", {})[each.task] = None
    if len(by_count) == 1:
        return f"over {next(iter(by_count))}"
    return "; ".join(f"{', '.join(tasks)}: over {count}" for count, tasks in by_count.items())


def _significance_note(
    found: Sequence[ListCorrelation], pick: Callable[[ListCorrelation], Association], alpha: float
) -> str:
    names = [f"{each.task} {each.variable.column}" for each in found if pick(each).significant]
    return f"significant (two-sided p < {alpha:g}): {', '.join(names) or 'none'}"


def long_table(correlations: Correlations, *, every: bool) -> Table:
    """A row for each task, variable and coefficient, with its interval and all that belongs to it.

    For people there is the first coefficient only, and of many variables those of the largest k.
    """
    columns = [
        Column("task", get=lambda found, *_: found.task),
        Column("measure", get=lambda found, *_: found.variable.measure),
        Column("k", get=lambda found, *_: found.variable.k),
        Column("quality", get=lambda found, *_: found.variable.quality or None),
        Column("coefficient", get=lambda *row: row[1]),
        Column("n", title="lists", get=lambda found, *_: found.n),
        Column("terms", get=lambda found, *_: found.n_terms),
        Column("left_out", title="left out", get=lambda found, *_: found.n_left_out),
        Column("value", digits=3, signed=True, get="estimate"),
        P_COLUMN,
        Column("significant"),
        Column("within", "r within terms", 3, signed=True, get=_within_estimate, interval=True),
        Column("within_p", "p within", digits=4, get=_within_p),
        Column("undefined", title="why undefined", get=_why_undefined),
    ]
    settings = correlations.settings
    chosen = few(correlations.correlations, lambda each: [each.variable.k], every=every)
    coefficients = settings.coefficients if every else settings.coefficients[:1]
    rows = [(each, c, each.coefficients[c]) for each in chosen for c in coefficients]
    notes = [
        *interval_notes(settings.resampling, over=settings.resample),
        *(f"no intervals: {reason}" for reason in _no_intervals(correlations)),
        f"significant where the two-sided p is less than {settings.alpha:g}",
        *_critical_notes(correlations),
        _INDEPENDENT,
        "within terms: Pearson's r after the mean of each term was taken off",
    ]
    n_all = len(correlations.correlations) * len(settings.coefficients)
    if len(rows) < n_all:
        notes.append(f"of {n_all} rows; all are in JSON and CSV")
    title = "Correlation of scores with performance"
    table = Table.of("correlations", title, columns, rows, notes)
    return table if every else table.without_empty("undefined")


def _within(found: ListCorrelation, coefficient: Coefficient) -> Association | None:
    return found.within if coefficient is Coefficient.PEARSON else None


def _within_estimate(found: ListCorrelation, coefficient: Coefficient, _: Any) -> Estimate | None:
    within = _within(found, coefficient)
    return within.estimate if within else None


def _within_p(found: ListCorrelation, coefficient: Coefficient, _: Any) -> float | None:
    within = _within(found, coefficient)
    return within.p if within else None


def _why_undefined(
    found: ListCorrelation, coefficient: Coefficient, one: Association
) -> str | None:
    reasons = [one.estimate.reason]
    within = _within(found, coefficient)
    if within and within.estimate.reason not in reasons:
        reasons.append(f"within terms: {within.estimate.reason}")
    return "; ".join(reason for reason in reasons if reason) or None


def _critical_notes(correlations: Correlations) -> Iterator[str]:
    alpha = correlations.settings.alpha
    for n in sorted({each.n for each in correlations.correlations}):
        try:
            least = critical_correlation(n, alpha)
        except UndefinedError:
            continue
        yield f"of {n} lists, Pearson's r is significant from {least:.3f} on, or below −{least:.3f}"


def qualities(correlations: Correlations) -> list[str]:
    """Those that variables have, in the order given."""
    return list(dict.fromkeys(each.quality for each in correlations.scores.intrinsic))


def variables_of(correlations: Correlations, quality: str) -> list[ScoreVariable]:
    """Those of one quality, measure after measure, each with rising k."""
    chosen = [each for each in correlations.scores.intrinsic if each.quality == quality]
    order = list(dict.fromkeys(each.measure for each in chosen))
    return sorted(chosen, key=lambda each: (order.index(each.measure), each.k or 0))


def few(
    found: Sequence[T], cutoffs: Callable[[T], Sequence[int | None]], *, every: bool
) -> Sequence[T]:
    """What is shown to people of many: that of the largest k, or without any; all where `every`.

    Args:
        found: Correlations, or comparisons of them.
        cutoffs: The k of each.
        every: Whether all are shown, however many.
    """
    if every or len(found) <= _MOST:
        return found
    largest = max((k for each in found for k in cutoffs(each) if k is not None), default=None)
    return [each for each in found if all(k in (largest, None) for k in cutoffs(each))]


def with_quality(quality: str) -> str:
    """What a title says of the quality, if there is any."""
    return f", Q: {quality}" if quality else ""


def named(name: str, quality: str) -> str:
    """The name of a table or picture of one quality."""
    return f"{name}_{quality}" if quality else name


def _no_intervals(correlations: Correlations) -> list[str]:
    reasons = (each.no_interval for each in correlations.correlations)
    return list(dict.fromkeys(reason for reason in reasons if reason))


# Whether two measures differ in how they correlate with performance, as a table.


def correlation_differences_table(correlations: Correlations, *, every: bool) -> Table:
    """A row for each two measures and task: both correlations, and the tests of their difference.

    For people there are Williams' test and the bootstrap, for programs Steiger's and Meng's too.
    """
    columns = [
        Column("task"),
        Column("first", get=lambda each: _shown_name(each, each.first)),
        Column("second", get=lambda each: _shown_name(each, each.second)),
        Column("k", get=lambda each: each.first.k if _alike(each) else None),
        Column("quality", get=lambda each: (each.first.quality or None) if _alike(each) else None),
        Column("n", title="lists"),
        Column("first_r", title="first's r", digits=3, signed=True),
        Column("second_r", title="second's r", digits=3, signed=True),
        Column("between", title="r between", digits=3, signed=True),
        Column("difference", digits=3, signed=True, get=_zou),
        Column("t", digits=2, signed=True, get="williams.t"),
        Column("p", digits=4, get="williams.p"),
        Column("p_holm", title="p (Holm)", digits=4),
        Column("p_bootstrap", title="p (bootstrap)", digits=4, get="bootstrap.p"),
        Column("steiger_z", digits=2, signed=True, get="steiger.z", full=True),
        Column("steiger_p", digits=4, get="steiger.p", full=True),
        Column("meng_z", digits=2, signed=True, get="meng.z", full=True),
        Column("meng_p", digits=4, get="meng.p", full=True),
        Column("bootstrap", "difference by bootstrap", 3, signed=True, full=True),
        Column("undefined", title="why undefined", get="reason", full=True),
    ]
    chosen = few(correlations.differences, lambda each: [each.first.k, each.second.k], every=every)
    settings = correlations.settings
    notes = [
        "t: Williams' test of two dependent correlations (Pearson's); p: two-sided; Holm's is"
        " corrected for the tests of the task",
        f"difference: first minus second, in brackets Zou's {settings.resampling.percent} interval",
        f"bootstrap: both see the same draws of {settings.resample} "
        f"({settings.resampling.draws:,} draws, seed {settings.resampling.seed})",
        "t, p and Zou's interval take lists as independent",
        *reason_notes((_couple(each), each.reason) for each in chosen if each.reason),
    ]
    if len(chosen) < len(correlations.differences):
        notes.append(f"of {len(correlations.differences)} tests; all are in JSON and CSV")
    title = "Do measures differ in Pearson's r with performance?"
    return Table.of("differences", title, columns, chosen, notes, every=every)


def _alike(found: CorrelationDifference) -> bool:
    first, second = found.first, found.second
    return (first.k, first.quality) == (second.k, second.quality)


def _shown_name(found: CorrelationDifference, variable: ScoreVariable) -> str:
    return variable.measure if _alike(found) else variable.name


def _zou(found: CorrelationDifference) -> Interval:
    return Interval(found.bootstrap.value, *(found.zou or (None, None)))


def _couple(found: CorrelationDifference) -> str:
    return f"{found.task} {found.first.name} and {found.second.name}"


# How scores of lists correlate with performance in tasks: all tables, scatter plots, one page.


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
        tables.append(correlation_differences_table(correlations, every=every))
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
        differences = correlation_differences_table(correlations, every=False)
        sections.append(Section("Do measures differ?", "", [differences]))
    last = [_tasks_table(correlations)]
    if correlations.findings:
        last.append(findings_table(correlations.findings))
    sections.append(Section("What was correlated", "", last))
    made, answer = _signature(correlations, name), correlation_answer(correlations)
    return Report(f"Correlation of {name} with tasks", sections, made, answer)


def correlation_answer(correlations: Correlations) -> str:
    """Which score goes best with each task, and how many do significantly."""
    coefficient = correlations.settings.coefficients[0]
    column = Column("r", digits=2, signed=True)
    said = []
    for task in dict.fromkeys(each.task for each in correlations.correlations):
        found = {
            each.variable.name: each.coefficients[coefficient]
            for each in correlations.correlations
            if each.task == task
        }
        best = best_of({name: each.estimate.value for name, each in found.items()})
        if not best:
            said.append(f"with {task}, no score has a correlation")
            continue
        first = found[best[0]]
        p = "" if first.p is None else p_in_words(first.p)
        interval = interval_in_words(
            first.estimate, correlations.settings.resampling, column, more=p
        )
        number = number_in_words(first.estimate.value or 0.0, column)
        n_sure = sum(bool(each.significant) for each in found.values())
        said.append(
            f"with {task}, {names_in_words(best)} goes best, {COEFFICIENT_TITLES[coefficient]}"
            f" {number}{interval}; {n_sure or 'none'} of {len(found)} scores"
            f" {'is' if n_sure == 1 else 'are'} significant (p < {correlations.settings.alpha:g})"
        )
    whole = ". ".join(f"{each[0].upper()}{each[1:]}" for each in said)
    return f"{whole}." if whole else "Nothing was correlated."


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
        Column("lists", get="n"),
        Column("left_out", title="left out", get="n_left_out"),
        Column("terms", get="n_terms"),
        Column("methods", get="n_methods"),
        share("between_terms", "variance between terms"),
    ]
    notes = [
        "left out: lists without a performance, e.g. of a term that is in no pair of the task",
        "variance between terms: the share of the variance of performance that is not between"
        " lists of one term; unigram matching is the same for all of these",
    ]
    constant = [each.task for each in correlations.tasks if each.between_terms is None]
    if constant:
        notes.append(f"{', '.join(constant)}: performance is the same for all lists")
    return Table.of("tasks", "Tasks", columns, correlations.tasks, notes)


def _at(variables: Sequence[ScoreVariable], k: int | None) -> list[ScoreVariable]:
    """The variables at that k, or at the largest; those without any k stay."""
    known = sorted({each.k for each in variables if each.k is not None})
    if k is not None and known and k not in known:
        hint = f"there are: {', '.join(map(str, known))}"
        raise SettingError("nothing-scored", f"nothing was scored at k = {k!r}", hint=hint)
    wanted = known[-1] if k is None and known else k
    return [each for each in variables if each.k in (wanted, None)]


def _signature(correlations: Correlations, name: str) -> str:
    settings = correlations.settings
    coefficients, resampling = ", ".join(settings.coefficients), settings.resampling
    return "\n".join(
        [
            f"ensue {__version__}",
            f"lists: {name}",
            f"tasks: {', '.join(correlations.scores.extrinsic)}",
            f"coefficients: {coefficients}, resampled: {settings.resample},"
            f" draws: {resampling.draws}, seed: {resampling.seed}, level: {resampling.level:g},"
            f" alpha: {settings.alpha:g}",
        ]
    )
