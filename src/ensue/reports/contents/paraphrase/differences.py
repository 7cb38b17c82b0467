"""Whether two measures differ in how they correlate with performance, as a table."""

from __future__ import annotations

from ensue.paraphrase.correlation.model import CorrelationDifference, Correlations
from ensue.reports.contents.entries import Row, reason_notes
from ensue.reports.contents.paraphrase.coefficients import P_COLUMN, few
from ensue.reports.model import Cell, Column, Interval, Table


def differences_table(correlations: Correlations, *, every: bool) -> Table:
    """A row for each two measures and task: both correlations, and the tests of their difference.

    For people there are Williams' test and the bootstrap, for programs Steiger's and Meng's too.
    """
    columns = [
        Column("task"),
        Column("first"),
        Column("second"),
        Column("k"),
        Column("quality"),
        Column("n", title="lists"),
        Column("first_r", title="first's r", digits=3, signed=True),
        Column("second_r", title="second's r", digits=3, signed=True),
        Column("between", title="r between", digits=3, signed=True),
        Column("difference", digits=3, signed=True),
        Column("t", digits=2, signed=True),
        P_COLUMN,
        Column("p_holm", title="p (Holm)", digits=4),
        Column("p_bootstrap", title="p (bootstrap)", digits=4),
    ]
    more = [
        Column("steiger_z", digits=2, signed=True),
        Column("steiger_p", digits=4),
        Column("meng_z", digits=2, signed=True),
        Column("meng_p", digits=4),
        Column("bootstrap", title="difference by bootstrap", digits=3, signed=True),
        Column("undefined", title="why undefined"),
    ]
    chosen = few(correlations.differences, lambda each: [each.first.k, each.second.k], every=every)
    rows = [_difference_row(each, every) for each in chosen]
    settings = correlations.settings
    notes = [
        "t: Williams' test of two dependent correlations (Pearson's); p: two-sided; Holm's is"
        " corrected for the tests of the task",
        f"difference: first minus second, in brackets Zou's {settings.level * 100:g} % interval",
        f"bootstrap: both see the same draws of {settings.resample} ({settings.draws:,} draws,"
        f" seed {settings.seed})",
        "t, p and Zou's interval take lists as independent",
        *reason_notes((_couple(each), each.reason) for each in chosen if each.reason),
    ]
    if len(rows) < len(correlations.differences):
        notes.append(f"of {len(correlations.differences)} tests; all are in JSON and CSV")
    title = "Do measures differ in Pearson's r with performance?"
    return Table("differences", title, [*columns, *(more if every else [])], rows, notes)


def _difference_row(found: CorrelationDifference, every: bool) -> Row:
    first, second = found.first, found.second
    alike = (first.k, first.quality) == (second.k, second.quality)
    low, high = found.zou or (None, None)
    test, bootstrap = found.williams, found.bootstrap
    row: Row = [
        found.task,
        first.measure if alike else first.name,
        second.measure if alike else second.name,
        first.k if alike else None,
        (first.quality or None) if alike else None,
        found.n,
        found.first_r,
        found.second_r,
        found.between,
        Interval(bootstrap.value, low, high),
        test.t if test else None,
        test.p if test else None,
        found.p_holm,
        bootstrap.p,
    ]
    if not every:
        return row
    tests: list[Cell] = [
        number
        for each in (found.steiger, found.meng)
        for number in ((each.z, each.p) if each else (None, None))
    ]
    drawn = Interval(bootstrap.value, bootstrap.low, bootstrap.high)
    return [*row, *tests, drawn, found.reason]


def _couple(found: CorrelationDifference) -> str:
    return f"{found.task} {found.first.name} and {found.second.name}"
