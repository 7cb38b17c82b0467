"""A reproduction as tables, pictures and a page."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from ensue.reports.model import Column, Picture, Report, Section, Table
from ensue.reports.pictures.curves import Line, cutoff_picture
from ensue.reproduce import Listing, PublishedFigure, Reproduction


def reproduction_tables(reproduction: Reproduction) -> list[Table]:
    """Published and recomputed side by side, then what the paper leaves out."""
    figures = reproduction.figures
    n_agree, n_differ, n_other = _counts(reproduction)
    main = Table.of(
        "figures",
        f"{reproduction.paper}: {n_agree} figures agree, {n_differ} differ,"
        f" {n_other} cannot be compared",
        _COLUMNS,
        figures,
        list(reproduction.remarks),
    )
    return [main, *map(_listing_table, reproduction.listings)]


def reproduction_pictures(reproduction: Reproduction) -> list[Picture]:
    """The paper's figures, drawn again."""
    return [
        cutoff_picture(
            [Line(name, x, y) for name, (x, y) in curve.lines.items()],
            tuned=curve.tuned,
            title=curve.title,
            name=curve.name,
        )
        for curve in reproduction.curves
    ]


def reproduction_report(reproduction: Reproduction, signature: str) -> Report:
    """One page with all of it."""
    main, *others = reproduction_tables(reproduction)
    sections = [Section("Published and recomputed", parts=[main])]
    if reproduction.curves:
        sections.append(Section("Pictures", parts=reproduction_pictures(reproduction)))
    sections += [Section(table.title, parts=[table]) for table in others]
    title = f"Reproduction: {reproduction.paper}"
    return Report(title, sections, signature, reproduction_answer(reproduction))


def reproduction_answer(reproduction: Reproduction) -> str:
    """How many of the published figures come out again."""
    n_agree, n_differ, n_other = _counts(reproduction)
    n = len(reproduction.figures)
    other = f", {n_other:,} cannot be compared" if n_other else ""
    return f"Of {n:,} published figures {n_agree:,} agree with ours, {n_differ:,} differ{other}."


def _counts(reproduction: Reproduction) -> tuple[int, int, int]:
    """How many figures agree, differ, and cannot be compared."""
    found = [figure.agrees for figure in reproduction.figures]
    return found.count(True), found.count(False), found.count(None)


def _shown(number: float | str | None, figure: PublishedFigure) -> str | None:
    """At the printed precision, with one more digit where that shows a difference."""
    if number is None or isinstance(number, str):
        return number
    digits = figure.digits
    if figure.agrees is False and number is figure.recomputed and round(number, digits) != number:
        digits += 1
    shown = Decimal(repr(float(number))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{shown}{' %' if figure.percent else ''}"


_COLUMNS = (
    Column("where"),
    Column("what"),
    Column("published", get=lambda figure: _shown(figure.published, figure)),
    Column("recomputed", get=lambda figure: _shown(figure.recomputed, figure)),
    Column(
        "agrees",
        get=lambda figure: {True: "yes", False: "no", None: None}[figure.agrees],
        importance=1,
    ),
    Column("note"),
)

_CORRELATIONS = {
    *("r", "ρ", "τ", "EP", "EPR", "DIMPLE", "r within terms", "r with what patterns add"),
    *("r of the first", "r of the second", "r of the other", "r of DIMPLE", "r between"),
}
"""Columns whose numbers may be negative, and of which a small one is 0."""
_DIGITS = {
    **dict.fromkeys(_CORRELATIONS, 2),
    **dict.fromkeys(("cws", "low", "high", "accuracy", "basic", "with ties", "consistency"), 3),
    **dict.fromkeys(("share true", "WMT08 consistency", "WMT08 basic", "WMT08 with ties"), 2),
}


def _listing_table(listing: Listing) -> Table:
    columns = [
        Column(name, digits=_DIGITS.get(name, 4), signed=name in _CORRELATIONS)
        for name in listing.columns
    ]
    return Table(listing.name, listing.title, columns, listing.rows, listing.notes)
