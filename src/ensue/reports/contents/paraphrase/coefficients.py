"""Correlations as tables: in the layout of the paper's Tables 2 and 3, and a row each.

In the paper bold figures are significant; here numbers stay numbers, a note names the significant
ones and a table beside has the p-values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from ensue.errors import UndefinedError
from ensue.evaluation.correlation.coefficients import Coefficient
from ensue.evaluation.correlation.p_values import critical_correlation
from ensue.paraphrase.correlation.model import (
    Association,
    Correlations,
    ListCorrelation,
    Variable,
)
from ensue.reports.contents.entries import (
    COEFFICIENT_TITLES,
    Lack,
    Row,
    interval_notes,
    lack_of,
    reason_notes,
    shown_estimate,
)
from ensue.reports.model import Column, Table

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
        Column("task"),
        Column("measure"),
        Column("k"),
        Column("quality"),
        Column("coefficient"),
        Column("n", title="lists"),
        Column("terms"),
        Column("left_out", title="left out"),
        Column("value", digits=3, signed=True),
        P_COLUMN,
        Column("significant"),
        Column("within", title="r within terms", digits=3, signed=True),
        Column("within_p", title="p within", digits=4),
        Column("undefined", title="why undefined"),
    ]
    settings = correlations.settings
    chosen = few(correlations.correlations, lambda each: [each.variable.k], every=every)
    coefficients = settings.coefficients if every else settings.coefficients[:1]
    rows = [_long_row(each, coefficient) for each in chosen for coefficient in coefficients]
    if all(row[-1] is None for row in rows) and not every:
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    notes = [
        *interval_notes(settings.draws, settings.level, settings.seed, over=settings.resample),
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
    return Table("correlations", title, columns, rows, notes)


def _long_row(found: ListCorrelation, coefficient: Coefficient) -> Row:
    one, is_pearson = found.coefficients[coefficient], coefficient is Coefficient.PEARSON
    reasons = [one.estimate.reason]
    if is_pearson and found.within.estimate.reason not in reasons:
        reasons.append(f"within terms: {found.within.estimate.reason}")
    return [
        found.task,
        found.variable.measure,
        found.variable.k,
        found.variable.quality or None,
        coefficient.value,
        found.n,
        found.n_terms,
        found.n_left_out,
        shown_estimate(one.estimate),
        one.p,
        one.significant,
        shown_estimate(found.within.estimate if is_pearson else None),
        found.within.p if is_pearson else None,
        "; ".join(reason for reason in reasons if reason) or None,
    ]


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


def variables_of(correlations: Correlations, quality: str) -> list[Variable]:
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
